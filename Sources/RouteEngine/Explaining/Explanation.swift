// SPDX-License-Identifier: MIT

public import RouteCore

/// An explanation of a navigation, as returned by ``Router/explain(_:info:options:)``.
///
/// Interceptors are listed as if they let the navigation proceed. If the navigation would fail,
/// ``failure`` contains the phase and the error, and the other properties describe the navigation
/// up to that point.
///
/// ```swift
/// let explanation = try router.explain(Target("Page", "show"), info: ["id": 7])
/// print(explanation.outcome, explanation.operations)  // done ["push(Page(id=7))"]
/// print(explanation.after ?? "")  // nav[Home, Page(id=7)]
/// ```
public struct Explanation: Sendable {
    /// The kind of destination that was requested.
    public enum Kind: String, Sendable {
        /// A service and a task.
        case target
        /// A URL.
        case url
        /// A route string.
        case routeString
    }

    /// The way in which the navigation would end.
    public enum Outcome: String, Sendable {
        /// The navigation would succeed.
        case done
        /// The navigation would be coalesced with an identical pending navigation, and both would
        /// end in the same way.
        case joined
        /// The navigation would wait at a gate, or for other navigations.
        case pending
        /// The navigation would fail, and nothing would change.
        case failed
    }

    /// The phases in which a navigation can be stopped.
    public enum Phase: String, Sendable {
        /// The URL or the route string is matched.
        case match
        /// The effect of other pending navigations is determined.
        case queue
        /// The route is found, its feature flag and parameters are checked, and its dependencies
        /// are created.
        case resolve
        /// The navigation is planned.
        case plan
        /// Screens are built and placed.
        case stage
        /// `dismissible` is evaluated for the screens that would be removed.
        case dismissible
    }

    /// The reason why a navigation would fail.
    public struct Failure: Sendable {
        /// The phase in which the navigation would fail.
        public let phase: Phase
        /// The error with which the navigation would end.
        public let error: RouteError
        /// Whether the failure is certain.
        ///
        /// The failure is uncertain if a script needs the result of a call that a dry run does not
        /// execute, such as a task.
        public let isCertain: Bool
    }

    /// The kind of destination that was requested.
    public let kind: Kind
    /// The target, the URL or the route string, as requested.
    public let text: String
    /// The origin of the request.
    public let origin: Origin
    /// The name of the window.
    public package(set) var window: String
    /// The target, which may be the destination of a URL; nil if there is none.
    public package(set) var target: Target?
    /// The parameters, after conversion.
    public package(set) var info = InfoTable()

    /// The patterns that the URL matches, the best first.
    public package(set) var matches: [Match] = []
    /// The patterns that the URL nearly matches, the nearest first.
    public package(set) var misses: [Miss] = []
    /// The number of nearly matching patterns that ``misses`` does not list.
    public package(set) var missesLeftOut = 0
    /// The URL to which `router.rewrite` rewrites the original URL; nil if it is not rewritten.
    public package(set) var rewritten: String?
    /// The parts of the URL that are ignored, such as `fragment 'top'` and `key 'utm_source'`.
    public package(set) var dropped: [String] = []

    /// The routings that `router.dispatch` would find for the URL, the best first.
    ///
    /// Only the first routing is used.
    public package(set) var routings: [RoutingMatch] = []
    /// The routings that the URL nearly matches, the nearest first.
    public package(set) var routingMisses: [RoutingMiss] = []

    /// The problem that prevents the URL from matching any pattern; nil if there is no such
    /// problem.
    public package(set) var problem: String?

    /// The effect of other pending navigations on this navigation.
    public package(set) var turn = Turn(state: .now, others: [])
    /// The routes that are not used, in order.
    public package(set) var detours: [Detour] = []
    /// The target of the route that is used; nil if there is none.
    public package(set) var route: Target?
    /// The source location of the route.
    public package(set) var location: RouteError.Location?
    /// The gates that the navigation passes.
    ///
    /// The gates of the target come first.
    public package(set) var gates: [Gate] = []
    /// The dependencies of the routes in the plan.
    public package(set) var dependencies: [Dependency] = []
    /// The interceptors that would be called, in order.
    public package(set) var interceptors: [Interceptor] = []
    /// The screen where the plan starts, in tree notation; nil if it is unknown.
    public package(set) var start: String?
    /// The rule that found the starting screen: `find`, `reuse` or `from`; nil for an action
    /// without `from`.
    public package(set) var startedBy: String?
    /// The steps of the plan, from the target backwards.
    ///
    /// If the navigation would fail, these are only the steps that were planned before the failure.
    public package(set) var steps: [Step] = []
    /// The screens that would be built for routes, in order.
    public package(set) var built: [Made] = []
    /// The screens that would be updated, in order.
    public package(set) var updated: [Made] = []
    /// The screens that would be removed, the topmost first.
    public package(set) var leaving: [Leaving] = []
    /// The operations that the host would receive, in the notation of scenarios.
    public package(set) var operations: [String] = []
    /// The trees of the windows before and after the navigation.
    public package(set) var windows: [WindowTree] = []
    /// The screens whose `after` would run, in order.
    public package(set) var afterRuns: [Made] = []
    /// The calls in scripts that were not executed.
    public package(set) var calls: [Call] = []
    /// The lines that would be written to the log.
    public package(set) var log: [Line] = []
    /// The reason why the navigation would fail; nil if it would not fail.
    public package(set) var failure: Failure?

    package init(kind: Kind, text: String, origin: Origin, window: String) {
        (self.kind, self.text, self.origin, self.window) = (kind, text, origin, window)
    }

    /// The way in which the navigation would end if all interceptors let it proceed.
    public var outcome: Outcome {
        if failure != nil { return .failed }
        if turn.state == .joins { return .joined }
        return waitsFor == nil ? .done : .pending
    }

    /// The name of the gate at which the navigation would wait, or `turn`, `question` or `dialog`;
    /// nil if the navigation would not wait.
    public var waitsFor: String? {
        switch turn.state {
        case .waits: return "turn"
        case .waitsForQuestion: return "question"
        case .waitsForDialog: return "dialog"
        default: break
        }
        return gates.first { !$0.isOpen }?.name
    }

    /// The tree of the window before the navigation, in tree notation.
    public var before: String { windows.first { $0.name == window }?.before ?? "" }

    /// The tree of the window after the navigation, in tree notation; nil if the navigation would
    /// fail.
    public var after: String? {
        failure == nil ? windows.first { $0.name == window }?.after ?? "" : nil
    }
}
