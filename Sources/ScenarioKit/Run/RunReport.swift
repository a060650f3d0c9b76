// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The report of a run.
package struct RunReport: Sendable {
    /// The files, in the order in which they were run.
    package internal(set) var files: [FileReport] = []
    /// The diagnostics of the run that do not belong to a file.
    package internal(set) var diagnostics: [Diagnostic] = []
    /// The time of day at which the run began, in seconds since 1970.
    package internal(set) var start = 0.0
    /// The exit code of the process.
    package internal(set) var exitCode = ExitCode.success
    /// The parts and lines of scripts that the scenarios reached; `nil` unless coverage is
    /// recorded.
    package internal(set) var coverage: Coverage?
    /// The number of scenarios that were not run because an earlier one failed, or because the run
    /// was interrupted.
    package var notRun: Int { files.reduce(0) { $0 + $1.notRun.count } }
    /// The reason why some scenarios were not run; `nil` if all scenarios were run.
    var reasonNotRun: String?
    /// The first path on the command line.
    var path: String?
    /// The path to print for a diagnostic that has no file.
    ///
    /// This is the entry file of the covered scripts. If there are none, it is the first scenario
    /// file or, without scenario files, the path on the command line.
    var nearestPath: String? {
        let scripts = coverage?.files.map(\.path) ?? []
        return scripts.first { $0.hasByteSuffix("main.lua") } ?? scripts.first ?? files.first?.path
            ?? path
    }

    /// Returns the number of scenarios with the given outcome.
    package func count(of outcome: ScenarioReport.Outcome) -> Int {
        files.reduce(0) { count, file in
            count + file.scenarios.count { $0.outcome == outcome }
        }
    }

    /// The number of warnings, about scenarios and about the run.
    package var warningCount: Int {
        files.reduce(diagnostics.count { $0.severity == .warning }) { count, file in
            count + file.scenarios.reduce(0) { $0 + $1.warnings.count }
        }
    }

    /// The number of files with failures that do not belong to a single scenario.
    package var filesFailed: Int { files.count { !$0.failures.isEmpty } }

    /// The number of files that were not run, or not run completely, because they do not parse or
    /// because their scripts do not load.
    package var filesNotRun: Int { files.count { !$0.diagnostics.isEmpty } }

    /// The diagnostics of the run, of its files and of their scenarios.
    var allDiagnostics: [Diagnostic] {
        files.reduce(into: diagnostics) { all, file in
            all += (file.diagnostics + file.failures).map { $0.located(in: file.path) }
            for scenario in file.scenarios { all += scenario.failures + scenario.warnings }
        }
    }

    /// The outcome on one line: the counts, and any other reason for the exit code.
    package var summary: String {
        guard isAnythingSelected else { return "nothing selected" }
        var parts = ["\(count(of: .passed)) passed", "\(count(of: .failed)) failed"]
        func add(_ count: Int, _ text: String) { if count > 0 { parts.append("\(count) \(text)") } }
        add(count(of: .known), "failed with a known issue")
        add(count(of: .skipped), "skipped")
        add(notRun, "not run")
        add(filesNotRun, filesNotRun == 1 ? "file not run" : "files not run")
        add(filesFailed, filesFailed == 1 ? "file failed" : "files failed")
        if diagnostics.contains(where: { $0.code == .coverageTooLow }) {
            parts.append("coverage missed")
        }
        add(warningCount, warningCount == 1 ? "warning" : "warnings")
        return parts.joined(separator: ", ")
    }

    /// Up to five of the slowest scenarios, the slowest first.
    var slowest: [ScenarioReport] {
        let ran = files.flatMap(\.scenarios).filter { $0.outcome != .skipped }
        return Array(ran.sorted { $0.duration > $1.duration }.prefix(5))
    }

    /// Whether at least one scenario is selected.
    var isAnythingSelected: Bool {
        notRun > 0 || files.contains { !$0.diagnostics.isEmpty || !$0.scenarios.isEmpty }
    }
}

/// The report of one file.
package struct FileReport: Sendable {
    /// The path.
    package let path: String
    /// The reason why no scenario of the file was run: the file does not parse, or its scripts do
    /// not load.
    package internal(set) var diagnostics: [Diagnostic] = []
    /// The reports of the selected scenarios of the file that were run, or that are marked `skip`.
    package internal(set) var scenarios: [ScenarioReport] = []
    /// The selected scenarios that were not run.
    var notRun: [Scenario] = []
    /// The failures that can be determined only after all scenarios of the file have run: unused
    /// steps of the background.
    package internal(set) var failures: [Diagnostic] = []

    /// The sum of the durations of the file's scenarios.
    package var duration: Duration { scenarios.reduce(.zero) { $0 + $1.duration } }

    /// Adds a failure for each step of the background that no scenario used.
    ///
    /// Adds nothing unless every scenario of the file ran to its end.
    mutating func findUnusedBackground(of file: ScenarioFile) {
        guard scenarios.count == file.scenarios.count, scenarios.allSatisfy(\.isWhole),
            let first = scenarios.first
        else { return }
        failures = first.unusedBackground.filter { unused in
            scenarios.allSatisfy { $0.unusedBackground.contains { $0.index == unused.index } }
        }.map(\.diagnostic)
    }
}

/// The report of one scenario.
package struct ScenarioReport: Sendable {
    /// The possible outcomes of a scenario.
    package enum Outcome: String, Sendable, CaseIterable {
        /// All expectations are true.
        case passed
        /// An expectation is not true, or a step has failed.
        case failed
        /// The scenario was not run, because it is marked `skip`.
        case skipped
        /// The scenario failed, as its mark `known` expects.
        case known
    }

    /// The name of the scenario.
    package let name: String
    /// The tags of the scenario, without `@`.
    package let tags: [String]
    /// The path of the scenario file.
    package let path: String
    /// The line of the scenario's heading or, for a table, the line of the scenario's row.
    package let line: Int
    /// The number of the scenario's record, counted from 1; `nil` unless the table of the scenario
    /// is in another file.
    package let record: Int?
    /// The line of the heading of the scenario, even if the report is about a row of the scenario's
    /// table.
    let headingLine: Int
    /// The location as written on the command line: `file:line`, or `file:line#record`.
    let location: String
    /// The outcome.
    package internal(set) var outcome: Outcome
    /// The failures; empty if the scenario passed, or failed as expected.
    package internal(set) var failures: [Diagnostic] = []
    /// The known issue in the scenario's mark `known`; `nil` without that mark.
    package internal(set) var issue: String?
    /// The failures that the scenario's mark `known` expects.
    package internal(set) var knownFailures: [Diagnostic] = []
    /// The warnings: failures in scripts that no caller awaits.
    package internal(set) var warnings: [Diagnostic] = []
    /// The texts of the scenario's steps `note` and `show`, each with its topic.
    package internal(set) var notes: [Diagnostic.Note] = []
    /// The steps, events and tree changes that the options ask to record.
    var trace = Trace()
    /// The event stream in the format of an event file; empty unless the options ask for it.
    var eventStream = ""
    /// Whether the trace contains all steps, and therefore the texts of ``notes``.
    var isTraced: Bool { trace.isWhole && !trace.parts.isEmpty }
    /// The duration of the run.
    ///
    /// Scenarios of a file may share loaded scripts and a background. The time to prepare them is
    /// part of the duration of the first scenario on each thread.
    package internal(set) var duration = Duration.zero
    /// The seed of the scenario's random numbers.
    var seed: UInt64 = 0
    /// The expectations that were checked, with the texts that may replace them.
    var answers: [ExpectationAnswer] = []
    /// The parts and lines of scripts that the scenario reached; `nil` unless coverage is recorded.
    var coverage: ScenarioCoverage?
    /// The data of the scenario for an HTML report; empty unless the options ask for it.
    var page = ""
    /// The scripts that steps of the scenario loaded from other paths, or the errors that occurred
    /// when these scripts were read.
    var otherScripts: [Result<ScriptBundle, BundleError>] = []
    /// Whether all steps of the scenario were run.
    var isWhole = false
    /// The steps of the background that the scenario did not use.
    var unusedBackground: [Session.UnusedStep] = []
}
