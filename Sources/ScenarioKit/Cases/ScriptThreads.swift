// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import SystemGaps

/// A pool of threads whose stacks are large enough for scripts, with at most one thread per
/// processor.
enum ScriptThreads {
    private struct State {
        var free = SystemThread.processorCount
        /// The work that is queued for a thread, oldest first.
        var waiting: [@Sendable () -> Void] = []
    }

    private static let state = Lock(State())

    /// Runs work on one of the threads, and returns the result of the work.
    static func run<Success: Sendable>(_ work: @escaping @Sendable () -> Success) async -> Success {
        await withCheckedContinuation { continuation in
            let work: @Sendable () -> Void = { continuation.resume(returning: work()) }
            let hasThread = state.withLock { state in
                guard state.free > 0 else {
                    state.waiting.append(work)
                    return false
                }
                state.free -= 1
                return true
            }
            if hasThread { start(work) }
        }
    }

    private static func start(_ work: @escaping @Sendable () -> Void) {
        let thread = SystemThread(stackSize: ScriptExecutor.stackSize, end: .detached) {
            doAll(from: work)
        }
        // If the system cannot create a thread, the work runs on the calling thread.
        if thread == nil { doAll(from: work) }
    }

    private static func doAll(from work: @Sendable () -> Void) {
        work()
        while let next = takeNext() { next() }
    }

    private static func takeNext() -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.free += 1
            return nil
        }
    }
}

/// A flag that asks work on another thread to end early.
final class Interruption: Sendable {
    private let flag = Atomic()

    /// Whether the work should end.
    var hasOccurred: Bool { flag.isSet }

    func occur() { flag.set() }
}
