// SPDX-License-Identifier: MIT

extension ValueType {
    /// Returns the type in the notation that scripts use and ``InfoDeclaration`` reads, such as
    /// `"integer?"` or `{street = "string"}`.
    ///
    /// A type that is checked by a function is written as `"any?"`.
    package func notation(isOptional: Bool) -> Value {
        func marked(_ table: InfoTable) -> Value {
            var table = table
            if isOptional { table["optional"] = true }
            return .table(table)
        }
        switch self {
        case .checked: return "any?"
        case .oneOf(let values): return marked(InfoTable(list: values))
        case .record(let record):
            return marked(record.notation)
        case .list(let element):
            let inner = element.notation(isOptional: false)
            guard let text = inner.text else { return marked(InfoTable(list: [inner])) }
            // The elements of a list are never nil, so the `?` is removed.
            let word = text == "any?" ? "any" : text
            return Value("[\(word)]\(isOptional ? "?" : "")")
        default:
            let word = Self.words.first { $0.value.isSameWord(as: self) }?.key ?? "any"
            return Value(isOptional ? "\(word)?" : word)
        }
    }

    private func isSameWord(as other: ValueType) -> Bool {
        switch (self, other) {
        case (.integer, .integer), (.number, .number), (.string, .string), (.boolean, .boolean),
            (.table, .table), (.function, .function), (.screen, .screen), (.any, .any),
            (.host, .host):
            true
        default: false
        }
    }
}

extension InfoDeclaration {
    /// The declaration in the notation that scripts use.
    package var notation: InfoTable {
        var table = InfoTable()
        for parameter in parameters {
            table[parameter.name] = parameter.type.notation(isOptional: parameter.isOptional)
        }
        return table
    }
}

extension InfoDeclaration.Parameter {
    /// Whether the parameter must be given.
    ///
    /// A value that is checked by a function may be missing, because the function may accept nil.
    package var isRequired: Bool {
        if case .checked = type { return false }
        return !isOptional
    }
}

// Two declarations are equal if their notations in scripts are equal. Functions are not compared.

extension InfoDeclaration: Equatable {
    package static func == (left: InfoDeclaration, right: InfoDeclaration) -> Bool {
        left.notation == right.notation
    }
}

extension InfoDeclaration.Parameter: Equatable {
    package static func == (
        left: InfoDeclaration.Parameter,
        right: InfoDeclaration.Parameter
    ) -> Bool {
        InfoDeclaration([left]) == InfoDeclaration([right])
    }
}

/// A check that determines whether a change to a declared type breaks code that was compiled
/// against the old type.
package struct TypeChange {
    /// The side that provides the values of the type.
    package enum Direction: Sendable {
        /// The app passes values to scripts, so the new type must accept every value of the old
        /// type.
        case given
        /// The app receives values from scripts, so the old type must accept every value of the new
        /// type.
        case taken
    }

    private let direction: Direction

    package init(_ direction: Direction) { self.direction = direction }

    /// Returns the reason why the code no longer fits the type, naming the part that changed; nil
    /// if the code still fits.
    package func problem(
        from old: InfoDeclaration,
        to new: InfoDeclaration,
        _ path: String = ""
    ) -> String? {
        for old in old.parameters {
            guard let new = new[old.name] else {
                if direction == .taken, !old.isRequired { continue }
                return "'\(path)\(old.name)' is missing"
            }
            if let problem = problem(from: old, to: new, path) { return problem }
        }
        guard direction == .given else { return nil }
        return new.parameters.first { $0.isRequired && old[$0.name] == nil }
            .map { "'\(path)\($0.name)' is required" }
    }

    /// Returns the reason why the code no longer fits the type of one parameter; nil if the code
    /// still fits.
    package func problem(
        from old: InfoDeclaration.Parameter,
        to new: InfoDeclaration.Parameter,
        _ path: String = ""
    ) -> String? {
        let name = "\(path)\(old.name)"
        switch (direction, old.isRequired, new.isRequired) {
        case (.given, false, true): return "'\(name)' is required, but was optional"
        case (.taken, true, false): return "'\(name)' is optional, but was required"
        default: return problem(from: old.type, to: new.type, name)
        }
    }

    private func problem(from old: ValueType, to new: ValueType, _ path: String) -> String? {
        let (wide, narrow) = direction == .given ? (new, old) : (old, new)
        switch (wide, narrow) {
        case (.any, _), (.checked, _), (.number, .integer), (.table, .list), (.table, .record):
            return nil
        case (.list, .list), (.record, .record):
            return problem(inside: old, new, path)
        case (_, .oneOf(let values)):
            // Most values are in both lists, so only the remaining values are checked one by one.
            let printer = NotationPrinter()
            let known =
                if case .oneOf(let values) = wide { Set(values.map(printer.value)) } else {
                    Set<String>()
                }
            let refused = values.first { value in
                if known.contains(printer.value(value)) { return false }
                do throws(ValueMismatch) {
                    _ = try wide.check(value) { _, value in value }
                    return false
                } catch {
                    return true
                }
            }
            return refused.map {
                let now = direction == .given ? "can no longer be" : "can now be"
                return "'\(path)' \(now) \(printer.value($0))"
            }
        default:
            let printer = NotationPrinter()
            let (new, old) = (new.notation(isOptional: false), old.notation(isOptional: false))
            return new == old
                ? nil : "'\(path)' is \(printer.value(new)), but was \(printer.value(old))"
        }
    }

    private func problem(
        inside old: ValueType,
        _ new: ValueType,
        _ path: String
    ) -> String? {
        switch (old, new) {
        case (.list(let old), .list(let new)): problem(from: old, to: new, "\(path)[]")
        case (.record(let old), .record(let new)): problem(from: old, to: new, "\(path).")
        default: nil
        }
    }
}
