// SPDX-License-Identifier: MIT

/// Classes of ASCII characters. Bytes that are not ASCII belong to no class.
extension UInt8 {
    /// Whether the byte is a decimal digit.
    @inlinable
    package var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

    /// Whether the byte is a letter.
    @inlinable
    package var isLetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }

    /// Whether the byte is an upper-case letter.
    @inlinable
    package var isCapital: Bool { self &- UInt8(ascii: "A") < 26 }

    /// Whether the byte is a letter, a digit or `_`.
    @inlinable
    package var isWord: Bool { isLetter || isDigit || self == UInt8(ascii: "_") }

    /// Whether the byte is a letter, a digit, `_` or `-`.
    @inlinable
    package var isWordOrHyphen: Bool { isWord || self == UInt8(ascii: "-") }

    /// Whether the byte is a space or a tab.
    @inlinable
    package var isBlank: Bool { self == 0x20 || self == 0x09 }

    /// Whether the byte is a space, a tab or part of a line break.
    @inlinable
    package var isSpace: Bool { isBlank || self == 0x0A || self == 0x0D }

    /// The lower-case form of an ASCII letter.
    ///
    /// Any other byte is returned unchanged.
    @inlinable
    package var lowercased: UInt8 { isCapital ? self | 0x20 : self }

    /// The value of a hexadecimal digit; nil for any other byte.
    @inlinable
    package var hexadecimalValue: UInt8? {
        if isDigit { return self - UInt8(ascii: "0") }
        let letter = (self | 0x20) &- UInt8(ascii: "a")
        return letter < 6 ? letter + 10 : nil
    }
}
