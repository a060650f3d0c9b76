// SPDX-License-Identifier: MIT

/// The messages about snapshots, and about what of them does not come back.
extension RouteError {
    static func badSnapshot(_ path: String, _ expected: String, _ actual: String) -> RouteError {
        RouteError(
            .badInfo,
            "bad snapshot: bad field '\(path)' (\(expected) expected, got \(actual))"
        )
    }

    static func unknownInSnapshot(_ path: String, _ hint: String) -> RouteError {
        RouteError(.badInfo, "bad snapshot: unknown field '\(path)'\(hint)")
    }

    static func tooManyScreens(_ count: Int) -> RouteError {
        RouteError(
            .budget,
            "bad snapshot: too many screens (at most \(Snapshot.screenLimit) expected, got \(count))"
        )
    }

    static func snapshotTooDeep(_ path: String) -> RouteError {
        RouteError(
            .badInfo,
            "bad snapshot: '\(path)' stands too deep (at most \(ScreenTree.depthLimit) screens in or above each other)"
        )
    }

    static func snapshotTooLarge(_ count: Int) -> RouteError {
        RouteError(
            .budget,
            "bad snapshot: too large (at most \(Snapshot.jsonLimit) bytes expected, got \(count))"
        )
    }

    static func snapshotOfStage() -> RouteError {
        RouteError(
            .script,
            "'router.snapshot' is refused while a navigation makes its screens: they may not come to stand"
        )
    }

    static func nothingCameBack(_ losses: [Restoration.Loss]) -> RouteError {
        RouteError(
            .composition,
            "no window of the snapshot came back"
                + (losses.first.map { " (\($0.description))" } ?? " (it holds none)")
        )
    }

    static func restoresForeign() -> RouteError {
        RouteError(.typeMismatch, "it is foreign: the host showed it without the router")
    }

    static func containerIsNotDeclared(_ name: String) -> RouteError {
        RouteError(.typeMismatch, "container '\(name)' is not declared any more")
    }

    static func restoreGaveNothing(_ name: String) -> RouteError {
        RouteError(.script, "'restore' of class '\(name)' gave nothing")
    }

    static func restoreGave(_ kind: String, _ name: String) -> RouteError {
        RouteError(
            .script,
            "bad result of 'restore' of class '\(name)' (table, screen or nil expected, got \(kind))"
        )
    }
}
