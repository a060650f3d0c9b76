// SPDX-License-Identifier: MIT

#if CommandLine
import ArgumentParser
import CommandStreams
import ScenarioKit

/// The command `luaroute repl`, which reads and runs steps and Lua code, line by line.
struct Repl: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repl",
        abstract:
            "Take the steps of a scenario and Lua, line by line, and undo them.",
        discussion: """
            luaroute repl scripts/podcast              a prompt; 'help' lists what it takes
            echo 'navigate Page/open' | luaroute repl  the lines of a pipe
            rlwrap luaroute repl scripts/podcast       with editing and a history of lines

            A line is a step as in a scenario file, a command, or else Lua, which is run in the \
            environment of the scripts. After each line, the windows that changed are printed, \
            with '+' before new screens and '~' before changed ones. 'undo' puts everything back: \
            screens, state, clock, pending work, and the variables of scripts, for the last 200 \
            lines. 'save' writes what was done as a scenario with expectations; lines of Lua become \
            comments. 'router.start' runs first.

            Exit codes: 0, or, without a prompt, 1 if a line failed; 3 a script failed to load, \
            64 usage, 66 an input is missing, 74 the result could not be written.
            """
    )

    @OptionGroup var scripts: ScriptArgument

    @OptionGroup var host: HostOptions

    @OptionGroup var limits: ScriptLimits

    @OptionGroup var style: ColorOption

    func run() throws {
        let streams = Streams()
        let project = try streams.project(style.color)
        var command = ReplCommand(
            script: scripts.path(in: project),
            options: limits.options(project)
        )
        host.apply(to: &command.options, project)
        command.prompt = streams.isInteractive ? "> " : ""
        let input = StandardInput.lines
        var console = streams.console(style.color)
        console.output = { text in
            streams.output(text)
            if command.prompt == text.text { streams.flush() }
        }
        let code = command.run(
            input: { () throws(InputError) in streams.isClosed ? nil : try input.next() },
            console
        )
        throw streams.exit(code)
    }
}
#endif
