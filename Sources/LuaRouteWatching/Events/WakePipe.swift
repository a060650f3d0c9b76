// SPDX-License-Identifier: MIT

internal import Synchronization

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#endif

/// Ends a wait from elsewhere: another thread, or the handler of a signal.
///
/// A flag says whether to wake; the pipe only ends the system's wait.
final class WakePipe: Sendable {
    private let reading: Int32
    private let writing: Int32
    private let flag = Atomic(false)

    /// How long a wait lasts at the most where no descriptor was left for the pipe.
    private static let blindWait = Duration.milliseconds(50)

    init() {
        var ends: [Int32] = [-1, -1]
        if pipe(&ends) != 0 { ends = [-1, -1] }
        for end in ends where end >= 0 {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        reading = ends[0]
        writing = ends[1]
    }

    /// Ends the wait under way, or else the next one.
    func wake() {
        let code = errno
        flag.store(true, ordering: .sequentiallyConsistent)
        var byte: UInt8 = 1
        // A full pipe wakes as well.
        _ = write(writing, &byte, 1)
        errno = code
    }

    /// Returns whether somebody has asked to wake since the last call.
    func takeWake() -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
            while read(reading, buffer.baseAddress, buffer.count) > 0 {}
        }
        return flag.exchange(false, ordering: .sequentiallyConsistent)
    }

    /// Waits until it was woken, or until there are events.
    ///
    /// - Parameters:
    ///   - events: What becomes readable with events, if there is anything.
    ///   - duration: How long to wait at the most; nil for ever.
    func wait(or events: Int32?, for duration: Duration?) {
        let duration = reading >= 0 ? duration : min(duration ?? Self.blindWait, Self.blindWait)
        // What is below zero is passed over.
        var polled = [pollfd(fd: reading, events: Int16(POLLIN), revents: 0)]
        if let events { polled.append(pollfd(fd: events, events: Int16(POLLIN), revents: 0)) }
        // Rounded up: a wait that is too short would be made again and again.
        let milliseconds = duration.map { duration in
            max(0, min((duration / .milliseconds(1)).rounded(.up), 86_400_000))
        }
        // A signal ends it early, and the caller looks at the time.
        _ = poll(&polled, nfds_t(polled.count), milliseconds.map { Int32($0) } ?? -1)
    }

    deinit {
        for end in [reading, writing] where end >= 0 { close(end) }
    }
}
