// SPDX-License-Identifier: MIT

/// Logs failures of work that the host or a script began, if neither a completion handler nor a
/// waiting caller receives the error.
extension Router {
    /// Logs the failure of a navigation, unless a caller receives the error.
    ///
    /// A script that began the navigation may still await it before the script ends or waits.
    ///
    /// The callers of navigations that are coalesced with this navigation count too.
    ///
    /// A user's request that a script stopped does not count as a failure.
    func logUnawaited(_ navigation: Navigation, _ error: RouteError) {
        guard !navigation.isAwaited, navigation.origin != .person || error.code != .stopped,
            !navigation.record.followers.contains(where: \.isAwaited)
        else { return }
        whenNoScriptRuns(ifByScript: navigation.location) { router in
            guard !navigation.isAwaited else { return }
            let title =
                navigation.isRoute
                ? "navigation to '\(navigation.title)'" : "'\(navigation.title)'"
            router.logUnawaited(title, error: error, in: navigation)
        }
    }

    /// Logs the failure of a task, unless its caller receives the error.
    func logUnawaited(_ task: RouteTask, _ error: RouteError) {
        guard !task.isAwaited else { return }
        whenNoScriptRuns(ifByScript: task.location) { router in
            guard !task.isAwaited else { return }
            router.logUnawaited("task '\(task.target)'", error: error, in: task.navigation)
        }
    }

    /// Performs the work now, or when no script is running if a script began what has failed.
    private func whenNoScriptRuns(
        ifByScript location: RouteError.Location?,
        _ work: @escaping (Router) -> Void
    ) {
        guard !awaitsAllWork else { return }
        if location == nil { work(self) } else { queue.unawaited.append(work) }
    }

    /// Logs the failure of a deep link, unless a script dispatched the link or its caller receives
    /// the error.
    func logUnawaited(_ link: QueuedLink, _ error: RouteError) {
        guard link.location == nil, link.completion == nil else { return }
        logUnawaited("deep link '\(RouteError.shortened(link.url))'", error: error, in: nil)
    }

    private func logUnawaited(_ title: String, error: RouteError, in navigation: Navigation?) {
        guard !awaitsAllWork else { return }
        let message = "\(title) failed (\(error.code.rawValue)): \(error.message)"
        emit(
            .log,
            of: navigation,
            at: error.location,
            fields: [("level", "warn"), ("message", Value(message))]
        )
    }
}
