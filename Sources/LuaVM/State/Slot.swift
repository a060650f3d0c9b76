// SPDX-License-Identifier: MIT

internal import CLuaRoute
import Synchronization

/// What was let go of, on whatever thread, until its state frees it.
final class ReleasedHandles: Sendable {
    struct Handles {
        var slots: [Int32] = []
        var threads: [LuaRouteThread] = []
    }

    private let handles = Mutex(Handles())
    private let isAny = Atomic(false)

    func append(slot: Int32) {
        handles.withLock { $0.slots.append(slot) }
        isAny.store(true, ordering: .releasing)
    }

    func append(thread: LuaRouteThread) {
        handles.withLock { $0.threads.append(thread) }
        isAny.store(true, ordering: .releasing)
    }

    var isEmpty: Bool { !isAny.load(ordering: .relaxed) }

    func removeAll() -> Handles {
        isAny.store(false, ordering: .relaxed)
        return handles.withLock { handles in
            defer { handles = Handles() }
            return handles
        }
    }
}

// A name, which only C follows.
extension LuaRouteThread: @retroactive @unchecked Sendable {}

/// A value of Lua that is kept alive, and known by its position in one state.
///
/// It has one owner, so no slot can be used after it was freed: that is what a generation
/// number would have to find out.
struct Slot: ~Copyable, Sendable {
    let released: ReleasedHandles
    let index: Int32

    deinit {
        released.append(slot: index)
    }
}
