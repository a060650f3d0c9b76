// SPDX-License-Identifier: MIT

internal import SystemGaps

/// A scalar value: one record of a flat tree.
enum FlatLeaf {
    case `nil`
    case boolean(Bool)
    case integer(Int64)
    case number(Double)
    /// A string to write.
    case text(String)
    /// A string that was read.
    ///
    /// The bytes are valid as long as the tree exists.
    case bytes(UnsafeRawBufferPointer)
    /// A value that is not a scalar, such as a table, with the name of its kind.
    case other(String)

    /// The name of the kind in messages.
    var kind: String {
        switch self {
        case .nil: "nil"
        case .boolean: "boolean"
        case .integer: "integer"
        case .number: "number"
        case .text, .bytes: "string"
        case .other(let kind): kind
        }
    }
}

/// An error about a value of the wrong kind.
struct FlatMismatch: Error {
    let expected: String
    let got: String

    init(_ expected: String, got leaf: FlatLeaf) { self.init(expected, got: leaf.kind) }

    init(_ expected: String, got: String) {
        self.expected = expected
        self.got = got
    }

    var message: String { "\(expected) expected, got \(got)" }
}

/// A type whose values are written as scalars, not as tables.
protocol FlatScalar: Codable {
    /// The name of the type in messages.
    static var kind: String { get }
    /// Returns the value of a record.
    static func read(_ leaf: FlatLeaf) throws(FlatMismatch) -> Self
    /// Returns the record for the value.
    func leaf() throws(FlatMismatch) -> FlatLeaf
}

extension Bool: FlatScalar {
    static var kind: String { "boolean" }

    static func read(_ leaf: FlatLeaf) throws(FlatMismatch) -> Bool {
        guard case .boolean(let value) = leaf else { throw FlatMismatch(kind, got: leaf) }
        return value
    }

    func leaf() -> FlatLeaf { .boolean(self) }
}

extension String: FlatScalar {
    static var kind: String { "string" }

    static func read(_ leaf: FlatLeaf) throws(FlatMismatch) -> String {
        guard case .bytes(let bytes) = leaf else { throw FlatMismatch(kind, got: leaf) }
        guard let text = String(valid: bytes) else {
            throw FlatMismatch("UTF-8 text", got: "a string that is not UTF-8")
        }
        return text
    }

    func leaf() -> FlatLeaf { .text(self) }
}

extension Double: FlatScalar {
    static var kind: String { "number" }

    static func read(_ leaf: FlatLeaf) throws(FlatMismatch) -> Double {
        switch leaf {
        case .number(let number): return number
        case .integer(let integer):
            let number = Double(integer)
            guard Int64(whole: number) == integer else {
                throw FlatMismatch(
                    "number",
                    got: "\(integer), which has no exact floating-point value"
                )
            }
            return number
        default: throw FlatMismatch(kind, got: leaf)
        }
    }

    func leaf() -> FlatLeaf { .number(self) }
}

extension Float: FlatScalar {
    static var kind: String { "number" }

    static func read(_ leaf: FlatLeaf) throws(FlatMismatch) -> Float {
        let double = try Double.read(leaf)
        let number = Float(double)
        // A floating-point value may be rounded, but an integer must be converted exactly, and a
        // finite number must stay finite.
        let isKept = if case .integer = leaf { Double(number) == double } else { true }
        guard isKept, number.isFinite == double.isFinite else {
            throw FlatMismatch("32-bit number", got: "\(double)")
        }
        return number
    }

    func leaf() -> FlatLeaf { .number(Double(self)) }
}

extension FlatScalar where Self: FixedWidthInteger {
    static var kind: String { "integer" }

    static func read(_ leaf: FlatLeaf) throws(FlatMismatch) -> Self {
        let integer: Int64
        switch leaf {
        case .integer(let value): integer = value
        case .number(let number):
            guard let whole = Int64(whole: number) else { throw FlatMismatch(kind, got: leaf) }
            integer = whole
        default: throw FlatMismatch(kind, got: leaf)
        }
        guard let value = Self(exactly: integer) else {
            throw FlatMismatch("integer from \(Self.min) to \(Self.max)", got: "\(integer)")
        }
        return value
    }

    func leaf() throws(FlatMismatch) -> FlatLeaf {
        guard let integer = Int64(exactly: self) else {
            throw FlatMismatch("64-bit integer", got: "\(self)")
        }
        return .integer(integer)
    }
}

extension Int: FlatScalar {}
extension Int8: FlatScalar {}
extension Int16: FlatScalar {}
extension Int32: FlatScalar {}
extension Int64: FlatScalar {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Int128: FlatScalar {}
extension UInt: FlatScalar {}
extension UInt8: FlatScalar {}
extension UInt16: FlatScalar {}
extension UInt32: FlatScalar {}
extension UInt64: FlatScalar {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension UInt128: FlatScalar {}

extension Int64 {
    /// Creates an integer from a number; nil if the number is not an integer or is out of range.
    fileprivate init?(whole number: Double) {
        // `Int64(exactly:)` calls `trunc`, which would require programs to link the math library.
        guard number >= -0x1p63, number < 0x1p63 else { return nil }
        let integer = Int64(number)
        guard Double(integer) == number else { return nil }
        self = integer
    }
}
