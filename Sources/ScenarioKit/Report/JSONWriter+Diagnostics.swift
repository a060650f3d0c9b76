// SPDX-License-Identifier: MIT

package import RouteCore

/// Members of documents, and diagnostics, as all commands write them.
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
        Field("code", \.code.description, "The code, which 'luaroute doc' explains.")
        Field("severity", \.severity, "The severity.")
        Field("message", \.message, "The problem, in one sentence.")
        Field(optional: "label", \.label, "The text beside the location.")
        Field(optional: "location", \.span, "Where it is.")
        Field("details", \.details, "Values, such as expected and actual ones.")
        Field("related", \.related, "Other locations.")
        Field("notes", \.notes, "Causes and remedies.")
    }
}

extension Diagnostic.Severity: DocumentValue {
    static var shape: DocumentShape { .words([Self.error, .warning].map(\.rawValue)) }

    func write(to json: inout JSONWriter) { rawValue.write(to: &json) }
}

extension Diagnostic.Note: DocumentRecord {
    static let document = DocumentFields<Self>("note") {
        Field("topic", \.topic, "The word before the text, such as 'help'.")
        Field("text", \.text, "The text.")
    }
}

extension Diagnostic.Related: DocumentRecord {
    static let document = DocumentFields<Self>("related") {
        Field(optional: "label", \.label, "The text beside the location.")
        Field("location", \.span, "Where it is.")
    }
}

extension Span: DocumentRecord {
    static let document = DocumentFields<Self>("location") {
        Field("file", \.source.name, "The path.")
        Field("line", \.line, "The line, from 1.")
        Field("column", \.column, "The column, from 1.")
        Field("length", \.length, "The number of characters.")
    }
}
