// SPDX-License-Identifier: MIT

/// Who asks for a navigation.
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

/// What a caller may say about a navigation, besides where it goes.
public struct NavigationOptions: Sendable {
    /// The action, in place of the route's own and of where that begins; nil for those.
    public var via: Action?
    /// The screen where the way begins; nil for where the route's begins.
    public var from: ScreenID?
    /// The name of the window; nil for that of `from`, or else `main`.
    public var window: String?
    /// Whether the host should animate.
    public var isAnimated: Bool
    /// Who asks.
    public var origin: Origin

    /// Creates options.
    public init(
        via: Action? = nil,
        from: ScreenID? = nil,
        window: String? = nil,
        isAnimated: Bool = true,
        origin: Origin = .host
    ) {
        self.via = via
        self.from = from
        self.window = window
        self.isAnimated = isAnimated
        self.origin = origin
    }
}
