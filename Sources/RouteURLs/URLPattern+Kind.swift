// SPDX-License-Identifier: MIT

public import RouteCore

extension URLPattern {
    /// The kind of a parameter.
    ///
    /// A kind determines the texts that the parameter accepts and the type of its value.
    public enum Kind: Sendable, Hashable {
        /// Any text, read as a string.
        case text
        /// `-?[0-9]+` in the range of a 64-bit integer, read as an integer.
        case int
        /// `[0-9]+` up to the largest 64-bit integer, read as an integer.
        case uint
        /// A decimal number with an optional fraction and exponent, read as a float.
        case number
        /// `true`, `false`, `1` or `0`, read as a Boolean.
        case bool
        /// 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12, read as a string.
        case uuid
        /// Words of lower-case letters and digits, separated by single hyphens, read as a string.
        case slug
        /// `YYYY-MM-DD`, a date that exists in the calendar, read as a string.
        case date
        /// One of the given texts, read as a string.
        case enumeration([ByteString])
        /// A kind that a script declares.
        ///
        /// The function of the kind returns the value.
        case custom(String)
    }
}

extension URLPattern.Kind {
    /// The built-in kinds, each with its description and a text that it accepts.
    package static let forms: [(name: String, kind: URLPattern.Kind, help: String, text: String)] =
        [
            ("bool", .bool, "`true`, `false`, `1` or `0`: a boolean", "1"),
            (
                "date", .date, "`YYYY-MM-DD`, a date that exists in the calendar: a string",
                "2026-02-28"
            ),
            ("int", .int, "a 64-bit integer in decimal digits", "-7"),
            (
                "number", .number,
                "a decimal number, optionally with a point and an exponent: a float",
                "2.5"
            ),
            (
                "slug", .slug, "words of lower-case letters and digits, separated by hyphens",
                "my-show-7"
            ),
            ("uint", .uint, "an integer without a sign", "7"),
            (
                "uuid", .uuid, "32 hexadecimal digits in groups of 8, 4, 4, 4 and 12: a string",
                "123e4567-e89b-12d3-a456-426614174000"
            ),
        ]

    /// The names of the built-in kinds.
    public static let names = forms.map(\.name)

    /// The word that makes a parameter a list, written by itself or after a kind.
    static let list = "list"

    /// Whether the name is reserved.
    ///
    /// Scripts cannot declare a kind with a reserved name.
    package static func isReserved(_ name: String) -> Bool {
        names.contains(name) || name == list || name.hasSuffix(" \(list)")
    }

    /// Creates the built-in kind with the given name, or returns nil if there is none.
    init?(name: String) {
        guard let form = Self.forms.first(where: { $0.name == name }) else { return nil }
        self = form.kind
    }

    /// The compact code of a kind in the table.
    ///
    /// The raw values define the order in which parameters at the same position are tried. Kinds
    /// that accept fewer texts come first, then declared kinds, then plain text, which accepts
    /// everything.
    enum Code: UInt8, CaseIterable {
        case enumeration, bool, date, uuid, uint, int, number, slug, custom, text
    }

    var code: Code {
        switch self {
        case .text: .text
        case .int: .int
        case .uint: .uint
        case .number: .number
        case .bool: .bool
        case .uuid: .uuid
        case .slug: .slug
        case .date: .date
        case .enumeration: .enumeration
        case .custom: .custom
        }
    }

    /// The kind in normal form, with the alternatives of an enumeration sorted.
    var normalized: URLPattern.Kind {
        if case .enumeration(let alternatives) = self { return .enumeration(alternatives.sorted()) }
        return self
    }

    /// Whether a parameter of this kind is tried before a parameter of another kind at the same
    /// position.
    ///
    /// Enumerations are ordered by the number of alternatives, then by the bytes of the
    /// alternatives. Declared kinds are ordered by name.
    func isTried(before other: URLPattern.Kind) -> Bool {
        switch (normalized, other.normalized) {
        case (.enumeration(let left), .enumeration(let right)):
            left.count != right.count
                ? left.count < right.count : left.lexicographicallyPrecedes(right)
        case (.custom(let left), .custom(let right)): ByteString(left) < ByteString(right)
        default: code.rawValue < other.code.rawValue
        }
    }

    /// Whether a decoded text is of this kind.
    ///
    /// Returns `true` for a declared kind, whose function decides later.
    func accepts(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if case .enumeration(let alternatives) = self {
            return alternatives.contains { $0.withBytes { $0.elementsEqual(bytes) } }
        }
        return code.accepts(bytes)
    }

    /// Whether a decoded text is of this kind.
    ///
    /// Returns `true` for a declared kind, whose function decides later.
    package func accepts(_ text: ByteString) -> Bool { text.withBytes { accepts($0) } }

    /// Converts a decoded text of this kind to its value.
    package func value(of text: ByteString) -> Value {
        switch self {
        case .int, .uint:
            text.withBytes { Code.integer($0) }.map(Value.integer) ?? .string(text)
        case .number:
            text.text.flatMap(Double.init).map(Value.number) ?? .string(text)
        case .bool: .boolean(text == "true" || text == "1")
        default: .string(text)
        }
    }
}

extension URLPattern.Kind: CustomStringConvertible {
    /// The kind in the syntax of patterns.
    public var description: String {
        switch self {
        case .text: "text"
        case .enumeration(let alternatives):
            alternatives.map { PercentEncoding.encode($0, .alternative) }.joined(separator: "|")
        case .custom(let name): name
        case .int: "int"
        case .uint: "uint"
        case .number: "number"
        case .bool: "bool"
        case .uuid: "uuid"
        case .slug: "slug"
        case .date: "date"
        }
    }
}

extension URLPattern.Kind.Code {
    /// Whether a decoded text can be of this kind.
    ///
    /// Returns `true` for enumerations and declared kinds, because the code does not contain enough
    /// information.
    func accepts(_ bytes: UnsafeRawBufferPointer) -> Bool {
        switch self {
        case .enumeration, .custom, .text: true
        case .int: Self.integer(bytes) != nil
        case .uint: bytes.first != UInt8(ascii: "-") && Self.integer(bytes) != nil
        case .number: Self.isNumber(bytes)
        case .bool: Self.booleans.contains { $0.elementsEqual(bytes) }
        case .uuid: Self.isUUID(bytes)
        case .slug: Self.isSlug(bytes)
        case .date: Self.isDate(bytes)
        }
    }

    /// The texts that the kind `bool` accepts.
    static let booleans = ["true", "false", "1", "0"].map { Array($0.utf8) }

    /// Returns the value of a decimal integer, or nil if the text is not an integer or the integer
    /// is too large.
    static func integer(_ bytes: UnsafeRawBufferPointer) -> Int64? {
        let isNegative = bytes.first == UInt8(ascii: "-")
        guard bytes.count > (isNegative ? 1 : 0) else { return nil }
        // The negative range contains one more value than the positive range.
        var negated: Int64 = 0
        for index in (isNegative ? 1 : 0)..<bytes.count {
            guard bytes[index].isDigit else { return nil }
            let (product, overflows) = negated.multipliedReportingOverflow(by: 10)
            let (sum, overflowsToo) = product.subtractingReportingOverflow(
                Int64(bytes[index] &- UInt8(ascii: "0"))
            )
            guard !overflows, !overflowsToo else { return nil }
            negated = sum
        }
        if isNegative { return negated }
        return negated == .min ? nil : -negated
    }

    private static func isNumber(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = bytes.first == UInt8(ascii: "-") ? 1 : 0
        func digits() -> Int {
            let start = index
            while index < bytes.count, bytes[index].isDigit { index += 1 }
            return index - start
        }
        let whole = digits()
        guard whole > 0 else { return false }
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            index += 1
            guard digits() > 0 else { return false }
        }
        guard index < bytes.count || whole > 300 else { return true }
        if index < bytes.count {
            guard bytes[index] | 0x20 == UInt8(ascii: "e") else { return false }
            index += 1
            if index < bytes.count,
                bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-")
            {
                index += 1
            }
            guard digits() > 0, index == bytes.count else { return false }
        }
        // Only the conversion shows whether the number is too large.
        return Double(String(decoding: bytes, as: UTF8.self))?.isFinite ?? false
    }

    private static func isUUID(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count == 36 else { return false }
        for index in 0..<36 {
            switch index {
            case 8, 13, 18, 23: guard bytes[index] == UInt8(ascii: "-") else { return false }
            default:
                guard bytes[index].hexadecimalValue != nil else { return false }
            }
        }
        return true
    }

    private static func isSlug(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var wasHyphen = true
        for byte in bytes {
            let isHyphen = byte == UInt8(ascii: "-")
            guard isHyphen ? !wasHyphen : byte.isDigit || byte.isLetter && !byte.isCapital else {
                return false
            }
            wasHyphen = isHyphen
        }
        return !wasHyphen
    }

    private static func isDate(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else {
            return false
        }
        func number(_ range: Range<Int>) -> Int? {
            var number = 0
            for index in range {
                guard bytes[index].isDigit else { return nil }
                number = number * 10 + Int(bytes[index] &- UInt8(ascii: "0"))
            }
            return number
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            month >= 1, month <= 12, day >= 1
        else { return false }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days: Int =
            switch month {
            case 2: isLeap ? 29 : 28
            case 4, 6, 9, 11: 30
            default: 31
            }
        return day <= days
    }
}
