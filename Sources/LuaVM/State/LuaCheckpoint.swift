// SPDX-License-Identifier: MIT

internal import CLuaRoute

/// The complete content of a state at one point in time: every value, the waiting coroutines, and
/// the state of `math.random`.
///
/// A checkpoint keeps its state open, and retains the closures of the host functions that existed
/// at that time. Checkpoints of the same state share equal parts. A checkpoint may be released on
/// any thread, and is freed when its state is next used.
package final class LuaCheckpoint {
    package let state: LuaState
    fileprivate let image: ImageReference
    fileprivate let thrown: [(any Error)?]
    fileprivate let types: [TypeBox]

    fileprivate init(_ state: LuaState) throws(ScriptError) {
        guard let image = luaroute_checkpoint(state.context) else {
            throw ScriptError(kind: .memory, message: "not enough memory for a checkpoint")
        }
        self.state = state
        self.image = ImageReference(pointer: image)
        thrown = state.thrown.saved
        types = state.types
    }

    deinit { state.released.append(image: image) }

    /// Restores the state of the checkpoint; see ``LuaState/rewind(to:)``.
    package func rewind() throws(ScriptError) { try state.rewind(to: self) }
}

extension LuaState {
    /// The size of all checkpoints of the state, in bytes.
    ///
    /// Shared parts are counted once.
    package var checkpointBytes: Int {
        prepare()
        return luaroute_image_bytes(context)
    }

    /// Frees released handles and checkpoints, as the next use of the state would do.
    package func freeWhatIsReleased() { prepare() }

    /// Frees the values of handles that only checkpoints need.
    ///
    /// Using such a handle is an error of the kind `rewound`, until the state is rewound to a
    /// checkpoint that contains the handle.
    ///
    /// - Parameter handles: The numbers of the handles. Numbers of dead handles have no effect.
    package func leave(_ handles: Set<Int64>) {
        prepare()
        for handle in handles { luaroute_slot_leave(context, handle) }
    }

    /// Creates a checkpoint, which ``rewind(to:)`` can restore.
    ///
    /// No script may be running. The time is proportional to the memory of the state.
    ///
    /// - Throws: An error of the kind `memory` if there is not enough memory, or of the kind
    ///   `runtime` while a script is running. If an error is thrown, nothing has changed.
    package func checkpoint() throws(ScriptError) -> LuaCheckpoint {
        prepare()
        try checkRest()
        return try LuaCheckpoint(self)
    }

    /// Restores the state of a checkpoint.
    ///
    /// Functions, references and coroutines that Swift has received since the checkpoint become
    /// dead: calling them is an error of the kind `rewound`. Older handles are restored. The host
    /// is not notified of objects that scripts reference again or no longer reference; it must
    /// restore its own data for these objects.
    ///
    /// The time is proportional to the memory of the state.
    ///
    /// - Throws: An error of the kind `conversion` for a checkpoint of another state, or of the
    ///   kind `runtime` while a script is running. If an error is thrown, nothing has changed.
    package func rewind(to checkpoint: LuaCheckpoint) throws(ScriptError) {
        prepare()
        try checkRest()
        guard checkpoint.state === self else {
            throw ScriptError(
                kind: .conversion,
                message: "the checkpoint belongs to another Lua state"
            )
        }
        restore(checkpoint)
    }

    /// Calls the given closure, and undoes all its changes to the state.
    ///
    /// Scripts may be running.
    ///
    /// The instructions and the time that the closure spends remain charged to the budget. Handles
    /// and objects are treated as in ``rewind(to:)``.
    ///
    /// - Throws: An error of the kind `memory`; the closure was then not called.
    package func undoing<Result: ~Copyable>(
        _ body: () -> Result
    ) throws(ScriptError) -> Result {
        prepare()
        let checkpoint = try LuaCheckpoint(self)
        let result = body()
        prepare()
        restore(checkpoint)
        return result
    }

    private func restore(_ checkpoint: LuaCheckpoint) {
        luaroute_rewind(context, checkpoint.image.pointer)
        thrown.restore(checkpoint.thrown)
        types = checkpoint.types
    }

    private func checkRest() throws(ScriptError) {
        guard !isRunning else {
            throw ScriptError(
                kind: .runtime,
                message:
                    "a checkpoint of a Lua state cannot be made or restored while a script is running"
            )
        }
    }
}

extension LuaFunction {
    /// Returns whether the function can be called.
    ///
    /// The function cannot be called if the state was rewound to a checkpoint from before Swift
    /// received the function. The state must be open.
    func isAlive(in state: LuaState) -> Bool {
        luaroute_slot_is_alive(state.context, slot.index) != 0
    }
}
