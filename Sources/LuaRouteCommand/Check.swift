// SPDX-License-Identifier: MIT

#if CommandLine
import ArgumentParser
import ScenarioKit

/// Loads scripts, and says what is wrong or suspicious.
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Load scripts, say what is wrong or suspicious, and run nothing.",
        discussion: """
            luaroute check scripts/podcast                a bundle, and its scenario files
            luaroute check shop.lua --host ios.json       against what a host brings
            luaroute check shop.lua --capabilities c.json against what scripts may do
            luaroute check a.scenario                     a scenario file, and the scripts it uses
            luaroute explain-error L0203                  what a code means

            Checked are the names of routes, interceptors, actions and services; ways and trees \
            that lead back to themselves; URL patterns, and whether their parameters are those \
            that routes ask for; examples; what is declared and named nowhere; and what the \
            host lacks. The names in scenario files are compared with those of their scripts, in \
            expectations too. The manifest of the host is 'host.json' beside the entry, or '--host'.
            The capabilities that the scripts need are listed, and compared with those that they get.

            Exit codes: 0 nothing was found, 1 something was, 2 a scenario file does not parse, \
            3 a script failed to load, 64 usage, 66 an input is missing, 74 the result could not \
            be written.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "Scripts, folders, scenario files; else the folder where you are.",
            valueName: "scripts"
        ),
        completion: .file(extensions: ["lua", "scenario"])
    )
    var paths: [String] = []

    @Option(
        help: "The scripts to check in place of those that scenario files name.",
        completion: .file(extensions: ["lua"])
    )
    var script: String?

    @OptionGroup var host: HostOptions

    @OptionGroup var files: FileOptions

    @OptionGroup var loading: LoadOptions

    func run() throws {
        let streams = Streams()
        var command = CheckCommand(paths: paths, options: loading.options)
        command.options.script = script
        command.options.fileRoot = files.root
        host.apply(to: &command.options)
        command.format = loading.json ? .json : .text
        command.isOutputColored = streams.isOutputColored(loading.color)
        command.isErrorsColored = streams.isErrorsColored(loading.color)
        throw streams.exit(command.run(output: streams.output, errors: streams.errors))
    }
}
#endif
