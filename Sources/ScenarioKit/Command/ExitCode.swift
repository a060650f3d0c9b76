// SPDX-License-Identifier: MIT

/// What the command ends with.
///
/// The cases stand in the order in which they count: of several, a run ends with the first.
public enum ExitCode: Int32, Sendable, CaseIterable, Comparable {
    /// A person interrupted it.
    case interrupted = 130
    /// It was terminated.
    case terminated = 143
    /// The words of the command line do not fit.
    case usage = 64
    /// A defect of ours.
    case defect = 70
    /// A result could not be written.
    case outputFailed = 74
    /// An input is missing, or cannot be read.
    case inputMissing = 66
    /// A script failed to load, or broke its load budget.
    case scriptFailed = 3
    /// A scenario does not parse.
    case scenarioInvalid = 2
    /// An expectation or a step failed.
    case failed = 1
    /// Nothing was selected.
    case nothingSelected = 4
    /// All is fine.
    case success = 0

    /// Whether one counts less than the other.
    public static func < (left: ExitCode, right: ExitCode) -> Bool { left.rank > right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
