// SPDX-License-Identifier: MIT

/// Tells what came of scenarios in the way that people read at a terminal.
struct ConsoleReport {
    /// The column at which the place of a scenario ends.
    private static let width = 92

    /// A line for a scenario; where it failed, a block for each failure and an empty line.
    func text(of report: ScenarioReport) -> String {
        let place = "\(report.path):\(report.line)"
        var text = heading(mark(of: report.outcome), report.name, place)
        for note in report.notes { text += "  note \(note)\n" }
        var renderer = DiagnosticRenderer()
        renderer.showsLineBefore = true
        for failure in report.failures {
            var failure = failure
            failure.notes.append(Diagnostic.Note("rerun", "luaroute run \(place)"))
            text += "  \(failure.message)\n" + renderer.body(of: failure)
        }
        return report.failures.isEmpty ? text : text + "\n"
    }

    /// A diagnostic, with an empty line after it.
    func text(of diagnostic: Diagnostic) -> String {
        DiagnosticRenderer().text(of: diagnostic) + "\n"
    }

    /// The last line.
    func summary(of report: RunReport) -> String {
        var parts = [
            "\(report.count(of: .passed)) passed", "\(report.count(of: .failed)) failed",
        ]
        let skipped = report.count(of: .skipped)
        if skipped > 0 { parts.append("\(skipped) skipped") }
        let files = report.files.count { !$0.diagnostics.isEmpty }
        if files > 0 { parts.append("\(files) \(files == 1 ? "file" : "files") not run") }
        return parts.joined(separator: ", ") + "\n"
    }

    private func mark(of outcome: ScenarioReport.Outcome) -> String {
        switch outcome {
        case .passed: "✔"
        case .failed: "✘"
        case .skipped: "○"
        }
    }

    private func heading(_ mark: String, _ name: String, _ place: String) -> String {
        let left = "\(mark) \(name)"
        let used = DisplayWidth.of(left.unicodeScalars) + DisplayWidth.of(place.unicodeScalars)
        return left + String(repeating: " ", count: max(2, Self.width - used)) + place + "\n"
    }
}
