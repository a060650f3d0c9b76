// SPDX-License-Identifier: MIT

public import RouteCore

/// The explanation of a navigation, made by ``Router/explain(_:info:options:)``.
///
/// Interceptors are listed as if they let pass. If the navigation would fail, ``failure`` contains
/// the phase and the error, and the rest contains all that was known until then.
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

    /// The end of a navigation.
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

    /// The reason why a navigation would fail.
    public struct Failure: Sendable {
        /// The phase that fails.
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
    public package(set) var info = InfoTable()

    /// The patterns that the URL matches, best first.
    public package(set) var matches: [Match] = []
    /// The patterns that the URL nearly matches, nearest first.
    public package(set) var misses: [Miss] = []
    /// The number of further patterns that it nearly matches.
    public package(set) var missesLeftOut = 0
    /// The parts of the URL that are ignored: `fragment 'top'`, `key 'utm_source'`.
    public package(set) var dropped: [String] = []

    /// The routings that `router.dispatch` finds for the URL, best first: it takes the first one.
    public package(set) var routings: [RoutingMatch] = []
    /// The routings that the URL nearly matches, nearest first.
    public package(set) var routingMisses: [RoutingMiss] = []

    /// The reason why no pattern can match the URL; nil if one could.
    public package(set) var problem: String?

    /// The effect of other pending navigations.
    public package(set) var turn = Turn(state: .now, others: [])
    /// The routes that are passed over, in order.
    public package(set) var detours: [Detour] = []
    /// The route that is taken; nil where none is.
    public package(set) var route: Target?
    /// The line that declares it.
    public package(set) var location: RouteError.Location?
    /// The gates on its way, those of the target first.
    public package(set) var gates: [Gate] = []
    /// The dependencies that the routes of its plan need.
    public package(set) var dependencies: [Dependency] = []
    /// The interceptors that would be asked, in order.
    public package(set) var interceptors: [Interceptor] = []
    /// The screen where the way begins, as tree notation writes it; nil where it is not known.
    public package(set) var start: String?
    /// The rule that found the start: `find`, `reuse`, `from`; nil for an action without `from`.
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
    /// The calls by scripts that were not executed.
    public package(set) var calls: [Call] = []
    /// The lines that would be written to the log.
    public package(set) var log: [Line] = []
    /// The reason why it would fail; nil if it would not.
    public package(set) var failure: Failure?

    package init(kind: Kind, text: String, origin: Origin, window: String) {
        (self.kind, self.text, self.origin, self.window) = (kind, text, origin, window)
    }

    /// The end of the navigation, if all interceptors let it pass.
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

    /// The tree of its window before the navigation, in tree notation.
    public var before: String { windows.first { $0.name == window }?.before ?? "" }

    /// The tree of its window after the navigation, in tree notation; nil if the navigation would
    /// fail.
    public var after: String? {
        failure == nil ? windows.first { $0.name == window }?.after ?? "" : nil
    }
}
