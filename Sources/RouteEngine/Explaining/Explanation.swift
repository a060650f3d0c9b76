// SPDX-License-Identifier: MIT

public import RouteCore

/// How a navigation would go, and why: made by ``Router/explain(_:info:options:)``.
///
/// Interceptors are listed as if they let pass. Where something is in the way, ``failure`` says what and
/// when, and the rest holds all that was known until then.
public struct Explanation: Sendable {
    /// The kind of target.
    public enum Kind: String, Sendable {
        /// A service and a task.
        case target
        /// A URL.
        case url
        /// A route string.
        case routeString
    }

    /// How it would end.
    public enum Outcome: String, Sendable {
        /// It would get there.
        case done
        /// It would join an equal request that is pending, and end as that one does.
        case joined
        /// It would wait at a gate, or for its turn.
        case pending
        /// It would fail; nothing would have changed.
        case failed
    }

    /// The parts of a navigation in which something may be in the way.
    public enum Phase: String, Sendable {
        /// The URL or the route string is read.
        case match
        /// It has its turn, or not.
        case queue
        /// The route is found, its flag asked, its parameters checked, what it needs is made.
        case resolve
        /// The way is planned.
        case plan
        /// Screens are made and placed.
        case stage
        /// Screens that would go are asked whether they may.
        case dismissible
    }

    /// Why it would fail.
    public struct Failure: Sendable {
        /// In which part.
        public let phase: Phase
        /// The error with which it would end.
        public let error: RouteError
        /// Whether it is certain: false where a script called for something before whose value it would
        /// have had, such as that of a task, and that only an explanation leaves out.
        public let isCertain: Bool
    }

    /// The kind of target.
    public let kind: Kind
    /// The target, the URL or the route string, as it came.
    public let text: String
    /// The origin of the request.
    public let origin: Origin
    /// The name of the window.
    public package(set) var window: String
    /// The target, for a URL the one to which it leads; nil where it leads nowhere.
    public package(set) var target: Target?
    /// The parameters, as they were converted.
    public package(set) var info = Table()

    /// What the URL matches, best first.
    public package(set) var matches: [Match] = []
    /// What the URL comes near, nearest first.
    public package(set) var misses: [Miss] = []
    /// How many more it comes near.
    public package(set) var missesLeftOut = 0
    /// What of the URL takes no part: `fragment 'top'`, `key 'utm_source'`.
    public package(set) var dropped: [String] = []

    /// The routings that `router.dispatch` finds for the URL, best first: it takes the first one.
    public package(set) var routings: [RoutingMatch] = []
    /// The routings that the URL nearly matches, nearest first.
    public package(set) var routingMisses: [RoutingMiss] = []

    /// Why the URL can match nothing, in itself; nil where it could.
    public package(set) var problem: String?

    /// What others that are pending mean for it.
    public package(set) var turn = Turn(state: .now, others: [])
    /// The routes that are passed over, in order.
    public package(set) var detours: [Detour] = []
    /// The route that is taken; nil where none is.
    public package(set) var route: Target?
    /// The line that declares it.
    public package(set) var place: RouteError.Location?
    /// The gates on its way, those of the target first.
    public package(set) var gates: [Gate] = []
    /// What the routes on its way need.
    public package(set) var dependencies: [Dependency] = []
    /// What would be asked, in order.
    public package(set) var interceptors: [Interceptor] = []
    /// The screen where the way begins, as tree notation writes it; nil where it is not known.
    public package(set) var start: String?
    /// What found it: `find`, `reuse`, `from`; nil for the place of an action without `from`.
    public package(set) var startedBy: String?
    /// The steps, from the target backwards, as far as they were looked at.
    public package(set) var steps: [Step] = []
    /// The screens that would be made for routes, in order.
    public package(set) var built: [Made] = []
    /// The screens that would be updated, in order.
    public package(set) var updated: [Made] = []
    /// The screens that would go, the topmost first.
    public package(set) var leaving: [Leaving] = []
    /// The operations that the host would be given, as scenarios write them.
    public package(set) var operations: [String] = []
    /// The windows, as they are and as they would be.
    public package(set) var windows: [WindowTree] = []
    /// The screens whose routes have something to do after it, in order.
    public package(set) var afterRuns: [Made] = []
    /// What scripts called for, and what was not done.
    public package(set) var calls: [Call] = []
    /// What would be written to the log.
    public package(set) var log: [Line] = []
    /// Why it would fail; nil where it would not.
    public package(set) var failure: Failure?

    package init(kind: Kind, text: String, origin: Origin, window: String) {
        (self.kind, self.text, self.origin, self.window) = (kind, text, origin, window)
    }

    /// How it would end, if all interceptors let it pass.
    public var outcome: Outcome {
        if failure != nil { return .failed }
        if turn.state == .joins { return .joined }
        return waitsFor == nil ? .done : .pending
    }

    /// The gate at which it would wait, or `turn`; nil where it would wait for neither.
    public var waitsFor: String? {
        if turn.state == .waits { return "turn" }
        return gates.first { !$0.isOpen }?.name
    }

    /// What its window shows, as tree notation writes it.
    public var before: String { windows.first { $0.name == window }?.before ?? "" }

    /// What its window would show, as tree notation writes it; nil if the navigation would fail.
    public var after: String? {
        failure == nil ? windows.first { $0.name == window }?.after ?? "" : nil
    }
}
