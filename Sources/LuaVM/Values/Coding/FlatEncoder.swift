// SPDX-License-Identifier: MIT

extension FlatWriter {
    /// Writes an encodable value.
    ///
    /// Keys keep their type: integers stay integers. Positions of lists start at 1. Keys whose
    /// value is nil are omitted, and so are nils at the end of a list. Integers and floats stay
    /// distinct. Types that encode themselves differently for some formats, such as Foundation's
    /// types, are written in their general form.
    ///
    /// If a value cannot be written, the operation that uses the values fails with an error of the
    /// kind `conversion`, which contains the path of the value. This is the case for an integer of
    /// more than 64 bits, for more than 32 levels, or if the value itself throws an error.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - root: The name of the value in messages, such as `info`.
    public mutating func encode(_ value: some Encodable, named root: String = "") {
        let session = EncodingSession()
        do {
            let part = try FlatEncoder(session: session).part(value)
            if let failure = session.failure { throw failure }
            part.write(to: &self)
        } catch {
            fail(ScriptError(coding: error, of: root))
            writeNil()
        }
    }
}

/// The first error of an encoding.
///
/// All containers share the error, because a container cannot throw when it is created.
private final class EncodingSession {
    var failure: (any Error)?
}

private struct FlatEncoder: Encoder {
    let session: EncodingSession
    var draft = FlatDraft()
    var codingPath: [any CodingKey] = []
    /// The number of tables around the value.
    var level = 0
    var nesting = 0
    /// Whether keys that look like integers are strings.
    var isTextual = false

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        note(draft.becomeTable())
        return KeyedEncodingContainer(KeyedContainer(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        note(draft.becomeList())
        return UnkeyedContainer(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        SingleContainer(encoder: self)
    }

    /// Records an error if the draft already has another form, or is nested too deeply.
    private func note(_ isPossible: Bool) {
        guard session.failure == nil else { return }
        if !isPossible {
            session.failure = invalid("one kind of container expected, got several")
        } else if level >= CodingLimit.levels {
            session.failure = invalid(CodingLimit.message)
        }
    }

    func invalid(_ message: String, at key: (any CodingKey)? = nil) -> EncodingError {
        let path = codingPath + (key.map { [$0] } ?? [])
        return .invalidValue(
            (),
            EncodingError.Context(codingPath: path, debugDescription: message)
        )
    }

    /// Returns the encoder of a nested value.
    func inner(_ key: any CodingKey) -> FlatEncoder {
        FlatEncoder(
            session: session,
            codingPath: codingPath + [isTextual ? TextKey(key.stringValue) : key],
            level: level + 1,
            nesting: nesting
        )
    }

    /// Returns the encoded form of a value.
    func part<Value: Encodable>(_ value: Value) throws -> FlatDraft.Part {
        if let failure = session.failure { throw failure }
        if let scalar = value as? any FlatScalar {
            do throws(FlatMismatch) {
                return .leaf(try scalar.leaf())
            } catch {
                throw EncodingError.invalidValue(
                    value,
                    EncodingError.Context(codingPath: codingPath, debugDescription: error.message)
                )
            }
        }
        guard nesting < CodingLimit.nesting else { throw invalid(CodingLimit.message) }
        var encoder = self
        encoder.draft = FlatDraft()
        encoder.nesting += 1
        encoder.isTextual = value is any StringKeyed
        try value.encode(to: encoder)
        return .draft(encoder.draft)
    }
}

extension FlatEncoder {
    private struct KeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let encoder: FlatEncoder

        var codingPath: [any CodingKey] { encoder.codingPath }

        func encodeNil(forKey key: Key) { set(.leaf(.nil), key) }

        // This method is also used for all simple types.
        func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
            set(try encoder.inner(key).part(value), key)
        }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type,
            forKey key: Key
        ) -> KeyedEncodingContainer<Nested> {
            added(key).container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            added(key).unkeyedContainer()
        }

        func superEncoder() -> any Encoder {
            let inner = encoder.inner(TextKey.superclass)
            encoder.draft.set(.draft(inner.draft), for: .text(TextKey.superclass.stringValue))
            return inner
        }

        func superEncoder(forKey key: Key) -> any Encoder { added(key) }

        private func added(_ key: Key) -> FlatEncoder {
            let inner = encoder.inner(key)
            set(.draft(inner.draft), key)
            return inner
        }

        private func set(_ part: FlatDraft.Part, _ key: Key) {
            encoder.draft.set(part, for: CodedKey(key, isText: encoder.isTextual))
        }
    }

    private struct UnkeyedContainer: UnkeyedEncodingContainer {
        let encoder: FlatEncoder

        var codingPath: [any CodingKey] { encoder.codingPath }
        var count: Int { encoder.draft.count }

        func encodeNil() { encoder.draft.append(.leaf(.nil)) }

        func encode<Value: Encodable>(_ value: Value) throws {
            encoder.draft.append(try encoder.inner(ElementKey(count)).part(value))
        }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type
        ) -> KeyedEncodingContainer<Nested> {
            added().container(keyedBy: type)
        }

        func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
            added().unkeyedContainer()
        }

        func superEncoder() -> any Encoder { added() }

        private func added() -> FlatEncoder {
            let inner = encoder.inner(ElementKey(count))
            encoder.draft.append(.draft(inner.draft))
            return inner
        }
    }

    private struct SingleContainer: SingleValueEncodingContainer {
        let encoder: FlatEncoder

        var codingPath: [any CodingKey] { encoder.codingPath }

        func encodeNil() throws { try become(.leaf(.nil)) }

        func encode<Value: Encodable>(_ value: Value) throws {
            try become(encoder.part(value))
        }

        private func become(_ part: FlatDraft.Part) throws {
            guard encoder.draft.become(part) else {
                throw encoder.invalid("one kind of container expected, got several")
            }
        }
    }
}
