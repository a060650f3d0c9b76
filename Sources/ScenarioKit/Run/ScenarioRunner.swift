// SPDX-License-Identifier: MIT

internal import LuaRouting

/// Runs the scenarios of one file, on any thread.
struct ScenarioRunner: Sendable {
    /// Why no scenario of the file can be run.
    typealias Failure = LoadedScripts.Failure

    let file: ScenarioFile
    let options: RunOptions
    private let scripts: Bundle

    /// Reads the scripts, once for all scenarios.
    init(_ file: ScenarioFile, _ options: RunOptions) throws(Failure) {
        self.file = file
        self.options = options
        scripts = try Self.readScripts(of: file, options)
    }

    /// Runs a scenario by its number in the file, with a router, a host and a clock of its own.
    ///
    /// - Throws: Why the scripts do not load.
    func run(_ index: Int) throws(Failure) -> ScenarioReport {
        let scenario = file.scenarios[index]
        var report = ScenarioReport(
            name: scenario.name,
            tags: scenario.tags,
            path: file.source.name,
            line: scenario.ownLine,
            outcome: .skipped
        )
        guard scenario.mode != .skip else { return report }
        do throws(RouteError) {
            let session = try Session(scenario, of: file, scripts: scripts, options)
            session.run()
            report.failures = session.failures
            report.notes = session.notes
            report.outcome = session.failures.isEmpty ? .passed : .failed
            return report
        } catch {
            throw Failure(loading: error, of: scripts, usedAt: Self.usePlace(in: file, options))
        }
    }

    private static func readScripts(
        of file: ScenarioFile,
        _ options: RunOptions
    ) throws(Failure) -> Bundle {
        guard let path = scriptPath(of: file, options) else {
            let diagnostic = Diagnostic(
                .noScript,
                "'\(file.source.name)' names no script",
                help: "'use PATH' in its first line does"
            )
            throw Failure(diagnostics: [diagnostic], code: .scenarioInvalid)
        }
        do throws(BundleError) {
            return try Bundle(path: path)
        } catch {
            throw Failure(error, at: usePlace(in: file, options))
        }
    }

    private static func scriptPath(of file: ScenarioFile, _ options: RunOptions) -> String? {
        if let script = options.script { return script }
        return file.use.map { Paths.path($0.path, from: Paths.folder(of: file.source.name)) }
    }

    /// Where the file names the scripts, unless the command line did.
    private static func usePlace(in file: ScenarioFile, _ options: RunOptions) -> Span? {
        options.script == nil ? file.use.map { Span(file.source, $0.range) } : nil
    }
}
