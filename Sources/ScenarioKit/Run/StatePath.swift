// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The state of the scripts, addressed by paths of keys.
extension Router {
    /// Returns the value at a path; `nil` if there is none.
    func state(at path: [String]) -> Value {
        path.reduce(Value.table(state)) { value, key in
            if case .table(let table) = value { table[key] } else { .nil }
        }
    }

    /// Sets the value at a path, and creates missing tables on the path.
    ///
    /// - Throws: `badInfo` if a value on the path is not a table, or if the state cannot contain
    ///   the value.
    func setState(at path: [String], to value: Value) throws(RouteError) {
        var value = value
        // Tables are values, so each table that contains the changed one is set again, the
        // innermost first.
        for depth in path.indices.dropFirst().reversed() {
            var table = InfoTable()
            switch state(at: Array(path[..<depth])) {
            case .nil: break
            case .table(let current): table = current
            case let other:
                let name = path[..<depth].joined(separator: ".")
                throw RouteError(
                    .badInfo,
                    "'\(name)' has no keys (table expected, got \(other.kindName))"
                )
            }
            table[path[depth]] = value
            value = .table(table)
        }
        try setState(path[0], to: value)
    }
}

/// An assignment to the state of the scripts: `user.name="ann"`.
struct StateAssignment {
    let path: [String]
    let value: Value

    /// Parses an assignment.
    ///
    /// - Throws: A failure with the exit code `usage` and the position of the error in the text.
    init(_ text: String, option: String) throws(LoadedScripts.Failure) {
        let bytes = Array(text.utf8)
        var parser = StepParser(bytes, at: bytes.indices, names: NameScope())
        do throws(SyntaxError) {
            path = try parser.keyPath("a key such as 'user' in 'user=ann'")
            guard parser.take(byte: "=") else { throw parser.expected("after the key: '='") }
            parser.skipSpace()
            value = try parser.plainValue()
            try parser.checkEnd(of: "key=value")
        } catch {
            let source = StepText(SourceText(name: option, content: bytes), bytes)
            throw LoadedScripts.Failure(diagnostics: [error.diagnostic(in: source)], code: .usage)
        }
    }
}
