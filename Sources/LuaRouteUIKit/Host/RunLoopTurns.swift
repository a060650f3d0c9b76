// SPDX-License-Identifier: MIT

#if canImport(UIKit)
internal import UIKit
#else
internal import UIKitStandin
#endif

/// Calls a closure at the end of each turn of the main run loop, and on request.
@MainActor
final class RunLoopTurns {
    private let observation: Observation
    private var timers: [Wake: CFRunLoopTimer] = [:]

    /// The reasons for another turn, each with its own timer.
    enum Wake { case pause, timeout }

    /// Calls the given closure at the end of each turn, until the object is released.
    init(_ body: @escaping @MainActor () -> Void) {
        let observer = CFRunLoopObserverCreateWithHandler(
            kCFAllocatorDefault,
            CFRunLoopActivity.beforeWaiting.rawValue,
            true,
            0
        ) { _, _ in
            MainActor.assumeIsolated { body() }
        }
        CFRunLoopAddObserver(CFRunLoopGetMain(), observer, .commonModes)
        observation = Observation(observer)
    }

    /// Schedules another turn after the given number of seconds.
    ///
    /// Replaces the turn that was scheduled for the same reason.
    func wake(in seconds: Double, for reason: Wake) {
        if let timer = timers[reason] { CFRunLoopTimerInvalidate(timer) }
        let timer = CFRunLoopTimerCreateWithHandler(
            kCFAllocatorDefault,
            CFAbsoluteTimeGetCurrent() + seconds,
            0,
            0,
            0
        ) { _ in }
        CFRunLoopAddTimer(CFRunLoopGetMain(), timer, .commonModes)
        timers[reason] = timer
    }

    /// A run loop observer that is removed when its last reference is released, on any thread.
    private final class Observation {
        private let observer: CFRunLoopObserver?

        init(_ observer: CFRunLoopObserver?) { self.observer = observer }

        deinit { if let observer { CFRunLoopObserverInvalidate(observer) } }
    }
}
