// SPDX-License-Identifier: MIT

/// The exit code of the command.
///
/// The cases are in order of precedence: if several apply, the process ends with the first.
package enum ExitCode: Int32, Sendable, CaseIterable, Comparable {
    /// Interrupted by the user (SIGINT).
    case interrupted = 130
    /// Terminated (SIGTERM).
    case terminated = 143
    /// The command line is wrong.
    case usage = 64
    /// A defect of luaroute.
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
    /// A search is inconclusive and found nothing.
    case inconclusive = 5
    /// Nothing was selected.
    case nothingSelected = 4
    /// No problem.
    case success = 0

    /// Whether the left code has a lower precedence than the right one.
    package static func < (left: ExitCode, right: ExitCode) -> Bool { left.rank > right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
