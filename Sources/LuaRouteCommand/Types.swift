// SPDX-License-Identifier: MIT

#if CommandLine
public import ArgumentParser
public import ScenarioKit

/// Writes the Swift file of typed routes.
struct Types: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "types",
        abstract: "Write the routes of scripts as Swift declarations.",
        discussion: """
            luaroute types --swift Routes.swift scripts          write the file
            luaroute types --swift Routes.swift scripts --check  compare it, as CI does
            luaroute types --swift - shop.lua                    print it

            The file has a member for each route and task, with parameters and results as 'info' \
            and 'result' declare them; a structure for each class of screens; the names of gates \
            and of exported functions; and the contract that the app was compiled against. The \
            same scripts give the same bytes. Commit the file and set 'configuration.contract'.

            Exit codes: 0 the file matches the scripts, 1 it does not ('--check'), 3 a script \
            failed to load, 64 usage, 66 a script is missing, 74 the file could not be written.
            """
    )

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

    @Option(
        help: ArgumentHelp("The Swift file to write; '-' prints it.", valueName: "file"),
        completion: .file(extensions: ["swift"])
    )
    var swift: String

    @Flag(help: "Compare the file and write nothing.")
    var check = false

    @Option(help: ArgumentHelp("The name of the type that contains the declarations."))
    var name = "Routes"

    @Option(help: "The access level of the declarations.")
    var access = TypesCommand.Access.internal

    @OptionGroup var loading: LoadOptions

    func validate() throws {
        guard path == nil || script == nil else {
            throw ValidationError("the scripts are named twice, '\(path ?? "")' and '--script'")
        }
        guard !check || swift != "-" else {
            throw ValidationError("'--check' compares a file; '-' is not a file")
        }
        guard !loading.json || swift != "-" else {
            throw ValidationError("'--json' prints a document, and '-' prints the file")
        }
        guard TypesCommand.isTypeName(name) else {
            throw ValidationError("'\(name)' is not the name of a Swift type")
        }
    }

    func run() throws {
        let streams = Streams()
        let project = try streams.project(loading.color)
        var command = TypesCommand(
            script: path ?? script ?? project.script ?? ".",
            file: swift,
            options: loading.options(project)
        )
        command.isChecking = check
        command.name = name
        command.access = access
        command.isJSON = loading.json
        command.isErrorsColored = streams.isErrorsColored(loading.color)
        let code = command.run(
            output: streams.output,
            errors: streams.errors,
            save: Streams.save
        )
        throw streams.exit(code)
    }
}

extension TypesCommand.Access: ExpressibleByArgument {}
#endif
