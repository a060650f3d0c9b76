// SPDX-License-Identifier: MIT

package import RouteCore

/// A part of a definition that scripts make by a function of its own, and hand around.
package protocol Declaration: Sendable {
    /// Its name in messages.
    static var declarationName: String { get }
}

extension Step: Declaration {
    package static let declarationName = "link"
}

extension Action: Declaration {
    package static let declarationName = "action"
}

extension Finder: Declaration {
    package static let declarationName = "finder"
}

extension Value {
    /// Creates the value that scripts hold of a declaration.
    package init(_ declaration: some Declaration) { self = .object(HostObject(declaration)) }

    /// The name of the value in messages.
    package var scriptKind: String {
        guard case .object(let object) = self else { return kindName }
        if let handle = object.base as? ScriptHandle { return handle.kind }
        return (object.base as? any Declaration).map { type(of: $0).declarationName } ?? kindName
    }

    /// Where the value holds an object that cannot cross, and what that is; nil where nowhere.
    package var pathToHandle: (path: String, kind: String)? {
        switch self {
        case .object(let object):
            return (object.base as? ScriptHandle).map { ("", $0.kind) }
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

/// An object of a script that is no value: it cannot cross.
package struct ScriptHandle: Sendable {
    /// Its name in messages.
    package let kind: String

    package init(
        kind: String
    ) {
        self.kind = kind
    }
}
