// SPDX-License-Identifier: MIT

import Foundation
import RandomNumbers
import RouteEngine
import ScenarioKit
import Testing

/// Tests of loops, tables and macros that are expanded to steps.
struct ExpansionTests {
    private func parse(_ text: String) throws -> ScenarioFile {
        try ScenarioParser.parse(SourceText(name: "a.scenario", content: Array(text.utf8))).get()
    }

    private func errors(_ text: String) -> [String] {
        let source = SourceText(name: "a.scenario", content: Array(text.utf8))
        guard case .failure(let errors) = ScenarioParser.parse(source) else { return [] }
        return errors.list.map { "\($0.span?.line ?? 0):\($0.span?.column ?? 0) \($0.code)" }
    }

    /// Returns the counts of the `back` steps, which are the only steps of a case.
    private func counts(_ scenario: Scenario?) -> [Int] {
        (scenario?.steps ?? []).map { step in
            if case .act(.back(let count), _) = step.action { count } else { 0 }
        }
    }

    @Test("a loop repeats its steps, including the steps of nested loops")
    func loops() throws {
        let file = try parse(
            """
            scenario "s"
              back 1
              repeat 2
                back 2
                repeat 3
                  back 3
                end
              end
              repeat 4
              end
              back 4
            """
        )
        #expect(counts(file.scenarios.first) == [1, 2, 3, 3, 3, 2, 3, 3, 3, 4])
    }

    @Test("macros call macros, and pass their arguments on")
    func macros() throws {
        let file = try parse(
            """
            scenario "s"
              do both 1 2
              do one 7
            macro both <a> <b>
              do one <b>
              do one <a>
            macro one <a>
              back <a>
            """
        )
        #expect(counts(file.scenarios.first) == [2, 1, 7])
    }

    @Test("an argument of a macro ends at white space outside of brackets and quotes")
    func arguments() throws {
        let file = try parse(
            """
            scenario "s"
              do note "a b" nav[A, B(x="c ] d")] (x = {1, 2}) it's
            macro note <a> <b> <c> <d>
              note "<a>/<b>/<c>/<d>"
            """
        )
        guard case .note(let text)? = file.scenarios.first?.steps.first?.action else {
            Issue.record("a note expected")
            return
        }
        #expect(text == "a b/nav[A, B(x=\"c ] d\")]/(x = {1, 2})/it's")
    }

    @Test("each row of a table becomes a scenario with its own name, tags and mode")
    func rows() throws {
        let file = try parse(
            """
            background
              back 9
            only "<a> and <b>"  @tag
              back <a>
              repeat <b>
                back <b>
              end
              each
                | b | a |
                | 1 | 2 |
                | 2 | 3 |
            skip "after"
            """
        )
        #expect(file.scenarios.map(\.name) == ["2 and 1", "3 and 2", "after"])
        #expect(file.scenarios.map(\.mode) == [.only, .only, .skip])
        #expect(file.scenarios[1].tags == ["tag"])
        #expect(file.scenarios.map { counts($0) } == [[2, 1], [3, 2, 2], []])
        #expect(file.background.count == 1)
    }

    @Test(
        "a line number inside a table selects the row; any other line of the block selects all rows"
    )
    func selection() throws {
        let file = try parse(
            """
            skip "<a>"
              each
                | a |
                | 1 |
                | 2 |

            skip "after"
            """
        )
        let selected = (1...7).map { line in
            file.scenarios.indices.filter { file.scenarios[$0].isSelected(byLine: line) }
        }
        #expect(selected == [[0, 1], [0, 1], [0, 1], [0], [1], [0, 1], [2]])
    }

    @Test("expanded steps are counted, up to the limit")
    func limits() throws {
        let loop = { (count: Int, steps: String) in
            "scenario \"s\"\n  repeat \(count)\n\(steps)  end\n"
        }
        #expect(try parse(loop(50_000, "  back\n  back\n")).scenarios[0].steps.count == 100_000)
        #expect(errors(loop(50_001, "  back\n  back\n")) == ["2:3 S0104"])
        #expect(errors(loop(Int.max, "  back\n  back\n")) == ["2:3 S0104"])
        #expect(errors(loop(400, "  repeat 400\n  back\n  end\n")) == ["2:3 S0104"])
        #expect(errors(loop(Int.max, "")).isEmpty)
        // Macros without steps that call two macros each.
        let doubling = (0..<40).map { "macro m\($0)\n  do m\($0 + 1)\n  do m\($0 + 1)\n" }
        let end = "macro m40\n  note \"x\"\n"
        #expect(errors("scenario \"s\"\n  do m0\n" + doubling.joined() + end).count == 1)
        #expect(
            errors("scenario \"s\"\n  do m0\n" + doubling.joined() + "macro m40\n").count == 1
        )
        // Macros that call one macro each, deep enough to exhaust a stack.
        let chain = (0..<20_000).map { "macro m\($0)\n  do m\($0 + 1)\n" }
        #expect(!errors("scenario \"s\"\n  do m0\n" + chain.joined() + "macro m20000\n").isEmpty)
        let rows = "scenario \"s\"\n  repeat 1000\n  back <n>\n  end\n  each\n  | n |\n"
        #expect(errors(rows + String(repeating: "  | 1 |\n", count: 100)).isEmpty)
        #expect(errors(rows + String(repeating: "  | 1 |\n", count: 101)) == ["3:3 S0104"])
    }

    /// Returns macros that call one another, each with an argument that is eight times as long as
    /// the previous one.
    private func multiplying(_ count: Int) -> String {
        let argument = String(repeating: "<a>", count: 8)
        let macros = (1...count).map { number in
            "macro m\(number) <a>\n  do m\(number - 1) \(argument)\n"
        }
        return "macro m0 <a>\n  note \"<a>\"\n" + macros.joined()
            + "scenario \"s\"\n  do m\(count) xxxxxxxx\n"
    }

    @Test("a line has the same maximum length before and after its parameters are replaced")
    func longLines() throws {
        #expect(errors(multiplying(2)).isEmpty)
        // The arguments of the fifth macro would fill the memory of a small computer, those of the
        // thirteenth that of any.
        #expect(errors(multiplying(5)) == ["8:3 S0103"])
        let macro = "macro m <a>\n  note \"<a><a>\"\n"
        let call = { "scenario \"s\"\n  do m " + String(repeating: "x", count: $0) + "\n" }
        #expect(errors(macro + call(2044)).isEmpty)
        #expect(errors(macro + call(2045)) == ["2:3 S0103"])
        // The quotes are written with backslashes inside of the other ones.
        let quoted = "scenario \"s\"\n  do m \"" + String(repeating: "\\\\", count: 1000) + "\"\n"
        #expect(errors(macro + quoted).isEmpty)
    }

    @Test("the length limit of a step grows with the number of lines that the step spans")
    func continuedLines() throws {
        let argument = String(repeating: "x", count: 2040)
        let text =
            "macro m <a>\n  given nav[A(id=\"<a>\"),\n    A(id=\"<a>\"),\n    A(id=\"<a>\")]\n"
            + "scenario \"s\"\n  do m \(argument)\n"
        #expect(errors(text).isEmpty)
        #expect(errors(text.replacing("\"<a>\"", with: "\"<a><a><a>\"")) == ["2:3 S0103"])
    }

    @Test("the name of a row may be at most as long as a line")
    func longNames() {
        let cell = { (text: String) in String(repeating: text, count: 100) }
        // Each name in a cell is replaced in turn.
        let text =
            "scenario \"<a>\"\n  note \"<b><c>\"\n  each\n    | a | b | c |\n"
            + "    | \(cell("<b>")) | \(cell("<c>")) | \(cell("x")) |\n"
        #expect(errors(text) == ["5:5 S0103"])
    }

    @Test("the expanded lines of a file can be at most 64 MiB in total")
    func expandedBytes() {
        let parameters = String(repeating: "<a>", count: 1300)
        let rows = { (count: Int) -> String in
            "scenario \"<a>\"\n" + String(repeating: "  note \"\(parameters)\"\n", count: 8)
                + "  each\n  | a |\n" + (0..<count).map { "  | \($0 % 10) |\n" }.joined()
        }
        #expect(errors(rows(50)).isEmpty)
        #expect(errors(rows(200)) == ["4:3 S0104"])
    }

    @Test("the steps of all macros that no step calls count together toward the limit")
    func uncalledMacros() {
        let loop = "macro many\n  repeat 20000\n  note \"x\"\n  end\n"
        let macros = { (count: Int) -> String in
            loop + (0..<count).map { "macro m\($0)\n  do many\n" }.joined()
        }
        let scenario = "scenario \"s\"\n  note \"x\"\n"
        #expect(errors(macros(5) + scenario).isEmpty)
        #expect(errors(macros(6) + scenario) == ["3:3 S0104"])
    }

    @Test("ten thousand rows are ten thousand scenarios")
    func manyRows() throws {
        var text = "scenario \"<n>\"\n  navigate A/b(id=<n>)\n  expect top A(id=<n>)\n  each\n"
        text += "  | n |\n"
        for number in 0..<10_000 { text += "  | \(number) |\n" }
        let file = try parse(text)
        #expect(file.scenarios.count == 10_000)
        #expect(file.scenarios.last?.name == "9999")
    }

    @Test("no text crashes the expansion of loops, tables and macros")
    func robustness() {
        let seed = Array(
            """
            set seed = 1
            macro m <a> <b>
              back <a>
              note "<b>"
            scenario "<x> '<y>'" @t
              repeat 2
              do m <x> "<y>"
              end
              stub A/b(x=<x>) failed ({<x>})
              expect stack ... > A
              each
                | x | y     |
                | 1 | "a b" |
                | 2 | a \\| |

            """.utf8
        )
        var generator = RandomNumbers(seed: 11)
        for _ in 0..<5_000 {
            var bytes = seed
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let index = Int.random(in: bytes.indices, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: index)
                case 2: bytes.swapAt(index, Int.random(in: bytes.indices, using: &generator))
                default: bytes.insert(contentsOf: "|<\"\\'>(".utf8, at: index)
                }
            }
            guard
                case .failure(let errors) = ScenarioParser.parse(
                    SourceText(name: "a.scenario", content: bytes)
                )
            else { continue }
            for error in errors.list { #expect((error.span?.column ?? 0) >= 1) }
        }
    }

    @Test(
        "a start time is written as a date and a time of day",
        arguments: [
            ("1970-01-01T00:00", 0), ("2026-01-01T09:00", 1_767_258_000),
            ("2024-02-29T23:59:59", 1_709_251_199), ("2000-03-01T00:00", 951_868_800),
            ("2100-03-01T00:00", 4_107_542_400),
        ]
    )
    func moments(_ text: String, _ seconds: Double) throws {
        #expect(try parse("set start = \(text)\n").settings.start == seconds)
    }

    @Test(
        "a duration is a number and its unit",
        arguments: [
            ("0s", 0), ("300ms", 0.3), ("2s", 2), ("1.5s", 1.5), ("5m", 300), ("1h", 3_600),
            ("0.5h", 1_800),
        ]
    )
    func durations(_ text: String, _ seconds: Double) throws {
        let file = try parse("scenario \"s\"\n  advance \(text)\n")
        guard case .advance(seconds)? = file.scenarios.first?.steps.first?.action else {
            Issue.record("\(seconds) seconds expected")
            return
        }
    }

    @Test(
        "an invalid time is an error",
        arguments: [
            "2026-01-01", "2026-13-01T00:00", "2026-02-29T00:00", "2026-01-01T24:00",
            "2026-01-01T00:60", "26-01-01T00:00", "2026-01-01T0:00", "+026-01-01T00:00",
            "2100-02-29T00:00", "2026-01-00T00:00",
        ]
    )
    func noMoments(_ text: String) {
        #expect(errors("set start = \(text)\n") == ["1:13 S0109"])
    }
}
