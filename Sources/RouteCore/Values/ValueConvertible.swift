// SPDX-License-Identifier: MIT

/// A Swift type whose values convert to script values.
///
/// Numbers, strings, Booleans, screens, arrays and dictionaries conform, so that the functions of a
/// router accept them as `info`. An enumeration or another type with a raw value only needs to
/// declare its conformance:
///
/// ```swift
/// enum Size: String, ValueConvertible { case small, large }
/// ```
public protocol ValueConvertible {
    /// The value that is passed to scripts.
    var routeValue: Value { get }
}

extension ValueConvertible where Self: BinaryInteger {
    /// The integer, or the nearest float if the integer does not fit in 64 bits, as in Lua.
    public var routeValue: Value { Value(self) }
}

extension ValueConvertible where Self: BinaryFloatingPoint {
    /// The number.
    public var routeValue: Value { Value(self) }
}

extension ValueConvertible where Self: StringProtocol {
    /// The string.
    public var routeValue: Value { Value(String(self)) }
}

extension ValueConvertible where Self: RawRepresentable, RawValue: ValueConvertible {
    /// The raw value.
    public var routeValue: Value { rawValue.routeValue }
}

extension Int: ValueConvertible {}
extension Int8: ValueConvertible {}
extension Int16: ValueConvertible {}
extension Int32: ValueConvertible {}
extension Int64: ValueConvertible {}
extension UInt: ValueConvertible {}
extension UInt8: ValueConvertible {}
extension UInt16: ValueConvertible {}
extension UInt32: ValueConvertible {}
extension UInt64: ValueConvertible {}
extension Float: ValueConvertible {}
extension Double: ValueConvertible {}
extension String: ValueConvertible {}
extension Substring: ValueConvertible {}

extension Bool: ValueConvertible {
    /// The Boolean.
    public var routeValue: Value { .boolean(self) }
}

extension ByteString: ValueConvertible {
    /// The string.
    public var routeValue: Value { .string(self) }
}

extension ScreenID: ValueConvertible {
    /// The screen.
    public var routeValue: Value { .screen(self) }
}

extension HostObject: ValueConvertible {
    /// The host object.
    public var routeValue: Value { .object(self) }
}

extension InfoTable: ValueConvertible {
    /// The table.
    public var routeValue: Value { .table(self) }
}

extension Value: ValueConvertible {
    /// The value itself.
    public var routeValue: Value { self }
}

extension Array: ValueConvertible where Element: ValueConvertible {
    /// The list.
    public var routeValue: Value { Value(self) }
}

extension Dictionary: ValueConvertible where Key == String, Value: ValueConvertible {
    /// The table.
    public var routeValue: RouteCore.Value { RouteCore.Value(self) }
}
