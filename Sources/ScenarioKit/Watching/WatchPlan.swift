// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The paths of a watch, each by what stands there when it begins.
struct WatchedPaths {
    /// The scripts that the command line names.
    private(set) var scripts: [String] = []
    /// The paths of scenario files and of folders of them.
    private(set) var scenarios: [String] = []
    /// Those of them that are folders.
    private(set) var folders: [String] = []
    /// Whether folders are bundles as well, where they have an entry.
    private let takesFolders: Bool

    init(_ command: WatchCommand) {
        takesFolders = command.options.script == nil
        if let script = command.options.script { scripts.append(script) }
        for path in command.paths.isEmpty ? ["."] : command.paths {
            switch SourceFiles.kind(of: path) {
            case .file where !path.hasSuffix(Selection.fileExtension): scripts.append(path)
            case .folder:
                folders.append(path)
                scenarios.append(path)
            case .file, .missing: scenarios.append(path)
            }
        }
    }

    /// What is missing of all that the command line names.
    var missing: [Diagnostic] {
        scripts.filter { SourceFiles.kind(of: $0) == .missing }.map { .missingInput($0) }
            + Selection(scenarios).diagnostics
    }

    /// The scripts that the command line names, those of folders among them.
    var allScripts: [String] {
        guard takesFolders else { return scripts }
        return scripts
            + folders.filter { SourceFiles.kind(of: Paths.path("main.lua", from: $0)) == .file }
    }

    /// Whether a folder of the command line is the bundle of a key, though its entry may be gone at
    /// the moment.
    func isBundle(_ key: String) -> Bool {
        takesFolders && folders.contains { WatchPlan.key(of: $0) == key }
    }
}

/// What is to be watched, as the files are now.
struct WatchPlan {
    /// A bundle by the way people write it.
    struct Script {
        let path: String
        /// Where a scenario file names it, nil where the command line does.
        var location: Span?
        /// Whether a scenario file lets them use what those of an app of its own may.
        var isTrusted = false
    }

    /// The scenario files; nil where no path may lead to one.
    let run: RunPlan?
    /// The scripts, in the order in which they are named, by their keys.
    private(set) var scripts: [(key: String, script: Script)] = []

    init(_ paths: WatchedPaths, _ command: WatchCommand) {
        run =
            paths.scenarios.isEmpty
            ? nil : RunPlan(paths.scenarios, command.filter, command.options)
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

    /// A name that is the same for a folder and its entry.
    ///
    /// It comes of the text alone: a link may lead elsewhere at any time, and it stays one bundle.
    static func key(of path: String) -> String {
        let path = Paths.path(path, from: "")
        if path == "main.lua" { return "." }
        return path.hasSuffix("/main.lua") ? Paths.folder(of: path) : path
    }
}
