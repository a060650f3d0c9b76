// SPDX-License-Identifier: MIT

internal import LuaRouting

/// A defect that a search found, with the steps that lead to it.
public struct ExplorationFinding: Sendable {
    /// The code, such as `X003`.
    public let code: DiagnosticCode
    /// The defect, in one line.
    public let title: String
    /// The identity: the same defect has the same one in each run, whatever steps lead to it, and
    /// whatever lines are inserted above it.
    public let key: String
    /// The number of steps from the start.
    public var stepCount: Int { path.count }
    /// The steps from the start, as a scenario file contains them.
    public var steps: [String] { path.map(\.text) }
    /// The source locations in scripts with their messages.
    public internal(set) var details: [String] = []
    /// The line of the scripts where the defect is, or that of the route to which the last step navigates.
    var location: RouteError.Location?
    /// Whether it is a warning, which fails no run.
    public var isWarning: Bool { code == .equalScreens }

    let path: [ExploredStep]
    /// Further steps that show the defect, after the path.
    var epilogue: [String] = []
    /// The last line of a scenario, which fails now; nil if no scenario can show the defect.
    var expectation: Shown?
    /// The two paths to the state that is two; nil of other findings.
    var sides: (first: [ExploredStep], second: [ExploredStep])?
    /// The steps of a scenario that has failed at the last of them; nil if no scenario can show the
    /// defect.
    var scenario: [String]?

    /// The last line of a scenario that shows a defect.
    enum Shown: Sendable {
        /// `expect` with a condition.
        case condition(String)
        /// The user's step, if it fails now, or else `expect` with a condition after it.
        case wayOut(_ step: String, _ condition: String)
        /// The failure of a request or a function in the last step does not happen.
        case noFailure(StepEffects.Failure)
        /// `expect not pending` about a request, with the pending work in words.
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

    /// Returns a text without the numbers of lines: `main.lua` in place of `main.lua:7`.
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
