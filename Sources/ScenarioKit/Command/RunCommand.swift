// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The command `luaroute run`: selects scenarios, runs them, and reports the results.
///
/// This type does everything except parsing the command line and ending the process, so that tests
/// can run it in their own process.
package struct RunCommand: Sendable {
    /// The output formats.
    package enum Format: Sendable {
        /// Human-readable text.
        case text
        /// A single JSON document.
        case json
        /// One JSON object per line: an object for each scenario when it ends, with its duration,
        /// and an object for the run.
        case lines
    }

    /// The maximum number of failed scenarios whose failures are printed.
    private static let shownFailures = 50

    /// The default number of parallel jobs on this machine.
    package static var defaultJobs: Int { SystemThread.processorCount }

    /// The paths to run: files, folders, or `file:line`; empty for the current folder.
    package var paths: [String]
    /// The filter for the scenarios in the paths.
    package var filter = ScenarioFilter()
    /// The options for running each scenario.
    package var options: RunOptions
    /// The number of scenarios that run in parallel, each on its own thread.
    ///
    /// If the number is 1, no thread is started. The number does not affect the output.
    package var jobs = 1
    /// Whether to stop after the first scenario that fails, or the first scripts that do not load.
    package var stopsAtFailure = false
    /// Returns the exit code of an interrupted run; `nil` if the run was not interrupted.
    ///
    /// The closure is called on any thread: before each scenario, before each timer and
    /// occasionally between steps. An interrupted run reports the scenarios that have ended.
    package var interruption: @Sendable () -> ExitCode? = { nil }
    /// Returns the current time for reports, in seconds since 1970.
    package var timeOfDay: @Sendable () -> Double = { TimeOfDay.now }
    /// Whether to run only the scenarios that failed or were not run in the last run.
    ///
    /// All scenarios are run if there is no record of the last run, or if no selected scenario
    /// failed in the last run.
    package var runsOnlyFailed = false
    /// The store of the failed scenarios; `nil` to keep no record.
    package var failures: FailureStore?
    /// Whether to print the failures of all failed scenarios.
    ///
    /// By default, only the failures of the first 50 are printed.
    package var showsAllFailures = false
    /// The minimum percentage of lines, and of other parts of scripts, that the scenarios must
    /// reach; `nil` for no minimum.
    package var minimumCoverage: Int?
    /// The output format.
    package var format = Format.text
    /// Whether to print only failures, each on one line.
    package var isShort = false
    /// Whether to print only failures, warnings and the summary in text output.
    package var isQuiet = false
    /// Whether to end text output with the slowest scenarios and their durations.
    package var showsSlowest = false
    /// Whether to end text output with the coverage, if it is measured.
    package var showsCoverage = true

    /// The options of a run that stops when ``interruption`` returns an exit code.
    var interruptibleOptions: RunOptions {
        var options = options
        options.isInterrupted = { [interruption] in interruption() != nil }
        return options
    }

    /// Creates a command.
    package init(paths: [String] = [], options: RunOptions = RunOptions()) {
        self.paths = paths
        self.options = options
    }

    /// Returns whether a path on the command line has the form `file:line`, which selects a line.
    package static func selectsLine(_ path: String) -> Bool { Selection.file(of: path) != path }

    /// Runs the scenarios in the order of the paths and of the files.
    ///
    /// If a file does not parse, or if its scripts do not load, the other files are still run.
    ///
    /// - Returns: The report, including the exit code.
    @discardableResult
    package func run(_ console: Console) -> RunReport {
        let console = console.short(isShort)
        var options = interruptibleOptions
        var plan: RunPlan
        do throws(LoadedScripts.Failure) {
            try options.readHostFiles()
            plan = RunPlan(paths, filter: filter, options: options)
        } catch {
            plan = RunPlan(error)
        }
        if runsOnlyFailed, !plan.files.isEmpty {
            let hasFailed = failures?.read(for: plan).map { plan.keep($0) }
            if let reason = hasFailed.map({
                $0 ? nil : "no selected scenario failed in the last run"
            })
                ?? "no earlier run of this project is known"
            {
                console.errors("\(reason): running all scenarios\n")
            }
        }
        let writer: any ResultWriter =
            switch format {
            case .text:
                ConsoleReport(
                    style: console.style,
                    isShort: isShort,
                    isQuiet: isQuiet,
                    showsSlowest: showsSlowest,
                    showsCoverage: showsCoverage,
                    width: console.width,
                    rerun: RerunCommand(options)
                )
            case .json: JSONReport()
            case .lines: JSONLinesReport()
            }
        plan.first.forEach(console.writeFinding)
        var run = Run(plan, command: self, options: options)
        run.report.start = timeOfDay()
        run.report.path = paths.first
        var failedCount = 0
        // The first row of a table with each failure. Only its failure is printed in full.
        var failedRows: [RowFailure: ScenarioReport] = [:]
        for index in plan.files.indices {
            plan.files[index].diagnostics.forEach(console.writeFinding)
            run.runFile(index) { scenario in
                if scenario.outcome == .failed { failedCount += 1 }
                let isShort = failedCount > Self.shownFailures && !showsAllFailures
                let failure = RowFailure(scenario)
                let earlier = failure.flatMap { failedRows[$0] }
                console.output(writer.text(of: scenario, isShort: isShort, after: earlier))
                if let failure, earlier == nil, !isShort { failedRows[failure] = scenario }
                scenario.warnings.forEach(console.writeFinding)
            } onFailure: {
                console.writeFinding($0)
            }
        }
        plan.last.forEach(console.writeFinding)
        if let minimumCoverage, interruption() == nil {
            run.check(minimumCoverage).forEach(console.writeFinding)
        }
        if let code = interruption() { run.end(with: code) }
        // The last line of text output already contains the number of scenarios that were not run.
        if let error = run.noteNotRun(wasInterrupted: interruption() != nil), isShort {
            console.writeFinding(error)
        }
        console.output(writer.end(of: run.report))
        if let warning = failures?.note(run.report, of: plan), runsOnlyFailed {
            console.write(warning)
        }
        return run.report
    }

    /// Writes reports of a run to their files or to the output.
    ///
    /// The reports of an interrupted run are still written. An interruption that occurs during the
    /// writing stops the writing.
    ///
    /// - Parameters:
    ///   - files: The reports to write.
    ///   - report: The result of ``run(_:)``.
    ///   - console: The output.
    /// - Returns: `outputFailed` if a file cannot be written, the exit code of an interruption, or
    ///   `success`.
    package func write(
        _ files: [ReportFile],
        of report: RunReport,
        to console: Console
    ) -> ExitCode {
        let wasInterrupted = interruption() != nil
        func isInterrupted() -> Bool { !wasInterrupted && interruption() != nil }
        let code = files.write(
            { $0.printed(of: report, isInterrupted: isInterrupted) },
            isInterrupted: isInterrupted,
            to: console.short(isShort)
        )
        return max(code, interruption() ?? .success)
    }

    /// Lists the scenarios that ``run(_:)`` would run, one per line.
    ///
    /// Each line has the form `path:line  name  @tags`. No scripts are read.
    ///
    /// - Returns: The exit code.
    package func list(_ console: Console) -> ExitCode {
        let plan = RunPlan(paths, filter: filter, options: interruptibleOptions)
        let diagnostics = plan.first + plan.files.flatMap(\.diagnostics) + plan.last
        diagnostics.forEach(console.short(isShort).write)
        switch format {
        case .text:
            for (path, scenario) in plan.scenarios {
                console.output(ConsoleReport().line(scenario, path))
            }
        case .json, .lines: console.output(JSONReport.list(plan.scenarios))
        }
        return plan.exitCode
    }
}

/// A run in progress.
private struct Run {
    /// The report of a scenario; `nil` if the run was interrupted before the scenario ended.
    private typealias Result = Swift.Result<ScenarioReport?, ScenarioRunner.Failure>

    var report = RunReport()

    private let stopsAtFailure: Bool
    private let plan: RunPlan
    /// The runner of each file; `nil` if the file has no selected scenarios, or was not reached
    /// before an interruption.
    private let runners: [Swift.Result<ScenarioRunner, ScenarioRunner.Failure>?]
    private let workers: Workers<Result>
    private var printed = PrintedErrors()
    /// The number of the next scenario among all selected scenarios.
    private var next = 0
    private var isStopped = false

    init(_ plan: RunPlan, command: RunCommand, options: RunOptions) {
        self.plan = plan
        stopsAtFailure = command.stopsAtFailure
        report.exitCode = plan.exitCode
        report.diagnostics = plan.first + plan.last
        if options.measuresCoverage { report.coverage = Coverage() }
        runners = plan.files.map { file in
            guard !options.isInterrupted(), let parsed = file.parsed, !file.selection.isEmpty else {
                return nil
            }
            return Swift.Result { () throws(ScenarioRunner.Failure) in
                try ScenarioRunner(parsed, options)
            }
        }
        var pieces: [(ScenarioRunner, Int)] = []
        for (runner, file) in zip(runners, plan.files) {
            guard case .success(let runner) = runner else { continue }
            for index in file.selection { pieces.append((runner, index)) }
        }
        workers = Workers(count: pieces.count, threads: command.jobs) { [pieces] number in
            let (runner, index) = pieces[number]
            return Result { () throws(ScenarioRunner.Failure) in try runner.run(index) }
        }
    }

    mutating func runFile(
        _ index: Int,
        onReport: (ScenarioReport) -> Void,
        onFailure: (Diagnostic) -> Void
    ) {
        let file = plan.files[index]
        var fileReport = FileReport(path: file.path, diagnostics: file.diagnostics)
        defer { report.files.append(fileReport) }
        guard let runner = runners[index], !isStopped else {
            fileReport.notRun = file.scenarios(file.selection)
            return
        }
        do throws(ScenarioRunner.Failure) {
            let runner = try runner.get()
            defer { runner.prepared.removeAll() }
            let notRun = try run(file.selection) {
                fileReport.scenarios.append($0)
                onReport($0)
            }
            fileReport.notRun = file.scenarios(notRun)
            if let parsed = file.parsed { fileReport.findUnusedBackground(of: parsed) }
            guard !fileReport.failures.isEmpty else { return }
            report.exitCode = max(report.exitCode, .failed)
            fileReport.failures.forEach(onFailure)
            stop()
        } catch {
            fileReport.diagnostics += error.diagnostics
            report.exitCode = max(report.exitCode, error.code)
            let count = useCount(ofScriptsOf: runner, error)
            printed.new(among: error.diagnostics, usedBy: count).forEach(onFailure)
            stop()
        }
    }

    /// Returns the number of files that use the scripts of the given runner, which failed to load.
    private func useCount(
        ofScriptsOf runner: Swift.Result<ScenarioRunner, ScenarioRunner.Failure>,
        _ error: ScenarioRunner.Failure
    ) -> Int {
        let first = error.diagnostics.first?.identity
        return runners.count { other in
            switch (runner, other) {
            case (.success(let runner), .success(let other)?):
                runner.scripts.root == other.scripts.root
                    && runner.scripts.entry == other.scripts.entry
            case (.failure, .failure(let other)?): other.diagnostics.first?.identity == first
            default: false
            }
        }
    }

    /// Runs the scenarios of a file with the given indices, and returns the indices of the
    /// scenarios that were not run.
    private mutating func run(
        _ selection: [Int],
        onReport: (ScenarioReport) -> Void
    ) throws(ScenarioRunner.Failure) -> [Int] {
        let (first, end) = (next, next + selection.count)
        var notRun: [Int] = []
        var known: Set<String> = []
        // After a failure, the remaining results are not needed.
        defer {
            workers.skip(to: end)
            next = end
        }
        for number in next..<end {
            guard var scenario = try workers.result(of: number).get() else {
                notRun.append(selection[number - first])
                continue
            }
            if let coverage = scenario.coverage { report.coverage?.add(coverage) }
            scenario.coverage = nil
            // If several rows or scenarios share a step, its warning is printed only once.
            scenario.warnings.removeAll { warning in
                guard warning.code == .unknownNameOfScripts, let span = warning.span else {
                    return false
                }
                let key = "\(span.source.name):\(span.range.lowerBound) \(warning.message)"
                return !known.insert(key).inserted
            }
            onReport(scenario)
            guard scenario.outcome == .failed else { continue }
            report.exitCode = max(report.exitCode, .failed)
            stop()
            guard !isStopped else {
                return notRun + selection[(number + 1 - first)...]
            }
        }
        return notRun
    }

    /// Fails the run if the scenarios reached less than the given percentage of the scripts.
    ///
    /// - Returns: The errors.
    mutating func check(_ minimumCoverage: Int) -> [Diagnostic] {
        let errors = report.coverage?.shortfall(below: minimumCoverage) ?? []
        if !errors.isEmpty { report.exitCode = max(report.exitCode, .failed) }
        report.diagnostics += errors
        return errors
    }

    /// Records that some scenarios were not run, and returns the error; `nil` if all were run.
    mutating func noteNotRun(wasInterrupted: Bool) -> Diagnostic? {
        guard report.notRun > 0 || wasInterrupted && plan.files.isEmpty else { return nil }
        let reason = wasInterrupted ? "the run was interrupted" : "an earlier scenario failed"
        report.reasonNotRun = reason
        let count = report.notRun == 1 ? "1 scenario was" : "\(report.notRun) scenarios were"
        let what = report.notRun == 0 ? "no scenario was selected" : "\(count) not run"
        let error = Diagnostic(.notRun, "\(what), because \(reason)")
        report.diagnostics.append(error)
        return error
    }

    /// Sets the exit code of the run if the given code takes precedence over the current one.
    mutating func end(with code: ExitCode) { report.exitCode = max(report.exitCode, code) }

    private mutating func stop() {
        guard stopsAtFailure else { return }
        isStopped = true
        workers.skip(to: .max)
    }
}
