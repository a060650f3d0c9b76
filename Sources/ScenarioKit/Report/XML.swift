// SPDX-License-Identifier: MIT

/// Text for XML and HTML documents.
enum XML {
    /// Returns attributes with a space before each, as in ` name="value"`.
    static func attributes(_ attributes: [(name: String, value: String)]) -> String {
        attributes.map { " \($0.name)=\"\(escaped($0.value))\"" }.joined()
    }

    /// Returns a text with references in place of characters that a document cannot contain.
    ///
    /// Control characters other than tabs and line breaks, and those that are no characters, become
    /// U+FFFD.
    static func escaped(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\t", "\n": result.unicodeScalars.append(scalar)
            case "\u{00}"..<" ", "\u{7F}"..<"\u{A0}", "\u{FFFE}", "\u{FFFF}":
                result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
