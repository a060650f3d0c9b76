// SPDX-License-Identifier: MIT

package import RouteCore

/// Screens as events and messages name them.
extension ScreenTree {
    /// The number of bytes after which the text of a screen is cut.
    private static let textLimit = 64 * 1024

    /// The screen as tree notation writes it, without the screens in it; cut after 64 KiB.
    package func notation(of id: ScreenID, _ classes: ScreenClasses) -> String {
        text(of: id, NotationPrinter(classes: classes, limit: Self.textLimit))
    }

    /// The screen as events have it: each string is cut after 256 bytes, and the whole after 2 KiB.
    package func eventText(of id: ScreenID, _ classes: ScreenClasses) -> Value {
        let printer = NotationPrinter(
            classes: classes,
            limit: Event.screenLimit,
            stringLimit: Event.stringLimit
        )
        return Value(text(of: id, printer))
    }

    private func text(of id: ScreenID, _ printer: NotationPrinter) -> String {
        guard screen(id) != nil else { return "#\(id.serial)" }
        return printer.screen(id, in: self, deep: false)
    }

    /// The tree of a window in tree notation; empty if there is no such window.
    package func notation(window: String, _ classes: ScreenClasses) -> String {
        NotationPrinter(classes: classes).tree(self, window: window)
    }

    /// The fields of an event about a screen.
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
