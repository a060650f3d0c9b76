// SPDX-License-Identifier: MIT

/// A box that stores a large value by reference, for values that few declarations have.
final class Boxed<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
