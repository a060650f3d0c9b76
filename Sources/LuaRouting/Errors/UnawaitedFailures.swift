// SPDX-License-Identifier: MIT

/// Logs failures of the host's work if no completion handler receives the error and no caller
/// awaits it.
extension Router {
    /// Logs the failure of a navigation, unless it was begun by a script, or the error is received
    /// by a caller of this navigation or of a navigation that was coalesced with it.
    ///
    /// It is not a failure if a screen stays after a gesture of the user.
    func logUnawaited(_ navigation: Navigation, _ error: RouteError) {
        guard navigation.location == nil, !navigation.isAwaited,
            navigation.origin != .person || error.code != .stopped,
            !navigation.record.followers.contains(where: \.isAwaited)
        else { return }
        let title =
            navigation.isRoute ? "navigation to '\(navigation.title)'" : "'\(navigation.title)'"
        logUnawaited(title, error: error, in: navigation)
    }

    /// Logs the failure of a task, unless it was begun by a script or its caller receives the
    /// error.
    func logUnawaited(_ task: RouteTask, _ error: RouteError) {
        guard task.location == nil, !task.isAwaited else { return }
        logUnawaited("task '\(task.target)'", error: error, in: task.navigation)
    }

    /// Logs the failure of a deep link, unless it was dispatched by a script or its caller receives
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
