// SPDX-License-Identifier: MIT

/// Logs failures of work that the host began, if neither a completion handler nor a waiting caller
/// receives the error.
extension Router {
    /// Logs the failure of a navigation, unless a script began the navigation or a caller receives
    /// the error.
    ///
    /// The callers of navigations that are coalesced with this navigation count too.
    ///
    /// A user's request that a script stopped does not count as a failure.
    func logUnawaited(_ navigation: Navigation, _ error: RouteError) {
        guard navigation.location == nil, !navigation.isAwaited,
            navigation.origin != .person || error.code != .stopped,
            !navigation.record.followers.contains(where: \.isAwaited)
        else { return }
        let title =
            navigation.isRoute ? "navigation to '\(navigation.title)'" : "'\(navigation.title)'"
        logUnawaited(title, error: error, in: navigation)
    }

    /// Logs the failure of a task, unless a script began the task or its caller receives the error.
    func logUnawaited(_ task: RouteTask, _ error: RouteError) {
        guard task.location == nil, !task.isAwaited else { return }
        logUnawaited("task '\(task.target)'", error: error, in: task.navigation)
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
