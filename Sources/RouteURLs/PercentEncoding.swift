// SPDX-License-Identifier: MIT

internal import RouteCore

/// Percent-encoding and percent-decoding of URLs.
enum PercentEncoding {
    /// A component of a URL or of a pattern.
    ///
    /// Each component has its own set of characters that need no escape.
    enum Place {
        case path
        /// The host, in which `:` and `@` are escaped because either would end the host.
        case host
        case query
        /// A key or a literal value in the query of a pattern.
        ///
        /// Patterns have more special characters than URLs.
        case patternQuery
        /// A literal of a pattern, in which more characters are special than in a URL.
        case pattern
        /// A literal of a pattern that is the host of a URL with a custom scheme.
        case patternHost
        /// An alternative of an enumeration in a pattern.
        case alternative
    }

    /// Returns the text, with an escape for each character that has a special meaning in the
    /// component.
    static func encode(_ string: ByteString, _ place: Place) -> String {
        var encoded: [UInt8] = []
        append(string, place, to: &encoded)
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Appends the bytes of the encoded text.
    static func append(_ string: ByteString, _ place: Place, to encoded: inout [UInt8]) {
        string.withBytes { bytes in
            // Most texts need no escape.
            if bytes.allSatisfy(\.isWord) { return encoded.append(contentsOf: bytes) }
            for byte in bytes {
                if isPlain(byte, place) {
                    encoded.append(byte)
                } else {
                    encoded.append(contentsOf: escape(byte))
                }
            }
        }
    }

    /// Returns the escape of a byte: `%` and two hexadecimal digits.
    static func escape(_ byte: UInt8) -> [UInt8] {
        [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 0xF)]
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }

    private static func isPlain(_ byte: UInt8, _ place: Place) -> Bool {
        if byte.isLetter || byte.isDigit { return true }
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
            return true
        case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "'"), UInt8(ascii: ","),
            UInt8(ascii: ";"):
            return true
        case UInt8(ascii: "("), UInt8(ascii: ")"): return place != .alternative
        case UInt8(ascii: "*"): return place == .path || place == .host || place == .query
        // In a query, other parsers read '+' as a space.
        case UInt8(ascii: "+"), UInt8(ascii: "&"), UInt8(ascii: "="):
            return place != .query && place != .patternQuery
        case UInt8(ascii: ":"): return place == .path || place == .query
        case UInt8(ascii: "@"): return place == .path || place == .query || place == .pattern
        case UInt8(ascii: "/"), UInt8(ascii: "?"): return place == .query
        default: return false
        }
    }

    /// Decodes the given bytes.
    ///
    /// The target must have room for `bytes.count` bytes.
    ///
    /// - Returns: The number of decoded bytes, or nil if an escape is malformed.
    static func decode(
        _ bytes: UnsafeRawBufferPointer,
        into target: UnsafeMutableRawPointer
    ) -> Int? {
        var count = 0
        var index = 0
        while index < bytes.count {
            var byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "%") {
                guard index + 2 <= bytes.count,
                    let high = bytes[index].hexadecimalValue,
                    let low = bytes[index + 1].hexadecimalValue
                else { return nil }
                byte = high << 4 | low
                index += 2
            }
            target.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
            count += 1
        }
        return count
    }

    /// Returns the decoded bytes, or nil if an escape is malformed or the result is not UTF-8.
    static func decode(_ bytes: UnsafeRawBufferPointer) -> ByteString? {
        guard bytes.contains(UInt8(ascii: "%")) else { return validated(bytes) }
        return withUnsafeTemporaryAllocation(byteCount: bytes.count, alignment: 1) { buffer in
            guard let target = buffer.baseAddress, let count = decode(bytes, into: target) else {
                return nil
            }
            return validated(UnsafeRawBufferPointer(start: target, count: count))
        }
    }

    /// Returns the offset, in the encoded bytes, of the byte or escape that decodes to the given
    /// byte.
    ///
    /// The encoded bytes must be well-formed.
    static func offset(of decoded: Int, in bytes: UnsafeRawBufferPointer) -> Int {
        var offset = 0
        for _ in 0..<decoded { offset += bytes[offset] == UInt8(ascii: "%") ? 3 : 1 }
        return offset
    }

    /// Whether the bytes contain no malformed escape, and decode to UTF-8 without NUL characters.
    static func isWellFormed(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.contains(where: { $0 >= 0x80 || $0 == UInt8(ascii: "%") || $0 == 0 }) else {
            return true
        }
        return withUnsafeTemporaryAllocation(byteCount: bytes.count, alignment: 1) { buffer in
            guard let target = buffer.baseAddress, let count = decode(bytes, into: target) else {
                return false
            }
            let decoded = UnsafeRawBufferPointer(start: target, count: count)
            return !decoded.contains(0) && isUTF8(decoded)
        }
    }

    /// Returns the range of the first escape that is malformed, or of the first byte or escape that
    /// is a NUL character or begins a character that is not UTF-8.
    ///
    /// If there is none, the range contains all bytes.
    static func firstMalformed(in bytes: UnsafeRawBufferPointer) -> Range<Int> {
        let escape = bytes.indices.first {
            bytes[$0] == UInt8(ascii: "%")
                && ($0 + 2 >= bytes.count || bytes[$0 + 1].hexadecimalValue == nil
                    || bytes[$0 + 2].hexadecimalValue == nil)
        }
        var start = escape ?? bytes.count
        let head = UnsafeRawBufferPointer(rebasing: bytes[..<start])
        withDecoded(head) { decoded in
            let invalid = firstInvalid(in: decoded) ?? decoded.count
            start = offset(of: decoded.prefix(invalid).firstIndex(of: 0) ?? invalid, in: head)
        }
        guard start < bytes.count else { return 0..<bytes.count }
        let length = bytes[start] == UInt8(ascii: "%") ? 3 : 1
        return start..<min(start + length, bytes.count)
    }

    private static func validated(_ bytes: UnsafeRawBufferPointer) -> ByteString? {
        let string = ByteString(bytes: bytes)
        return string.text == nil ? nil : string
    }

    /// Whether the bytes are valid UTF-8.
    static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool { firstInvalid(in: bytes) == nil }

    /// Returns the offset of the first character that is not valid UTF-8, or nil if there is none.
    private static func firstInvalid(in bytes: UnsafeRawBufferPointer) -> Int? {
        var index = 0
        while index < bytes.count {
            let start = index
            let first = bytes[index]
            index += 1
            if first < 0x80 { continue }
            // The number of continuation bytes, and the valid range of the first continuation byte.
            // The ranges exclude overlong forms, surrogates and scalars above U+10FFFF.
            let (count, range): (Int, ClosedRange<UInt8>)
            switch first {
            case 0xC2...0xDF: (count, range) = (1, 0x80...0xBF)
            case 0xE0: (count, range) = (2, 0xA0...0xBF)
            case 0xED: (count, range) = (2, 0x80...0x9F)
            case 0xE1...0xEF: (count, range) = (2, 0x80...0xBF)
            case 0xF0: (count, range) = (3, 0x90...0xBF)
            case 0xF1...0xF3: (count, range) = (3, 0x80...0xBF)
            case 0xF4: (count, range) = (3, 0x80...0x8F)
            default: return start
            }
            guard index + count <= bytes.count, range.contains(bytes[index]) else { return start }
            for offset in 1..<max(count, 1) where bytes[index + offset] & 0xC0 != 0x80 {
                return start
            }
            index += count
        }
        return nil
    }
}

extension PercentEncoding {
    /// Calls the closure with the decoded bytes.
    ///
    /// The given bytes must be well-formed.
    static func withDecoded<Result>(
        _ bytes: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        guard bytes.contains(UInt8(ascii: "%")) else { return body(bytes) }
        return withUnsafeTemporaryAllocation(byteCount: bytes.count, alignment: 1) { buffer in
            guard let target = buffer.baseAddress, let count = decode(bytes, into: target) else {
                return body(bytes)
            }
            return body(UnsafeRawBufferPointer(start: target, count: count))
        }
    }
}
