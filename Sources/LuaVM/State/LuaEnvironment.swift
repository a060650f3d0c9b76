// SPDX-License-Identifier: MIT

internal import CLuaRoute

/// The globals of one or more chunks, with a separate copy of the libraries.
public final class LuaEnvironment: Sendable {
    let slot: Slot

    init(slot: consuming Slot) {
        self.slot = slot
    }
}

/// An error about the use of an undefined global in a strict environment.
struct UndefinedGlobal: ScriptMessage {
    var name: String
    var hint: String
    var isWrite: Bool

    var scriptMessage: String {
        isWrite
            ? "undefined global '\(name)' is assigned (use 'local')"
            : "undefined global '\(name)'\(hint)"
    }
}

extension LuaState {
    /// Creates an environment.
    ///
    /// - Parameters:
    ///   - strict: Whether it is an error to read or define an undefined global. If false, an
    ///     undefined global is nil.
    ///   - hint: Returns text to add to the error message, given the name and all defined names,
    ///     sorted.
    ///   - weak: Called when `setmetatable` ignores a `__mode`. In this call,
    ///     ``CallFrame/location(level:)`` returns the script line for the level 2. If nil, `__mode`
    ///     is an error.
    /// - Returns: An environment that contains only the libraries.
    /// - Throws: An error of the kind `memory`.
    public func makeEnvironment(
        strict: Bool,
        hint: ((_ name: String, _ defined: [String]) -> String)? = nil,
        weak: ((inout CallFrame) throws -> Void)? = nil
    ) throws(ScriptError) -> LuaEnvironment {
        prepare()
        var undefined: LuaFunction?
        if strict {
            undefined = try makeFunction(name: "environment") { frame in
                let name = frame.string(at: 1) ?? frame.kind(at: 1).rawValue
                let isWrite = frame.count > 2
                throw UndefinedGlobal(
                    name: name,
                    hint: isWrite ? "" : hint?(name, frame.stringKeys(at: 0)) ?? "",
                    isWrite: isWrite
                )
            }
        }
        var ignoring: LuaFunction?
        if let weak { ignoring = try makeFunction(name: "setmetatable", weak) }
        let index = luaroute_environment(
            context,
            undefined?.slot.index ?? 0,
            ignoring?.slot.index ?? 0
        )
        guard index != 0 else { throw ScriptError(kind: .memory, message: "memory limit exceeded") }
        return LuaEnvironment(slot: Slot(released: released, index: index))
    }

    /// Sets a global, even in a strict environment.
    ///
    /// - Parameters:
    ///   - name: The name of the global.
    ///   - environment: An environment of this state.
    ///   - value: Writes exactly one value. A table is written with its contents.
    /// - Throws: An error of the kind `conversion` or `memory`. In this case, the global is
    ///   unchanged.
    public func setGlobal(
        _ name: String,
        in environment: LuaEnvironment,
        to value: (inout FlatWriter) -> Void
    ) throws(ScriptError) {
        prepare()
        try check(environment.slot.released)
        let buffer = takeBuffer()
        defer { giveBack(buffer) }
        var writer = FlatWriter(buffer)
        value(&writer)
        try check(buffer)
        var name = name
        let status = name.withUTF8 { bytes in
            luaroute_set_global(
                context,
                environment.slot.index,
                bytes.baseAddress,
                bytes.count,
                buffer.flat
            )
        }
        guard status == LUAROUTE_OK else { throw failure(status) }
    }

    /// Sets a global to a function.
    public func setGlobal(
        _ name: String,
        in environment: LuaEnvironment,
        to function: LuaFunction
    ) throws(ScriptError) {
        try setGlobal(name, in: environment) { writer in writer.write(function) }
    }

    /// Throws an error if a value belongs to another state.
    @inline(__always)
    func check(_ owner: ReleasedHandles) throws(ScriptError) {
        guard owner === released else { try refuse() }
    }

    // A separate function, so that a call to `check` reserves no stack space for an error.
    @inline(never)
    private func refuse() throws(ScriptError) -> Never {
        throw ScriptError(
            kind: .conversion,
            message: "a function of another Lua state cannot be passed between scripts and host"
        )
    }
}
