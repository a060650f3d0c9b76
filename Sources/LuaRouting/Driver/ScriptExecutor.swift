// SPDX-License-Identifier: MIT

/// An executor that runs the jobs of an actor on its own thread, with a stack that is large enough
/// for scripts.
///
/// Scripts nest more deeply than the 512 KB stack of a thread in Swift's concurrency pool allows,
/// and a router must stay on one thread. An actor that owns a router and is not the main actor
/// stores an executor of this type.
///
/// ```swift
/// private let executor = ScriptExecutor()
/// nonisolated var unownedExecutor: UnownedSerialExecutor {
///     executor.asUnownedSerialExecutor()
/// }
/// ```
///
/// The thread starts with the first job. After the executor is released, the thread ends with its
/// last job.
public final class ScriptExecutor: SerialExecutor {
    /// The default size of the stack, in bytes.
    ///
    /// This size is sufficient even for scripts that reach all their limits.
    public static let stackSize = 16 * 1024 * 1024

    private let thread: JobThread

    /// Creates an executor.
    ///
    /// - Parameters:
    ///   - name: The name of the thread for debuggers. Only the first 15 bytes are used.
    ///   - stackSize: The size of the stack, in bytes.
    public init(name: String = "scripts", stackSize: Int = ScriptExecutor.stackSize) {
        thread = JobThread(name: name, stackSize: stackSize)
    }

    deinit {
        thread.stop()
    }

    /// Adds a job at the end of the queue.
    public func enqueue(_ job: UnownedJob) {
        thread.enqueue(job)
    }

    // The unowned reference is to the thread object, which lives as long as a job is running on it.
    // The last job of an actor may release the actor, and this object with it.

    /// Returns an unowned reference to the executor, which an actor provides to the Swift runtime.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        thread.asUnownedSerialExecutor()
    }

    /// Traps if the current code does not run on this executor.
    public func checkIsolated() {
        thread.checkIsolated()
    }

    /// Whether the current code runs on this executor.
    public var isCurrent: Bool { thread.isCurrent }
}
