// SPDX-License-Identifier: MIT

/// A large value behind a reference, for the few declarations that have one.
final class Boxed<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
