// SPDX-License-Identifier: MIT

internal import CLuaRoute

/// A function in a Lua state, of a script or of the host.
///
/// The same function is always the same value. The handle may be released on any thread; the
/// function itself is freed at the next use of its state.
public final class LuaFunction: Sendable {
    let slot: Slot
    private let identity: UInt

    init(slot: consuming Slot, identity: UInt) {
        self.slot = slot
        self.identity = identity
    }

    /// The number of the handle, which is unique in its state.
    package var number: Int64 { slot.index }

    /// Whether both are the same function of the same state.
    public func isSame(as other: LuaFunction) -> Bool {
        // As long as both are alive, so are their functions, and an address has one owner.
        identity == other.identity && slot.released === other.slot.released
    }
}

extension LuaFunction: Hashable {
    /// Whether both are the same function of the same state.
    public static func == (left: LuaFunction, right: LuaFunction) -> Bool {
        left.isSame(as: right)
    }

    /// Hashes the same parts that `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(identity)
    }
}

extension LuaState {
    /// The declared parameters of a function: their number, and whether more may follow.
    ///
    /// A function of the host or of the libraries declares no parameters and takes any number.
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

    /// The source of a function: the name of its chunk, its lines there, and the names of its first
    /// three parameters; nil for a function of the host or the libraries.
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
            // Without the sign before the name.
            String(cString: chunk + 1), Int(source.first)...Int(source.last),
            [first, second, third].compactMap { $0.map { String(cString: $0) } }
        )
    }

    /// Whether a function is one of this state.
    public func owns(_ function: LuaFunction) -> Bool { function.slot.released === released }

    /// Makes the handle of a slot that the C code has just allocated.
    func function(inSlot index: LuaRouteSlot) -> LuaFunction {
        LuaFunction(
            slot: Slot(released: released, index: index),
            identity: luaroute_slot_identity(context, index)
        )
    }
}
