// SPDX-License-Identifier: MIT

#if BundleCommand
internal import LuaRouteBundles
internal import LuaRouting
internal import RouteCore
internal import RouteEngine
package import ScenarioKit

/// The command `luaroute bundle make`, which writes the scripts of a folder, or of another bundle,
/// as one unsigned file.
package struct MakeCommand {
    /// The scripts: a folder with a `main.lua`, an entry file, or a bundle with the extension
    /// `.lrb`.
    package var path: String
    /// The file to write.
    package var target: String
    /// The version.
    package var version: Int
    /// The name; nil for the name of the folder or the bundle.
    package var name: String?
    /// The time of creation in seconds since 1970; nil to record no time.
    package var created: Int?
    /// The last second in which the bundle may be staged, in seconds since 1970; nil if there is no
    /// limit.
    package var notAfter: Int?
    /// The paths of canary scenarios in the folder; empty for those of the bundle.
    package var canary: [String] = []
    /// Requested capabilities, in addition to those that are derived from the scripts.
    package var capabilities: [String] = []
    /// The options for loading the scripts.
    package var options = RunOptions()

    /// Creates a command.
    package init(path: String, target: String, version: Int) {
        (self.path, self.target, self.version) = (path, target, version)
    }

    /// Loads the scripts, and writes the bundle.
    ///
    /// A signed bundle with the same contents is kept, with its signature.
    ///
    /// - Returns: The exit code.
    package func run(_ streams: BundleOutput) -> ExitCode {
        streams.run { () throws(LoadedScripts.Failure) in
            let archive =
                try path.hasByteSuffix(".lrb")
                ? archive(of: BundleFiles.archive(path), streams)
                : archive(of: LoadedScripts(path, options))
            let (manifest, _) = try BundleFiles.refusing(target, archive.unverified)
            let existing = try BundleFiles.target(target)
            if case .bundle(let old) = existing,
                let signer = old.signer, old.digest == archive.digest,
                (try? old.unverified()) != nil
            {
                streams.console.errors(
                    "\(path: target): \(manifest.title), unchanged, signed by \(signer.fingerprint) (not verified)\n"
                )
                return
            }
            try streams.write(archive, to: target, replacing: existing)
            streams.console.errors(
                "\(path: target): \(manifest.title), \(manifest.contents), not signed\n"
            )
        }
    }

    /// The versions that a bundle can have.
    package static let versions = 1...BundleManifest.highestVersion

    /// Converts a time on the command line to seconds since 1970; nil if the text is not a time.
    package static func seconds(_ text: String, endsDay: Bool = false) -> Int? {
        BundleTime.seconds(text, endsDay: endsDay)
    }

    /// Returns whether a text is a valid word of ``BundleCapabilities``.
    package static func isCapability(_ word: String) -> Bool { BundleCapabilities.isWord(word) }

    /// Returns whether a text is a valid word, or the name of a capability that takes values.
    package static func isGrant(_ word: String) -> Bool {
        isCapability(word) || BundleCapabilities.names.contains(word)
    }

    /// The list of the valid words, for messages.
    package static var capabilityHelp: String {
        BundleCapabilities.names.joined(separator: ", ")
            + "; a capability with a value has the form 'screens:Web'"
    }

    /// Returns a bundle with the files and the requests of another bundle.
    private func archive(
        of bundle: BundleArchive,
        _ streams: BundleOutput
    ) throws(LoadedScripts.Failure) -> BundleArchive {
        guard SourceFiles.resolved(path) != SourceFiles.resolved(target) else {
            throw BundleFiles.keeping(
                "'\(target)' is both the bundle to read and the file to write",
                help: BundleFiles.otherTarget
            )
        }
        let (old, contents) = try BundleFiles.refusing(path, bundle.unverified)
        let archive = try BundleFiles.refusing(path) { () throws(BundleRefusal) in
            var manifest = try BundleManifest(name: name ?? old.name, version: version)
            (manifest.api, manifest.entry, manifest.needs) = (old.api, old.entry, old.needs)
            (manifest.created, manifest.notAfter) = (created, notAfter)
            manifest.canary = canary.isEmpty ? old.canary : canary
            manifest.capabilities = BundleCapabilities(old.capabilities.words + capabilities)
            let files = Dictionary(uniqueKeysWithValues: zip(old.files.map(\.path), contents))
            return try BundleArchive(manifest, files: files)
        }
        try checkRights(of: archive)
        let signer = bundle.signer.map { "signed by \($0.fingerprint) (not verified)" }
        streams.console.errors(
            "\(path: path): \(old.title), \(signer ?? "not signed")\n"
        )
        return archive
    }

    private func archive(of scripts: LoadedScripts) throws(LoadedScripts.Failure) -> BundleArchive {
        let root = scripts.bundle.root ?? "."
        var files: [String: [UInt8]] = [:]
        let paths = try ScriptFolder.files(in: root)
        try BundleFiles.refusing(path) { () throws(BundleRefusal) in
            try BundleManifest.checkCollisions(of: paths)
        }
        for file in paths {
            do throws(BundleError) {
                files[file] = try scripts.bundle.source(of: file)
            } catch {
                throw LoadedScripts.Failure(error, at: nil)
            }
        }
        for file in try ScriptFolder.scenarios(canary, in: root) {
            files[file] = try BundleFiles.read("\(root)/\(file)", limit: ScriptBundle.sourceLimit)
        }
        let archive = try BundleFiles.refusing(path) { () throws(BundleRefusal) in
            try BundleArchive(try manifest(of: scripts, root), files: files)
        }
        try checkRights(of: archive)
        return archive
    }

    private func manifest(
        of scripts: LoadedScripts,
        _ root: String
    ) throws(BundleRefusal) -> BundleManifest {
        let router = scripts.router
        guard router.namesLevel else {
            let call = "router.api(\(Router.apiLevels.upperBound))"
            throw BundleRefusal(
                .api,
                "the scripts do not name their API level; 'luaroute check --fix' adds it",
                expected: "'\(call)' in the entry file",
                got: "no such call"
            )
        }
        var manifest = try BundleManifest(
            name: name ?? ScriptFolder.name(of: root),
            version: version
        )
        manifest.api = router.apiLevel
        manifest.entry = scripts.bundle.entry
        (manifest.created, manifest.notAfter) = (created, notAfter)
        manifest.canary = canary
        let expected = router.declarations.expectations
        manifest.needs.tasks = expected.tasks.map(\.description).sorted()
        manifest.needs.screens = expected.screens?.sorted()
        manifest.needs.dependencies = expected.dependencies.sorted()
        // If the bundle requested a maximum timeout, each wait without a declared timeout would
        // also be limited.
        let needs = router.needs().filter { $0.capability != Capability.timeout.rawValue }
        manifest.capabilities = BundleCapabilities(needs.map(\.word) + capabilities)
        return manifest
    }

    /// Loads the scripts from the bundle with the rights that the bundle requests, as an app does.
    private func checkRights(of archive: BundleArchive) throws(LoadedScripts.Failure) {
        let (manifest, contents) = try BundleFiles.refusing(target, archive.unverified)
        var options = options
        options.capabilities = manifest.capabilities.rights
        _ = try LoadedScripts(manifest.scripts(in: contents), options)
    }
}

extension BundleManifest {
    /// The name and the version.
    var title: String { "\(name) \(version)" }

    /// The number and the size of the files.
    var contents: String {
        let size = files.reduce(0) { $0 + $1.size }
        return "\(files.count) \(files.count == 1 ? "file" : "files"), \(size) bytes"
    }

    /// Returns the bundle's scripts, given the contents of the files in the order of
    /// ``BundleManifest/files``.
    func scripts(in contents: [[UInt8]]) -> ScriptBundle {
        let texts = contents.map { String(decoding: $0, as: UTF8.self) }
        return scripts(in: Dictionary(uniqueKeysWithValues: zip(files.map(\.path), texts)))
    }
}

extension BundleNeed {
    /// The word for the capability in a manifest.
    fileprivate var word: String {
        switch Capability(rawValue: capability) {
        case .timerCount: "timers"
        case .urls: "urls:\(name ?? "any")"
        case .screens, .tasks: "\(capability):\(name ?? "")"
        default: capability
        }
    }
}
#endif
