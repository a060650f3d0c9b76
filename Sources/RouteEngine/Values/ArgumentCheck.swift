// SPDX-License-Identifier: MIT

package import RouteCore

/// The check of the arguments of a call against the description of the called function.
package enum ArgumentCheck {
    /// Checks a nested table of options.
    ///
    /// - Throws: `script`, or `badInfo` for a string that is not a valid name.
    static func check(
        _ table: Argument,
        _ keys: [APIParameter],
        of field: String
    ) throws(RouteError) {
        for parameter in keys {
            guard let value = table[parameter.name] else { continue }
            try check(value, type: parameter.type) { what, code in
                RouteError(code, "bad field '\(field).\(parameter.name)' (\(what))")
            }
        }
    }

    package typealias Blame = (_ what: String, _ code: RouteError.Code) -> RouteError

    package static func check(
        _ argument: Argument,
        type: APIType,
        blame: Blame
    ) throws(RouteError) {
        if type.plainKinds.contains(argument.kind) || type.accepts(argument) { return }
        switch (type, argument.value) {
        case (.integer, .number(let number)) where Int64(exactly: number) != nil: return
        case (.name, .string(let string)), (.reference, .string(let string)):
            throw blame("name expected, got '\(RouteError.shortened(string))'", .badInfo)
        case (.word(let words), .string(let string)):
            let word = RouteError.shortened(string)
            let hint = Suggestion.hint(for: word, among: words)
            // If the list of words is long, only the suggestion is printed.
            let expected =
                words.count > 6 && !hint.isEmpty ? "one of \(words.count) known words" : type.title
            throw blame("\(expected) expected, got '\(word)'\(hint)", .script)
        case (.keyed(let keys), .table(let table)):
            if !table.list.isEmpty {
                throw blame("a table with named fields expected, got a list", .script)
            }
            try check(argument, keys: keys, blame: blame)
        case (.listed(let element, let keys), .table(let table)):
            var parts = argument.parts
            for index in table.list.indices {
                try check(parts.take(), type: element) { what, code in
                    blame("bad element [\(index + 1)]: \(what)", code)
                }
            }
            try check(argument, keys: keys, blame: blame)
        case (.either(let types), let value):
            // The kind of the argument determines which type is checked, so that an error inside a
            // table is reported.
            guard let type = types.first(where: { $0.takes(argument) }) else {
                throw blame("\(type.title) expected, got \(value.scriptKind)", .script)
            }
            try check(argument, type: type, blame: blame)
        case (_, let value):
            throw blame("\(type.title) expected, got \(value.scriptKind)", .script)
        }
    }

    private static func check(
        _ table: Argument,
        keys: APIKeys,
        blame: Blame
    ) throws(RouteError) {
        var parts = table.parts
        parts.skip(table.listCount)
        for _ in 0..<table.entryCount {
            let (key, value) = (parts.take(), parts.take())
            guard let parameter = keys[key] else {
                if keys.isOpen { continue }
                let name = key.key.pathComponent.drop { $0 == "." }
                let known = keys.parameters.map(\.name)
                let hint = Suggestion.hint(for: String(name), among: known)
                let list = hint.isEmpty ? "; known fields: \(known.joined(separator: ", "))" : ""
                throw blame("unknown field '\(name)'\(hint)\(list)", .script)
            }
            try check(value, type: parameter.type) { what, code in
                blame("bad field '\(parameter.name)': \(what)", code)
            }
        }
        for parameter in keys.required where table[parameter.name] == nil {
            throw blame(
                "field '\(parameter.name)' is missing: \(parameter.type.title) expected",
                .script
            )
        }
    }
}

extension APIKeys {
    /// Whether a table is accepted.
    ///
    /// If `takesList` is true, the table may also contain a list.
    func accept(_ table: Argument, takesList: Bool = false) -> Bool {
        guard takesList || table.listCount == 0 else { return false }
        var missing = required.count
        var parts = table.parts
        parts.skip(table.listCount)
        for _ in 0..<table.entryCount {
            let (key, value) = (parts.take(), parts.take())
            guard let parameter = self[key] else {
                if isOpen { continue }
                return false
            }
            guard parameter.accepts(value) else { return false }
            if !parameter.isOptional { missing -= 1 }
        }
        return missing == 0
    }
}

extension APIType {
    /// The kinds whose values are all accepted, without further checks.
    var plainKinds: Kinds {
        switch self {
        case .any: return .all
        case .number: return [.integer, .number]
        case .boolean, .integer, .string, .table, .function, .screen: return kinds
        case .name, .reference, .word, .declaration, .keyed, .listed: return []
        case .either(let types):
            var (plain, decided): (Kinds, Kinds) = ([], [])
            for type in types {
                plain.formUnion(type.plainKinds.intersection(type.kinds).subtracting(decided))
                decided.formUnion(type.kinds)
                if case .integer = type { decided.insert(.number) }
            }
            return plain
        }
    }

    /// The kinds whose values may be accepted.
    ///
    /// These kinds determine which type of ``either(_:)`` checks an argument.
    private var kinds: Kinds {
        switch self {
        case .boolean: .boolean
        case .integer: .integer
        case .string, .name, .reference, .word: .string
        case .table, .keyed, .listed: .table
        case .function: .function
        case .screen: .screen
        case .declaration: .object
        case .any, .number, .either: []
        }
    }

    /// Returns the type that checks values of a kind: this type, or the first type of
    /// ``either(_:)`` that may accept the kind; nil if there is none.
    func first(of kind: Kinds) -> APIType? {
        if case .either(let types) = self { return types.first { $0.kinds.isSuperset(of: kind) } }
        return kinds.isSuperset(of: kind) ? self : nil
    }

    /// Whether an argument whose kind is not in ``plainKinds`` is accepted.
    ///
    /// This is fast, because no error is created.
    func accepts(_ argument: Argument) -> Bool {
        switch self {
        case .name, .reference: return Name.isValid(argument.bytes)
        case .word(let words):
            return argument.text.map(words.contains) ?? false
        case .declaration: return takes(argument)
        case .either(let types):
            for type in types where type.takes(argument) {
                return type.plainKinds.contains(argument.kind) || type.accepts(argument)
            }
            return false
        case .keyed(let keys):
            return argument.kind == .table && keys.accept(argument)
        case .listed(let element, let keys):
            guard argument.kind == .table else { return false }
            let plain = element.plainKinds
            var parts = argument.parts
            for _ in 0..<argument.listCount {
                let part = parts.take()
                guard plain.contains(part.kind) || element.accepts(part) else { return false }
            }
            return keys.accept(argument, takesList: true)
        default: return false
        }
    }

    /// Whether the type may accept an argument of this kind, regardless of the argument's contents.
    fileprivate func takes(_ argument: Argument) -> Bool {
        switch self {
        case .integer where argument.kind == .number: return argument.value.integer != nil
        // A table without a list may be meant for the next type of ``either(_:)``.
        case .listed:
            return argument.kind == .table && (argument.listCount > 0 || argument.entryCount == 0)
        case .declaration(let names):
            guard argument.kind == .object, case .object(let object) = argument.value else {
                return false
            }
            return (object.base as? any Declaration).map {
                names.contains(Swift.type(of: $0).declarationName)
            } ?? false
        default: return kinds.contains(argument.kind)
        }
    }
}

extension RouteError {
    /// The error for a call that passes two tables of options.
    ///
    /// Only the last argument may be such a table, so the message asks for the integer that should
    /// precede the table.
    package static func optionsTwice(_ name: String) -> RouteError {
        RouteError(.script, "bad argument #1 to '\(name)' (integer expected, got table)")
    }

    package static func tooManyArguments(
        _ name: String,
        expected: Int,
        got: Int
    ) -> RouteError {
        RouteError(
            .script,
            "too many arguments to '\(name)' (at most \(expected) expected, got \(got))"
        )
    }
}
