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
/// The thread starts with the first job. After the executor is released, it ends with the last one.
public final class ScriptExecutor: SerialExecutor {
    /// The size of the stack, in bytes, that is enough for every limit of scripts.
    public static let stackSize = 16 * 1024 * 1024

    private let thread: JobThread

    /// Creates an executor.
    ///
    /// - Parameters:
    ///   - name: The name of its thread, for debuggers, of at most 15 bytes.
    ///   - stackSize: The size of the stack, in bytes.
    public init(name: String = "scripts", stackSize: Int = ScriptExecutor.stackSize) {
        thread = JobThread(name: name, stackSize: stackSize)
    }

    deinit {
        thread.stop()
    }

    /// Adds a job behind those that there are.
    public func enqueue(_ job: UnownedJob) {
        thread.enqueue(job)
    }

    // The thread is the executor, and lives as long as a job runs on it: the last job of an actor
    // may drop the actor, and this with it.

    /// The executor as an actor gives it to the runtime, which does not keep it alive.
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
