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
            luaroute watch shop.lua                    only scripts
            luaroute watch . --canary smoke.scenario   reject scripts that fail a scenario

            The scripts run in a router without a device, and are reloaded on each save. A line \
            says 'accepted', with the routes that were added, changed and removed, or 'rejected', \
            with the reason. After a rejected reload, the last good generation stays active. Then \
            the affected scenarios run: scenarios that use the scripts, and scenarios whose file, \
            included files or tables have changed. A save that changes no bytes prints nothing. \
            Files that are missing or contain errors are read again when they change.

            On the signal SIGHUP, the command reads the files immediately, and tries rejected \
            scripts again. With '--json', each line is a JSON object whose 'kind' is 'reload', \
            'run', 'watching' or 'end'.

            On a terminal, keys run all scenarios or the failed scenarios again, ask for a name or \
            for tags that replace '--filter' and '--tags', update expectations like 'run \
            --update', and quit.

            Exit codes: 0 the user pressed 'q', 2 a canary scenario does not parse, 64 usage \
            error, 66 an input is missing or a folder was removed, 74 a result could not be \
            written, 130 interrupted, 143 terminated.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "Scenario files, file:line, scripts, or folders. Default: the current folder.",
            valueName: "paths"
        ),
        completion: .file(extensions: ["lua", "scenario"])
    )
    var paths: [String] = []

    @OptionGroup var scenarios: ScenarioOptions

    @Option(
        help: ArgumentHelp(
            "Scenarios that scripts must pass to become active. The files are read again when "
                + "they change; repeatable.",
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
            throw ValidationError(
                "'\(option)' changes the text output, and cannot be combined with '--json'"
            )
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
