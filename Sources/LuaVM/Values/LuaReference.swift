// SPDX-License-Identifier: MIT

/// A reference to a script value of any kind.
///
/// The reference keeps the value alive and passes it back unchanged; a table is not copied. Swift
/// cannot read the value. The reference may be released on any thread; the value is then freed when
/// its state is next used.
public final class LuaReference: Sendable {
    // Despite the type of the handle, its slot may contain any value. Writing the handle pushes the
    // value in the slot.
    let handle: LuaFunction

    init(handle: LuaFunction) {
        self.handle = handle
    }
}

extension CallFrame {
    /// Returns a reference to an argument of any kind; nil if the argument is nil or missing.
    public func reference(at position: Int) -> LuaReference? {
        switch kind(at: position) {
        case .none, .nil: return nil
        default: return LuaReference(handle: handle(at: position))
        }
    }
}

extension FlatWriter {
    /// Writes the value of a reference.
    ///
    /// If the value belongs to another state, the operation that uses the written values fails.
    public mutating func write(_ reference: LuaReference) {
        write(reference.handle)
    }
}
