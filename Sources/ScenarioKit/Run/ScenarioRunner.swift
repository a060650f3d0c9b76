// SPDX-License-Identifier: MIT

internal import LuaRouting

/// Runs the scenarios of one file.
struct ScenarioRunner {
    let file: ScenarioFile
    let options: RunOptions

    /// Runs some scenarios, each with a router, a host and a clock of its own.
    ///
    /// The scripts are read once. Where they do not load, that is told once, and no scenario
    /// is run.
    ///
    /// - Parameters:
    ///   - selection: The scenarios, by their numbers in the file.
    ///   - onReport: Called with what came of each, as soon as it is known.
    /// - Returns: Why the scenarios could not be run, if so, and the code that this means.
    func run(
        _ selection: [Int],
        onReport: (ScenarioReport) -> Void
    ) -> (diagnostic: Diagnostic, ExitCode)? {
        let scripts: Bundle
        switch readScripts() {
        case .success(let bundle): scripts = bundle
        case .failure(let failure): return (failure.diagnostic, failure.code)
        }
        for index in selection {
            let scenario = file.scenarios[index]
            var report = ScenarioReport(
                name: scenario.name,
                tags: scenario.tags,
                path: file.source.name,
                line: scenario.row?.line ?? scenario.line,
                outcome: .skipped
            )
            guard scenario.mode != .skip else {
                onReport(report)
                continue
            }
            do throws(RouteError) {
                let session = try Session(scenario, of: file, scripts: scripts, options)
                session.run()
                report.failures = session.failures
                report.notes = session.notes
                report.outcome = session.failures.isEmpty ? .passed : .failed
                onReport(report)
            } catch {
                return (loadFailure(error, scripts), .scriptFailed)
            }
        }
        return nil
    }

    private struct ReadFailure: Error {
        let diagnostic: Diagnostic
        let code: ExitCode
    }

    private func readScripts() -> Result<Bundle, ReadFailure> {
        guard let path = scriptPath else {
            let diagnostic = Diagnostic(
                .noScript,
                "'\(file.source.name)' names no script",
                help: "'use PATH' in its first line does"
            )
            return .failure(ReadFailure(diagnostic: diagnostic, code: .scenarioInvalid))
        }
        do throws(BundleError) {
            return .success(try Bundle(path: path))
        } catch {
            let diagnostic = Diagnostic(
                .scriptUnreadable,
                error.message + Paths.hint(forMissing: error),
                at: usePlace
            )
            let isThere = error.reason == .tooLarge || error.reason == .notUTF8
            return .failure(
                ReadFailure(diagnostic: diagnostic, code: isThere ? .scriptFailed : .inputMissing)
            )
        }
    }

    private var scriptPath: String? {
        if let script = options.script { return script }
        return file.use.map { Paths.path($0.path, from: Paths.folder(of: file.source.name)) }
    }

    /// Where the file names the scripts, unless the command line did.
    private var usePlace: Span? {
        options.script == nil ? file.use.map { Span(file.source, $0.range) } : nil
    }

    private func loadFailure(_ error: RouteError, _ scripts: Bundle) -> Diagnostic {
        let span = ScriptPlaces(scripts).span(of: error)
        var diagnostic = Diagnostic(
            error.code == .budget ? .scriptOverBudget : .scriptFailed,
            span == nil ? error.description : error.message,
            at: span
        )
        if let usePlace {
            diagnostic.related = [Diagnostic.Related(label: "used here", span: usePlace)]
        }
        return diagnostic
    }
}
