// SPDX-License-Identifier: MIT

/// A value of a script of any kind, kept alive and passed back unchanged: a table is not copied.
///
/// Swift cannot read it. The reference may be released on any thread; the value itself is freed at
/// the next use of its state.
public final class LuaReference: Sendable {
    // To write a handle pushes what its slot holds, whatever that is.
    let handle: LuaFunction

    init(handle: LuaFunction) {
        self.handle = handle
    }
}

extension CallFrame {
    /// An argument of any kind, which the reference keeps alive; nil for nil, and for a missing
    /// argument.
    public func reference(at position: Int) -> LuaReference? {
        switch kind(at: position) {
        case .none, .nil: return nil
        default: return LuaReference(handle: handle(at: position))
        }
    }
}

extension FlatWriter {
    /// Writes the value of a reference; a reference of another state makes the operation fail.
    public mutating func write(_ reference: LuaReference) {
        write(reference.handle)
    }
}
