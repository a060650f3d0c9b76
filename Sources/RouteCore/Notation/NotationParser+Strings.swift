// SPDX-License-Identifier: MIT

extension NotationParser {
    /// Reads a short Lua string, with all escapes of Lua except a backslash before a line break.
    mutating func parseString() throws(NotationError) -> ByteString {
        let start = position
        let quote = bytes[position]
        position += 1
        var content: [UInt8] = []
        while let next = peek(), next != UInt8(ascii: "\n"), next != UInt8(ascii: "\r") {
            if next == quote {
                position += 1
                return ByteString(bytes: content)
            } else if next == UInt8(ascii: "\\") {
                try parseEscape(into: &content)
            } else {
                content.append(next)
                position += 1
            }
        }
        throw NotationError(
            "unfinished string",
            at: start..<position,
            help: "add a closing \(Unicode.Scalar(quote))"
        )
    }

    private mutating func parseEscape(into content: inout [UInt8]) throws(NotationError) {
        let start = position
        position += 1
        guard let escape = peek() else { return }
        switch escape {
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
            return
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            content.append(try parseDecimalEscape(from: start))
        case UInt8(ascii: "x"):
            position += 1
            let high = try parseHexadecimalDigit(from: start)
            content.append(high << 4 | (try parseHexadecimalDigit(from: start)))
        case UInt8(ascii: "u"):
            position += 1
            Self.append(try parseCodePoint(from: start), to: &content)
        case UInt8(ascii: "z"):
            position += 1
            while let next = peek(), next == 0x20 || next == 0x09 || next == 0x0B || next == 0x0C {
                position += 1
            }
        default:
            guard let byte = Self.byte(ofEscape: escape) else {
                let found = found()
                throw .badEscape("\(found.text) after '\\'", at: start..<found.range.upperBound)
            }
            content.append(byte)
            position += 1
        }
    }

    private static func byte(ofEscape letter: UInt8) -> UInt8? {
        switch Unicode.Scalar(letter) {
        case "a": 0x07
        case "b": 0x08
        case "f": 0x0C
        case "n": 0x0A
        case "r": 0x0D
        case "t": 0x09
        case "v": 0x0B
        case "\\", "\"", "'": letter
        default: nil
        }
    }

    private mutating func parseDecimalEscape(from start: Int) throws(NotationError) -> UInt8 {
        var value = 0
        var count = 0
        while count < 3, let digit = peek(), digit.isDigit {
            value = value * 10 + Int(digit - UInt8(ascii: "0"))
            count += 1
            position += 1
        }
        guard let byte = UInt8(exactly: value) else {
            throw .badEscape("a number of at most 255 expected, got \(value)", at: start..<position)
        }
        return byte
    }

    private mutating func parseHexadecimalDigit(from start: Int) throws(NotationError) -> UInt8 {
        guard let digit = peek(), let value = digit.hexadecimalValue else {
            let found = found()
            throw .badEscape(
                "a hexadecimal digit expected, got \(found.text)",
                at: start..<found.range.upperBound
            )
        }
        position += 1
        return value
    }

    /// Reads `{…}`, a code point of up to 31 bits in hexadecimal digits.
    private mutating func parseCodePoint(from start: Int) throws(NotationError) -> UInt32 {
        guard take("{") else {
            let found = found()
            throw .badEscape("'{' expected, got \(found.text)", at: start..<found.range.upperBound)
        }
        var code = UInt32(try parseHexadecimalDigit(from: start))
        while !take("}") {
            let digit = try parseHexadecimalDigit(from: start)
            guard code < 1 << 27 else {
                throw .badEscape("a code of at most 7FFFFFFF expected", at: start..<position)
            }
            code = code << 4 | UInt32(digit)
        }
        return code
    }

    /// Appends a code point of up to 31 bits in the original form of UTF-8, which has up to six
    /// bytes.
    private static func append(_ code: UInt32, to content: inout [UInt8]) {
        guard code >= 0x80 else {
            content.append(UInt8(code))
            return
        }
        var rest = code
        var tail: [UInt8] = []
        // The maximum value of the payload bits in the first byte.
        var room: UInt32 = 0x3F
        repeat {
            tail.append(UInt8(0x80 | rest & 0x3F))
            rest >>= 6
            room >>= 1
        } while rest > room
        content.append(UInt8(truncatingIfNeeded: ~room << 1 | rest))
        content.append(contentsOf: tail.reversed())
    }
}
