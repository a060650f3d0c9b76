// SPDX-License-Identifier: MIT

public import LuaRouting
internal import ScenarioKit
public import Testing

/// A scenario of a file, as an argument of a test.
///
/// Each run uses a new router with its own host, clock and random numbers, so scenarios can run in
/// parallel.
public struct Scenario: Sendable, Identifiable {
    private enum Content {
        case scenario(ScenarioCase, RunOptions)
        /// An error that prevents scenarios from running, or a warning about the selection.
        case problem(Diagnostic)
    }

    /// The path of the file, relative to the searched folder, and the name of the scenario, such as
    /// `checkout/pay.scenario: A card is refused`.
    ///
    /// The identifier is the same on each machine and in each run. If a file contains several
    /// scenarios with the same name, the identifier of the second one ends with `#2`.
    public let id: String
    /// The name of the scenario, or the error message if the file does not parse.
    public let name: String
    /// The tags, without their `@`.
    public let tags: [String]
    /// The location of the scenario in its file, or the location of its row if the scenario comes
    /// from a table.
    public let sourceLocation: SourceLocation

    private let content: Content

    init(_ scenario: ScenarioCase, _ options: RunOptions) {
        id = scenario.id
        name = scenario.name
        tags = scenario.tags
        sourceLocation = SourceLocation(path: scenario.path, line: scenario.line)
        content = .scenario(scenario, options)
    }

    init(_ problem: Diagnostic, number: Int, _ fallback: SourceLocation) {
        id = "\(problem.severity.rawValue) \(number): \(problem.message)"
        name = problem.message
        tags = []
        sourceLocation = problem.span.map { SourceLocation($0) } ?? fallback
        content = .problem(problem)
    }

    /// Runs the scenario with a host that shows nothing and completes each change immediately.
    ///
    /// If a `check` or `expect` is not true, an issue is recorded at the line of the step in the
    /// scenario file, with the text that `luaroute run` prints. The events of a failed scenario are
    /// attached as `trace.jsonl`. If the scenario is marked `skip`, the test case is cancelled, and
    /// test results show the test case as skipped.
    ///
    /// - Throws: An error if the test case is cancelled or the scenario is marked `skip`.
    public func run() async throws {
        try await record { scenario throws(Diagnostics) in try await scenario.run() }
    }

    /// Runs the scenario with the host of an app, on the main actor.
    ///
    /// ```swift
    /// @Test(arguments: Scenarios(in: "Scenarios", tags: ["!slow"]))
    /// func app(_ scenario: Scenario) async throws {
    ///     try await scenario.run { router in ShopHost() }
    /// }
    /// ```
    ///
    /// All steps work as they do without an app's host. The host does not receive changes that the
    /// scenario holds or refuses. If a step sets the tree, or a `user` step changes the tree, the
    /// host must show the whole tree. The host performs the tasks that no step of the scenario
    /// stubs or completes, and provides all dependencies. The host may complete a change later, on
    /// the main actor, because each step waits until the change is complete.
    ///
    /// - Parameters:
    ///   - limit: The real time in which the host must call `done` for a change, or end a task. If
    ///     the time passes, the scenario fails at the current step.
    ///   - host: Creates the host for a new router. The closure is called when the scenario begins,
    ///     and at each step `restart`.
    /// - Throws: An error if the test case is cancelled or the scenario is marked `skip`.
    @MainActor
    public func run(
        limit: Duration = .seconds(10),
        host: @escaping @MainActor (Router) -> any RouterHost
    ) async throws {
        try await record { scenario throws(Diagnostics) in
            try await scenario.run(limit: limit, makeHost: host)
        }
    }

    nonisolated(nonsending)
        private func record(
            _ run:
                nonisolated(nonsending) (ScenarioCase) async throws(Diagnostics) ->
                ScenarioCase.Outcome?
        ) async throws
    {
        switch content {
        case .problem(let problem): record(problem)
        case .scenario(let scenario, let options):
            let outcome: ScenarioCase.Outcome?
            do throws(Diagnostics) {
                outcome = try await run(scenario)
            } catch {
                for diagnostic in error.list { record(diagnostic) }
                return
            }
            guard let outcome else { throw CancellationError() }
            try record(outcome, options)
        }
    }

    private func record(_ outcome: ScenarioCase.Outcome, _ options: RunOptions) throws {
        let report = outcome.report
        for warning in report.warnings { record(warning) }
        for failure in report.failures { record(failure, outcome.text(of: failure, options)) }
        for failure in outcome.fileFailures { record(failure) }
        if let issue = report.issue, !report.knownFailures.isEmpty {
            withKnownIssue(Comment(rawValue: issue), sourceLocation: sourceLocation) {
                for failure in report.knownFailures {
                    record(failure, outcome.text(of: failure, options))
                }
            }
        }
        if let trace = outcome.trace {
            Attachment.record(trace, named: "trace.jsonl", sourceLocation: sourceLocation)
        }
        guard report.outcome == .skipped else { return }
        #if compiler(>=6.3)
        try Test.cancel("the scenario is marked 'skip'", sourceLocation: sourceLocation)
        #endif
    }

    private func record(_ diagnostic: Diagnostic, _ text: String? = nil) {
        let comment = Comment(rawValue: text ?? diagnostic.text)
        let location = diagnostic.span.map { SourceLocation($0) } ?? sourceLocation
        #if compiler(>=6.3)
        let severity: Issue.Severity = diagnostic.severity == .warning ? .warning : .error
        Issue.record(comment, severity: severity, sourceLocation: location)
        #else
        // Older versions of Swift Testing have no warnings, and an issue would fail the test.
        guard diagnostic.severity == .error else { return }
        Issue.record(comment, sourceLocation: location)
        #endif
    }
}

extension Scenario: CustomTestStringConvertible, CustomTestArgumentEncodable {
    /// The name of the scenario in test results.
    public var testDescription: String { id }

    /// Encodes the ``id``, with which a single test case can be run again.
    public func encodeTestArgument(to encoder: some Encoder) throws { try id.encode(to: encoder) }
}
