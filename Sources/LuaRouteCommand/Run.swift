// SPDX-License-Identifier: MIT

public import ArgumentParser
public import ScenarioKit

/// Runs scenarios.
struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run scenarios: files, folders, file:line.",
        discussion: """
            Where the environment variable 'CI' is set, a scenario that is marked 'only' makes the \
            exit code 1: there, all scenarios are meant to run.
            """
    )

    @Argument(
        help: ArgumentHelp("Scenario files, folders of them, or file:line.", valueName: "paths"),
        completion: .file(extensions: ["scenario"])
    )
    var paths: [String] = []

    @Option(
        help: ArgumentHelp(
            "Only scenarios whose name contains this; repeated: or.",
            valueName: "text"
        )
    )
    var filter: [String] = []

    @Option(
        help: "Only scenarios with these tags, as in 'auth,!slow'; repeated: or.",
        transform: { text in try TagCondition(text) }
    )
    var tags: [TagCondition] = []

    @Flag(help: "List what would run, and run nothing.")
    var list = false

    @Option(help: "The scripts to run in place of those that the files name.")
    var script: String?

    @OptionGroup var host: HostOptions

    @OptionGroup var files: FileOptions

    @Option(help: "How many run at the same time, from 1 to 256; else one for each processor.")
    var jobs: Int = Run.processors

    @Flag(help: "Stop after the first that fails.")
    var failFast = false

    @Option(help: "The seed of the scripts' random numbers; else that of the file.")
    var seed: UInt64?

    @Option(
        help: ArgumentHelp(
            "What loading, and each call of a script, may spend, as in "
                + "'instructions=5M,seconds=0.5,bytes=16M'.",
            valueName: "limits"
        ),
        transform: { text in try BudgetLimits(text) }
    )
    var budget: BudgetLimits?

    @Flag(help: "Let scripts use 'coroutine', all of 'string', and 'os.getenv'.")
    var trusted = false

    @Flag(help: "Print one JSON document in place of lines.")
    var json = false

    @Option(help: "When to colour: always, never, or auto, which is on a terminal.")
    var color = ColorChoice.auto

    /// Counting them opens files of the system, and a command is made several times.
    static let processors = RunCommand.defaultJobs

    func validate() throws {
        guard (1...256).contains(jobs) else {
            throw ValidationError("'--jobs' takes a number from 1 to 256, got '\(jobs)'")
        }
        // This command is meant where none is named, so the name of another one, misspelt,
        // comes here as a path.
        let names = LuaRoute.configuration.subcommands.compactMap { command in
            command.configuration.commandName
        }
        if let word = paths.first, !Streams.isThere(word), UsageError.isNear(word, to: names) {
            let error = UsageError("unknown command '\(word)'", word: word, known: names)
            throw ValidationError(error.message)
        }
    }

    func run() throws {
        let streams = Streams()
        var command = RunCommand(paths: paths)
        command.filter.names = filter
        command.filter.tags = tags
        command.options.script = script
        command.options.fileRoot = files.root
        host.apply(to: &command.options)
        command.options.seed = seed
        command.options.budget = budget
        command.options.isTrusted = trusted
        command.options.isUnattended = streams.isUnattended
        command.jobs = jobs
        command.stopsAtFailure = failFast
        command.format = json ? .json : .text
        command.isOutputColored = streams.isOutputColored(color)
        command.isErrorsColored = streams.isErrorsColored(color)
        if !list { Signals.begin() }
        command.interruption = { Signals.end }
        let code =
            list
            ? command.list(output: streams.output, errors: streams.errors)
            : command.run(output: streams.output, errors: streams.errors).exitCode
        throw streams.exit(code)
    }
}

extension ColorChoice: ExpressibleByArgument {}
