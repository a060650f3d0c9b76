// SPDX-License-Identifier: MIT

#if CommandLine
import ArgumentParser
import CommandStreams
import ScenarioKit

/// The command `luaroute events`, which prints recorded events.
struct Events: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "Print recorded events, or write a scenario that reproduces them.",
        discussion: """
            luaroute run --events run.jsonl scripts   record the scenarios of a folder
            luaroute events run.jsonl                 print one line for each event
            luaroute events run.jsonl --trace         group the events by their causes
            luaroute events app.jsonl --scenario --script shop.lua > bug.scenario
                                                      write a scenario that does the same
            luaroute events app.jsonl --scenario --failing
                                                      write one that fails until the fix

            After a failure, an app writes 'router.flightRecording()', the last 500 events. Or it \
            records all of a session by writing 'Event.jsonHeader' and then the 'json' of each event of \
            'router.onEvent', one per line. A truncated last line is left out with a warning.

            A scenario repeats all input from outside: the calls of the app, the gestures of the \
            user, the answers of the host and the time. An act that no step can repeat is a comment, and \
            so are the steps after it. Private values are not recorded, except in URLs that lead \
            to no route.

            Exit codes: 0 the events were printed, 4 no recording was selected, 64 usage, 66 the file is missing or not an \
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

    @Flag(help: "Write a scenario file that reproduces the recordings.")
    var scenario = false

    @Flag(
        help:
            "Expect the request that failed last to succeed: the scenario fails until that is fixed."
    )
    var failing = false

    @OptionGroup var scripts: ScriptOption

    @Option(
        help: ArgumentHelp(
            "Only scenarios whose name contains this text; if repeated, any of the texts.",
            valueName: "text"
        )
    )
    var filter: [String] = []

    @OptionGroup var style: ColorOption

    func validate() throws {
        if scenario, trace {
            throw ValidationError("'--trace' prints events, and '--scenario' a scenario")
        }
        if scripts.script != nil, !scenario {
            throw ValidationError("'--script' needs '--scenario'")
        }
        if failing, !scenario {
            throw ValidationError("'--failing' needs '--scenario'")
        }
    }

    func run() throws {
        let streams = Streams()
        var command = EventsCommand(file: file)
        command.format = scenario ? .scenario : trace ? .trace : .list
        command.filter = filter
        command.script = scripts.script
        command.isFailing = failing
        let code = command.run(
            input: { () throws(InputError) in try StandardInput.next() },
            streams.console(style.color)
        )
        throw streams.exit(code)
    }
}
#endif
