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

    package mutating func write(_ diagnostic: Diagnostic) {
        begin("{")
        member("code", diagnostic.code.description)
        member("severity", diagnostic.severity.rawValue)
        member("message", diagnostic.message)
        if let label = diagnostic.label { member("label", label) }
        if let span = diagnostic.span {
            name("location")
            write(span)
        }
        list("details", elements: diagnostic.details) { $0.write($1) }
        list("related", elements: diagnostic.related) { writer, related in
            writer.begin("{")
            if let label = related.label { writer.member("label", label) }
            writer.name("location")
            writer.write(related.span)
            writer.end("}")
        }
        list("notes", elements: diagnostic.notes) { $0.write($1) }
        end("}")
    }

    private mutating func write(_ note: Diagnostic.Note) {
        begin("{")
        member("topic", note.topic)
        member("text", note.text)
        end("}")
    }

    private mutating func write(_ span: Span) {
        begin("{")
        member("file", span.source.name)
        member("line", span.line)
        member("column", span.column)
        member("length", span.length)
        end("}")
    }
}
