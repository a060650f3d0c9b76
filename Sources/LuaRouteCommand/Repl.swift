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
            "Run scenario steps and Lua code, line by line, with undo.",
        discussion: """
            luaroute repl scripts/podcast              a prompt; 'help' lists the commands
            echo 'navigate Page/open' | luaroute repl  read the lines from a pipe
            rlwrap luaroute repl scripts/podcast       with line editing and a history

            A line is a step as in a scenario file, or a command. Any other line is Lua code, \
            which runs in the environment of the scripts. After each line, the windows that \
            changed are printed, with '+' before new screens and '~' before changed screens. \
            'undo' restores the screens, the state, the clock, pending work, and the variables of \
            scripts. The last 200 lines can be undone. 'save' writes the session as a scenario \
            with expectations, in which lines of Lua become comments. 'router.start' runs first.

            Exit codes: 0 success, 1 a line failed and there was no prompt, 3 a script failed to \
            load, 64 usage error, 66 an input is missing, 74 the result could not be written.
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
