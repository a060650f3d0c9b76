// SPDX-License-Identifier: MIT

#if BundleCommand
internal import LuaRouteBundles
internal import LuaRouting
internal import RouteCore
package import ScenarioKit

/// The command `luaroute bundle diff`, which prints the differences between the scripts of two
/// bundles.
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

    /// Creates a command.
    package init(old: String, new: String) { (self.old, self.new) = (old, new) }

    /// Loads and compares the scripts of both bundles.
    ///
    /// - Returns: The exit code.
    package func run(_ streams: BundleOutput) -> ExitCode {
        streams.run(json: isJSON ? .diff : nil) {
            (results) throws(LoadedScripts.Failure) in
            results.compared = (old, new)
            let keys = try BundleFiles.publicKeys(keys)
            let (oldManifest, oldScripts) = try load(old, keys)
            let (newManifest, newScripts) = try load(new, keys)
            if keys.isEmpty {
                streams.console.errors(
                    "the signatures were not verified (verify them with '--public-key')\n"
                )
            }
            let comparison = try ScriptComparison(from: oldScripts, to: newScripts)
            let (old, new) = (oldManifest.capabilities, newManifest.capabilities)
            let (gained, lost) = (new.missing(in: old.words), old.missing(in: new.words))
            let files = Self.changedFiles(from: oldManifest, to: newManifest)
            guard isJSON else {
                streams.console.output(comparison.text)
                for file in files { streams.console.output("~  file \(file)\n") }
                for word in gained { streams.console.output("+  capability \(word)\n") }
                for word in lost { streams.console.output("-  capability \(word)\n") }
                return
            }
            (results.verified, results.comparison) = (!keys.isEmpty, comparison)
            (results.gained, results.lost, results.files) = (gained, lost, files)
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
    ) throws(LoadedScripts.Failure) -> (BundleManifest, LoadedScripts) {
        let archive = try BundleFiles.archive(path)
        let (manifest, contents) = try BundleFiles.refusing(path) { () throws(BundleRefusal) in
            if !keys.isEmpty { _ = try VerifiedBundle(archive, keys: keys) }
            return try archive.unverified()
        }
        return (manifest, try LoadedScripts(manifest.scripts(in: contents), RunOptions()))
    }
}
#endif
