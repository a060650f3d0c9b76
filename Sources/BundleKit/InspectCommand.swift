// SPDX-License-Identifier: MIT

#if BundleCommand
internal import LuaRouteBundles
internal import LuaRouting
internal import RouteCore
package import ScenarioKit

/// The command `luaroute bundle inspect`, which prints the manifest of a bundle without verifying
/// the signature, or the record of a store.
package struct InspectCommand {
    /// The path of a bundle, or of the folder of a store.
    package var path: String
    /// Whether to print a JSON document.
    package var isJSON = false

    /// Creates a command.
    package init(path: String) { self.path = path }

    /// Prints the record of a store, or the manifest of a bundle after checking the digests of the
    /// files.
    ///
    /// - Returns: The exit code.
    package func run(_ streams: BundleOutput) -> ExitCode {
        streams.run(json: isJSON ? .inspect : nil) {
            (results) throws(LoadedScripts.Failure) in
            results.file = path
            if SourceFiles.kind(of: path) == .folder {
                let state = try state()
                if !isJSON { streams.console.output(text(state)) }
                results.store = state.json
                return
            }
            let archive = try BundleFiles.archive(path)
            let (manifest, contents) = try BundleFiles.refusing(path, archive.unverified)
            let scripts = manifest.scripts(in: contents).digest
            if !isJSON { streams.console.output(text(archive, manifest, scripts: scripts)) }
            (results.digest, results.signer) = (archive.digest, archive.signer?.description)
            (results.scripts, results.verified) = (scripts, false)
            results.manifest = manifest.json
        }
    }

    private func text(
        _ archive: BundleArchive,
        _ manifest: BundleManifest,
        scripts: String
    ) -> PrintedText {
        let signer = archive.signer.map { "\($0.fingerprint) (not verified)" } ?? "nobody"
        let needs = manifest.needs
        var lines = [
            ("bundle", manifest.title), ("api", "\(manifest.api)"), ("entry", manifest.entry),
            ("digest", archive.digest), ("scripts", scripts), ("signed by", signer),
        ]
        if let created = manifest.created { lines.append(("created", BundleTime.text(created))) }
        if let last = manifest.notAfter { lines.append(("not after", BundleTime.text(last))) }
        for (title, names) in [
            ("tasks", needs.tasks), ("screens", needs.screens ?? []),
            ("dependencies", needs.dependencies), ("requests", manifest.capabilities.words),
            ("canary", manifest.canary),
        ] where !names.isEmpty {
            lines.append((title, names.joined(separator: ", ")))
        }
        lines.append(("files", manifest.contents))
        var text = Self.text(lines)
        for file in manifest.files {
            text += "  \(file.digest.prefix(16))  \(path: file.path)  \(file.size) bytes\n"
        }
        return text
    }

    private static func text(_ lines: [(title: String, value: String)]) -> PrintedText {
        lines.map { title, value in
            "\(title)\(String(repeating: " ", count: 14 - title.count))\(value)\n" as PrintedText
        }.joined()
    }

    /// Reads the record of a store without locking or writing anything, because the store may be in
    /// use.
    private func state() throws(LoadedScripts.Failure) -> StoreState {
        let file = "\(path)/\(StoreState.fileName)"
        guard SourceFiles.kind(of: file) != .missing else {
            let message =
                "'\(path)' is not the folder of a store: it does not contain '\(StoreState.fileName)'"
            throw LoadedScripts.Failure(
                diagnostics: [Diagnostic(.inputUnreadable, message)],
                code: .inputMissing
            )
        }
        if let state = StoreState(try BundleFiles.read(file, limit: StoreState.sizeLimit)) {
            return state
        }
        let diagnostic = Diagnostic(
            .inputUnreadable,
            "'\(file)' is damaged, or is not the record of a store (the app creates a new record when it opens the store)"
        )
        throw LoadedScripts.Failure(diagnostics: [diagnostic], code: .inputMissing)
    }

    private func text(_ state: StoreState) -> PrintedText {
        let slots: [(String, StoredBundle?)] = [
            ("staged", state.candidate), ("current", state.current),
            ("last good", state.lastGood), ("previous", state.previous),
        ]
        var lines = slots.map { title, bundle in (title, bundle.map(Self.text) ?? "none") }
        let next = state.next.map { "\($0.name) \($0.version), unless the app is as new" }
        lines.append(("next start", next ?? "the scripts embedded in the app"))
        for digest in state.quarantined {
            let version = state.changes.last { $0.digest == digest }?.version
            lines.append(
                (
                    "quarantined",
                    (version.map { "version \($0), " } ?? "") + String(digest.prefix(16))
                )
            )
        }
        return state.changes.reduce(into: Self.text(lines) + "changes\n") { text, change in
            let words = [
                change.kind.rawValue, change.version.map { "version \($0)" },
                change.digest.map { String($0.prefix(16)) },
                change.signer.map { "signed by \($0)" }, change.reason,
            ]
            let line = words.compactMap(\.self).joined(separator: ", ")
            text += "  \(BundleTime.text(change.time))  \(line)\n"
        }
    }

    private static func text(_ bundle: StoredBundle) -> String {
        let (starts, counts) = (bundle.unconfirmedStarts, bundle.counts)
        return "\(bundle.name) \(bundle.version), \(bundle.digest.prefix(16)), signed by "
            + "\(bundle.signer), \(bundle.isConfirmed ? "confirmed" : "never confirmed"), "
            + (bundle.isHeld ? "held back, " : "")
            + "\(starts) unconfirmed \(starts == 1 ? "start" : "starts"), "
            + "\(counts.failures + counts.otherFailures) of \(counts.navigations) navigations "
            + "failed in \(counts.seconds) s"
    }
}
#endif
