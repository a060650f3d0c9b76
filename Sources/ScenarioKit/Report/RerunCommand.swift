// SPDX-License-Identifier: MIT

/// The command line that runs one scenario again, with all options that affect the outcome.
struct RerunCommand {
    private let options: String
    private let other: (@Sendable (String) -> String)?

    /// - Parameter options: The options of the run.
    init(_ options: RunOptions = RunOptions()) {
        let values =
            [
                ("script", options.script), ("host", options.manifestPath),
                ("capabilities", options.capabilitiesPath), ("contract", options.contractPath),
                ("file-root", options.fileRoot),
                ("seed", options.seed.map(String.init)), ("budget", options.budget?.description),
            ] + options.settings.map { ("set", $0.text) }
        let words = values.compactMap { name, value in value.map { "--\(name) \(ShellWord($0)) " } }
        other = options.rerun
        self.options = words.joined() + (options.isTrusted ? "--trusted " : "")
    }

    /// Returns the command line for the scenario at a location.
    func line(for location: String) -> String {
        other?(location) ?? "luaroute run \(options)\(ShellWord(location))"
    }
}
