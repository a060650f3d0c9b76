// SPDX-License-Identifier: MIT

internal import LuaRouting

/// A running watch: active scripts, and the last results of scenarios.
///
/// ```swift
/// let watch = Watch(WatchCommand(paths: ["routes"]), Console { print($0) })
/// _ = watch.begin()
/// while wait(watch.inputs) {
///     if watch.hasNews { watch.update() }
/// }
/// ```
///
/// Use a watch on one thread only. An update compares the bytes of files, and does nothing if no
/// file has changed.
package final class Watch {
    /// The scenarios that run in addition to those that are affected by changes.
    private enum Extent {
        case none, failed, all
    }

    private var command: WatchCommand
    /// The selection on the command line.
    ///
    /// Key presses change only the selection in `command`.
    private let filter: ScenarioFilter
    private var isFiltered = false
    private let paths: WatchedPaths
    private let writer: WatchWriter
    private let console: Console
    private var canary: WatchedCanary?
    /// The scripts in the order in which they were added, each with the result of
    /// ``WatchPlan/key(of:)`` for its path.
    private var scripts: [(key: String, live: LiveScripts)] = []
    private var files: [String: RunInputs] = [:]
    private var missing: [String] = []
    private var failed = FailedScenarios()
    private var counts = (accepted: 0, rejected: 0)

    /// Whether the watch was interrupted.
    ///
    /// The closure is called on any thread: before each scenario, before each timer, and regularly
    /// between steps. Unfinished scenarios are not reported.
    package var isInterrupted: @Sendable () -> Bool {
        get { command.options.isInterrupted }
        set { command.options.isInterrupted = newValue }
    }

    /// Creates a watch without reading any files.
    ///
    /// - Parameters:
    ///   - command: The paths to watch, and the options.
    ///   - console: The output. The console also saves files when the user updates expectations
    ///     with a key.
    package init(_ command: WatchCommand, _ console: Console) {
        (self.command, self.console) = (command, console)
        filter = command.filter
        paths = WatchedPaths(command)
        writer = WatchWriter(command, console)
    }

    // MARK: Updating

    /// Loads the scripts and runs the scenarios for the first time.
    ///
    /// Scripts that do not load and files that do not parse are read again when they change.
    ///
    /// - Returns: The exit code if the watch cannot start because a path on the command line is
    ///   missing, or because the manifest or the canary cannot be used; nil otherwise.
    package func begin() -> ExitCode? {
        let missing = paths.missing(command.options)
        guard missing.isEmpty else {
            missing.forEach(writer.report)
            return .inputMissing
        }
        do throws(LoadedScripts.Failure) {
            try command.options.readHostFiles()
        } catch {
            error.diagnostics.forEach(writer.report)
            return error.code
        }
        if !command.canary.isEmpty {
            do throws(Diagnostics) {
                canary = try WatchedCanary(command.canary, command.options)
            } catch {
                error.list.forEach(writer.report)
                let isMissing = error.list.contains { $0.code == .scenarioUnreadable }
                return isMissing ? .inputMissing : .scenarioInvalid
            }
        }
        let plan = look()
        if plan.scripts.isEmpty || command.filter.isSet { reportSelection(of: plan) }
        return nil
    }

    /// The files on which the watch depends, as of the last update.
    package var inputs: WatchedInputs {
        var inputs = WatchedInputs()
        inputs.folders = Set(paths.folders)
        for path in paths.scenarios where !inputs.folders.contains(path) {
            inputs.files.insert(Selection.file(of: path))
        }
        for folder in paths.folders { inputs.files.insert(Paths.path("main.lua", from: folder)) }
        if let canary {
            inputs.folders.formUnion(canary.folders)
            inputs.files.formUnion(canary.inputs)
        }
        for script in scripts { script.live.add(to: &inputs) }
        for file in files.values {
            inputs.files.formUnion(file.files.keys)
            for other in file.others.values.joined() {
                switch other {
                case .success(let bundle): inputs.add(bundle)
                case .failure(let error): inputs.add(scriptsAt: error.path)
                }
            }
        }
        return inputs
    }

    /// Whether any of the files has changed since the last update.
    package var hasNews: Bool {
        if !paths.gone.isEmpty { return true }
        if scripts.contains(where: \.live.hasNews) || canary?.hasNews == true { return true }
        let plan = WatchPlan(paths, command)
        return plan.scripts.contains { script in live(script.key) == nil }
            || Set(plan.files.map(\.path)) != Set(files.keys)
            || plan.files.contains { file in
                isChanged(file)
                    || piece(of: file) != nil && files[file.path]?.hasOtherScripts() == true
            }
    }

    /// Loads the scripts from disk, and runs the scenarios that use changed files.
    ///
    /// - Parameter isForced: Whether to try rejected scripts again.
    /// - Returns: The exit code if a folder on the command line no longer exists, which ends the
    ///   watch; otherwise nil.
    @discardableResult
    package func update(isForced: Bool = false) -> ExitCode? {
        guard isThere else { return .inputMissing }
        look(isForced: isForced)
        return nil
    }

    /// Executes a request that the user made with a key, and loads changed scripts as
    /// ``update(isForced:)`` does.
    ///
    /// - Returns: The exit code if the watch ends; nil if the watch continues.
    package func perform(_ request: WatchKeys.Request) -> ExitCode? {
        var extent = Extent.all
        switch request {
        case .all: (command.filter, isFiltered) = (filter, false)
        case .failed: extent = .failed
        case .name(let text):
            (command.filter.names, isFiltered) = (text.isEmpty ? filter.names : [text], true)
        case .tags(let text):
            // `WatchKeys` accepts only valid tags.
            let tags = text.isEmpty ? filter.tags : [try? TagCondition(text)].compactMap(\.self)
            (command.filter.tags, isFiltered) = (tags, true)
        case .update:
            writeExpectations()
            extent = .none
        case .quit: return .success
        }
        guard isThere else { return .inputMissing }
        let plan = look(extent)
        if extent == .all { reportSelection(of: plan) }
        return nil
    }

    // MARK: Reports

    /// Reports the files and folders that are watched.
    ///
    /// - Parameter trouble: The reason for polling, if files are polled.
    package func reportInputs(polledBecause trouble: String? = nil) {
        writer.report(inputs, polledBecause: trouble)
    }

    /// Reports the end of the watch.
    package func end(_ code: ExitCode) {
        writer.report(end: code, counts.accepted, counts.rejected)
    }

    // MARK: Changes

    /// Whether all folders on the command line exist.
    ///
    /// Missing folders are reported.
    private var isThere: Bool {
        let gone = paths.gone
        gone.forEach(writer.report)
        return gone.isEmpty
    }

    private func reportSelection(of plan: WatchPlan) {
        plan.run?.last.map(\.waitedFor).forEach(writer.report)
    }

    private func writeExpectations() {
        var run = RunCommand(paths: paths.scenarios, options: command.options)
        (run.filter, run.jobs) = (command.filter, command.jobs)
        run.interruption = { [isInterrupted] in isInterrupted() ? .interrupted : nil }
        var isSilent = true
        if !paths.scenarios.isEmpty { _ = run.update(console.calling { isSilent = false }) }
        if isSilent, !isInterrupted() { console.errors("there is no expectation to write\n") }
    }

    private func isChanged(_ file: RunPlan.File) -> Bool {
        files[file.path]?.isSame(as: file) != true
    }

    @discardableResult
    private func look(_ extent: Extent = .none, isForced: Bool = false) -> WatchPlan {
        let plan = WatchPlan(paths, command)
        // After an interruption, the list of files is incomplete.
        guard !isInterrupted() else { return plan }
        reportMissing(plan)
        updateScripts(plan, isForced: isForced)
        let changed = Set(plan.files.filter { isChanged($0) }.map(\.path))
        let older = files
        files = [:]
        let pieces = plan.files.compactMap { file -> WatchRun.Piece? in
            let (known, whole) = (older[file.path], piece(of: file))
            let scripts = whole?.runner.scripts
            files[file.path] = RunInputs(file, scripts, after: known)
            guard let whole, extent != .all, known?.isCurrent(file, with: scripts) == true else {
                return whole
            }
            guard extent == .failed, let parsed = file.parsed else { return nil }
            var piece = whole
            piece.file.selection.removeAll { !failed.contains(parsed.scenarios[$0], of: file) }
            return piece.file.selection.isEmpty ? nil : piece
        }
        let news = plan.files.filter { extent != .none || changed.contains($0.path) }
        let broken = news.compactMap(broken)
        if extent == .failed, pieces.isEmpty, broken.isEmpty {
            console.errors("no scenario failed in its last run\n")
        }
        run(pieces, broken)
        return plan
    }

    /// Returns a file with its selected scenarios and a runner for its scripts.
    ///
    /// Returns nil if the file does not parse, none of its scenarios is selected, or its scripts
    /// are not active.
    private func piece(of file: RunPlan.File) -> WatchRun.Piece? {
        guard let parsed = file.parsed, !file.selection.isEmpty,
            let bundle = key(of: parsed).flatMap({ live($0)?.bundle })
        else { return nil }
        let runner = ScenarioRunner(parsed, command.options, scripts: bundle)
        return WatchRun.Piece(file: file, runner: runner)
    }

    private func live(_ key: String) -> LiveScripts? { scripts.first { $0.key == key }?.live }

    private func key(of file: ScenarioFile) -> String? {
        ScenarioRunner.scriptPath(of: file, command.options).map(WatchPlan.key)
    }

    /// Returns a report of the error that prevents all scenarios of a file from running; nil if
    /// there is none.
    private func broken(_ file: RunPlan.File) -> FileReport? {
        guard let parsed = file.parsed else {
            return FileReport(path: file.path, diagnostics: file.diagnostics)
        }
        guard !file.selection.isEmpty, key(of: parsed) == nil else { return nil }
        return FileReport(path: file.path, diagnostics: [.noScript(in: parsed)])
    }

    /// Reports the paths on the command line that no longer exist.
    ///
    /// Each missing path is reported once.
    private func reportMissing(_ plan: WatchPlan) {
        let diagnostics = plan.run?.first ?? []
        for diagnostic in diagnostics where !missing.contains(diagnostic.message) {
            writer.report(diagnostic)
        }
        missing = diagnostics.map(\.message)
    }

    /// Attempts to load each bundle that has changed.
    private func updateScripts(_ plan: WatchPlan, isForced: Bool) {
        canary?.update()
        let keys = Set(plan.scripts.map(\.key))
        // A file that currently does not parse, or is filtered out by a key, keeps its scripts.
        if !isFiltered, plan.files.allSatisfy(\.diagnostics.isEmpty) {
            scripts.removeAll { !keys.contains($0.key) && !paths.isBundle($0.key) }
        }
        for (key, script) in plan.scripts {
            guard let live = live(key) else {
                scripts.append((key, LiveScripts(script, command: command, canary: canary)))
                continue
            }
            live.location = script.location
        }
        for (_, live) in scripts {
            guard let attempt = live.attempt(isForced: isForced) else { continue }
            // An interrupted attempt is rejected, too, but not reported.
            if attempt.isRejected, isInterrupted() { break }
            if attempt.isRejected { counts.rejected += 1 } else { counts.accepted += 1 }
            writer.report(attempt, showsLog: command.options.detail != .failures)
        }
    }

    private func run(_ pieces: [WatchRun.Piece], _ broken: [FileReport]) {
        guard !pieces.isEmpty || !broken.isEmpty else { return }
        for diagnostic in broken.flatMap(\.diagnostics) { writer.report(diagnostic) }
        var run = WatchRun(pieces, jobs: command.jobs)
        run.run { [writer] in
            writer.report($0)
        } onFailure: { [writer] in
            writer.report($0)
        }
        for (piece, file) in zip(pieces, run.report.files) {
            for (number, index) in piece.file.selection.enumerated() {
                let hasRun = number < file.scenarios.count
                files[file.path]?.note(hasRun ? file.scenarios[number] : nil, of: index)
            }
        }
        failed.note(run.report.files, of: pieces.map(\.file))
        run.report.files += broken
        if !broken.isEmpty { run.report.exitCode = max(run.report.exitCode, .scenarioInvalid) }
        writer.report(run.report)
    }
}

extension Diagnostic {
    /// The diagnostic itself, or a warning if the diagnostic says that nothing is selected.
    ///
    /// If nothing is selected, a run fails, but a watch continues because the missing files may be
    /// created later.
    fileprivate var waitedFor: Diagnostic {
        guard code == .nothingSelected else { return self }
        var warning = Diagnostic(
            code,
            "\(message); waiting for scripts and scenarios to be created",
            severity: .warning
        )
        warning.notes = notes
        return warning
    }
}

extension ScenarioFilter {
    fileprivate var isSet: Bool { !names.isEmpty || !tags.isEmpty }
}
