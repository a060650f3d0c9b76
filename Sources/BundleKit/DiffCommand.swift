// SPDX-License-Identifier: MIT

#if BundleCommand
internal import LuaRouteBundles
internal import LuaRouting
internal import RouteCore
package import ScenarioKit

/// The command `luaroute bundle diff`, which prints the differences between two bundles.
package struct DiffCommand {
    /// The older bundle.
    package var old: String
    /// The newer bundle.
    package var new: String
    /// The files of the public keys, one of which must have signed each bundle; empty to compare
    /// the bundles without verification.
    package var keys: [String] = []
    /// Whether to print a JSON document.
    package var isJSON = false
    /// Whether the exit code is 1 if the bundles differ.
    package var setsCode = false

    /// Creates a command.
    package init(old: String, new: String) { (self.old, self.new) = (old, new) }

    /// Compares the manifests, the signers and the files of both bundles, and loads and compares
    /// their scripts.
    ///
    /// - Returns: The exit code.
    package func run(_ streams: BundleOutput) -> ExitCode {
        streams.run(json: isJSON ? .diff : nil) {
            (results) throws(LoadedScripts.Failure) in
            results.compared = (old, new)
            let keys = try BundleFiles.publicKeys(keys)
            let (oldBundle, newBundle) = (try load(old, keys), try load(new, keys))
            if keys.isEmpty {
                streams.console.errors(
                    "the signatures were not verified (verify them with '--public-key')\n"
                )
            }
            let comparison = try ScriptComparison(from: oldBundle.scripts, to: newBundle.scripts)
            let (old, new) = (oldBundle.manifest.capabilities, newBundle.manifest.capabilities)
            let (gained, lost) = (new.missing(in: old.words), old.missing(in: new.words))
            let files = Self.changedFiles(from: oldBundle.manifest, to: newBundle.manifest)
            let (oldFields, newFields) = (oldBundle.fields, newBundle.fields)
            let fields = zip(oldFields, newFields).filter { $0.value != $1.value }
                .map { BundleResults.FieldChange(name: $0.name, old: $0.value, new: $1.value) }
            var text: PrintedText = fields.map { "~  \($0.text)\n" as PrintedText }.joined()
            text += comparison.text
            for file in files { text += "~  file \(file)\n" }
            for word in gained { text += "+  capability \(word)\n" }
            for word in lost { text += "-  capability \(word)\n" }
            if setsCode, !text.isEmpty { results.code = .failed }
            if !isJSON { streams.console.output(text) }
            (results.verified, results.comparison) = (!keys.isEmpty, comparison)
            (results.gained, results.lost, results.files) = (gained, lost, files)
            results.fields = fields
        }
    }

    /// Returns the sorted paths of the files that differ or that only one of the bundles contains.
    private static func changedFiles(
        from old: BundleManifest,
        to new: BundleManifest
    ) -> [String] {
        let known = [old, new].map {
            Dictionary(uniqueKeysWithValues: $0.files.map { ($0.path, $0) })
        }
        return Set(known.flatMap(\.keys)).filter { known[0][$0] != known[1][$0] }.sorted()
    }

    private func load(
        _ path: String,
        _ keys: [BundlePublicKey]
    ) throws(LoadedScripts.Failure) -> ComparedBundle {
        let archive = try BundleFiles.archive(path)
        let (manifest, contents) = try BundleFiles.refusing(path) { () throws(BundleRefusal) in
            if !keys.isEmpty { _ = try VerifiedBundle(archive, keys: keys) }
            return try archive.unverified()
        }
        do throws(LoadedScripts.Failure) {
            let scripts = try LoadedScripts(manifest.scripts(in: contents), RunOptions())
            return ComparedBundle(signer: archive.signer, manifest: manifest, scripts: scripts)
        } catch {
            // Both bundles may have files with the same names.
            var diagnostics = error.diagnostics
            for index in diagnostics.indices {
                diagnostics[index].notes.append(.init("bundle", path))
            }
            throw LoadedScripts.Failure(diagnostics: diagnostics, code: error.code)
        }
    }
}

/// One of two bundles that are compared.
private struct ComparedBundle {
    let signer: BundlePublicKey?
    let manifest: BundleManifest
    let scripts: LoadedScripts

    /// The fields of the manifest, except for the capabilities and the files, and the signer.
    ///
    /// The value of an absent field is nil.
    var fields: [(name: String, value: String?)] {
        func list(_ names: [String]?) -> String? {
            names.flatMap { $0.isEmpty ? nil : $0.joined(separator: ", ") }
        }
        let needs = manifest.needs
        return [
            ("name", manifest.name), ("version", "\(manifest.version)"),
            ("signer", signer?.fingerprint), ("api", "\(manifest.api)"), ("entry", manifest.entry),
            ("created", manifest.created.map(BundleTime.text)),
            ("not after", manifest.notAfter.map(BundleTime.text)), ("tasks", list(needs.tasks)),
            ("screens", list(needs.screens)), ("dependencies", list(needs.dependencies)),
            ("canary", list(manifest.canary)),
        ]
    }
}
#endif
