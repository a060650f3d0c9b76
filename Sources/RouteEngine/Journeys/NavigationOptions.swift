// SPDX-License-Identifier: MIT

public import RouteCore

/// The origin of a navigation.
///
/// ```swift
/// let navigation = router.open("app://pages/7", origin: .external)
/// print(navigation.origin, router.treeNotation())  // external nav[Home, Page(id=7)]
/// ```
public enum Origin: String, Sendable, CaseIterable {
    /// A call of the app.
    case host
    /// A call of a script.
    case script
    /// A URL that a user or the app opened.
    case url
    /// A request from outside, as reported by the host.
    case external
    /// A gesture or button with which the user leaves screens, for which the host calls the router
    /// instead of removing them itself. This origin cannot navigate to a route.
    case person

    /// The origins of requests for routes.
    package static let ofRoutes = allCases.filter { $0 != .person }
}

/// The treatment of a navigation while another one is pending.
///
/// ```swift
/// let checkout = router.navigate(Target("Checkout", "show"))
/// let options = NavigationOptions(policy: .latest)
/// router.navigate(Target("Page", "show"), info: ["id": 7], options: options)
/// print(checkout.status.name)  // cancelled
/// ```
public enum Policy: String, Sendable, CaseIterable {
    /// The navigation waits until the other one has ended.
    case queue
    /// The other navigation is cancelled, with the code `superseded`.
    case latest
    /// It fails with `busy`.
    case reject
    /// Both continue.
    case parallel
}

/// The policy of a navigation to a route while a foreign screen is on top of its window: a screen
/// such as an alert, which the host shows without the router.
package enum ForeignPolicy: String, CaseIterable {
    /// It waits, as at a gate, until the screen is gone.
    case wait
    /// The navigation continues: pushes go to the stack below the screen, which stays on top; a
    /// modal is presented over it.
    case cover
    /// It dismisses the screen.
    case dismiss
}

/// The policy of a link whose screen would be put on a dialog, or whose change would remove it.
///
/// A dialog is the screens at which a navigation waits, such as a login, and the screens that were
/// put on them.
package enum DialogPolicy: String, CaseIterable {
    /// It removes the dialog; the navigations that wait there are cancelled, with the code
    /// `superseded`.
    case leave
    /// It waits until the navigations that wait there have ended.
    case wait
    /// It puts its screen on the dialog.
    case join
}

/// The options of a navigation.
///
/// ```swift
/// let options = NavigationOptions(via: .present, isAnimated: false, timeout: 10)
/// router.navigate(Target("Page", "show"), info: ["id": 7], options: options)
/// print(router.treeNotation())  // nav[Home] ^ Page(id=7)
/// ```
public struct NavigationOptions: Sendable {
    /// The action, which replaces the action and the start of the route; nil to use those of the
    /// route.
    public var via: Action?
    /// The screen where the navigation starts; nil for the start of the route.
    public var from: ScreenID?
    /// The name of the window, or nil for the default.
    ///
    /// The default is the window of `from`, otherwise the window of the navigation on whose behalf
    /// a script calls, otherwise the first window, which is `main` unless it was closed.
    public var window: String?
    /// Whether the host should animate.
    public var isAnimated: Bool
    /// The origin; by default `url` if a URL is opened, otherwise `host`.
    public var origin: Origin?
    /// The timeout in seconds; nil, zero or less for no timeout.
    ///
    /// A number that is not finite or not below 10¹¹ is `badInfo`.
    ///
    /// The time is paused while an interceptor awaits a navigation that it began, or a screen's
    /// result.
    public var timeout: Double?
    /// The policy while another navigation is pending; nil for the policy of the scripts.
    public var policy: Policy?
    /// Whether to start a new navigation even if an identical one is pending.
    ///
    /// By default the two are coalesced.
    public var isAgain: Bool
    /// Whether screens are removed without being asked.
    public var isForced: Bool

    /// Whether a script makes the request, which requires the capability.
    @usableFromInline package var isByScript = false

    /// Whether they are the default ones, apart from the window and the origin.
    package var isPlain: Bool {
        via == nil && from == nil && timeout == nil && policy == nil && isAnimated && !isAgain
            && !isForced
    }

    /// Whether a window is named.
    package var namesWindow: Bool { window != nil }

    /// Creates options.
    @inlinable
    public init(
        via: Action? = nil,
        from: ScreenID? = nil,
        window: String? = nil,
        isAnimated: Bool = true,
        origin: Origin? = nil,
        timeout: Double? = nil,
        policy: Policy? = nil,
        again isAgain: Bool = false,
        force isForced: Bool = false
    ) {
        self.via = via
        self.from = from
        self.window = window
        self.isAnimated = isAnimated
        self.origin = origin
        self.timeout = timeout
        self.policy = policy
        self.isAgain = isAgain
        self.isForced = isForced
    }
}
