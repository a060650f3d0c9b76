// SPDX-License-Identifier: MIT

internal import SystemGaps

/// The identity of a screen in one router.
///
/// The ``serial`` is shown to users and never reused by the router. The slot locates the screen in
/// the tree, so that a lookup costs one comparison. The tree number distinguishes screens of
/// different routers.
///
/// ```swift
/// var views: [ScreenID: String] = [:]
/// let root = router.tree.windows[0].root
/// for id in router.tree.screens(under: root) { views[id] = router.tree[id].class }
/// print(views[root] ?? "")  // nav
/// ```
public struct ScreenID: Hashable, Sendable {
    /// The number of the screen, from 1.
    public let serial: Int32

    @usableFromInline package let slot: Int32

    /// The number of the tree, shared by its copies.
    @usableFromInline package let tree: Int32

    @inlinable
    package init(serial: Int32, slot: Int32, tree: Int32) {
        self.serial = serial
        self.slot = slot
        self.tree = tree
    }

    /// The serial and the slot in one number, for users of a single tree; ``ScreenTree/id(_:)``
    /// converts it back.
    package var identifier: Int64 { Int64(serial) << 32 | Int64(slot) }

    /// Hashes the serial: within one tree, a serial has one slot.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(Int64(serial) << 32 | Int64(tree))
    }
}

/// The number of the most recently created tree.
private let lastTree = Atomic()

extension ScreenTree {
    /// Returns a number for a new tree.
    static func nextNumber() -> Int32 {
        Int32(truncatingIfNeeded: lastTree.add(1))
    }

    /// Returns the screen ID of an identifier in this tree.
    package func id(_ identifier: Int64) -> ScreenID {
        ScreenID(
            serial: Int32(truncatingIfNeeded: identifier >> 32),
            slot: Int32(truncatingIfNeeded: identifier),
            tree: number
        )
    }
}
