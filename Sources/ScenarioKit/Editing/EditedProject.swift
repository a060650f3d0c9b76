// SPDX-License-Identifier: MIT

package import LuaRouting
package import RouteCore

/// The scripts and scenario files below a folder, as an editor has them: files on disk below texts
/// that are not saved.
///
/// A file is read once, and again after ``change(_:to:)``. Scripts that do not load keep the names of
/// those that did. Nothing runs in a project that is not trusted.
package final class EditedProject {
    /// The maximum size of a file that is read, in bytes.
    private static let sizeLimit = ScenarioFile.sizeLimit

    /// Scripts as they were loaded last.
    private struct Scripts {
        /// The last scripts that loaded; nil if none have.
        var loaded: CheckedScripts.Loaded?
        var known: KnownNames?
        /// The findings about the newest scripts, or the reasons why they do not load.
        var findings: [Diagnostic] = []
        /// Whether the newest scripts have loaded.
        var isWhole = false
    }

    /// The outcome of the scenarios of a file.
    package struct Run {
        /// The failures and warnings.
        package fileprivate(set) var diagnostics: [Diagnostic] = []
        /// The trees of the main window to which the steps lead, where they change it, by line.
        package fileprivate(set) var trees: [Int: String] = [:]
    }

    /// The folder, without links.
    package let root: String
    /// The path of the project's settings.
    private var projectPath: String { "\(root)/\(ProjectFile.name)" }
    /// Whether scripts may run.
    package let isTrusted: Bool
    /// The unsaved texts, above the files on disk.
    package private(set) var files = Files.disk
    /// The paths of the scenario files, sorted.
    package private(set) var scenarioPaths: [String] = []
    /// The paths of the Lua files, sorted; those of a folder `vendor` are left out.
    package private(set) var scriptPaths: [String] = []

    private(set) var options = RunOptions()
    /// The error of `luaroute.json`.
    private var projectError: Diagnostic?
    private var parsed: [String: RunPlan.File] = [:]
    /// The scripts; nil if a file that may name others has changed.
    private var knownEntries: [Entry]?
    private var scripts: [String: Scripts] = [:]
    private var nameFindings: [String: [Diagnostic]] = [:]

    package init(root: String, isTrusted: Bool) {
        self.root = SourceFiles.resolved(root) ?? root
        self.isTrusted = isTrusted
        readFolder()
    }

    /// Whether a path is in the folder, after links are resolved.
    package func contains(_ path: String) -> Bool { FileRoot(folder: root).contains(path) }

    // MARK: Changes

    /// Reads again which files there are, and the settings of the project.
    package func readFolder() {
        options = RunOptions()
        options.fileRoot = root
        options.files = files
        projectError = nil
        do throws(ProjectFile.Failure) {
            if let bytes = try? files.read(projectPath, limit: ProjectFile.sizeLimit, in: root) {
                let project = try ProjectFile(SourceText(name: projectPath, content: bytes))
                options.defaultScript = project.script
                options.manifestPath = project.host
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
        (parsed, nameFindings) = ([:], [:])
        for key in scripts.keys { scripts[key]?.isWhole = false }
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

    /// Sets the unsaved text of a file; nil for the file on disk, which may have changed.
    package func change(_ path: String, to text: [UInt8]?) {
        let wasListed = text == nil || files[unsaved: path] != nil
        files[unsaved: path] = text
        options.files = files
        if path == projectPath || text == nil && SourceFiles.kind(of: path) == .missing {
            return readFolder()
        }
        if !wasListed { list(path) }
        if path.hasByteSuffix(Selection.fileExtension) || parsed[path] != nil {
            knownEntries = nil
            for (name, file) in parsed where name == path || file.inputs[path] != nil {
                parsed[name] = nil
                nameFindings[name] = nil
            }
        } else {
            for (name, file) in parsed where file.inputs[path] != nil { parsed[name] = nil }
            nameFindings = [:]
            for key in scripts.keys { scripts[key]?.isWhole = false }
        }
    }

    /// Returns the text of a file of the project; nil if it cannot be read.
    package func text(of path: String) -> SourceText? {
        (try? files.read(path, limit: Self.sizeLimit, in: root)).map {
            SourceText(name: path, content: $0)
        }
    }

    // MARK: Scripts

    /// Loads scripts, unless nothing has changed since.
    private func load(_ path: String) -> Scripts {
        load((path, CheckPlan.key(of: path).displayText))
    }

    private func load(_ scripts: Entry) -> Scripts {
        let (path, key) = scripts
        if let known = self.scripts[key], known.isWhole || !isTrusted { return known }
        var entry = Scripts(loaded: self.scripts[key]?.loaded, known: self.scripts[key]?.known)
        if isTrusted {
            do throws(LoadedScripts.Failure) {
                let loaded = try CheckedScripts.Loaded(path, options)
                entry.known = loaded.known
                entry.findings = loaded.findings
                entry.loaded = loaded
            } catch {
                entry.findings = error.diagnostics
            }
        }
        entry.isWhole = true
        self.scripts[key] = entry
        return entry
    }

    /// Scripts: their path, and the key that the same scripts have by each of their names.
    private typealias Entry = (path: String, key: String)

    /// The scripts: those that scenario files use, those of `luaroute.json`, and the `main.lua` of the
    /// folder.
    private var entries: [Entry] {
        if let knownEntries { return knownEntries }
        var paths = scenarioPaths.compactMap { script(of: $0) }
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

    /// Returns scripts as they were loaded last: who asks does not wait for newer ones.
    private var lastScripts: [Scripts] {
        entries.map { scripts[$0.key] ?? load($0) }
    }

    /// The routers of the last scripts that loaded.
    package var routers: [Router] { lastScripts.compactMap { $0.loaded?.scripts.router } }

    /// Returns the parameters of a route or a task that scripts register: the declared ones, or else
    /// those of its URL patterns.
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

    /// The names that the last scripts that loaded and their hosts have.
    package var knownNames: [KnownNames] { lastScripts.compactMap(\.known) }

    /// Returns the path of the scripts of a scenario file, also of one with errors.
    private func script(of path: String) -> String? {
        let script =
            if let file = file(at: path).parsed {
                ScenarioRunner.scriptPath(of: file, options)
            } else {
                text(of: path).flatMap { ScenarioFile.use(in: $0) } ?? options.defaultScript
            }
        return script.flatMap { contains($0) ? $0 : nil }
    }

    // MARK: Scenario files

    private func file(at path: String) -> RunPlan.File {
        if let known = parsed[path] { return known }
        let file = RunPlan.File(reading: Selection.File(path: path, folder: root), options)
        parsed[path] = file
        return file
    }

    /// Returns a scenario file as far as it parses; nil if it has errors.
    package func scenarios(at path: String) -> ScenarioFile? { file(at: path).parsed }

    private func findings(in path: String) -> [Diagnostic] {
        let file = file(at: path)
        guard let parsed = file.parsed, isTrusted, let script = script(of: path) else {
            return file.diagnostics
        }
        if let known = nameFindings[path] { return known }
        let found = NameCheck.findings(in: parsed, script) { path in
            let loaded = contains(path) ? load(path) : Scripts()
            return loaded.known
        }
        nameFindings[path] = found
        return found
    }

    /// Returns the findings about all scripts and scenario files, by the path of each.
    ///
    /// - Parameter isInterrupted: Whether to stop before the next file.
    /// - Returns: The findings; nil if it was interrupted.
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

    /// Runs the scenarios of a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - isInterrupted: Whether to stop; called on this thread, also within a scenario.
    /// - Returns: The outcome; nil if it was interrupted, and if the file or its scripts have errors.
    package func run(
        _ path: String,
        isInterrupted: @escaping @Sendable () -> Bool
    ) -> Run? {
        var run = Run()
        let reports = reports(of: path, isInterrupted: isInterrupted) { $0.detail = .trace }
        guard let reports else { return nil }
        for report in reports {
            run.diagnostics += report.failures + report.warnings
            run.addTrees(of: report.trace)
        }
        return run
    }

    /// Runs the scenarios of a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - line: A line of the scenarios to run; nil for all.
    ///   - isInterrupted: Whether to stop.
    ///   - change: Changes the options of the run.
    /// - Returns: The reports; nil if the run was interrupted, and if the file or its scripts have
    ///   errors.
    func reports(
        of path: String,
        line: Int? = nil,
        isInterrupted: @escaping @Sendable () -> Bool,
        _ change: (inout RunOptions) -> Void
    ) -> [ScenarioReport]? {
        guard isTrusted, let file = scenarios(at: path), let script = script(of: path),
            let loaded = load(script).loaded
        else { return nil }
        var options = options
        options.isInterrupted = isInterrupted
        options.manifest = loaded.manifest
        options.known = loaded.known
        change(&options)
        var reports: [ScenarioReport] = []
        do throws(LoadedScripts.Failure) {
            let runner = try ScenarioRunner(file, options)
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

    /// Returns the path of the scripts in which a file registers a route or a task, and what they
    /// declare of it; nil if none of the scripts that loaded last does.
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
    /// Returns the path of the `use` line of a text that may have errors.
    fileprivate static func use(in source: SourceText) -> String? {
        for line in LineOutline.all(in: source) {
            guard case .use(let use)? = line.block else { continue }
            return Paths.path(use.path, from: Paths.folder(of: source.name))
        }
        return nil
    }
}
