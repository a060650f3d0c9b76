// SPDX-License-Identifier: MIT

package import RouteCore

/// Errors about snapshots, and the reasons why parts of a snapshot cannot be restored.
extension RouteError {
    package static func badSnapshot(_ path: String, expected: String, actual: String)
        -> RouteError
    {
        RouteError(
            .badInfo,
            "bad snapshot: bad field '\(path)' (\(expected) expected, got \(actual))"
        )
    }

    package static func unknownInSnapshot(_ path: String, _ hint: String) -> RouteError {
        RouteError(.badInfo, "bad snapshot: unknown field '\(path)'\(hint)")
    }

    package static func tooManyScreens(_ count: Int) -> RouteError {
        RouteError(
            .budget,
            "bad snapshot: too many screens (at most \(Snapshot.screenLimit) expected, got \(count))"
        )
    }

    package static func snapshotTooDeep(_ path: String) -> RouteError {
        RouteError(
            .badInfo,
            "bad snapshot: '\(path)' is nested too deeply (at most \(ScreenTree.depthLimit) levels of containers and modals)"
        )
    }

    package static func snapshotTooLarge(_ count: Int) -> RouteError {
        RouteError(
            .budget,
            "bad snapshot: too large (at most \(Snapshot.jsonLimit) bytes expected, got \(count))"
        )
    }

    package static func snapshotOfStage() -> RouteError {
        RouteError(
            .script,
            "'router.snapshot' cannot be called while a navigation is building screens"
        )
    }

    package static func nothingCameBack(_ losses: [RestorationLoss]) -> RouteError {
        RouteError(
            .composition,
            "no window of the snapshot was restored"
                + (losses.first.map { " (\($0.description))" }
                    ?? " (the snapshot contains no windows)")
        )
    }

    package static func restoresForeign() -> RouteError {
        RouteError(.typeMismatch, "the screen is foreign: the host showed it without the router")
    }

    package static func containerIsNotDeclared(_ name: String) -> RouteError {
        RouteError(.typeMismatch, "container '\(name)' is no longer declared")
    }

    package static func restoreGaveNothing(_ name: String) -> RouteError {
        RouteError(.script, "'restore' of class '\(name)' returned nothing")
    }

    package static func restoreGave(_ kind: String, _ name: String) -> RouteError {
        RouteError(
            .script,
            "bad result of 'restore' of class '\(name)' (table, screen or nil expected, got \(kind))"
        )
    }
}
