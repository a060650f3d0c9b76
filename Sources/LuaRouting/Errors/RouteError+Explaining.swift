// SPDX-License-Identifier: MIT

/// The messages about explanations.
extension RouteError {
    static func explainsWithinTurn() -> RouteError {
        RouteError(
            .script,
            "'router.explain' is refused while a way is planned or its screens are made (no function that plans, builds or updates expected)"
        )
    }

    static func wasExplained() -> RouteError {
        RouteError(.cancelled, "it was only explained")
    }
}
