// SPDX-License-Identifier: MIT

#if CommandLine
import ArgumentParser
import ScenarioKit

/// The options of commands that select scenarios or `explore` blocks.
struct FilterOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Select only scenarios whose name contains this text. If the option is repeated, one "
                + "match is enough.",
            valueName: "text"
        )
    )
    var filter: [String] = []

    @Option(
        help: """
            Select only scenarios with these tags, such as 'auth,!slow' for 'auth' without \
            'slow'. If the option is repeated, one match is enough.
            """,
        transform: { text in try TagCondition(text) }
    )
    var tags: [TagCondition] = []

    func apply(to filter: inout ScenarioFilter) {
        (filter.names, filter.tags) = (self.filter, tags)
    }
}

/// The options of commands that execute steps of scenarios.
struct StepOptions: ParsableArguments {
    @OptionGroup var scripts: ScriptOption

    @Option(
        help: "Number of parallel jobs (1–256). Default: one per processor.",
        transform: { text in try UsageError.number(text, in: 1...256) }
    )
    var jobs: Int?

    @Option(
        help: "The seed for the random numbers of scripts. Default: the seed of the scenario file.",
        transform: { text in try UsageError.number(text, in: 0...UInt64.max) }
    )
    var seed: UInt64?

    /// The number of parallel jobs.
    var jobCount: Int { jobs ?? RunCommand.defaultJobs }

    func apply(to options: inout RunOptions) {
        options.script = scripts.script
        options.seed = seed
    }
}

/// The options of the commands that run scenarios.
struct ScenarioOptions: ParsableArguments {
    @OptionGroup var selection: FilterOptions

    @OptionGroup var steps: StepOptions

    @Option(
        help: ArgumentHelp(
            "A setting that overrides the settings of scenario files, such as 'strict=true'; "
                + "repeatable.",
            valueName: "key=value"
        ),
        transform: { text in try SettingOption(text) }
    )
    var set: [SettingOption] = []

    @Flag(help: "Print the messages that scripts log, even in passed scenarios.")
    var log = false

    @Flag(help: "Print each step with its events, log messages and tree changes.")
    var trace = false

    @Flag(help: "Print only failures, warnings and the summary.")
    var quiet = false

    /// The name of the given option that changes how much text is printed; nil if there is none.
    var detailOption: String? {
        trace ? "--trace" : log ? "--log" : quiet ? "--quiet" : nil
    }

    func validate() throws {
        if quiet, let option = detailOption, option != "--quiet" {
            throw ValidationError("'--quiet' and '\(option)' cannot be combined")
        }
    }

    func apply(to options: inout RunOptions) {
        steps.apply(to: &options)
        options.settings = set
        options.detail = trace ? .trace : log ? .logs : .failures
    }
}
#endif
