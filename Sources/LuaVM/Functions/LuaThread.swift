// SPDX-License-Identifier: MIT

internal import CLuaRoute

/// A waiting coroutine: a script function whose call to a host function has not yet returned.
///
/// Only this handle keeps the coroutine alive. The handle may be released on any thread; the
/// coroutine is then cancelled when its state is next used.
public final class LuaThread: Sendable {
    let released: ReleasedHandles
    let reference: LuaRouteThread

    init(released: ReleasedHandles, reference: LuaRouteThread) {
        self.released = released
        self.reference = reference
    }

    deinit {
        released.append(thread: reference)
    }

    /// The number of the coroutine, counted in the order in which the state's coroutines began.
    package var serial: UInt64 { reference.serial }

    /// The result of calling or resuming a function that may wait.
    public enum Progress {
        /// The function has returned.
        ///
        /// The reader contains a copy of its results.
        case returned(FlatReader)
        /// A call to a host function is waiting; see ``CallFrame/wait()``.
        case waits(LuaThread)
    }
}

extension LuaState {
    /// Calls a function as a coroutine, which a host function can suspend.
    ///
    /// Until the function waits, the call is an entry like ``call(_:results:arguments:)``, with the
    /// same budget.
    ///
    /// - Parameters:
    ///   - function: A function of this state.
    ///   - results: The number of results to read if the function returns. Missing results are nil,
    ///     and additional results are dropped.
    ///   - arguments: Writes the arguments, one after the other.
    /// - Returns: The results, or the waiting coroutine.
    /// - Throws: The error that ended the function, or an error of the kind `conversion` if an
    ///   argument or a result cannot be transferred.
    public func begin(
        _ function: LuaFunction,
        results: Int = 0,
        arguments: (inout FlatWriter) -> Void = { _ in }
    ) throws(ScriptError) -> LuaThread.Progress {
        prepare()
        try check(function.slot.released)
        var reference = LuaRouteThread()
        let (status, reader) = try enter(results, write: arguments) { written, read in
            luaroute_begin(
                context,
                budget,
                function.slot.index,
                written,
                read,
                Int32(results),
                &reference
            )
        }
        guard status == LUAROUTE_WAITS else { return .returned(reader) }
        return .waits(LuaThread(released: released, reference: reference))
    }

    /// Resumes a waiting coroutine as a separate entry, with a new budget.
    ///
    /// - Parameters:
    ///   - thread: A waiting coroutine of this state.
    ///   - results: The number of results to read if the function returns.
    ///   - values: Writes the results of the call that was waiting.
    /// - Returns: The results of the function, or the same coroutine if it waits again.
    /// - Throws: The error that ended the coroutine, or an error of the kind `conversion` if a
    ///   result cannot be transferred. Also throws if the coroutine has already ended, was
    ///   cancelled or is running. If the error occurs before any code of the coroutine runs (a
    ///   value cannot be transferred, or entries are nested too deeply), the coroutine still waits.
    public func resume(
        _ thread: LuaThread,
        results: Int = 0,
        values: (inout FlatWriter) -> Void = { _ in }
    ) throws(ScriptError) -> LuaThread.Progress {
        prepare()
        try check(thread.released)
        // The closure retains the handle while the coroutine is running.
        let (status, reader) = try enter(results, write: values) { written, read in
            luaroute_resume(
                context,
                budget,
                thread.reference,
                written,
                read,
                Int32(results)
            )
        }
        return status == LUAROUTE_WAITS ? .waits(thread) : .returned(reader)
    }

    /// Discards a waiting coroutine.
    ///
    /// No more code of the coroutine runs, so the script cannot catch the cancellation.
    ///
    /// This function may be called at any time, even while another coroutine is running. It has no
    /// effect on a coroutine that has ended, is running, or belongs to another state.
    public func cancel(_ thread: LuaThread) {
        prepare()
        guard thread.released === released else { return }
        luaroute_cancel(context, thread.reference)
    }

    /// Returns whether a coroutine is waiting and can be resumed.
    public func isWaiting(_ thread: LuaThread) -> Bool {
        prepare()
        guard thread.released === released else { return false }
        return luaroute_is_waiting(context, thread.reference) != 0
    }

    /// Enters Lua: `write` writes the arguments, and `body` makes the call.
    ///
    /// If `results` is 0, no results are read.
    @inline(__always)
    private func enter(
        _ results: Int,
        write: (inout FlatWriter) -> Void,
        body: (
            _ written: UnsafeMutablePointer<LuaRouteFlat>,
            _ read: UnsafeMutablePointer<LuaRouteFlat>?
        ) -> Int32
    ) throws(ScriptError) -> (Int32, FlatReader) {
        let written = takeBuffer()
        var writer = FlatWriter(written)
        defer { giveBack(written) }
        write(&writer)
        try check(written)
        guard results > 0 else {
            let status = body(written.flat, nil)
            try conclude(status == LUAROUTE_WAITS ? Int32(LUAROUTE_OK) : status)
            return (status, nothing)
        }
        let buffer = takeReadBuffer()
        defer { finish() }
        let status = body(written.flat, buffer.flat)
        buffer.adopt(for: self)
        guard status == LUAROUTE_OK || status == LUAROUTE_WAITS else { throw failure(status) }
        return (status, FlatReader(buffer))
    }
}
