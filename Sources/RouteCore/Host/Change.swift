// SPDX-License-Identifier: MIT

/// The difference between the tree that a host shows and the tree to show next.
///
/// ```swift
/// let options = NavigationOptions(isAnimated: false)
/// router.navigate(Target("Page", "show"), info: ["id": 7], options: options)
/// let change = host.changes[0]
/// print(change.isAnimated, change.operations.map(\.name))  // false ["push"]
/// ```
public struct Change: Sendable {
    /// The operations that turn the shown tree into the new tree, in order.
    public let operations: [TreeOperation]
    /// Whether the change should be animated.
    public let isAnimated: Bool
    /// The number of the change, from 1.
    public let revision: Int
    /// The number of the navigation that caused the change; nil if the change has another cause.
    public let navigation: Int?
    /// Whether the router does not know what the host shows, because the host failed, or did not
    /// complete a change in time.
    ///
    /// The operations of such a change replace the root of every window.
    public let isResynchronization: Bool
    /// Whether the router returned to a checkpoint.
    ///
    /// After a rewind, the same ``ScreenID`` may identify a different screen than before.
    ///
    /// A rewind is also a resynchronization. The revision is the number of the last change before
    /// the checkpoint.
    public let isRewind: Bool
    /// The guards of the visible screens.
    ///
    /// A screen that is not listed is ``Guard/free``.
    ///
    /// A guard also covers all screens that would be removed together with the screen. If guards
    /// have changed in a turn of the router, a change without operations reports the new guards.
    public let guards: [ScreenID: Guard]

    /// Creates a change.
    public init(
        operations: [TreeOperation],
        isAnimated: Bool = true,
        revision: Int,
        navigation: Int? = nil,
        isResynchronization: Bool = false,
        isRewind: Bool = false,
        guards: [ScreenID: Guard] = [:]
    ) {
        self.operations = operations
        self.isAnimated = isAnimated
        self.revision = revision
        self.navigation = navigation
        self.isResynchronization = isResynchronization
        self.isRewind = isRewind
        self.guards = guards
    }
}
