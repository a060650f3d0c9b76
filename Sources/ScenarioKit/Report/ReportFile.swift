// SPDX-License-Identifier: MIT

internal import RouteFiles

/// A report that is requested with the option `--report`: `junit=FILE`, `json=FILE`, `html=FILE`,
/// `lcov=FILE`, `events=FILE`, `sarif=FILE` or `github`.
package struct ReportFile: Sendable {
    /// The format of a report.
    package enum Format: String, Sendable, CaseIterable {
        /// The XML of JUnit, which CI systems read.
        case junit
        /// The JSON document that `run --json` prints.
        case json
        /// An HTML page with the steps and screens of each scenario.
        case html
        /// An LCOV tracefile, which coverage tools read.
        case lcov
        /// GitHub workflow commands, which annotate the changed lines of a pull request.
        case github
        /// The event stream of each scenario, which `luaroute events` reads.
        case events
        /// The results of static analysis as SARIF 2.1.0, which code scanners read.
        case sarif

        /// The formats for findings.
        ///
        /// The commands `check`, `fmt` and `explore` support these formats.
        package static let findings: [Format] = [.sarif, .github]

        /// The format as written on the command line.
        var form: String { self == .github ? "github" : "\(rawValue)=FILE" }
    }

    /// The format.
    package let format: Format
    /// The path of the file; `-` for standard output.
    package let path: String

    /// The command-line option that requests the report.
    package var option: String {
        format == .events
            ? "--events \(path)"
            : "--report \(format.rawValue)"
                + (self.format == .github && path == "-" ? "" : "=\(path)")
    }

    /// Whether the report is a document on standard output.
    ///
    /// If so, no other text may be printed there. The value is false for GitHub workflow commands,
    /// which may be mixed with other lines.
    package var fillsOutput: Bool { path == "-" && format != .github }

    /// Parses the value of the option `--report`.
    ///
    /// A report for GitHub needs no path, and is written to standard output by default.
    package init(
        _ option: String,
        among formats: [Format] = Format.allCases
    ) throws(UsageError) {
        let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let format = Format(rawValue: String(parts[0]))
        let path = parts.count > 1 ? String(parts[1]) : format == .github ? "-" : ""
        guard let format, !path.isEmpty, formats.contains(format) else {
            let forms = formats.filter { $0 != .github }.map(\.form).joined(separator: ", ")
            throw UsageError("\(forms) or github expected, got '\(option)'")
        }
        self.format = format
        self.path = path
    }

    /// Returns the text of the report.
    package func text(of report: RunReport) -> String { printed(of: report)?.text ?? "" }

    /// Returns the printed report; nil if the run was interrupted.
    func printed(
        of report: RunReport,
        isInterrupted: () -> Bool = { false }
    ) -> PrintedText? {
        switch format {
        case .junit: PrintedText(JUnitReport.text(of: report))
        case .json: JSONReport().end(of: report)
        case .html: HTMLReport.text(of: report, isInterrupted: isInterrupted)
        case .lcov: report.coverage.map(LCOVReport.text) ?? ""
        case .github: PrintedText(GitHubReport.text(of: report), hasCommands: true)
        case .events:
            PrintedText(json: report.files.flatMap(\.scenarios).map(\.eventStream).joined())
        case .sarif:
            SARIFReport.text(
                of: report.allDiagnostics,
                at: report.nearestPath,
                code: report.exitCode
            )
        }
    }

    /// Returns the text of a report about findings.
    func printed(of diagnostics: [Diagnostic], at path: String?, code: ExitCode) -> PrintedText {
        format == .sarif
            ? SARIFReport.text(of: diagnostics, at: path, code: code)
            : PrintedText(GitHubReport.text(of: diagnostics), hasCommands: true)
    }
}

extension [ReportFile] {
    /// Checks that no report overwrites another file of the command, or is printed into another
    /// document.
    ///
    /// - Parameters:
    ///   - document: The option, such as `--json`, that prints a document to standard output; nil
    ///     if there is none.
    ///   - files: The other files that the command writes, each with its option.
    /// - Throws: An error that names the two conflicting options.
    package func validate(
        besides document: String?,
        _ files: [(option: String, path: String?)] = []
    ) throws(UsageError) {
        let printed = [document].compactMap(\.self) + filter { $0.path == "-" }.map(\.option)
        guard printed.count < 2 else {
            throw UsageError(
                "'\(printed[0])' and '\(printed[1])' would both print to standard output: "
                    + "write one of them to a file"
            )
        }
        var options: [String: String] = [:]
        for (option, path) in map({ ($0.option, $0.path) }) + files {
            guard let path, path != "-" else { continue }
            let key = SourceFiles.resolved(path) ?? Paths.path(path, from: "")
            if let other = options.updateValue(option, forKey: key) {
                throw UsageError(
                    "'\(other)' and '\(option)' would both write '\(path)': use different files"
                )
            }
        }
    }

    /// Creates the folders of the reports.
    ///
    /// Call this method before the command does any work.
    ///
    /// - Parameters:
    ///   - make: Creates a folder and its missing parent folders; returns the system's reason if
    ///     the folder cannot be created.
    ///   - console: The output, to which a diagnostic is written if a folder cannot be created.
    /// - Returns: `outputFailed` if a folder cannot be created, otherwise `success`.
    package func makeFolders(
        by make: (_ folder: String) -> String?,
        _ console: Console
    ) -> ExitCode {
        for file in self where file.path != "-" {
            let folder = Paths.folder(of: file.path)
            guard !folder.isEmpty, let reason = make(folder) else { continue }
            console.write(.unwritable(file.path, reason))
            return .outputFailed
        }
        return .success
    }

    /// Writes reports to their files, or to the output.
    ///
    /// - Parameters:
    ///   - printed: Returns the text of a report; nil if the run was interrupted.
    ///   - isInterrupted: Returns whether to stop writing.
    ///   - console: The output, to which reports without a file are written.
    /// - Returns: `outputFailed` if a file cannot be written, otherwise `success`.
    func write(
        _ printed: (ReportFile) -> PrintedText?,
        isInterrupted: () -> Bool = { false },
        to console: Console
    ) -> ExitCode {
        var code = ExitCode.success
        for file in self {
            guard !isInterrupted(), let text = printed(file), !isInterrupted() else {
                console.write(.unwritable(file.path, "the command was interrupted"))
                break
            }
            if file.path == "-" {
                console.output(text)
            } else if let reason = console.save(text.text, file.path) {
                console.write(.unwritable(file.path, reason))
                code = .outputFailed
            }
        }
        return code
    }
}

/// The reports about the findings of a command, and the format in which the findings are printed.
package struct FindingOutput: Sendable {
    /// The reports to write.
    package var reports: [ReportFile] = []
    /// Whether findings are printed as one line each.
    package var isShort = false

    /// Creates an output that prints text and writes no reports.
    package init() {}

    /// Writes the reports about findings.
    ///
    /// - Parameters:
    ///   - diagnostics: The findings.
    ///   - path: The path to use for a finding without a location.
    ///   - code: The exit code of the command.
    ///   - console: The output.
    /// - Returns: `outputFailed` if a file cannot be written, otherwise `code`.
    func write(
        _ diagnostics: [Diagnostic],
        at path: String?,
        code: ExitCode,
        to console: Console
    ) -> ExitCode {
        let written = reports.write(
            { $0.printed(of: diagnostics, at: path, code: code) },
            to: console.short(isShort)
        )
        return max(code, written)
    }
}
