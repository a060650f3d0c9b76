// SPDX-License-Identifier: MIT

import LuaRouting
import RandomNumbers
import RouteEngine
import ScenarioKit
import TestSupport
import Testing

struct ScenarioParserTests {
    private func parse(_ text: String) throws -> ScenarioFile {
        try ScenarioParser.parse(SourceText(name: "a.scenario", content: Array(text.utf8))).get()
    }

    private func diagnostics(_ bytes: [UInt8]) -> [Diagnostic] {
        switch ScenarioParser.parse(SourceText(name: "a.scenario", content: bytes)) {
        case .success: []
        case .failure(let diagnostics): diagnostics.list
        }
    }

    @Test("blocks, tags and steps are read with their locations")
    func blocks() throws {
        let file = try parse(
            """
            # A comment.
            use "my scripts/app.lua"  # another
            background
              given nav[A]

            scenario "One"  @fast @a.b-c
              back 2
              note "it's # no comment"
            only 'Two'
              dismiss
            skip "Three"
              dismiss
            """
        )
        #expect(file.use?.path == "my scripts/app.lua")
        #expect(file.background.count == 1)
        #expect(file.scenarios.map(\.name) == ["One", "Two", "Three"])
        #expect(file.scenarios.map(\.mode) == [.plain, .only, .skip])
        #expect(file.scenarios[0].tags == ["fast", "a.b-c"])
        #expect(file.scenarios.map(\.line) == [6, 9, 11])
        #expect(file.scenarios.map(\.lastLine) == [8, 10, 12])
        #expect(
            file.scenarios[0].steps.map { file.source.text($0.range) }
                == ["back 2", "note \"it's # no comment\""]
        )
        guard case .note("it's # no comment") = file.scenarios[0].steps[1].action else {
            Issue.record("a note expected")
            return
        }
    }

    @Test("a request is read with its target, its clauses in any order, and its name")
    func request() throws {
        let text =
            "scenario \"s\"\n"
            + "  navigate My.Shop/open-it(id=3, t={a=\"b\", c={1, 2}}) with (window=w, animated=false)"
            + " from A(x=1)[...] via presentWithNav as first"
        let step = try #require(try parse(text).scenarios.first?.steps.first)
        guard case .act(.route(let target, let info), let options) = step.action else {
            Issue.record("a navigate expected")
            return
        }
        #expect(target == Target("My.Shop", "open-it"))
        #expect(InfoTable(info) == ["id": 3, "t": ["a": "b", "c": [1, 2]]])
        #expect(options?.value.others.via?.name == "presentWithNav")
        #expect(options?.value.from?.name == "A")
        #expect(options?.value.others.window == "w")
        #expect(options?.value.others.isAnimated == false)
        #expect(step.name == "first")
    }

    @Test(
        "the last line needs no line break, and locations do not depend on the form of line breaks"
    )
    func lineBreaks() throws {
        let lines = ["scenario \"s\"", "\tgiven nav[", "    A, B", "  ]", "  back"]
        for separator in ["\n", "\r\n"] {
            for end in ["", separator, separator + separator] {
                for mark in ["", "\u{FEFF}"] {
                    let file = try parse(mark + lines.joined(separator: separator) + end)
                    let steps = try #require(file.scenarios.first?.steps)
                    #expect(steps.count == 2)
                    #expect(Span(file.source, steps[1].range).line == 5)
                    #expect(Span(file.source, steps[1].range).column == 3)
                    #expect(file.scenarios[0].lastLine == (end.count > 1 ? 6 : 5))
                }
            }
        }
    }

    @Test("a file that reaches a limit is parsed, and a file that exceeds the limit is an error")
    func limits() throws {
        let head = Array("scenario \"s\"\n  note \"".utf8)
        let note = 4096 - "  note \"\"".utf8.count
        let longest = head + [UInt8](repeating: 0x78, count: note) + [0x22]
        #expect(diagnostics(longest).isEmpty)
        let tooLong = head + [UInt8](repeating: 0x78, count: note + 1) + [0x22]
        #expect(diagnostics(tooLong).map(\.code.description) == ["S0103"])

        let block = Array("scenario \"s\"\n".utf8)
        let steps = [[UInt8]](repeating: Array(" back\n".utf8), count: 100_000).flatMap(\.self)
        #expect(diagnostics(block + steps).isEmpty)
        #expect(
            diagnostics(block + steps + Array(" back".utf8)).map(\.code.description) == ["S0104"]
        )

        let fill = [UInt8](repeating: 0x0A, count: 1 << 20)
        #expect(diagnostics(fill).isEmpty)
        #expect(diagnostics(fill + [0x0A]).map(\.code.description) == ["S0102"])
    }

    @Test(
        "no text crashes the parser, and large texts are parsed quickly",
        .tags(.sweep),
        .unlessQuick
    )
    func robustness() throws {
        let seed =
            Array(
                "use a.lua\nscenario \"s\" @t\n  given nav[A(x={1, \"é\"})] ^ b\n  navigate A/b(c=d) via push as x\n"
                    .utf8
            ) + Array("  expect x not error notFound \"t\"\n  expect ops push(A, B) pop\n".utf8)
        for end in seed.indices { _ = diagnostics(Array(seed[..<end])) }
        var generator = RandomNumbers(seed: 7)
        for _ in 0..<5_000 {
            var bytes = seed
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let index = Int.random(in: bytes.indices, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: index)
                default: bytes.insert(contentsOf: "([{\"'\n #".utf8, at: index)
                }
            }
            _ = diagnostics(bytes)
        }
        for line in ["  given nav[(\n", "  note \"\n", "  x\n", "(\n", "  expect first done\n"] {
            let count = (1 << 20) / line.utf8.count
            let text = String(repeating: line, count: count)
            #expect(!diagnostics(Array(text.utf8)).isEmpty)
        }
    }
}
