// SPDX-License-Identifier: MIT

/// A box that stores a large value by reference, for values that few declarations and steps have.
package final class Boxed<Value: Sendable>: Sendable {
    package let value: Value

    @inlinable package init(_ value: Value) { self.value = value }
}
