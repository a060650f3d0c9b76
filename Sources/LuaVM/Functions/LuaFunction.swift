// SPDX-License-Identifier: MIT

internal import CLuaRoute

/// A handle of a function in a Lua state.
///
/// The function may belong to a script or to the host.
///
/// Handles of the same function are equal. A handle may be released on any thread; the function is
/// then freed when its state is next used.
public final class LuaFunction: Sendable {
    let slot: Slot
    private let identity: UInt

    init(slot: consuming Slot, identity: UInt) {
        self.slot = slot
        self.identity = identity
    }

    /// A number that identifies the handle in its state.
    package var number: Int64 { slot.index }

    /// Returns whether both handles refer to the same function of the same state.
    public func isSame(as other: LuaFunction) -> Bool {
        // While both handles are alive, so are their functions, and each address belongs to one
        // function.
        identity == other.identity && slot.released === other.slot.released
    }
}

extension LuaFunction: Hashable {
    /// Returns whether both handles refer to the same function of the same state.
    public static func == (left: LuaFunction, right: LuaFunction) -> Bool {
        left.isSame(as: right)
    }

    /// Hashes the same parts that `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(identity)
    }
}

extension LuaState {
    /// Returns the number of declared parameters of a function, and whether the function accepts
    /// more.
    ///
    /// A host function or library function declares no parameters and accepts any number of
    /// arguments.
    ///
    /// - Throws: An error of the kind `conversion` for a function of another state.
    public func parameters(
        of function: LuaFunction
    ) throws(ScriptError) -> (count: Int, isVariadic: Bool) {
        prepare()
        try check(function.slot.released)
        var isVariadic: Int32 = 0
        let count = luaroute_slot_parameters(context, function.slot.index, &isVariadic)
        return (Int(count), isVariadic != 0)
    }

    /// Returns the source of a function: the name of its chunk, its lines in the chunk, and the
    /// names of its first three parameters; nil for a host function or a library function.
    package func source(
        of function: LuaFunction
    ) -> (chunk: String, lines: ClosedRange<Int>, parameters: [String])? {
        prepare()
        guard owns(function) else { return nil }
        let source = luaroute_slot_source(context, function.slot.index)
        guard let chunk = source.chunk, 0 < source.first, source.first <= source.last else {
            return nil
        }
        let (first, second, third) = source.parameters
        return (
            // The first character is left out, because it only marks the kind of the chunk.
            String(cString: chunk + 1), Int(source.first)...Int(source.last),
            [first, second, third].compactMap { $0.map { String(cString: $0) } }
        )
    }

    /// Returns whether a function belongs to this state.
    public func owns(_ function: LuaFunction) -> Bool { function.slot.released === released }

    /// Returns a handle for a slot that the C code has just allocated.
    func function(inSlot index: LuaRouteSlot) -> LuaFunction {
        LuaFunction(
            slot: Slot(released: released, index: index),
            identity: luaroute_slot_identity(context, index)
        )
    }
}
