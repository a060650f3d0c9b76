// SPDX-License-Identifier: MIT

/// A part of a definition that scripts make by a function of its own, and hand around.
protocol Declaration: Sendable {
    /// What messages call it.
    static var declarationName: String { get }
}

extension Step: Declaration {
    static let declarationName = "link"
}

extension Action: Declaration {
    static let declarationName = "action"
}

extension Finder: Declaration {
    static let declarationName = "finder"
}

extension Value {
    /// Creates the value that scripts hold of a declaration.
    init(_ declaration: some Declaration) { self = .object(HostObject(declaration)) }

    /// What messages call the value.
    var scriptKind: String {
        if case .object(let object) = self, let declaration = object.base as? any Declaration {
            return type(of: declaration).declarationName
        }
        return kindName
    }
}
