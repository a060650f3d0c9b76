// SPDX-License-Identifier: MIT

internal import LuaRouting

/// A type that runs numbered jobs on several threads, and returns their results in order.
///
/// With one thread or one job, no thread is started. Each job then runs when its result is
/// requested.
final class Workers<Result: Sendable> {
    private struct State {
        /// The number of the next job to start.
        var next = 0
        /// The results that have not been requested yet.
        var results: [Int: Result] = [:]

        mutating func begin(of count: Int) -> Int? {
            guard next < count else { return nil }
            defer { next += 1 }
            return next
        }
    }

    private let count: Int
    private let work: @Sendable (Int) -> Result
    private let monitor = Monitor(State())
    private var threads: [SystemThread] = []

    init(count: Int, threads: Int, _ work: @escaping @Sendable (Int) -> Result) {
        self.count = count
        self.work = work
        guard threads > 1, count > 1 else { return }
        for _ in 0..<min(threads, count) {
            let thread = SystemThread(
                stackSize: ScriptExecutor.stackSize,
                end: .joined
            ) { [monitor] in
                while let index = monitor.withLock({ $0.begin(of: count) }) {
                    let result = work(index)
                    monitor.withLock { $0.results[index] = result }
                }
            }
            guard let thread else { break }
            self.threads.append(thread)
        }
    }

    deinit {
        skip(to: count)
        for thread in threads { thread.join() }
    }

    /// Returns the result of a job.
    ///
    /// Call this method at most once per job.
    func result(of index: Int) -> Result {
        threads.isEmpty ? work(index) : monitor.wait { $0.results.removeValue(forKey: index) }
    }

    /// Skips all jobs below the given number that have not started.
    ///
    /// The results of these jobs must not be requested afterwards.
    func skip(to index: Int) {
        monitor.withLock { $0.next = max($0.next, index) }
    }
}
