// SPDX-License-Identifier: MIT

extension Unicode.Scalar {
    /// Whether the character controls a terminal, hides a part of a name, or changes the order in
    /// which text is shown.
    ///
    /// The property is false for a tab.
    package var isSteering: Bool {
        switch value {
        case 0x09, 0x20..<0x7F: false
        // Control characters, including 8-bit control characters.
        case 0..<0xA0: true
        // Text direction marks, and line and paragraph separators.
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        // Invisible characters, which make one name look like another.
        case 0x200B, 0x2060, 0xFEFF: true
        default: false
        }
    }

    /// The escape of the character in tree notation, Lua and Swift, such as `\u{1B}`.
    package var escape: String { "\\u{\(String(value, radix: 16, uppercase: true))}" }
}
