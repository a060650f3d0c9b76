// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// A type that writes explanations.
///
/// The first line shows the destination, and further lines show the details.
struct ExplanationWriter {
    var style = TerminalStyle()
    /// The number of columns of the terminal; `nil` to write lines in full because there is no
    /// terminal.
    var width: Int?

    /// Returns the text for a source location.
    var path: (RouteError.Location) -> String = { $0.description }

    /// Returns the explanation as a block of text, followed by an empty line.
    func text(of explanation: TargetExplanation) -> PrintedText {
        let lines =
            [heading(explanation)] + caret(explanation) + table(explanation).lines(width: width)
        return "\(lines.joined(separator: "\n"))\n\n"
    }

    /// Returns lines that mark the malformed part of a target.
    private func caret(_ explanation: TargetExplanation) -> [PrintedText] {
        guard let flaw = explanation.flaw, !explanation.text.contains("\n") else { return [] }
        let bytes = Array(explanation.text.utf8)
        let start = min(flaw.range.lowerBound, bytes.count)
        let end = min(max(flaw.range.upperBound, start), bytes.count)
        func width(_ part: ArraySlice<UInt8>) -> Int {
            DisplayWidth.of(String(decoding: part, as: UTF8.self).unicodeScalars)
        }
        let margin = String(repeating: " ", count: width(bytes[..<start]))
        let mark = String(repeating: "^", count: max(1, width(bytes[start..<end])))
        return ["  \(explanation.text)", "  \(margin)\(mark)"]
            + (flaw.help.map { ["  help  \($0)"] } ?? [])
    }

    private func heading(_ explanation: TargetExplanation) -> PrintedText {
        let text = explanation.text.isEmpty ? "''" : explanation.text
        guard let destination = explanation.destination else {
            let problem = explanation.problem ?? "has no destination"
            return "\(style.red("✘")) \(Self.short(text)): \(problem)"
        }
        let arrow = explanation.fields != nil ? "" : " → \(destination)"
        let mark = explanation.hasFailed ? style.red("✘") : style.green("✔")
        return "\(mark) \(text)\(arrow)\(Self.condition(explanation))"
    }

    /// Returns the condition under which the destination is reached; empty if there is none.
    ///
    /// An explanation does not run interceptors, so they may still stop the navigation.
    private static func condition(_ explanation: TargetExplanation) -> String {
        let asked = (explanation.plan?.interceptors ?? []).filter { $0.kind != .leaving }
        guard let first = asked.first, !explanation.hasFailed else { return "" }
        return asked.count == 1
            ? ", if '\(first.name)' lets the navigation proceed"
            : ", if \(asked.count) interceptors let the navigation proceed"
    }

    /// Returns the text, truncated if it is very long.
    private static func short(_ text: String) -> String {
        text.utf8.count <= 512 ? text : TextTable.cut(String(text.prefix(100)), to: 80)
    }

    private func table(_ explanation: TargetExplanation) -> TextTable {
        var table = TextTable()
        table.indent = "  "
        // The label and the reason are the most important columns.
        table.kept = [0, 4]
        if let rewritten = explanation.rewritten { table.addNote("rewrite", "to \(rewritten)") }
        for (index, match) in explanation.matches.enumerated() {
            let label = Self.label(index, explanation)
            table.add([label] + Self.cells(match.row))
        }
        for match in explanation.routings { table.add(["dispatch"] + Self.cells(match.row)) }
        if !explanation.routings.isEmpty {
            table.addNote(
                "",
                explanation.hasAction
                    ? "the action of this routing runs"
                    : "the link is queued until this routing has an action"
            )
        }
        for miss in explanation.misses {
            table.add(["miss"] + Self.cells(miss.row) + [miss.reason])
        }
        if explanation.missesLeftOut > 0 {
            table.addNote("", "and \(explanation.missesLeftOut) more ('--all' shows them)")
        }
        if !explanation.dropped.isEmpty {
            table.addNote("dropped", explanation.dropped.joined(separator: ", "))
        }
        if let winner = explanation.matches.first?.row {
            if let pattern = winner.aliasOf { table.addNote("alias", "for \(pattern)") }
            if let screen = winner.screen { table.addNote("screen", screen) }
            if let reuse = winner.reuse { table.addNote("reuse", reuse) }
        }
        if let plan = explanation.plan {
            for line in PlanLines(plan, path: path).lines { table.addNote(line.label, line.text) }
        }
        return table
    }

    private static func label(_ index: Int, _ explanation: TargetExplanation) -> String {
        guard explanation.fields != nil else { return index == 0 ? "match" : "next" }
        return explanation.matches[index].row.kind == .task ? "task" : "route"
    }

    private static func cells(_ row: RouteRow) -> [String] {
        [row[.pattern], row.name, row[.source]]
    }
}

// MARK: Fields

extension TargetExplanation: DocumentRecord {
    static let document = DocumentFields<Self>("target") {
        Field("target", \.text, help: "The target as it was given.")
        Field("kind", \.kind, help: "The kind of target, such as 'url'.")
        Field("destination", \.destination, help: "The route to which the target leads.")
        Field("problem", \.problem, help: "The reason why the target leads to no route.")
        Field(optional: "rewritten", \.rewritten, help: "The URL that 'router.rewrite' returns.")
        Field("matches", \.matches, help: "The routes that match, the best match first.")
        Field("routings", \.routings, help: "The matching routings of 'router.dispatch'.")
        Field("misses", \.misses, help: "The routes that nearly match.")
        Field(
            "missesLeftOut",
            \.missesLeftOut,
            help: "The number of routes that nearly match and are left out of 'misses'."
        )
        Field("dropped", \.dropped, help: "The parts of the URL that are ignored.")
        Field(
            "plan",
            \.plan?.table,
            help: "The dry run of the navigation, as 'router.explain' returns it."
        )
    }
}

extension TargetExplanation.Match: DocumentRecord {
    static let document = DocumentFields<Self>("match") {
        Field("parameters", \.parameters, help: "The parameters read from the URL.")
        Field("route", \.row, help: "The route.")
    }
}

extension TargetExplanation.Miss: DocumentRecord {
    static let document = DocumentFields<Self>("miss") {
        Field(
            "segment",
            \.segment,
            help: "The number of the segment that differs, from 1."
        )
        Field("reason", \.reason, help: "The reason why the route does not match.")
        Field("route", \.row, help: "The route.")
    }
}
