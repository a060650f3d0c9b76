// SPDX-License-Identifier: MIT

/// A report of a run, as `--report` names it: `junit=FILE`, `json=FILE`, `html=FILE`, `lcov=FILE`,
/// `events=FILE` or `github`.
package struct ReportFile: Sendable {
    /// The format of a report.
    package enum Format: String, Sendable, CaseIterable {
        /// The XML of JUnit, which CI systems read.
        case junit
        /// The JSON document that `run --json` prints.
        case json
        /// One page with each scenario's steps and screens, for people.
        case html
        /// The tracefile of LCOV, which tools for coverage read.
        case lcov
        /// Commands of GitHub's workflows, which annotate the lines of a change.
        case github
        /// The event stream of each scenario, which `luaroute events` reads.
        case events
    }

    /// The format.
    package let format: Format
    /// The path of the file; `-` for the standard output.
    package let path: String

    /// Whether the standard output is a document that a program reads, and has no text for people.
    ///
    /// The commands of a report for GitHub may be among other lines.
    package var fillsOutput: Bool { path == "-" && format != .github }

    /// Reads a report from an option.
    ///
    /// Without a path, a report for GitHub goes to the standard output.
    package init(_ option: String) throws(UsageError) {
        let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let format = Format(rawValue: String(parts[0]))
        let path = parts.count > 1 ? String(parts[1]) : format == .github ? "-" : ""
        guard let format, !path.isEmpty else {
            let forms = "junit=FILE, json=FILE, html=FILE, lcov=FILE, events=FILE or github"
            throw UsageError("\(forms) expected, got '\(option)'")
        }
        self.format = format
        self.path = path
    }

    /// Returns the text of the report.
    package func text(of report: RunReport) -> String { printed(of: report).text }

    /// Returns the report as it is printed.
    func printed(of report: RunReport) -> PrintedText {
        switch format {
        case .junit: PrintedText(JUnitReport.text(of: report))
        case .json: JSONReport().end(of: report)
        case .html: HTMLReport.text(of: report)
        case .lcov: report.coverage.map(LCOVReport.text) ?? ""
        case .github: PrintedText(GitHubReport.text(of: report), hasCommands: true)
        case .events:
            PrintedText(json: report.files.flatMap(\.scenarios).map(\.eventStream).joined())
        }
    }
}
