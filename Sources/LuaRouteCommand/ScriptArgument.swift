// SPDX-License-Identifier: MIT

#if CommandLine
import ArgumentParser
import ScenarioKit

/// The option `--script` of commands that use scripts.
struct ScriptOption: ParsableArguments {
    @Option(
        help: "The scripts to use instead of the scripts named by arguments or scenario files.",
        completion: .file(extensions: ["lua"])
    )
    var script: String?
}

/// The option `--filter` of commands that select routes.
struct RowFilter: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Select only routes with this text in a name, pattern or other column. If the option "
                + "is repeated, one match is enough.",
            valueName: "text"
        )
    )
    var filter: [String] = []
}

/// The argument of commands that read one bundle of scripts.
struct ScriptArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The scripts: a Lua file, or a folder with a 'main.lua'. Default: the current folder.",
            valueName: "script"
        ),
        completion: .file(extensions: ["lua"])
    )
    var path: String?

    @OptionGroup var option: ScriptOption

    /// The path of the scripts on the command line; nil if there is none.
    var named: String? { path ?? option.script }

    func validate() throws {
        guard path == nil || option.script == nil else {
            throw ValidationError(
                "the scripts are named twice, by '\(path ?? "")' and by '--script'"
            )
        }
    }

    /// Returns the path of the scripts: from the command line or the project file, or else the
    /// current folder.
    func path(in project: ProjectFile) -> String { named ?? project.script ?? "." }
}
#endif
