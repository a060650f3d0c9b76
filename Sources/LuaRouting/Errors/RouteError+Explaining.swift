// SPDX-License-Identifier: MIT

/// Errors about explanations.
extension RouteError {
    static func explainedWhilePlanning() -> RouteError {
        RouteError(
            .script,
            "'router.explain' cannot be called while a navigation is planned or is building screens (call it in an interceptor, a task, 'after' or a listener)"
        )
    }

    static func wasExplained() -> RouteError {
        RouteError(.cancelled, "not started, because an explanation is a dry run")
    }
}
