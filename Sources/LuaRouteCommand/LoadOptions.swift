// SPDX-License-Identifier: MIT

#if CommandLine
import ArgumentParser
import ScenarioKit

/// The option `--color` of commands that print coloured text.
struct ColorOption: ParsableArguments {
    @Option(help: "When to use colour: always, never, or auto (on a terminal).")
    var color = ColorChoice.auto
}

/// The options that limit scripts.
struct ScriptLimits: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The budget for loading the scripts, and for each call of a script, such as "
                + "'instructions=5M,seconds=0.5,bytes=16M'.",
            valueName: "limits"
        ),
        transform: { text in try BudgetLimits(text) }
    )
    var budget: BudgetLimits?

    @Flag(help: "Let scripts use 'coroutine', all of 'string', and 'os.getenv'.")
    var trusted = false

    /// Returns the options for a run, with defaults from the project file.
    func options(_ project: ProjectFile) -> RunOptions {
        var options = RunOptions()
        options.project = project
        options.budget = budget ?? project.budget
        options.defaultScript = project.script
        options.isTrusted = trusted
        return options
    }
}

/// The options of commands that load scripts, and print text or a JSON document.
struct LoadOptions: ParsableArguments {
    @OptionGroup var limits: ScriptLimits

    @Flag(
        help:
            "Print one JSON document instead of text. With 'run', '--json=lines' prints one JSON object per line."
    )
    var json = false

    @OptionGroup var style: ColorOption

    var color: ColorChoice { style.color }

    /// Returns the options for a run, with defaults from the project file.
    func options(_ project: ProjectFile) -> RunOptions { limits.options(project) }
}
#endif
