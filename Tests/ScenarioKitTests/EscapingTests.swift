// SPDX-License-Identifier: MIT

import ScenarioKit
import TestSupport
import Testing

/// Tests of untrusted text in the output of the command.
///
/// The text would control a terminal if it was not escaped.
struct EscapingTests {
    private static let hostile = [
        "\u{1B}[31m", "\r", "\u{9B}2J", "\u{202E}", "\u{2066}", "\u{200B}",
    ]

    private func run(_ name: String, _ text: String) throws -> String {
        let folder = try TemporaryFolder()
        try folder.write(
            "app.lua",
            """
            router.start(function() return router.screen "Main" end)
            router.export("say", function(t) router.log.warn(t.text) error(t.text) end)
            """
        )
        try folder.write(name, text)
        var output = ""
        let command = RunCommand(paths: [folder.path])
        command.run(Console { output += $0 })
        _ = command.list(Console { output += $0 })
        return output
    }

    private func expectEscaped(_ output: String, _ text: String) {
        #expect(!output.contains(text))
        let scalar = text.unicodeScalars.first?.value ?? 0
        #expect(output.contains("\\u{\(String(scalar, radix: 16, uppercase: true))}"), "\(output)")
    }

    @Test("scenario names, notes and script texts are escaped when printed", arguments: hostile)
    func texts(_ text: String) throws {
        let output = try run(
            "a.scenario",
            """
            use app.lua
            scenario "A \(text) name"
              start
              note "A \(text) note"
              call say(text="a \(text) log")

            """
        )
        expectEscaped(output, text)
    }

    @Test("file names are escaped when printed, whatever the error", arguments: hostile)
    func files(_ text: String) throws {
        for content in [
            "use app.lua\nscenario \"A\"\n  start\n", "use app.lua\nscenario \"A\"\n  bogus\n",
            "use nowhere.lua\nscenario \"A\"\n  start\n",
            "use app.lua\nscenario \"A\"\n  start\n  expect top B\n",
        ] {
            expectEscaped(try run("a\(text).scenario", content), text)
        }
    }

    @Test("the caret points at the marked text, even after escaped characters")
    func caret() throws {
        let output = try run(
            "a.scenario",
            "use app.lua\nscenario \"A\"\n  note \"\u{1B}\u{202E}\" left\n"
        )
        #expect(
            output.contains(
                """
                 3 |   note "\\u{1B}\\u{202E}" left
                   |                         ^^^^
                """
            ),
            "\(output)"
        )
    }
}
