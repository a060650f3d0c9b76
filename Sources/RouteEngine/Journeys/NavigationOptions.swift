// SPDX-License-Identifier: MIT

public import RouteCore

/// The origin of a navigation.
///
/// ```swift
/// let navigation = router.open("app://pages/7", origin: .external)
/// print(navigation.origin, router.treeNotation())  // external nav[Home, Page(id=7)]
/// ```
public enum Origin: String, Sendable, CaseIterable {
    /// A call by the app.
    case host
    /// A call by a script.
    case script
    /// A URL that a user or the app opened.
    case url
    /// A request from outside of the app, as reported by the host.
    case external
    /// A gesture or button with which the user leaves screens. The host then calls the router
    /// instead of removing the screens itself. A navigation with this origin cannot lead to a
    /// route.
    case person

    /// The origins that can navigate to routes.
    package static let ofRoutes = allCases.filter { $0 != .person }
}

/// The policy for a navigation that begins while another one is pending.
///
/// ```swift
/// let checkout = router.navigate(Target("Checkout", "show"))
/// let options = NavigationOptions(policy: .latest)
/// router.navigate(Target("Page", "show"), info: ["id": 7], options: options)
/// print(checkout.status.name)  // cancelled
/// ```
public enum Policy: String, Sendable, CaseIterable {
    /// The new navigation waits until the other navigation has ended.
    case queue
    /// The other navigation is cancelled with the code `superseded`.
    case latest
    /// The new navigation fails with the code `busy`.
    case reject
    /// Both navigations continue.
    case parallel
}

/// The policy for a navigation to a route if a foreign screen is on top of the window.
///
/// The host shows foreign screens, such as alerts, without the router.
package enum ForeignPolicy: String, CaseIterable {
    /// The navigation waits until the foreign screen is gone.
    case wait
    /// The foreign screen stays on top. A push goes to the stack below it, and a modal is presented
    /// over it.
    case cover
    /// The navigation dismisses the foreign screen.
    case dismiss
}

/// The policy for a link that would put a screen on a dialog, or remove a dialog.
///
/// A dialog consists of the screens at which a navigation waits, such as a login, and of the
/// screens above these screens.
package enum DialogPolicy: String, CaseIterable {
    /// The link removes the dialog. The navigations that wait for the dialog are cancelled with the
    /// code `superseded`.
    case leave
    /// The link waits until the navigations that wait for the dialog have ended.
    case wait
    /// The link puts its screen on the dialog.
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
    /// The action that replaces the action and the parent of the route; nil to use the action and
    /// the parent that the route declares.
    public var via: Action?
    /// The screen where the navigation starts; nil to use the start that the route declares.
    public var from: ScreenID?
    /// The name of the window; nil for the default.
    ///
    /// The default is the window of `from`. Without `from`, it is the window of the navigation for
    /// which the calling script runs, or otherwise the first window, which is `main` unless it was
    /// closed.
    public var window: String?
    /// Whether the host should animate the change.
    public var isAnimated: Bool
    /// The origin of the navigation; nil for the default, which is `url` if a URL is opened, and
    /// `host` otherwise.
    public var origin: Origin?
    /// The timeout in seconds; nil, zero or less for no timeout.
    ///
    /// A value that is not finite, or that is 10¹¹ or more, causes the error `badInfo`.
    ///
    /// The timeout is paused while an interceptor waits for a navigation that it has started, or
    /// for the result of a screen.
    public var timeout: Double?
    /// The policy if another navigation is pending; nil for the policy that the scripts set.
    public var policy: Policy?
    /// Whether to start a new navigation even if an identical navigation is pending.
    ///
    /// By default, the two navigations are coalesced.
    public var isAgain: Bool
    /// Whether screens are removed without calling `dismissible` and `leaving`.
    public var isForced: Bool

    /// Whether a script made the request.
    ///
    /// If so, the changes require the capabilities of the scripts.
    @usableFromInline package var isByScript = false

    /// Whether all options except the window and the origin have their default values.
    package var isPlain: Bool {
        via == nil && from == nil && timeout == nil && policy == nil && isAnimated && !isAgain
            && !isForced
    }

    /// Whether the options name a window.
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
