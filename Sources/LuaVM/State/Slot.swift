// SPDX-License-Identifier: MIT

import Synchronization

/// The slots that were let go of, on whatever thread, until their state frees them.
final class ReleasedSlots: Sendable {
    private let slots = Mutex<[Int32]>([])
    private let isAny = Atomic(false)

    func append(_ slot: Int32) {
        slots.withLock { $0.append(slot) }
        isAny.store(true, ordering: .releasing)
    }

    var isEmpty: Bool { !isAny.load(ordering: .relaxed) }

    func removeAll() -> [Int32] {
        isAny.store(false, ordering: .relaxed)
        return slots.withLock { slots in
            defer { slots = [] }
            return slots
        }
    }
}

/// A value of Lua that is kept alive, and known by its position in one state.
///
/// It has one owner, so no slot can be used after it was freed: that is what a generation
/// number would have to find out.
struct Slot: ~Copyable, Sendable {
    let released: ReleasedSlots
    let index: Int32

    deinit {
        released.append(index)
    }
}
