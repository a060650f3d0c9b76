// SPDX-License-Identifier: MIT

import RouteCore

/// The shape of a screen and of all screens inside it and above it, without identities, for
/// comparing trees.
struct Shape: Equatable {
    var `class`: String
    var kind: Screen.Kind
    var shows: Screen.Shows
    var max: Int?
    var fields: Fields
    var children: [Shape]
    var selection: Int
    var modal: [Shape]
    var isContextual: Bool

    init(_ id: ScreenID, in tree: some ScreenLookup) throws {
        guard let screen = tree.screen(id) else { throw NotHeld(id: id) }
        `class` = screen.class
        kind = screen.kind
        shows = screen.shows
        max = screen.max
        fields = screen.fields
        children = try screen.children.map { try Shape($0, in: tree) }
        selection = screen.selection
        modal = try screen.modal.map { [try Shape($0, in: tree)] } ?? []
        isContextual = screen.presenter != nil && screen.presentation.isContextual
    }

    struct NotHeld: Error {
        var id: ScreenID
    }
}
