// SPDX-License-Identifier: MIT

internal import CLuaRoute

/// A function of a state, of a script or of the host.
///
/// The same function is the same value, however often it crosses. The handle may be let go of
/// on any thread; the function itself is freed at the next use of its state.
public final class LuaFunction: Sendable {
    let slot: Slot
    private let identity: UInt

    init(slot: consuming Slot, identity: UInt) {
        self.slot = slot
        self.identity = identity
    }

    /// Whether both are the same function of the same state.
    public func isSame(as other: LuaFunction) -> Bool {
        // As long as both are alive, so are their functions, and an address has one owner.
        identity == other.identity && slot.released === other.slot.released
    }
}

extension LuaFunction: Hashable {
    /// Whether both are the same function of the same state.
    public static func == (left: LuaFunction, right: LuaFunction) -> Bool {
        left.isSame(as: right)
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(identity)
    }
}

extension LuaState {
    /// Makes the handle of a slot that C has just taken.
    func function(inSlot index: Int32) -> LuaFunction {
        LuaFunction(
            slot: Slot(released: released, index: index),
            identity: luaroute_slot_identity(context, index)
        )
    }
}
