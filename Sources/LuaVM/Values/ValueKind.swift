// SPDX-License-Identifier: MIT

/// The kinds of values that a host function can be given.
public enum ValueKind: String, Sendable {
    /// No argument at this position.
    case none = "no value"
    /// Nil.
    case `nil`
    /// True or false.
    case boolean
    /// A whole number of 64 bits.
    case integer
    /// A floating-point number.
    case number
    /// A string of any bytes.
    case string
    /// A table.
    case table
    /// A function of a script or of the host.
    case function
    /// An object of the host.
    case object
    /// A value that cannot be transferred.
    case other
}
