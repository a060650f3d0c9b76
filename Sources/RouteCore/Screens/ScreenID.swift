// SPDX-License-Identifier: MIT

internal import SystemGaps

/// The identity of a screen in one router.
///
/// The router shows the ``serial`` to users and never reuses it. The slot locates the screen in the
/// tree, so that a lookup costs one comparison. The number of the tree distinguishes screens of
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

    /// The number that identifies the screen's tree and all copies of the tree.
    @usableFromInline package let tree: Int32

    @inlinable
    package init(serial: Int32, slot: Int32, tree: Int32) {
        self.serial = serial
        self.slot = slot
        self.tree = tree
    }

    /// The serial and the slot combined in one number, which identifies the screen within a single
    /// tree.
    ///
    /// ``ScreenTree/id(_:)`` converts the number back.
    package var identifier: Int64 { Int64(serial) << 32 | Int64(slot) }

    /// Hashes the serial and the tree; the slot is omitted, because a serial has one slot within a
    /// tree.
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

    /// Returns the ID of the screen of this tree with the given ``ScreenID/identifier``.
    package func id(_ identifier: Int64) -> ScreenID {
        ScreenID(
            serial: Int32(truncatingIfNeeded: identifier >> 32),
            slot: Int32(truncatingIfNeeded: identifier),
            tree: number
        )
    }
}
