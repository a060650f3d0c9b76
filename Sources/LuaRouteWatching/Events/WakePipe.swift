// SPDX-License-Identifier: MIT

internal import SystemGaps

/// A pipe with which another thread or a signal handler can end a wait.
///
/// ``wake()`` sets a flag, which ends the wait. The pipe only interrupts the system call.
final class WakePipe: Sendable {
    private let reading: Int32
    private let writing: Int32
    private let flag = Atomic()

    /// The maximum duration of a wait if the pipe could not be created.
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

    /// Ends the current wait, or the next wait if there is none.
    func wake() {
        let code = errno
        flag.set()
        var byte: UInt8 = 1
        // A full pipe also ends the wait.
        _ = write(writing, &byte, 1)
        errno = code
    }

    /// Returns whether ``wake()`` has been called since the last call of this function.
    func takeWake() -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
            while read(reading, buffer.baseAddress, buffer.count) > 0 {}
        }
        return flag.set(false)
    }

    /// Waits until ``wake()`` is called, or until there are events.
    ///
    /// - Parameters:
    ///   - events: The descriptor that becomes readable when there are events; nil if there is
    ///     none.
    ///   - duration: The maximum time to wait; nil to wait without a limit.
    func wait(or events: Int32?, for duration: Duration?) {
        let duration = reading >= 0 ? duration : min(duration ?? Self.blindWait, Self.blindWait)
        // `poll` ignores descriptors below zero.
        var polled = [pollfd(fd: reading, events: Int16(POLLIN), revents: 0)]
        if let events { polled.append(pollfd(fd: events, events: Int16(POLLIN), revents: 0)) }
        // The time is rounded up, because a wait that is too short would be repeated in a busy
        // loop.
        let milliseconds = duration.map { duration in
            max(0, min((duration / .milliseconds(1)).rounded(.up), 86_400_000))
        }
        // A signal may end the wait early, so the caller checks the time.
        _ = poll(&polled, nfds_t(polled.count), milliseconds.map { Int32($0) } ?? -1)
    }

    deinit {
        for end in [reading, writing] where end >= 0 { close(end) }
    }
}
