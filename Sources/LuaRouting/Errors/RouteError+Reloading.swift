// SPDX-License-Identifier: MIT

/// Errors about reloads, and about work that a reload ends.
extension RouteError {
    static func supersededByReload() -> RouteError {
        RouteError(
            .superseded,
            "the scripts were reloaded, and this work did not end within the drain time"
        )
    }

    static func retiredTimer() -> RouteError {
        RouteError(
            .superseded,
            "'router.delay' cannot be called by scripts that a reload has retired, except in a pending navigation or task (set timers in 'router.activated' of the new scripts)"
        )
    }

    static func ofClosedScripts() -> RouteError {
        RouteError(.superseded, "the function belongs to a retired generation")
    }

    static func pinned() -> RouteError {
        RouteError(.busy, "a rollback has pinned the router to an earlier bundle (call 'unpin')")
    }

    static func incomplete(_ entry: String) -> RouteError {
        RouteError(
            .script,
            "the scripts do not call 'router.complete()', but the active scripts have called it",
            at: Location(file: entry, line: 1)
        )
    }

    static func unknownLevel(_ level: Int) -> RouteError {
        let known = Router.apiLevels
        let levels = known.count == 1 ? "level" : "levels \(known.lowerBound) to"
        return RouteError(
            .script,
            "the scripts need API level \(level), but this host supports \(levels) \(known.upperBound) "
                + "(load scripts for a supported level, or update the app)"
        )
    }

    static func migrationGave(_ kind: String) -> RouteError {
        RouteError(
            .script,
            "bad result of 'router.migrate' (table of named values expected, got \(kind))"
        )
    }
}
