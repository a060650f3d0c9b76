// SPDX-License-Identifier: MIT

/// The width of a text in terminal columns.
///
/// This width determines where the carets are printed below the marked text.
package enum DisplayWidth {
    package static func of(_ text: some Sequence<Unicode.Scalar>) -> Int {
        var width = 0
        var isJoined = false
        for scalar in text {
            // The character after a zero-width joiner is drawn as part of the previous character.
            if !isJoined { width += of(scalar) }
            isJoined = scalar == "\u{200D}"
        }
        return width
    }

    package static func of(_ scalar: Unicode.Scalar) -> Int {
        if scalar.isASCII { return 1 }
        let properties = scalar.properties
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        if properties.isEmojiModifier { return 0 }
        return properties.isEmojiPresentation || isWide(scalar.value) ? 2 : 1
    }

    /// Returns whether a character is wide or full-width according to the East Asian Width property
    /// of Unicode.
    private static func isWide(_ value: UInt32) -> Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
            0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
            0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
