// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The watched paths, grouped by what exists at each path when the watch begins.
struct WatchedPaths {
    /// The scripts that the command line names.
    private(set) var scripts: [String] = []
    /// The paths of scenario files, and of folders that contain scenario files.
    private(set) var scenarios: [String] = []
    /// The folders among the paths.
    private(set) var folders: [String] = []
    /// Whether a folder that contains a `main.lua` is watched as a bundle.
    private let takesFolders: Bool

    init(_ command: WatchCommand) {
        takesFolders = command.options.script == nil
        if let script = command.options.script { scripts.append(script) }
        for path in command.paths.isEmpty ? ["."] : command.paths {
            switch SourceFiles.kind(of: path) {
            case .file where !path.hasByteSuffix(Selection.fileExtension): scripts.append(path)
            case .folder:
                folders.append(path)
                scenarios.append(path)
            case .file, .missing: scenarios.append(path)
            }
        }
    }

    /// Returns the diagnostics for the missing paths on the command line.
    func missing(_ options: RunOptions) -> [Diagnostic] {
        var options = options
        options.fileRoot = nil
        return scripts.filter { SourceFiles.kind(of: $0) == .missing }.map { .missingInput($0) }
            + Selection(scenarios, options).diagnostics
    }

    /// The diagnostics for the folders on the command line that no longer exist.
    var gone: [Diagnostic] {
        folders.filter { SourceFiles.resolved($0) == nil || SourceFiles.kind(of: $0) != .folder }
            .map { .missingInput($0) }
    }

    /// The scripts that the command line names, including the bundles in folders.
    var allScripts: [String] {
        guard takesFolders else { return scripts }
        return scripts
            + folders.filter { SourceFiles.kind(of: Paths.path("main.lua", from: $0)) == .file }
    }

    /// Returns whether a folder on the command line is the bundle with the given key, even if the
    /// folder's `main.lua` is currently missing.
    func isBundle(_ key: String) -> Bool {
        takesFolders && folders.contains { WatchPlan.key(of: $0) == key }
    }
}

/// The existing scripts and scenario files to watch.
struct WatchPlan {
    /// A bundle, identified by its path as the user wrote it.
    struct Script {
        let path: String
        /// The `use` line of a scenario file; nil if the command line names the bundle.
        var location: Span?
        /// Whether a scenario file marks the scripts as trusted.
        var isTrusted = false
    }

    /// The scenario files; nil if none of the paths can contain scenario files.
    let run: RunPlan?
    /// The scripts, each with its key: first those on the command line, then those that scenario
    /// files name.
    private(set) var scripts: [(key: String, script: Script)] = []

    init(_ paths: WatchedPaths, _ command: WatchCommand) {
        run =
            paths.scenarios.isEmpty
            ? nil : RunPlan(paths.scenarios, filter: command.filter, options: command.options)
        for path in paths.allScripts { add(Script(path: path)) }
        for file in files {
            guard let parsed = file.parsed, !file.selection.isEmpty,
                let path = ScenarioRunner.scriptPath(of: parsed, command.options)
            else { continue }
            let location = ScenarioRunner.usePlace(in: parsed, command.options)
            let isTrusted = parsed.settings.profile == .trusted
            add(Script(path: path, location: location, isTrusted: isTrusted))
        }
    }

    var files: [RunPlan.File] { run?.files ?? [] }

    private mutating func add(_ script: Script) {
        let key = Self.key(of: script.path)
        guard let index = scripts.firstIndex(where: { $0.key == key }) else {
            return scripts.append((key, script))
        }
        if script.isTrusted { scripts[index].script.isTrusted = true }
    }

    /// Returns a key for the scripts at a path.
    ///
    /// A folder and its `main.lua` have the same key. The key is derived only from the text of the
    /// path, because the target of a symbolic link may change at any time while the bundle remains
    /// the same.
    static func key(of path: String) -> String {
        let path = Paths.path(path, from: "")
        if path == "main.lua" { return "." }
        return path.hasByteSuffix("/main.lua") ? Paths.folder(of: path) : path
    }
}
