// SPDX-License-Identifier: MIT

internal import LuaVM

/// A run of a script function that may wait: an interceptor, a task, a function that runs after a
/// navigation, or a listener.
///
/// The function runs in a coroutine that the host creates. While the function waits, the activity
/// is retained only by the object that it waits for and by the object that requested it.
final class Activity {
    /// The name of the activity in messages.
    let title: String
    /// The navigation on whose behalf the activity runs.
    let navigation: Navigation?
    let chain: Int
    /// The verdicts with which the function may end, such as `router.stop`.
    let answering: CallContext.Answering
    /// Whether the declaration of the function has its own timeout.
    let hasOwnTimeout: Bool
    var state: State

    /// The values that a rewind restores.
    struct State {
        /// The remaining waiting time, in seconds.
        var timeout: Double
        /// Called once, when the activity has ended; nil after that, or if the activity was
        /// cancelled.
        var completion: ((Result<[Value], RouteError>) -> Void)?

        /// The generation whose function the activity runs; nil before the activity begins and
        /// after it has ended.
        var generation: Generation?
        /// The coroutine while the activity waits.
        var thread: LuaThread?
        /// The current wait; nil while the function is running.
        var wait: Wait?
        /// The dependencies that the function reads through `nav.deps`; nil if the navigation
        /// retains them.
        ///
        /// The dependencies live as long as the activity.
        var dependencies: [String: Dependency]?
        /// The step whose `after` or `closed` the activity runs.
        var step: Step?
        /// Whether the activity handles `slow` events.
        ///
        /// If so, it sends no `slow` events itself, because these would cause an endless loop.
        var hearsSlow = false
        /// Whether the activity runs the action of a deep link.
        ///
        /// If so, navigations that it begins wait for the first tree.
        var followsLink = false
        /// Whether a navigation or a task that the function returns is ignored.
        var dropsHandle = false
        /// The number of results that the completion receives.
        var results = 0
    }

    init(
        _ title: String,
        for navigation: Navigation?,
        chain: Int,
        as answering: CallContext.Answering = .nobody,
        timeout: Double,
        hasOwnTimeout: Bool = false,
        completion: @escaping (Result<[Value], RouteError>) -> Void
    ) {
        self.title = title
        self.navigation = navigation
        self.chain = chain
        self.answering = answering
        self.hasOwnTimeout = hasOwnTimeout
        state = State(timeout: timeout, completion: completion)
    }

    /// Whether the activity has neither ended nor been cancelled.
    var isPending: Bool { state.completion != nil }
}

/// A wait of an activity or of the host.
///
/// A wait ends once: when the awaited work has ended, or after a timeout.
final class Wait {
    /// The code that waits.
    enum Waiter {
        /// A script function. The function continues with the results of the wait.
        case script(Activity)
        /// A completion handler of the host.
        case host((Result<[Value], RouteError>) -> Void)
    }

    /// The time at which the wait began, by the router's clock.
    let start: Double
    /// Whether the duration of the wait counts toward the activity's timeout.
    let isCounted: Bool
    var state: State

    /// The values that a rewind restores.
    struct State {
        var waiter: Waiter
        /// The screen whose removal ends the wait; nil for other waits.
        var screen: ScreenID?
        /// The navigation whose result is awaited; nil once the navigation has ended.
        weak var navigation: Navigation?
        /// The timers of the wait's own timeout and of the activity's timeout.
        var timers: [Int] = []
        var isOver = false
        /// Whether the wait is a sleep.
        ///
        /// Only a timer ends a sleep.
        var isSleep = false
        /// Whether the timeout of the activity's navigation is paused during the wait.
        var holdsTimeout = false
    }

    init(_ waiter: Waiter, start: Double, isCounted: Bool) {
        state = State(waiter: waiter)
        self.start = start
        self.isCounted = isCounted
    }
}
