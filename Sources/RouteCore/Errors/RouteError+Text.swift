// SPDX-License-Identifier: MIT

/// Texts from elsewhere in messages.
extension RouteError {
    /// A text of any bytes as messages have it.
    package static func shortened(_ text: ByteString) -> String {
        // As many bytes as 81 characters have at most; what is longer takes no more time.
        shortened(text.prefix(81 * 4).displayText)
    }

    /// The beginning of a text, of at most a number of bytes, and `...`.
    static func cut(_ text: String, at limit: Int) -> String {
        var end = text.utf8.index(text.startIndex, offsetBy: min(limit, text.utf8.count))
        while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil {
            end = text.utf8.index(before: end)
        }
        return text[..<end] + "..."
    }

    /// A text from elsewhere as messages have it: in one line, and without what terminals do;
    /// what is longer than 80 characters is cut.
    package static func shortened(_ text: String) -> String {
        var plain = ""
        var count = 0
        for scalar in text.unicodeScalars {
            count += 1
            if count > 80 { return plain + "..." }
            switch scalar.value {
            case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069:
                plain += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: plain.unicodeScalars.append(scalar)
            }
        }
        return plain
    }
}
