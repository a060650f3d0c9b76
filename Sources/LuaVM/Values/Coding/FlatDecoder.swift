// SPDX-License-Identifier: MIT

internal import CLuaRoute
internal import SystemGaps

extension FlatReader {
    /// Decodes the next value.
    ///
    /// A table is decoded with its contents.
    ///
    /// Nil and a missing key are equivalent. An empty table can be an empty list or a table without
    /// keys. A float with an integer value is accepted as an integer, and an integer is accepted as
    /// a float if the conversion is exact. Strings are never converted, and must be UTF-8. All keys
    /// of a list must be positions; a list of optionals may have gaps.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - root: The name of the value in messages, such as `info`.
    /// - Returns: The decoded value. After the last value, nil is decoded.
    /// - Throws: An error of the kind `conversion` with the path, such as `bad field
    ///   'info.items[3].price' (number expected, got string)`. If the type threw the error,
    ///   ``ScriptError/underlying`` is the thrown error.
    public mutating func decode<Value: Decodable>(
        _ type: Value.Type = Value.self,
        named root: String = ""
    ) throws(ScriptError) -> Value {
        try decode(type, named: root, kindOf: { _ in "object" })
    }

    /// Decodes the next value like ``decode(_:named:)``.
    ///
    /// `kindOf` provides the names of host objects for messages.
    package mutating func decode<Value: Decodable>(
        _ type: Value.Type,
        named root: String,
        kindOf: @escaping (Int64) -> String
    ) throws(ScriptError) -> Value {
        let tree = FlatTree(buffer: buffer, kindOf: kindOf)
        do {
            return try FlatDecoder(tree: tree, position: skip()).value(type)
        } catch {
            throw ScriptError(coding: error, of: root)
        }
    }
}

/// The tree of values from which a value is decoded.
private final class FlatTree {
    let buffer: FlatBuffer
    let kindOf: (Int64) -> String

    init(buffer: FlatBuffer, kindOf: @escaping (Int64) -> String) {
        self.buffer = buffer
        self.kindOf = kindOf
    }

    /// Returns the record at a position; nil after the last record.
    ///
    /// For a frozen table, this is the record after its error message.
    func record(_ position: Int) -> (value: LuaRouteValue, position: Int)? {
        let flat = buffer.flat
        guard position < flat.pointee.count else { return nil }
        let value = flat.pointee.values[position]
        return value.tag == LUAROUTE_FROZEN ? record(position + 2) : (value, position)
    }

    func leaf(_ position: Int?) -> FlatLeaf {
        guard let (value, _) = position.flatMap(record) else { return .nil }
        switch Int(value.tag) {
        case LUAROUTE_BOOLEAN: return .boolean(value.payload != 0)
        case LUAROUTE_INTEGER: return .integer(value.payload)
        case LUAROUTE_NUMBER:
            return .number(Double(bitPattern: UInt64(bitPattern: value.payload)))
        case LUAROUTE_STRING:
            let start = buffer.flat.pointee.bytes.map { UnsafeRawPointer($0 + Int(value.payload)) }
            return .bytes(UnsafeRawBufferPointer(start: start, count: Int(value.length)))
        case LUAROUTE_TABLE: return .other("table")
        case LUAROUTE_FUNCTION: return .other("function")
        case LUAROUTE_OBJECT: return .other(kindOf(value.payload))
        default: return .nil
        }
    }

    /// Returns the positions of the values of a table; nil if the value is not a table.
    func content(_ position: Int?) -> FlatContent? {
        guard let (value, header) = position.flatMap(record), value.tag == LUAROUTE_TABLE else {
            return nil
        }
        let count = buffer.flat.pointee.count
        var content = FlatContent()
        var next = header + 1
        // The declared sizes may be far larger than the actual sizes.
        while content.list.count < Int(value.length), next < count {
            content.list.append(next)
            next = buffer.end(of: next)
        }
        var entries = value.payload
        while entries > 0, next < count {
            entries -= 1
            let key = leaf(next)
            next = buffer.end(of: next)
            guard next < count else { break }
            content.add(key, next)
            next = buffer.end(of: next)
        }
        return content
    }
}

/// The positions of the values of a table.
private struct FlatContent {
    var list: [Int] = []
    /// The keys that are not part of the list, in order.
    private(set) var keys: [CodedKey] = []
    /// The first key that is neither an integer nor a string.
    private(set) var strangeKey: String?
    private var positions: [CodedKey: Int] = [:]

    mutating func add(_ key: FlatLeaf, _ position: Int) {
        let coded: CodedKey
        switch key {
        case .integer(let integer): coded = .integer(integer)
        case .number(let number):
            guard let integer = try? Int64.read(.number(number)) else {
                strangeKey = strangeKey ?? "\(number)"
                return
            }
            coded = .integer(integer)
        case .bytes(let bytes):
            guard let text = String(valid: bytes) else {
                strangeKey = strangeKey ?? "a string that is not UTF-8"
                return
            }
            coded = .text(text)
        default:
            strangeKey = strangeKey ?? key.kind
            return
        }
        // If a key is repeated, the last value is used, as in scripts.
        if positions.updateValue(position, forKey: coded) == nil { keys.append(coded) }
    }

    /// All keys: first the positions of the list, then the other keys.
    var allKeys: [CodedKey] { list.indices.map { .integer(Int64($0) + 1) } + keys }

    func position(of key: CodedKey) -> Int? {
        if let position = positions[key] { return position }
        guard case .integer(let integer) = key, integer >= 1, integer <= list.count else {
            return nil
        }
        return list[Int(integer) - 1]
    }

    /// Returns the position of each element of a list; nil for a gap.
    func elements() throws(FlatMismatch) -> [Int?] {
        var elements: [Int?] = list
        if let strangeKey { throw FlatMismatch("list", got: "a table with the key \(strangeKey)") }
        for key in keys {
            switch key {
            case .integer(let integer) where integer >= 1 && integer <= Self.longest:
                let index = Int(integer) - 1
                if index >= elements.count {
                    elements += Array(repeating: nil, count: index + 1 - elements.count)
                }
                elements[index] = position(of: key)
            case .integer(let integer):
                throw FlatMismatch("list", got: "a table with the key \(integer)")
            case .text(let text):
                throw FlatMismatch("list", got: "a table with the key '\(text)'")
            }
        }
        return elements
    }

    /// The maximum length of a list with gaps.
    ///
    /// The same limit applies to transferred values.
    private static let longest = 100_000
}

private struct FlatDecoder: Decoder {
    let tree: FlatTree
    /// The position of the value; nil if the value is missing.
    let position: Int?
    var codingPath: [any CodingKey] = []
    /// The number of tables around the value.
    var level = 0
    var nesting = 0
    /// Whether keys that look like integers are strings.
    var isTextual = false

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let content = try content("table", of: [String: Any].self)
        return KeyedDecodingContainer(KeyedContainer<Key>(decoder: self, content: content))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let content = try content("list", of: [Any].self)
        do throws(FlatMismatch) {
            return UnkeyedContainer(decoder: self, elements: try content.elements())
        } catch {
            throw mismatch(error, [Any].self)
        }
    }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        SingleContainer(decoder: self)
    }

    private func content(_ expected: String, of type: Any.Type) throws -> FlatContent {
        guard level < CodingLimit.levels else { throw tooDeep() }
        guard let content = tree.content(position) else {
            throw mismatch(FlatMismatch(expected, got: tree.leaf(position)), type)
        }
        return content
    }

    var isNil: Bool { if case .nil = tree.leaf(position) { true } else { false } }

    private func context(_ message: String) -> DecodingError.Context {
        DecodingError.Context(codingPath: codingPath, debugDescription: message)
    }

    private func tooDeep() -> DecodingError { .dataCorrupted(context(CodingLimit.message)) }

    private func mismatch(_ mismatch: FlatMismatch, _ type: Any.Type) -> DecodingError {
        isNil
            ? .valueNotFound(type, context(mismatch.message))
            : .typeMismatch(type, context(mismatch.message))
    }

    /// Returns the decoder of a nested value.
    func inner(_ key: any CodingKey, _ position: Int?) -> FlatDecoder {
        FlatDecoder(
            tree: tree,
            position: position,
            codingPath: codingPath + [isTextual ? TextKey(key.stringValue) : key],
            level: level + 1,
            nesting: nesting
        )
    }

    func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if let scalar = type as? any FlatScalar.Type {
            do throws(FlatMismatch) {
                if let value = try scalar.read(tree.leaf(position)) as? Value { return value }
            } catch {
                throw mismatch(error, type)
            }
        }
        guard nesting < CodingLimit.nesting else { throw tooDeep() }
        var decoder = self
        decoder.nesting += 1
        decoder.isTextual = type is any StringKeyed.Type
        if decoder.isTextual || type is any IntegerKeyed.Type { try decoder.checkKeys(type) }
        return try type.init(from: decoder)
    }

    /// Rejects keys that a dictionary would omit or treat as equal.
    private func checkKeys(_ type: Any.Type) throws {
        guard let content = tree.content(position) else { return }
        let expected = isTextual ? "string key" : "integer key"
        if let key = content.strangeKey { throw mismatch(FlatMismatch(expected, got: key), type) }
        var texts: Set<String> = []
        for key in content.allKeys {
            switch key {
            case .integer(let integer) where isTextual:
                throw mismatch(FlatMismatch(expected, got: "\(integer)"), type)
            case .text(let text) where !isTextual:
                throw mismatch(FlatMismatch(expected, got: "'\(text)'"), type)
            case .text(let text):
                guard texts.insert(text).inserted else {
                    throw mismatch(
                        FlatMismatch("one spelling of the key '\(text)'", got: "two"),
                        type
                    )
                }
            default: break
            }
        }
    }
}

extension FlatDecoder {
    private struct KeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let decoder: FlatDecoder
        let content: FlatContent

        var codingPath: [any CodingKey] { decoder.codingPath }

        var allKeys: [Key] {
            content.allKeys.compactMap { key in
                switch key {
                case .integer(let integer): Key(intValue: Int(integer))
                case .text(let text): Key(stringValue: text)
                }
            }
        }

        func contains(_ key: Key) -> Bool { position(key) != nil }

        func decodeNil(forKey key: Key) -> Bool { inner(key).isNil }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            let inner = inner(key)
            do {
                return try inner.value(type)
            } catch DecodingError.valueNotFound(_, let context)
                where inner.position == nil && context.codingPath.count == inner.codingPath.count
            {
                throw DecodingError.keyNotFound(
                    key,
                    DecodingError.Context(
                        codingPath: codingPath,
                        debugDescription: context.debugDescription
                    )
                )
            }
        }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type,
            forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> {
            try inner(key).container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            try inner(key).unkeyedContainer()
        }

        func superDecoder() -> any Decoder {
            let key = TextKey.superclass
            return decoder.inner(key, content.position(of: .text(key.stringValue)))
        }

        func superDecoder(forKey key: Key) -> any Decoder { inner(key) }

        private func inner(_ key: Key) -> FlatDecoder { decoder.inner(key, position(key)) }

        private func position(_ key: Key) -> Int? {
            // A custom key type may use the string of a key that could also be an integer.
            content.position(of: CodedKey(key, isText: decoder.isTextual))
                ?? content.position(of: .text(key.stringValue))
        }
    }

    private struct UnkeyedContainer: UnkeyedDecodingContainer {
        let decoder: FlatDecoder
        let elements: [Int?]
        var currentIndex = 0

        var codingPath: [any CodingKey] { decoder.codingPath }
        var count: Int? { elements.count }
        var isAtEnd: Bool { currentIndex >= elements.count }

        mutating func decodeNil() -> Bool {
            guard !isAtEnd, current.isNil else { return false }
            currentIndex += 1
            return true
        }

        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            let value = try current.value(type)
            currentIndex += 1
            return value
        }

        mutating func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type
        ) throws -> KeyedDecodingContainer<Nested> {
            let container = try current.container(keyedBy: type)
            currentIndex += 1
            return container
        }

        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
            let container = try current.unkeyedContainer()
            currentIndex += 1
            return container
        }

        mutating func superDecoder() -> any Decoder {
            defer { currentIndex += 1 }
            return current
        }

        /// The decoder of the next element.
        ///
        /// After the last element, this decoder decodes a missing value.
        private var current: FlatDecoder {
            decoder.inner(ElementKey(currentIndex), isAtEnd ? nil : elements[currentIndex])
        }
    }

    private struct SingleContainer: SingleValueDecodingContainer {
        let decoder: FlatDecoder

        var codingPath: [any CodingKey] { decoder.codingPath }

        func decodeNil() -> Bool { decoder.isNil }

        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            try decoder.value(type)
        }
    }
}
