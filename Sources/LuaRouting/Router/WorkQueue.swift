// SPDX-License-Identifier: MIT

/// The observers of a router.
struct Observers {
    /// Called with every event, in order.
    var onEvent: ((Event) -> Void)?
    /// Called with each script failure that may have no other listener, before any completion is
    /// called.
    var onScriptFailure: ((ScriptFailure) -> Void)?
    /// The streams to which events are sent.
    var streams: [EventStream] = []
    /// Whether there is any listener, or events are counted for capabilities.
    var isHeard = false
}

/// The pending work of a router.
struct WorkQueue {
    /// The navigations that have not begun.
    var ready: [Navigation] = []
    /// The active navigations, the latest one last.
    var active: [Navigation] = []
    /// The navigations that wait at closed gates, in order of arrival.
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
    /// The completions to call, and other work to do at the end of the turn, in order.
    ///
    /// The number of elements is not limited, because no completion may be dropped. The memory of
    /// the objects that have ended is counted.
    var endings = Bounded<Ending>()
    /// The logging of failures that scripts have not awaited, for when no script is running.
    var unawaited = Bounded<(Router) -> Void>(limit: 1_000)
    /// The events that have not yet been delivered to listeners in scripts.
    var undelivered = Bounded<Router.Delivery>(limit: 1_000, bytes: 4 * 1024 * 1024)
    /// The number of events that were delivered to listeners since the router was idle.
    var deliveries = 0
    /// The reports from the host that have not yet been applied.
    var reports: [(reports: [Report], completion: (([Result<[ScreenID], RouteError>]) -> Void)?)] =
        []
    /// The timer that begins the next turn; nil if no work was postponed to that turn.
    var nextTurn: Int?
    /// The reload that waits for the end of a turn.
    var reload: Reload?
    /// The reload whose canary is running.
    var trial: CanaryTrial?
    /// Whether the router has been shut down.
    ///
    /// If so, no new work begins.
    var isShutDown = false
    /// Whether a request after the shutdown has already been logged.
    var hasLoggedEnd = false
    /// Whether pending work must be cancelled once scripts have returned.
    var mustCancelAll = false
    /// Whether `Router.pump()` is running.
    var isPumping = false
    /// The depth of nested callbacks.
    var nesting = 0
    /// Whether the host is applying a change.
    var isApplying = false
    /// The navigation whose change the host is applying; nil if there is none, or if the change
    /// consists of fields that were set outside of navigations.
    var applying: Navigation?
    /// The number of the change (see ``Router/askedChanges``) that the host has not yet completed.
    var awaited: Int?
    /// The timer of the deadline for the host to complete the change; nil if there is no deadline.
    var answerTimer: Int?
    /// The new screens of the change that the host is applying.
    var prepared: [ScreenID] = []
    /// Whether the host's views may differ from the tree.
    var isOutOfSync = false
    /// The sequence number of the last event before the last change; nil if a script function has
    /// resumed since then.
    ///
    /// This value prevents endless changes if the guards are different each time they are computed.
    var eventBeforeChange: Int?
    /// Whether the host must show the tree again before any other change.
    var mustResynchronize = false
    /// The windows that the host may have opened for failed changes.
    var doubtfulWindows: Set<String> = []
}

/// Data about screens that is stored outside of the tree.
struct ScreenRecords {
    /// The waits for the removal of screens.
    var waits: [ScreenID: [Wait]] = [:]
    /// The routes that must still call `closed`, report that a screen is gone, or pass on a result,
    /// by the screen to which the route led.
    var routes: [ScreenID: ShownRoute] = [:]
    /// The dependencies that belong to screens.
    ///
    /// A dependency lives at least as long as the screen.
    var dependencies: [ScreenID: [String: Dependency]] = [:]
}

/// The dispatched deep links of a router that have not ended.
struct QueuedLinks {
    /// The queued deep links, in order of arrival.
    var waiting: [QueuedLink] = []
    /// The deep link whose action runs next.
    ///
    /// The link was reported with an event, but is still pending.
    var next: QueuedLink?
    /// The deep links whose action is running or waiting.
    var followed: [QueuedLink] = []
}
