// SPDX-License-Identifier: MIT

/// The scheduler's record of one navigation.
struct NavigationRecord {
    /// Called once, at the end.
    var completion: ((Navigation) -> Void)?
    /// The dependencies of its steps, by name, retained until it has ended.
    var dependencies: [String: Dependency] = [:]
    /// The names of the dependencies that scripts asked for meanwhile.
    var askedDependencies: Set<String> = []
    /// The navigations that began on its stage; they are begun when it is committed.
    var deferred: [Navigation] = []
    /// The function of a script that started it.
    weak var starter: Activity?
    /// Whether the host applies its change: then it cannot be cancelled.
    var isCommitted = false
    /// The gate at which it waits.
    var gate: String?
    /// The interceptor that has not answered.
    var asked: Navigation.Question?

    /// The navigation whose question or dialog it waits for, and whether it ends as that one does if
    /// the answer is to stay.
    var waitsFor: (navigation: Navigation, sharesStay: Bool)?
    /// The navigations that wait for its question or dialog.
    var waiting: [Navigation] = []
    /// Whether the interceptor called last is the `leaving` of a screen.
    var asksToLeave = false
    /// Whether its parent asked a screen, and ended without an answer: its screen is removed.
    var isAbandoned = false

    /// The pending navigations that it started.
    var children: [Navigation] = []
    /// The pending tasks that it started.
    var tasks: [RouteTask] = []
    /// The screens that its children reached for the interceptor called last, each with the visible
    /// leaf in it.
    var arrivals: [ScreenID] = []
    /// The screens among them that did not exist before.
    var shown: [ScreenID] = []
    /// The identical navigation with which it is coalesced, whose outcome it shares.
    var leader: Navigation?
    /// The identical navigations that are coalesced with it.
    var followers: [Navigation] = []

    /// The remaining time until its deadline, in seconds; nil for no deadline.
    var timeout: Double?
    /// The timer of the deadline, and when it was set.
    var deadlineTimer: (number: Int, start: Double)?
    /// The number of waits during which its time does not run.
    var timeoutHolds = 0

    /// The waits for its end.
    var awaiting: [Wait] = []
    /// The waits for the end of ``Navigation/resultScreen``.
    var awaitingResult: [Wait] = []
}
