// SPDX-License-Identifier: MIT

extension NotationParser {
    /// Reads fields in parentheses: `(name=value, …)`.
    ///
    /// - Throws: An error with its location. The parser is then at that location or after it.
    public mutating func parseFields() throws(NotationError) -> [FieldNotation] {
        guard take("(") else { throw .expected("'('", got: found()) }
        skipSpace()
        if take(")") { return [] }
        return try parseRestOfFields()
    }

    /// Reads one or more fields and the closing parenthesis.
    ///
    /// - Throws: An error with its location. The parser is then at that location or after it.
    package mutating func parseRestOfFields() throws(NotationError) -> [FieldNotation] {
        var fields = [try parseField()]
        skipSpace()
        while take(",") {
            skipSpace()
            fields.append(try parseField())
            skipSpace()
        }
        guard take(")") else { throw .expected("',' or ')'", got: found(), help: hintToQuote()) }
        try checkDistinct(fields)
        return fields
    }

    /// Reads the fields of a screen.
    ///
    /// No field may have the name of a property of screens.
    mutating func parseScreenFields() throws(NotationError) -> [FieldNotation] {
        let fields = try parseFields()
        for field in fields where ScreenProperty.named(field.name) != nil {
            let start = field.range.lowerBound
            throw .readOnlyField(field.name, at: start..<start + field.name.utf8.count)
        }
        return fields
    }

    private mutating func parseField() throws(NotationError) -> FieldNotation {
        let start = position
        guard let name = takeName() else {
            throw .expected("a field", got: found(), help: "write name=value")
        }
        skipSpace()
        let notation: ValueNotation
        if let comparison = try parseComparison() {
            notation = comparison
        } else {
            guard take("=") else {
                throw .expected("'='", after: "field '\(name)'", got: found())
            }
            skipSpace()
            notation = try parseNotation()
        }
        return FieldNotation(name: name, notation: notation, range: start..<position)
    }

    private func checkDistinct(_ fields: [FieldNotation]) throws(NotationError) {
        guard fields.count > 1 else { return }
        var names: Set<String> = []
        for field in fields where !names.insert(field.name).inserted {
            let start = field.range.lowerBound
            throw .duplicateField(field.name, at: start..<start + field.name.utf8.count)
        }
    }

    /// Reads a value: `nil`, a Boolean, a number, a string or a table.
    ///
    /// A bare name is read as a string.
    ///
    /// - Throws: An error with its location. The parser is then at that location or after it.
    public mutating func parseValue() throws(NotationError) -> Value {
        let start = position
        let notation = try parseNotation()
        guard !notation.isMatcher else { throw .matcherOutside(start..<position) }
        return notation.value { _ in .nil }
    }

    /// Reads a value like ``parseValue()``.
    ///
    /// This function also reads one of the ``names`` or, if ``allowsMatchers`` is true, a matcher.
    ///
    /// - Throws: An error with its location. The parser is then at that location or after it.
    package mutating func parseNotation() throws(NotationError) -> ValueNotation {
        guard let first = peek() else { throw .expected("a value", got: found()) }
        switch first {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            return .value(.string(try parseString()))
        case UInt8(ascii: "{"): return try parseTable()
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            return .value(try parseNumber())
        case UInt8(ascii: ".") where position + 1 < end && bytes[position + 1].isDigit:
            return .value(try parseNumber())
        case UInt8(ascii: "_"):
            let start = position
            position += 1
            guard peek()?.isWord != true else {
                position = start
                throw .expected("a value", got: found(), help: hintToQuote())
            }
            guard allowsMatchers else { throw .matcherOutside(start..<position) }
            return .any
        default:
            guard let name = takeName() else {
                throw .expected("a value", got: found(), help: hintToQuote())
            }
            return notation(ofBare: name)
        }
    }

    /// Reads `contains VALUE` or a comparison with a number; returns nil if neither follows.
    ///
    /// - Throws: An error with its location. The parser is then at that location or after it.
    package mutating func parseComparison() throws(NotationError) -> ValueNotation? {
        let start = position
        guard let comparison = takeComparison() else { return nil }
        guard allowsMatchers else { throw .matcherOutside(start..<position) }
        skipSpace()
        let (valueStart, value) = (position, try parseNotation())
        switch (comparison, value) {
        case (.contains, .comparison), (.contains, .any): break
        case (.contains, _), (_, .name), (_, .value(.integer)), (_, .value(.number)):
            return .comparison(comparison, value)
        default: break
        }
        let text = String(decoding: bytes[valueStart..<position], as: UTF8.self)
        throw .expected(
            comparison == .contains ? "a value" : "a number",
            after: "'\(comparison.rawValue)'",
            got: ("'\(text)'", valueStart..<position)
        )
    }

    private mutating func takeComparison() -> ValueNotation.Comparison? {
        // Values are read often, and few of them are comparisons.
        switch peek() {
        case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "c"): break
        default: return nil
        }
        for comparison in ValueNotation.Comparison.allCases {
            let word = comparison.rawValue.utf8
            let wordEnd = position + word.count
            guard wordEnd <= end, bytes[position..<wordEnd].elementsEqual(word),
                comparison != .contains || wordEnd == end || !bytes[wordEnd].isWord
            else { continue }
            if comparison == .contains {
                // The word may also be the name of a field or a key.
                var ahead = self
                ahead.position = wordEnd
                ahead.skipSpace()
                guard let next = ahead.peek(), !",)}=".utf8.contains(next) else { return nil }
            }
            position = wordEnd
            return comparison
        }
        return nil
    }

    private func notation(ofBare name: String) -> ValueNotation {
        switch name {
        case "nil": .value(.nil)
        case "true": .value(.boolean(true))
        case "false": .value(.boolean(false))
        case _ where !names.isEmpty && names.contains(name): .name(name)
        default: .value(.string(ByteString(name)))
        }
    }

    /// Returns a hint for text that is not a value, or that continues after a value.
    private func hintToQuote() -> String? {
        switch peek().map(Unicode.Scalar.init) {
        case nil, ",", ")", "]", "}", "\n", "\r": nil
        default: "put text that is not a name in quotes"
        }
    }

    // MARK: Tables

    private struct Entry {
        var key: InfoTable.Key
        var value: ValueNotation
        var range: Range<Int>
    }

    private mutating func parseTable() throws(NotationError) -> ValueNotation {
        try enter()
        defer { depth -= 1 }
        var list: [ValueNotation] = []
        var entries: [Entry] = []
        var isOpen = false
        skipSpace()
        while !take("}") {
            let start = position
            if !isOpen, takeRest() {
                guard allowsMatchers else { throw .matcherOutside(start..<position) }
                isOpen = true
            } else {
                try parseEntry(&list, &entries)
            }
            skipSpace()
            if !isOpen, take(",") {
                skipSpace()
            } else if peek() != UInt8(ascii: "}") {
                throw .expected(
                    isOpen ? "'}'" : "',' or '}'",
                    after: isOpen ? "'...'" : nil,
                    got: found(),
                    help: hintToQuote()
                )
            }
        }
        let sorted = entries.isEmpty ? [] : try Self.sorted(list, entries)
        guard !isOpen, list.allSatisfy(\.isPlain), entries.allSatisfy(\.value.isPlain) else {
            return .table(list, entries.map { ($0.key, $0.value) }, isOpen: isOpen)
        }
        guard !entries.isEmpty else { return .value(.table(InfoTable(list: list.map(\.plain)))) }
        // The entries are in key order, so each insertion is at the end.
        var table = InfoTable()
        for entry in sorted { table[entry.key] = entry.value.plain }
        return .value(.table(table))
    }

    private mutating func parseEntry(_ list: inout [ValueNotation], _ entries: inout [Entry])
        throws(NotationError)
    {
        let start = position
        let key: InfoTable.Key
        if take("[") {
            skipSpace()
            key = try parseKey()
            skipSpace()
            guard take("]") else { throw .expected("']'", got: found()) }
        } else if let name = takeName() {
            let nameEnd = position
            var ahead = self
            ahead.skipSpace()
            guard ahead.peek() == UInt8(ascii: "=") || ahead.takeComparison() != nil else {
                position = nameEnd
                list.append(notation(ofBare: name))
                return
            }
            key = .string(ByteString(name))
        } else {
            list.append(try parseNotation())
            return
        }
        skipSpace()
        let value: ValueNotation
        if let comparison = try parseComparison() {
            value = comparison
        } else {
            guard take("=") else { throw .expected("'='", got: found()) }
            skipSpace()
            value = try parseNotation()
        }
        entries.append(Entry(key: key, value: value, range: start..<position))
    }

    private mutating func parseKey() throws(NotationError) -> InfoTable.Key {
        let start = position
        switch try parseValue() {
        case .integer(let integer): return .integer(integer)
        case .string(let string) where !bytes[start].isLetter: return .string(string)
        default:
            let text = String(decoding: bytes[start..<position], as: UTF8.self)
            throw .expected(
                "a key (an integer or a quoted string)",
                got: ("'\(text)'", start..<position)
            )
        }
    }

    /// Returns the elements of the list and the entries of a table, in key order.
    private static func sorted(
        _ list: [ValueNotation],
        _ entries: [Entry]
    ) throws(NotationError) -> [Entry] {
        let positions = list.enumerated().map {
            Entry(key: .integer(Int64($0.offset) + 1), value: $0.element, range: 0..<0)
        }
        let sorted = (positions + entries).sorted {
            ($0.key, $0.range.lowerBound) < ($1.key, $1.range.lowerBound)
        }
        for (first, second) in zip(sorted, sorted.dropFirst()) where first.key == second.key {
            throw .duplicateKey(second.key, at: second.range)
        }
        return sorted
    }
}
