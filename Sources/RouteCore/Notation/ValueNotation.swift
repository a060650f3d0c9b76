// SPDX-License-Identifier: MIT

/// The notation of a value.
///
/// The notation may contain names, which are placeholders for values that are known later. In an
/// expectation, it may also contain matchers.
package indirect enum ValueNotation: Sendable {
    /// The operator of a comparison, which is written instead of `=`.
    package enum Comparison: String, Sendable, CaseIterable {
        /// The value is a text that contains the given text, or a list that contains a matching
        /// element.
        case contains
        case greaterOrEqual = ">="
        case lessOrEqual = "<="
        case greater = ">"
        case less = "<"
    }

    /// A function that returns the value with the given name.
    package typealias Names = (String) -> Value

    /// A value.
    case value(Value)
    /// A name, which is replaced by its value.
    case name(String)
    /// A table that contains names or matchers. An open table, which ends with `...`, also matches
    /// tables with more entries.
    case table([ValueNotation], [(key: InfoTable.Key, value: ValueNotation)], isOpen: Bool)
    /// Any value except nil: `_`.
    case any
    /// Any value that satisfies a comparison with another value.
    case comparison(Comparison, ValueNotation)

    /// Whether the notation is a matcher, or contains one.
    package var isMatcher: Bool {
        switch self {
        case .value, .name: false
        case .table(let list, let entries, let isOpen):
            isOpen || list.contains(where: \.isMatcher) || entries.contains { $0.value.isMatcher }
        case .any, .comparison: true
        }
    }

    /// Whether the notation is a value that contains neither names nor matchers.
    var isPlain: Bool { if case .value = self { true } else { false } }

    /// The value of a plain notation.
    var plain: Value { value { _ in .nil } }

    /// Returns the value; matchers become nil.
    package func value(_ names: Names) -> Value {
        switch self {
        case .value(let value): return value
        case .name(let name): return names(name)
        case .table(let list, let entries, _):
            var table = InfoTable(list: list.map { $0.value(names) })
            for entry in entries { table[entry.key] = entry.value.value(names) }
            return .table(table)
        case .any, .comparison: return .nil
        }
    }

    /// Returns whether a value matches.
    ///
    /// - Complexity: O(*n*) in the size of the notation and of the value.
    package func matches(_ actual: Value, _ names: Names) -> Bool {
        switch self {
        case .value(let value): return actual.isEqual(to: value)
        case .name(let name): return actual.isEqual(to: names(name))
        case .any: return !actual.isNil
        case .table(let list, let entries, let isOpen):
            guard case .table(let table) = actual else { return false }
            func isWritten(_ key: InfoTable.Key) -> Bool {
                if case .integer(let index) = key, index > 0, index <= list.count { return true }
                return entries.contains { $0.key == key }
            }
            let isComplete =
                isOpen
                || table.list.indices.allSatisfy { isWritten(.integer(Int64($0) + 1)) }
                    && table.entries.allSatisfy { isWritten($0.key) }
            return isComplete
                && list.enumerated().allSatisfy { index, element in
                    element.matches(table[.integer(Int64(index) + 1)], names)
                } && entries.allSatisfy { $0.value.matches(table[$0.key], names) }
        case .comparison(.contains, let part):
            switch actual {
            case .table(let table): return table.list.contains { part.matches($0, names) }
            case .string(let text):
                guard case .string(let part) = part.value(names) else { return false }
                return text.contains(part)
            default: return false
            }
        case .comparison(let comparison, let bound):
            let bound = bound.value(names)
            let isLess = actual.isLess(than: bound)
            switch comparison {
            case .less: return isLess
            case .lessOrEqual: return isLess || actual.isNumber && actual.isEqual(to: bound)
            case .greater: return bound.isLess(than: actual)
            default:
                return bound.isLess(than: actual) || actual.isNumber && actual.isEqual(to: bound)
            }
        }
    }

    /// Returns the text of an actual value.
    ///
    /// Parts of the value that match this expectation are written as in the expectation.
    package func text(of actual: Value, _ printer: NotationPrinter, _ names: Names) -> String {
        guard isMatcher else { return printer.value(actual) }
        if matches(actual, names) { return text(printer) }
        guard case .table(let list, let entries, let isOpen) = self, case .table(let table) = actual
        else { return printer.value(actual) }
        var parts = table.list.enumerated().compactMap { index, value in
            index < list.count
                ? list[index].text(of: value, printer, names) : isOpen ? nil : printer.value(value)
        }
        for (key, value) in table.entries {
            let name = printer.key(key)
            if let entry = entries.first(where: { $0.key == key }) {
                parts.append(entry.value.field(name, of: value, printer: printer, names: names))
            } else if !isOpen {
                parts.append("\(name)=\(printer.value(value))")
            }
        }
        return "{\((parts + (isOpen ? ["..."] : [])).joined(separator: ", "))}"
    }

    /// Returns the text of a field with an actual value.
    ///
    /// Parts of the value that match this expectation are written as in the expectation.
    package func field(
        _ name: String,
        of actual: Value,
        printer: NotationPrinter,
        names: Names
    ) -> String {
        if case .comparison = self, matches(actual, names) { return "\(name) \(text(printer))" }
        return "\(name)=\(text(of: actual, printer, names))"
    }

    /// Returns the text of the notation itself.
    private func text(_ printer: NotationPrinter) -> String {
        switch self {
        case .value(let value): return printer.value(value)
        case .name(let name): return name
        case .any: return "_"
        case .comparison(let comparison, let value):
            return "\(comparison.rawValue) \(value.text(printer))"
        case .table(let list, let entries, let isOpen):
            let fields = entries.map { key, value in
                if case .comparison = value {
                    "\(printer.key(key)) \(value.text(printer))"
                } else {
                    "\(printer.key(key))=\(value.text(printer))"
                }
            }
            let parts = list.map { $0.text(printer) } + fields + (isOpen ? ["..."] : [])
            return "{\(parts.joined(separator: ", "))}"
        }
    }
}

extension Value {
    fileprivate var isNumber: Bool {
        switch self {
        case .integer, .number: true
        default: false
        }
    }

    /// Whether both values are numbers, and this number is less than the other number.
    fileprivate func isLess(than other: Value) -> Bool {
        switch (self, other) {
        case (.integer(let left), .integer(let right)): left < right
        case (.number(let left), .number(let right)): left < right
        case (.integer(let left), .number(let right)):
            Double(left) < right || Double(left) == right && right < 0x1p63 && left < Int64(right)
        case (.number(let left), .integer(let right)):
            left < Double(right) || left == Double(right) && left < 0x1p63 && Int64(left) < right
        default: false
        }
    }
}

extension ByteString {
    fileprivate func contains(_ part: ByteString) -> Bool {
        withBytes { bytes in
            part.withBytes { part in
                part.isEmpty
                    || bytes.count >= part.count
                        && (0...bytes.count - part.count).contains { start in
                            bytes[start..<start + part.count].elementsEqual(part)
                        }
            }
        }
    }
}

extension FieldNotation {
    /// Returns the field with the names in its value replaced by their values.
    private func resolved(_ names: ValueNotation.Names) -> FieldNotation {
        FieldNotation(name: name, notation: .value(notation.value(names)), range: range)
    }

    fileprivate static func resolved(
        _ fields: [FieldNotation]?,
        _ names: ValueNotation.Names
    ) -> [FieldNotation]? { fields?.map { $0.resolved(names) } }
}

extension ScreenNotation {
    fileprivate func resolved(_ names: ValueNotation.Names) -> ScreenNotation {
        var screen = self
        screen.fields = FieldNotation.resolved(fields, names)
        screen.children = children?.map { child in
            switch child {
            case .rest: child
            case .child(let tree, let star): .child(tree.resolved(names), star: star)
            }
        }
        return screen
    }
}

extension TreeNotation {
    /// Returns the tree with all names replaced by their values, so that it can be built.
    package func resolved(_ names: ValueNotation.Names) -> TreeNotation {
        TreeNotation(levels: levels.map { $0.resolved(names) }, range: range)
    }
}
