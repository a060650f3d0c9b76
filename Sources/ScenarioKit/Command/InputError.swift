// SPDX-License-Identifier: MIT

/// The error for an input that cannot be read to the end.
package struct InputError: Error, Sendable {
    /// The reason why the input cannot be read.
    package let reason: String

    /// Creates an error.
    package init(_ reason: String) { self.reason = reason }
}
