// SPDX-License-Identifier: MIT

package import RouteCore

/// Writes members of documents, and diagnostics, in the form that all commands share.
extension JSONWriter {
    package mutating func list<Element>(
        _ name: String,
        elements: [Element],
        write: (inout JSONWriter, Element) -> Void
    ) {
        self.name(name)
        begin("[")
        for element in elements { write(&self, element) }
        end("]")
    }

    package mutating func member(_ name: String, _ text: String) {
        member(name, .string(ByteString(text)))
    }

    package mutating func member(_ name: String, _ number: Int) {
        member(name, .integer(Int64(number)))
    }

    package mutating func write(_ diagnostic: Diagnostic) { diagnostic.write(to: &self) }
}

extension Diagnostic: DocumentRecord {
    static let document = DocumentFields<Self>("diagnostic") {
        Field("code", \.code.description, help: "The code, which 'luaroute doc' explains.")
        Field("severity", \.severity, help: "The severity.")
        Field("message", \.message, help: "The problem, in one sentence.")
        Field(optional: "label", \.label, help: "The text next to the location.")
        Field(optional: "location", \.span, help: "The location.")
        Field("details", \.details, help: "Values, such as expected and actual ones.")
        Field("related", \.related, help: "Other locations.")
        Field("notes", \.notes, help: "Causes and remedies.")
    }
}

extension Diagnostic.Severity: DocumentValue {
    static var shape: DocumentShape { .words([Self.error, .warning].map(\.rawValue)) }

    func write(to json: inout JSONWriter) { rawValue.write(to: &json) }
}

extension Diagnostic.Note: DocumentRecord {
    static let document = DocumentFields<Self>("note") {
        Field("topic", \.topic, help: "The word before the text, such as 'help'.")
        Field("text", \.text, help: "The text.")
    }
}

extension Diagnostic.Related: DocumentRecord {
    static let document = DocumentFields<Self>("related") {
        Field(optional: "label", \.label, help: "The text next to the location.")
        Field("location", \.span, help: "The location.")
    }
}

extension Span: DocumentRecord {
    static let document = DocumentFields<Self>("location") {
        Field("file", \.source.name, help: "The path.")
        Field("line", \.line, help: "The line, from 1.")
        Field("column", \.column, help: "The column, from 1.")
        Field("length", \.length, help: "The number of characters.")
    }
}
