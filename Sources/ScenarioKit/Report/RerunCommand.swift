// SPDX-License-Identifier: MIT

/// The command line that runs one scenario again, with all options that affect the outcome and
/// that the project file does not set.
struct RerunCommand {
    private let options: String
    private let other: (@Sendable (String) -> String)?

    /// - Parameter options: The options of the run.
    init(_ options: RunOptions = RunOptions()) {
        let project = options.project
        func own<T: Equatable>(_ value: T?, _ other: T?) -> T? { value == other ? nil : value }
        let values =
            [
                ("script", options.script), ("host", own(options.manifestPath, project.host)),
                ("capabilities", options.capabilitiesPath),
                ("contract", own(options.contractPath, project.contract)),
                ("file-root", options.fileRoot), ("seed", options.seed.map(String.init)),
                ("budget", own(options.budget, project.budget)?.description),
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
