// SPDX-License-Identifier: MIT

internal import RouteCore

/// A JSON value in a message to the client.
///
/// An object keeps the order of its members.
package indirect enum JSON: Sendable {
    case null
    case boolean(Bool)
    case integer(Int)
    case string(String)
    case list([JSON])
    case object([(key: String, value: JSON)])

    /// Creates a request ID or a token; nil if the value is neither an integer nor a string.
    init?(id: RouteCore.Value) {
        switch id {
        case .integer(let integer): self = .integer(Int(integer))
        case .string(let string): self = .string(string.displayText)
        default: return nil
        }
    }

    /// The JSON text, without white space between its elements.
    package var text: String {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.text
    }

    private func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.write(.nil)
        case .boolean(let boolean): writer.write(.boolean(boolean))
        case .integer(let integer): writer.write(.integer(Int64(integer)))
        case .string(let string): writer.write(.string(ByteString(string)))
        case .list(let values):
            writer.begin("[")
            for value in values { value.write(to: &writer) }
            writer.end("]")
        case .object(let members):
            writer.begin("{")
            for (key, value) in members {
                writer.name(key)
                value.write(to: &writer)
            }
            writer.end("}")
        }
    }

    /// Creates a list with the converted elements of a sequence.
    static func list<Element>(_ elements: some Sequence<Element>, _ value: (Element) -> JSON)
        -> JSON
    {
        .list(elements.map(value))
    }
}

extension JSON: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int) { self = .integer(value) }
    package init(booleanLiteral value: Bool) { self = .boolean(value) }
    package init(nilLiteral: ()) { self = .null }
    package init(arrayLiteral elements: JSON...) { self = .list(elements) }
    /// Creates an object.
    ///
    /// Members that are nil are left out; members that are `.null` are written.
    package init(dictionaryLiteral elements: (String, JSON?)...) {
        self = .object(elements.compactMap { key, value in value.map { (key, $0) } })
    }
}

extension Value {
    /// The member of an object; nil if there is none, or if the value is not an object.
    subscript(member: String) -> Value {
        if case .table(let table) = self { table[member] } else { .nil }
    }
}
