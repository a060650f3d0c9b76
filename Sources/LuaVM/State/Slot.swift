// SPDX-License-Identifier: MIT

internal import CLuaRoute
import SystemGaps

/// The slots, coroutines and images that were released on any thread, until their state frees them.
final class ReleasedHandles: Sendable {
    struct Handles {
        var slots: [LuaRouteSlot] = []
        var threads: [LuaRouteThread] = []
        var images: [ImageReference] = []
    }

    private let handles = Lock(Handles())
    // Written while the lock is held, so at the end of each change it says what is in there. Who
    // reads it without the lock may be late by some uses of the state, which frees no handle
    // twice and none too soon; and what was appended is seen through the lock.
    private let isAny = Atomic()

    func append(slot: LuaRouteSlot) {
        handles.withLock { handles in
            handles.slots.append(slot)
            isAny.set()
        }
    }

    func append(thread: LuaRouteThread) {
        handles.withLock { handles in
            handles.threads.append(thread)
            isAny.set()
        }
    }

    func append(image: ImageReference) {
        handles.withLock { handles in
            handles.images.append(image)
            isAny.set()
        }
    }

    var isEmpty: Bool { !isAny.isSet }

    func removeAll() -> Handles {
        handles.withLock { handles in
            isAny.set(false)
            defer { handles = Handles() }
            return handles
        }
    }
}

/// An image of a state, which only that state reads.
struct ImageReference: @unchecked Sendable {
    let pointer: OpaquePointer
}

// A name, which only C follows.
extension LuaRouteThread: @retroactive @unchecked Sendable {}

/// A value of Lua that is kept alive, identified by its position in one state and a unique number.
///
/// It has one owner, so no slot can be used after it was freed. A slot that was created after the
/// checkpoint to which the state was rewound is dead.
struct Slot: ~Copyable, Sendable {
    let released: ReleasedHandles
    let index: LuaRouteSlot

    deinit {
        released.append(slot: index)
    }
}
