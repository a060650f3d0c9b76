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
    /// How it ended.
    public internal(set) var outcome: Outcome
    /// What does not hold: nothing where it passed.
    public internal(set) var failures: [Diagnostic] = []
    /// What its `note` steps say.
    public internal(set) var notes: [String] = []
    /// The scripts that it had serve in place of its own, or why there are none.
    var otherScripts: [Result<Bundle, BundleError>] = []
}
