// SPDX-License-Identifier: MIT

#if CommandLine
import ArgumentParser
import ScenarioKit

/// The option of all commands that use scripts.
struct ScriptOption: ParsableArguments {
    @Option(
        help: "The scripts, instead of those that the arguments or the files name.",
        completion: .file(extensions: ["lua"])
    )
    var script: String?
}

/// The option of the commands that select routes.
struct RowFilter: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only routes with this text in a name, pattern or other column; if repeated, any.",
            valueName: "text"
        )
    )
    var filter: [String] = []
}

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

    @OptionGroup var option: ScriptOption

    /// The scripts as named, without the default.
    var named: String? { path ?? option.script }

    func validate() throws {
        guard path == nil || option.script == nil else {
            throw ValidationError("the scripts are named twice, '\(path ?? "")' and '--script'")
        }
    }

    /// Returns the path of the scripts: as named, or the default of the project.
    func path(in project: ProjectFile) -> String { named ?? project.script ?? "." }
}
#endif
