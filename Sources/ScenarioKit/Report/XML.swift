// SPDX-License-Identifier: MIT

internal import RouteCore

/// The format of XML and HTML documents.
enum XML: TextFormat {
    /// Returns attributes, each preceded by a space, as in ` name="value"`.
    static func attributes(_ attributes: [(name: String, value: String)]) -> EscapedText<XML> {
        attributes.map { " \($0.name)=\"\($0.value)\"" }.joined()
    }

    /// Returns a text in which characters with a special meaning are replaced with references.
    ///
    /// Characters that a document cannot contain, and characters that control the display, are
    /// escaped as in `\u{1B}`; tabs and line breaks are kept.
    static func escaped(_ text: String) -> String {
        text.replacing { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case "\n": nil
            case "\u{FFFE}", "\u{FFFF}": scalar.escape
            default: scalar.isSteering ? scalar.escape : nil
            }
        }
    }
}
