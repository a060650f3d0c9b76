// SPDX-License-Identifier: MIT

/// The messages about the way of a navigation: planning, interceptors, staging.
extension RouteError {
    // MARK: Planning

    static func forbidden(_ target: Target, _ origin: Origin) -> RouteError {
        RouteError(.forbidden, "'\(target)' may not be asked for by '\(origin.rawValue)'")
    }

    static func noPlace(for action: Action, _ need: Need) -> RouteError {
        RouteError(
            .typeMismatch,
            "no \(need.title) for '\(action.name)' (one around the place expected)"
        )
    }

    static func nothingFound(_ step: Step) -> RouteError {
        RouteError(
            .startNotFound,
            "'\(step.title)' is not in the tree, and nothing builds it ('build' or 'from' expected)"
        )
    }

    static func startNotFound() -> RouteError {
        RouteError(.startNotFound, "the screen that 'from' looks for is not in the tree")
    }

    static func noCaseHolds(_ place: Location?) -> RouteError {
        RouteError(.startNotFound, "no case of the switch holds ('default' would)", at: place)
    }

    static func endlessWay(_ titles: [String]) -> RouteError {
        let shown = titles.count > 8 ? titles.prefix(6) + ["…"] + titles.suffix(1) : titles[...]
        return RouteError(
            .startNotFound,
            "the way has no beginning: \(shown.joined(separator: " from "))"
        )
    }

    static func tooManyPlans() -> RouteError {
        RouteError(
            .composition,
            "interceptors change the tree or the state each time (at most \(Router.planLimit) plans expected)"
        )
    }

    static func adaptGave(_ kind: String) -> RouteError {
        RouteError(.script, "bad result of 'adapt' (table expected, got \(kind))")
    }

    static func hasEffects(_ what: String) -> RouteError {
        RouteError(
            .script,
            "\(what) is refused while the way is planned (no effects expected of 'find', 'when', 'adapt', 'prepare' and 'dismissible')"
        )
    }

    static func notDismissible(_ screen: String) -> RouteError {
        RouteError(.notDismissible, "\(screen) may not be dismissed")
    }

    // MARK: Interceptors

    static func stopped(by name: String, _ why: String?, at place: Location?) -> RouteError {
        RouteError(.stopped, why ?? "stopped by '\(name)'", at: place)
    }

    static func redirectLoop(_ targets: [Target]) -> RouteError {
        let way = targets.map(\.description).joined(separator: " → ")
        return RouteError(.redirectLoop, "redirects without end: \(way)")
    }

    static func badAnswer(_ name: String, _ kind: String) -> RouteError {
        RouteError(
            .script,
            "bad result of interceptor '\(name)' (true, false or nothing expected, got \(kind))"
        )
    }

    static func answeredTwice(_ name: String) -> RouteError {
        RouteError(.script, "interceptor '\(name)' answered again")
    }

    static func refusesNothing(_ name: String) -> RouteError {
        let where_ = name == "stop" ? "an interceptor or 'prepare'" : "an interceptor"
        return RouteError(.script, "'router.\(name)' ends \(where_), and is refused elsewhere")
    }

    // MARK: Staging

    static func isAbsent(_ step: Step) -> RouteError {
        RouteError(
            .composition,
            "'\(step.title)' is not in the tree after the steps behind it were made"
        )
    }

    static func nowhereToPresentFrom() -> RouteError {
        RouteError(.composition, "the screen to present from is not in the tree")
    }

    static func cannotEmbed(_ action: Action, _ container: String) -> RouteError {
        RouteError(.typeMismatch, "'\(action.name)' puts nothing into \(container)")
    }

    static func leafBuildsNothing(_ target: Target) -> RouteError {
        RouteError(.script, "'\(target)' has no 'build', and cannot stand in a tree")
    }

    static func treeInsideItself(_ name: String) -> RouteError {
        RouteError(.composition, "a tree of routes stands inside itself ('\(name)')")
    }

    static func actsOutsideAction(_ name: String) -> RouteError {
        RouteError(.script, "'nav:\(name)' is refused outside the body of 'router.action'")
    }

    static func notAMethodCall(_ name: String) -> RouteError {
        RouteError(.script, "'\(name)' is called with ':' (nav:\(name)(…) expected)")
    }
}
