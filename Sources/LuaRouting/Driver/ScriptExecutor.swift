// SPDX-License-Identifier: MIT

/// Runs the jobs of an actor on a thread of its own, with a stack that is large enough for scripts.
///
/// Scripts nest deeper than the 512 KB of a pool's thread allow, and a router stays on one
/// thread. An actor that owns a router and is not the main actor keeps an executor of this kind.
///
/// ```swift
/// private let executor = ScriptExecutor()
/// nonisolated var unownedExecutor: UnownedSerialExecutor {
///     executor.asUnownedSerialExecutor()
/// }
/// ```
///
/// The thread starts with the first job. After the executor is released, the thread ends with the
/// last job.
public final class ScriptExecutor: SerialExecutor {
    /// The size of the stack, in bytes, which is large enough for all limits of scripts.
    public static let stackSize = 16 * 1024 * 1024

    private let thread: JobThread

    /// Creates an executor.
    ///
    /// - Parameters:
    ///   - name: The name of the thread, for debuggers, at most 15 bytes.
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

    // The thread is the executor, and lives as long as a job runs on it: the last job of an actor
    // may drop the actor, and this with it.

    /// The executor in the form that an actor returns to the runtime, which does not retain it.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        thread.asUnownedSerialExecutor()
    }

    /// Traps if the code does not run on this executor.
    public func checkIsolated() {
        thread.checkIsolated()
    }

    /// Whether the code runs on this executor.
    public var isCurrent: Bool { thread.isCurrent }
}
