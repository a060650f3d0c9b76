// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting
import TestSupport
import Testing

@testable import ScenarioKit

/// The event streams of runs and apps, and the command `luaroute events`.
struct EventStreamTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(
            "main.lua",
            """
            router.class("Page", { fields = { "id" } })
            router.start(function() return router.nav { router.screen "Home" } end)
            router.register("Page", "show", {
              build = function(info) return router.screen("Page", { id = info.id }) end,
              after = function()
                if not router.state.went then
                  router.state.went = true
                  router.navigate("Page", "show", { id = 2 })
                end
              end,
            })
            """
        )
        try folder.write(
            "a.scenario",
            """
            use main.lua
            set seed = 7

            background
              start

            scenario "A page"
              navigate Page/show(id=1)

            scenario "Fails"
              navigate Page/nothing
            """
        )
    }

    /// Returns the event streams of the scenarios, without the path of the folder.
    private func stream() throws -> String {
        var command = RunCommand(paths: ["\(folder.path)/a.scenario"])
        command.options.keepsEvents = true
        let report = command.run(.silent)
        return try ReportFile("events=F").text(of: report)
    }

    /// Runs the command on an input.
    private func events(
        _ text: some Sequence<UInt8>,
        _ format: EventsCommand.Format = .list
    ) -> (output: String, errors: String, code: ExitCode) {
        var command = EventsCommand(file: "-")
        command.format = format
        var rest = Array(text)[...]
        var (output, errors) = ("", "")
        let code = command.run(
            input: { () throws(InputError) in
                defer { rest = rest.dropFirst(100) }
                return rest.isEmpty ? nil : Array(rest.prefix(100))
            },
            Console(output: { output += $0 }, errors: { errors += $0 })
        )
        return (output, errors, code)
    }

    @Test("each scenario is a separate stream, whose header has the name of the scenario")
    func headers() throws {
        let lines = try stream().split(separator: "\n")
        let headers = lines.filter { $0.contains("schema") }
        let path = "\(folder.path)/"
        #expect(
            headers.map { $0.replacing(path, with: "") } == [
                #"{"schema":"luaroute.events/1","scenario":"A page","location":"a.scenario:7","script":"main.lua","seed":"7"}"#,
                #"{"schema":"luaroute.events/1","scenario":"Fails","location":"a.scenario:10","script":"main.lua","seed":"7"}"#,
            ]
        )
        #expect(lines.allSatisfy { $0.contains("schema") || $0.hasPrefix(#"{"seq":"#) })
    }

    @Test("events are unchanged after they are written to a stream and read back")
    func reading() throws {
        let text = try stream()
        let source = SourceText(name: "F", content: Array(text.utf8))
        let file = try EventFile(source)
        #expect(file.warnings.isEmpty)
        let again = file.recordings.flatMap(\.events).map(\.json)
        // A missing value is not written again.
        let lines = text.replacing(#""previous":null,"#, with: "").split(separator: "\n")
        #expect(again == lines.filter { !$0.contains("schema") }.map(String.init))
        #expect(file.recordings.map(\.scenario) == ["A page", "Fails"])
    }

    @Test("events are printed one per line, or grouped by cause")
    func printing() throws {
        let text = try stream()
        let list = events(text.utf8)
        #expect(list.code == .success && list.errors.isEmpty)
        #expect(list.output.contains("\n     1     0.000  #1 navigate start\n"))
        #expect(list.output.contains("a.scenario:10  Fails\n"))
        let trace = events(text.utf8, .trace).output
        #expect(trace.contains("\n        #3 navigate Page/show"), "\(trace)")
        #expect(trace.contains("\n          done\n"))
    }

    @Test("the last line may be truncated, as after a crash")
    func truncated() throws {
        let text = try stream()
        for end in [text.utf8.count - 2, text.utf8.count - 30] {
            let result = events(text.utf8.prefix(end))
            #expect(result.code == .success)
            #expect(
                result.errors.contains(
                    "warning[C0103]: the last line is truncated, and was ignored"
                )
            )
            #expect(result.output.contains("Fails"))
        }
    }

    @Test("a complete but invalid last line is not reported as truncated")
    func complete() {
        let event = #"{"seq":1,"time":0.0,"generation":1,"kind":"done""#
        let deep = "\(event),\"a\":" + String(repeating: "[", count: 300)
        for (end, message) in [
            (#"{"seq":1}"#, "an event with the keys 'seq', 'time'"),
            ("\(event),\"seq\":2}", "the object contains this key twice"),
            (deep + String(repeating: "]", count: 300) + "}", "levels deep"), (event, "',' or '}'"),
        ] {
            let text = "\(Event.jsonHeader)\n\(event)}\n\(end)"
            let invalid = events((text + "\n").utf8)
            #expect(invalid.code == .inputMissing && invalid.output.isEmpty)
            #expect(invalid.errors.contains("error[C0103]") && invalid.errors.contains(message))
            let cutOff = events(text.utf8)
            #expect(cutOff.code == .success && cutOff.output == "     1     0.000  done\n")
            #expect(cutOff.errors.contains("the last line is truncated, and was ignored"))
        }
        let bytes = Array("\(Event.jsonHeader)\n\(event)}\n{\"a\":\"".utf8) + [0xC3]
        #expect(events(bytes).code == .success)
        #expect(events(bytes + [10]).errors.contains("not UTF-8"))
    }

    @Test(
        "an integer of more than 64 bits is rounded, and a number that no float can represent is an error"
    )
    func numbers() {
        let event =
            "\(Event.jsonHeader)\n" + #"{"seq":1,"time":0.0,"generation":1,"kind":"done","n":"#
        let numbers = [
            "9223372036854775807", "9223372036854775808", "-9223372036854775809", "1e308",
            "123456789012345678901234567890", "1e-400",
        ]
        #expect(
            numbers.map { events("\(event)\($0)}\n".utf8).output }
                == [
                    "9223372036854775807", "9.223372036854776e+18", "-9.223372036854776e+18",
                    "1e+308",
                    "1.2345678901234568e+29", "0.0",
                ].map { "     1     0.000  done n=\($0)\n" }
        )
        for number in ["1e400", "-1e400", String(repeating: "9", count: 400)] {
            let result = events("\(event)\(number)}\n".utf8)
            #expect(result.code == .inputMissing && result.output.isEmpty)
            #expect(result.errors.contains("a 64-bit number expected, got"))
            #expect(result.errors.contains("--> -:2:54"), "\(result.errors)")
        }
    }

    @Test("events of unknown kinds are skipped with a warning, and unknown keys are kept")
    func unknown() throws {
        let event = #"{"seq":1,"time":0.0,"generation":1,"kind":"#
        let text = "\(Event.jsonHeader)\r\n\(event)\"teleport\"}\r\n\(event)\"done\",\"why\":7}\r\n"
        let result = events(text.utf8)
        #expect(result.code == .success)
        #expect(result.output == "     1     0.000  done why=7\n")
        #expect(
            result.errors.contains(
                "ignored one event whose kind this version does not know, such as 'teleport'"
            )
        )
        #expect(result.errors.contains("--> -:2:1"))
    }

    @Test(
        "an input that is not an event stream is an error with its location",
        arguments: [
            ("", "'-' is empty"), ("\n\n", "'-' is empty"),
            ("use main.lua\n", "-:1:1"),
            (#"{"seq":1}"# + "\n", "a header with the key 'schema' expected"),
            (
                #"{"schema":"luaroute.run/1"}"# + "\n",
                "the schema 'luaroute.run/1' is not 'luaroute.events/1'"
            ),
            (Event.jsonHeader + "\n{\"seq\":1,}\n{}\n", "-:2:10"),
            (Event.jsonHeader + "\n{\"seq\":1}\n{}\n", "an event with the keys 'seq', 'time'"),
        ]
    )
    func invalid(_ text: String, _ message: String) {
        let result = events(text.utf8)
        #expect(result.code == .inputMissing)
        #expect(result.errors.contains(message), "\(result.errors)")
        #expect(result.output.isEmpty)
    }

    @Test("bytes that are not UTF-8 are an error, and so are a folder and a missing file")
    func unreadable() {
        let result = events(Array("\(Event.jsonHeader)\n".utf8) + [0xFF, 10, 0x7B, 10])
        #expect(result.errors.contains("not UTF-8") && result.code == .inputMissing)
        for path in [folder.path, "\(folder.path)/a.scenari"] {
            var errors = ""
            let code = EventsCommand(file: path)
                .run(input: { nil }, Console(output: { _ in }, errors: { errors += $0 }))
            #expect(code == .inputMissing && errors.contains("error[C0103]"))
        }
    }
}
