// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The searches of a run: the blocks of files, and bundles that are searched as a whole.
struct ExplorePlan {
    private(set) var explorers: [Explorer] = []
    private(set) var diagnostics: [Diagnostic] = []
    private(set) var code = ExitCode.success
    private let filter: ScenarioFilter
    private let options: RunOptions
    /// The tags of all blocks.
    private var tags: Set<String> = []
    /// Whether a file of the current path has a block, even if the block is not selected.
    private var hasBlocks = false

    /// Reads the files at the given paths.
    ///
    /// A script, or a folder that has a `main.lua` and no `explore` blocks, is searched without
    /// rules.
    init(_ paths: [String], options: RunOptions, filter: ScenarioFilter = ScenarioFilter()) {
        (self.filter, self.options) = (filter, options)
        for path in paths { add(path) }
        guard code == .success, !options.isInterrupted() else { return }
        guard explorers.isEmpty else {
            diagnostics += filter.warnings(for: tags, of: "block")
            return
        }
        let help =
            filter.help(for: tags, of: "block")
            ?? "begin a block with 'explore \"NAME\"' in the first column, or name a script to search it without a block"
        diagnostics.append(
            Diagnostic(.nothingSelected, "no 'explore' block is selected", help: help)
        )
        code = .nothingSelected
    }

    private mutating func add(_ path: String) {
        if path.hasByteSuffix(".lua") { return addScripts(path) }
        let hadBlocks = hasBlocks
        hasBlocks = false
        defer { hasBlocks = hadBlocks }
        let selection = Selection([path], options)
        note(selection.diagnostics, .inputMissing)
        note(selection.warnings, .success)
        for file in selection.files where !options.isInterrupted() { add(file) }
        let script =
            options.script ?? (path.hasByteSuffix("/") ? "\(path)main.lua" : "\(path)/main.lua")
        if !hasBlocks, SourceFiles.kind(of: path) == .folder,
            SourceFiles.kind(of: script) != .missing
        {
            addScripts(options.script ?? path)
        }
    }

    private mutating func addScripts(_ path: String) {
        do throws(BundleError) {
            let explorer = Explorer(bundle: try ScriptBundle(path: path), options: options)
            guard filter.passes(name: explorer.exploration.name, tags: []) else { return }
            explorers.append(explorer)
        } catch {
            let failure = LoadedScripts.Failure(error, at: nil)
            note(failure.diagnostics, failure.code)
        }
    }

    private mutating func add(_ selected: Selection.File) {
        let file = RunPlan.File(reading: selected, options)
        note(file.diagnostics, file.exitCode)
        guard let parsed = file.parsed else { return }
        let explorations = parsed.explorations.filter { exploration in
            selected.lines?.contains { line in
                (exploration.line ?? 0)...exploration.lastLine ~= line.number
            } ?? true
        }
        tags.formUnion(explorations.flatMap(\.tags))
        if !explorations.isEmpty { hasBlocks = true }
        let selected = explorations.filter { filter.passes(name: $0.name, tags: $0.tags) }
        guard !selected.isEmpty else { return }
        do throws(LoadedScripts.Failure) {
            let bundle = try ScenarioRunner.readScripts(of: parsed, options)
            for exploration in selected {
                explorers.append(
                    Explorer(exploration, of: parsed, bundle: bundle, options: options)
                )
            }
        } catch {
            note(error.diagnostics, error.code)
        }
    }

    /// Returns the number of files whose blocks search the given scripts.
    func useCount(of bundle: ScriptBundle) -> Int {
        let users = explorers.filter {
            $0.bundle.root == bundle.root && $0.bundle.entry == bundle.entry
        }
        return Set(users.map(\.file.source.name)).count
    }

    private mutating func note(_ diagnostics: [Diagnostic], _ code: ExitCode) {
        guard !diagnostics.isEmpty else { return }
        self.diagnostics += diagnostics
        self.code = max(self.code, code)
    }
}
