// SPDX-License-Identifier: MIT

/// Whether the user may remove a screen without `leaving` being called.
///
/// ```swift
/// let page = router.tree.visibleLeaf(of: router.tree.windows[0])
/// print(router.guard(of: [page]))  // free
/// ```
public enum Guard: Int, Sendable, Comparable {
    /// The user can remove the screen. The host then reports that the screen is gone.
    case free
    /// The screen's `leaving` decides whether the screen is removed. Instead of completing the
    /// gesture, the host calls a leaving verb of the router, with the origin `person`.
    case asks
    /// The user cannot remove the screen.
    case never

    /// Orders guards from the least to the most strict.
    public static func < (one: Guard, other: Guard) -> Bool { one.rawValue < other.rawValue }
}
