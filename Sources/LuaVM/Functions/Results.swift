// SPDX-License-Identifier: MIT

internal import CLuaRoute

extension CallFrame {
    /// Adds nil to the results.
    public mutating func returnNil() {
        guard reserve() else { return }
        luaroute_pushnil(thread)
    }

    /// Adds a Boolean to the results.
    public mutating func returnBoolean(_ value: Bool) {
        guard reserve() else { return }
        luaroute_pushboolean(thread, value ? 1 : 0)
    }

    /// Adds an integer to the results.
    public mutating func returnInteger(_ value: Int64) {
        guard reserve() else { return }
        luaroute_pushinteger(thread, value)
    }

    /// Adds a number to the results.
    public mutating func returnNumber(_ value: Double) {
        guard reserve() else { return }
        luaroute_pushnumber(thread, value)
    }

    /// Adds a string, which may contain any bytes, to the results.
    public mutating func returnBytes(_ bytes: UnsafeRawBufferPointer) {
        guard reserve() else { return }
        let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        push(luaroute_push_string(state.context, thread, start, bytes.count))
    }

    /// Adds a string to the results.
    public mutating func returnString(_ value: String) {
        var value = value
        value.withUTF8 { returnBytes(UnsafeRawBufferPointer($0)) }
    }

    /// Adds a host object to the results.
    public mutating func returnObject(_ type: ObjectType, _ identifier: Int64) {
        guard reserve() else { return }
        push(luaroute_push_object(state.context, thread, type.index, identifier))
    }

    /// Adds a function of this state to the results.
    ///
    /// - Throws: An error of the kind `conversion` for a function of another state.
    public mutating func returnFunction(_ function: LuaFunction) throws(ScriptError) {
        try state.check(function.slot.released)
        guard reserve() else { return }
        push(luaroute_push_slot(state.context, thread, function.slot.index))
    }

    /// Adds all values that a closure writes, including tables, to the results.
    ///
    /// - Throws: An error of the kind `conversion` if a table is nested too deeply or has an
    ///   invalid key.
    public mutating func returnValues(
        _ write: (inout FlatWriter) throws -> Void
    ) throws {
        let buffer = state.takeBuffer()
        defer { state.giveBack(buffer) }
        var writer = FlatWriter(buffer)
        try write(&writer)
        try state.check(buffer)
        let pushed = luaroute_push_flat(state.context, thread, buffer.flat)
        guard pushed >= 0 else { throw state.failure(Int32(LUAROUTE_CONVERSION)) }
        results += pushed
    }

    /// Caches the single result in the object whose member is being read.
    ///
    /// Scripts then read the member without calling the closure that provides the member, until
    /// ``LuaState/forgetMembers(of:_:)`` is called. Only nil, Booleans, numbers and strings are
    /// cached, and at most 32 members per object. Only the `index` function of a type can cache
    /// results. Nothing is cached if the state's memory is nearly used up.
    public mutating func keepResult() {
        isKept = true
    }

    /// Reserves stack space for one more result.
    ///
    /// Returns false if there is no memory. The entry is then about to end anyway.
    private mutating func reserve() -> Bool {
        // A function initially has space for 20 values, of which the shim needs some.
        guard results < 8 || luaroute_checkstack(thread, 8) != 0 else { return false }
        results += 1
        return true
    }

    private mutating func push(_ status: Int32) {
        if status != LUAROUTE_OK { results -= 1 }
    }
}
