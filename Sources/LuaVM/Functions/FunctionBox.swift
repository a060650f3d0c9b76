// SPDX-License-Identifier: MIT

internal import CLuaRoute

/// A Swift closure, or several of them, that Lua can call.
class FunctionBox {
    // A box is called only by its state, which is alive then.
    unowned(unsafe) let state: LuaState
    let name: String

    init(state: LuaState, name: String) {
        self.state = state
        self.name = name
    }

    /// Runs a closure and returns the number of results that it pushed.
    func call(_ member: Int32, _ thread: OpaquePointer) throws -> Int32 {
        0
    }

    /// The name of a closure in messages about wrong arguments.
    func name(of member: Int32) -> String { name }

    /// The name of the box in every state.
    var label: String { name }

    /// Runs a closure that reads its arguments itself.
    @inline(__always)
    final func run(
        _ member: Int32,
        thread: OpaquePointer,
        body: (inout CallFrame) throws -> Void
    ) throws -> Int32 {
        var frame = CallFrame(box: self, member: member, thread: thread)
        try body(&frame)
        if frame.isWaiting { return Int32(LUAROUTE_WAIT) }
        return frame.isKept && frame.results == 1 ? Int32(LUAROUTE_KEEP) : frame.results
    }
}

/// A closure that reads its arguments itself.
final class FrameBox: FunctionBox {
    private let body: (inout CallFrame) throws -> Void

    init(state: LuaState, name: String, body: @escaping (inout CallFrame) throws -> Void) {
        self.body = body
        super.init(state: state, name: name)
    }

    override func call(_ member: Int32, _ thread: OpaquePointer) throws -> Int32 {
        try run(member, thread: thread, body: body)
    }
}

/// A closure of two integers.
final class IntegerBox: FunctionBox {
    private let body: (Int64, Int64) throws -> Int64

    init(state: LuaState, name: String, body: @escaping (Int64, Int64) throws -> Int64) {
        self.body = body
        super.init(state: state, name: name)
    }

    override func call(_ member: Int32, _ thread: OpaquePointer) throws -> Int32 {
        let first = try integer(1, thread)
        let second = try integer(2, thread)
        luaroute_pushinteger(thread, try body(first, second))
        return 1
    }

    @inline(__always)
    private func integer(_ index: Int32, _ thread: OpaquePointer) throws -> Int64 {
        guard luaroute_isinteger(thread, index) == 0 else {
            return luaroute_tointegerx(thread, index, nil)
        }
        let frame = CallFrame(box: self, member: 0, thread: thread)
        let position = Int(index) - 1
        guard let value = frame.integer(at: position) else {
            throw frame.mismatch(at: position, "integer")
        }
        return value
    }
}

/// The callbacks from C into Swift.
///
/// A thrown error is stored, and C raises its text after the callback has returned.
func callBox(
    _ pointer: UnsafeMutableRawPointer?,
    member: Int32,
    thread: OpaquePointer?
) -> Int32 {
    guard let pointer, let thread else { return 0 }
    // Unretained: the function that is running keeps its box.
    let box = Unmanaged<FunctionBox>.fromOpaque(pointer)
    return box._withUnsafeGuaranteedRef { box in
        do {
            return try box.call(member, thread)
        } catch {
            return box.state.remember(error)
        }
    }
}

extension LuaState {
    /// Stores the error of a callback, and returns the status for C.
    func remember(_ error: any Error) -> Int32 {
        let message: (text: String, addsPosition: Bool)
        switch thrown.manner(of: error) {
        case .end:
            ended = error as? any ScriptEnd
            return Int32(LUAROUTE_END)
        case .message(let type): message = type.message(of: error)
        case .description: message = (String(describing: error), true)
        }
        var text = message.text
        text.withUTF8 { bytes in
            let level: Int32 = message.addsPosition ? 1 : 0
            let number = luaroute_throw(context, bytes.baseAddress, bytes.count, level)
            thrown.set(number, to: error)
        }
        return Int32(LUAROUTE_RAISE)
    }

    /// Makes a function of a closure.
    ///
    /// The state owns the closure until no script can reach the function and no handle is left. So
    /// a closure that references the state keeps it open for ever: ``CallFrame/state`` is there for
    /// that.
    ///
    /// - Parameters:
    ///   - name: The name in messages about wrong arguments.
    ///   - body: Reads the arguments and writes the results. An error that it throws is raised in
    ///     the script, with the line of the call; see ``ScriptMessage``. A ``ScriptEnd`` ends the
    ///     script.
    /// - Returns: The function, which no script can reach until it is passed to one.
    /// - Throws: An error of the kind `memory`.
    public func makeFunction(
        name: String,
        _ body: @escaping (inout CallFrame) throws -> Void
    ) throws(ScriptError) -> LuaFunction {
        try adopt(FrameBox(state: self, name: name, body: body))
    }

    /// Makes a function from a closure of two integers, which are checked before it runs.
    ///
    /// - Throws: An error of the kind `memory`.
    public func makeFunction(
        name: String,
        integers body: @escaping (Int64, Int64) throws -> Int64
    ) throws(ScriptError) -> LuaFunction {
        try adopt(IntegerBox(state: self, name: name, body: body))
    }

    /// Makes a function that gives scripts a read-only view of a table.
    ///
    /// It takes the table and the error message of a write. The view reads the table, including
    /// later changes and an `__index`; scripts cannot get the table from the view.
    ///
    /// - Returns: The function.
    /// - Throws: An error of the kind `memory`.
    public func makeFreezer() throws(ScriptError) -> LuaFunction {
        prepare()
        let index = luaroute_freezer(context)
        guard index != 0 else { throw ScriptError(kind: .memory, message: "memory limit exceeded") }
        return function(inSlot: index)
    }

    /// Makes a function that reads all metatables of scripts again.
    ///
    /// A metatable is read when it is set: fields that a chunk adds to it later have an effect
    /// after a call of this function. Forbidden fields have no effect.
    ///
    /// - Returns: The function, without parameters.
    /// - Throws: An error of the kind `memory`.
    public func makeMetatableReader() throws(ScriptError) -> LuaFunction {
        prepare()
        let index = luaroute_settler(context)
        guard index != 0 else { throw ScriptError(kind: .memory, message: "memory limit exceeded") }
        return function(inSlot: index)
    }

    private func adopt(_ box: FunctionBox) throws(ScriptError) -> LuaFunction {
        try adopt(box) { luaroute_function(context, $0) }
    }

    func adopt(
        _ box: FunctionBox,
        _ make: (UnsafeMutableRawPointer) -> LuaRouteSlot
    ) throws(ScriptError) -> LuaFunction {
        prepare()
        let reference = Unmanaged.passRetained(box)
        let index = make(reference.toOpaque())
        guard index != 0 else {
            reference.release()
            throw ScriptError(kind: .memory, message: "memory limit exceeded")
        }
        return function(inSlot: index)
    }
}
