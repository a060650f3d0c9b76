// SPDX-License-Identifier: MIT

/// A Swift type whose instances can be converted to script values and created from script values.
///
/// The types that `luaroute types --swift` generates conform, and so do numbers, strings, Booleans,
/// screens, and arrays and optionals of these types.
///
/// ```swift
/// let ids = try [Int](routeValue: value)
/// ```
public protocol ValueRepresentable: ValueConvertible {
    /// Creates an instance from a script value.
    ///
    /// - Throws: A ``ValueMismatch`` that names the part of the value that does not have the
    ///   expected type.
    init(routeValue value: Value) throws(ValueMismatch)
}

/// A type whose cases are the values that a script's declaration lists, such as `{ "S", "M" }`.
///
/// ```swift
/// enum Size: String, ValueEnumeration { case small, large }
/// let size = try Size(routeValue: "small")
/// print(size)  // small
/// ```
public protocol ValueEnumeration: ValueRepresentable, CaseIterable, Equatable {}

extension ValueEnumeration {
    /// Creates the case with the given value.
    ///
    /// - Throws: A ``ValueMismatch`` if no case has this value.
    public init(routeValue value: Value) throws(ValueMismatch) {
        guard let match = Self.allCases.first(where: { $0.routeValue.isEqual(to: value) }) else {
            let cases = Self.allCases.map { NotationPrinter().value($0.routeValue) }
            throw ValueMismatch(expected: cases.joined(separator: " or "), got: value)
        }
        self = match
    }
}

extension InfoTable: ValueRepresentable {
    /// Reads a table.
    public init(routeValue value: Value) throws(ValueMismatch) {
        guard case .table(let table) = value else {
            throw ValueMismatch(expected: "table", got: value)
        }
        self = table
    }

    /// Reads a field of the table.
    ///
    /// ```swift
    /// let street: String = try table.read("street")
    /// let zip: String? = try table.read("zip")
    /// ```
    ///
    /// - Throws: A ``ValueMismatch`` if the field, or a part of it, does not have the expected
    ///   type, or if the field is missing and its type is not optional.
    public func read<Field: ValueRepresentable>(
        _ name: String,
        as type: Field.Type = Field.self
    ) throws(ValueMismatch) -> Field {
        do throws(ValueMismatch) { return try Field(routeValue: self[name]) } catch {
            throw error.inside(Key.string(ByteString(name)).pathComponent)
        }
    }
}

extension Value: ValueRepresentable {
    /// Creates a copy of the given value.
    public init(routeValue value: Value) { self = value }
}

extension Int: ValueRepresentable {
    /// Reads an integer.
    ///
    /// A float without a fraction is also accepted.
    public init(routeValue value: Value) throws(ValueMismatch) {
        guard let int = value.int else { throw ValueMismatch(expected: "integer", got: value) }
        self = int
    }
}

extension Double: ValueRepresentable {
    /// Reads a number.
    ///
    /// An integer is also accepted.
    public init(routeValue value: Value) throws(ValueMismatch) {
        guard let double = value.double else { throw ValueMismatch(expected: "number", got: value) }
        self = double
    }
}

extension String: ValueRepresentable {
    /// Reads a string, which must be valid UTF-8.
    public init(routeValue value: Value) throws(ValueMismatch) {
        guard let text = value.text else { throw ValueMismatch(expected: "string", got: value) }
        self = text
    }
}

extension Bool: ValueRepresentable {
    /// Reads a Boolean.
    public init(routeValue value: Value) throws(ValueMismatch) {
        guard let boolean = value.boolean else {
            throw ValueMismatch(expected: "boolean", got: value)
        }
        self = boolean
    }
}

extension ScreenID: ValueRepresentable {
    /// Reads a screen.
    public init(routeValue value: Value) throws(ValueMismatch) {
        guard case .screen(let screen) = value else {
            throw ValueMismatch(expected: "screen", got: value)
        }
        self = screen
    }
}

extension Array: ValueRepresentable where Element: ValueRepresentable {
    /// Reads a list.
    ///
    /// - Complexity: O(*n*) in the number of elements.
    public init(routeValue value: Value) throws(ValueMismatch) {
        guard case .table(let table) = value, table.isList else {
            throw ValueMismatch(expected: "list", got: value)
        }
        self = []
        reserveCapacity(table.list.count)
        for (index, element) in table.list.enumerated() {
            do throws(ValueMismatch) { append(try Element(routeValue: element)) } catch {
                throw error.inside("[\(index + 1)]")
            }
        }
    }
}

extension HostObject: Equatable {
    /// Whether both references refer to the same object.
    public static func == (left: HostObject, right: HostObject) -> Bool { left === right }
}

extension Optional: ValueConvertible where Wrapped: ValueConvertible {
    /// The value for scripts; nil if the optional is nil.
    public var routeValue: Value { self?.routeValue ?? .nil }
}

extension Optional: ValueRepresentable where Wrapped: ValueRepresentable {
    /// Reads a value.
    ///
    /// A nil value is read as nil.
    public init(routeValue value: Value) throws(ValueMismatch) {
        self = value.isNil ? nil : try Wrapped(routeValue: value)
    }
}
