// SPDX-License-Identifier: MIT

#if CommandLine
import ArgumentParser
import ScenarioKit

/// The options of the commands that run scenarios.
struct ScenarioOptions: ParsableArguments {
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

    @Option(help: "The scripts to run in place of those that the files name.")
    var script: String?

    @Option(help: "How many run at the same time, from 1 to 256; else one for each processor.")
    var jobs: Int = processors

    @Option(help: "The seed of the scripts' random numbers; else that of the file.")
    var seed: UInt64?

    /// Counting them opens files of the system, and a command is made several times.
    private static let processors = RunCommand.defaultJobs

    func validate() throws {
        guard (1...256).contains(jobs) else {
            throw ValidationError("'--jobs' takes a number from 1 to 256, got '\(jobs)'")
        }
    }

    func apply(to options: inout RunOptions) {
        options.script = script
        options.seed = seed
    }
}
#endif
