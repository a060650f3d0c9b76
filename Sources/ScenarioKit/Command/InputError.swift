// SPDX-License-Identifier: MIT

/// The error of an input that cannot be read to its end.
public struct InputError: Error, Sendable {
    /// The system's reason.
    public let reason: String

    /// Creates an error.
    public init(_ reason: String) { self.reason = reason }
}
