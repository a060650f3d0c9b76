// SPDX-License-Identifier: MIT

import ScenarioKit
import Testing

struct SyntaxErrorTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let step: String
        let place: Int
        let code: String
        let message: String
        var testDescription: String { step }

        init(_ step: String, _ column: Int, _ code: String, _ message: String) {
            self.step = step
            place = column
            self.code = code
            self.message = message
        }
    }

    /// Cases with one step each, which is on line 2.
    ///
    /// Columns are counted from the start of the line.
    static let cases: [Case] = [
        Case("naviagte A/b", 3, "S0107", "unknown step 'naviagte', did you mean 'navigate'?"),
        Case("Back", 3, "S0107", "unknown step 'Back', did you mean 'back'?"),
        Case("📻 A/b", 3, "S0107", "unknown step '📻'"),
        Case("navigate", 11, "S0109", "a target of the form 'Service/task' expected, got nothing"),
        Case("navigate A", 13, "S0109", "'/' and a task expected after 'A', got nothing"),
        Case("navigate A/(x=1)", 14, "S0109", "a task expected after 'A/', got '('"),
        Case("navigate A/b(é=1)", 16, "S0110", "a field expected, got 'é'"),
        Case("navigate A/b(x=1, x=2)", 21, "S0110", "field 'x' is given twice"),
        Case("navigate A/b via 7", 20, "S0109", "an action expected, got '7'"),
        Case("navigate A/b via push via push", 25, "S0111", "'via push' does not belong here"),
        Case(
            "navigate A/b with window=x",
            21,
            "S0109",
            "options of the form '(name=value)' expected, got 'window'"
        ),
        Case(
            "navigate A/b with (windo=x)",
            22,
            "S0108",
            "unknown option 'windo', did you mean 'window'?"
        ),
        Case(
            "navigate A/b as not",
            19,
            "S0113",
            "'not' cannot be a name (it is a keyword of 'expect')"
        ),
        Case(
            "navigate A/b with (policy=lates)",
            22,
            "S0108",
            "unknown policy 'lates', did you mean 'latest'?"
        ),
        Case(
            "navigate A/b with (timeout=true)",
            22,
            "S0110",
            "bad option 'timeout' (a duration such as 2s, a positive number of seconds, or 'none' expected, got boolean)"
        ),
        Case(
            "navigate A/b with (timeout=1sec)",
            31,
            "S0108",
            "unknown unit of time 'sec'"
        ),
        Case(
            "navigate A/b with (timeout=1 s)",
            32,
            "S0109",
            "',' or ')' expected, got 's'"
        ),
        Case(
            "navigate A/b with (timeout=1s, timeout=2)",
            34,
            "S0110",
            "option 'timeout' is given twice"
        ),
        Case(
            "navigate A/b with (again=1s)",
            22,
            "S0110",
            "bad option 'again' (boolean expected, got number)"
        ),
        Case(
            "navigate A/b with (timeout=\"5\")",
            22,
            "S0110",
            "bad option 'timeout' (a duration such as 2s, a positive number of seconds, or 'none' expected, got string)"
        ),
        Case(
            "navigate A/b with (again=1)",
            22,
            "S0110",
            "bad option 'again' (boolean expected, got integer)"
        ),
        Case("cancel frist", 10, "S0114", "no request before this step is named 'frist'"),
        Case("cancel 7", 10, "S0109", "the name of a request expected, got '7'"),
        Case("cancel a b", 10, "S0114", "no request before this step is named 'a'"),
        Case(
            "advance",
            10,
            "S0109",
            "a duration such as 300ms, 2s, 5m or 1h expected, got nothing"
        ),
        Case("advance 300", 11, "S0109", "the duration '300' has no unit"),
        Case("advance 300 ms", 11, "S0109", "the duration '300' has no unit"),
        Case("advance 3sec", 12, "S0108", "unknown unit of time 'sec'"),
        Case("advance 3S", 12, "S0108", "unknown unit of time 'S', did you mean 's'?"),
        Case("advance 1.2.3s", 11, "S0109", "a number expected, got '1.2.3'"),
        Case(
            "advance -2s",
            11,
            "S0109",
            "a duration such as 300ms, 2s, 5m or 1h expected, got '-2s'"
        ),
        Case(
            "advance 1000000h",
            11,
            "S0110",
            "the duration is too long (at most 1000000000s expected)"
        ),
        Case("advance 2s 3s", 14, "S0111", "'3s' does not belong here"),
        Case("settle now", 10, "S0111", "'now' does not belong here"),
        Case("at noon", 6, "S0109", "a time such as 2026-01-01T09:00 expected, got 'noon'"),
        Case(
            "host",
            7,
            "S0109",
            "'holds', 'applies' or 'refuses' expected after 'host', got nothing"
        ),
        Case("host hold", 8, "S0108", "unknown 'host' step 'hold', did you mean 'holds'?"),
        Case("host holds on", 14, "S0111", "'on' does not belong here"),
        Case("host refuses", 15, "S0109", "an operation expected, got nothing"),
        Case(
            "host refuses psh",
            16,
            "S0108",
            "unknown operation 'psh', did you mean 'push'?"
        ),
        Case(
            "user",
            7,
            "S0109",
            "'back', 'dismisses', 'selects', 'makes', 'opens' or 'closes' expected after 'user', got nothing"
        ),
        Case("user  flies", 9, "S0108", "unknown 'user' step 'flies'"),
        Case("user selects 0", 16, "S0109", "a tab number of 1 or more expected, got '0'"),
        Case("user makes nav[A, ...]", 21, "S0110", "'...' is allowed only in expectations"),
        Case("usr back", 3, "S0107", "unknown step 'usr', did you mean 'user'?"),
        Case("doTask A/b via push", 14, "S0111", "'via push' does not belong here"),
        Case("back 1.5", 8, "S0109", "a count of 1 or more expected, got '1.5'"),
        Case("given", 8, "S0109", "a tree expected, got nothing"),
        Case("given nav[*_]", 14, "S0110", "'_' is allowed only in expectations"),
        Case("start x", 9, "S0111", "'x' does not belong here"),
        Case("expect", 9, "S0109", "a condition expected, got nothing"),
        Case("expect not", 13, "S0109", "a condition expected, got nothing"),
        Case("expect teh top A", 10, "S0114", "no request before this step is named 'teh'"),
        Case("expect teh A", 10, "S0108", "unknown condition 'teh'"),
        Case("expect frist done", 10, "S0114", "no request before this step is named 'frist'"),
        Case(
            "expect error notfound",
            16,
            "S0108",
            "unknown error code 'notfound', did you mean 'notFound'?"
        ),
        Case("expect error notFound text", 25, "S0109", "text in quotes expected, got 'text'"),
        Case("expect error notFound \"a\" b", 29, "S0111", "'b' does not belong here"),
        Case("expect ops push pull", 19, "S0108", "unknown operation 'pull'"),
        Case(
            "expect ops present(A, sytle=x)",
            25,
            "S0108",
            "unknown presentation attribute 'sytle', did you mean 'style'?"
        ),
        Case(
            "expect ops push(A, style=x)",
            22,
            "S0111",
            "'push' takes no attributes (only 'present' does)"
        ),
        Case(
            "expect ops present(style=x, A)",
            32,
            "S0110",
            "'=' expected after field 'A', got ')'"
        ),
        Case(
            "expect ops present(A, style=x, style=y)",
            34,
            "S0110",
            "field 'style' is given twice"
        ),
        Case("expect ops push(A B)", 21, "S0109", "',' or ')' expected, got 'B'"),
        Case("expect completions -1", 22, "S0109", "a count of 0 or more expected, got '-1'"),
        Case("expect top is nothing", 17, "S0114", "no value before this step is named 'nothing'"),
        Case("let a top", 9, "S0109", "'=' expected after 'a', got 'top'"),
        Case("let a = to", 11, "S0108", "unknown kind of value 'to', did you mean 'top'?"),
        Case("check tree nav[A", 17, "S0112", "'[' is not closed"),
        Case("note \"📻\" \"📻\"", 12, "S0111", "'\"📻\"' does not belong here"),
    ]

    @Test("an error has a code, a location and a message", arguments: cases)
    func error(_ expected: Case) throws {
        let text = "scenario \"s\"\n  \(expected.step)\n"
        let source = SourceText(name: "a.scenario", content: Array(text.utf8))
        guard case .failure(let errors) = ScenarioParser.parse(source) else {
            Issue.record("an error expected")
            return
        }
        try #require(errors.list.count == 1)
        let error = errors.list[0]
        #expect(error.code.description == expected.code)
        #expect(error.message == expected.message)
        #expect(error.span?.line == 2)
        #expect(error.span?.column == expected.place)
    }

    @Test("all errors of a file are reported, in the order of their locations")
    func allErrors() {
        let text = """
            use a.lua
            scenari "One"
              bakc
            scenario "Two"
              given nav[A,
              expect tree nav[]]
              given nav[A,
            background
              frobnicate
            """
        let source = SourceText(name: "a.scenario", content: Array(text.utf8))
        guard case .failure(let errors) = ScenarioParser.parse(source) else {
            Issue.record("errors expected")
            return
        }
        #expect(
            errors.list.map { "\($0.span?.line ?? 0) \($0.code)" }
                == ["2 S0105", "3 S0107", "5 S0112", "6 S0111", "7 S0112", "9 S0107"]
        )
    }

    @Test("a byte that is not UTF-8 is reported with its column")
    func encoding() {
        let bytes = Array("scenario \"é".utf8) + [0xC3, 0x28, 0x22]
        let source = SourceText(name: "a.scenario", content: bytes)
        guard case .failure(let errors) = ScenarioParser.parse(source) else {
            Issue.record("an error expected")
            return
        }
        #expect(errors.list.map(\.code.description) == ["S0101"])
        #expect(errors.list[0].span?.column == 12)
    }
}
