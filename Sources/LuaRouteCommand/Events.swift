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
                                                      write a scenario with these events
            luaroute events app.jsonl --scenario --failing
                                                      write a scenario of the last failure

            An app can record events in two ways. After a failure, the app writes \
            'router.flightRecording()' to a file, which then contains the last 500 events. To \
            record a whole session, the app writes 'Event.jsonHeader', and then the 'json' of each \
            event of 'router.onEvent', one per line. A truncated last line is ignored with a \
            warning.

            A scenario repeats all input of the recorded session: the calls by the app, the \
            gestures of the user, the answers of the host, and the passage of time. An input that \
            no step can repeat becomes a comment, and so do all steps after this input. Private \
            values are not recorded, except in URLs that match no route.

            Exit codes: 0 the events were printed, 4 no recording was selected, 64 usage error, 66 \
            the file is missing or not an event stream.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "The file with the events; '-' reads the standard input.",
            valueName: "file"
        ),
        completion: .file()
    )
    var file: String

    @Flag(help: "Group and indent the events by the navigation that caused them.")
    var trace = false

    @Flag(help: "Write a scenario file that reproduces the recordings.")
    var scenario = false

    @Flag(
        help: """
            Expect the last failed request to succeed, so that the scenario fails until the bug \
            is fixed.
            """
    )
    var failing = false

    @OptionGroup var scripts: ScriptOption

    @Option(
        help: ArgumentHelp(
            "Select only scenarios whose name contains this text. If the option is repeated, one "
                + "match is enough.",
            valueName: "text"
        )
    )
    var filter: [String] = []

    @OptionGroup var style: ColorOption

    func validate() throws {
        if scenario, trace {
            throw ValidationError("'--trace' and '--scenario' cannot be combined")
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
