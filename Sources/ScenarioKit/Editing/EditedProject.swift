// SPDX-License-Identifier: MIT

package import LuaRouting
package import RouteCore

/// The scripts and scenario files below a folder, as seen by an editor: unsaved texts take
/// precedence over files on disk.
///
/// A file is read once, and again after ``change(_:to:)``. If scripts do not load, the names from
/// the last version that loaded remain known. As in ``Watch``, ``RunInputs`` decides which
/// scenarios run again. Nothing runs in a project that is not trusted.
package final class EditedProject {
    /// The maximum size of a file that is read, in bytes.
    private static let sizeLimit = ScenarioFile.sizeLimit

    /// The last version of scripts that was read, and the last version that loaded.
    private struct Scripts {
        /// The newest scripts; nil if they cannot be read.
        var bundle: ScriptBundle?
        /// The settings files of the project and its host, each with the outcome of reading it.
        var settings: [String: FileOutcome] = [:]
        /// The last version that loaded; nil if no version has loaded.
        var loaded: CheckedScripts.Loaded?
        /// The findings about the newest scripts, or the reasons why the scripts do not load.
        var findings: [Diagnostic] = []
        /// Whether the newest scripts have loaded.
        var isLoaded = false
        /// Whether no file has changed since the newest scripts were read.
        var isCurrent = false
    }

    /// The last version of a scenario file that was read.
    private struct Scenarios {
        let file: RunPlan.File
        /// The path of the file's scripts; nil if the file has no scripts in the folder.
        let script: String?
        /// The findings about names that the file's scripts do not declare; nil until the names
        /// have been checked.
        var names: [Diagnostic]?
        /// The paths of the other scripts that the names were checked against.
        var others: Set<String> = []
    }

    /// The last run of a scenario file.
    private struct LastRun {
        /// The files on which the run depended; nil if the file has had syntax errors since the
        /// run.
        var inputs: RunInputs?
        /// The outcome; nil if the run took too long.
        var run: Run?
    }

    /// The outcome of the scenarios of a file.
    package struct Run {
        /// The failures and warnings.
        package fileprivate(set) var diagnostics: [Diagnostic] = []
        /// The tree of the main window after each step that changed it, by the line of the step.
        package fileprivate(set) var trees: [Int: String] = [:]
    }

    /// The folder, with symbolic links resolved.
    package let root: String
    /// The path of the project's settings.
    private var projectPath: String { "\(root)/\(ProjectFile.name)" }
    /// Whether scripts may run.
    package let isTrusted: Bool
    /// The files of the project: the unsaved text of a file if there is one, otherwise the file on
    /// disk.
    package private(set) var files = Files.disk
    /// The paths of the scenario files, sorted.
    package private(set) var scenarioPaths: [String] = []
    /// The paths of the Lua files, sorted, except files in a folder `vendor`.
    package private(set) var scriptPaths: [String] = []

    private(set) var options = RunOptions()
    /// The error in `luaroute.json`; nil if there is none.
    private var projectError: Diagnostic?
    private var parsed: [String: Scenarios] = [:]
    /// The cached value of ``entries``; nil if a file that may name scripts has changed.
    private var knownEntries: [Entry]?
    private var scripts: [String: Scripts] = [:]
    private var lastRuns: [String: LastRun] = [:]

    package init(root: String, isTrusted: Bool) {
        self.root = SourceFiles.resolved(root) ?? root
        self.isTrusted = isTrusted
        readFolder()
    }

    /// Returns whether a path is in the folder after symbolic links are resolved.
    package func contains(_ path: String) -> Bool { FileRoot(folder: root).contains(path) }

    // MARK: Changes

    /// Reads the list of files, the settings of the project and any changed files again.
    package func readFolder() {
        let defaultScript = options.defaultScript
        options = RunOptions()
        options.fileRoot = root
        options.files = files
        projectError = nil
        do throws(ProjectFile.Failure) {
            if let bytes = try? files.read(projectPath, limit: ProjectFile.sizeLimit, in: root) {
                let project = try ProjectFile(SourceText(name: projectPath, content: bytes))
                options.defaultScript = project.script
                options.manifestPath = project.host
                options.contractPath = project.contract
                options.budget = project.budget
            }
        } catch {
            projectError = error.diagnostic
        }
        scenarioPaths = Selection([root], options).files.map(\.path)
        scriptPaths = FolderWalk(root, ending: ".lua").compactMap { entry in
            entry.kind == .file && !entry.relative.pathNames.contains("vendor") ? entry.path : nil
        }
        for path in files.unsavedPaths { list(path) }
        knownEntries = nil
        parsed =
            options.defaultScript == defaultScript
            ? parsed.filter { path, known in
                scenarioPaths.contains(path)
                    && known.file.inputs.allSatisfy { outcome(of: $0.key) == $0.value }
            } : [:]
        for key in scripts.keys { scripts[key]?.isCurrent = false }
    }

    private func outcome(of path: String) -> FileOutcome {
        Result { () throws(BundleError) in
            try files.read(path, limit: Self.sizeLimit, in: root)
        }
    }

    /// Adds a file that is not on disk yet to the files of the project.
    private func list(_ path: String) {
        guard contains(path), SourceFiles.kind(of: path) == .missing else { return }
        if path.hasByteSuffix(Selection.fileExtension) {
            scenarioPaths = Set(scenarioPaths).union([path]).sorted()
        } else if path.hasByteSuffix(".lua") {
            scriptPaths = Set(scriptPaths).union([path]).sorted()
        }
    }

    /// Sets the unsaved text of a file.
    ///
    /// If the text is nil, the file is read from disk, where it may have changed.
    package func change(_ path: String, to text: [UInt8]?) {
        let wasListed = text == nil || files[unsaved: path] != nil
        files[unsaved: path] = text
        options.files = files
        if path == projectPath || text == nil && SourceFiles.kind(of: path) == .missing {
            return readFolder()
        }
        if !wasListed { list(path) }
        if text == nil { lastRuns[path] = nil }
        for (name, known) in parsed where name == path || known.file.inputs[path] != nil {
            parsed[name] = nil
        }
        if path.hasByteSuffix(Selection.fileExtension) {
            knownEntries = nil
        } else {
            for key in scripts.keys { scripts[key]?.isCurrent = false }
        }
    }

    /// Returns the text of a file of the project; nil if it cannot be read.
    package func text(of path: String) -> SourceText? {
        (try? files.read(path, limit: Self.sizeLimit, in: root)).map {
            SourceText(name: path, content: $0)
        }
    }

    // MARK: Scripts

    /// Returns the scripts at a path, and loads them again if a file has changed.
    private func load(_ path: String) -> Scripts {
        load((path, CheckPlan.key(of: path).displayText))
    }

    private func load(_ scripts: Entry) -> Scripts {
        let (path, key) = scripts
        var entry = self.scripts[key] ?? Scripts()
        guard isTrusted, !entry.isCurrent else { return entry }
        let settings = settings(of: path)
        if settings != entry.settings {
            (entry.settings, entry.bundle, lastRuns) = (settings, nil, [:])
        }
        let last = entry.bundle
        do throws(LoadedScripts.Failure) {
            entry.bundle = nil
            if let bundle = try newer(than: last, at: path) {
                entry.bundle = bundle
                if case .failure(let error)? = bundle.files[bundle.entry] {
                    throw LoadedScripts.Failure(error, at: nil)
                }
                let loaded = try CheckedScripts.Loaded(
                    LoadedScripts(bundle, options),
                    options,
                    after: entry.loaded
                )
                if loaded.known != entry.loaded?.known {
                    for name in parsed.keys { parsed[name]?.names = nil }
                }
                (entry.loaded, entry.findings, entry.isLoaded) = (loaded, loaded.findings, true)
            } else {
                entry.bundle = last
            }
        } catch {
            (entry.findings, entry.isLoaded) = (error.diagnostics, false)
        }
        entry.isCurrent = true
        self.scripts[key] = entry
        return entry
    }

    private func newer(
        than bundle: ScriptBundle?,
        at path: String
    ) throws(LoadedScripts.Failure) -> ScriptBundle? {
        do throws(BundleError) {
            return try .newer(than: bundle, at: path, files)
        } catch {
            throw LoadedScripts.Failure(error, at: nil)
        }
    }

    /// Returns the files, other than the scripts themselves, that affect how the scripts at a path
    /// load.
    private func settings(of path: String) -> [String: FileOutcome] {
        let folder = SourceFiles.kind(of: path) == .folder ? path : Paths.folder(of: path)
        let manifest = options.manifestPath ?? Paths.path("host.json", from: folder)
        let paths = [projectPath, manifest, options.contractPath].compactMap(\.self)
        return Dictionary(paths.map { ($0, outcome(of: $0)) }) { first, _ in first }
    }

    /// The path of scripts, and a key that is the same for all paths of the same scripts.
    private typealias Entry = (path: String, key: String)

    /// The scripts of the project: the scripts that scenario files use, the scripts that
    /// `luaroute.json` names, and the `main.lua` of the folder.
    private var entries: [Entry] {
        if let knownEntries { return knownEntries }
        var paths = scenarioPaths.compactMap { file(at: $0).script }
        paths += [options.defaultScript].compactMap(\.self)
        if SourceFiles.kind(of: "\(root)/main.lua") == .file { paths.append("\(root)/main.lua") }
        var (seen, keys): (Set<String>, Set<String>) = ([], [])
        let entries = paths.filter { seen.insert($0).inserted }
            .map { (path: $0, key: CheckPlan.key(of: $0).displayText) }
            .filter { keys.insert($0.key).inserted }
        knownEntries = entries
        return entries
    }

    /// Loads the scripts that have changed.
    package func loadScripts() {
        for entry in entries { _ = load(entry) }
    }

    /// The scripts of the project, each in the last version that was read.
    ///
    /// Reading this property loads scripts that have never been loaded, but does not reload scripts
    /// that have changed.
    private var lastScripts: [Scripts] {
        entries.map { scripts[$0.key] ?? load($0) }
    }

    /// The routers of the scripts that loaded last.
    package var routers: [Router] { lastScripts.compactMap { $0.loaded?.scripts.router } }

    /// Returns the parameters of a route or a task that scripts register: the declared parameters,
    /// or otherwise the parameters of the URL patterns.
    package func parameters(of target: Target) -> [InfoDeclaration.Parameter] {
        for router in routers {
            switch router.declarations.routes[target] {
            case .screen(let step): return (step.info ?? step.parameters).parameters
            case .task(let worker): return worker.info?.parameters ?? []
            case nil: continue
            }
        }
        return []
    }

    /// The names that the last loaded scripts and their hosts declare.
    package var knownNames: [KnownNames] { lastScripts.compactMap(\.loaded?.known) }

    // MARK: Scenario files

    private func file(at path: String) -> Scenarios {
        if let known = parsed[path] { return known }
        let file = RunPlan.File(reading: Selection.File(path: path, folder: root), options)
        // Finds the scripts even if the file has errors.
        let script =
            if let parsed = file.parsed {
                ScenarioRunner.scriptPath(of: parsed, options)
            } else {
                text(of: path).flatMap { ScenarioFile.use(in: $0) } ?? options.defaultScript
            }
        let scenarios = Scenarios(file: file, script: script.flatMap { contains($0) ? $0 : nil })
        parsed[path] = scenarios
        return scenarios
    }

    /// Returns the parsed scenario file; nil if the file has errors.
    package func scenarios(at path: String) -> ScenarioFile? { file(at: path).file.parsed }

    private func findings(in path: String) -> [Diagnostic] {
        let known = file(at: path)
        guard let file = known.file.parsed, isTrusted, let script = known.script else {
            return known.file.diagnostics
        }
        for other in known.others { _ = load(other) }
        if let names = parsed[path]?.names { return names }
        var others: Set<String> = []
        let names = NameCheck.findings(in: file, script) { path in
            if path != script { others.insert(path) }
            return contains(path) ? load(path).loaded?.known : nil
        }
        parsed[path]?.names = names
        parsed[path]?.others = others
        return names
    }

    /// Returns the findings about all scripts and scenario files, by the path of the file.
    ///
    /// - Parameter isInterrupted: Returns whether to stop before the next file.
    /// - Returns: The findings; nil if the check was interrupted.
    package func findings(isInterrupted: () -> Bool = { false }) -> [String: [Diagnostic]]? {
        var all: [String: [Diagnostic]] = [:]
        func add(_ diagnostics: [Diagnostic], _ path: String) {
            for diagnostic in diagnostics {
                all[diagnostic.span?.source.name ?? path, default: []].append(diagnostic)
            }
        }
        if let projectError { add([projectError], projectPath) }
        if isTrusted {
            for entry in entries {
                if isInterrupted() { return nil }
                add(load(entry).findings, entry.path)
            }
        }
        for path in scenarioPaths {
            if isInterrupted() { return nil }
            add(findings(in: path), path)
        }
        return all
    }

    /// Returns the outcome of the last run of a file's scenarios; nil if the scenarios have not
    /// finished.
    package func lastRun(of path: String) -> Run? { lastRuns[path]?.run }

    /// Returns whether the scenarios of a file must run, because a file on which they depend has
    /// changed since their last run.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - isPatient: Whether the scenarios must run again if their last run took too long.
    /// - Returns: Whether the scenarios must run.
    package func needsRun(_ path: String, isPatient: Bool) -> Bool {
        let known = file(at: path)
        guard isTrusted, known.file.parsed != nil, let script = known.script else {
            // The user may still be typing the first line with an error, so the trees above that
            // line are kept.
            let line = known.file.diagnostics.compactMap { $0.span?.line }.min() ?? 0
            let trees = lastRuns[path]?.run?.trees.filter { $0.key < line } ?? [:]
            lastRuns[path] = trees.isEmpty ? nil : LastRun(inputs: nil, run: Run(trees: trees))
            return false
        }
        guard let last = lastRuns[path], last.run != nil || !isPatient,
            let inputs = last.inputs
        else { return true }
        return !inputs.isCurrent(known.file, with: load(script).bundle, disk: files)
    }

    /// Runs the scenarios of a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - deadline: The time at which to stop the run; nil for no limit.
    ///   - isInterrupted: Returns whether to stop. The closure is called on the calling thread,
    ///     even while a scenario runs.
    /// - Returns: Whether the run finished without an interruption.
    package func run(
        _ path: String,
        until deadline: ContinuousClock.Instant?,
        isInterrupted: @escaping @Sendable () -> Bool
    ) -> Bool {
        let known = file(at: path)
        guard isTrusted, let file = known.file.parsed, let scripts = known.script.map(load) else {
            return true
        }
        var inputs = RunInputs(known.file, scripts.bundle, after: nil)
        let isLate: @Sendable () -> Bool = { deadline.map { ContinuousClock.now > $0 } ?? false }
        let reports = reports(of: path) {
            isInterrupted() || isLate()
        } _: {
            $0.detail = .trace
        }
        guard let reports else {
            if isInterrupted() { return false }
            let reason = scripts.findings.first { $0.severity == .error }
            let error = Diagnostic.notRun(file, because: reason, in: root)
            lastRuns[path] = LastRun(
                inputs: inputs,
                run: isLate() ? nil : Run(diagnostics: [error])
            )
            return true
        }
        var run = Run()
        for (index, report) in reports.enumerated() {
            inputs.note(report, of: index)
            run.diagnostics += report.failures + report.warnings
            run.addTrees(of: report.trace)
        }
        lastRuns[path] = LastRun(inputs: inputs, run: run)
        return true
    }

    /// Runs the scenarios of a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - line: A line in the scenarios to run; nil to run all scenarios.
    ///   - isInterrupted: Returns whether to stop.
    ///   - change: Changes the options of the run.
    /// - Returns: The reports; nil if the run was interrupted, or if the file or its scripts have
    ///   errors.
    func reports(
        of path: String,
        line: Int? = nil,
        isInterrupted: @escaping @Sendable () -> Bool,
        _ change: (inout RunOptions) -> Void
    ) -> [ScenarioReport]? {
        let known = self.file(at: path)
        guard isTrusted, let file = known.file.parsed, let scripts = known.script.map(load),
            scripts.isLoaded, let loaded = scripts.loaded
        else { return nil }
        var options = options
        options.isInterrupted = isInterrupted
        (options.manifest, options.contract) = (loaded.manifest, loaded.contract)
        options.known = loaded.known
        change(&options)
        let runner = ScenarioRunner(file, options, scripts: loaded.scripts.bundle)
        var reports: [ScenarioReport] = []
        do throws(LoadedScripts.Failure) {
            for (index, scenario) in file.scenarios.enumerated()
            where line.map({ scenario.isSelected(byLine: $0, record: nil) }) ?? true {
                guard let report = try runner.run(index) else { return nil }
                reports.append(report)
            }
        } catch {
            return nil
        }
        return reports
    }

    /// Returns the scripts in which a file registers a route or a task, with the description of the
    /// route or task.
    ///
    /// The result is nil if the file registers the target in none of the last loaded scripts.
    package func registration(
        of target: Target,
        in path: String
    ) -> (script: String, router: Router, route: RouteDescription)? {
        for entry in entries {
            guard let router = load(entry).loaded?.scripts.router,
                let route = try? router.registration(of: target), let location = route.location,
                SourceFiles.resolved(router.bundle.displayPath(of: location.file)) == path
            else { continue }
            return (entry.path, router, route)
        }
        return nil
    }
}

extension Diagnostic {
    /// Creates the diagnostic for a file whose scenarios cannot run because of an error in the
    /// scripts.
    fileprivate static func notRun(
        _ file: ScenarioFile,
        because error: Diagnostic?,
        in root: String
    ) -> Diagnostic {
        var place = ""
        if let span = error?.span {
            let path = span.source.name
            let name = path.hasPrefix("\(root)/") ? path.dropFirst(root.count + 1) : path[...]
            place = "\(name):\(span.line): "
        }
        var diagnostic = Diagnostic(
            error?.code ?? .scriptUnreadable,
            "no scenario of this file can run: \(place)\(error?.message ?? "the scripts do not load")",
            at: Span(file.source, file.use?.range ?? file.source.line(1))
        )
        if let span = error?.span {
            diagnostic.related = [.init(label: error?.message, span: span)]
        }
        return diagnostic
    }
}

extension EditedProject.Run {
    fileprivate mutating func addTrees(of trace: Trace) {
        for part in trace.parts {
            guard let line = part.line.flatMap({ Int($0) }), let after = part.after else {
                continue
            }
            let tree = trace.printer.tree(after, window: "main")
            let before = part.before.map { trace.printer.tree($0, window: "main") }
            trees[line] = tree == before ? nil : tree
        }
    }
}

extension ScenarioFile {
    /// Returns the path in the `use` line of a text, even if the text has errors.
    fileprivate static func use(in source: SourceText) -> String? {
        for line in LineOutline.all(in: source) {
            guard case .use(let use)? = line.block else { continue }
            return Paths.path(use.path, from: Paths.folder(of: source.name))
        }
        return nil
    }
}
