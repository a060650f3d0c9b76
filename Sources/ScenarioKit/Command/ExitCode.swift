// SPDX-License-Identifier: MIT

/// The exit code of the command.
///
/// The cases are in order of precedence: if several apply, the process ends with the first of them.
package enum ExitCode: Int32, Sendable, CaseIterable, Comparable {
    /// The process was interrupted by the user (SIGINT).
    case interrupted = 130
    /// The process was terminated (SIGTERM).
    case terminated = 143
    /// The command line is not valid.
    case usage = 64
    /// The command found a defect in luaroute itself.
    case defect = 70
    /// A result could not be written.
    case outputFailed = 74
    /// An input is missing, or cannot be read.
    case inputMissing = 66
    /// A script failed to load, or exceeded its load budget.
    case scriptFailed = 3
    /// A scenario does not parse.
    case scenarioInvalid = 2
    /// An expectation or a step failed.
    case failed = 1
    /// A search is inconclusive and has no findings.
    case inconclusive = 5
    /// Nothing was selected.
    case nothingSelected = 4
    /// There were no problems.
    case success = 0

    /// Whether the left code has a lower precedence than the right one.
    package static func < (left: ExitCode, right: ExitCode) -> Bool { left.rank > right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
