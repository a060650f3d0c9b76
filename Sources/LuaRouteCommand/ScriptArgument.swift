// SPDX-License-Identifier: MIT

#if CommandLine
import ArgumentParser
import ScenarioKit

/// The scripts of a command that reads one bundle.
struct ScriptArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The scripts: a file, or a folder with a 'main.lua'; default: the current folder.",
            valueName: "script"
        ),
        completion: .file(extensions: ["lua"])
    )
    var path: String?

    @Option(help: "The scripts, in place of the argument.")
    var script: String?

    func validate() throws {
        guard path == nil || script == nil else {
            throw ValidationError("the scripts are named twice, '\(path ?? "")' and '--script'")
        }
    }

    /// Returns the path of the scripts: as named, or the default of the project.
    func path(in project: ProjectFile) -> String { path ?? script ?? project.script ?? "." }
}
#endif
