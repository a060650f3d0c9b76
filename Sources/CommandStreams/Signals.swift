// SPDX-License-Identifier: MIT

#if CommandLine
import LuaVM
package import ScenarioKit
import SystemGaps

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The signals that end a command in good order, or make a watch look at the files.
///
/// A handler records the signal, cancels the scripts that run and ends the wait, and does nothing
/// else.
package enum Signals {
    private static let ending = Atomic()
    private static let reload = Atomic()
    /// Written once, before a handler is installed; nil if the command does not wait.
    nonisolated(unsafe) private static var wake: (@Sendable () -> Void)?

    /// Installs the handlers of SIGINT and SIGTERM: the first signal is recorded, a second one ends
    /// the process.
    package static func begin() { begin([SIGINT, SIGTERM]) }

    /// Installs handlers that end a wait, for the rest of the process.
    ///
    /// - Parameter wake: Ends the wait; called in a handler.
    package static func begin(waking wake: @escaping @Sendable () -> Void) {
        Self.wake = wake
        begin([SIGINT, SIGTERM, SIGHUP])
    }

    private static func begin(_ numbers: [Int32]) {
        // Lazy globals are created here, and not in a handler.
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
            // A second signal of either kind ends the process at once.
            signal(SIGINT, SIG_DFL)
            signal(SIGTERM, SIG_DFL)
        }
        wake?()
    }

    /// Whether a signal arrived that ends the process.
    package static var isEnd: Bool { end != nil }

    /// Whether a signal arrived that has not been handled yet.
    package static var hasArrived: Bool { isEnd || reload.isSet }

    /// The exit code for the signal that arrived; nil if there was none.
    package static var end: ScenarioKit.ExitCode? {
        switch Int32(ending.value) {
        case SIGINT: .interrupted
        case SIGTERM: .terminated
        default: nil
        }
    }

    /// Returns whether SIGHUP arrived since the last call, and resets that.
    package static func takeReload() -> Bool {
        reload.set(false)
    }
}
#endif
