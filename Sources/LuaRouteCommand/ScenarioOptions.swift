// SPDX-License-Identifier: MIT

#if CommandLine
import ArgumentParser
import ScenarioKit

/// The options of the commands that run scenarios.
struct ScenarioOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only scenarios whose name contains this text; if repeated, any of the texts.",
            valueName: "text"
        )
    )
    var filter: [String] = []

    @Option(
        help: "Only scenarios with these tags, as in 'auth,!slow'; if repeated, any of them.",
        transform: { text in try TagCondition(text) }
    )
    var tags: [TagCondition] = []

    @Option(help: "The scripts to run in place of those named by the files.")
    var script: String?

    @Option(
        help: ArgumentHelp(
            "A setting in place of that of each file, as in 'strict=true'; repeatable.",
            valueName: "key=value"
        ),
        transform: { text in try SettingOption(text) }
    )
    var set: [SettingOption] = []

    @Option(help: "Number of parallel jobs (1–256). Default: one per processor.")
    var jobs: Int = processors

    @Option(help: "The seed of the scripts' random numbers; default: the seed of the file.")
    var seed: UInt64?

    @Flag(help: "Print the messages that scripts log, of passed scenarios too.")
    var log = false

    @Flag(help: "Print each step with its events, messages and changes of the tree.")
    var trace = false

    /// The option that asks for more than the results; nil without one.
    var detailOption: String? { trace ? "--trace" : log ? "--log" : nil }

    /// Counting the processors opens files of the system, and the command is created several times.
    private static let processors = RunCommand.defaultJobs

    func validate() throws {
        guard (1...256).contains(jobs) else {
            throw ValidationError("'--jobs' takes a number from 1 to 256, got '\(jobs)'")
        }
    }

    func apply(to options: inout RunOptions) {
        options.script = script
        options.seed = seed
        options.settings = set
        options.detail = trace ? .trace : log ? .logs : .failures
    }
}
#endif
