// SPDX-License-Identifier: MIT

/// The input of a command that cannot be read to its end.
public struct InputError: Error, Sendable {
    /// Why, in the words of the system.
    public let reason: String

    /// Creates an error.
    public init(_ reason: String) { self.reason = reason }
}
