// SPDX-License-Identifier: MIT

import SystemGaps

/// A thread that runs jobs one after the other.
final class JobThread: SerialExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        /// The thread; nil before the first job, and after the thread has ended.
        var thread: SystemThread?
        var isStopped = false
    }

    private let name: String
    private let stackSize: Int
    // The lock protects these properties.
    nonisolated(unsafe) private var state = State()
    nonisolated(unsafe) private let lock: UnsafeMutablePointer<pthread_mutex_t>
    nonisolated(unsafe) private let changed: UnsafeMutablePointer<pthread_cond_t>

    init(name: String, stackSize: Int) {
        self.name = name
        self.stackSize = stackSize
        lock = .allocate(capacity: 1)
        changed = .allocate(capacity: 1)
        pthread_mutex_init(lock, nil)
        pthread_cond_init(changed, nil)
    }

    // The thread retains the executor, so the thread has already ended.
    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(lock)
        changed.deallocate()
        lock.deallocate()
    }

    func enqueue(_ job: UnownedJob) {
        locked {
            precondition(
                !state.isStopped || state.thread != nil,
                "a job was given to an executor whose ScriptExecutor no longer exists"
            )
            state.jobs.append(job)
            if state.thread == nil { state.thread = start() }
            pthread_cond_signal(changed)
        }
    }

    /// Ends the thread after its last job.
    func stop() {
        locked {
            state.isStopped = true
            pthread_cond_signal(changed)
        }
    }

    // The implementation that the protocol provides requires iOS 17.
    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    var isCurrent: Bool {
        locked { state.thread?.isCurrent ?? false }
    }

    func checkIsolated() {
        precondition(isCurrent, "this code must run on the thread '\(name)' of a ScriptExecutor")
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return body()
    }

    // MARK: The thread

    private func start() -> SystemThread {
        let thread = SystemThread(stackSize: stackSize, end: .detached) { self.run() }
        // A job cannot be refused, because a caller awaits the job, and the job cannot run
        // elsewhere.
        guard let thread else { preconditionFailure("cannot create a thread for scripts") }
        return thread
    }

    private func run() {
        SystemThread.setName(name)
        let executor = asUnownedSerialExecutor()
        while case let jobs = takeJobs(), !jobs.isEmpty {
            for job in jobs { job.runSynchronously(on: executor) }
        }
    }

    /// Waits until there are jobs, and returns all jobs; the result is empty if the thread must
    /// end.
    private func takeJobs() -> [UnownedJob] {
        locked {
            while state.jobs.isEmpty, !state.isStopped { pthread_cond_wait(changed, lock) }
            if state.jobs.isEmpty { state.thread = nil }
            defer { state.jobs = [] }
            return state.jobs
        }
    }
}
