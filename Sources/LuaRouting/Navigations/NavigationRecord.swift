// SPDX-License-Identifier: MIT

/// The scheduler's record of one navigation.
struct NavigationRecord {
    /// Called once, when the navigation has ended.
    var completion: ((Navigation) -> Void)?
    /// The dependencies of the navigation's steps, by name.
    ///
    /// The dependencies are retained until the navigation has ended.
    var dependencies: [String: Dependency] = [:]
    /// The names of the dependencies that scripts have requested so far.
    var askedDependencies: Set<String> = []
    /// The navigations that were requested on this navigation's stage, and begin when the stage is
    /// committed.
    var deferred: [Navigation] = []
    /// The activity of the script function that began the navigation.
    weak var starter: Activity?
    /// Whether the host is applying the navigation's change.
    ///
    /// If so, the navigation can no longer be cancelled.
    var isCommitted = false
    /// The gate at which the navigation waits; nil if there is none.
    var gate: String?
    /// The question to an interceptor that has not yet answered; nil if there is none.
    var asked: Navigation.Question?

    /// The navigation whose question or dialog this navigation waits for, and whether this
    /// navigation also ends if the answer to the question is to stay.
    var waitsFor: (navigation: Navigation, sharesStay: Bool)?
    /// The navigations that wait for this navigation's question or dialog.
    var waiting: [Navigation] = []
    /// Whether the interceptor that was called last is the `leaving` function of a screen.
    var asksToLeave = false
    /// Whether the parent's question, during which this navigation began, has been abandoned.
    ///
    /// If so, a new screen that this navigation reaches must be removed.
    var isAbandoned = false

    /// The pending navigations that this navigation began.
    var children: [Navigation] = []
    /// The pending tasks that this navigation began.
    var tasks: [RouteTask] = []
    /// The screens that child navigations reached during the call to the latest interceptor, each
    /// with its visible leaf.
    var arrivals: [ScreenID] = []
    /// The screens in ``arrivals`` that child navigations created.
    var shown: [ScreenID] = []
    /// The identical navigation with which this navigation is coalesced, and whose outcome it
    /// shares.
    var leader: Navigation?
    /// The identical navigations that are coalesced with this navigation.
    var followers: [Navigation] = []

    /// The remaining time until the navigation's deadline, in seconds; nil if there is no deadline.
    var timeout: Double?
    /// The number of the deadline's timer, and the time at which the timer was set.
    var deadlineTimer: (number: Int, start: Double)?
    /// The number of waits that pause the navigation's timeout.
    var timeoutHolds = 0

    /// The waits of scripts and of the host for the end of the navigation.
    var awaiting: [Wait] = []
    /// The waits of scripts and of the host for the removal of ``Navigation/resultScreen``.
    var awaitingResult: [Wait] = []
}
