// SPDX-License-Identifier: MIT

#if BundleCommand
internal import LuaRouteBundles
internal import LuaRouting
package import ScenarioKit

/// The command `luaroute bundle run`: verifies a bundle, and runs scenarios with its scripts.
package struct RunBundleCommand {
    /// The bundle.
    package var path: String
    /// The files of the public keys, one of which must have signed the bundle.
    package var keys: [String]
    /// Scenario files and folders; empty for the canary scenarios of the bundle.
    package var scenarios: [String] = []
    /// The time in seconds since 1970; nil to ignore the time.
    package var time: Int?
    /// The exit code of an interrupted run; nil if it was not interrupted.
    package var interruption: @Sendable () -> ExitCode? = { nil }

    /// Creates a command.
    package init(path: String, keys: [String]) { (self.path, self.keys) = (path, keys) }

    /// Runs the scenarios with the capabilities that the bundle requests.
    ///
    /// - Parameters:
    ///   - streams: The output.
    ///   - unpack: Writes files to a new folder, and calls a function with its path; the folder is
    ///     removed afterwards. Returns the system's reason if that fails.
    /// - Returns: The exit code.
    package func run(
        _ streams: BundleOutput,
        unpack: (_ files: [String: String], _ body: (String) -> Void) -> String?
    ) -> ExitCode {
        var code = ExitCode.success
        let failure = streams.run { () throws(LoadedScripts.Failure) in
            let keys = try BundleFiles.publicKeys(keys)
            let archive = try BundleFiles.archive(path)
            let bundle = try BundleFiles.refusing(path) { () throws(BundleRefusal) in
                let bundle = try VerifiedBundle(archive, keys: keys)
                try bundle.checkStaging(at: time ?? 0)
                return bundle
            }
            let reason = unpack(bundle.files) { folder in
                var options = RunOptions()
                options.script = "\(folder)/\(bundle.manifest.entry)"
                options.capabilities = bundle.manifest.capabilities.rights
                options.rerun = rerun(isOfBundle: scenarios.isEmpty)
                if scenarios.isEmpty { options.fileRoot = folder }
                let paths =
                    scenarios.isEmpty
                    ? bundle.manifest.canary.map { "\(folder)/\($0)" } : scenarios
                guard !paths.isEmpty else {
                    streams.console.errors(
                        "\(path: path) has no canary scenarios: name scenario files\n"
                    )
                    code = .nothingSelected
                    return
                }
                var command = RunCommand(paths: paths, options: options)
                command.interruption = interruption
                code = command.run(streams.console).exitCode
            }
            if let reason {
                let diagnostic = Diagnostic(
                    .inputUnreadable,
                    "'\(path)' cannot be unpacked: \(reason)"
                )
                throw LoadedScripts.Failure(diagnostics: [diagnostic], code: .outputFailed)
            }
        }
        return max(code, failure)
    }

    /// Returns the command that runs a scenario again, or all scenarios of the bundle.
    private func rerun(isOfBundle: Bool) -> @Sendable (String) -> String {
        let options = keys.map { "--public-key \(ShellWord($0)) " }.joined()
        let command = "luaroute bundle run \(options)\(ShellWord(path))"
        return { isOfBundle ? command : "\(command) \(ShellWord($0))" }
    }
}
#endif
