// SPDX-License-Identifier: MIT

import LuaRouteWatching
import ScenarioKit
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The signals that end a command in good order, or have a watch look.
///
/// A handler notes which one came and ends the wait, and does nothing else.
enum Signals {
    private static let ending = Atomic<Int32>(0)
    private static let reload = Atomic(false)
    /// Written once, before there is a handler; nil where nothing waits.
    nonisolated(unsafe) private static var watcher: FileWatcher?

    /// Has signals that end the process be noted from now on, and end it only when they come once
    /// more.
    static func begin() { begin([SIGINT, SIGTERM]) }

    /// Has signals wake a watcher from now on, for the rest of the process.
    static func begin(waking watcher: FileWatcher) {
        Self.watcher = watcher
        begin([SIGINT, SIGTERM, SIGHUP])
    }

    private static func begin(_ numbers: [Int32]) {
        // What is made when it is used first is made here, and not in a handler.
        _ = (ending.load(ordering: .relaxed), reload.load(ordering: .relaxed))
        var unblocked = sigset_t()
        sigemptyset(&unblocked)
        for number in numbers {
            signal(number) { Signals.note($0) }
            sigaddset(&unblocked, number)
        }
        // Whoever started the process may have handed down that they are not to be heard.
        pthread_sigmask(SIG_UNBLOCK, &unblocked, nil)
    }

    private static func note(_ number: Int32) {
        if number == SIGHUP {
            reload.store(true, ordering: .sequentiallyConsistent)
        } else {
            ending.store(number, ordering: .sequentiallyConsistent)
            // A second signal, either one, ends the process at once.
            signal(SIGINT, SIG_DFL)
            signal(SIGTERM, SIG_DFL)
        }
        watcher?.wake()
    }

    /// Whether one came that ends the process.
    static var isEnd: Bool { end != nil }

    /// What to end the process with, nil unless such a signal came.
    static var end: ScenarioKit.ExitCode? {
        switch ending.load(ordering: .sequentiallyConsistent) {
        case SIGINT: .interrupted
        case SIGTERM: .terminated
        default: nil
        }
    }

    /// Whether one came since the last call that has a watch look.
    static func takeReload() -> Bool { reload.exchange(false, ordering: .sequentiallyConsistent) }
}
