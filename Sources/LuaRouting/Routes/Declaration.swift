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
        guard case .object(let object) = self else { return kindName }
        if let handle = object.base as? ScriptObjects.Handle { return handle.kind }
        return (object.base as? any Declaration).map { type(of: $0).declarationName } ?? kindName
    }

    /// Where the value holds an object that cannot cross, and what that is; nil where nowhere.
    var pathToHandle: (path: String, kind: String)? {
        switch self {
        case .object(let object):
            return (object.base as? ScriptObjects.Handle).map { ("", $0.kind) }
        case .table(let table):
            for (index, value) in table.list.enumerated() {
                if let (path, kind) = value.pathToHandle { return ("[\(index + 1)]\(path)", kind) }
            }
            for (key, value) in table.entries {
                if let (path, kind) = value.pathToHandle {
                    return ("\(key.pathComponent)\(path)", kind)
                }
            }
            return nil
        default: return nil
        }
    }
}
