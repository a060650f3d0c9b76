// SPDX-License-Identifier: MIT

public import RouteCore

/// The origin of a navigation.
public enum Origin: String, Sendable, CaseIterable {
    /// The app's own call.
    case host
    /// A call of a script.
    case script
    /// A URL that a person or the app opened.
    case url
    /// What the host says came from outside.
    case external
}

/// The treatment of a navigation while another one is pending.
public enum Policy: String, Sendable, CaseIterable {
    /// It waits until the other one has ended.
    case queue
    /// The other one is cancelled, with the code `superseded`.
    case latest
    /// It fails with `busy`.
    case reject
    /// Both go on.
    case parallel
}

/// The policy of a navigation to a route if a screen that the host shows without the router, such as
/// an alert, is on top of its window.
package enum ForeignPolicy: String, CaseIterable {
    /// It waits, as at a gate, until the screen is gone.
    case wait
    /// It goes on: pushes go to the stack below the screen, which stays on top; a modal is presented
    /// over it.
    case cover
    /// It dismisses the screen.
    case dismiss
}

/// The options of a navigation.
public struct NavigationOptions: Sendable {
    /// The action, in place of the route's own and of where that begins; nil for those.
    public var via: Action?
    /// The screen where the way begins; nil for where the route's begins.
    public var from: ScreenID?
    /// The name of the window; nil for that of `from`, else for that of the navigation for which
    /// a script asks, or else for the first one, which is `main` unless that was closed.
    public var window: String?
    /// Whether the host should animate.
    public var isAnimated: Bool
    /// Who asks; nil for `url` where a URL is opened, and else for `host`.
    public var origin: Origin?
    /// How long it may take, in seconds; nil, zero or less for as long as it does.
    ///
    /// While an interceptor awaits a navigation of its own, or a screen's result, the time
    /// stands still.
    public var timeout: Double?
    /// What becomes of it while another one is pending; nil for what the scripts say.
    public var policy: Policy?
    /// Whether it is made although an equal one is pending; else it joins that one.
    public var isAgain: Bool
    /// Whether screens go without being asked.
    public var isForced: Bool

    /// Whether a script asks, which then needs the right to.
    @usableFromInline package var isByScript = false

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
