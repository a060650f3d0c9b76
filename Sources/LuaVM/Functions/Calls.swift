// SPDX-License-Identifier: MIT

internal import CLuaRoute

extension LuaState {
    /// Calls a function.
    ///
    /// - Parameters:
    ///   - function: A function of this state.
    ///   - results: How many results are read; missing ones are nil, others are dropped.
    ///   - arguments: Writes the arguments, one after the other.
    /// - Returns: A reader of the results, which holds a copy of them.
    /// - Throws: What ended the call; or an error of the kind `conversion` when an argument or
    ///   a result cannot cross. All that the script did before stays.
    @discardableResult
    public func call(
        _ function: LuaFunction,
        results: Int = 0,
        arguments: (inout FlatWriter) -> Void = { _ in }
    ) throws(ScriptError) -> FlatReader {
        try enter(function, results: results, budget: budget, arguments: arguments)
    }

    func enter(
        _ function: LuaFunction,
        results: Int,
        budget: UnsafePointer<LuaRouteBudget>,
        arguments: (inout FlatWriter) -> Void
    ) throws(ScriptError) -> FlatReader {
        prepare()
        try check(function.slot.released)
        let written = takeBuffer()
        var writer = FlatWriter(written)
        defer { giveBack(written) }
        arguments(&writer)
        try check(written)
        let buffer = takeReadBuffer()
        defer { finish() }
        let status = luaroute_call(
            context,
            budget,
            function.slot.index,
            written.flat,
            buffer.flat,
            Int32(results)
        )
        guard status == LUAROUTE_OK else {
            buffer.adopt(for: self)
            throw failure(status)
        }
        buffer.adopt(for: self)
        return FlatReader(buffer)
    }

    /// Calls a function with two integers for one: nothing is converted or copied.
    ///
    /// - Throws: What ended the call, or an error of the kind `conversion` when the result is
    ///   no integer.
    public func call(
        _ function: LuaFunction,
        _ first: Int64,
        _ second: Int64
    ) throws(ScriptError) -> Int64 {
        prepare()
        try check(function.slot.released)
        var result: Int64 = 0
        let status = luaroute_call_integers(
            context,
            budget,
            function.slot.index,
            first,
            second,
            &result
        )
        try conclude(status)
        return result
    }

    /// Asks a predicate about an object: whether its result is neither nil nor false.
    ///
    /// - Throws: What ended the call.
    public func test(
        _ predicate: LuaFunction,
        object type: ObjectType,
        _ identifier: Int64
    ) throws(ScriptError) -> Bool {
        prepare()
        try check(predicate.slot.released)
        var isTrue: Int32 = 0
        let status = luaroute_call_object(
            context,
            budget,
            predicate.slot.index,
            type.index,
            identifier,
            &isTrue
        )
        try conclude(status)
        return isTrue != 0
    }

    /// What comes after an entry that reads no values back: the short way where all went well.
    @inline(__always)
    private func conclude(_ status: Int32) throws(ScriptError) {
        guard status != LUAROUTE_OK || thrown != nil else { return }
        defer { finish() }
        if status != LUAROUTE_OK { throw failure(status) }
    }
}
