// SPDX-License-Identifier: MIT

internal import LuaRouting

/// A type that runs the scenarios of one file, on any thread.
struct ScenarioRunner: Sendable {
    /// The reason why no scenario of the file can be run.
    typealias Failure = LoadedScripts.Failure

    let file: ScenarioFile
    let options: RunOptions
    let scripts: ScriptBundle
    /// The sessions that the scenarios share.
    let prepared = PreparedSessions()
    /// The check of names in conditions; `nil` until a scenario has run.
    private let nameCheck = Monitor<NameCheck?>(nil)

    /// Reads the scripts, once for all scenarios.
    init(_ file: ScenarioFile, _ options: RunOptions) throws(Failure) {
        self.file = file
        self.options = options
        scripts = try Self.readScripts(of: file, options)
    }

    /// Uses the given scripts instead of those that the file names.
    init(_ file: ScenarioFile, _ options: RunOptions, scripts: ScriptBundle) {
        self.file = file
        self.options = options
        self.scripts = scripts
    }

    /// Runs the scenario at the given index as if it had its own router, host and clock.
    ///
    /// The scenarios of a file share the loaded scripts and the background, whose state is restored
    /// before each scenario.
    ///
    /// - Returns: The report; `nil` if the run was interrupted before the scenario ended.
    /// - Throws: ``Failure`` if the scripts do not load.
    func run(_ index: Int) throws(Failure) -> ScenarioReport? {
        do throws(Failure) {
            guard !options.isInterrupted() else { return nil }
            return try runToEnd(index)
        } catch {
            // After an interruption, the scripts would be cancelled and fail to load.
            if options.isInterrupted() { return nil }
            throw error
        }
    }

    private func runToEnd(_ index: Int) throws(Failure) -> ScenarioReport? {
        let start = ContinuousClock.now
        let scenario = file.scenarios[index]
        var report: ScenarioReport?
        if scenario.mode == .skip {
            report = self.report(of: nil, index)
        } else if file.scenarios.count == 1 || options.measuresCoverage {
            // The lines that a shared background covers would count for only one scenario.
            let session = try newSession(index)
            session.run()
            report = self.report(of: session, index)
        } else {
            report = try prepared.run(scenario) { () throws(Failure) in
                try newSession(index)
            } report: {
                self.report(of: $0, index)
            }
        }
        report?.duration = .now - start
        return report
    }

    /// Loads the scripts for the scenario at the given index.
    ///
    /// - Parameters:
    ///   - index: The index of the scenario in the file.
    ///   - makeAppHost: Creates the app's host, if there is one.
    /// - Returns: The session, before its first step; `nil` if the scenario is marked `skip`.
    /// - Throws: ``Failure`` if the scripts do not load.
    func session(
        _ index: Int,
        makeAppHost: Session.AppHost? = nil
    ) throws(Failure) -> Session? {
        guard file.scenarios[index].mode != .skip else { return nil }
        return try newSession(index, makeAppHost: makeAppHost)
    }

    private func newSession(
        _ index: Int,
        makeAppHost: Session.AppHost? = nil
    ) throws(Failure) -> Session {
        do throws(RouteError) {
            return try Session(
                file.scenarios[index],
                of: file,
                scripts: scripts,
                options,
                makeAppHost: makeAppHost
            )
        } catch {
            throw Failure(loading: error, of: scripts, usedAt: Self.usePlace(in: file, options))
        }
    }

    /// Returns the report of a finished session or of a skipped scenario; `nil` if the session was
    /// interrupted.
    func report(of session: Session?, _ index: Int) -> ScenarioReport? {
        let scenario = file.scenarios[index]
        var report = ScenarioReport(
            name: scenario.name,
            tags: scenario.tags,
            path: file.source.name,
            line: scenario.ownLine,
            record: scenario.record,
            headingLine: scenario.heading.line,
            location: "\(file.source.name):\(scenario.address)",
            outcome: .skipped
        )
        guard let session else { return report }
        guard !session.wasInterrupted else { return nil }
        report.failures = session.log.failures
        report.seed = options.seed ?? session.settings.seed ?? 0
        report.notes = session.log.notes.map(\.note)
        report.warnings = session.warnings
        // The failure of a condition already names the actual value.
        let failed = report.failures.compactMap(\.span)
        for finding in unknownNames(in: scenario, session)
        where !failed.contains(where: { $0.overlaps(finding.span) }) {
            if finding.severity == .error {
                report.failures.append(finding)
            } else {
                report.warnings.append(finding)
            }
        }
        report.isWhole = session.cursor.isWhole
        report.unusedBackground = session.unusedSteps(of: session.backgroundSteps)
        report.otherScripts = session.cursor.otherScripts
        report.answers = session.log.answers
        report.coverage = session.coverage
        report.outcome = report.failures.isEmpty ? .passed : .failed
        if case .known(let issue) = scenario.mode { report.expectFailure(issue, scenario) }
        if options.keepsEvents { report.eventStream = session.eventStream }
        switch options.detail {
        case .failures where report.outcome == .passed: break
        case .failures, .logs: report.trace = session.trace.logs
        case .trace: report.trace = session.trace
        }
        if options.writesPages {
            let rerun = RerunCommand(options)
            guard
                let page = report.pageData(
                    session.trace,
                    rerun: rerun,
                    isInterrupted: options.isInterrupted
                )
            else { return nil }
            report.page = page
        }
        return report
    }

    /// Returns a diagnostic for each name in a scenario's conditions that occurs neither in the
    /// scripts, nor in the manifest, nor in a tree of the file.
    ///
    /// A condition with such a name may be true by mistake.
    private func unknownNames(in scenario: Scenario, _ session: Session) -> [Diagnostic] {
        let steps = file.background + scenario.steps
        let loadsOthers = steps.contains { step in
            if case .reload(_?, fails: false) = step.action { true } else { false }
        }
        let check = nameCheck.withLock { check in
            if let check { return check }
            // The session may have loaded other scripts.
            let first = loadsOthers && options.known == nil ? try? session.again() : nil
            defer { first?.end() }
            let known =
                options.known ?? (first ?? session).app.router.knownNames(session.manifest)
            let new = NameCheck(ofConditionsIn: file, known)
            check = new
            return new
        }
        let others = loadsOthers ? session.app.router.knownNames(session.manifest) : nil
        let severity: Diagnostic.Severity = session.settings.isStrict ? .error : .warning
        return check.findings(inConditionsOf: steps, others, severity)
    }

    static func readScripts(
        of file: ScenarioFile,
        _ options: RunOptions
    ) throws(Failure) -> ScriptBundle {
        guard let path = scriptPath(of: file, options) else {
            throw Failure(diagnostics: [.noScript(in: file)], code: .scenarioInvalid)
        }
        do throws(BundleError) {
            return try ScriptBundle(path: path, files: options.files)
        } catch {
            throw Failure(error, at: usePlace(in: file, options))
        }
    }

    /// Returns the path of the scripts for a file; `nil` if neither the file nor the options name
    /// any.
    static func scriptPath(of file: ScenarioFile, _ options: RunOptions) -> String? {
        if let script = options.script { return script }
        return file.use.map { Paths.path($0.path, from: Paths.folder(of: file.source.name)) }
            ?? options.defaultScript
    }

    /// Returns the location of the file's `use` line; `nil` if there is none, or if the command
    /// line names the scripts.
    static func usePlace(in file: ScenarioFile, _ options: RunOptions) -> Span? {
        options.script == nil ? file.use.map { Span(file.source, $0.range) } : nil
    }
}

extension ScenarioReport {
    /// Applies the mark `known`: if the scenario failed, its outcome becomes `known`; if the
    /// scenario passed, it fails.
    fileprivate mutating func expectFailure(_ issue: String, _ scenario: Scenario) {
        self.issue = issue
        if outcome == .failed {
            (knownFailures, failures) = (failures, [])
            outcome = .known
        } else {
            failures = [.knownPasses(scenario)]
            outcome = .failed
        }
    }
}

extension Diagnostic {
    fileprivate static func knownPasses(_ scenario: Scenario) -> Diagnostic {
        Diagnostic(
            .knownPasses,
            "a scenario with a known issue passes",
            at: scenario.heading,
            help: "replace 'known' and the issue with 'scenario'"
        )
    }

    static func noScript(in file: ScenarioFile) -> Diagnostic {
        Diagnostic(
            .noScript,
            "'\(file.source.name)' names no script",
            help: "add 'use PATH' as the first line of the file"
        )
    }
}
