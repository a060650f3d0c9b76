// SPDX-License-Identifier: MIT

import ScenarioKit

/// Runs scenarios.
struct Run: Command {
    static let name = "run"
    static let summary = "Run scenarios: files, folders, file:line"
    static let operandsHelp: String? = "[paths…]"
    static let remarks = """
        examples:
          luaroute scripts/podcast              run the scenarios of a folder
          luaroute podcast.scenario:12          run the scenario around line 12
          luaroute --tags 'auth,!slow' --list   list those with one tag and without another

        exit codes:
          0 all is fine, 1 an expectation or a step failed, 2 a scenario does not parse,
          3 a script failed to load, 4 nothing was selected, 64 usage, 66 an input is missing,
          70 a defect of luaroute, 74 a result could not be written
          Of several the first of these counts: 70, 74, 66, 3, 2, 1, 4.
        """

    static let options: [Option<Run>] = [
        Option("--filter", "TEXT", "only scenarios whose name contains TEXT") {
            run,
            text throws(UsageError) in
            run.command.filter.name = text
        },
        Option("--tags", "TAGS", "only scenarios with these tags: 'auth,!slow'; repeated: or") {
            run,
            text throws(UsageError) in
            run.command.filter.tags.append(try TagCondition(text))
        },
        Option("--list", "list what would run, and run nothing", \.isListing),
        Option("--script", "PATH", "the scripts to run in place of those that the files name") {
            run,
            path throws(UsageError) in
            run.command.options.script = path
        },
        Option("--jobs", "N", "how many run at the same time, one for each processor as a rule") {
            run,
            text throws(UsageError) in
            run.command.jobs = Int(try number("--jobs", text, in: 1...256))
        },
        Option("--fail-fast", "stop after the first that fails", \.command.stopsAtFailure),
        Option("--seed", "N", "the seed of the scripts' random numbers, 0 as a rule") {
            run,
            text throws(UsageError) in
            run.command.options.seed = try number("--seed", text, in: 0...UInt64.max)
        },
        Option("--json", "print one JSON document in place of lines", \.isJSON),
        Option(
            "--color",
            "WHEN",
            values: ColorChoice.allCases.map(\.rawValue),
            "always, never, or auto: on a terminal"
        ) { run, text throws(UsageError) in
            run.color = ColorChoice(rawValue: text) ?? .auto
        },
    ]

    var operands: [String] = []
    private var command = RunCommand()
    private var isListing = false
    private var isJSON = false
    private var color = ColorChoice.auto

    init() { command.jobs = RunCommand.defaultJobs }

    func run(_ streams: Streams) throws(UsageError) -> ExitCode {
        try checkCommandName()
        var command = command
        command.paths = operands
        command.format = isJSON ? .json : .text
        command.options.isUnattended = streams.isUnattended
        command.isOutputColored = streams.isOutputColored(color)
        command.isErrorsColored = streams.isErrorsColored(color)
        if isListing { return command.list(output: streams.output, errors: streams.errors) }
        return command.run(output: streams.output, errors: streams.errors).exitCode
    }

    /// This command is meant where none is named, so the name of another one, misspelt, comes
    /// here as a path.
    private func checkCommandName() throws(UsageError) {
        guard let word = operands.first, !Streams.isThere(word) else { return }
        let names = LuaRoute.commands.map { $0.name }
        guard UsageError.isNear(word, to: names) else { return }
        throw UsageError("unknown command '\(word)'", word: word, known: names)
    }

    private static func number(
        _ option: String,
        _ text: String,
        in range: ClosedRange<UInt64>
    ) throws(UsageError) -> UInt64 {
        guard let number = UInt64(text), range.contains(number) else {
            let limits = "\(range.lowerBound) to \(range.upperBound)"
            throw UsageError("'\(option)' takes a number from \(limits), got '\(text)'")
        }
        return number
    }
}
