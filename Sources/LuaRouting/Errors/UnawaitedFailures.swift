// SPDX-License-Identifier: MIT

/// Failures of the host's own work that no completion handler receives and no caller awaits.
extension Router {
    /// Logs the failure of a navigation, unless a script began it, or a caller of it or of a
    /// navigation that is coalesced with it receives the error.
    ///
    /// If a screen stays after a gesture of the user, this is not a failure.
    func logUnawaited(_ navigation: Navigation, _ error: RouteError) {
        guard navigation.location == nil, !navigation.isAwaited,
            navigation.origin != .person || error.code != .stopped,
            !navigation.record.followers.contains(where: \.isAwaited)
        else { return }
        let title =
            navigation.isRoute ? "navigation to '\(navigation.title)'" : "'\(navigation.title)'"
        logUnawaited(title, error: error, in: navigation)
    }

    /// Logs the failure of a task, unless its caller receives the error or is a script.
    func logUnawaited(_ task: RouteTask, _ error: RouteError) {
        guard task.location == nil, !task.isAwaited else { return }
        logUnawaited("task '\(task.target)'", error: error, in: task.navigation)
    }

    /// Logs the failure of a deep link, unless its caller receives the error or is a script.
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
