// SPDX-License-Identifier: MIT

internal import LuaVM

extension Value {
    /// Creates a script value from an encodable value.
    ///
    /// Structures and dictionaries become tables, and arrays become lists. An optional that is nil
    /// is left out. Integers and floats stay distinct.
    ///
    /// - Throws: `badInfo`, with the path of the part that cannot be encoded: an integer of more
    ///   than 64 bits, a part below the 32nd level of nesting, or a part whose encoding throws an
    ///   error.
    public init(encoding value: some Encodable) throws(RouteError) {
        do throws(ScriptError) {
            var reader = try FlatReader { writer in writer.encode(value) }
            // An encoded value contains no objects.
            self = Value(from: &reader) { _, _ in .nil } ?? .nil
        } catch {
            throw RouteError(error)
        }
    }

    /// Decodes the value.
    ///
    /// Nil and a missing key are equivalent, as are an empty list and a table without keys. A float
    /// with an integer value is accepted as an integer, and an integer is accepted as a float if
    /// the conversion is exact. Strings are never converted, and must be UTF-8. Keys that the type
    /// does not read are ignored.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - name: The name of the value in messages, such as `info`.
    /// - Returns: The decoded value.
    /// - Throws: `badInfo` with the path, such as `bad field 'info.items[3].price' (number
    ///   expected, got string)`. The cause is the error that the type threw.
    public func decode<Decoded: Decodable>(
        _ type: Decoded.Type = Decoded.self,
        named name: String = ""
    ) throws(RouteError) -> Decoded {
        var kinds: [String] = []
        do throws(ScriptError) {
            var reader = try FlatReader { writer in
                write(to: &writer) { value, writer in
                    writer.write(.stateless, Int64(kinds.count))
                    kinds.append(value.scriptKind)
                }
            }
            return try reader.decode(type, named: name) { [kinds] in kinds[Int($0)] }
        } catch {
            throw RouteError(error)
        }
    }
}

extension InfoTable {
    /// Creates a script table from an encodable value, such as the `info` of a navigation.
    ///
    /// - Throws: `badInfo` if the value is not encoded as a table, or the errors of
    ///   ``Value/init(encoding:)``.
    public init(encoding value: some Encodable) throws(RouteError) {
        let value = try Value(encoding: value)
        guard case .table(let table) = value else { throw .noTable(value.kindName) }
        self = table
    }

    /// Decodes the table, as ``Value/decode(_:named:)`` does.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - name: The name of the table in messages.
    /// - Returns: The decoded value.
    /// - Throws: `badInfo` with the path.
    public func decode<Decoded: Decodable>(
        _ type: Decoded.Type = Decoded.self,
        named name: String = "info"
    ) throws(RouteError) -> Decoded {
        try Value.table(self).decode(type, named: name)
    }
}

extension Fields {
    /// Decodes the fields of a screen, as ``Value/decode(_:named:)`` does.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - name: The name of the screen in messages. If the name is empty, paths begin with the
    ///     name of the field.
    /// - Returns: The decoded value.
    /// - Throws: `badInfo` with the path.
    public func decode<Decoded: Decodable>(
        _ type: Decoded.Type = Decoded.self,
        named name: String = ""
    ) throws(RouteError) -> Decoded {
        try InfoTable(self).decode(type, named: name)
    }
}

extension RouteError {
    fileprivate static func noTable(_ kind: String) -> RouteError {
        RouteError(.badInfo, "bad value (table expected, got \(kind))")
    }
}
