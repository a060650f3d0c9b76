// SPDX-License-Identifier: MIT

package import RouteCore

/// Errors about windows and foreign screens.
extension RouteError {
    package static func presentsNothing(_ screen: String) -> RouteError {
        RouteError(.composition, "'\(screen)' presents no screen (a presenting screen expected)")
    }

    package static func opensBeforeMain(_ name: String) -> RouteError {
        RouteError(
            .composition,
            "window '\(name)' cannot be the first window ('\(RouterWindow.main)' expected)"
        )
    }

    package static func closesLastWindow(_ name: String) -> RouteError {
        RouteError(.composition, "window '\(name)' is the last window and cannot be closed")
    }

    package static func plansInOtherWindow(
        _ screen: String,
        window: String,
        own: String
    ) -> RouteError {
        RouteError(
            .composition,
            "the plan starts at '\(screen)' in window '\(window)', but the navigation is in window '\(own)' (start at a screen of '\(own)', or pass the option window = \"\(window)\")"
        )
    }

    package static func windowClosed(_ name: String) -> RouteError {
        RouteError(.cancelled, "window '\(name)' was closed")
    }

    package static func makesForeign(_ name: String) -> RouteError {
        RouteError(
            .typeMismatch,
            "class '\(name)' is foreign: the host shows its screens without the router (another class expected)"
        )
    }

    package static func tooManyPending(_ what: String, _ limit: Int) -> RouteError {
        RouteError(.budget, "too many \(what) (at most \(limit) at the same time)")
    }
}
