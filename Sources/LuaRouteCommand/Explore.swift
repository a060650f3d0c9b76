// SPDX-License-Identifier: MIT

#if CommandLine
import ArgumentParser
import CommandStreams
import ScenarioKit

/// The command `luaroute explore`, which searches the states of an app for defects.
struct Explore: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explore",
        abstract: "Take every step from every state, within bounds, and report defects.",
        discussion: """
            luaroute explore scripts/podcast           its 'explore' blocks, or all steps
            luaroute explore shop.lua --depth 6        scripts without a block
            luaroute explore shop.scenario:31          one block
            luaroute explore --tags '!nightly'         blocks without the tag 'nightly'

            It starts the app without a device, tries each step that a user, a link, the host or \
            the clock can take, and goes on from each state that it has not seen. The shortest \
            steps to a defect are printed, and written as a scenario that fails until the defect \
            is fixed. A broken 'never' is X001, 'always reach' X002; always looked for are stacks \
            that grow without end X003, traps X004, errors X005, work that is pending for ever \
            X006, modals that no user can remove X007, and equal screens in a stack X009.

            A block with 'can' lines takes only their steps. The steps of 'background' run before \
            a block.

            A route is tried with the 'examples' of its definition. If a class lists \
            routes in 'offers', a route is tried only on screens that offer it, and by its URLs.

            Each finding has occurred again in a separate session. A search that hits its limit \
            of states or time, or sees a defect that does not occur again, is inconclusive.

            Exit codes: 0 nothing was found up to the depth, 1 a finding, 2 a file does not \
            parse, 3 a script failed to load, 4 nothing was selected, 5 nothing was found and the \
            search is inconclusive, 64 usage, 66 an input is missing, 74 a file could not be written, 130 \
            and 143 interrupted and terminated.
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

    @OptionGroup var selection: FilterOptions

    @OptionGroup var steps: StepOptions

    @Option(
        help: "The maximum number of steps from the start; default: as in the block, or 10.",
        transform: { text in try UsageError.number(text, in: 0...Int.max) }
    )
    var depth: Int?

    @Option(
        help: "The maximum number of states; default: as in the block, or 100000.",
        transform: { text in try UsageError.number(text, in: 1...Int.max) }
    )
    var states: Int?

    @Option(
        help: ArgumentHelp(
            "The maximum time of a search, such as '90s'; default: as in the block, or 2m.",
            valueName: "duration"
        ),
        transform: { text in try ExploreCommand.time(text) }
    )
    var time: Duration?

    @Option(
        help: ArgumentHelp("The folder for the scenarios of findings.", valueName: "folder"),
        completion: .directory
    )
    var output = "explore"

    @Option(
        help: ArgumentHelp(
            "Write the states, folded by visible screen: *.dot, *.json, or a Mermaid flowchart.",
            valueName: "file"
        )
    )
    var graph: String?

    @Option(
        help: ArgumentHelp(
            "A document of an earlier run; its findings do not fail this one.",
            valueName: "file"
        ),
        completion: .file(extensions: ["json"])
    )
    var baseline: String?

    @Flag(
        help: "Name the parts that a block with 'can' lines did not reach, not only their counts."
    )
    var all = false

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
        command.namesAll = all
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
