// SPDX-License-Identifier: MIT

#if CommandLine
import ArgumentParser
import CommandStreams
import ScenarioKit

/// The command `luaroute init`, which writes the files of a new project.
struct Initialize: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Write the files of a new project.",
        discussion: """
            luaroute init shop                    an app with a list, its items and a login
            luaroute init shop --template tabs    an app with tabs and reused screens
            luaroute init shop --template links   an app with URLs, aliases and a fallback
            luaroute init --editor neovim         only the files for an editor

            Writes scripts, scenarios that pass, 'luaroute.json', a workflow for CI, the settings \
            of the Lua language server, and files for an editor. For VS Code, the files are an \
            extension in '.vscode/extensions', and tasks. For another editor, they are the \
            settings with which the editor starts 'luaroute lsp', and a tree-sitter grammar if the \
            editor supports one. If one of the files exists, nothing is written.

            Exit codes: 0 the files were written, 64 usage error, 74 a file exists or could not be \
            written.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "The folder of the project. Default: the current folder.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var folder = "."

    @Option(help: "The kind of app with which the project begins.")
    var template = InitCommand.Template.app

    @Option(help: "Write only the files for this editor.")
    var editor: InitCommand.Editor?

    @OptionGroup var style: ColorOption

    func validate() throws {
        guard !folder.isEmpty else { throw ValidationError("the name of the folder is empty") }
    }

    func run() throws {
        let streams = Streams()
        var command = InitCommand(folder: folder)
        command.template = template
        command.editor = editor
        let code = command.run(
            streams.console(style.color),
            makeFolder: { Streams.makeFolder($0) }
        )
        throw streams.exit(code)
    }
}

extension InitCommand.Template: ExpressibleByArgument {}
extension InitCommand.Editor: ExpressibleByArgument {}
#endif
