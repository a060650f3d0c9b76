// SPDX-License-Identifier: MIT

internal import RouteCore

/// A type whose values can be written to JSON documents, and whose ``shape`` describes the values
/// in schemas.
protocol DocumentValue: SendableMetatype {
    static var shape: DocumentShape { get }

    func write(to json: inout JSONWriter)
}

/// A type whose values are written as JSON objects.
///
/// One list of fields serves both the writer and the schema.
protocol DocumentRecord: DocumentValue {
    typealias Field = DocumentField<Self>

    static var document: DocumentFields<Self> { get }
}

/// A field of a JSON object: its entry in the schema, and a closure that writes the field of a
/// value.
struct DocumentField<Root>: Sendable {
    let entry: DocumentObject.Field
    let write: @Sendable (Root, inout JSONWriter) -> Void

    /// Creates a field that is always written; nil is written as null.
    init<Content: DocumentValue>(
        _ name: String,
        _ content: @escaping @Sendable (Root) -> Content,
        help: String
    ) {
        self.init(name, as: Content.shape, content, help: help) { $0.write(to: &$1) }
    }

    /// Creates a field that is omitted if the value is nil.
    init<Content: DocumentValue>(
        optional name: String,
        _ content: @escaping @Sendable (Root) -> Content?,
        help: String
    ) {
        entry = .optional(name, Content.shape, help: help)
        write = { root, json in
            guard let content = content(root) else { return }
            json.name(name)
            content.write(to: &json)
        }
    }

    /// Creates a field whose value is an object.
    init<Content>(
        _ name: String,
        object fields: DocumentFields<Content>,
        _ content: @escaping @Sendable (Root) -> Content,
        help: String
    ) {
        self.init(name, as: .object(fields.object), content, help: help) {
            fields.write($0, to: &$1)
        }
    }

    /// Creates a field whose value is a list of objects.
    init<Content>(
        _ name: String,
        listOf fields: DocumentFields<Content>,
        _ content: @escaping @Sendable (Root) -> [Content],
        help: String
    ) {
        self.init(name, as: .list(.object(fields.object)), content, help: help) { contents, json in
            json.begin("[")
            for content in contents { fields.write(content, to: &json) }
            json.end("]")
        }
    }

    /// Creates a field whose value is always the given text.
    init(constant text: String, name: String, help: String) {
        self.init(name, as: .constant(text), { _ in text }, help: help) { $0.write(to: &$1) }
    }

    /// Creates a field with the given shape, written by the given closure.
    init<Content>(
        _ name: String,
        as shape: DocumentShape,
        _ content: @escaping @Sendable (Root) -> Content,
        help: String,
        write: @escaping @Sendable (Content, inout JSONWriter) -> Void
    ) {
        entry = .required(name, shape, help: help)
        self.write = { root, json in
            json.name(name)
            write(content(root), &json)
        }
    }

    private init(
        _ entry: DocumentObject.Field,
        _ write: @escaping @Sendable (Root, inout JSONWriter) -> Void
    ) {
        (self.entry, self.write) = (entry, write)
    }

    /// Returns the field as a field of an outer object.
    ///
    /// The given closure extracts the value of type `Root` from an outer value.
    func within<Outer>(_ root: @escaping @Sendable (Outer) -> Root) -> DocumentField<Outer> {
        DocumentField<Outer>(entry) { [write] in write(root($0), &$1) }
    }

    /// Returns the field as an optional field of an outer object.
    ///
    /// The given closure extracts the value of type `Root` from an outer value. The field is
    /// omitted if the closure returns nil.
    func optional<Outer>(_ root: @escaping @Sendable (Outer) -> Root?) -> DocumentField<Outer> {
        DocumentField<Outer>(.optional(entry.name, entry.shape, help: entry.help)) { [write] in
            if let root = root($0) { write(root, &$1) }
        }
    }

    /// Creates the first field of a document, which identifies the schema.
    static func schema(_ name: String) -> Self {
        Self(
            constant: DocumentFields<Root>.schema(name),
            name: "schema",
            help: "The kind and version of the document."
        )
    }

    /// Creates the field for the diagnostics of a command.
    static func diagnostics(_ content: @escaping @Sendable (Root) -> [Diagnostic]) -> Self {
        Self("diagnostics", content, help: "The errors and warnings that no other field contains.")
    }

    /// Creates the field for the exit code, which is the last field of a command's document.
    static func exitCode(_ content: @escaping @Sendable (Root) -> ExitCode) -> Self {
        Self("exitCode", content, help: "The exit code of the process.")
    }

    /// Creates the field for the kind of line, which is the second field in JSON lines output.
    static func kind(_ kind: String) -> Self {
        Self(constant: kind, name: "kind", help: "The kind of this line.")
    }
}

/// The fields of an object, in the order in which they are written.
struct DocumentFields<Root>: Sendable {
    let name: String
    let list: [DocumentField<Root>]

    init(_ name: String, @DocumentFieldsBuilder<Root> _ list: () -> [DocumentField<Root>]) {
        (self.name, self.list) = (name, list())
    }

    /// The identifier of the document's schema: the kind and the version.
    var schema: String { Self.schema(name) }

    fileprivate static func schema(_ name: String) -> String { "luaroute.\(name)/1" }

    /// The description of the object in schemas.
    var object: DocumentObject { DocumentObject(name: name, fields: list.map(\.entry)) }

    /// Writes a value as an object.
    func write(_ root: Root, to json: inout JSONWriter) {
        json.begin("{")
        for field in list { field.write(root, &json) }
        json.end("}")
    }

    /// Returns a writer with the members of a value, without the closing brace.
    func members(of root: Root) -> JSONWriter {
        var json = JSONWriter()
        json.begin("{")
        for field in list { field.write(root, &json) }
        return json
    }

    /// Returns a value as a document.
    func text(of root: Root) -> PrintedText {
        var json = members(of: root)
        json.end("}")
        return json.document
    }

    /// Returns the fields as fields of an outer object.
    ///
    /// The given closure extracts the value of type `Root` from an outer value.
    func within<Outer>(_ root: @escaping @Sendable (Outer) -> Root) -> [DocumentField<Outer>] {
        list.map { $0.within(root) }
    }

    // MARK: Documents that are written piece by piece

    /// Returns the text of a document up to the first element of the list with the given name.
    func beginning(of root: Root, upTo name: String) -> PrintedText {
        var json = JSONWriter()
        json.begin("{")
        for field in list.prefix(while: { $0.entry.name != name }) { field.write(root, &json) }
        json.name(name)
        json.begin("[")
        return PrintedText(json: json.text)
    }

    /// Returns the text of a document after the last element of the list with the given name.
    func ending(of root: Root, after name: String) -> PrintedText {
        var json = JSONWriter()
        for field in list.drop(while: { $0.entry.name != name }).dropFirst() {
            field.write(root, &json)
        }
        json.end("}")
        return PrintedText(json: "],\(json.text)\n")
    }
}

@resultBuilder
enum DocumentFieldsBuilder<Root> {
    static func buildExpression(_ field: DocumentField<Root>) -> [DocumentField<Root>] { [field] }

    static func buildExpression(_ fields: [DocumentField<Root>]) -> [DocumentField<Root>] { fields }

    static func buildBlock(_ fields: [DocumentField<Root>]...) -> [DocumentField<Root>] {
        fields.flatMap(\.self)
    }
}

/// The content of a command's document, with the diagnostics and the exit code of the command.
struct CommandResult<Content> {
    let content: Content
    let diagnostics: [Diagnostic]
    let code: ExitCode

    init(_ content: Content, diagnostics: [Diagnostic], code: ExitCode) {
        (self.content, self.diagnostics, self.code) = (content, diagnostics, code)
    }
}

extension DocumentFields {
    /// Returns the fields of a command's document: the schema, the given fields, the diagnostics
    /// and the exit code.
    static func result<Content>(
        _ name: String,
        @DocumentFieldsBuilder<Content> _ list: () -> [DocumentField<Content>]
    ) -> Self where Root == CommandResult<Content> {
        let own = list()
        return Self(name) {
            DocumentField<Root>.schema(name)
            own.map { $0.within { $0.content } }
            DocumentField<Root>.diagnostics(\.diagnostics)
            DocumentField<Root>.exitCode(\.code)
        }
    }
}

// MARK: Values

extension DocumentRecord {
    static var shape: DocumentShape { .object(document.object) }

    func write(to json: inout JSONWriter) { Self.document.write(self, to: &json) }
}

/// Enumerations whose cases are written as words.
extension DocumentValue where Self: RawRepresentable & CaseIterable, RawValue == String {
    static var shape: DocumentShape { .words(allCases.map(\.rawValue)) }

    func write(to json: inout JSONWriter) { rawValue.write(to: &json) }
}

extension String: DocumentValue {
    static var shape: DocumentShape { .text }

    func write(to json: inout JSONWriter) { json.write(.string(ByteString(self))) }
}

extension Int: DocumentValue {
    static var shape: DocumentShape { .integer }

    func write(to json: inout JSONWriter) { json.write(.integer(Int64(self))) }
}

extension Double: DocumentValue {
    static var shape: DocumentShape { .number }

    func write(to json: inout JSONWriter) { json.write(.number(self)) }
}

extension Bool: DocumentValue {
    static var shape: DocumentShape { .boolean }

    func write(to json: inout JSONWriter) { json.write(.boolean(self)) }
}

extension ExitCode: DocumentValue {
    static var shape: DocumentShape { .integer }

    func write(to json: inout JSONWriter) { Int(rawValue).write(to: &json) }
}

extension Array: DocumentValue where Element: DocumentValue {
    static var shape: DocumentShape { .list(Element.shape) }

    func write(to json: inout JSONWriter) {
        json.begin("[")
        for element in self { element.write(to: &json) }
        json.end("]")
    }
}

extension Optional: DocumentValue where Wrapped: DocumentValue {
    static var shape: DocumentShape { .orNull(Wrapped.shape) }

    func write(to json: inout JSONWriter) {
        if let self { self.write(to: &json) } else { json.write(.nil) }
    }
}

/// A table with arbitrary keys and values, written as an object even if the table is empty.
extension InfoTable: DocumentValue {
    static var shape: DocumentShape { .map(.any) }

    func write(to json: inout JSONWriter) {
        guard isEmpty else { return json.write(.table(self)) }
        json.begin("{")
        json.end("}")
    }
}
