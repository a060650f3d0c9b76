// SPDX-License-Identifier: MIT

/// Formatting of untrusted text, such as names from scripts and files, in messages.
extension RouteError {
    /// Returns bytes as text for a message, shortened like ``shortened(_:)-(String)``.
    package static func shortened(_ text: ByteString) -> String {
        // The first 81 characters have at most 4 bytes each, so they fit in this prefix. The cost
        // does not depend on the length of the text.
        shortened(text.prefix(81 * 4).displayText)
    }

    /// Returns the first `limit` bytes of a text, without splitting a character, followed by `...`.
    static func cut(_ text: String, at limit: Int) -> String {
        var end = text.utf8.index(text.startIndex, offsetBy: min(limit, text.utf8.count))
        while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil {
            end = text.utf8.index(before: end)
        }
        return text[..<end] + "..."
    }

    /// Returns untrusted text in a form that is safe in a message: on one line, without terminal
    /// control characters, and truncated after 80 characters.
    package static func shortened(_ text: String) -> String {
        var plain = ""
        var count = 0
        for scalar in text.unicodeScalars {
            count += 1
            if count > 80 { return plain + "..." }
            if scalar.isSteering || scalar == "\t" {
                plain += scalar.escape
            } else {
                plain.unicodeScalars.append(scalar)
            }
        }
        return plain
    }
}
