// SPDX-License-Identifier: MIT

internal import RouteCore

/// Text for users, and all other text that is written to a stream.
package typealias PrintedText = EscapedText<Terminal>

/// The format of text for users in terminals and logs.
package enum Terminal: TextFormat {
    /// Returns the text on one line, with control characters escaped as in `\u{1B}`.
    ///
    /// Characters are escaped if they would control a terminal, hide part of a name or change the
    /// order in which text is displayed. Line breaks become spaces, and tabs are kept.
    package static func escaped(_ text: String) -> String { escaped(text, lineBreak: " ") }

    /// Returns the text on one line, with line breaks replaced by the given text.
    fileprivate static func escaped(_ text: String, lineBreak: String) -> String {
        let line =
            text.isPlain
            ? text : text.replacing { $0 == "\n" ? lineBreak : $0.isSteering ? $0.escape : nil }
        // Commands are escaped here and not only in `text`, so that the columns of the text after
        // them are known.
        return WorkflowCommand.escaped(line, isReport: true)
    }
}

extension EscapedText.StringInterpolation where Format == Terminal {
    /// Appends a path on one line.
    ///
    /// Line breaks in the path are escaped.
    package mutating func appendInterpolation(path: String) {
        let line = Terminal.escaped(path, lineBreak: Unicode.Scalar("\n").escape)
        appendInterpolation(PrintedText(escaped: line))
    }
}

extension EscapedText where Format == Terminal {
    /// Creates a text from source code in a language with the escape `\u{…}`, such as scenarios,
    /// Lua and Swift.
    ///
    /// Lines and indentation are kept.
    package init(source: String) {
        self.init(
            escaped: source.replacing { $0.isSteering && !$0.isLineBreak ? $0.escape : nil }
        )
    }

    /// Creates a text from a JSON document.
    ///
    /// All characters in strings that affect how text is displayed are replaced by JSON escapes, so
    /// the values do not change.
    package init(json: String) {
        func escape(_ scalar: Unicode.Scalar) -> String {
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        let text =
            json.isPlain
            ? json : json.replacing { $0.isSteering && !$0.isLineBreak ? escape($0) : nil }
        self.init(escaped: WorkflowCommand.escaped(text, isReport: true, escape))
    }
}

extension JSONWriter {
    /// The document, followed by a line break.
    package var document: PrintedText { PrintedText(json: text + "\n") }
}

extension Unicode.Scalar {
    fileprivate var isLineBreak: Bool { self == "\n" || self == "\r" }
}
