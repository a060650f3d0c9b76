// SPDX-License-Identifier: MIT

internal import LuaVM

/// A script function that may wait: an interceptor, a task, a function that runs after a
/// navigation, or a listener.
///
/// It runs in a coroutine that the host creates. While it waits, it is retained only by the object
/// that it waits for and by the object that requested it.
final class Activity {
    /// The name of the activity in messages.
    let title: String
    /// The navigation on whose behalf the activity runs.
    let navigation: Navigation?
    let chain: Int
    /// The verdicts with which the activity's function may end, such as `router.stop`.
    let answering: CallContext.Answering
    /// Whether the activity's declaration has a timeout of its own.
    let hasOwnTimeout: Bool
    var state: State

    /// The values that a rewind restores.
    struct State {
        /// The remaining waiting time, in seconds.
        var timeout: Double
        /// Called once at the end, unless it was cancelled before.
        var completion: ((Result<[Value], RouteError>) -> Void)?

        /// The generation of scripts whose function the activity runs; nil before it begins and
        /// after it ends.
        var generation: Generation?
        /// The coroutine, while the activity waits.
        var thread: LuaThread?
        /// The current wait; nil while the activity runs.
        var wait: Wait?
        /// The dependencies that the activity reads through `nav.deps`, which live as long as it
        /// may run; nil if the navigation retains them.
        var dependencies: [String: Dependency]?
        /// The step whose `after` or `closed` the activity runs.
        var step: Step?
        /// Whether the activity handles `slow` events: its own `slow` events would cause an endless
        /// loop.
        var hearsSlow = false
        /// Whether the activity runs the action of a deep link: the navigations that it begins wait
        /// for the first tree.
        var followsLink = false
        /// Whether a navigation or a task returned by its function is ignored.
        var dropsHandle = false
        /// The number of results that the completion gets.
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

/// One wait of an activity or of the host, which ends once: with the awaited work, or by a timeout.
final class Wait {
    /// The code that waits.
    enum Waiter {
        /// A function of a script, which continues with the results.
        case script(Activity)
        /// A completion handler of the host.
        case host((Result<[Value], RouteError>) -> Void)
    }

    /// The start of the wait, by the router's clock.
    let start: Double
    /// Whether the time of the wait counts toward the activity's timeout.
    let isCounted: Bool
    var state: State

    /// The values that a rewind restores.
    struct State {
        var waiter: Waiter
        /// The screen whose removal ends the wait; nil if it waits for something else.
        var screen: ScreenID?
        /// The navigation whose result is awaited, while it is pending.
        weak var navigation: Navigation?
        /// The timers of the wait's own limit and of the activity's timeout.
        var timers: [Int] = []
        var isOver = false
        /// Whether the wait is a sleep, which only a timer ends.
        var isSleep = false
        /// Whether the deadline of the activity's navigation is paused during the wait.
        var holdsTimeout = false
    }

    init(_ waiter: Waiter, start: Double, isCounted: Bool) {
        state = State(waiter: waiter)
        self.start = start
        self.isCounted = isCounted
    }
}
