// SPDX-License-Identifier: MIT

/// A tree of screens that is written once and copied with new serials each time.
struct ScreenTemplate {
    let `class`: ScreenClass
    let fields: Fields
    let children: [ScreenTemplate]
    let selection: Int

    /// Takes the form of a screen and all that stands in it.
    init(of id: ScreenID, in tree: ScreenTree) {
        guard let screen = tree.screen(id) else { preconditionFailure("a template is a screen") }
        `class` = ScreenClass(screen.class, kind: screen.kind)
        fields = screen.fields
        children = screen.children.map { ScreenTemplate(of: $0, in: tree) }
        selection = screen.selection
    }

    /// Makes a copy as detached screens.
    func make(in tree: inout ScreenTree) throws(RouteError) -> ScreenID {
        var copies: [ScreenID] = []
        for child in children { copies.append(try child.make(in: &tree)) }
        return try tree.makeScreen(`class`, fields: fields, children: copies, selection: selection)
    }
}
