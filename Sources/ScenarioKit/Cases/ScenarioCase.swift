// SPDX-License-Identifier: MIT

package import LuaRouting

/// A test case: a scenario of a file, or a row of a scenario's table.
package struct ScenarioCase: Sendable {
    /// The result of a run.
    package struct Outcome: Sendable {
        /// The report on the scenario.
        package let report: ScenarioReport
        /// The failures of the whole file; empty except in the outcome of the last scenario.
        ///
        /// These failures are known only when all scenarios have run.
        package var fileFailures: [Diagnostic] = []
        /// The events of a failed scenario, as JSON lines.
        package var trace: String?

        /// Returns a failure as the runner prints it, without colours.
        package func text(of failure: Diagnostic, _ options: RunOptions) -> String {
            let report = ConsoleReport(rerun: RerunCommand(options)).block(of: failure, in: report)
            return String(report.text.dropLast())
        }
    }

    /// The identifier of the test case.
    ///
    /// The identifier consists of the path of the file, relative to the searched folder, and the
    /// name of the scenario. If several scenarios have the same path and name, `#2` and so on are
    /// appended.
    package let id: String
    private let file: CaseFile
    private let index: Int

    init(_ file: CaseFile, _ index: Int, id: String) {
        (self.file, self.index, self.id) = (file, index, id)
    }

    private var scenario: Scenario { file.parsed.scenarios[index] }

    /// The name of the scenario.
    package var name: String { scenario.name }
    /// The tags of the scenario, without `@`.
    package var tags: [String] { scenario.tags }
    /// The path of the scenario file.
    package var path: String { file.parsed.source.name }
    /// The line of the scenario's heading, or of the table row.
    package var line: Int { scenario.ownLine }

    /// Runs the scenario with a headless host, on a thread whose stack is large enough for scripts.
    ///
    /// - Returns: The outcome; nil if the Swift task was cancelled before the end.
    /// - Throws: ``Diagnostics`` if the scripts do not load.
    package func run() async throws(Diagnostics) -> Outcome? {
        let interruption = Interruption()
        let result = await withTaskCancellationHandler {
            await ScriptThreads.run { [file, index] in
                Result { () throws(Diagnostics) in
                    let runner = try file.runner(interruption)
                    let session = try file.session(index, of: runner)
                    session?.run()
                    return file.outcome(of: session, index, runner)
                }
            }
        } onCancel: {
            interruption.occur()
        }
        return try result.get()
    }

    /// Runs the scenario with an app's host, on the main actor.
    ///
    /// - Parameters:
    ///   - limit: The maximum real time that the host may take to finish each change and each task.
    ///   - makeHost: Creates the host for a new router.
    /// - Returns: The outcome; nil if the Swift task was cancelled before the end.
    /// - Throws: ``Diagnostics`` if the scripts do not load.
    @MainActor
    package func run(
        limit: Duration,
        makeHost: @escaping @MainActor (Router) -> any RouterHost
    ) async throws(Diagnostics) -> Outcome? {
        let runner = try file.runner(Interruption())
        let session = try file.session(index, of: runner, makeAppHost: { makeHost($0) })
        guard let session else {
            return file.outcome(of: nil, index, runner)
        }
        defer { session.end() }
        while !session.resume() {
            switch await AppHostRest.reached(by: session, limit) {
            case .rest: continue
            case .late: session.failUnanswered(in: limit)
            case .cancelled: return nil
            }
            break
        }
        return file.outcome(of: session, index, runner)
    }
}

extension Diagnostic {
    /// The diagnostic as the runner prints it, without colours.
    package var text: String { String(DiagnosticRenderer().text(of: self).text.dropLast()) }
}
