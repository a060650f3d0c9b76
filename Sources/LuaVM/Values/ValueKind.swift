// SPDX-License-Identifier: MIT

/// The kinds of values that a host function can receive.
public enum ValueKind: String, Sendable {
    /// There is no argument at this position.
    case none = "no value"
    /// Nil.
    case `nil`
    /// True or false.
    case boolean
    /// A 64-bit integer.
    case integer
    /// A floating-point number.
    case number
    /// A string, which may contain any bytes.
    case string
    /// A table.
    case table
    /// A script function or a host function.
    case function
    /// A host object.
    case object
    /// A value that cannot be transferred.
    case other
}
