// SPDX-License-Identifier: MIT

#if BundleCommand
internal import LuaRouteBundles
internal import LuaRouting
package import ScenarioKit

/// The command `luaroute bundle key`, which writes a new key pair.
package struct KeyCommand {
    /// The file of the private key.
    ///
    /// The file of the public key has the same name with `.pub` appended.
    package var path: String

    /// Creates a command.
    package init(path: String) { self.path = path }

    /// Writes both files.
    ///
    /// Existing files are never replaced.
    ///
    /// - Returns: The exit code.
    package func run(_ streams: BundleOutput) -> ExitCode {
        streams.run { () throws(LoadedScripts.Failure) in
            let publicPath = path + ".pub"
            for path in [path, publicPath] where SourceFiles.isThere(path) {
                let diagnostic = Diagnostic(
                    .inputUnreadable,
                    "'\(path)' exists, and existing keys are not replaced",
                    help: "name another file, or move the existing file"
                )
                throw LoadedScripts.Failure(diagnostics: [diagnostic], code: .outputFailed)
            }
            let key = BundlePrivateKey()
            try streams.write(Array("\(key.secretText)\n".utf8), to: path, isSecret: true)
            try streams.write(Array("\(key.publicKey)\n".utf8), to: publicPath)
            streams.console.output("\(key.publicKey)\n")
            streams.console.errors(
                "\(path: path) is the private key: keep it secret\n\(path: publicPath) is the public key\n"
            )
        }
    }
}

/// The command `luaroute bundle sign`, which signs a bundle with a private key.
package struct SignCommand {
    /// The path of the bundle.
    package var path: String
    /// The file of the private key; `-` for the standard input.
    package var key: String
    /// The file to write; nil to overwrite the bundle.
    package var target: String?

    /// Creates a command.
    package init(path: String, key: String) { (self.path, self.key) = (path, key) }

    /// Signs the bundle, replacing any existing signature.
    ///
    /// - Returns: The exit code.
    package func run(_ streams: BundleOutput) -> ExitCode {
        streams.run { () throws(LoadedScripts.Failure) in
            let key = try BundleFiles.privateKey(key, streams.input)
            if self.key != BundleFiles.inputMark, SourceFiles.isOpenToOthers(self.key) {
                let word = ShellWord(self.key)
                streams.console.errors(
                    "\(path: self.key) can be read by other users; to prevent this, run: chmod 600 \(word)\n"
                )
            }
            let archive = try BundleFiles.archive(path)
            let signed = try BundleFiles.refusing(path) { () throws(BundleRefusal) in
                try archive.signed(by: key)
            }
            let output = target ?? path
            try streams.write(signed, to: output, replacing: BundleFiles.target(output))
            let replaced =
                archive.signer.map { ", replacing the signature by \($0.fingerprint)" } ?? ""
            streams.console.errors(
                "\(path: target ?? path) is signed by \(key.publicKey.fingerprint)\(replaced)\n"
            )
        }
    }
}
#endif
