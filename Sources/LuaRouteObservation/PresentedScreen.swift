// SPDX-License-Identifier: MIT

public import LuaRouting

/// A modal that can be used as the item of `.sheet(item:)`.
///
/// ```swift
/// let sheet = model[sheet: root]
/// print(sheet?.presentation.style ?? "none")  // formSheet
/// ```
public struct PresentedScreen: Identifiable, Equatable, Sendable {
    /// The screen that is presented.
    public let id: ScreenID
    /// The style in which the screen is presented.
    public let presentation: Screen.Presentation

    /// Creates an item.
    public init(id: ScreenID, presentation: Screen.Presentation) {
        self.id = id
        self.presentation = presentation
    }

    /// Whether the modal is presented with a modifier of the given kind.
    func matches(_ kind: ModalKind) -> Bool {
        switch kind {
        case .contextual: presentation.isContextual
        case .cover: !presentation.isContextual && presentation.style == "fullScreen"
        case .sheet: !presentation.isContextual && presentation.style != "fullScreen"
        }
    }
}

/// The kinds of presentations for which SwiftUI has separate modifiers.
enum ModalKind: CaseIterable {
    case sheet, cover, contextual
}
