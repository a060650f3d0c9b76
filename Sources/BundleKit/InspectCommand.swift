// SPDX-License-Identifier: MIT

#if BundleCommand
internal import LuaRouteBundles
internal import LuaRouting
internal import RouteCore
package import ScenarioKit

/// The command `luaroute bundle inspect`: prints the manifest of a bundle, without verifying its
/// signature.
package struct InspectCommand {
    /// The bundle.
    package var path: String
    /// Whether to print a JSON document.
    package var isJSON = false

    /// Creates a command.
    package init(path: String) { self.path = path }

    /// Prints the manifest, after checking the digests of the files.
    ///
    /// - Returns: The exit code.
    package func run(_ streams: BundleOutput) -> ExitCode {
        streams.run(json: isJSON ? .inspect : nil) {
            (results) throws(LoadedScripts.Failure) in
            results.file = path
            let archive = try BundleFiles.archive(path)
            let (manifest, _) = try BundleFiles.refusing(path, archive.unverified)
            if !isJSON { streams.console.output(text(archive, manifest)) }
            (results.digest, results.signer) = (archive.digest, archive.signer?.description)
            (results.verified, results.manifest) = (false, manifest.json)
        }
    }

    private func text(_ archive: BundleArchive, _ manifest: BundleManifest) -> PrintedText {
        let signer = archive.signer.map { "\($0.fingerprint) (not verified)" } ?? "nobody"
        let needs = manifest.needs
        var lines = [
            ("bundle", manifest.title), ("api", "\(manifest.api)"), ("entry", manifest.entry),
            ("digest", archive.digest), ("signed by", signer),
        ]
        if let created = manifest.created { lines.append(("created", BundleTime.text(created))) }
        if let last = manifest.notAfter { lines.append(("not after", BundleTime.text(last))) }
        for (title, names) in [
            ("tasks", needs.tasks), ("screens", needs.screens ?? []),
            ("dependencies", needs.dependencies), ("asks for", manifest.capabilities.words),
            ("canary", manifest.canary),
        ] where !names.isEmpty {
            lines.append((title, names.joined(separator: ", ")))
        }
        lines.append(("files", manifest.contents))
        var text: PrintedText = ""
        for (title, value) in lines {
            text += "\(title)\(String(repeating: " ", count: 14 - title.count))\(value)\n"
        }
        for file in manifest.files {
            text += "  \(file.digest.prefix(16))  \(path: file.path)  \(file.size) bytes\n"
        }
        return text
    }
}
#endif
