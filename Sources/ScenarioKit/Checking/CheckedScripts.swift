// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// The scripts of a check, each loaded once.
struct CheckedScripts {
    /// Scripts loaded with all capabilities, their host's manifest if there is one, and the
    /// capabilities to compare them with.
    struct Loaded {
        let scripts: LoadedScripts
        let manifest: HostManifest?
        let capabilities: Capabilities
        let contract: RouterContract?
    }

    private let command: CheckCommand
    private let plan: CheckPlan
    private var loaded: [ByteString: Result<Loaded, LoadedScripts.Failure>] = [:]
    private var names: [ByteString: KnownNames] = [:]
    /// The messages that scripts logged while they loaded, since they were taken.
    private var log: PrintedText = ""

    init(_ command: CheckCommand, _ plan: CheckPlan) { (self.command, self.plan) = (command, plan) }

    /// Loads the scripts at a path.
    mutating func load(_ path: String) -> Result<Loaded, LoadedScripts.Failure> {
        let key = CheckPlan.key(of: path)
        if let known = loaded[key] { return known }
        let result = Result { () throws(LoadedScripts.Failure) -> Loaded in
            var options = command.options
            if plan.isTrusted(path) { options.isTrusted = true }
            let scripts = try LoadedScripts(path, options, usedAt: plan.use(of: path))
            return Loaded(
                scripts: scripts,
                manifest: try manifest(of: scripts.bundle),
                capabilities: try options.capabilitiesPath.map(Capabilities.init(path:))
                    ?? Capabilities(),
                contract: try options.contractPath.map(RouterContract.init(path:))
            )
        }
        loaded[key] = result
        switch result {
        case .success(let loaded): log += loaded.scripts.log
        case .failure(let failure): log += failure.log
        }
        return result
    }

    /// Returns the messages that scripts have logged since the last call.
    mutating func takeLog() -> PrintedText {
        defer { log = "" }
        return log
    }

    /// Returns the manifest from the command line, or the one beside the scripts' entry.
    private func manifest(of bundle: ScriptBundle) throws(LoadedScripts.Failure) -> HostManifest? {
        if let path = command.options.manifestPath { return try HostManifest(path: path) }
        let path = bundle.displayPath(of: "host.json")
        guard let root = bundle.root, SourceFiles.isThere(path) else { return nil }
        return try HostManifest(path: path, in: SourceFiles.resolved(root))
    }

    /// Returns the names in a scenario file that its scripts do not have; none if they do not load.
    mutating func nameFindings(in input: CheckPlan.ScenarioInput) -> [Diagnostic] {
        guard let file = input.parsed, let script = input.script else { return [] }
        var paths = [script]
        for step in file.background + file.scenarios.flatMap(\.steps) {
            guard case .reload(let path?, let fails) = step.action, !fails else { continue }
            paths.append(Paths.path(path, from: Paths.folder(of: file.source.name)))
        }
        var known: KnownNames?
        for path in Set(paths) {
            guard let more = knownNames(path) else { return [] }
            if known?.formUnion(more) == nil { known = more }
        }
        return known.map { NameCheck.findings(in: file, $0) } ?? []
    }

    private mutating func knownNames(_ path: String) -> KnownNames? {
        let key = CheckPlan.key(of: path)
        if let names = names[key] { return names }
        guard case .success(let loaded) = load(path) else { return nil }
        let found = loaded.scripts.router.knownNames(loaded.manifest)
        names[key] = found
        return found
    }
}
