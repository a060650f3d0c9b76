// SPDX-License-Identifier: MIT

#if CommandLine
import ArgumentParser
import ScenarioKit

/// Prints recorded events.
struct Events: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "Print the events that an app or a run recorded.",
        discussion: """
            luaroute run --events events.jsonl scripts   record the scenarios of a folder
            luaroute events events.jsonl                 print one line for each event
            luaroute events events.jsonl --trace         group the events by what caused them

            An app records by writing 'Event.jsonHeader' and then the 'json' of each event of \
            'router.onEvent', a line each. A last line that is cut off is left out with a warning.

            Exit codes: 0 the events were printed, 64 usage, 66 the file is missing or is no \
            event stream.
            """
    )

    @Argument(
        help: ArgumentHelp("The file; '-' reads the standard input.", valueName: "file"),
        completion: .file()
    )
    var file: String

    @Flag(help: "Group the events by the navigation that caused them, indented.")
    var trace = false

    @Option(help: "When to use colour: always, never, or auto (on a terminal).")
    var color = ColorChoice.auto

    func run() throws {
        let streams = Streams()
        var command = EventsCommand(file: file)
        command.format = trace ? .trace : .list
        command.isOutputColored = streams.isOutputColored(color)
        command.isErrorsColored = streams.isErrorsColored(color)
        let input = InputLines()
        let code = command.run(
            input: { () throws(InputError) in try input.next() },
            output: streams.output,
            errors: streams.errors
        )
        throw streams.exit(code)
    }
}
#endif
