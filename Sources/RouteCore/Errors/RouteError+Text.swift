// SPDX-License-Identifier: MIT

/// Texts from elsewhere in messages.
extension RouteError {
    /// A text of any bytes as messages have it.
    package static func shortened(_ text: ByteString) -> String { shortened(text.displayText) }

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
