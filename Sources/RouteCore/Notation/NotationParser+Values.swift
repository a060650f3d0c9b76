// SPDX-License-Identifier: MIT

extension NotationParser {
    /// Reads fields in parentheses: `(name=value, …)`.
    ///
    /// - Throws: A located error; the parser is then at or after its location.
    public mutating func parseFields() throws(NotationError) -> [FieldNotation] {
        guard take("(") else { throw .expected("'('", got: found()) }
        skipSpace()
        if take(")") { return [] }
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

    /// Reads the fields of a screen, which may not have the name of a property.
    mutating func parseScreenFields() throws(NotationError) -> [FieldNotation] {
        let fields = try parseFields()
        for field in fields where ScreenProperty.named[field.name] != nil {
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
        guard take("=") else { throw .expected("'=' after field '\(name)'", got: found()) }
        skipSpace()
        let value = try parseValue()
        return FieldNotation(name: name, value: value, range: start..<position)
    }

    private func checkDistinct(_ fields: [FieldNotation]) throws(NotationError) {
        guard fields.count > 1 else { return }
        var names: Set<String> = []
        for field in fields where !names.insert(field.name).inserted {
            let start = field.range.lowerBound
            throw .duplicateField(field.name, at: start..<start + field.name.utf8.count)
        }
    }

    /// Reads a value: `nil`, a Boolean, a number, a string, a table or a bare name, which is a
    /// string.
    ///
    /// - Throws: A located error; the parser is then at or after its location.
    public mutating func parseValue() throws(NotationError) -> Value {
        guard let first = peek() else { throw .expected("a value", got: found()) }
        switch first {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            return .string(try parseString())
        case UInt8(ascii: "{"):
            return .table(try parseTable())
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            return try parseNumber()
        case UInt8(ascii: ".") where position + 1 < end && bytes[position + 1].isDigit:
            return try parseNumber()
        default:
            guard let name = takeName() else {
                throw .expected("a value", got: found(), help: hintToQuote())
            }
            return value(ofBare: name)
        }
    }

    private mutating func value(ofBare name: String) -> Value {
        switch name {
        case "nil": return .nil
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        case _ where !names.isEmpty && names.contains(name):
            hasReadName = true
            return .object(HostObject(NamedValue(name: name)))
        default: return .string(ByteString(name))
        }
    }

    /// Returns a hint for text that is not a value, or continues after one.
    private func hintToQuote() -> String? {
        switch peek().map(Unicode.Scalar.init) {
        case nil, ",", ")", "]", "}", "\n", "\r": nil
        default: "quote a text that is not a name"
        }
    }

    // MARK: Tables

    private struct Entry {
        var key: InfoTable.Key
        var value: Value
        var range: Range<Int>
    }

    private mutating func parseTable() throws(NotationError) -> InfoTable {
        try enter()
        defer { depth -= 1 }
        var list: [Value] = []
        var entries: [Entry] = []
        skipSpace()
        while !take("}") {
            try parseEntry(&list, &entries)
            skipSpace()
            if take(",") {
                skipSpace()
            } else if peek() != UInt8(ascii: "}") {
                throw .expected("',' or '}'", got: found(), help: hintToQuote())
            }
        }
        return entries.isEmpty ? InfoTable(list: list) : try Self.table(list, entries)
    }

    private mutating func parseEntry(_ list: inout [Value], _ entries: inout [Entry])
        throws(NotationError)
    {
        let start = position
        let key: InfoTable.Key
        if take("[") {
            skipSpace()
            key = try parseKey()
            skipSpace()
            guard take("]") else { throw .expected("']'", got: found()) }
            skipSpace()
            guard peek() == UInt8(ascii: "=") else { throw .expected("'='", got: found()) }
        } else if let name = takeName() {
            let nameEnd = position
            skipSpace()
            guard peek() == UInt8(ascii: "=") else {
                position = nameEnd
                list.append(value(ofBare: name))
                return
            }
            key = .string(ByteString(name))
        } else {
            list.append(try parseValue())
            return
        }
        position += 1
        skipSpace()
        let value = try parseValue()
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
                "an integer or a quoted string as key",
                got: ("'\(text)'", start..<position)
            )
        }
    }

    /// Creates a table; it adds the entries in key order, so that each insertion is at the end.
    private static func table(_ list: [Value], _ entries: [Entry]) throws(NotationError)
        -> InfoTable
    {
        let positions = list.enumerated().map {
            Entry(key: .integer(Int64($0.offset) + 1), value: $0.element, range: 0..<0)
        }
        let sorted = (positions + entries).sorted {
            ($0.key, $0.range.lowerBound) < ($1.key, $1.range.lowerBound)
        }
        for (first, second) in zip(sorted, sorted.dropFirst()) where first.key == second.key {
            throw .duplicateKey(second.key, at: second.range)
        }
        var table = InfoTable()
        for entry in sorted { table[entry.key] = entry.value }
        return table
    }
}
