// SPDX-License-Identifier: MIT

import Testing

@testable import RouteCore
@testable import ScenarioKit

/// Tests of reading the `explore` blocks of scenario files.
struct ExplorationReaderInternalsTests {
    private func parse(_ lines: String) -> Result<ScenarioFile, Diagnostics> {
        let indented = lines.split(separator: "\n", omittingEmptySubsequences: false)
            .map { "  \($0)" }.joined(separator: "\n")
        let text = "explore \"All\"  @nightly\n\(indented)\n"
        return ScenarioParser.parse(SourceText(name: "a.scenario", content: Array(text.utf8)))
    }

    private func exploration(_ lines: String) throws -> Exploration {
        try #require(try parse(lines).get().explorations.first)
    }

    @Test(
        "all combinations of alternatives are generated, and 'nothing' means an empty text",
        arguments: [
            ("navigate Show/open(id=1)", ["navigate Show/open(id=1)"]),
            (
                "navigate Show/open(id=1|2)",
                ["navigate Show/open(id=1)", "navigate Show/open(id=2)"]
            ),
            (
                "navigate Show/open(id=1 | 2, kind=\"a|b\"|c)",
                [
                    "navigate Show/open(id=1, kind=\"a|b\")", "navigate Show/open(id=1, kind=c)",
                    "navigate Show/open(id=2, kind=\"a|b\")", "navigate Show/open(id=2, kind=c)",
                ]
            ),
            ("close Login true | nothing", ["close Login true", "close Login"]),
            ("close Login nothing", ["close Login nothing"]),
            (
                "set state.user = nil | {name=ann|bob}",
                [
                    "set state.user = nil", "set state.user = {name=ann}",
                    "set state.user = {name=bob}",
                ]
            ),
            ("close A(x=1)|B", ["close A(x=1)", "close B"]),
            (
                "complete Session/refresh finished | failed",
                ["complete Session/refresh finished", "complete Session/refresh failed"]
            ),
            ("open a://x|a://y", ["open a://x", "open a://y"]),
        ]
    )
    func alternatives(_ step: String, _ expected: [String]) throws {
        let choices = try exploration("can \(step)").choices
        #expect(choices.map { $0.step.text.text($0.step.range) } == expected)
    }

    @Test("the parts of an exploration line are found, whatever words are in brackets and quotes")
    func lines() throws {
        let exploration = try exploration(
            """
            start
            can navigate A/b(x=" from B") from A(y=1)
            can navigate A/b from _ from C
            never top B when state.x = "when"
            never stack A > ... > B
            never depth over 8
            never depth 3
            never error script
            never error script "text"
            always reach top A by user in 4
            bound depth 10 states 1000
            bound time 2m
            """
        )
        #expect(exploration.steps.map(\.word) == ["start"])
        #expect(exploration.tags == ["nightly"])
        let conditions = exploration.choices.map { choice in
            choice.condition.map { $0.text.text($0.range) } ?? ""
        }
        #expect(conditions == ["expect top A(y=1)", "expect top C"])
        let properties = exploration.rules.map { rule in
            switch rule.property {
            case .never(let step, nil): step.text.text(step.range)
            case .never(let step, let when?):
                "\(step.text.text(step.range)), \(when.text.text(when.range))"
            case .neverDeeper(let count): "deeper \(count)"
            case .neverError(let code): "error \(code.rawValue)"
            case .always(let step, let count): "\(step.text.text(step.range)) in \(count)"
            }
        }
        #expect(
            properties == [
                "expect top B, expect state.x = \"when\"", "expect stack A > ... > B", "deeper 8",
                "expect depth 3", "error script", "expect error script \"text\"",
                "expect top A in 4",
            ]
        )
        #expect(exploration.rules[0].text == "never top B when state.x = \"when\"")
        #expect(exploration.bounds.depth == 10)
        #expect(exploration.bounds.states == 1_000)
        #expect(exploration.bounds.time == 120)
    }

    @Test(
        "an error names the expected text and the location in the line",
        arguments: [
            ("can", 6, "a step expected"),
            (
                "can expect top A", 7,
                "'can' cannot be followed by 'expect', which does not change the state"
            ),
            (
                "can navigate A/b as x", 7,
                "a step after 'can' cannot have a name (remove 'as NAME')"
            ),
            ("can naviate A/b", 7, "unknown step 'naviate', did you mean 'navigate'?"),
            ("can navigate A/b(x=1|)", 24, "a value expected, got ')'"),
            ("can navigate A/b from", 24, "a screen expected, got nothing"),
            ("never", 8, "a condition expected"),
            ("never tpo A", 9, "unknown condition 'tpo', did you mean 'top'?"),
            ("never top A when", 15, "'when' does not belong here"),
            ("never error scrpt", 15, "unknown error code 'scrpt', did you mean 'script'?"),
            ("never depth over x", 20, "a count of 0 or more expected, got 'x'"),
            ("always top A", 10, "'reach' expected, got 'top'"),
            ("always reach top A", 21, "'by user in' and a count expected"),
            ("always reach top A by me in 3", 25, "'user' expected, got 'me'"),
            ("bound", 8, "'depth', 'states' or 'time' expected"),
            ("bound depht 3", 9, "unknown bound 'depht', did you mean 'depth'?"),
            ("bound time -5s", 14, "a duration"),
            ("bound depth 3 depth 4", 17, "unknown bound 'depth'"),
            ("can navigate A/b(x=<id>)", 22, "parameter '<id>' is not declared"),
        ]
    )
    func errors(_ line: String, _ column: Int, _ message: String) throws {
        guard case .failure(let failure) = parse(line) else {
            Issue.record("\(line) parses")
            return
        }
        let first = try #require(failure.list.first)
        #expect(first.message.hasPrefix(message), "\(first.message)")
        #expect(first.span?.column == column, "\(first.span?.column ?? 0)")
    }

    @Test("the lines of an exploration are not parsed as scenario steps")
    func misplaced() throws {
        let text = "scenario \"a\"\n  can user back\n"
        let source = SourceText(name: "a.scenario", content: Array(text.utf8))
        guard case .failure(let failure) = ScenarioParser.parse(source) else {
            Issue.record("it parses")
            return
        }
        #expect(failure.list.map(\.message) == ["'can' is allowed only in an 'explore' block"])
    }

    @Test(
        "formatting changes white space only, and is idempotent",
        arguments: [
            ("can   navigate A/b( x=1,y=2 )   from  A", "can navigate A/b(x=1, y=2) from A"),
            ("can navigate A/b( x=1|2 )  from A", "can navigate A/b( x=1|2 ) from A"),
            ("can open  a://x?y=  from  A", "can open a://x?y= from A"),
            ("never  top A  when  state.x=nil", "never top A when state.x = nil"),
            (
                "always   reach top A(x=1,y=2) by  user in 4",
                "always reach top A(x=1, y=2) by user in 4"
            ),
            ("bound  depth   3", "bound depth 3"),
        ]
    )
    func formatting(_ line: String, _ expected: String) throws {
        let text = "explore \"All\" @a\n\(line)\n".replacing("\n\(line)", with: "\n \(line)")
        let source = SourceText(name: "a.scenario", content: Array(text.utf8))
        let formatted = ScenarioFormatter.format(source).text
        #expect(formatted == "explore \"All\"  @a\n  \(expected)\n")
        let again = SourceText(name: "a.scenario", content: Array(formatted.utf8))
        #expect(ScenarioFormatter.format(again).isUnchanged)
        #expect(throws: Never.self) { try ScenarioParser.parse(again).get() }
    }
}
