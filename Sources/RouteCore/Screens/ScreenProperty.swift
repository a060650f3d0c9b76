// SPDX-License-Identifier: MIT

/// The read-only properties of a screen, which scripts read like fields.
package enum ScreenProperty: String, CaseIterable {
    case serial, `class`, kind, parent, presenter, window, children, modal, isVisible, isAlive

    private static let all = allCases
    private static let names = NameIndex(all.map(\.rawValue))

    /// Returns the property with the given name; nil if there is none.
    ///
    /// The lookup must be fast, because it is made for every field that a script reads.
    package static func named(_ name: String) -> ScreenProperty? {
        names.index(of: name).map { all[$0] }
    }

    /// The description of the property, for documentation.
    package var text: String {
        switch self {
        case .serial: "the number of the screen, which is never reused"
        case .class: "the name of the screen's class"
        case .kind: "how the screen arranges other screens: `leaf`, `nav`, `tabs` and so on"
        case .parent: "the container of the screen, if any"
        case .presenter: "the screen that presents this screen, if any"
        case .window: "the name of the screen's window, or nil if the screen is not in a window"
        case .children: "a list of the screens in this container"
        case .modal: "the modal that the screen presents, if any"
        case .isVisible: "whether the screen is visible"
        case .isAlive: "whether the screen is in a window"
        }
    }

    /// The type of the value, in the notation that the documentation uses for results.
    package var type: String {
        switch self {
        case .serial: "integer"
        case .class, .kind: "string"
        case .window: "string?"
        case .parent, .presenter, .modal: "screen?"
        case .children: "screens"
        case .isVisible, .isAlive: "boolean"
        }
    }
}
