// SPDX-License-Identifier: MIT

import ArgumentParser
import ScenarioKit

/// Runs scenarios.
struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run scenarios: files, folders, file:line."
    )

    @Argument(
        help: ArgumentHelp("Scenario files, folders of them, or file:line.", valueName: "paths"),
        completion: .file(extensions: ["scenario"])
    )
    var paths: [String] = []

    @Option(help: "The seed of the scripts' random numbers.")
    var seed: UInt64 = 0

    @Option(help: "The scripts to run in place of those that the files name.")
    var script: String?

    func run() throws {
        var options = RunOptions()
        options.seed = seed
        options.script = script
        options.isUnattended = Streams.isUnattended
        let streams = Streams()
        let report = RunCommand(paths: paths, options: options)
            .run(output: streams.output, errors: streams.errors)
        throw streams.exit(report.exitCode)
    }
}
