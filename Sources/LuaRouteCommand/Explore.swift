// SPDX-License-Identifier: MIT

#if CommandLine
import ArgumentParser
import CommandStreams
import ScenarioKit

/// The command `luaroute explore`, which searches the states of an app for defects.
struct Explore: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explore",
        abstract: "Take every step from every state, within limits, and report defects.",
        discussion: """
            luaroute explore scripts/podcast           the 'explore' blocks, or all steps
            luaroute explore shop.lua --depth 6        scripts without an 'explore' block
            luaroute explore shop.scenario:31          one block
            luaroute explore --tags '!nightly'         blocks without the tag 'nightly'

            The search starts the app without a device, tries each step that a user, a link, the \
            host or the clock can take, and continues from each new state. The shortest sequence \
            of steps to a defect is printed, and written as a scenario that fails until the defect \
            is fixed. A violated 'never' is reported as X001, and a violated 'always reach' as \
            X002. Every search also looks for stacks that grow without limit (X003), states that \
            trap the user (X004), errors (X005), work that stays pending forever (X006), modals \
            that the user cannot dismiss (X007), and equal screens in a stack (X009).

            If a block has 'can' lines, only the steps of these lines are tried. The steps of \
            'background' run before a block.

            A route is tried with the 'examples' of its definition. If a class lists routes in \
            'offers', a route is tried only on screens that offer it, and through its URLs.

            Each finding was reproduced in a separate session. A search is inconclusive if it \
            reaches its limit of states or time, if it cannot reproduce a defect, or if it skips \
            all routes, or one route with '--require-examples'.

            Exit codes: 0 no defect was found up to the depth, 1 a defect was found, 2 a file does \
            not parse, 3 a script failed to load, 4 nothing was selected, 5 no defect was found, \
            but the search is inconclusive, 64 usage error, 66 an input is missing, 74 a file \
            could not be written, 130 interrupted, 143 terminated.
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

    @OptionGroup var selection: FilterOptions

    @OptionGroup var steps: StepOptions

    @Option(
        help: "The maximum number of steps from the start. Default: as in the block, or 10.",
        transform: { text in try UsageError.number(text, in: 0...Int.max) }
    )
    var depth: Int?

    @Option(
        help: "The maximum number of states. Default: as in the block, or 100000.",
        transform: { text in try UsageError.number(text, in: 1...Int.max) }
    )
    var states: Int?

    @Option(
        help: ArgumentHelp(
            "The maximum time of a search, such as '90s'. Default: as in the block, or 2m.",
            valueName: "duration"
        ),
        transform: { text in try ExploreCommand.time(text) }
    )
    var time: Duration?

    @Option(
        help: ArgumentHelp(
            "The folder to which the scenarios of findings are written.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var output = "explore"

    @Option(
        help: ArgumentHelp(
            "Write a graph of the states, grouped by visible screen. The format is DOT for "
                + "'*.dot', JSON for '*.json', and a Mermaid flowchart for other names.",
            valueName: "file"
        )
    )
    var graph: String?

    @Option(
        help: ArgumentHelp(
            "The JSON document of an earlier run, whose findings do not make this run fail.",
            valueName: "file"
        ),
        completion: .file(extensions: ["json"])
    )
    var baseline: String?

    @Flag(
        help: """
            For a block with 'can' lines, name the parts of the scripts that were not reached \
            instead of counting them.
            """
    )
    var all = false

    @Flag(
        help: """
            Make a search without 'can' lines inconclusive if it skips a route, for example a \
            route that needs 'examples'.
            """
    )
    var requireExamples = false

    @OptionGroup var host: HostOptions

    @OptionGroup var files: FileOptions

    @OptionGroup var findings: FindingOptions

    @OptionGroup var loading: LoadOptions

    func validate() throws {
        try findings.validate(loading, [("--graph", graph)])
    }

    func run() throws {
        let streams = Streams()
        let project = try streams.project(loading.color)
        var command = ExploreCommand(
            paths: paths.isEmpty ? project.paths : paths,
            options: loading.options(project)
        )
        selection.apply(to: &command.filter)
        steps.apply(to: &command.options)
        command.options.fileRoot = files.root
        host.apply(to: &command.options, project)
        (command.depth, command.states, command.jobs) = (depth, states, steps.jobCount)
        command.time = time
        (command.folder, command.graph, command.baseline) = (output, graph, baseline)
        (command.namesAll, command.requiresExamples) = (all, requireExamples)
        command.findings = findings.output
        command.format = loading.json ? .json : .text
        try findings.makeFolders(streams)
        Signals.begin()
        command.interruption = { Signals.end }
        let progress = ProgressLine(isTerminal: streams.isErrorsTerminal)
        command.onProgress = { progress.show($0) }
        var console = streams.console(loading.color).calling { progress.clear() }
        console.save = { text, path in
            let folder = path.lastIndex(of: "/").map { String(path[..<$0]) }
            return folder.flatMap { $0.isEmpty ? nil : Streams.makeFolder($0) }
                ?? Streams.save(text, to: path)
        }
        let code = command.run(console)
        progress.clear()
        throw streams.exit(code)
    }
}
#endif
