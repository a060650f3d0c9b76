// SPDX-License-Identifier: MIT

package import RouteCore

/// The text forms of screens in events and messages.
extension ScreenTree {
    /// The maximum length of the text for a screen, in bytes.
    private static let textLimit = 64 * 1024

    /// Returns a screen in tree notation, without its descendants.
    ///
    /// The text is truncated after 64 KiB.
    package func notation(of id: ScreenID, _ classes: ScreenClasses) -> String {
        text(of: id, NotationPrinter(classes: classes, limit: Self.textLimit))
    }

    /// Returns the text for a screen in events.
    ///
    /// Each string is truncated after 256 bytes, and the whole text after 2 KiB.
    package func eventText(of id: ScreenID, _ classes: ScreenClasses) -> Value {
        Value(text(of: id, .forEvents(classes)))
    }

    private func text(of id: ScreenID, _ printer: NotationPrinter) -> String {
        guard screen(id) != nil else { return "#\(id.serial)" }
        return printer.screen(id, in: self, deep: false)
    }

    /// Returns the tree of a window in tree notation; empty if there is no such window.
    package func notation(window: String, _ classes: ScreenClasses) -> String {
        NotationPrinter(classes: classes).tree(self, window: window)
    }

    /// Returns the fields that an event about a screen contains.
    package func fields(
        about id: ScreenID,
        _ classes: ScreenClasses
    ) -> [(name: String, value: Value)] {
        [
            ("class", Value(screen(id)?.class ?? "")),
            ("screen", eventText(of: id, classes)),
        ]
    }
}

extension NotationPrinter {
    /// Returns a printer for texts in events.
    ///
    /// Each string is truncated after 256 bytes, and the whole text after 2 KiB.
    package static func forEvents(_ classes: ScreenClasses) -> NotationPrinter {
        NotationPrinter(
            classes: classes,
            limit: Event.screenLimit,
            stringLimit: Event.stringLimit
        )
    }
}
