// SPDX-License-Identifier: MIT

internal import RouteCore
internal import RouteEngine

/// A type that reads the fields of a JSON document, or of an object within a document.
///
/// Errors contain the path of the invalid field.
struct DocumentReader {
    private let table: InfoTable
    /// The prefix of field names in messages, such as `capabilities.`.
    let path: String

    /// Creates a reader of a document that must have the given schema.
    ///
    /// - Throws: `parse` if the text is not JSON. `badInfo` if the document has a different schema
    ///   or an unknown field.
    init(json: [UInt8], schema: String, known: [String]) throws(RouteError) {
        let table = try JSONDocument.object(json, refusesNull: true)
        guard table["schema"].text == schema else {
            throw .badField("schema", expected: "\"\(schema)\"", table["schema"])
        }
        try self.init(table, path: "", known: known + ["schema"])
    }

    /// Creates a reader of an object.
    ///
    /// - Throws: `badInfo` if the object has an unknown field.
    init(_ table: InfoTable, path: String, known: [String]) throws(RouteError) {
        (self.table, self.path) = (table, path)
        for (key, _) in table.entries {
            let name = String(key.pathComponent.drop { $0 == "." })
            if !known.contains(name) { throw .unknownParameter(path + name, among: known) }
        }
    }

    /// Returns the converted value of a field; nil if the field is missing.
    func read<Content>(
        _ key: String,
        expected: String,
        _ convert: (Value) -> Content?
    ) throws(RouteError) -> Content? {
        let value = table[key]
        if value.isNil { return nil }
        guard let content = convert(value) else {
            throw .badField(path + key, expected: expected, value)
        }
        return content
    }

    func names(_ key: String) throws(RouteError) -> [String]? {
        try read(key, expected: "a list of names") { value in
            guard case .table(let list) = value, list.entries.isEmpty else { return nil }
            let names = list.list.compactMap(\.text)
            return names.count == list.list.count ? names : nil
        }
    }

    func boolean(_ key: String) throws(RouteError) -> Bool? {
        try read(key, expected: "true or false", \.boolean)
    }

    func number(_ key: String, isPositive: Bool = false) throws(RouteError) -> Double? {
        let range = isPositive ? "above 0 and up" : "from 0"
        return try read(key, expected: "a number of seconds \(range) to 1e9") { value in
            value.double.flatMap { number in
                (isPositive ? number > 0 : number >= 0) && number <= 1e9 ? number : nil
            }
        }
    }

    func count(_ key: String) throws(RouteError) -> Int? {
        try read(key, expected: "an integer of 0 or more") { value in
            value.integer.flatMap { $0 >= 0 ? Int(clamping: $0) : nil }
        }
    }

    func fields(_ key: String, known: [String]) throws(RouteError) -> DocumentReader? {
        let inner = try read(key, expected: "an object") { value in
            if case .table(let table) = value { table } else { nil }
        }
        guard let inner else { return nil }
        return try DocumentReader(inner, path: "\(path)\(key).", known: known)
    }

    /// Returns the names in a field, each with its details; nil if the field is missing.
    ///
    /// The value of the field is a list of names, or an object whose keys are the names and whose
    /// values are the details.
    func entries(_ key: String) throws(RouteError) -> [(name: String, about: InfoTable)]? {
        let value = table[key]
        if value.isNil { return nil }
        guard case .table(let table) = value else {
            throw .badField(path + key, expected: "a list of names or an object", value)
        }
        var entries: [(String, InfoTable)] = []
        for element in table.list {
            guard let name = element.text else {
                throw .badField(path + key, expected: "a list of names", element)
            }
            entries.append((name, InfoTable()))
        }
        for (entryKey, value) in table.entries {
            guard case .string(let string) = entryKey, let name = string.text,
                case .table(let about) = value
            else { throw .badField(path + key, expected: "an object for each name", value) }
            entries.append((name, about))
        }
        return entries
    }
}

extension RouteError {
    fileprivate static func badField(
        _ key: String,
        expected: String,
        _ got: Value
    ) -> RouteError {
        let found = got.text.map { "'\(shortened($0))'" } ?? got.kindName
        return RouteError(.badInfo, "bad field '\(key)' (\(expected) expected, got \(found))")
    }
}
