// SPDX-License-Identifier: MIT

#if CommandLine
import ArgumentParser
import CommandStreams
import RouteTypes
import ScenarioKit

/// The command `luaroute types`, which writes typed routes as Swift declarations, or definitions
/// for the Lua language server.
struct Types: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "types",
        abstract: "Write the routes of scripts as Swift declarations or as Lua definitions.",
        discussion: """
            luaroute types --swift Routes.swift scripts          write the file
            luaroute types --swift Routes.swift scripts --check  compare the file, for CI
            luaroute types --swift - shop.lua                    print it
            luaroute types --lua routes.d.lua scripts            definitions for the editor
            luaroute types --lua library/luaroute.d.lua          the 'script' of luaroute.json

            The Swift file declares a member for each route and task, with the parameters and \
            results that 'info' and 'result' declare. It also declares a structure for each screen \
            class, an enumeration of all screen classes, and a protocol for the tasks and \
            dependencies that 'router.expects' requests from the app. It contains the names of \
            gates and exported functions, and the contract that the app is compiled against. The \
            same scripts always result in the same file. Commit the file, and set \
            'configuration.contract' to the contract in the file.

            The Lua file is for the Lua language server, which reads the file from the folder of \
            the scripts. The file describes the functions of 'router' with their parameters. If \
            scripts are named, it also describes their routes, tasks, classes and gates, so that \
            an editor completes 'router.navigate("Pro' and checks the parameters. Scripts do not \
            load this file.

            If the command line names no scripts, the 'script' of 'luaroute.json' is used. If \
            there is none either, '--lua' writes a file that describes only the API. Missing \
            folders of the files are created.

            Exit codes: 0 success, 1 the file does not match the scripts ('--check'), 3 a script \
            failed to load, 64 usage error, 66 a script is missing, 74 the file could not be \
            written.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "The scripts: a Lua file, or a folder with a 'main.lua'. Default: the 'script' of "
                + "'luaroute.json'; with '--swift', otherwise the current folder.",
            valueName: "script"
        ),
        completion: .file(extensions: ["lua"])
    )
    var path: String?

    @OptionGroup var scripts: ScriptOption

    @Option(
        help: ArgumentHelp("The Swift file to write; '-' prints it.", valueName: "file"),
        completion: .file(extensions: ["swift"])
    )
    var swift: String?

    @Option(
        help: ArgumentHelp("The Lua definition file to write; '-' prints it.", valueName: "file"),
        completion: .file(extensions: ["lua"])
    )
    var lua: String?

    @Flag(help: "Compare with the existing file, and write nothing.")
    var check = false

    @Option(help: ArgumentHelp("The name of the type that contains the declarations."))
    var name = "Routes"

    @Option(help: "The access level of the declarations.")
    var access = SwiftTypes.Access.internal

    @OptionGroup var loading: LoadOptions

    func validate() throws {
        guard path == nil || scripts.script == nil else {
            throw ValidationError(
                "the scripts are named twice, by '\(path ?? "")' and by '--script'"
            )
        }
        guard swift != nil || lua != nil else {
            throw ValidationError(
                "no file to write is named: give '--swift FILE', '--lua FILE', or both"
            )
        }
        let prints = [swift, lua].count { $0 == "-" }
        guard prints <= 1 else {
            throw ValidationError("'--swift -' and '--lua -' cannot be combined")
        }
        guard swift != lua else {
            throw ValidationError("'--swift' and '--lua' name the same file, '\(swift ?? "")'")
        }
        guard !check || prints == 0 else {
            throw ValidationError(
                "'--check' compares with an existing file, and cannot be combined with '-'"
            )
        }
        guard !loading.json || prints == 0 else {
            throw ValidationError(
                "'--json' cannot be combined with '-': both print on the standard output"
            )
        }
        guard SwiftTypes.isTypeName(name) else {
            throw ValidationError("'\(name)' is not the name of a Swift type")
        }
    }

    func run() throws {
        let streams = Streams()
        let project = try streams.project(loading.color)
        var command = TypesCommand(
            script: path ?? scripts.script ?? project.script ?? (swift == nil ? nil : "."),
            files: [swift.map { .swift($0) }, lua.map { .lua($0) }].compactMap(\.self),
            options: loading.options(project)
        )
        command.isChecking = check
        command.name = name
        command.access = access
        command.isJSON = loading.json
        throw streams.exit(
            command.run(
                streams.console(loading.color),
                makeFolder: { Streams.makeFolder($0) }
            )
        )
    }
}

extension SwiftTypes.Access: ExpressibleByArgument {}
#endif
