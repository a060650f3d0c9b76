// SPDX-License-Identifier: MIT

public import LuaRouting

/// Scenarios that must pass before scripts become active.
///
/// Each scenario runs with the new scripts, regardless of the scripts that its file names, and has
/// its own router, headless host and clock. The app's screens do not change.
///
/// ```swift
/// let canary = try Canary(paths: ["smoke.scenario"])
/// var configuration = Router.Configuration()
/// configuration.canary = canary.check
/// ```
///
/// Scenarios marked `skip` do not run.
public struct Canary: Sendable {
    private let files: [ScenarioFile]
    private let options: RunOptions

    /// Reads scenario files, including those in folders.
    ///
    /// The files are read once, in this call.
    ///
    /// - Parameters:
    ///   - paths: The files and folders; `file:line` selects one scenario.
    ///   - options: The options for running the scenarios. `script` is ignored.
    /// - Throws: ``Diagnostics`` if a path does not exist, a file does not parse, a scenario is
    ///   marked `only`, or there is no scenario.
    public init(paths: [String], options: RunOptions = RunOptions()) throws(Diagnostics) {
        guard !paths.isEmpty else {
            let diagnostic = Diagnostic(
                .nothingSelected,
                "no scenario file is given (at least one path expected)"
            )
            throw Diagnostics(list: [diagnostic])
        }
        try self.init(Self.plan(paths, options), options)
    }

    /// Creates a canary from the scenarios of a plan.
    init(_ plan: RunPlan, _ options: RunOptions) throws(Diagnostics) {
        let diagnostics = plan.first + plan.files.flatMap(\.diagnostics) + plan.last
        let errors = diagnostics.filter { $0.severity == .error }
        guard errors.isEmpty else { throw Diagnostics(list: errors) }
        let files = plan.files.compactMap { file -> ScenarioFile? in
            guard var parsed = file.parsed else { return nil }
            parsed.scenarios = file.selection.map { parsed.scenarios[$0] }
            return parsed
        }
        self.init(files, options: options)
    }

    /// Reads scenario files.
    ///
    /// A scenario marked `only` is reported as an error.
    static func plan(_ paths: [String], _ options: RunOptions) -> RunPlan {
        var strict = options
        strict.isUnattended = true
        // Prevents reading the scripts that the files name.
        strict.script = ""
        return RunPlan(paths, filter: ScenarioFilter(), options: strict)
    }

    /// Creates a canary from parsed scenario files.
    package init(_ files: [ScenarioFile], options: RunOptions = RunOptions()) {
        self.files = files
        self.options = options
    }

    /// Runs the scenarios with a bundle, on a thread whose stack is large enough for scripts.
    ///
    /// - Throws: An error whose ``LuaRouting/RouteError/findings`` are the failures, each with its
    ///   line in the scenario file.
    public func check(_ bundle: ScriptBundle) async throws(RouteError) {
        let interruption = Interruption()
        let failures = await withTaskCancellationHandler {
            await ScriptThreads.run { run(with: bundle, interruption) }
        } onCancel: {
            interruption.occur()
        }
        try RouteError.reject(
            findings: failures.flatMap { RouteError(canary: $0, in: $1).findings }
        )
    }

    /// Runs the scenarios with a bundle, on the current thread.
    func run(
        with bundle: ScriptBundle,
        _ interruption: Interruption = Interruption()
    ) -> [(diagnostic: Diagnostic, scenario: String?)] {
        var failures: [(Diagnostic, String?)] = []
        var options = options
        options.isInterrupted = { [isInterrupted = options.isInterrupted] in
            interruption.hasOccurred || isInterrupted()
        }
        for file in files {
            let runner = ScenarioRunner(file, options, scripts: bundle)
            do throws(ScenarioRunner.Failure) {
                for index in file.scenarios.indices {
                    guard let report = try runner.run(index) else {
                        return [(.interruptedCanary(), nil)]
                    }
                    failures += report.failures.map { ($0, report.name) }
                }
            } catch {
                // If the scripts do not load, the other files would only report the same errors.
                return failures + error.diagnostics.map { ($0, nil) }
            }
        }
        return failures
    }
}

extension Diagnostic {
    fileprivate static func interruptedCanary() -> Diagnostic {
        Diagnostic(.stepFailed, "the canary was interrupted")
    }
}

extension RouteError {
    /// Creates an error from the diagnostic of a scenario.
    init(canary diagnostic: Diagnostic, in scenario: String?) {
        let parts = [diagnostic.message, diagnostic.label].compactMap(\.self)
        let details = diagnostic.details.map { "\($0.topic) \($0.text)" }
        let text = (parts + details).joined(separator: ", ")
        self.init(
            .script,
            scenario.map { "scenario '\($0)': \(text)" } ?? text,
            at: diagnostic.span.map { Location(file: $0.source.name, line: $0.line) }
        )
    }
}
