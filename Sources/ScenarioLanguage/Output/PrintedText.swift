// SPDX-License-Identifier: MIT

internal import RouteCore

/// Text for people, and all that is written to a stream.
package typealias PrintedText = EscapedText<Terminal>

/// The format of text for users, in terminals and logs.
package enum Terminal: TextFormat {
    /// Returns a text on one line, with control characters escaped as in `\u{1B}`.
    ///
    /// Everything is escaped that would control a terminal, hide a part of a name or change the
    /// order in which text is shown. A line break becomes a space; tabs are kept.
    package static func escaped(_ text: String) -> String { escaped(text, lineBreak: " ") }

    /// Returns a text on one line, with its line breaks replaced by the given text.
    fileprivate static func escaped(_ text: String, lineBreak: String) -> String {
        let line =
            text.isPlain
            ? text : text.replacing { $0 == "\n" ? lineBreak : $0.isSteering ? $0.escape : nil }
        // Here and not only in lines, so that the columns of what follows are known.
        return WorkflowCommand.escaped(line, isReport: true)
    }
}

extension EscapedText.StringInterpolation where Format == Terminal {
    /// Appends a path on one line, with its line breaks also escaped.
    package mutating func appendInterpolation(path: String) {
        let line = Terminal.escaped(path, lineBreak: Unicode.Scalar("\n").escape)
        appendInterpolation(PrintedText(escaped: line))
    }
}

extension EscapedText where Format == Terminal {
    /// Creates the text of a file in a language with the escape `\u{…}`, such as scenarios, Lua and
    /// Swift; lines and indentation are kept.
    package init(source: String) {
        self.init(
            escaped: source.replacing { $0.isSteering && !$0.isLineBreak ? $0.escape : nil }
        )
    }

    /// Creates the text of JSON, in which a string has the escapes of JSON for all characters that
    /// steer its display; the values stay the same.
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
    /// The document, with a line break at its end.
    package var document: PrintedText { PrintedText(json: text + "\n") }
}

extension Unicode.Scalar {
    fileprivate var isLineBreak: Bool { self == "\n" || self == "\r" }
}
