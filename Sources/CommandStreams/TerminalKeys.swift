// SPDX-License-Identifier: MIT

#if CommandLine
import LuaRouting
import SystemGaps

/// Reads single keys from the terminal without showing them, while the process is in the
/// foreground.
///
/// The mode of the terminal is restored by ``end()``, and by handlers of the signals that end or
/// stop the process. A process in the background does not change the terminal.
package enum TerminalKeys {
    /// The maximum number of buffered bytes; further bytes are dropped.
    private static let limit = 4096
    private static let fatal = [SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE]

    private static let typed = Lock<[UInt8]>([])
    private static let isReading = Atomic()
    // The thread that waits writes these variables. Handlers read the modes only while 'isSet' is
    // true.
    nonisolated(unsafe) private static var before = termios()
    nonisolated(unsafe) private static var mode = termios()
    nonisolated(unsafe) private static var isKnown = false
    nonisolated(unsafe) private static var wake: (@Sendable () -> Void)?
    /// The actions of the fatal signals before ``begin(waking:)``, by their numbers.
    nonisolated(unsafe) private static let actions =
        UnsafeMutablePointer<sigaction>.allocate(capacity: 64)
    private static let isSet = Atomic()

    /// Installs the handlers that restore the previous mode of the terminal.
    ///
    /// - Parameter wake: Called by the thread that reads, after a key, and by a signal handler when
    ///   the stopped process continues.
    package static func begin(waking wake: @escaping @Sendable () -> Void) {
        Self.wake = wake
        // Create the lazy globals here, because a handler must not create them.
        _ = (isSet.value, isReading.value)
        // With SIGTTIN ignored, reading in the background fails and does not stop the process.
        signal(SIGTTIN, SIG_IGN)
        for number in fatal {
            sigaction(number, nil, actions + Int(number))
            var action = sigaction()
            signal(number) { TerminalKeys.endProcess($0) }
            sigaction(number, nil, &action)
            // After a stack overflow, a handler needs a different stack.
            action.sa_flags |= numericCast(SA_ONSTACK)
            sigaction(number, &action, nil)
        }
        signal(SIGTSTP) { TerminalKeys.stop($0) }
        signal(SIGCONT) { _ in TerminalKeys.goOn() }
    }

    /// Sets the mode of the terminal and starts reading keys, if the process is in the foreground.
    ///
    /// Call this function before each wait: a shell may have moved the process to the foreground
    /// since the last call.
    ///
    /// - Returns: Whether the terminal reports keys.
    package static func resume() -> Bool {
        guard isInForeground, isKnown || readMode() else { return false }
        // A handler may restore the previous mode at any point.
        while !isSet.isSet {
            isSet.set()
            tcsetattr(STDIN_FILENO, TCSANOW, &mode)
        }
        if !isReading.set(), SystemThread(stackSize: nil, end: .detached, readKeys) == nil {
            isReading.set(false)
        }
        return isReading.isSet
    }

    /// Returns the bytes that were typed since the last call.
    package static func take() -> [UInt8] {
        typed.withLock { bytes in
            defer { bytes = [] }
            return bytes
        }
    }

    /// Restores the previous mode of the terminal.
    ///
    /// A signal handler may call this function.
    package static func end() {
        guard isSet.set(false), isInForeground else { return }
        tcsetattr(STDIN_FILENO, TCSANOW, &before)
    }

    /// Reads the mode to restore.
    ///
    /// A shell may have changed the mode while the process was in the background.
    private static func readMode() -> Bool {
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { return false }
        mode = before
        mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
        withUnsafeMutableBytes(of: &mode.c_cc) { characters in
            characters[Int(VMIN)] = 1
            characters[Int(VTIME)] = 0
        }
        isKnown = true
        return true
    }

    private static var isInForeground: Bool { tcgetpgrp(STDIN_FILENO) == getpgrp() }

    @Sendable private static func readKeys() {
        while true {
            var piece = Array(repeating: UInt8(0), count: 256)
            let count = read(STDIN_FILENO, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            // The terminal is gone, or the process is in the background.
            guard count > 0 else { break }
            typed.withLock { $0 += piece.prefix(min(count, limit - $0.count)) }
            wake?()
        }
        isReading.set(false)
    }

    private static func endProcess(_ number: Int32) {
        end()
        sigaction(number, actions + Int(number), nil)
        raise(number)
    }

    private static func stop(_ number: Int32) {
        end()
        signal(number, SIG_DFL)
        raise(number)
    }

    private static func goOn() {
        signal(SIGTSTP) { TerminalKeys.stop($0) }
        // A shell may have changed the mode in the meantime.
        isSet.set(false)
        wake?()
    }
}
#endif
