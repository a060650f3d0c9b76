// SPDX-License-Identifier: MIT

internal import LuaRouting

/// A defect that a search found, with the steps that lead to the defect.
public struct ExplorationFinding: Sendable {
    /// The code, such as `X003`.
    public let code: DiagnosticCode
    /// The defect, in one line.
    public let title: String
    /// An identifier of the defect that is the same in every run.
    ///
    /// The identifier does not change if other steps lead to the defect, or if lines are inserted
    /// above the defect.
    public let key: String
    /// The number of steps from the start.
    public var stepCount: Int { path.count }
    /// The steps from the start, as written in a scenario file.
    public var steps: [String] { path.map(\.text) }
    /// The source locations in scripts, each with its message.
    public internal(set) var details: [String] = []
    /// The script line of the defect, or the line that declares the route to which the last step
    /// navigates.
    var location: RouteError.Location?
    /// Whether the finding is a warning, which does not fail the run.
    public var isWarning: Bool { code == .equalScreens }

    let path: [ExploredStep]
    /// The steps that must follow the path to show the defect.
    var epilogue: [String] = []
    /// The last line of a scenario that fails while the defect exists; `nil` if no scenario can
    /// show the defect.
    var expectation: Shown?
    /// The two paths that lead to states with equal fingerprints but different effects; `nil` for
    /// other kinds of findings.
    var sides: (first: [ExploredStep], second: [ExploredStep])?
    /// The steps of a scenario that shows the defect by failing at its last step.
    ///
    /// Nil if no scenario can show the defect.
    var scenario: [String]?

    /// The last line of a scenario that shows a defect.
    enum Shown: Sendable {
        /// `expect` with a condition.
        case condition(String)
        /// A user step that should be possible. If the step does not fail, `expect` with a
        /// condition follows.
        case wayOut(_ step: String, _ condition: String)
        /// The step that fails, or `expect` with the condition that the step's request or function
        /// does not fail.
        case noFailure(StepEffects.Failure)
        /// `expect not pending` about a request, with a description of the pending work.
        case notPending(String)
    }

    init(
        _ code: DiagnosticCode,
        _ title: String,
        key: String,
        path: [ExploredStep],
        shownBy expectation: Shown?
    ) {
        (self.code, self.title, self.path) = (code, title, path)
        (self.key, self.expectation) = ("\(code) \(Self.withoutLines(key))", expectation)
    }

    /// Returns a text without line numbers: `main.lua` instead of `main.lua:7`.
    private static func withoutLines(_ text: String) -> String {
        let parts = text.split(separator: ".lua:", omittingEmptySubsequences: false)
        return ([parts[0]] + parts.dropFirst().map { $0.drop(while: \.isNumber) })
            .joined(separator: ".lua")
    }
}

extension DiagnosticCode {
    // MARK: The results of a search

    static let brokenRule = DiagnosticCode("X001")
    static let unreachedCondition = DiagnosticCode("X002")
    static let endlessGrowth = DiagnosticCode("X003")
    static let trap = DiagnosticCode("X004")
    static let failureInSearch = DiagnosticCode("X005")
    static let pendingForEver = DiagnosticCode("X006")
    static let lastingModal = DiagnosticCode("X007")
    static let doubleState = DiagnosticCode("X008")
    static let equalScreens = DiagnosticCode("X009")
}
