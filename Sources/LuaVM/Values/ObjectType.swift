// SPDX-License-Identifier: MIT

internal import CLuaRoute

/// A type of host objects.
///
/// An object consists of its type and an identifier that the host chooses. In scripts, objects with
/// the same type and identifier are equal, for `==` and as keys.
public struct ObjectType: Hashable, Sendable {
    let index: UInt32

    /// The type of objects that are read without a state.
    ///
    /// No state accepts such an object.
    package static let stateless = ObjectType(index: 0)
}

/// The closures that implement a type of host objects.
final class TypeBox: FunctionBox {
    typealias Body = (inout CallFrame) throws -> Void

    /// The closures by operation, in the numbering of the C header.
    private let bodies: [Body?]
    let released: ((Int64) -> Void)?

    init(state: LuaState, name: String, bodies: [Body?], released: ((Int64) -> Void)?) {
        self.bodies = bodies
        self.released = released
        super.init(state: state, name: name)
    }

    /// For each operation, 1 if there is a closure for it, and 0 otherwise.
    var operations: [Int32] { bodies.map { $0 == nil ? 0 : 1 } }

    override func call(_ member: Int32, _ thread: OpaquePointer) throws -> Int32 {
        guard let body = bodies[Int(member)] else { return 0 }
        return try run(member, thread: thread, body: body)
    }
}

extension LuaState {
    /// Returns whether a script references a host object.
    public func holds(_ type: ObjectType, _ identifier: Int64) -> Bool {
        prepare()
        return luaroute_holds_object(context, type.index, identifier) != 0
    }

    /// Discards the cached members of an object, so that scripts request them again.
    ///
    /// See ``CallFrame/keepResult()``. Has no effect if nothing is cached.
    public func forgetMembers(of type: ObjectType, _ identifier: Int64) {
        prepare()
        luaroute_forget(context, type.index, identifier)
    }

    /// Defines a type of host objects.
    ///
    /// - Parameters:
    ///   - name: The name of the type in messages.
    ///   - index: Reads a field. The arguments are the object and the key. The result may be cached
    ///     in the object.
    ///   - newIndex: Writes a field. The arguments are the object, the key and the value.
    ///   - description: Returns the description of an object. The argument is the object.
    ///   - names: Returns the sorted list of the names of an object's fields, for `pairs` and
    ///     `next`. The argument is the object. If nil, `pairs` and `next` raise an error.
    ///   - released: Called with the identifier of an object when no script references the object
    ///     any more, or when the state closes. The closure must not call into the state.
    /// - Returns: A type for objects in this state.
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
        let bodies = [index, newIndex, description, names]
        let box = TypeBox(state: self, name: name, bodies: bodies, released: released)
        let pointer = Unmanaged.passUnretained(box).toOpaque()
        guard luaroute_define_type(context, name, pointer, box.operations) == LUAROUTE_OK else {
            throw ScriptError(kind: .memory, message: "memory limit exceeded")
        }
        types.append(box)
        return ObjectType(index: UInt32(types.count))
    }
}
