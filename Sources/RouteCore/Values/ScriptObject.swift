// SPDX-License-Identifier: MIT

/// A part of a definition that a function of the Lua API creates, and that scripts can pass around.
package protocol Declaration: Sendable {
    /// The name of the kind of declaration, for messages.
    static var declarationName: String { get }
}

/// An object of the Lua API that is not a value and cannot be passed to the host.
package struct ScriptHandle: Sendable {
    /// The name of the kind of object, for messages.
    package let kind: String

    package init(kind: String) { self.kind = kind }
}

extension Value {
    /// Creates the value that represents a declaration in scripts.
    package init(_ declaration: some Declaration) { self = .object(HostObject(declaration)) }

    /// The name of the value's kind, for messages to script authors.
    package var scriptKind: String {
        guard case .object(let object) = self else { return kindName }
        if let handle = object.base as? ScriptHandle { return handle.kind }
        return (object.base as? any Declaration).map { type(of: $0).declarationName } ?? kindName
    }

    /// The function; nil if the value is not a function.
    package var function: (any FunctionReference)? {
        if case .function(let function) = self { function } else { nil }
    }
}
