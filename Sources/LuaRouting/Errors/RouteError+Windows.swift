// SPDX-License-Identifier: MIT

/// The messages about windows, and about what a host shows by itself.
extension RouteError {
    static func opensBeforeMain(_ name: String) -> RouteError {
        RouteError(
            .composition,
            "window '\(name)' cannot be the first ('\(Router.mainWindow)' expected)"
        )
    }

    static func closesLastWindow(_ name: String) -> RouteError {
        RouteError(.composition, "window '\(name)' is the last one and cannot be closed")
    }

    static func windowClosed(_ name: String) -> RouteError {
        RouteError(.cancelled, "window '\(name)' was closed")
    }

    static func makesForeign(_ name: String) -> RouteError {
        RouteError(
            .typeMismatch,
            "class '\(name)' is foreign: the host shows its screens without the router (another class expected)"
        )
    }
}
