// SPDX-License-Identifier: MIT

extension NotationParser {
    /// Reads a number by the rules of Lua: a decimal integer that is too large becomes a float, and
    /// a hexadecimal integer wraps around.
    ///
    /// The minus sign is part of the number, so that the smallest integer can be written.
    mutating func parseNumber() throws(NotationError) -> Value {
        let start = position
        let isNegative = take("-")
        if let integer = takeShortInteger() { return .integer(isNegative ? -integer : integer) }
        let digits = position
        skipNumeral()
        if let value = Numeral(bytes[digits..<position])?.value(isNegative: isNegative) {
            return value
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        throw .malformedNumber(text, at: start..<position)
    }

    /// Consumes and returns an integer in the usual case: decimal digits that are a complete
    /// numeral and fit in an integer.
    ///
    /// Otherwise returns nil and consumes nothing.
    private mutating func takeShortInteger() -> Int64? {
        var integer: Int64 = 0
        var index = position
        // A nineteenth digit could overflow.
        let limit = min(end, position + 18)
        while index < limit, bytes[index].isDigit {
            integer = integer * 10 + Int64(bytes[index] - UInt8(ascii: "0"))
            index += 1
        }
        guard index > position, index == end || !isNumeralByte(bytes[index]) else { return nil }
        position = index
        return integer
    }

    /// Consumes all characters that look like parts of one number, so that an error names the whole
    /// text, such as `2024-01-01`, `1.2.3` or `00FF00`.
    private mutating func skipNumeral() {
        var last: UInt8 = 0
        while let next = peek() {
            let isSign =
                next == UInt8(ascii: "+")
                && (last | 0x20 == UInt8(ascii: "e")
                    || last | 0x20 == UInt8(ascii: "p"))
            guard isNumeralByte(next) || isSign else { return }
            last = next
            position += 1
        }
    }

    private func isNumeralByte(_ byte: UInt8) -> Bool {
        byte.isWordOrHyphen || byte == UInt8(ascii: ".")
    }
}

/// The parts of a Lua numeral without its sign.
struct Numeral {
    private let text: ArraySlice<UInt8>
    private let isHexadecimal: Bool
    private let isInteger: Bool

    /// Creates a numeral, or returns nil if the text is not a numeral.
    init?(_ text: ArraySlice<UInt8>) {
        var rest = text[...]
        isHexadecimal =
            rest.first == UInt8(ascii: "0") && (rest.dropFirst().first ?? 0) | 0x20 == 0x78
        if isHexadecimal { rest = rest.dropFirst(2) }
        let isDigit: (UInt8) -> Bool =
            isHexadecimal ? { $0.hexadecimalValue != nil } : \.isDigit
        var count = Self.skip(&rest, while: isDigit)
        let hasPoint = rest.first == UInt8(ascii: ".")
        if hasPoint {
            rest = rest.dropFirst()
            count += Self.skip(&rest, while: isDigit)
        }
        guard count > 0 else { return nil }
        let mark = UInt8(ascii: isHexadecimal ? "p" : "e")
        let hasExponent = (rest.first ?? 0) | 0x20 == mark
        if hasExponent {
            rest = rest.dropFirst()
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") {
                rest = rest.dropFirst()
            }
            guard Self.skip(&rest, while: \.isDigit) > 0 else { return nil }
        }
        guard rest.isEmpty else { return nil }
        self.text = text
        isInteger = !hasPoint && !hasExponent
    }

    func value(isNegative: Bool) -> Value? {
        if isInteger, let integer = integer(isNegative: isNegative) { return .integer(integer) }
        guard let number = Double(String(decoding: text, as: UTF8.self)) else { return nil }
        return .number(isNegative ? -number : number)
    }

    /// Returns the integer value of a numeral without a decimal point or exponent; nil if the
    /// numeral is decimal and too large for an integer.
    private func integer(isNegative: Bool) -> Int64? {
        guard !isHexadecimal else {
            var bits: UInt64 = 0
            for digit in text.dropFirst(2) {
                bits = bits << 4 | UInt64(digit.hexadecimalValue ?? 0)
            }
            return Int64(bitPattern: isNegative ? 0 &- bits : bits)
        }
        // Digits are accumulated as a negative number, because the negative range has one more
        // value.
        var negated: Int64 = 0
        for digit in text {
            let (product, overflows) = negated.multipliedReportingOverflow(by: 10)
            let (sum, overflowsToo) = product.subtractingReportingOverflow(
                Int64(digit - UInt8(ascii: "0"))
            )
            guard !overflows, !overflowsToo else { return nil }
            negated = sum
        }
        if isNegative { return negated }
        return negated == .min ? nil : -negated
    }

    private static func skip(_ bytes: inout ArraySlice<UInt8>, while isDigit: (UInt8) -> Bool)
        -> Int
    {
        let start = bytes.startIndex
        bytes = bytes.drop(while: isDigit)
        return bytes.startIndex - start
    }
}
