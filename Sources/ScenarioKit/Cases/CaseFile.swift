// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import SystemGaps

/// A file whose scenarios are test cases.
///
/// The scripts of the file are read once, by the first case that runs.
final class CaseFile: Sendable {
    private struct State {
        var scripts: Result<ScriptBundle, ScenarioRunner.Failure>?
        /// The report of each scenario that has run, by the index of the scenario.
        var reports: [Int: ScenarioReport] = [:]
    }

    let parsed: ScenarioFile
    private let options: RunOptions
    private let state = Lock(State())

    init(_ parsed: ScenarioFile, _ options: RunOptions) {
        (self.parsed, self.options) = (parsed, options)
    }

    func runner(_ interruption: Interruption) throws(Diagnostics) -> ScenarioRunner {
        var options = options
        options.isInterrupted = { interruption.hasOccurred }
        let scripts = state.withLock { state in
            let scripts =
                state.scripts
                ?? Result { () throws(ScenarioRunner.Failure) in
                    try ScenarioRunner.readScripts(of: parsed, options)
                }
            state.scripts = scripts
            return scripts
        }
        do throws(ScenarioRunner.Failure) {
            return ScenarioRunner(parsed, options, scripts: try scripts.get())
        } catch {
            throw Diagnostics(list: error.diagnostics)
        }
    }

    func session(
        _ index: Int,
        of runner: ScenarioRunner,
        makeAppHost: Session.AppHost? = nil
    ) throws(Diagnostics) -> Session? {
        do throws(ScenarioRunner.Failure) {
            return try runner.session(index, makeAppHost: makeAppHost)
        } catch {
            throw Diagnostics(list: error.diagnostics)
        }
    }

    /// Returns the outcome of a finished session or of a skipped scenario; nil if the session was
    /// interrupted.
    func outcome(
        of session: Session?,
        _ index: Int,
        _ runner: ScenarioRunner
    ) -> ScenarioCase.Outcome? {
        guard let report = runner.report(of: session, index) else { return nil }
        var outcome = ScenarioCase.Outcome(report: report)
        outcome.fileFailures = fileFailures(after: report, index)
        if report.outcome == .failed, let session {
            outcome.trace = session.eventStream
        }
        return outcome
    }

    /// Returns the failures of the whole file if all scenarios have now run; otherwise an empty
    /// list.
    private func fileFailures(after report: ScenarioReport, _ index: Int) -> [Diagnostic] {
        state.withLock { state in
            state.reports[index] = report
            guard state.reports.count == parsed.scenarios.count else { return [] }
            var file = FileReport(path: report.path)
            file.scenarios = parsed.scenarios.indices.compactMap { state.reports[$0] }
            file.findUnusedBackground(of: parsed)
            state.reports = [:]
            return file.failures
        }
    }
}
