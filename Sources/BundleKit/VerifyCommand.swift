// SPDX-License-Identifier: MIT

#if BundleCommand
internal import LuaRouteBundles
internal import LuaRouting
internal import RouteCore
package import ScenarioKit

/// The command `luaroute bundle verify`, which verifies a bundle as an app does when it receives
/// the bundle.
package struct VerifyCommand {
    /// The path of the bundle.
    package var path: String
    /// The files of the public keys, one of which must have signed the bundle.
    package var keys: [String]
    /// The bundle that the verified bundle replaces; nil if there is none.
    package var previous: String?
    /// The name that the app expects; nil for the name of ``previous``.
    package var name: String?
    /// The capabilities that the bundle may request in addition to those of ``previous``.
    package var grants: [String] = []
    /// The maximum size that the app accepts, in bytes.
    package var sizeLimit = BundleArchive.sizeLimit
    /// The highest API level that the app supports; nil for that of this command.
    package var api: Int?
    /// The maximum difference between the versions of the bundle and of ``previous``.
    package var versionStep = Int.max
    /// The time at which the bundle is verified, in seconds since 1970; nil to ignore the time.
    package var time: Int?
    /// Whether to print a JSON document.
    package var isJSON = false

    /// Creates a command.
    package init(path: String, keys: [String]) { (self.path, self.keys) = (path, keys) }

    /// Verifies the bundle.
    ///
    /// - Returns: The exit code.
    package func run(_ streams: BundleOutput) -> ExitCode {
        streams.run(json: isJSON ? .verify : nil) {
            (results) throws(LoadedScripts.Failure) in
            results.file = path
            let bundle = try verify()
            let manifest = bundle.manifest
            (results.name, results.version) = (manifest.name, manifest.version)
            (results.digest, results.signer) = (bundle.digest, bundle.signer.description)
            if !isJSON {
                streams.console.output(
                    "\(path: path): \(manifest.title), \(manifest.contents), signed by \(bundle.signer.fingerprint)\n"
                )
            }
        }
    }

    private func verify() throws(LoadedScripts.Failure) -> VerifiedBundle {
        let keys = try BundleFiles.publicKeys(keys)
        let archive = try BundleFiles.archive(path, limit: sizeLimit)
        let old = try previous.map { (path) throws(LoadedScripts.Failure) in
            let archive = try BundleFiles.archive(path)
            return try BundleFiles.refusing(path) { () throws(BundleRefusal) in
                try VerifiedBundle(archive, keys: keys)
            }
        }
        return try BundleFiles.refusing(path) { () throws(BundleRefusal) in
            let bundle = try VerifiedBundle(archive, keys: keys)
            if let name = name ?? old?.manifest.name { try bundle.check(name: name) }
            if let api { try bundle.check(apiLevel: api) }
            try bundle.checkStaging(at: time ?? 0, over: old?.manifest.version)
            if let old { try bundle.check(versionStep: versionStep, over: old.manifest.version) }
            guard let old else {
                if !grants.isEmpty { try bundle.manifest.capabilities.check(grants) }
                return bundle
            }
            try bundle.manifest.capabilities.check(old.manifest.capabilities.words + grants)
            return bundle
        }
    }
}

extension BundleCapabilities {
    /// Throws a refusal if a requested capability is not granted.
    fileprivate func check(_ grants: [String]) throws(BundleRefusal) {
        let missing = missing(in: grants)
        guard !missing.isEmpty else { return }
        throw BundleRefusal(
            .capability,
            "the bundle requests capabilities that were not granted",
            expected: "'--grant' for each new capability",
            got: missing.joined(separator: ", ")
        )
    }
}
#endif
