// SPDX-License-Identifier: MIT

internal import SystemGaps

/// A thread of the operating system, with a stack of the given size.
package struct SystemThread {
    /// The strategy for releasing the resources of a thread that has ended.
    package enum End {
        /// The system releases all resources.
        case detached
        /// A caller must wait for the end of the thread, exactly once, with
        /// ``SystemThread/join()``.
        case joined
    }

    /// The number of processors.
    package static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// The processor time that the current thread has used.
    package static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    private let thread: pthread_t

    /// Starts a thread; nil if the system cannot create one.
    ///
    /// - Parameters:
    ///   - stackSize: The size of the stack in bytes; nil for the system's default. Traps if the
    ///     size is invalid.
    ///   - end: The strategy for releasing the resources of the thread.
    ///   - body: The function that the thread runs.
    package init?(stackSize: Int?, end: End, _ body: @escaping @Sendable () -> Void) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        if case .detached = end {
            pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
        }
        if let stackSize {
            let error = pthread_attr_setstacksize(&attributes, stackSize)
            precondition(error == 0, "\(stackSize) bytes is not a valid stack size for a thread")
        }
        let box = Unmanaged.passRetained(Body(body))
        #if canImport(Darwin)
        // The user interface waits for the decisions of scripts.
        pthread_attr_set_qos_class_np(&attributes, QOS_CLASS_USER_INITIATED, 0)
        var thread: pthread_t?
        let error = pthread_create(&thread, &attributes, { Body.run($0) }, box.toOpaque())
        #else
        var thread = pthread_t()
        let error = pthread_create(&thread, &attributes, { Body.run($0) }, box.toOpaque())
        #endif
        let started: pthread_t? = thread
        guard error == 0, let started else {
            box.release()
            return nil
        }
        self.thread = started
    }

    /// Waits until the thread has ended.
    package func join() { pthread_join(thread, nil) }

    /// Whether this is the calling thread.
    var isCurrent: Bool { pthread_equal(thread, pthread_self()) != 0 }

    /// Names the calling thread for debuggers.
    ///
    /// The first 15 bytes of the name are used.
    static func setName(_ name: String) {
        let short = String(decoding: name.utf8.prefix(15), as: UTF8.self)
        #if canImport(Darwin)
        pthread_setname_np(short)
        #else
        // The C function that sets the name is not visible to Swift.
        guard let file = fopen("/proc/thread-self/comm", "w") else { return }
        fputs(short, file)
        fclose(file)
        #endif
    }

    private final class Body {
        private let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }

        static func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
            guard let argument else { return nil }
            Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().body()
            return nil
        }
    }
}
