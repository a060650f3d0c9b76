// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// The scripts of a check, each of which is loaded only once.
struct CheckedScripts {
    /// Scripts that were loaded with all capabilities granted, the manifest of their host if there
    /// is one, and the capabilities to check the scripts against.
    struct Loaded {
        let scripts: LoadedScripts
        let manifest: HostManifest?
        /// The names that the scripts and their host declare.
        let known: KnownNames
        let capabilities: Capabilities
        let contract: RouterContract?
        private let texts: ScriptTexts

        /// Reads the files that describe the host of the scripts.
        ///
        /// The manifest is the file in the options, or otherwise the `host.json` next to the entry
        /// of the scripts. The texts of files that have not changed since `older` are reused.
        init(
            _ scripts: LoadedScripts,
            _ options: RunOptions,
            after older: Loaded? = nil
        ) throws(LoadedScripts.Failure) {
            self.scripts = scripts
            if let path = options.manifestPath {
                manifest = try HostManifest(path: path, options.files)
            } else if let root = scripts.bundle.root {
                let path = scripts.bundle.displayPath(of: "host.json")
                manifest =
                    SourceFiles.isThere(path) || options.files[unsaved: path] != nil
                    ? try HostManifest(path: path, in: SourceFiles.resolved(root), options.files)
                    : nil
            } else {
                manifest = nil
            }
            capabilities =
                try options.capabilitiesPath.map { path throws(LoadedScripts.Failure) in
                    try Capabilities(path: path, options.files)
                } ?? Capabilities()
            contract = try options.contractPath.map { path throws(LoadedScripts.Failure) in
                try RouterContract(path: path, options.files)
            }
            texts = scripts.router.scriptTexts(after: older?.texts)
            known = scripts.router.knownNames(manifest, texts.text)
        }

        /// The findings about the scripts.
        var findings: [Diagnostic] {
            let places = ScriptPlaces(scripts.bundle)
            let findings = scripts.router.check(
                texts,
                manifest: manifest,
                capabilities: capabilities,
                contract: contract
            )
            var routes = DeclaredRoutes(scripts.router.registrations)
            return findings.map { finding in
                routes.naming(Diagnostic(finding, places), at: finding.location)
            }
        }
    }

    private let command: CheckCommand
    private let plan: CheckPlan
    private var loaded: [ByteString: Result<Loaded, LoadedScripts.Failure>] = [:]
    /// The messages that scripts logged while they loaded, since the last call to ``takeLog()``.
    private var log: PrintedText = ""

    init(_ command: CheckCommand, _ plan: CheckPlan) { (self.command, self.plan) = (command, plan) }

    /// Loads the scripts at a path.
    mutating func load(_ path: String) -> Result<Loaded, LoadedScripts.Failure> {
        let key = CheckPlan.key(of: path)
        if let known = loaded[key] { return known }
        let result = Result { () throws(LoadedScripts.Failure) -> Loaded in
            var options = command.options
            if plan.isTrusted(path) { options.isTrusted = true }
            return try Loaded(LoadedScripts(path, options, usedAt: plan.use(of: path)), options)
        }
        loaded[key] = result
        switch result {
        case .success(let loaded): log += loaded.scripts.log
        case .failure(let failure): log += failure.log
        }
        return result
    }

    /// Returns the messages that scripts have logged since the last call to this function.
    mutating func takeLog() -> PrintedText {
        defer { log = "" }
        return log
    }

    /// Returns a finding for each name in a scenario file that the file's scripts do not declare.
    ///
    /// The list is empty if the scripts do not load.
    mutating func nameFindings(in input: CheckPlan.ScenarioInput) -> [Diagnostic] {
        guard let file = input.parsed, let script = input.script else { return [] }
        return NameCheck.findings(in: file, script) { knownNames($0) }
    }

    private mutating func knownNames(_ path: String) -> KnownNames? {
        guard case .success(let loaded) = load(path) else { return nil }
        return loaded.known
    }
}
