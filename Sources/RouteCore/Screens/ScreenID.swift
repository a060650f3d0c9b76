// SPDX-License-Identifier: MIT

internal import Synchronization

/// The identity of a screen in one router.
///
/// The ``serial`` is what people see; it is never used again in a router's life. The slot
/// is where a tree keeps the screen, so that finding it costs one comparison. The tree tells
/// the screens of one router from those of another.
public struct ScreenID: Hashable, Sendable {
    /// The number of the screen, from 1 on.
    public let serial: Int32

    @usableFromInline package let slot: Int32

    /// The number of the tree, which its copies share.
    @usableFromInline package let tree: Int32

    @inlinable
    package init(serial: Int32, slot: Int32, tree: Int32) {
        self.serial = serial
        self.slot = slot
        self.tree = tree
    }

    /// The serial and the slot in one number, for those who know of one tree only;
    /// ``ScreenTree/id(_:)`` reads it.
    package var identifier: Int64 { Int64(serial) << 32 | Int64(slot) }

    /// Hashes what tells most screens apart: of one tree, no serial has two slots.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(Int64(serial) << 32 | Int64(tree))
    }
}

/// The number that the last tree got.
private let lastTree = Atomic<Int32>(0)

extension ScreenTree {
    /// A number for a new tree.
    static func nextNumber() -> Int32 {
        lastTree.wrappingAdd(1, ordering: .relaxed).newValue
    }

    /// The screen of an identifier, of this tree.
    package func id(_ identifier: Int64) -> ScreenID {
        ScreenID(
            serial: Int32(truncatingIfNeeded: identifier >> 32),
            slot: Int32(truncatingIfNeeded: identifier),
            tree: number
        )
    }
}
