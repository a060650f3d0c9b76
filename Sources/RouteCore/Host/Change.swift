// SPDX-License-Identifier: MIT

/// The difference between the tree that a host shows and the one that it is to show.
public struct Change: Sendable {
    /// The operations that lead from one tree to the other, in order.
    public let operations: [TreeOperation]
    /// Whether the change should be animated.
    public let isAnimated: Bool
    /// The number of the change, from 1 on.
    public let revision: Int
    /// The number of the navigation that caused the change; nil if none did.
    public let navigation: Int?
    /// Whether the router does not know what the host shows, because it failed or did not answer.
    ///
    /// Then the operations replace the root of every window.
    public let isResynchronization: Bool

    /// Creates a change.
    public init(
        operations: [TreeOperation],
        isAnimated: Bool = true,
        revision: Int,
        navigation: Int? = nil,
        isResynchronization: Bool = false
    ) {
        self.operations = operations
        self.isAnimated = isAnimated
        self.revision = revision
        self.navigation = navigation
        self.isResynchronization = isResynchronization
    }
}
