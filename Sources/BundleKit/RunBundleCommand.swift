// SPDX-License-Identifier: MIT

#if BundleCommand
internal import LuaRouteBundles
internal import LuaRouting
package import ScenarioKit

/// The command `luaroute bundle run`, which verifies a bundle and runs scenarios with its scripts.
package struct RunBundleCommand {
    /// The path of the bundle.
    package var path: String
    /// The files of the public keys, one of which must have signed the bundle.
    package var keys: [String]
    /// Scenario files and folders; empty for the canary scenarios of the bundle.
    package var scenarios: [String] = []
    /// The time at which the bundle must not have expired, in seconds since 1970; nil to ignore the
    /// last day of the bundle.
    package var time: Int?
    /// Whether to print the JSON document of `luaroute run`.
    package var isJSON = false
    /// The exit code of an interrupted run; nil if it was not interrupted.
    package var interruption: @Sendable () -> ExitCode? = { nil }

    /// Creates a command.
    package init(path: String, keys: [String]) { (self.path, self.keys) = (path, keys) }

    /// Runs the scenarios with the capabilities that the bundle requests.
    ///
    /// - Parameters:
    ///   - streams: The output.
    ///   - unpack: Writes files to a new folder, calls a function with the path of the folder, and
    ///     removes the folder. Returns the system's reason if the files cannot be written;
    ///     otherwise nil.
    /// - Returns: The exit code.
    package func run(
        _ streams: BundleOutput,
        unpack: (_ files: [String: String], _ body: (String) -> Void) -> String?
    ) -> ExitCode {
        var code = ExitCode.success
        let failure = streams.run { () throws(LoadedScripts.Failure) in
            do throws(LoadedScripts.Failure) {
                code = try result(streams, unpack: unpack)
            } catch {
                if isJSON { streams.console.output(RunReport.json(of: error)) }
                throw error
            }
        }
        return max(code, failure)
    }

    private func result(
        _ streams: BundleOutput,
        unpack: (_ files: [String: String], _ body: (String) -> Void) -> String?
    ) throws(LoadedScripts.Failure) -> ExitCode {
        var code = ExitCode.success
        let keys = try BundleFiles.publicKeys(keys)
        let archive = try BundleFiles.archive(path)
        let bundle = try BundleFiles.refusing(path) { () throws(BundleRefusal) in
            let bundle = try VerifiedBundle(archive, keys: keys)
            try bundle.checkStaging(at: time ?? 0)
            return bundle
        }
        if scenarios.isEmpty, bundle.manifest.canary.isEmpty {
            let diagnostic = Diagnostic(
                .nothingSelected,
                "'\(path)' has no canary scenarios",
                help: "name scenario files after the bundle"
            )
            throw LoadedScripts.Failure(diagnostics: [diagnostic], code: .nothingSelected)
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
            var command = RunCommand(paths: paths, options: options)
            command.format = isJSON ? .json : .text
            command.interruption = interruption
            code = command.run(streams.console.naming(filesOf: folder)).exitCode
        }
        if let reason {
            let diagnostic = Diagnostic(
                .inputUnreadable,
                "'\(path)' cannot be unpacked: \(reason)"
            )
            throw LoadedScripts.Failure(diagnostics: [diagnostic], code: .outputFailed)
        }
        return code
    }

    /// Returns a function that forms the command line for running a scenario again.
    ///
    /// If `isOfBundle` is true, the command line runs the canary scenarios of the bundle, instead
    /// of the scenario that is passed to the function.
    private func rerun(isOfBundle: Bool) -> @Sendable (String) -> String {
        let options = keys.map { "--public-key \(ShellWord($0)) " }.joined()
        let command = "luaroute bundle run \(options)\(ShellWord(path))"
        return { isOfBundle ? command : "\(command) \(ShellWord($0))" }
    }
}

extension Console {
    /// Returns a console that prints paths relative to a temporary folder, which no longer exists
    /// when the user reads the output.
    fileprivate func naming(filesOf folder: String) -> Console {
        // Errors may contain the path with symbolic links resolved.
        let prefixes = [SourceFiles.resolved(folder), folder].compactMap(\.self)
            .map { ("\(path: $0)/" as PrintedText).characters }
        func inside(_ text: PrintedText) -> PrintedText {
            text.mapped { prefixes.reduce($0) { $0.replacing(part: $1, with: "") } }
        }
        var console = self
        console.output = { [output] in output(inside($0)) }
        console.errors = { [errors] in errors(inside($0)) }
        return console
    }
}
#endif
