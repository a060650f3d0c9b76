// SPDX-License-Identifier: MIT

/// A part of a definition that scripts make by a function of its own, and hand around.
package protocol Declaration: Sendable {
    /// Its name in messages.
    static var declarationName: String { get }
}

/// An object of a script that is no value: it cannot cross.
package struct ScriptHandle: Sendable {
    /// Its name in messages.
    package let kind: String

    package init(kind: String) { self.kind = kind }
}

extension Value {
    /// Creates the value that scripts hold of a declaration.
    package init(_ declaration: some Declaration) { self = .object(HostObject(declaration)) }

    /// The name of the value's kind in messages to authors of scripts.
    package var scriptKind: String {
        guard case .object(let object) = self else { return kindName }
        if let handle = object.base as? ScriptHandle { return handle.kind }
        return (object.base as? any Declaration).map { type(of: $0).declarationName } ?? kindName
    }

    /// The function, if it is one.
    package var function: (any FunctionReference)? {
        if case .function(let function) = self { function } else { nil }
    }
}
