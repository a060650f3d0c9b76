// SPDX-License-Identifier: MIT

internal import SystemGaps

#if BundleCommand
internal import LuaRouteBundles
internal import LuaRouting
internal import RouteCore
package import ScenarioKit

/// The inputs and outputs of a command: results, messages, files, and the standard input.
package struct BundleOutput {
    /// The results and messages.
    let console: Console
    /// Returns the next bytes of the standard input; nil at the end.
    let input: () throws(InputError) -> [UInt8]?
    /// Writes a file completely or not at all.
    ///
    /// Returns the system's reason if the file cannot be written; otherwise nil.
    let save: (_ bytes: [UInt8], _ path: String, _ isSecret: Bool) -> String?

    package init(
        _ console: Console,
        input: @escaping () throws(InputError) -> [UInt8]?,
        save: @escaping (_ bytes: [UInt8], _ path: String, _ isSecret: Bool) -> String?
    ) {
        (self.console, self.input, self.save) = (console, input, save)
    }

    /// Runs a command, and reports its failure.
    ///
    /// - Returns: The exit code.
    func run(_ body: () throws(LoadedScripts.Failure) -> Void) -> ExitCode {
        do throws(LoadedScripts.Failure) {
            try body()
            return .success
        } catch {
            console.errors(error.text(isColored: console.errorStyle.isColored))
            return error.code
        }
    }

    /// Runs a command that prints a JSON document, even if the command fails.
    ///
    /// - Parameters:
    ///   - command: The name of the command in the document; nil to print no document.
    ///   - body: Adds the results.
    /// - Returns: The exit code: that of the failure, or otherwise that of the results.
    func run(
        json command: BundleResults.Command?,
        _ body: (inout BundleResults) throws(LoadedScripts.Failure) -> Void
    ) -> ExitCode {
        var results = BundleResults()
        let failure = run { () throws(LoadedScripts.Failure) in
            do throws(LoadedScripts.Failure) {
                try body(&results)
            } catch {
                results.diagnostics = error.diagnostics
                throw error
            }
        }
        results.code = max(results.code, failure)
        if let command { console.output(results.text(of: command)) }
        return results.code
    }

    func write(_ bytes: [UInt8], to path: String, isSecret: Bool = false) throws(LoadedScripts
        .Failure)
    {
        if let reason = save(bytes, path, isSecret) {
            let diagnostic = Diagnostic(.inputUnreadable, "'\(path)' cannot be written: \(reason)")
            throw LoadedScripts.Failure(diagnostics: [diagnostic], code: .outputFailed)
        }
    }

    /// Writes a bundle to a path whose present content is given: the bundle may replace an older
    /// bundle, or the same bundle with another signature, but no other file.
    ///
    /// A signed bundle is replaced only by a higher version, because devices that already have the
    /// bundle refuse a different one of the same version.
    ///
    /// - Throws: A failure if the file must not be replaced, or cannot be written.
    func write(
        _ archive: BundleArchive,
        to path: String,
        replacing target: BundleFiles.Target
    ) throws(LoadedScripts.Failure) {
        if case .bundle(let old) = target, old.signer != nil, old.digest != archive.digest,
            let (other, _) = try? old.unverified()
        {
            let (manifest, _) = try BundleFiles.refusing(path, archive.unverified)
            guard other.version < manifest.version else {
                throw BundleFiles.keeping(
                    "'\(path)' is a signed bundle of version \(other.version), and a different bundle of version \(manifest.version) cannot replace it",
                    help: "give a higher '--version', name another output file, or remove '\(path)'"
                )
            }
        }
        try write(archive.bytes, to: path)
    }
}

/// Functions that read the input files of commands.
enum BundleFiles {
    /// Reads a file with at most the given number of bytes.
    static func read(_ path: String, limit: Int) throws(LoadedScripts.Failure) -> [UInt8] {
        do throws(BundleError) {
            return try SourceFiles.read(path, limit: limit)
        } catch {
            throw LoadedScripts.Failure(input: error)
        }
    }

    /// Reads a bundle of at most the given number of bytes, and checks the lengths of its parts.
    static func archive(
        _ path: String,
        limit: Int = BundleArchive.sizeLimit
    ) throws(LoadedScripts.Failure) -> BundleArchive {
        let bytes = try read(path, limit: BundleArchive.sizeLimit)
        return try refusing(path) { () throws(BundleRefusal) in
            try BundleArchive(bytes, limit: limit)
        }
    }

    /// The content of the path of a bundle that a command is about to write.
    enum Target {
        /// No file, an empty or a damaged bundle, or a device or a pipe, which only passes bytes on.
        case free
        /// A bundle.
        case bundle(BundleArchive)
    }

    /// Reads the bundle at a path that a command is about to write.
    ///
    /// - Throws: A failure if the path is that of a file that is not a bundle, such as a private
    ///   key or a script.
    static func target(_ path: String) throws(LoadedScripts.Failure) -> Target {
        guard SourceFiles.isRegular(path) else { return .free }
        let bytes: [UInt8]
        do throws(BundleError) {
            bytes = try SourceFiles.read(path, limit: BundleArchive.sizeLimit)
        } catch {
            throw keeping("'\(path)' cannot be replaced: \(error.message)", help: otherTarget)
        }
        do throws(BundleRefusal) {
            return .bundle(try BundleArchive(bytes))
        } catch {
            guard error.reason == .notABundle else { return .free }
            throw keeping(
                "'\(path)' is not a bundle, and only a bundle is replaced",
                help: otherTarget
            )
        }
    }

    static let otherTarget = "name another output file with '-o', such as 'app.lrb'"

    /// Returns the failure of a command that keeps an existing file.
    static func keeping(_ message: String, help: String) -> LoadedScripts.Failure {
        LoadedScripts.Failure(
            diagnostics: [Diagnostic(.inputUnreadable, message, help: help)],
            code: .outputFailed
        )
    }

    /// Calls a closure that checks the bundle at a path, and converts a refusal to a failure of the
    /// command.
    static func refusing<Content>(
        _ path: String,
        _ body: () throws(BundleRefusal) -> Content
    ) throws(LoadedScripts.Failure) -> Content {
        do throws(BundleRefusal) {
            return try body()
        } catch {
            var diagnostic = Diagnostic(
                DiagnosticCode(error.reason.code),
                "'\(path)': \(error.description)",
                help: error.help
            )
            if let offset = error.offset {
                diagnostic.notes.insert(.init("byte", "\(offset)"), at: 0)
            }
            throw LoadedScripts.Failure(diagnostics: [diagnostic], code: .failed)
        }
    }

    /// The argument with which a command reads a private key from the standard input.
    static let inputMark = "-"

    /// Reads a private key from a file, or from the standard input.
    static func privateKey(
        _ path: String,
        _ input: () throws(InputError) -> [UInt8]?
    ) throws(LoadedScripts.Failure) -> BundlePrivateKey {
        var bytes: [UInt8] = []
        do throws(InputError) {
            // Because the key can be piped in, CI does not have to store the secret in a file.
            while path == inputMark, bytes.count <= keyLimit, let next = try input() {
                bytes += next
            }
        } catch {
            let message = "the standard input cannot be read: \(error.reason)"
            throw LoadedScripts.Failure(
                diagnostics: [Diagnostic(.inputUnreadable, message)],
                code: .inputMissing
            )
        }
        do throws(LoadedScripts.Failure) {
            if path != inputMark { bytes = try read(path, limit: keyLimit) }
        } catch {
            var diagnostics = error.diagnostics
            if SourceFiles.kind(of: path) == .file {
                let help = "to read the key from a pipe, use '--key -' and the standard input"
                diagnostics[0].notes.append(.init("help", help))
            }
            throw LoadedScripts.Failure(diagnostics: diagnostics, code: error.code)
        }
        return try key(bytes, of: path, title: "private key", convert: BundlePrivateKey.init)
    }

    /// The maximum size of a key file, in bytes.
    private static let keyLimit = 4_096

    /// Converts the bytes of a key file to a key.
    private static func key<Key>(
        _ bytes: [UInt8],
        of path: String,
        title: String,
        convert: (String) -> Key?
    ) throws(LoadedScripts.Failure) -> Key {
        if let key = String(valid: bytes).flatMap(convert) { return key }
        let diagnostic = Diagnostic(
            .inputUnreadable,
            "\(path == inputMark ? "the standard input" : "'\(path)'") is not \(title.withArticle) (one line with 'ed25519-\(title.prefix { $0 != " " })' and 64 "
                + "hexadecimal digits expected)",
            help: "make a key pair: luaroute bundle key -o app.key"
        )
        throw LoadedScripts.Failure(diagnostics: [diagnostic], code: .inputMissing)
    }

    /// Reads public keys.
    static func publicKeys(_ paths: [String]) throws(LoadedScripts.Failure) -> [BundlePublicKey] {
        try paths.map { (path) throws(LoadedScripts.Failure) in
            let bytes = try read(path, limit: keyLimit)
            return try key(bytes, of: path, title: "public key", convert: BundlePublicKey.init)
        }
    }
}

extension BundleRefusal {
    /// A suggestion for fixing the problem; nil if there is none.
    fileprivate var help: String? {
        switch reason {
        case .unsigned: "sign the bundle: luaroute bundle sign --key FILE BUNDLE"
        case .notABundle: "make a bundle from a folder: luaroute bundle FOLDER -o FILE --version N"
        case .capability: "grant each capability that the scripts need with '--grant'"
        default: nil
        }
    }
}
#endif
