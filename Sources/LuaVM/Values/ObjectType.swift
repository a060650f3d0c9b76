// SPDX-License-Identifier: MIT

internal import CLuaRoute

/// A type of host objects, as scripts distinguish them.
///
/// An object consists of its type and an identifier that the host chooses. The same identifier is
/// the same value in scripts, for `==` and as a key.
public struct ObjectType: Hashable, Sendable {
    let index: UInt32

    /// The type of objects that are read without a state; no state accepts one.
    package static let stateless = ObjectType(index: 0)
}

/// The closures of a type of objects.
final class TypeBox: FunctionBox {
    typealias Body = (inout CallFrame) throws -> Void

    /// By operation, as the C header numbers them.
    private let bodies: [Body?]
    let released: ((Int64) -> Void)?

    init(state: LuaState, name: String, bodies: [Body?], released: ((Int64) -> Void)?) {
        self.bodies = bodies
        self.released = released
        super.init(state: state, name: name)
    }

    /// Whether there is a closure, by operation.
    var operations: [Int32] { bodies.map { $0 == nil ? 0 : 1 } }

    override func call(_ member: Int32, _ thread: OpaquePointer) throws -> Int32 {
        guard let body = bodies[Int(member)] else { return 0 }
        return try run(member, thread: thread, body: body)
    }
}

extension LuaState {
    /// Whether a script references an object of the host.
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

    /// Makes a type of objects.
    ///
    /// - Parameters:
    ///   - name: The name in messages.
    ///   - index: Reads a field: the arguments are the object and the key. The object may keep
    ///     the result.
    ///   - newIndex: Writes a field: the arguments are the object, the key and the value.
    ///   - description: The text of an object: its argument is the object.
    ///   - names: Returns the sorted list of the names of an object's fields, for `pairs` and
    ///     `next`; its argument is the object. Without this function, they raise an error for the
    ///     object.
    ///   - released: Called with the identifier of an object when no script references it any more,
    ///     or when the state closes. It must not call into the state.
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
