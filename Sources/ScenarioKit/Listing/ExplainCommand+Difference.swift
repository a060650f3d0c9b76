// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// Comparing the destinations of targets in two versions of scripts.
extension ExplainCommand {
    /// Compares the destinations of the targets in order, and writes each change as soon as it is
    /// known.
    func compare(
        with other: String,
        input: () throws(InputError) -> [UInt8]?,
        output: (PrintedText) -> Void,
        errors: (PrintedText) -> Void
    ) -> ExitCode {
        var code = ExitCode.success
        var diagnostics: [Diagnostic] = []
        var counts = DestinationCounts()
        if format == .json { output(beginning("luaroute.explain-diff/1", of: other, "changes")) }
        do throws(LoadedScripts.Failure) {
            let old = try explainer(of: other, &diagnostics)
            let new = try explainer(of: script, &diagnostics)
            if !diagnostics.isEmpty { code = .failed }
            var isFirst = true
            try forEachTarget(input) { target in
                let change = DestinationChange(
                    was: old.explanation(of: target),
                    now: new.explanation(of: target)
                )
                counts.add(change)
                guard let change else { return }
                code = max(code, .failed)
                output(text(of: change, isFirst: isFirst))
                isFirst = false
            }
            if format == .text { output("\(counts.summary)\n") }
        } catch {
            diagnostics += error.diagnostics
            code = max(code, error.code)
        }
        let console = ConsoleReport(style: TerminalStyle(isColored: isErrorsColored))
        for diagnostic in diagnostics { errors(console.text(of: diagnostic)) }
        if format == .json { output(end(counts, diagnostics: diagnostics, code: code)) }
        return code
    }

    /// Loads scripts and starts them; a failure of `router.start` is a diagnostic.
    private func explainer(
        of path: String,
        _ diagnostics: inout [Diagnostic]
    ) throws(LoadedScripts.Failure) -> Explainer {
        var options = options
        try options.readHostFiles()
        let scripts = try LoadedScripts(path, options)
        if let diagnostic = try scripts.begin(given: given, state: state) {
            diagnostics.append(diagnostic)
        }
        return scripts.explainer(showsAll: false)
    }

    // MARK: Writing

    private func text(of change: DestinationChange, isFirst: Bool) -> PrintedText {
        guard format == .text else {
            var json = JSONWriter()
            json.write(change)
            return PrintedText(json: (isFirst ? "" : ",") + json.text)
        }
        var table = TextTable()
        table.indent = "  "
        switch change.kind {
        case .fails, .succeeds:
            table.addNote(change.kind.rawValue, "was \(change.was.title), now \(change.now.title)")
        case .failure, .route, .redirect, .screen, .presentation, .parameters:
            for part in change.parts {
                let (was, now) = (change.was[part] ?? "nothing", change.now[part] ?? "nothing")
                table.addNote(part.rawValue, "was \(was), now \(now)")
            }
        }
        let style = TerminalStyle(isColored: isOutputColored)
        let title = change.text.isEmpty ? "''" : change.text
        let lines = [style.yellow("~ \(title)")] + table.lines(width: width)
        return lines.map { "\($0)\n" }.joined()
    }

    private func end(
        _ counts: DestinationCounts,
        diagnostics: [Diagnostic],
        code: ExitCode
    ) -> PrintedText {
        var json = JSONWriter()
        json.member("targets", counts.targets)
        json.name("counts")
        json.begin("{")
        for kind in DestinationChange.Kind.allCases { json.member(kind.rawValue, counts[kind]) }
        json.end("}")
        json.list("diagnostics", elements: diagnostics) { $0.write($1) }
        json.member("exitCode", Int(code.rawValue))
        json.end("}")
        return PrintedText(json: "],\(json.text)\n")
    }
}

extension JSONWriter {
    mutating func write(_ change: DestinationChange) {
        begin("{")
        member("target", change.text)
        member("kind", change.kind.rawValue)
        list("parts", elements: change.parts) { $0.write(.string(ByteString($1.rawValue))) }
        for (name, destination) in [("was", change.was), ("now", change.now)] {
            self.name(name)
            begin("{")
            for part in Destination.Part.allCases {
                member(part.rawValue, optional: destination[part])
            }
            end("}")
        }
        end("}")
    }
}
