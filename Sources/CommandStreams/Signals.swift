// SPDX-License-Identifier: MIT

#if CommandLine
import LuaVM
package import ScenarioKit
import SystemGaps

/// The signals that end a command in an orderly way, or make a watch check the files.
///
/// A handler only records the signal, cancels the running scripts and ends the wait.
package enum Signals {
    private static let ending = Atomic()
    private static let reload = Atomic()
    /// Ends the wait; nil if the command does not wait.
    ///
    /// The closure is set once, before a handler is installed.
    nonisolated(unsafe) private static var wake: (@Sendable () -> Void)?

    /// Installs the handlers of SIGINT and SIGTERM.
    ///
    /// The first signal is recorded; a second signal ends the process.
    package static func begin() { begin([SIGINT, SIGTERM]) }

    /// Installs handlers that end a wait.
    ///
    /// The handlers stay installed until the process ends.
    ///
    /// - Parameter wake: Ends the wait; called in a signal handler.
    package static func begin(waking wake: @escaping @Sendable () -> Void) {
        Self.wake = wake
        begin([SIGINT, SIGTERM, SIGHUP])
    }

    private static func begin(_ numbers: [Int32]) {
        // Create the lazy globals here, because a handler must not create them.
        _ = (ending.value, reload.value)
        TerminalKeys.end()
        var unblocked = sigset_t()
        sigemptyset(&unblocked)
        for number in numbers {
            signal(number) { Signals.note($0) }
            sigaddset(&unblocked, number)
        }
        // The parent process may have blocked the signals.
        pthread_sigmask(SIG_UNBLOCK, &unblocked, nil)
    }

    private static func note(_ number: Int32) {
        if number == SIGHUP {
            reload.set()
        } else {
            ending.exchange(Int(number))
            TerminalKeys.end()
            LuaCanceller.cancelAll()
            // A second signal of either kind ends the process immediately.
            signal(SIGINT, SIG_DFL)
            signal(SIGTERM, SIG_DFL)
        }
        wake?()
    }

    /// Whether a signal that ends the process has arrived.
    package static var isEnd: Bool { end != nil }

    /// Whether a signal has arrived that was not handled yet.
    package static var hasArrived: Bool { isEnd || reload.isSet }

    /// The exit code for the signal that has arrived; nil if there was none.
    package static var end: ScenarioKit.ExitCode? {
        switch Int32(ending.value) {
        case SIGINT: .interrupted
        case SIGTERM: .terminated
        default: nil
        }
    }

    /// Returns whether SIGHUP has arrived since the last call.
    package static func takeReload() -> Bool {
        reload.set(false)
    }
}
#endif
