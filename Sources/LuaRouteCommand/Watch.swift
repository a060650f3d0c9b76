// SPDX-License-Identifier: MIT

#if CommandLine
import ArgumentParser
import CommandStreams
import ScenarioKit

/// The command `luaroute watch`, which reloads scripts when they are saved, and runs the affected
/// scenarios.
struct Watch: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Reload scripts on each save, and run the affected scenarios.",
        discussion: """
            luaroute watch scripts/podcast             scripts and scenarios of a folder
            luaroute watch a.scenario:12               one scenario, and its scripts
            luaroute watch shop.lua                    scripts alone
            luaroute watch . --canary smoke.scenario   reject scripts that do not pass

            The scripts run in a router without a device. On each save they are reloaded: a line \
            says 'accepted', with the routes added, changed and removed, or 'rejected' and why; \
            the last good generation stays active. Then the scenarios run that use the scripts, \
            or whose own file, its includes or its tables have changed. A save that changes no \
            bytes prints nothing. Files that are missing or contain errors are read again when \
            they change.

            SIGHUP reads the files now, and tries rejected scripts again. With '--json' each \
            line is an object: its 'kind' is 'reload', 'run', 'watching' or 'end'.

            On a terminal, keys run all again, or those that failed; ask for a name or tags in \
            place of '--filter' and '--tags'; write expectations as 'run --update' does; and quit.

            Exit codes: 0 the key 'q', 130 and 143 interrupted and terminated, 2 the canary does not parse, 64 \
            usage, 66 an input is missing or a folder has gone, 74 a result could not be written.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "Scenario files, file:line, scripts, folders; default: the current folder.",
            valueName: "paths"
        ),
        completion: .file(extensions: ["lua", "scenario"])
    )
    var paths: [String] = []

    @OptionGroup var scenarios: ScenarioOptions

    @Option(
        help: ArgumentHelp(
            "Scenarios that scripts must pass to become active; read again on changes; repeatable.",
            valueName: "path"
        ),
        completion: .file(extensions: ["scenario"])
    )
    var canary: [String] = []

    @OptionGroup var host: HostOptions

    @OptionGroup var files: FileOptions

    @Flag(help: "Read the files every second, for file systems that do not report changes.")
    var poll = false

    @OptionGroup var loading: LoadOptions

    func validate() throws {
        if loading.json, let option = scenarios.detailOption {
            throw ValidationError("'\(option)' prints text, and '--json' lines of JSON")
        }
    }

    func run() throws {
        let streams = Streams()
        let project = try streams.project(loading.color)
        var command = WatchCommand(
            paths: paths.isEmpty ? project.paths : paths,
            options: loading.options(project)
        )
        scenarios.selection.apply(to: &command.filter)
        if command.filter.tags.isEmpty { command.filter.setDefault(project.tags) }
        scenarios.apply(to: &command.options)
        command.options.fileRoot = files.root
        host.apply(to: &command.options, project)
        command.canary = canary
        command.jobs = scenarios.steps.jobCount
        command.isQuiet = scenarios.quiet
        command.format = loading.json ? .json : .text
        command.timeOfDay = { Streams.timeOfDay }
        throw streams.exit(
            WatchLoop(command, streams, to: streams.console(loading.color), polls: poll).run()
        )
    }
}
#endif
