// SPDX-License-Identifier: MIT

internal import CLuaRoute

/// A type of host objects, as scripts tell them apart.
///
/// An object is its type and an identifier of the host's choice. The same identifier is the
/// same value in scripts, for `==` and as a key.
public struct ObjectType: Hashable, Sendable {
    let index: UInt32

    /// The type of objects that are read again without a state: no state takes one.
    package static let stateless = ObjectType(index: 0)
}

/// What a state keeps of a type.
struct TypeRecord {
    let released: ((Int64) -> Void)?
}

extension LuaState {
    /// Whether a script holds an object of the host.
    public func holds(_ type: ObjectType, _ identifier: Int64) -> Bool {
        prepare()
        return luaroute_holds_object(context, type.index, identifier) != 0
    }

    /// Lets scripts ask anew for the members that an object keeps.
    ///
    /// See ``CallFrame/keepResult()``. Where nothing is kept, nothing is done.
    public func forgetMembers(of type: ObjectType, _ identifier: Int64) {
        prepare()
        luaroute_forget(context, type.index, identifier)
    }

    /// Makes a type of objects.
    ///
    /// - Parameters:
    ///   - name: What messages call it.
    ///   - index: Reads a field: the arguments are the object and the key. The object may keep
    ///     the result.
    ///   - newIndex: Writes a field: the arguments are the object, the key and the value.
    ///   - description: The text of an object: its argument is the object.
    ///   - names: Gives the list of the names of an object's fields, sorted, which `pairs` and `next`
    ///     go through; its argument is the object. Without it they refuse the object.
    ///   - released: Called when no script holds an object any more, with its identifier; also
    ///     as the state closes. It must not call into the state.
    /// - Returns: The type, for the objects of this state.
    /// - Throws: An error of the kind `memory`.
    public func defineType(
        name: String,
        index: ((inout CallFrame) throws -> Void)? = nil,
        newIndex: ((inout CallFrame) throws -> Void)? = nil,
        description: ((inout CallFrame) throws -> Void)? = nil,
        names: ((inout CallFrame) throws -> Void)? = nil,
        released: ((Int64) -> Void)? = nil
    ) throws(ScriptError) -> ObjectType {
        prepare()
        let functions = [
            try index.map { body throws(ScriptError) in try makeFunction(name: name, body) },
            try newIndex.map { body throws(ScriptError) in try makeFunction(name: name, body) },
            try description.map { body throws(ScriptError) in try makeFunction(name: name, body) },
            try names.map { body throws(ScriptError) in try makeFunction(name: name, body) },
        ]
        let slots = functions.map { $0?.slot.index ?? 0 }
        let type = UInt32(types.count + 1)
        let status = withExtendedLifetime(functions) {
            luaroute_define_type(context, type, name, slots[0], slots[1], slots[2], slots[3])
        }
        guard status == LUAROUTE_OK else {
            throw ScriptError(kind: .memory, message: "memory limit exceeded")
        }
        types.append(TypeRecord(released: released))
        return ObjectType(index: type)
    }
}
