// SPDX-License-Identifier: MIT

/// Whether the user may remove a screen without `leaving` being called.
///
/// ```swift
/// let page = router.tree.visibleLeaf(of: router.tree.windows[0])
/// print(router.guard(of: [page]))  // free
/// ```
public enum Guard: Int, Sendable, Comparable {
    /// The host removes the screen, and reports it.
    case free
    /// The screen's `leaving` decides: the host calls a leaving verb of the router, with the origin
    /// `person`, instead of completing the gesture.
    case asks
    /// The screen stays.
    case never

    /// Orders guards by their strictness.
    public static func < (one: Guard, other: Guard) -> Bool { one.rawValue < other.rawValue }
}
