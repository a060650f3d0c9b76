// SPDX-License-Identifier: MIT

extension RouteError {
    static func routerHasEnded() -> RouteError {
        RouteError(.cancelled, "the router has been shut down")
    }

    static func busy(with other: Navigation) -> RouteError {
        RouteError(.busy, "another navigation is still pending: the navigation to '\(other.title)'")
    }

    static func superseded(by other: Navigation) -> RouteError {
        RouteError(.superseded, "the navigation to '\(other.title)' replaced this one")
    }

    static func parentEnded(_ parent: Navigation) -> RouteError {
        RouteError(
            .cancelled,
            "the navigation to '\(parent.title)', which had started this work, ended with the status '\(parent.status.name)'"
        )
    }

    static func tooManyTimers() -> RouteError {
        RouteError(.budget, "too many timers (at most \(Router.timerLimit) at the same time)")
    }

    static func dropped(by navigation: Navigation) -> RouteError {
        RouteError(
            .cancelled,
            "this navigation was started by the navigation to '\(navigation.title)', which did not reach its screen"
        )
    }

    static func endlessChain() -> RouteError {
        RouteError(
            .composition,
            "navigations begin each other endlessly (more than \(Router.chainLimit) in a row)"
        )
    }

    static func endedTwice(
        _ task: RouteTask,
        second: RouteTask.Status,
        at location: Location?
    ) -> RouteError {
        let first =
            if let place = task.endPlace {
                "at \(place)"
            } else if task.hasExpired {
                "by its timeout"
            } else if case .cancelled = task.status {
                "by its cancellation"
            } else {
                "by the host"
            }
        let again = location.map { "at \($0)" } ?? "by the host"
        let why = if case .failed(let error) = second { ": \(error.message)" } else { "" }
        return RouteError(
            .script,
            "task '\(task.target)' was ended twice, \(first) and \(again)\(why)"
        )
    }

    static func cannotWait(_ name: String) -> RouteError {
        RouteError(
            .script,
            "'\(name)' cannot wait here (call it in \(APIFunction.waiters))"
        )
    }
}
