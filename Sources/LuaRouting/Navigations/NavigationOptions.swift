// SPDX-License-Identifier: MIT

/// The action that puts a screen into the tree.
public enum Via: String, Sendable, CaseIterable {
    /// Pushes it on the nearest stack; pops to it where it stands in that stack already.
    case push
    /// Presents it over the topmost level.
    case present
    /// Presents it over the topmost level, in a new stack.
    case presentWithNav
    /// Makes it the root of the window.
    case replaceRoot
}

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
    /// The action; nil for the one of the route.
    public var via: Via?
    /// The place from which the action starts; nil for the default of the action.
    public var from: ScreenID?
    /// The name of the window; nil for that of `from`, or else `main`.
    public var window: String?
    /// Whether the host should animate.
    public var isAnimated: Bool
    /// Who asks.
    public var origin: Origin

    /// Creates options.
    public init(
        via: Via? = nil,
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
