// SPDX-License-Identifier: MIT

/// A character outside of ASCII that is invisible or looks like a space.
///
/// Editors, web pages and input methods insert such characters. Outside of quotes, such a character
/// is an error in a step.
struct InvisibleScalar {
    let scalar: Unicode.Scalar

    /// Decodes the character at the start of the UTF-8 bytes.
    ///
    /// Returns nil if the character is visible.
    init?(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
        guard let first = bytes.first, Self.mayStart(with: first) else { return nil }
        var decoder = UTF8()
        var iterator = bytes.prefix(4).makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return nil }
        let properties = scalar.properties
        guard properties.isWhitespace || properties.isDefaultIgnorableCodePoint else { return nil }
        self.scalar = scalar
    }

    /// Returns whether an invisible character can start with the given byte.
    @inline(__always)
    static func mayStart(with byte: UInt8) -> Bool {
        switch byte {
        case 0xC2, 0xCD, 0xD8, 0xE1, 0xE2, 0xE3, 0xEF: true
        default: false
        }
    }

    /// The code point and the name of the character, such as 'U+00A0 NO-BREAK SPACE'.
    var description: String {
        let hex = String(scalar.value, radix: 16, uppercase: true)
        let code = "U+" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex
        return scalar.properties.name.map { "\(code) \($0)" } ?? code
    }
}

extension SyntaxError {
    static func invisible(_ scalar: InvisibleScalar, _ range: Range<Int>) -> SyntaxError {
        let isSpace = scalar.scalar.properties.isWhitespace
        return SyntaxError(
            code: .leftOver,
            message: isSpace
                ? "\(scalar.description) is not allowed as white space in a scenario file "
                    + "(a space or a tab expected)"
                : "the invisible character \(scalar.description) is not allowed outside of quotes",
            range: range,
            help: isSpace
                ? "replace the character with a space, or put it in quotes if it is part of a text"
                : "remove the character, or put it in quotes if it is part of a text"
        )
    }
}
