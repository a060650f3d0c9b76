// SPDX-License-Identifier: MIT

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A thread with the stack that scripts may need.
///
/// The pool of Swift's tasks has threads of 512 KiB, which deep recursion between a script and
/// its host is too much for.
struct WorkerThread {
    private static let stackSize = 16 << 20

    private let thread: pthread_t

    /// The number of processors.
    static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// Starts a thread, nil where the system has none to give.
    init?(_ body: @escaping @Sendable () -> Void) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, Self.stackSize)
        let box = Unmanaged.passRetained(Body(body))
        #if canImport(Glibc)
            var thread = pthread_t()
            let status = pthread_create(&thread, &attributes, { Body.run($0) }, box.toOpaque())
        #else
            var thread: pthread_t?
            let status = pthread_create(&thread, &attributes, { Body.run($0) }, box.toOpaque())
        #endif
        let started: pthread_t? = thread
        guard status == 0, let started else {
            box.release()
            return nil
        }
        self.thread = started
    }

    /// Waits for its end.
    func join() { pthread_join(thread, nil) }

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
