// SPDX-License-Identifier: MIT

package import RouteCore

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
    /// The path and the kind of the first object in the value that cannot be passed to the host;
    /// nil if there is no such object.
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
