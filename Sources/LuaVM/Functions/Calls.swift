// SPDX-License-Identifier: MIT

internal import CLuaRoute

extension LuaState {
    /// Calls a function.
    ///
    /// - Parameters:
    ///   - function: A function of this state.
    ///   - results: The number of results to read. Missing results are nil, and additional results
    ///     are dropped. If the number is negative, its absolute value is a maximum, and missing
    ///     results are not filled with nil.
    ///   - arguments: Writes the arguments, one after the other.
    /// - Returns: A reader of a copy of the results.
    /// - Throws: The error that ended the call, or an error of the kind `conversion` if an argument
    ///   or a result cannot be transferred. Earlier effects of the script remain.
    @discardableResult
    public func call(
        _ function: LuaFunction,
        results: Int = 0,
        arguments: (inout FlatWriter) -> Void = { _ in }
    ) throws(ScriptError) -> FlatReader {
        try enter(function, results: results, budget: budget, arguments: arguments)
    }

    /// Calls a function without arguments or results.
    ///
    /// - Throws: The error that ended the call.
    public func call(_ function: LuaFunction) throws(ScriptError) {
        try enter(function, budget: budget)
    }

    func enter(
        _ function: LuaFunction,
        budget: UnsafePointer<LuaRouteBudget>
    ) throws(ScriptError) {
        prepare()
        try check(function.slot.released)
        try conclude(luaroute_call(context, budget, function.slot.index, nil, nil, 0))
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
        guard results != 0 else {
            let slot = function.slot.index
            try conclude(luaroute_call(context, budget, slot, written.flat, nil, 0))
            return nothing
        }
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

    /// Calls a function that has two integer parameters and an integer result, without conversion
    /// or copying.
    ///
    /// - Throws: The error that ended the call, or an error of the kind `conversion` if the result
    ///   is not an integer.
    public func call(
        _ function: LuaFunction,
        with first: Int64,
        _ second: Int64
    ) throws(ScriptError) -> Int64 {
        prepare()
        try check(function.slot.released)
        let result = luaroute_call_integers(
            context,
            budget,
            function.slot.index,
            first,
            second
        )
        try conclude(result.status)
        return result.value
    }

    /// Returns the index of the first object for which the result of a predicate is neither nil nor
    /// false.
    ///
    /// All objects are tested in one entry with one budget.
    ///
    /// - Parameters:
    ///   - type: The type of the objects.
    ///   - identifiers: The objects, in the order of the calls.
    ///   - predicate: A function of this state, called with the object and the arguments.
    ///   - arguments: Writes the other arguments. The closure is called only once, so each call
    ///     receives the same tables.
    /// - Returns: The index of the object in `identifiers`, starting at 0; nil if there is none. If
    ///   there are no objects, nothing is called.
    /// - Throws: The error that ended one of the calls, or an error of the kind `conversion` if an
    ///   argument cannot be transferred.
    @inlinable
    public func firstIndex(
        of type: ObjectType,
        in identifiers: some Sequence<Int64>,
        where predicate: LuaFunction,
        arguments: (inout FlatWriter) -> Void = { _ in }
    ) throws(ScriptError) -> Int? {
        // Inlined, so that iterating the sequence needs no witness call for each object.
        try firstIndex(
            where: predicate,
            objects: { writer in
                for identifier in identifiers { writer.write(type, identifier) }
            },
            arguments: arguments
        )
    }

    @usableFromInline
    func firstIndex(
        where predicate: LuaFunction,
        objects: (inout FlatWriter) -> Void,
        arguments: (inout FlatWriter) -> Void
    ) throws(ScriptError) -> Int? {
        prepare()
        try check(predicate.slot.released)
        let written = takeBuffer()
        defer { giveBack(written) }
        var writer = FlatWriter(written)
        objects(&writer)
        let count = written.flat.pointee.count
        guard count > 0 else { return nil }
        arguments(&writer)
        try check(written)
        var found = 0
        let status = luaroute_call_first(
            context,
            budget,
            predicate.slot.index,
            written.flat,
            count,
            &found
        )
        try conclude(status)
        return found < count ? found : nil
    }

    /// Ends an entry that has no results, and throws its error if the entry failed.
    ///
    /// The function is inlined, so that the case without a failure is fast.
    @inline(__always)
    func conclude(_ status: Int32) throws(ScriptError) {
        guard status != LUAROUTE_OK || !thrown.isEmpty else { return }
        try fail(status)
    }

    @inline(never)
    private func fail(_ status: Int32) throws(ScriptError) {
        defer { finish() }
        if status != LUAROUTE_OK { throw failure(status) }
    }
}
