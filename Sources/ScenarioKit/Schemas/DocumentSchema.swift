// SPDX-License-Identifier: MIT

internal import RouteCore

/// The shape of a value in a JSON document.
indirect enum DocumentShape: Sendable {
    case text, integer, number, boolean, any
    /// A fixed text.
    case constant(String)
    /// One of the listed texts.
    case words([String])
    case list(DocumentShape)
    /// An object with arbitrary keys. Each value has the given shape.
    case map(DocumentShape)
    case object(DocumentObject)
    /// A value of one of the listed shapes.
    case either([DocumentShape])
    /// A value of the given shape, or null.
    case orNull(DocumentShape)
}

/// The description of an object in JSON documents: its name and its fields.
struct DocumentObject: Sendable {
    /// A field of an object.
    struct Field: Sendable {
        let name: String
        let shape: DocumentShape
        let isOptional: Bool
        let help: String
    }

    let name: String
    let fields: [Field]
    /// The shape of the values of keys that are not listed in `fields`; nil if there are no such
    /// keys.
    var others: DocumentShape?
    /// Whether a document with an unknown key is rejected.
    ///
    /// True for documents that `luaroute` reads.
    var isClosed = false
}

extension DocumentObject.Field {
    static func required(_ name: String, _ shape: DocumentShape, help: String) -> Self {
        Self(name: name, shape: shape, isOptional: false, help: help)
    }

    static func optional(_ name: String, _ shape: DocumentShape, help: String) -> Self {
        Self(name: name, shape: shape, isOptional: true, help: help)
    }
}

/// A JSON document that `luaroute` reads or writes, with its JSON Schema.
///
/// Tests compare the list of fields with actual documents: each field of a document is listed, and
/// each listed field occurs in a document.
package struct DocumentSchema: Sendable {
    /// The name of the document, as passed to `luaroute schema`.
    package let name: String
    /// A description, in one sentence.
    let help: String
    /// The possible top-level objects.
    ///
    /// The document, or each of its lines, is one of these objects.
    let objects: [DocumentObject]

    init(name: String, help: String, objects: [DocumentObject]) {
        (self.name, self.help, self.objects) = (name, help, objects)
    }

    init<Root>(_ fields: DocumentFields<Root>, help: String) {
        self.init(name: fields.name, help: help, objects: [fields.object])
    }

    /// Returns the schema with the given name; nil if there is none.
    package static func named(_ name: String) -> DocumentSchema? { all.first { $0.name == name } }

    /// All names with their descriptions, one per line.
    package static var list: PrintedText { TextTable.list(all.map { ($0.name, $0.help) }) }

    /// The JSON Schema, in the dialect 2020-12.
    package var document: PrintedText {
        var definitions: [DocumentObject] = []
        for object in objects { object.add(to: &definitions) }
        var json = JSONWriter()
        json.begin("{")
        json.member("$schema", "https://json-schema.org/draft/2020-12/schema")
        json.member("title", "luaroute \(name)")
        json.member("description", help)
        if objects.count == 1 {
            json.members(of: objects[0])
        } else {
            json.list("oneOf", elements: objects) { json, object in
                json.begin("{")
                json.members(of: object)
                json.end("}")
            }
        }
        json.name("$defs")
        json.begin("{")
        for object in definitions {
            json.name(object.name)
            json.begin("{")
            json.members(of: object)
            json.end("}")
        }
        json.end("}")
        json.end("}")
        return json.document
    }
}

extension DocumentObject {
    /// Adds the objects that the fields contain to the given list, without duplicates.
    fileprivate func add(to definitions: inout [DocumentObject]) {
        for shape in fields.map(\.shape) + [others].compactMap(\.self) {
            shape.add(to: &definitions)
        }
    }
}

extension DocumentShape {
    fileprivate func add(to definitions: inout [DocumentObject]) {
        switch self {
        case .object(let object):
            guard !definitions.contains(where: { $0.name == object.name }) else { return }
            definitions.append(object)
            object.add(to: &definitions)
        case .list(let shape), .map(let shape), .orNull(let shape): shape.add(to: &definitions)
        case .either(let shapes): for shape in shapes { shape.add(to: &definitions) }
        case .text, .integer, .number, .boolean, .any, .constant, .words: break
        }
    }
}

extension JSONWriter {
    fileprivate mutating func members(of object: DocumentObject) {
        member("type", "object")
        name("properties")
        begin("{")
        for field in object.fields {
            name(field.name)
            begin("{")
            member("description", field.help)
            members(of: field.shape)
            end("}")
        }
        end("}")
        let required = object.fields.filter { !$0.isOptional }
        if !required.isEmpty {
            list("required", elements: required) { $0.write(.string(ByteString($1.name))) }
        }
        if let others = object.others {
            write("additionalProperties", others)
        } else if object.isClosed {
            member("additionalProperties", .boolean(false))
        }
    }

    private mutating func write(_ name: String, _ shape: DocumentShape) {
        self.name(name)
        begin("{")
        members(of: shape)
        end("}")
    }

    private mutating func members(of shape: DocumentShape) {
        switch shape {
        case .text: member("type", "string")
        case .integer: member("type", "integer")
        case .number: member("type", "number")
        case .boolean: member("type", "boolean")
        case .any: break
        case .constant(let text): member("const", text)
        case .words(let words): list("enum", elements: words) { $0.write(.string(ByteString($1))) }
        case .list(let element):
            member("type", "array")
            write("items", element)
        case .map(let value):
            member("type", "object")
            write("additionalProperties", value)
        case .object(let object): member("$ref", "#/$defs/\(object.name)")
        case .either(let shapes): write(anyOf: shapes)
        case .orNull(let shape): write(anyOf: [shape, nil])
        }
    }

    private mutating func write(anyOf shapes: [DocumentShape?]) {
        list("anyOf", elements: shapes) { json, shape in
            json.begin("{")
            if let shape { json.members(of: shape) } else { json.member("type", "null") }
            json.end("}")
        }
    }
}
