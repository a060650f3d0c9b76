// SPDX-License-Identifier: MIT

/// The scheduler's record of one navigation.
struct NavigationRecord {
    /// Called once, at the end.
    var completion: ((Navigation) -> Void)?
    /// The dependencies of the navigation's steps, by name, retained until it has ended.
    var dependencies: [String: Dependency] = [:]
    /// The names of the dependencies that scripts have requested in the meantime.
    var askedDependencies: Set<String> = []
    /// The navigations that were requested on this navigation's stage; they begin when it is
    /// committed.
    var deferred: [Navigation] = []
    /// The function of a script that started the navigation.
    weak var starter: Activity?
    /// Whether the host applies the navigation's change: then it cannot be cancelled.
    var isCommitted = false
    /// The gate at which the navigation waits.
    var gate: String?
    /// The interceptor that has not answered.
    var asked: Navigation.Question?

    /// The navigation whose question or dialog this one waits for, and whether both end alike if
    /// the answer is to stay.
    var waitsFor: (navigation: Navigation, sharesStay: Bool)?
    /// The navigations that wait for this navigation's question or dialog.
    var waiting: [Navigation] = []
    /// Whether the interceptor called last is the `leaving` of a screen.
    var asksToLeave = false
    /// Whether the parent asked a screen and ended without an answer, so that this navigation's
    /// screen is removed.
    var isAbandoned = false

    /// The pending navigations that this navigation started.
    var children: [Navigation] = []
    /// The pending tasks that this navigation started.
    var tasks: [RouteTask] = []
    /// The screens that child navigations reached for the latest interceptor, each with its visible
    /// leaf.
    var arrivals: [ScreenID] = []
    /// The screens in ``arrivals`` that did not exist before.
    var shown: [ScreenID] = []
    /// The identical navigation with which this one is coalesced, and whose outcome it shares.
    var leader: Navigation?
    /// The identical navigations that are coalesced with this one.
    var followers: [Navigation] = []

    /// The remaining time until the navigation's deadline, in seconds; nil for no deadline.
    var timeout: Double?
    /// The timer of the deadline, and the time at which it was set.
    var deadlineTimer: (number: Int, start: Double)?
    /// The number of waits during which the navigation's time does not run.
    var timeoutHolds = 0

    /// The waits for the navigation's end.
    var awaiting: [Wait] = []
    /// The waits for the end of ``Navigation/resultScreen``.
    var awaitingResult: [Wait] = []
}
