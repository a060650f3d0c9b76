// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting
import TestSupport
import Testing

@testable import RouteCore
@testable import ScenarioKit
@testable import ScenarioLanguage

/// Tests of the reference of scenario files, which is composed from the tables of the parser.
struct ScenarioLanguageInternalsTests {
    private static let file = referenceFolder.appending(path: "ScenarioLanguage.md")

    /// The entry of a form in the reference.
    struct Entry: CustomTestStringConvertible, Sendable {
        let word: String
        let signature: String
        let help: String
        let example: [String]
        let isFile: Bool
        let isExploring: Bool

        var testDescription: String { signature }

        init<Parsed>(
            _ form: Vocabulary.Form<Parsed>,
            isFile: Bool = false,
            isExploring: Bool = false
        ) {
            (word, signature, help) = (form.word, form.signature, form.help)
            (example, self.isFile, self.isExploring) = (form.example, isFile, isExploring)
        }

        var section: String {
            """
            ### \(word)

            `\(signature)`: \(help).

            ```
            \(example.joined(separator: "\n"))
            ```
            """
        }

        /// The example as a complete file.
        var scenario: String {
            let text = example.joined(separator: "\n") + "\n"
            if isFile { return example[0].hasPrefix("use ") ? text : "use app.lua\n\(text)" }
            if isExploring {
                return """
                    use app.lua

                    explore "Example"
                      start
                    \(example.map { "  \($0)\n" }.joined())
                    scenario "The first screen"
                      start
                    """
            }
            // The rows of a table end a scenario.
            return """
                use app.lua
                include common.scenario

                background
                  given nav[Home]

                scenario "Example: \(example.contains("each") ? "<id>" : "")"
                \(example.map { "  \($0)\n" }.joined())
                """
        }
    }

    private static let blocks = Vocabulary.blocks.map { Entry($0, isFile: true) }
    private static let structure = Vocabulary.structure.map { Entry($0) }
    private static let exploring = Vocabulary.exploring.map { Entry($0, isExploring: true) }
    private static let steps = Vocabulary.stepGroups.map { group in
        (group.title, group.forms.map { Entry($0) })
    }
    private static let conditions = Vocabulary.conditionGroups.map { group in
        (group.title, group.forms.map { Entry($0) })
    }
    private static let entries =
        blocks + structure + exploring + steps.flatMap(\.1) + conditions.flatMap(\.1)

    private static func section(_ title: String, _ entries: [Entry]) -> String {
        "## \(title)\n\n\(entries.map(\.section).joined(separator: "\n\n"))"
    }

    private static func sections(_ groups: [(String, [Entry])]) -> String {
        groups.map(section).joined(separator: "\n\n")
    }

    // MARK: Notation

    private static let trees = [
        ("nav[Home, Show(id=7)]", "a stack of two screens, the second one visible"),
        ("nav[Home] ^ nav[Login]", "a stack that is presented over another one"),
        ("tabs[nav[Home], *nav[Search]]", "two tabs, the second one selected"),
        ("split[Inbox, Message(id=1) ^ Share]", "a contextual modal, which covers only the detail"),
        ("exnav:nav[Home]", "a container of class `exnav` and of kind `nav`"),
    ]
    private static let patterns = [
        ("nav[Home, Show]", "a `Show` with any fields"),
        ("nav[Home, Show(id=7)]", "a `Show` whose `id` equals 7, with any other fields"),
        ("nav[Home, Show()]", "a `Show` without fields"),
        ("nav[Home, _]", "a screen of any class"),
        (
            "nav[Home, ...]",
            "any number of screens after `Home`, or none; can be used once in a list"
        ),
        ("nav[]", "a stack without screens; `nav` alone has any children"),
    ]
    private static let values = [
        ("nil", "no value: in an expectation the field is absent"),
        ("true", "a boolean, `true` or `false`"),
        ("-7", "an integer; a numeral as in Lua, such as `0xFF`"),
        ("2.5", "a number; `2.0` and `2` are equal"),
        ("\"two words\\n\"", "a string in double or single quotes, with the escapes of Lua"),
        ("ann", "a bare word: the string \"ann\", or the value that `let` gave that name"),
        (
            "{1, 2, user={name=\"ann\"}}",
            "a table; a key that is not a name is written `[\"a b\"]=`"
        ),
    ]

    private static let matchers = [
        ("(id=_)", "any value but nil"),
        ("(user={name=\"ann\", ...})", "a table with at least these keys, and others"),
        ("(tags={\"new\", ...})", "a list that begins with these elements"),
        ("(title contains \"red\")", "a text that contains the given text"),
        ("(tags contains 3)", "a list that contains the element"),
        ("(price > 10)", "a number that is greater; also `>=`, `<` and `<=`"),
    ]

    private static func table(_ rows: [(String, String)]) -> String {
        "| notation | meaning |\n| --- | --- |\n"
            + rows.map { "| `\($0.0)` | \($0.1) |" }.joined(separator: "\n")
    }

    @Test("each notation in the reference parses to the value given in the reference")
    func notation() throws {
        for (mode, rows) in [(NotationParser.Mode.tree, Self.trees), (.pattern, Self.patterns)] {
            for (text, _) in rows {
                var parser = NotationParser(Array(text.utf8))
                #expect(throws: Never.self, "\(text)") { try parser.parseTree(mode) }
                #expect(parser.position == text.utf8.count, "\(text)")
            }
        }
        for (text, _) in Self.values {
            var parser = NotationParser(Array(text.utf8))
            #expect(throws: Never.self, "\(text)") { try parser.parseValue() }
            #expect(parser.position == text.utf8.count, "\(text)")
        }
    }

    @Test("each matcher in the reference is valid in an expectation, and in no other step")
    func matcher() {
        for (text, _) in Self.matchers {
            #expect(throws: Never.self, "\(text)") { try TreeNotation("Page" + text, .pattern) }
            #expect(throws: NotationError.self, "\(text)") { try TreeNotation("Page" + text) }
        }
    }

    // MARK: The article

    private static let kinds = Screen.Kind.allCases.filter { $0 != .container }
        .map { "`\($0.rawValue)`" }.joined(separator: ", ")

    @Test("the reference of scenario files has every block, step and condition")
    func article() throws {
        let script = try ReferenceExample.file("app.lua")
        let common = try ReferenceExample.file("common.scenario")
        let options = RequestOption.allCases.map { option in
            let leaving = RequestOption.ofLeaving.contains(option) ? "yes" : "no"
            return "| `\(option.rawValue)` | \(option.expected) | \(leaving) |"
        }
        let text = """
            # Scenario language

            The blocks, steps and conditions of scenario files.

            ## Overview

            A scenario file (`*.scenario`) describes how a user, an app and a clock use the routes of scripts, and what must be true afterwards. `luaroute run` runs the file without a device. Each scenario has
            a new router, host, clock and random numbers.

            A file is UTF-8 text with one step a line. Blocks begin in the first column and their steps are
            indented. A step continues on the next line while a bracket is open.

            - A `#` at the start of a line or after white space begins a comment.
            - `<name>` is replaced by the cell of a table or by the argument of a macro.
            - A duration is a number with its unit: `300ms`, `2s`, `5m`, `1h`.
            - A target is `Service/task`, with parameters in parentheses: `Show/open(id=7)`.
            - `as NAME` names a request, so that a later `expect NAME done` can refer to it.
            - A condition about a request without a name refers to the last `navigate`, `open`, `dispatch` or `doTask`, or before
              these to `start`; `result` also refers to a `call`. The requests of other steps, such as `back`, need a name.
            - A step acts in one window: the window of `with (window=NAME)`, or `main` by default. `user` steps act in `main`. `let` reads `main`; `let NAME = window NAME …` reads another window.
            - `via ACTION`, `from SCREEN` and `origin ORIGIN` may come in any order.

            A request that fails fails its scenario, unless a later `done`, `not done`, `error`, `stayed`,
            `cancelled` or `pending NAME` checks its end. Other conditions about it, such as `route` and
            `not stayed`, may be true, and do not excuse the failure. A request that failed or was cancelled has no `result`: neither `result VALUE` nor its negation is true, and `let` of the result fails.

            ### Options of requests

            `with (…)` passes options to a request. Steps that leave screens take some of them.

            | option | value | for steps that leave screens |
            | --- | --- | --- |
            \(options.joined(separator: "\n"))

            ### Limits

            | what | maximum |
            | --- | --- |
            | a file | \(ScenarioFile.sizeLimit) bytes |
            | a line, before and after its parameters are replaced | \(ScenarioFile.lineLimit) bytes |
            | the steps of a file, with those of macros, of `repeat` and of each row | \(ScenarioFile.stepLimit) |
            | the steps whose parameters are replaced, with 64 bytes for each parameter | \(ScenarioFile.expansionLimit) bytes |
            | levels of tables, containers and modals in one tree or value | \(NotationParser.maximumDepth) |
            | timers that one `advance` or `settle` runs | \(Router.advanceLimit) |

            ### The scripts of the examples

            A test runs every example of this page. The examples of blocks are whole files; without a `use`
            they use the scripts below. The other examples are steps of a scenario whose tree is `nav[Home]`
            at first.

            ```lua
            \(script)```

            The file `common.scenario`:

            ```
            \(common)```

            ## Trees

            The same notation is used in files, messages and reports. `given` and `user makes` take a tree.

            \(Self.table(Self.trees))

            The kinds \(Self.kinds) are classes as well. Without a `*` the first tab is selected.

            ### Expected trees

            A tree in an expectation is a pattern. Without a `*` any tab may be selected; without a `^` no
            modal is presented.

            \(Self.table(Self.patterns))

            ### Values to be written

            `expect tree ?` fails, and prints the tree. `luaroute run --update` replaces `?` with the tree, and in the same way rewrites each expectation that is not true. Any condition takes a `?` in place of its
            value, as in `expect state.user = ?`.

            ## Values

            \(Self.table(Self.values))

            ### Values that match

            In a condition, a value may be a matcher, or a matcher may replace `=` and the value, as in
            `expect state.items contains 3` and `expect result > 5`. A value of another type does not match.

            \(Self.table(Self.matchers))

            `exactly` before a tree or a screen compares all fields: `expect top exactly Show(id=7)` is false for a screen with additional fields. Children and modals must be as written.

            \(Self.section("Blocks", Self.blocks))

            ### Settings

            | setting | example | it |
            | --- | --- | --- |
            \(ScenarioSettings.Key.allCases.map {
                "| `\($0.rawValue)` | `set \($0.rawValue) = \($0.example)` | \($0.help) |"
            }.joined(separator: "\n"))

            \(Self.section("Macros, loops and tables", Self.structure))

            \(Self.section("Lines of 'explore'", Self.exploring))

            \(Self.sections(Self.steps))

            \(Self.sections(Self.conditions))

            """
        try expectGolden(text, Self.file)
    }

    // MARK: Examples

    @Test("the example of each form uses the form and passes", arguments: entries)
    func example(_ entry: Entry) throws {
        let words = entry.example.joined(separator: " ").split(separator: " ").joined(
            separator: " "
        )
        #expect(words.contains(entry.word.replacing("KEY", with: "")))
        try ReferenceExample.expectSuccess(entry.scenario)
    }

    @Test(
        "a search with the example of each exploration line visits all states",
        arguments: exploring
    )
    func search(_ entry: Entry) throws {
        let folder = try TemporaryFolder()
        for name in ["app.lua", "common.scenario"] {
            try folder.write(name, try ReferenceExample.file(name))
        }
        try folder.write("a.scenario", entry.scenario)
        let plan = ExplorePlan(["\(folder.path)/a.scenario"], options: RunOptions())
        let report = try #require(plan.explorers.first).explore()
        #expect(report.ending == .complete)
        #expect(report.stateCount > 1)
        #expect(report.findings.isEmpty, "\(report.findings.map(\.title))")
    }
}
