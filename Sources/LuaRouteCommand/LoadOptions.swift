// SPDX-License-Identifier: MIT

#if CommandLine
import ArgumentParser
import ScenarioKit

/// The options of all commands that load scripts.
struct LoadOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The budget of loading and of each call of a script, as in "
                + "'instructions=5M,seconds=0.5,bytes=16M'.",
            valueName: "limits"
        ),
        transform: { text in try BudgetLimits(text) }
    )
    var budget: BudgetLimits?

    @Flag(help: "Let scripts use 'coroutine', all of 'string', and 'os.getenv'.")
    var trusted = false

    @Flag(help: "Print one JSON document in place of text.")
    var json = false

    @Option(help: "When to use colour: always, never, or auto (on a terminal).")
    var color = ColorChoice.auto

    /// Returns the options for a run, with the defaults of the project.
    func options(_ project: ProjectFile) -> RunOptions {
        var options = RunOptions()
        options.budget = budget ?? project.budget
        options.defaultScript = project.script
        options.isTrusted = trusted
        return options
    }
}
#endif
