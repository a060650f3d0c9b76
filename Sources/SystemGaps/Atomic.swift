// SPDX-License-Identifier: MIT

internal import CAtomics

/// A number or a flag that threads share without a lock.
///
/// A signal handler may use an `Atomic` that was created before the handler was installed. All
/// operations are sequentially consistent.
package struct Atomic: ~Copyable, @unchecked Sendable {
    private let number: UnsafeMutablePointer<Int64>

    /// Creates a number.
    ///
    /// As a flag, zero means not set.
    package init(_ value: Int = 0) {
        number = .allocate(capacity: 1)
        number.initialize(to: Int64(value))
    }

    deinit { number.deallocate() }

    /// The number.
    package var value: Int { Int(truncatingIfNeeded: luaroute_atomic_load(number)) }

    /// Whether the number is not zero.
    package var isSet: Bool { luaroute_atomic_load(number) != 0 }

    /// Replaces the number, and returns the previous one.
    @discardableResult
    package func exchange(_ value: Int) -> Int {
        Int(truncatingIfNeeded: luaroute_atomic_exchange(number, Int64(value)))
    }

    /// Adds to the number, and returns the sum.
    @discardableResult
    package func add(_ value: Int) -> Int {
        Int(truncatingIfNeeded: luaroute_atomic_add(number, Int64(value)))
    }

    /// Sets or clears the flag, and returns whether it was set.
    @discardableResult
    package func set(_ isSet: Bool = true) -> Bool { exchange(isSet ? 1 : 0) != 0 }
}
