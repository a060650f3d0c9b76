// SPDX-License-Identifier: MIT

internal import CLuaRoute
import SystemGaps

/// The slots, coroutines and images that were released on any thread and that their state has not
/// yet freed.
final class ReleasedHandles: Sendable {
    struct Handles {
        var slots: [LuaRouteSlot] = []
        var threads: [LuaRouteThread] = []
        var images: [ImageReference] = []
    }

    private let handles = Lock(Handles())
    // `isAny` is written while the lock is held, so it is correct after each change. Code that
    // reads it without the lock may see a change late, after some more uses of the state. Even
    // then, no handle is freed twice or too early, because the lists are only accessed with the
    // lock.
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

/// A pointer to the image of a checkpoint.
///
/// Only the state of the checkpoint reads the image.
struct ImageReference: @unchecked Sendable {
    let pointer: OpaquePointer
}

// Only C code dereferences the pointer in a reference.
extension LuaRouteThread: @retroactive @unchecked Sendable {}

/// A Lua value that is kept alive, identified by its position in a state and by a unique number.
///
/// A slot has a single owner, so it cannot be used after it was freed. If the state is rewound to a
/// checkpoint from before the slot was created, the slot is dead.
struct Slot: ~Copyable, Sendable {
    let released: ReleasedHandles
    let index: LuaRouteSlot

    deinit {
        released.append(slot: index)
    }
}
