// SPDX-License-Identifier: MIT

/// Errors about explanations.
extension RouteError {
    static func explainedWhilePlanning() -> RouteError {
        RouteError(
            .script,
            "'router.explain' cannot be called while a navigation is planned or is building screens (an interceptor, a task, 'after' or a listener expected)"
        )
    }

    static func wasExplained() -> RouteError {
        RouteError(.cancelled, "it was only explained")
    }
}
