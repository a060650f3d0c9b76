// SPDX-License-Identifier: MIT

internal import CLuaRoute

/// The names of the functions in a table.
///
/// The same names can be used for several states.
public final class FunctionNames: Sendable {
    let texts: [String]
    // Written only by the initializer.
    nonisolated(unsafe) let buffer = FlatBuffer()

    /// Creates a list of names.
    ///
    /// Each name must occur only once.
    public init(_ texts: [String]) {
        self.texts = texts
        var writer = FlatWriter(buffer)
        for text in texts { writer.write(text) }
    }
}

/// A closure that implements the functions of a table.
private final class TableBox: FunctionBox {
    private let names: FunctionNames
    private let unknown: (inout CallFrame) throws -> Void
    private let body: (Int, inout CallFrame) throws -> Void

    init(
        state: LuaState,
        names: FunctionNames,
        unknown: @escaping (inout CallFrame) throws -> Void,
        body: @escaping (Int, inout CallFrame) throws -> Void
    ) {
        self.names = names
        self.unknown = unknown
        self.body = body
        super.init(state: state, name: "index")
    }

    override func call(_ member: Int32, _ thread: OpaquePointer) throws -> Int32 {
        if member == LUAROUTE_UNKNOWN { return try run(member, thread: thread, body: unknown) }
        return try run(member, thread: thread) { frame in try body(Int(member), &frame) }
    }

    override func name(of member: Int32) -> String {
        member == LUAROUTE_UNKNOWN ? name : names.texts[Int(member)]
    }

    override var label: String { names.texts.first ?? name }
}

extension LuaState {
    /// Creates a table of functions that are implemented by a single closure.
    ///
    /// A function is created when a script first reads it. Scripts cannot observe this while they
    /// see the table through a view of ``makeFreezer()``, whose `pairs` creates all functions.
    ///
    /// - Parameters:
    ///   - names: The keys of the functions, and their names in messages about wrong arguments.
    ///   - unknown: Called if a script reads a key that the table does not contain. The arguments
    ///     are the table and the key. Errors have the location of the line that reads the key.
    ///   - body: The closure, as for ``makeFunction(name:_:)``. Its first argument is the position
    ///     of the called function in `names`.
    /// - Returns: The table.
    /// - Throws: An error of the kind `memory`.
    public func makeFunctions(
        _ names: FunctionNames,
        unknown: @escaping (inout CallFrame) throws -> Void,
        _ body: @escaping (_ position: Int, inout CallFrame) throws -> Void
    ) throws(ScriptError) -> LuaReference {
        let box = TableBox(state: self, names: names, unknown: unknown, body: body)
        let table = try adopt(box) { luaroute_functions(context, $0, names.buffer.flat) }
        return LuaReference(handle: table)
    }
}
