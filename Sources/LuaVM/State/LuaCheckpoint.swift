// SPDX-License-Identifier: MIT

internal import CLuaRoute

/// All that a state contained at one time: every value, the coroutines that waited, and the state of
/// `math.random`.
///
/// It keeps its state open, with the closures of host functions at that time. Checkpoints of one
/// state share equal parts. It may be released on any thread, and is freed at the next use of its
/// state.
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

    /// Restores its state, like ``LuaState/rewind(to:)``.
    package func rewind() throws(ScriptError) { try state.rewind(to: self) }
}

extension LuaState {
    /// The number of bytes of all checkpoints of the state; shared parts count once.
    package var checkpointBytes: Int {
        prepare()
        return luaroute_image_bytes(context)
    }

    /// Frees the released handles and checkpoints, like the next use of the state.
    package func freeWhatIsReleased() { prepare() }

    /// Frees the values of handles that only checkpoints need.
    ///
    /// Using such a handle is then an error of the kind `rewound`, until a rewind to a checkpoint
    /// that contains it.
    ///
    /// - Parameter handles: The numbers of the handles; the numbers of dead handles have no effect.
    package func leave(_ handles: Set<Int64>) {
        prepare()
        for handle in handles { luaroute_slot_leave(context, handle) }
    }

    /// Makes a checkpoint, which ``rewind(to:)`` can restore.
    ///
    /// No script may be running. It takes time in proportion to the memory of the state.
    ///
    /// - Throws: An error of the kind `memory` if there is not enough memory, or of the kind
    ///   `runtime` while a script runs; nothing has changed then.
    package func checkpoint() throws(ScriptError) -> LuaCheckpoint {
        prepare()
        try checkRest()
        return try LuaCheckpoint(self)
    }

    /// Restores the state at a checkpoint.
    ///
    /// Functions, references and coroutines that Swift has received since then are dead: calling
    /// them is an error of the kind `rewound`. Older ones are restored. The host is not notified of
    /// objects that scripts reference again or no longer reference: it must restore its own data
    /// for them.
    ///
    /// It takes time in proportion to the memory of the state.
    ///
    /// - Throws: An error of the kind `conversion` for a checkpoint of another state, or of the kind `runtime`
    ///   while a script runs; then nothing has changed.
    package func rewind(to checkpoint: LuaCheckpoint) throws(ScriptError) {
        prepare()
        try checkRest()
        guard checkpoint.state === self else {
            throw ScriptError(
                kind: .conversion,
                message: "a state cannot be rewound to the checkpoint of another one"
            )
        }
        restore(checkpoint)
    }

    /// Undoes all changes of a closure to the state; scripts may be running.
    ///
    /// The instructions and the time that the closure spends remain charged to the budget. Handles
    /// and objects are treated like by ``rewind(to:)``.
    ///
    /// - Throws: An error of the kind `memory`, in which case the closure was not called.
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
                message: "a state has checkpoints only while no script runs"
            )
        }
    }
}

extension LuaFunction {
    /// Whether the function can be called: its state was not rewound to a checkpoint from before
    /// Swift received the function.
    ///
    /// The state must be open.
    func isAlive(in state: LuaState) -> Bool {
        luaroute_slot_is_alive(state.context, slot.index) != 0
    }
}
