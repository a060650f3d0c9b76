// SPDX-License-Identifier: MIT

internal import CLuaRoute

/// One or several Swift closures that Lua can call.
class FunctionBox {
    // A box is only called by its state, which is alive at that time.
    unowned(unsafe) let state: LuaState
    let name: String

    init(state: LuaState, name: String) {
        self.state = state
        self.name = name
    }

    /// Calls a closure, and returns the number of results that the closure pushed.
    func call(_ member: Int32, _ thread: OpaquePointer) throws -> Int32 {
        0
    }

    /// Returns the name of a closure for messages about wrong arguments.
    func name(of member: Int32) -> String { name }

    /// A name for the box that is the same in every state.
    var label: String { name }

    /// Calls a closure that reads its arguments itself.
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

/// A closure with two integer parameters.
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

/// Calls a closure on behalf of C code.
///
/// An error that the closure throws is stored. The C code raises the error's text in the script
/// after this function has returned.
func callBox(
    _ pointer: UnsafeMutableRawPointer?,
    member: Int32,
    thread: OpaquePointer?
) -> Int32 {
    guard let pointer, let thread else { return 0 }
    // Not retained, because the running function retains its box.
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

    /// Creates a function from a closure.
    ///
    /// The state retains the closure until no script can reach the function and no handle of the
    /// function exists. A closure must not retain the state, because the state would then never
    /// close; use ``CallFrame/state`` instead.
    ///
    /// - Parameters:
    ///   - name: The name for messages about wrong arguments.
    ///   - body: Reads the arguments and writes the results. An error that the closure throws is
    ///     raised in the script, with the line of the call; see ``ScriptMessage``. A ``ScriptEnd``
    ///     ends the script.
    /// - Returns: The function. Scripts cannot reach the function until it is passed to a script.
    /// - Throws: An error of the kind `memory`.
    public func makeFunction(
        name: String,
        _ body: @escaping (inout CallFrame) throws -> Void
    ) throws(ScriptError) -> LuaFunction {
        try adopt(FrameBox(state: self, name: name, body: body))
    }

    /// Creates a function from a closure with two integer parameters.
    ///
    /// The arguments are checked before the closure is called.
    ///
    /// - Throws: An error of the kind `memory`.
    public func makeFunction(
        name: String,
        integers body: @escaping (Int64, Int64) throws -> Int64
    ) throws(ScriptError) -> LuaFunction {
        try adopt(IntegerBox(state: self, name: name, body: body))
    }

    /// Creates a function that returns read-only views of tables for scripts.
    ///
    /// The function takes a table and the error message for writes. The view shows the table,
    /// including later changes and an `__index`. Scripts cannot get the table from the view.
    ///
    /// - Returns: The function.
    /// - Throws: An error of the kind `memory`.
    public func makeFreezer() throws(ScriptError) -> LuaFunction {
        prepare()
        let index = luaroute_freezer(context)
        guard index != 0 else { throw ScriptError(kind: .memory, message: "memory limit exceeded") }
        return function(inSlot: index)
    }

    /// Creates a function that reads all metatables of scripts again.
    ///
    /// A metatable is read when it is set. Fields that a chunk adds to a metatable later take
    /// effect after a call to this function. Forbidden fields have no effect.
    ///
    /// - Returns: A function without parameters.
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
