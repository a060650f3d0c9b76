// SPDX-License-Identifier: MIT

/// Reports the results of scenarios as text for people.
struct ConsoleReport: ResultWriter {
    /// The column at which the location of a scenario ends, on a sufficiently wide terminal.
    private static let width = 92

    var style = TerminalStyle()
    /// Whether only diagnostics and failures are written, one line each.
    var isShort = false
    /// Whether to omit scenarios that did not fail.
    var isQuiet = false
    /// Whether the report ends with a list of the slowest scenarios.
    var showsSlowest = false
    /// Whether the report ends with the coverage, if it was measured.
    var showsCoverage = true
    /// The number of columns of the terminal; nil if the output is not a terminal.
    var width: Int?
    /// The command that is printed with a failure, to run the scenario again.
    var rerun = RerunCommand()

    /// Returns a line for a scenario.
    ///
    /// If the scenario failed, a block for each failure and an empty line follow.
    ///
    /// If `isShort` is true, only the line is returned. If an earlier row of the same table has the
    /// same failure, the failure is one line.
    func text(
        of report: ScenarioReport,
        isShort: Bool,
        after earlier: ScenarioReport?
    ) -> PrintedText {
        if self.isShort { return report.failures.map(text).joined() }
        if isQuiet, report.outcome != .failed { return "" }
        var text = heading(report)
        if isShort { return text }
        if let earlier, let failure = report.failures.first {
            let details =
                [failure.label].compactMap(\.self)
                + failure.details.map { "\($0.topic) \($0.text)" }
            let line =
                "the same failure as on line \(earlier.line): \(details.joined(separator: ", "))"
            return text + "  \(line)\n\n"
        }
        if !report.isTraced {
            text += report.notes.map { TraceWriter.text(of: $0, margin: "  ") }.joined()
        }
        for failure in report.knownFailures {
            let place = failure.span.map { " at line \($0.line)" } ?? ""
            let note = Diagnostic.Note("known", "\(report.issue ?? ""): \(failure.message)\(place)")
            text += TraceWriter.text(of: note, margin: "  ")
        }
        for failure in report.failures { text += "  " + block(of: failure, in: report) }
        if !report.trace.parts.isEmpty {
            text += report.isTraced ? "  trace\n" : "  log\n"
            text += TraceWriter.text(of: report.trace, style: style)
        }
        return report.failures.isEmpty && report.trace.parts.isEmpty ? text : text + "\n"
    }

    /// Returns a failure of a scenario: the message, the location and the notes.
    func block(of failure: Diagnostic, in report: ScenarioReport) -> PrintedText {
        var renderer = DiagnosticRenderer()
        renderer.showsLineBefore = true
        renderer.style = style
        var failure = failure
        failure.notes.append(Diagnostic.Note("rerun", rerun.line(for: report.location)))
        return "\(failure.message)\n" + renderer.body(of: failure)
    }

    /// Returns a line of the list of scenarios: the location, the name and the tags.
    func line(_ scenario: Scenario, _ path: String) -> PrintedText {
        let tags =
            scenario.tags.isEmpty
            ? "" : "  " + scenario.tags.map { "@\($0)" }.joined(separator: " ")
        return "\(path: "\(path):\(scenario.address)")  \(scenario.name + tags)\n"
    }

    /// Returns a diagnostic, followed by an empty line unless it is a single line.
    func text(of diagnostic: Diagnostic) -> PrintedText {
        var renderer = DiagnosticRenderer()
        if isShort { return renderer.line(of: diagnostic) }
        renderer.style = style
        return renderer.text(of: diagnostic) + "\n"
    }

    /// Returns the end of the report: the failed and the slowest scenarios, the coverage and the
    /// summary.
    ///
    /// The result is empty if no scenario was selected, or if ``isShort`` is true.
    func end(of report: RunReport) -> PrintedText {
        guard report.isAnythingSelected, !isShort else { return "" }
        return failures(of: report) + slowest(of: report) + coverage(of: report)
            + "\(report.summary)\n"
    }

    private func coverage(of report: RunReport) -> PrintedText {
        guard showsCoverage, let coverage = report.coverage else { return "" }
        return CoverageWriter(style: style).text(of: coverage)
    }

    /// Returns the slowest scenarios, each with its time in seconds.
    private func slowest(of report: RunReport) -> PrintedText {
        guard showsSlowest else { return "" }
        let lines: [PrintedText] = report.slowest.map { scenario in
            let milliseconds = Int(scenario.duration / .milliseconds(1))
            let digits = "\(1000 + milliseconds % 1000)".dropFirst()
            let time = "\(milliseconds / 1000).\(digits) s"
            return "  \(time)  \(path: scenario.location)  \(scenario.name)\n"
        }
        return "slowest:\n\(lines.joined())\n"
    }

    /// Returns a line for each failed scenario, with the command that runs the scenario again;
    /// empty unless at least two scenarios failed.
    private func failures(of report: RunReport) -> PrintedText {
        let failed = report.files.flatMap(\.scenarios).filter { $0.outcome == .failed }
        guard failed.count > 1 else { return "" }
        let lines: [PrintedText] = failed.map { scenario in
            "  \(rerun.line(for: scenario.location))  # \(scenario.name)\n"
        }
        return "\(failed.count) failed:\n\(lines.joined())\n"
    }

    // MARK: Lines

    private func heading(_ report: ScenarioReport) -> PrintedText {
        let location: PrintedText = "\(path: report.location)"
        let mark =
            switch report.outcome {
            case .passed: style.green("✔")
            case .failed: style.red("✘")
            case .skipped: style.yellow("○")
            case .known: style.yellow("◌")
            }
        let name: PrintedText = "\(report.name)"
        let space = String(
            repeating: " ",
            count: max(2, min(width ?? Self.width, Self.width) - 2 - name.width - location.width)
        )
        return "\(mark) \(name)\(space)\(location)\n"
    }
}

/// The only failure of a row of a table.
///
/// The failures of two rows of a table are equal if they differ only in actual values and in the
/// locations of the rows.
struct RowFailure: Hashable {
    private let path: String
    private let headingLine: Int
    private let code: DiagnosticCode
    private let message: String
    private let label: String?
    private let locations: [String]
    private let help: [String]

    /// Creates the failure of a scenario; nil if the scenario is no row of a table, was traced, or
    /// does not have exactly one failure.
    init?(_ row: ScenarioReport) {
        guard row.line != row.headingLine, row.trace.parts.isEmpty, row.failures.count == 1 else {
            return nil
        }
        let failure = row.failures[0]
        (path, headingLine) = (row.path, row.headingLine)
        (code, message, label) = (failure.code, failure.message, failure.label)
        locations = ([failure.span] + failure.related.map(\.span)).compactMap(\.self)
            .map { "\($0.source.name):\($0.line)" }.filter { $0 != "\(row.path):\(row.line)" }
        // The note 'because' applies to only one of the failures.
        help = failure.notes.filter { $0.topic != "because" }.map { "\($0.topic) \($0.text)" }
    }
}
