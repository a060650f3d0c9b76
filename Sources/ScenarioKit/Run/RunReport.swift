// SPDX-License-Identifier: MIT

internal import LuaRouting

/// What came of a run.
public struct RunReport: Sendable {
    /// The files, in the order in which they were run.
    public internal(set) var files: [FileReport] = []
    /// What kept the run from being whole, besides what is wrong with a file.
    public internal(set) var diagnostics: [Diagnostic] = []
    /// What the process ends with.
    public internal(set) var exitCode = ExitCode.success
    /// How many scenarios were not run because one before them failed, or because the run was
    /// interrupted.
    public internal(set) var notRun = 0

    /// How many scenarios ended in a way.
    public func count(of outcome: ScenarioReport.Outcome) -> Int {
        files.reduce(0) { count, file in
            count + file.scenarios.count { $0.outcome == outcome }
        }
    }

    /// The number of warnings, those about scenarios and those about the run.
    public var warningCount: Int {
        files.reduce(diagnostics.count { $0.severity == .warning }) { count, file in
            count + file.scenarios.reduce(0) { $0 + $1.warnings.count }
        }
    }

    /// The number of files with mistakes that no scenario alone shows.
    public var filesFailed: Int { files.count { !$0.failures.isEmpty } }

    /// How many files were not run, or not to their end: they do not parse, or their scripts do
    /// not load.
    public var filesNotRun: Int { files.count { !$0.diagnostics.isEmpty } }

    /// Whether there was something to run.
    var isAnythingSelected: Bool {
        notRun > 0 || files.contains { !$0.diagnostics.isEmpty || !$0.scenarios.isEmpty }
    }
}

/// What came of one file.
public struct FileReport: Sendable {
    /// The path.
    public let path: String
    /// Why none of its scenarios was run: it does not parse, or its scripts do not load.
    public internal(set) var diagnostics: [Diagnostic] = []
    /// Its scenarios, as far as they were selected.
    public internal(set) var scenarios: [ScenarioReport] = []
    /// Mistakes that show when all its scenarios have run: steps of the background that none of
    /// them used.
    public internal(set) var failures: [Diagnostic] = []

    /// Looks for steps of the background that no scenario used.
    ///
    /// Finds nothing unless every scenario of the file ran to its end.
    mutating func findUnusedBackground(of file: ScenarioFile) {
        guard scenarios.count == file.scenarios.count, scenarios.allSatisfy(\.isWhole),
            let first = scenarios.first
        else { return }
        failures = first.unusedBackground.filter { unused in
            scenarios.allSatisfy { $0.unusedBackground.contains { $0.index == unused.index } }
        }.map(\.diagnostic)
    }
}

/// What came of one scenario.
public struct ScenarioReport: Sendable {
    /// The ways to end.
    public enum Outcome: Sendable {
        /// All that was expected holds.
        case passed
        /// Something does not, or a step failed.
        case failed
        /// It was not run, as it says itself.
        case skipped
    }

    /// The name.
    public let name: String
    /// The tags, without their `@`.
    public let tags: [String]
    /// The file.
    public let path: String
    /// The line that opens it.
    public let line: Int
    /// The number of the record that it ran for, from 1 on, where another file has its table.
    public let record: Int?
    /// Its place, as the command line takes it: `file:line`, or `file:line#record`.
    let location: String
    /// How it ended.
    public internal(set) var outcome: Outcome
    /// What does not hold: nothing where it passed.
    public internal(set) var failures: [Diagnostic] = []
    /// What it reports without failing: failures of scripts that nobody heard of.
    public internal(set) var warnings: [Diagnostic] = []
    /// What its `note` steps say.
    public internal(set) var notes: [String] = []
    /// The scripts that it had serve in place of its own, or why there are none.
    var otherScripts: [Result<ScriptBundle, BundleError>] = []
    /// Whether all its steps were done.
    var isWhole = false
    /// The steps of the background that it did not use.
    var unusedBackground: [Session.UnusedStep] = []
}
