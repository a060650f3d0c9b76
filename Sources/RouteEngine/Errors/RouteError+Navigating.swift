// SPDX-License-Identifier: MIT

package import RouteCore

/// Errors that end a navigation during planning, interception or staging.
extension RouteError {
    // MARK: Planning

    package static func forbidden(_ title: String, _ origin: Origin) -> RouteError {
        RouteError(.forbidden, "'\(title)' may not be opened by origin '\(origin.rawValue)'")
    }

    package static func noPlace(for action: Action, _ need: Need, around location: String)
        -> RouteError
    {
        RouteError(
            .typeMismatch,
            "no \(need.title) around \(location) ('\(action.name)' needs one)"
        )
    }

    package static func nothingFound(_ step: Step) -> RouteError {
        RouteError(
            .startNotFound,
            "'\(step.title)' is not in the tree, and nothing builds it ('build' or 'from' expected)"
        )
    }

    package static func startNotFound(_ finder: Finder) -> RouteError {
        RouteError(
            .startNotFound,
            "the starting screen is missing: \(finder.title) is not in the tree"
        )
    }

    package static func noCaseHolds(_ location: Location?) -> RouteError {
        RouteError(.startNotFound, "no case of the switch applies (add 'default')", at: location)
    }

    package static func endlessWay(_ titles: [String]) -> RouteError {
        RouteError(
            .startNotFound,
            "the chain of parent routes has no start: \(shortened(titles).joined(separator: " from "))"
        )
    }

    /// Returns a list for messages.
    ///
    /// Only the beginning and the end of a long list are included.
    private static func shortened(_ titles: [String]) -> [String] {
        titles.count > 8 ? titles.prefix(6) + ["…"] + titles.suffix(1) : titles
    }

    package static func tooManyPlans(_ interceptor: String?) -> RouteError {
        let (who, runs) =
            interceptor.map { ("interceptor '\($0)' changes", "it runs") }
            ?? ("interceptors change", "they run")
        return RouteError(
            .composition,
            "\(who) the tree or the state each time \(runs) (a navigation is planned again at most \(Journey.planLimit) times)"
        )
    }

    package static func adaptGave(_ kind: String) -> RouteError {
        RouteError(.script, "bad result of 'adapt' (table expected, got \(kind))")
    }

    package static func hasEffects(_ what: String) -> RouteError {
        RouteError(
            .script,
            "\(what) is not allowed while a navigation is planned (the functions 'find', 'when', 'adapt', 'prepare', 'enabled', 'dismissible', 'guarded', 'kind', 'provide' and 'handle' must have no effects)"
        )
    }

    package static func notDismissible(_ screen: String) -> RouteError {
        RouteError(.notDismissible, "\(screen) may not be dismissed")
    }

    // MARK: Waiting

    /// The setting that determined a deadline.
    package enum DeadlineOwner: String {
        case own = "its own 'timeout'"
        case call = "the 'timeout' of the call"
        case router = "the 'timeout' of 'router.options'"
        case capabilities = "the 'timeout' of the capabilities"
    }

    package static func waitedTooLong(_ title: String, _ owner: DeadlineOwner) -> RouteError {
        RouteError(.timeout, "\(title) timed out (limited by \(owner.rawValue))")
    }

    package static func awaitsItself(_ name: String) -> RouteError {
        RouteError(.script, "'\(name)' would wait endlessly for the function that calls it")
    }

    package static func tooManyChildrenAtOnce(_ count: Int) -> RouteError {
        RouteError(
            .budget,
            "too many children (at most \(Stage.childLimit) expected, got \(count))"
        )
    }

    // MARK: Concurrent navigations

    package static func cancelledByCaller() -> RouteError {
        RouteError(.cancelled, "cancelled by the caller")
    }

    // MARK: Interceptors

    package static func stopped(by name: String, _ why: String?, at location: Location?)
        -> RouteError
    {
        RouteError(.stopped, why ?? "stopped by '\(name)'", at: location)
    }

    package static func redirectLoop(_ targets: [String]) -> RouteError {
        let way = shortened(targets).joined(separator: " → ")
        return RouteError(.redirectLoop, "endless redirects: \(way)")
    }

    package static func asksItself(_ name: String, _ titles: [String]) -> RouteError {
        let way = shortened(titles).joined(separator: " → ")
        let message = "'\(name)' navigates to a route for which it runs again: \(way)"
        return RouteError(.redirectLoop, "\(message) (exclude the route from the interceptor)")
    }

    package static func tooDeeplyNested(_ titles: [String], _ limit: Int) -> RouteError {
        let way = shortened(titles).joined(separator: " → ")
        return RouteError(
            .redirectLoop,
            "more than \(limit) navigations wait for one another: \(way)"
        )
    }

    package static func prepareGave(_ kind: String) -> RouteError {
        RouteError(
            .script,
            "bad result of 'prepare' (no result expected, got \(kind); call router.stop to stop the navigation)"
        )
    }

    package static func badAnswer(_ name: String, _ kind: String) -> RouteError {
        RouteError(
            .script,
            "bad result of interceptor '\(name)' (true, false or nothing expected, got \(kind))"
        )
    }

    // `fix` is the expression that stops the navigation.
    package static func passesWithReason(_ owner: String, fix: String) -> RouteError {
        RouteError(
            .script,
            "\(owner) returned nil and a reason, but nil lets the navigation proceed (use \(fix) to stop it)"
        )
    }

    package static func answeredTwice(_ name: String) -> RouteError {
        RouteError(.script, "interceptor '\(name)' has already answered")
    }

    package static func refusesNothing(_ name: String) -> RouteError {
        let where_ = name == "stop" ? "an interceptor or 'prepare'" : "an interceptor"
        return RouteError(.script, "'router.\(name)' can be called only in \(where_)")
    }

    // MARK: Staging

    package static func isAbsent(_ step: Step) -> RouteError {
        RouteError(
            .composition,
            "'\(step.title)' is not in the tree after its parent routes were built"
        )
    }

    package static func nowhereToPresentFrom(_ finder: Finder) -> RouteError {
        RouteError(
            .composition,
            "the presenting screen is missing: \(finder.title) is not in the tree"
        )
    }

    package static func cannotEmbed(_ action: Action, _ container: String) -> RouteError {
        RouteError(.typeMismatch, "'\(action.name)' cannot put a screen into \(container)")
    }

    package static func leafBuildsNothing(_ target: Target) -> RouteError {
        RouteError(.script, "'\(target)' has no 'build', so it cannot be part of a tree")
    }

    package static func treeInsideItself(_ name: String) -> RouteError {
        RouteError(.composition, "a tree of routes contains itself ('\(name)')")
    }

    package static func endlessTree(_ titles: [String]) -> RouteError {
        RouteError(
            .composition,
            "a tree of routes contains itself: \(shortened(titles).joined(separator: " contains "))"
        )
    }

    package static func tooManyLeaves() -> RouteError {
        RouteError(
            .budget,
            "a tree of routes is too large (at most \(Stage.leafLimit) children expected)"
        )
    }

    package static func actsOutsideAction(_ name: String) -> RouteError {
        RouteError(.script, "'nav:\(name)' can be called only in the function of 'router.action'")
    }

    package static func notAMethodCall(_ name: String, of title: String) -> RouteError {
        RouteError(.script, "'\(name)' must be called with ':' (\(title):\(name)(…) expected)")
    }
}
