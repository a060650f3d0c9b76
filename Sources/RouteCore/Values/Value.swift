// SPDX-License-Identifier: MIT

/// A value that scripts, hosts and scenarios exchange.
///
/// The first six cases are *plain*: their values can be stored in fields of screens, in
/// `router.state` and in snapshots, and can be written in tree notation. The last three cases are
/// references, which are allowed only in the `info` of a navigation or a task.
///
/// ```swift
/// let value: Value = ["name": "Ann", "ages": [7, 9]]
/// print(value.table?["name"].text ?? "", value)  // Ann {ages={7, 9}, name="Ann"}
/// ```
public enum Value: Sendable {
    /// The absence of a value.
    case `nil`
    /// A Boolean.
    case boolean(Bool)
    /// A 64-bit integer.
    case integer(Int64)
    /// A floating-point number, which may have an integer value.
    case number(Double)
    /// A string, which may contain any bytes.
    case string(ByteString)
    /// A table, which may be a list, have keys, or both.
    case table(InfoTable)
    /// A screen, which may have been removed.
    case screen(ScreenID)
    /// A script function or a host function.
    case function(any FunctionReference)
    /// A host value that is opaque to scripts.
    case object(HostObject)
}

/// A function that is passed between Lua and Swift by reference and keeps its identity.
///
/// ```swift
/// host.onTask = { task in
///     if case .function(let function) = task.info["onEnd"] { functions.append(function) }
///     return false
/// }
/// try router.call("play")
/// try router.call("play")
/// print(functions[0].isSame(as: functions[1]))  // true
/// ```
public protocol FunctionReference: AnyObject, Sendable {
    /// Whether two references refer to the same function.
    func isSame(as other: any FunctionReference) -> Bool
}

/// A host value that is passed by reference and compared by identity.
///
/// ```swift
/// let session = HostObject("secret token")
/// host.dependencies["session"] = .object(session)
/// if case .object(let object)? = host.dependency("session") { print(object.base) }
/// // secret token
/// ```
public final class HostObject: Sendable {
    /// The host value.
    public let base: any Sendable

    /// Creates a reference to a host value.
    public init(_ base: any Sendable) {
        self.base = base
    }
}

extension Value {
    /// The name of the value's kind, for messages, such as `"integer"`, `"table"` or `"screen"`.
    public var kindName: String {
        switch self {
        case .nil: "nil"
        case .boolean: "boolean"
        case .integer: "integer"
        case .number: "number"
        case .string: "string"
        case .table: "table"
        case .screen: "screen"
        case .function: "function"
        case .object: "host object"
        }
    }

    /// Whether the value is nil.
    public var isNil: Bool {
        if case .nil = self { true } else { false }
    }

    /// The text of a string that is valid UTF-8; nil for any other value.
    public var text: String? {
        if case .string(let string) = self { string.text } else { nil }
    }

    /// The path to the first nested value that is not plain; nil if all values are plain.
    ///
    /// The path is `""` for the value itself. For a nested value it is, for example,
    /// `".items[3].action"`.
    ///
    /// - Complexity: O(*n*) in the number of nested values.
    public var pathToReference: String? {
        switch self {
        case .nil, .boolean, .integer, .number, .string: return nil
        case .screen, .function, .object: return ""
        case .table(let table):
            for (index, value) in table.list.enumerated() {
                if let path = value.pathToReference { return "[\(index + 1)]\(path)" }
            }
            for (key, value) in table.entries {
                if let path = value.pathToReference { return "\(key.pathComponent)\(path)" }
            }
            return nil
        }
    }

    /// Whether two values are equal by the rules of scripts.
    ///
    /// An integer equals a float with the same value, NaN does not equal any value, and tables are
    /// compared deeply. The operator `==` is stricter, because it compares representations.
    public func isEqual(to other: Value) -> Bool {
        switch (self, other) {
        case (.integer(let left), .number(let right)):
            Self.isEqual(left, right)
        case (.number(let left), .integer(let right)):
            Self.isEqual(right, left)
        case (.number(let left), .number(let right)):
            left == right
        case (.table(let left), .table(let right)):
            left.isEqual(to: right)
        default:
            self == other
        }
    }

    // `Int64(exactly:)` is not used, because it calls `trunc`. A program that does not import the C
    // library would have to link the math library itself.
    private static func isEqual(_ integer: Int64, _ number: Double) -> Bool {
        // The first condition is not sufficient, because large neighbouring integers convert to the
        // same float.
        Double(integer) == number && number < 0x1p63 && Int64(number) == integer
    }
}

extension Value: Equatable {
    /// Whether two values have the same representation: `1` does not equal `1.0`, but NaN equals
    /// NaN.
    public static func == (left: Value, right: Value) -> Bool {
        switch (left, right) {
        case (.nil, .nil): true
        case (.boolean(let left), .boolean(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.number(let left), .number(let right)): left.bitPattern == right.bitPattern
        case (.string(let left), .string(let right)): left == right
        case (.table(let left), .table(let right)): left == right
        case (.screen(let left), .screen(let right)): left == right
        case (.function(let left), .function(let right)): left.isSame(as: right)
        case (.object(let left), .object(let right)): left === right
        default: false
        }
    }
}

extension Value: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// Creates the value nil.
    public init(nilLiteral: ()) { self = .nil }
    /// Creates a Boolean.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    /// Creates an integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// Creates a number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(ByteString(value)) }
    /// Creates a list.
    public init(arrayLiteral elements: Value...) { self = .table(InfoTable(list: elements)) }
    /// Creates a table from a literal.
    ///
    /// If a key occurs twice, the last value wins.
    public init(dictionaryLiteral elements: (InfoTable.Key, Value)...) {
        var table = InfoTable()
        for (key, value) in elements { table[key] = value }
        self = .table(table)
    }
}
