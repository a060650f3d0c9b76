// SPDX-License-Identifier: MIT

/// Conversions from Swift values.
extension Value {
    /// Creates an integer, or the nearest float if the integer does not fit in 64 bits, as in Lua.
    ///
    /// ```swift
    /// let count: UInt8 = 7
    /// router.navigate(Target("Page", "show"), info: ["count": Value(count)])
    /// ```
    public init(_ integer: some BinaryInteger) {
        self = Int64(exactly: integer).map(Value.integer) ?? .number(Double(integer))
    }

    /// Creates a floating-point number.
    public init(_ number: some BinaryFloatingPoint) { self = .number(Double(number)) }

    /// Creates a string.
    public init(_ text: String) { self = .string(ByteString(text)) }

    /// Creates a string.
    public init(_ text: some StringProtocol) { self = .string(ByteString(String(text))) }

    /// Creates a Boolean.
    public init(_ boolean: Bool) { self = .boolean(boolean) }

    /// Creates a list.
    public init(_ list: [some ValueConvertible]) {
        self = .table(InfoTable(list: list.map(\.routeValue)))
    }

    /// Creates a table.
    public init(_ table: [String: some ValueConvertible]) {
        self = .table(InfoTable(table.mapValues { $0 as any ValueConvertible }))
    }
}

extension InfoTable {
    /// Creates a table from Swift values.
    ///
    /// Keys with a nil value are left out.
    ///
    /// ```swift
    /// let (id, name): (Int, String?) = (7, nil)
    /// let info = InfoTable(["id": id, "name": name, "tags": ["new"]])
    /// ```
    public init(_ values: [String: (any ValueConvertible)?]) {
        self.init()
        for (name, value) in values { self[name] = value?.routeValue ?? .nil }
    }

    /// Creates a table from the fields of a screen.
    public init(_ fields: Fields) {
        self.init()
        for name in fields.names { self[name] = fields[name] }
    }
}

/// Conversions to Swift values.
///
/// Each property is nil if the value is of another kind. For a type of your own, use
/// `Value.decode(_:named:)`.
///
/// ```swift
/// let total = value.int ?? 0
/// let names = value.list?.compactMap(\.text) ?? []
/// let city = value.table?["city"].text
/// ```
extension Value {
    /// The Boolean value.
    public var boolean: Bool? {
        if case .boolean(let boolean) = self { boolean } else { nil }
    }

    /// The integer value of an integer, or of a float without a fraction such as `3.0`; nil if the
    /// value does not fit in an `Int`.
    public var int: Int? { integer.flatMap { Int(exactly: $0) } }

    /// The floating-point value of a float or an integer.
    public var double: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        default: nil
        }
    }

    /// The elements, if the value is a table that contains only a list.
    public var list: [Value]? {
        if case .table(let table) = self, table.isList { table.list } else { nil }
    }

    /// The table.
    public var table: InfoTable? {
        if case .table(let table) = self { table } else { nil }
    }

    /// The screen.
    public var screen: ScreenID? {
        if case .screen(let id) = self { id } else { nil }
    }

    /// The 64-bit integer value of an integer, or of a float without a fraction.
    package var integer: Int64? {
        switch self {
        case .integer(let integer): integer
        // `Int64(exactly:)` is not used here; `isEqual(to:)` explains why.
        case .number(let number) where number >= -0x1p63 && number < 0x1p63:
            Double(Int64(number)) == number ? Int64(number) : nil
        default: nil
        }
    }
}
