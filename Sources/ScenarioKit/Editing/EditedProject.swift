// SPDX-License-Identifier: MIT

package import LuaRouting

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
        /// The numbers of scenarios that passed and that failed.
        package fileprivate(set) var passed = 0, failed = 0
    }

    /// The folder, without links.
    package let root: String
    /// Whether scripts may run.
    package let isTrusted: Bool
    /// The unsaved texts, above the files on disk.
    package private(set) var files = Files.disk
    /// The paths of the scenario files, sorted.
    package private(set) var scenarioPaths: [String] = []
    /// The paths of the Lua files, sorted; those of a folder `vendor` are left out.
    package private(set) var scriptPaths: [String] = []

    private var options = RunOptions()
    /// The error of `luaroute.json`.
    private var projectError: Diagnostic?
    private var parsed: [String: RunPlan.File] = [:]
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
        projectError = nil
        do throws(ProjectFile.Failure) {
            let path = "\(root)/\(ProjectFile.name)"
            if let bytes = try? files.read(path, limit: ProjectFile.sizeLimit, in: root) {
                let project = try ProjectFile(SourceText(name: path, content: bytes))
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
        (parsed, scripts, nameFindings) = ([:], [:], [:])
    }

    /// Sets the unsaved text of a file; nil for the file on disk, which may have changed.
    package func change(_ path: String, to text: [UInt8]?) {
        files[unsaved: path] = text
        options.files = files
        if path.hasByteSuffix(Selection.fileExtension) || parsed[path] != nil {
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
        let key = CheckPlan.key(of: path).displayText
        if let known = scripts[key], known.isWhole || !isTrusted { return known }
        var entry = Scripts(loaded: scripts[key]?.loaded, known: scripts[key]?.known)
        if isTrusted {
            do throws(LoadedScripts.Failure) {
                let loaded = try CheckedScripts.Loaded(path, options)
                entry.known = loaded.scripts.router.knownNames(loaded.manifest)
                entry.findings = loaded.findings
                entry.loaded = loaded
            } catch {
                entry.findings = error.diagnostics
            }
        }
        entry.isWhole = true
        scripts[key] = entry
        return entry
    }

    /// The paths of the scripts: those that scenario files use, that of `luaroute.json`, and the
    /// `main.lua` of the folder.
    private var entries: [String] {
        var paths = scenarioPaths.compactMap { script(of: $0) }
        paths += [options.defaultScript].compactMap(\.self)
        if SourceFiles.kind(of: "\(root)/main.lua") == .file { paths.append("\(root)/main.lua") }
        var seen: Set<String> = []
        return paths.filter { seen.insert(CheckPlan.key(of: $0).displayText).inserted }
    }

    /// Loads the scripts that have changed.
    package func loadScripts() {
        for entry in entries { _ = load(entry) }
    }

    /// Returns scripts as they were loaded last: who asks does not wait for newer ones.
    private var lastScripts: [Scripts] {
        entries.map { scripts[CheckPlan.key(of: $0).displayText] ?? load($0) }
    }

    /// The routers of the last scripts that loaded.
    package var routers: [Router] { lastScripts.compactMap { $0.loaded?.scripts.router } }

    /// The names that the last scripts that loaded and their hosts have.
    package var knownNames: [KnownNames] { lastScripts.compactMap(\.known) }

    private func script(of path: String) -> String? {
        guard let file = file(at: path).parsed else { return nil }
        return ScenarioRunner.scriptPath(of: file, options).flatMap { contains($0) ? $0 : nil }
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
    package func findings(isInterrupted: () -> Bool) -> [String: [Diagnostic]]? {
        var all: [String: [Diagnostic]] = [:]
        func add(_ diagnostics: [Diagnostic], _ path: String) {
            for diagnostic in diagnostics {
                all[diagnostic.span?.source.name ?? path, default: []].append(diagnostic)
            }
        }
        if let projectError { add([projectError], "\(root)/\(ProjectFile.name)") }
        if isTrusted {
            for entry in entries {
                if isInterrupted() { return nil }
                add(load(entry).findings, entry)
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
        guard isTrusted, let file = scenarios(at: path), let script = script(of: path),
            let loaded = load(script).loaded
        else { return nil }
        var options = options
        options.detail = .trace
        options.isInterrupted = isInterrupted
        options.manifest = loaded.manifest
        var run = Run()
        do throws(LoadedScripts.Failure) {
            let runner = try ScenarioRunner(file, options)
            for index in file.scenarios.indices {
                guard let report = try runner.run(index) else { return nil }
                run.diagnostics += report.failures + report.warnings
                if report.outcome == .passed { run.passed += 1 }
                if report.outcome == .failed { run.failed += 1 }
                run.addTrees(of: report.trace)
            }
        } catch {
            return nil
        }
        return run
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
