// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The command `luaroute run`: selects scenarios, runs them, tells what came of them.
///
/// It does all but to read the command line and to end the process, so a test calls it in
/// process.
public struct RunCommand: Sendable {
    /// What to run: files, folders, `file:line`; nothing is the folder where we are.
    public var paths: [String]
    /// How to run it.
    public var options: RunOptions

    /// Creates a command.
    public init(paths: [String] = [], options: RunOptions = RunOptions()) {
        self.paths = paths
        self.options = options
    }

    /// Runs the scenarios, in the order of the paths and of the files.
    ///
    /// A file that does not parse, or whose scripts do not load, keeps no other from running.
    ///
    /// - Parameters:
    ///   - output: Called with results, in pieces that end with a line break.
    ///   - errors: Called with all else.
    /// - Returns: What came of it, with the code to end the process with.
    @discardableResult
    public func run(
        output: (String) -> Void,
        errors: (String) -> Void
    ) -> RunReport {
        var run = Run(options: options)
        let console = ConsoleReport()
        let selection = Selection(paths.isEmpty ? ["."] : paths)
        for diagnostic in selection.diagnostics {
            run.add(diagnostic, .inputMissing)
            errors(console.text(of: diagnostic))
        }
        run.read(selection)
        for index in run.report.files.indices {
            for diagnostic in run.report.files[index].diagnostics {
                errors(console.text(of: diagnostic))
            }
            run.runFile(index) {
                output(console.text(of: $0))
            } onDiagnostic: {
                errors(console.text(of: $0))
            }
        }
        run.finish()
        let last = run.report.diagnostics.dropFirst(selection.diagnostics.count)
        for diagnostic in last { errors(console.text(of: diagnostic)) }
        if run.isAnythingSelected { output(console.summary(of: run.report)) }
        return run.report
    }
}

/// A run under way.
private struct Run {
    let options: RunOptions
    var report = RunReport()
    /// The files that parse, and the numbers of the selected scenarios, as in `report.files`.
    private var parsed: [(file: ScenarioFile, selection: [Int])?] = []

    init(options: RunOptions) { self.options = options }

    var isAnythingSelected: Bool {
        parsed.contains { $0 == nil || $0?.selection.isEmpty == false }
    }

    mutating func add(_ diagnostic: Diagnostic, _ code: ExitCode) {
        report.diagnostics.append(diagnostic)
        report.exitCode = max(report.exitCode, code)
    }

    /// Reads and parses all files before the first is run: one `only` holds for all of them.
    mutating func read(_ selection: Selection) {
        for file in selection.files {
            var fileReport = FileReport(path: file.path)
            var entry: (ScenarioFile, [Int])?
            do throws(BundleError) {
                let limit = ScenarioFile.sizeLimit
                let bytes = try SourceFiles.read(file.path, limit: 4 * limit)
                switch ScenarioParser.parse(SourceText(name: file.path, content: bytes)) {
                case .success(let parsed):
                    entry = (parsed, parsed.scenarios(at: file.lines))
                case .failure(let failure):
                    fileReport.diagnostics = failure.list
                    report.exitCode = max(report.exitCode, .scenarioInvalid)
                }
            } catch {
                fileReport.diagnostics = [Diagnostic(.scenarioUnreadable, error.message)]
                report.exitCode = max(
                    report.exitCode,
                    error.reason == .tooLarge ? .scenarioInvalid : .inputMissing
                )
            }
            report.files.append(fileReport)
            parsed.append(entry)
        }
        keepOnly()
    }

    /// Leaves the scenarios marked `only`, if there are some.
    private mutating func keepOnly() {
        let marked = parsed.map { entry in
            entry.map { entry in
                entry.selection.filter { entry.file.scenarios[$0].mode == .only }
            } ?? []
        }
        guard marked.contains(where: { !$0.isEmpty }) else { return }
        for index in parsed.indices { parsed[index]?.selection = marked[index] }
        guard options.isUnattended else { return }
        add(.onlyIsLeft(), .failed)
    }

    mutating func runFile(
        _ index: Int,
        onReport: (ScenarioReport) -> Void,
        onDiagnostic: (Diagnostic) -> Void
    ) {
        guard let (file, selection) = parsed[index], !selection.isEmpty else { return }
        var scenarios: [ScenarioReport] = []
        let failure = ScenarioRunner(file: file, options: options).run(selection) { report in
            scenarios.append(report)
            onReport(report)
        }
        report.files[index].scenarios = scenarios
        if scenarios.contains(where: { $0.outcome == .failed }) {
            report.exitCode = max(report.exitCode, .failed)
        }
        if let failure {
            report.files[index].diagnostics.append(failure.diagnostic)
            report.exitCode = max(report.exitCode, failure.1)
            onDiagnostic(failure.diagnostic)
        }
    }

    mutating func finish() {
        if !isAnythingSelected, report.exitCode == .success {
            add(.nothingSelected(), .nothingSelected)
        }
    }
}

extension ScenarioFile {
    /// The numbers of the scenarios whose blocks hold some lines; all where none are given.
    fileprivate func scenarios(at lines: [Int]?) -> [Int] {
        guard let lines else { return Array(scenarios.indices) }
        return scenarios.indices.filter { index in
            let scenario = scenarios[index]
            return lines.contains(where: scenario.isSelected(byLine:))
        }
    }
}

extension Diagnostic {
    fileprivate static func nothingSelected() -> Diagnostic {
        Diagnostic(.nothingSelected, "no scenario is selected")
    }

    fileprivate static func onlyIsLeft() -> Diagnostic {
        Diagnostic(.onlyIsLeft, "a scenario is marked 'only', so others were not run")
    }
}
