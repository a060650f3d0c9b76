// SPDX-License-Identifier: MIT

/// The observers of a router.
struct Observers {
    /// Called with every event, in order.
    var onEvent: ((Event) -> Void)?
    /// Called with each failure of a script that may have no other listener, before any completion.
    var onScriptFailure: ((ScriptFailure) -> Void)?
    /// The readers of events as a sequence.
    var streams: [EventStream] = []
    /// Whether anybody listens to any event, or events are counted.
    var isHeard = false
}

/// The pending work of a router.
struct WorkQueue {
    /// The navigations that have not begun.
    var ready: [Navigation] = []
    /// The active navigations, the latest one last.
    var active: [Navigation] = []
    /// The navigations that wait at closed gates, in the order of their arrival.
    var gated: [Navigation] = []
    /// Whether any navigation is active, queued, or waits at a gate.
    var hasPending: Bool { !(active.isEmpty && ready.isEmpty && gated.isEmpty) }
    /// The number of navigations that have not ended.
    var pendingCount = 0
    /// Whether no work is pending or running.
    var isEmpty: Bool {
        pendingCount == 0 && endings.isEmpty && undelivered.isEmpty && reports.isEmpty
            && nextTurn == nil && reload == nil && trial == nil && !isShutDown && !isPumping
            && nesting == 0
            && !isApplying
    }
    /// The completions to call, in order.
    ///
    /// Their number has no maximum: an end is never dropped, and the memory of the objects that ended
    /// is counted.
    var endings = Bounded<Ending>()
    /// The events that functions of scripts listen to and have not received yet.
    var undelivered = Bounded<Router.Delivery>(limit: 1_000, bytes: 4 * 1024 * 1024)
    /// The number of events that listeners received since the router was idle.
    var deliveries = 0
    /// The reports of the host that have not been applied.
    var reports: [(reports: [Report], completion: (([Result<[ScreenID], RouteError>]) -> Void)?)] =
        []
    /// The timer that begins the next turn, if work was postponed to it.
    var nextTurn: Int?
    /// The attempt to reload that waits for the end of a turn.
    var reload: Reload?
    /// The attempt to reload whose canary runs.
    var trial: CanaryTrial?
    /// Whether the router is ending or has ended: no new work begins.
    var isShutDown = false
    /// Whether the log has a request that came after the end.
    var hasLoggedEnd = false
    /// Whether the work that is pending is cancelled when scripts have returned.
    var mustCancelAll = false
    /// Whether work is running.
    var isPumping = false
    /// The depth of nested callbacks.
    var nesting = 0
    /// Whether the host applies a change.
    var isApplying = false
    /// The navigation whose change the host applies; nil if there is none, or if fields were set.
    var applying: Navigation?
    /// The number of the change (see ``Router/askedChanges``) that the host has not answered.
    var awaited: Int?
    /// The timer that ends the wait for that answer; nil if the host has no limit.
    var answerTimer: Int?
    /// The new screens of the change that the host applies.
    var prepared: [ScreenID] = []
    /// Whether the router does not know the state of the host's views.
    var isOutOfSync = false
    /// The event before the last change, so that guards that change each time are not sent
    /// endlessly; nil if a script has run since.
    var eventBeforeChange: Int?
    /// Whether the host must show the tree again before any other change.
    var mustResynchronize = false
    /// The windows that the host may have opened for changes that failed.
    var doubtfulWindows: Set<String> = []
}

/// The records of screens with more than plain data.
struct ScreenRecords {
    /// The waits for screens to leave.
    var waits: [ScreenID: [Wait]] = [:]
    /// The routes that must still call `closed`, report that a screen is gone, or pass on a result,
    /// by the screen that they led to.
    var routes: [ScreenID: ShownRoute] = [:]
    /// The dependencies that screens got, which live at least as long as the screens.
    var dependencies: [ScreenID: [String: Dependency]] = [:]
}

/// The deferred links of a router that have not ended.
struct QueuedLinks {
    /// The queued deep links, which wait for an action, in order of arrival.
    var waiting: [QueuedLink] = []
    /// The link whose action runs next, which has been reported; the link is still pending.
    var next: QueuedLink?
    /// The links whose action runs or waits.
    var followed: [QueuedLink] = []
}
