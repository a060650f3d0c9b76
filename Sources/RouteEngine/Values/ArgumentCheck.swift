// SPDX-License-Identifier: MIT

package import RouteCore

/// Checks the arguments of a call against the description of the function.
package enum ArgumentCheck {
    /// Checks a table of options that came inside another.
    ///
    /// - Throws: `script`, or `badInfo` for what should be a name and is not.
    package static func check(
        _ table: Table,
        _ keys: [APIParameter],
        of field: String
    ) throws(RouteError) {
        for parameter in keys where !table[parameter.name].isNil {
            try check(table[parameter.name], parameter.type) { what, code in
                RouteError(code, "bad field '\(field).\(parameter.name)' (\(what))")
            }
        }
    }

    package typealias Blame = (_ what: String, _ code: RouteError.Code) -> RouteError

    package static func check(
        _ value: Value,
        _ type: APIType,
        _ blame: Blame
    ) throws(RouteError) {
        if type.takesAtOnce(value) { return }
        switch (type, value) {
        case (.any, let value) where !value.isNil: return
        case (.boolean, .boolean), (.integer, .integer), (.number, .integer), (.number, .number),
            (.string, .string), (.table, .table), (.function, .function), (.screen, .screen):
            return
        case (.integer, .number) where value.integer != nil: return
        case (.name, .string(let string)):
            if let text = string.text, Name.isValid(text) { return }
            throw blame("name expected, got '\(RouteError.shortened(string))'", .badInfo)
        case (.word(let words), .string(let string)):
            if let text = string.text, words.contains(text) { return }
            let word = RouteError.shortened(string)
            let hint = Suggestion.hint(for: word, among: words)
            // Of a long list, the word that was meant says more.
            let expected =
                words.count > 6 && !hint.isEmpty ? "one of \(words.count) words" : type.title
            throw blame("\(expected) expected, got '\(word)'\(hint)", .script)
        case (.declaration, .object) where type.takes(value): return
        case (.keyed(let keys), .table(let table)):
            if !table.list.isEmpty {
                throw blame("a table with named fields expected, got a list", .script)
            }
            try check(table, keys, blame)
        case (.listed(let element, let keys), .table(let table)):
            for (index, value) in table.list.enumerated() {
                try check(value, element) { what, code in
                    blame("bad element [\(index + 1)]: \(what)", code)
                }
            }
            try check(table, keys, blame)
        case (.either(let types), _):
            // A table is told from other values by its kind: blame what is inside it.
            if let type = types.first(where: { $0.takes(value) }) {
                try check(value, type, blame)
            } else {
                throw blame("\(type.title) expected, got \(value.scriptKind)", .script)
            }
        default:
            throw blame("\(type.title) expected, got \(value.scriptKind)", .script)
        }
    }

    private static func check(
        _ table: Table,
        _ keys: APIKeys,
        _ blame: Blame
    ) throws(RouteError) {
        for (key, value) in table.entries {
            guard let parameter = keys[key] else {
                let name = key.pathComponent.drop { $0 == "." }
                let hint = Suggestion.hint(
                    for: String(name),
                    among: keys.parameters.map(\.name)
                )
                throw blame("unknown field '\(name)'\(hint)", .script)
            }
            try check(value, parameter.type) { what, code in
                blame("bad field '\(parameter.name)': \(what)", code)
            }
        }
        for parameter in keys.required where table[parameter.name].isNil {
            throw blame(
                "field '\(parameter.name)' is missing: \(parameter.type.title) expected",
                .script
            )
        }
    }
}

extension APIKeys {
    /// Whether the entries of a table will do.
    fileprivate func take(_ table: Table) -> Bool {
        guard required.isEmpty else { return false }
        for (key, value) in table.entries {
            guard let parameter = self[key], parameter.type.takesAtOnce(value) else { return false }
        }
        return true
    }
}

extension APIType {
    /// Whether a value will do: nearly all do, and there is nobody to blame for them.
    ///
    /// A refused value is checked again, to find the mistake, or that there is none.
    fileprivate func takesAtOnce(_ value: Value) -> Bool {
        switch self {
        case .any: return !value.isNil
        case .function: if case .function = value { return true }
        case .table: if case .table = value { return true }
        case .string: if case .string = value { return true }
        case .screen: if case .screen = value { return true }
        case .name:
            if case .string(let string) = value, let text = string.text {
                return Name.isValid(text)
            }
        case .either(let types):
            for type in types where type.takes(value) { return type.takesAtOnce(value) }
        case .keyed(let keys):
            if case .table(let table) = value { return table.list.isEmpty && keys.take(table) }
        case .listed(let element, let keys):
            if case .table(let table) = value {
                return table.list.allSatisfy { element.takesAtOnce($0) } && keys.take(table)
            }
        default: break
        }
        return false
    }

    /// Whether a value is of the kind that the type asks for, whatever is inside it.
    fileprivate func takes(_ value: Value) -> Bool {
        switch (self, value) {
        case (.function, .function), (.screen, .screen), (.string, .string), (.name, .string),
            (.boolean, .boolean), (.integer, .integer), (.word, .string), (.table, .table),
            (.keyed, .table):
            true
        case (.integer, .number): value.integer != nil
        // A table without a list may belong to the next type of a choice.
        case (.listed, .table(let table)): !table.list.isEmpty || table.entries.isEmpty
        case (.declaration(let names), .object(let object)):
            (object.base as? any Declaration).map {
                names.contains(Swift.type(of: $0).declarationName)
            } ?? false
        default: false
        }
    }
}

extension RouteError {
    /// The error of a call with two tables of options, where what is before the second may be them.
    package static func optionsTwice(_ name: String) -> RouteError {
        RouteError(.script, "bad argument #1 to '\(name)' (integer expected, got table)")
    }

    package static func tooManyArguments(
        _ name: String,
        _ expected: Int,
        _ got: Int
    ) -> RouteError {
        RouteError(
            .script,
            "too many arguments to '\(name)' (at most \(expected) expected, got \(got))"
        )
    }
}
