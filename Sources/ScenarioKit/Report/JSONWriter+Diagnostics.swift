// SPDX-License-Identifier: MIT

package import RouteCore

/// Functions that write members and diagnostics in the same form for all commands.
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
        Field("code", \.code.description, help: "The code, which 'luaroute doc CODE' explains.")
        Field("severity", \.severity, help: "The severity of the finding.")
        Field("message", \.message, help: "The problem, in one sentence.")
        Field(optional: "label", \.label, help: "The text that is printed next to the location.")
        Field(optional: "location", \.span, help: "The location of the problem.")
        Field(
            "details",
            \.details,
            help: "Values that explain the problem, such as the actual value."
        )
        Field("related", \.related, help: "Other locations that contribute to the problem.")
        Field("notes", \.notes, help: "Causes and fixes.")
    }
}

extension Diagnostic.Severity: DocumentValue {
    static var shape: DocumentShape { .words([Self.error, .warning].map(\.rawValue)) }

    func write(to json: inout JSONWriter) { rawValue.write(to: &json) }
}

extension Diagnostic.Note: DocumentRecord {
    static let document = DocumentFields<Self>("note") {
        Field("topic", \.topic, help: "The word before the text, such as 'help'.")
        Field("text", \.text, help: "The text after the topic.")
    }
}

extension Diagnostic.Related: DocumentRecord {
    static let document = DocumentFields<Self>("related") {
        Field(optional: "label", \.label, help: "The text that is printed next to the location.")
        Field("location", \.span, help: "The location.")
    }
}

extension Span: DocumentRecord {
    static let document = DocumentFields<Self>("location") {
        Field("file", \.source.name, help: "The path of the file.")
        Field("line", \.line, help: "The line number, counted from 1.")
        Field("column", \.column, help: "The column number, counted from 1.")
        Field("length", \.length, help: "The number of characters at the location.")
    }
}
