// SPDX-License-Identifier: MIT

#if CommandLine
import ArgumentParser
import ScenarioKit

/// Reloads scripts as they are saved, and runs scenarios again.
struct Watch: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Reload scripts on each save, and run the scenarios that it touches.",
        discussion: """
            luaroute watch scripts/podcast             scripts and scenarios of a folder
            luaroute watch a.scenario:12               one scenario, and its scripts
            luaroute watch shop.lua                    scripts alone
            luaroute watch . --canary smoke.scenario   reject what does not pass

            The scripts serve a router without a device. On each save they are loaded anew: a line \
            says 'accepted', with what was added, changed and removed, or 'rejected', and why; what \
            was good last goes on to serve. Then the scenarios run that use the scripts, or whose \
            own file, its includes or its tables have changed. A save that changes no bytes says \
            nothing. What does not load, does not parse or is missing is waited for.

            SIGHUP looks at the files now, and tries once more what was rejected. With '--json' \
            each line is an object: its 'kind' is 'reload', 'run', 'watching' or 'end'.

            Exit codes: 130 and 143 interrupted and terminated, 2 the canary does not parse, 64 \
            usage, 66 what the command line names is missing, 74 a result could not be written.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "Scenario files, file:line, scripts, folders; else the folder where you are.",
            valueName: "paths"
        ),
        completion: .file(extensions: ["lua", "scenario"])
    )
    var paths: [String] = []

    @OptionGroup var scenarios: ScenarioOptions

    @Option(
        help: ArgumentHelp(
            "Scenarios that must pass before scripts serve, read again when they change; repeated: all.",
            valueName: "path"
        ),
        completion: .file(extensions: ["scenario"])
    )
    var canary: [String] = []

    @OptionGroup var host: HostOptions

    @OptionGroup var files: FileOptions

    @Flag(help: "Read the files each second, where the system tells of no changes.")
    var poll = false

    @OptionGroup var loading: LoadOptions

    func run() throws {
        let streams = Streams()
        var command = WatchCommand(paths: paths, options: loading.options)
        command.filter.names = scenarios.filter
        command.filter.tags = scenarios.tags
        scenarios.apply(to: &command.options)
        command.options.fileRoot = files.root
        host.apply(to: &command.options)
        command.canary = canary
        command.jobs = scenarios.jobs
        command.format = loading.json ? .json : .text
        command.isOutputColored = streams.isOutputColored(loading.color)
        command.isErrorsColored = streams.isErrorsColored(loading.color)
        command.timeOfDay = { Streams.timeOfDay }
        throw streams.exit(WatchLoop(command, streams, polls: poll).run())
    }
}
#endif
