// SPDX-License-Identifier: MIT

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A thread that does jobs, one after the other.
final class JobThread: SerialExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        /// Nil before the first job, and when the thread has ended.
        var thread: pthread_t?
        var isStopped = false
    }

    private let name: String
    private let stackSize: Int
    // Guarded by the lock.
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

    // The thread holds it: there is none any more.
    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(lock)
        changed.deallocate()
        lock.deallocate()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        locked {
            precondition(!state.isStopped || state.thread != nil, "an executor outlived its owner")
            state.jobs.append(job)
            if state.thread == nil { state.thread = start() }
            pthread_cond_signal(changed)
        }
    }

    /// Ends the thread when it has done all there is.
    func stop() {
        locked {
            state.isStopped = true
            pthread_cond_signal(changed)
        }
    }

    var isCurrent: Bool {
        locked { state.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
    }

    func checkIsolated() {
        precondition(isCurrent, "expected the thread '\(name)' of a ScriptExecutor")
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return body()
    }

    // MARK: The thread

    private func start() -> pthread_t {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
        let sizeError = pthread_attr_setstacksize(&attributes, stackSize)
        precondition(sizeError == 0, "\(stackSize) bytes is no size for the stack of a thread")
        #if canImport(Darwin)
            var thread: pthread_t?
            // The screen waits for what scripts decide.
            pthread_attr_set_qos_class_np(&attributes, QOS_CLASS_USER_INITIATED, 0)
        #else
            var thread = pthread_t()
        #endif
        let owned = Unmanaged.passRetained(self)
        let error = pthread_create(
            &thread,
            &attributes,
            { argument in
                #if canImport(Darwin)
                    let pointer: UnsafeMutableRawPointer = argument
                #else
                    guard let pointer = argument else { return nil }
                #endif
                Unmanaged<JobThread>.fromOpaque(pointer).takeRetainedValue().run()
                return nil
            },
            owned.toOpaque()
        )
        #if canImport(Darwin)
            guard error == 0, let thread else { preconditionFailure("no thread for scripts") }
        #else
            precondition(error == 0, "no thread for scripts")
        #endif
        return thread
    }

    private func run() {
        setName()
        let executor = asUnownedSerialExecutor()
        while case let jobs = takeJobs(), !jobs.isEmpty {
            for job in jobs { job.runSynchronously(on: executor) }
        }
    }

    private func setName() {
        let short = String(decoding: name.utf8.prefix(15), as: UTF8.self)
        #if canImport(Darwin)
            pthread_setname_np(short)
        #else
            // What sets it in C is not among the functions that Swift sees.
            guard let file = fopen("/proc/thread-self/comm", "w") else { return }
            fputs(short, file)
            fclose(file)
        #endif
    }

    /// All jobs, once there is one; none when the thread is to end.
    private func takeJobs() -> [UnownedJob] {
        locked {
            while state.jobs.isEmpty, !state.isStopped { pthread_cond_wait(changed, lock) }
            if state.jobs.isEmpty { state.thread = nil }
            defer { state.jobs = [] }
            return state.jobs
        }
    }
}
