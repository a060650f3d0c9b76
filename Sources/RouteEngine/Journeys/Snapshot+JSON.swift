// SPDX-License-Identifier: MIT

public import RouteCore

extension Snapshot {
    /// The maximum length of the JSON text in bytes.
    package static let jsonLimit = 64 * 1024 * 1024

    /// The snapshot as JSON text without white space, which ``init(json:)`` reads.
    ///
    /// Values that JSON cannot represent are written as objects with one key: `{"$bytes":"ff00"}`
    /// for a string that is not valid UTF-8, `{"$number":"7ff0000000000000"}` for the bits of an
    /// infinity or NaN, and `{"$entries":[[key,value]]}` for a table with keys that are not plain
    /// text.
    public var json: String {
        var writer = JSONWriter()
        writer.write(Value.table(table).asJSON)
        return writer.text
    }

    /// Reads a snapshot from JSON text.
    ///
    /// - Throws: `parse`, with the position, for malformed JSON; `budget` for a text of more than
    ///   64 MiB; or an error of ``init(_:)``.
    public init(json: String) throws(RouteError) {
        let bytes = Array(json.utf8)
        guard bytes.count <= Self.jsonLimit else { throw .snapshotTooLarge(bytes.count) }
        // A table that is written as `$entries` needs three levels of JSON.
        let table = try JSONDocument.object(bytes, depth: 4 + 3 * (Value.depthLimit + 1))
        guard case .table(let table) = try Value.table(table).fromJSON() else {
            throw .badSnapshot("version", expected: "'\(Self.version)'", actual: "nil")
        }
        try self.init(table)
    }
}

extension Snapshot: Codable {
    /// Decodes a snapshot from a string that contains its JSON text.
    public init(from decoder: any Decoder) throws {
        try self.init(json: try decoder.singleValueContainer().decode(String.self))
    }

    /// Encodes the snapshot as a single string that contains its JSON text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(json)
    }
}

extension Value {
    /// The value in a form that JSON can represent.
    fileprivate var asJSON: Value {
        switch self {
        case .number(let number) where !number.isFinite:
            return ["$number": Value(hexadecimal(number.bitPattern))]
        case .string(let string) where string.text == nil:
            return ["$bytes": Value(string.withBytes { $0.map { hexadecimal($0) }.joined() })]
        case .table(let table) where table.isList:
            return .table(InfoTable(list: table.list.map(\.asJSON)))
        case .table(let table):
            var object = InfoTable()
            for (key, value) in table.entries {
                guard table.list.isEmpty, case .string(let string) = key, let name = string.text,
                    !name.hasPrefix("$")
                else { return table.asEntries }
                object[key] = value.asJSON
            }
            return .table(object)
        default: return self
        }
    }

    /// Converts a value in the form of ``asJSON`` back to the original value.
    fileprivate func fromJSON() throws(RouteError) -> Value {
        guard case .table(let table) = self else { return self }
        if table.isList {
            var list: [Value] = []
            for value in table.list { list.append(try value.fromJSON()) }
            return .table(InfoTable(list: list))
        }
        guard let first = table.entries.first, case .string(let key) = first.key,
            let name = key.text, name.hasPrefix("$")
        else {
            var object = InfoTable()
            for (key, value) in table.entries { object[key] = try value.fromJSON() }
            return .table(object)
        }
        guard table.count == 1 else {
            throw .badSnapshot(name, expected: "a single key", actual: "several keys")
        }
        switch (name, first.value) {
        case ("$number", .string(let text)):
            guard let text = text.text, text.utf8.count == 16, let bits = UInt64(text, radix: 16)
            else { break }
            return .number(Double(bitPattern: bits))
        case ("$bytes", .string(let text)):
            guard let bytes = text.text.flatMap({ Array(hexadecimal: $0) }) else { break }
            return .string(ByteString(bytes: bytes))
        case ("$entries", .table(let entries)):
            return try Self(entries: entries)
        default: break
        }
        throw .badSnapshot(name, expected: "an encoded value", actual: first.value.scriptKind)
    }

    private init(entries: InfoTable) throws(RouteError) {
        var table = InfoTable()
        for entry in entries.list {
            guard case .table(let pair) = entry, pair.isList, pair.count == 2 else {
                throw .badSnapshot(
                    "$entries",
                    expected: "a list of keys and values",
                    actual: entry.scriptKind
                )
            }
            switch try pair.list[0].fromJSON() {
            case .integer(let integer): table[.integer(integer)] = try pair.list[1].fromJSON()
            case .string(let string): table[.string(string)] = try pair.list[1].fromJSON()
            case let other:
                throw .badSnapshot("$entries", expected: "a key", actual: other.scriptKind)
            }
        }
        self = .table(table)
    }
}

extension InfoTable {
    fileprivate var asEntries: Value {
        var pairs: [Value] = []
        for (index, value) in list.enumerated() {
            pairs.append([.integer(Int64(index) + 1), value.asJSON])
        }
        for (key, value) in entries {
            switch key {
            case .integer(let integer): pairs.append([.integer(integer), value.asJSON])
            case .string(let string): pairs.append([Value.string(string).asJSON, value.asJSON])
            }
        }
        return ["$entries": .table(InfoTable(list: pairs))]
    }
}

private func hexadecimal(_ number: some FixedWidthInteger & UnsignedInteger) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: number.bitWidth / 4 - digits.count) + digits
}

extension [UInt8] {
    fileprivate init?(hexadecimal text: String) {
        let digits = text.utf8.compactMap(\.hexadecimalValue)
        guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
        self = stride(from: 0, to: digits.count, by: 2).map {
            digits[$0] << 4 | digits[$0 + 1]
        }
    }
}
