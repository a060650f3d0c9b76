// SPDX-License-Identifier: MIT

internal import RouteCore

/// Writes explanations: a line that tells where it leads, and what there is to know below.
struct ExplanationWriter {
    var style = TerminalStyle()
    /// How many columns the terminal has; nil where there is none, and nothing is cut.
    var width: Int?

    /// A block, with an empty line behind it.
    func text(of explanation: Explanation) -> String {
        ([heading(explanation)] + table(explanation).lines(width: width)).map { $0 + "\n" }
            .joined() + "\n"
    }

    private func heading(_ explanation: Explanation) -> String {
        let text =
            explanation.text.isEmpty ? "''" : DiagnosticRenderer.printable(explanation.text)
        guard let destination = explanation.destination else {
            let problem = DiagnosticRenderer.printable(explanation.problem ?? "leads nowhere")
            return "\(style.red("✘")) \(Self.short(text)): \(problem)"
        }
        let isTarget = explanation.fields != nil
        let arrow = isTarget ? "" : " → \(DiagnosticRenderer.printable(destination))"
        return "\(style.green("✔")) \(text)\(arrow)"
    }

    /// What is too long for a URL is too long to be read.
    private static func short(_ text: String) -> String {
        text.utf8.count <= 512 ? text : TextTable.cut(String(text.prefix(100)), to: 80)
    }

    private func table(_ explanation: Explanation) -> TextTable {
        var table = TextTable()
        table.indent = "  "
        // The label and the reason are what a person looks for.
        table.kept = [0, 4]
        for (index, match) in explanation.matches.enumerated() {
            let label = Self.label(index, explanation)
            table.add([label] + Self.cells(match.row))
        }
        for miss in explanation.misses {
            table.add(["miss"] + Self.cells(miss.row) + [miss.reason])
        }
        if explanation.missesLeftOut > 0 {
            table.addNote("", "and \(explanation.missesLeftOut) more, '--all' shows them")
        }
        if !explanation.dropped.isEmpty {
            table.addNote("dropped", explanation.dropped.joined(separator: ", "))
        }
        guard let winner = explanation.matches.first?.row else { return table }
        if let pattern = winner.aliasOf { table.addNote("alias", "for \(pattern)") }
        if let screen = winner.screen { table.addNote("screen", screen) }
        if let reuse = winner.reuse { table.addNote("reuse", reuse) }
        if !winner.interceptors.isEmpty { table.addNote("asked", winner[.interceptors]) }
        return table
    }

    private static func label(_ index: Int, _ explanation: Explanation) -> String {
        guard explanation.fields != nil else { return index == 0 ? "match" : "next" }
        return explanation.matches[index].row.kind == .task ? "task" : "route"
    }

    private static func cells(_ row: RouteRow) -> [String] {
        [row[.pattern], row.name, row[.source]]
    }
}

extension JSONWriter {
    /// Writes an explanation.
    mutating func write(_ explanation: Explanation) {
        begin("{")
        member("target", explanation.text)
        member("kind", explanation.kind)
        member("destination", optional: explanation.destination)
        member("problem", optional: explanation.problem)
        list("matches", explanation.matches) { writer, match in
            writer.begin("{")
            writer.member("parameters", object: match.parameters)
            writer.member("route", match.row)
            writer.end("}")
        }
        list("misses", explanation.misses) { writer, miss in
            writer.begin("{")
            writer.member("segment", miss.segment.map { .integer(Int64($0)) } ?? .nil)
            writer.member("reason", miss.reason)
            writer.member("route", miss.row)
            writer.end("}")
        }
        member("missesLeftOut", explanation.missesLeftOut)
        list("dropped", explanation.dropped) { $0.write(.string(ByteString($1))) }
        end("}")
    }

    private mutating func member(_ name: String, _ row: RouteRow) {
        self.name(name)
        write(row)
    }

    /// Writes an object, which an empty table alone would not be.
    private mutating func member(_ name: String, object table: Table) {
        guard table.isEmpty else { return member(name, .table(table)) }
        self.name(name)
        begin("{")
        end("}")
    }
}
