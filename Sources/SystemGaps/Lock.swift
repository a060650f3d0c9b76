// SPDX-License-Identifier: MIT

#if canImport(Darwin)
package import Darwin

/// A value that only one thread at a time can access.
///
/// On Apple's systems, this type replaces Swift's `Mutex`, which requires iOS 18. On other systems,
/// `Lock` is an alias of `Mutex`.
package struct Lock<Value>: ~Copyable, @unchecked Sendable {
    @usableFromInline let lock: os_unfair_lock_t
    @usableFromInline let value: UnsafeMutablePointer<Value>

    @inlinable
    package init(_ initial: consuming sending Value) {
        lock = .allocate(capacity: 1)
        lock.initialize(to: os_unfair_lock())
        value = .allocate(capacity: 1)
        value.initialize(to: initial)
    }

    deinit {
        value.deinitialize(count: 1)
        value.deallocate()
        lock.deallocate()
    }

    /// Calls a function with the value while no other thread can access the value.
    @inlinable
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        os_unfair_lock_lock(lock)
        defer { os_unfair_lock_unlock(lock) }
        return try body(&value.pointee)
    }
}
#else
@_exported public import Synchronization

/// A value that only one thread at a time can access.
package typealias Lock<Value: ~Copyable> = Mutex<Value>
#endif
