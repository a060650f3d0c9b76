// SPDX-License-Identifier: MIT

import ScenarioKit
import TestSupport
import Testing

/// Tests of `run --update`, and of expectations with `?`.
struct UpdateTests {
    private static let script = """
        router.class("Page", {
          fields = {id = "integer", token = "string", note = "string"}, private = "token",
        })
        router.start(function() return router.nav { router.screen "Home" } end)
        router.register("Page", "show", {
          info = {id = "integer", token = "string?"},
          build = function() return router.screen("Page") end,
        })
        router.register("Noted", "show", {
          info = {id = "integer", note = "string"},
          build = function(info) return router.screen("Page", {id = info.id, note = info.note}) end,
        })
        router.register("Sheet", "show", {
          build = router.screen "Sheet",
          via = router.present { style = "sheet", options = { detents = { "medium" } } },
        })
        router.registerTask("Cart", "total", function(info) return {sum = info.count * 5} end)
        router.registerTask("Cart", "fails", function() error "boom" end)
        router.export("fails", function() error "boom" end)
        router.export("warn", function() router.log.warn("low") router.log.info("sync") end)
        router.complete()
        """

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("main.lua", Self.script)
    }

    private struct Result {
        var code = ExitCode.success
        var output = ""
        var errors = ""
        var file = ""
    }

    /// Writes and updates a scenario file, and returns the output of the command and the new text
    /// of the file.
    private func update(_ text: String) throws -> Result {
        try folder.write("a.scenario", text)
        let command = RunCommand(paths: ["\(folder.path)/a.scenario"])
        var result = Result()
        result.code = command.update(
            Console(
                output: { result.output += $0 },
                errors: { result.errors += $0 },
                save: TemporaryFolder.save
            )
        )
        result.file = try folder.read("a.scenario")
        return result
    }

    private func scenario(_ steps: [String]) -> String {
        "use main.lua\nscenario \"S\"\n" + steps.map { "  \($0)\n" }.joined()
    }

    private static let navigate = ["start", "navigate Page/show(id=7)"]
    private static let sheet = ["start", "navigate Sheet/show"]

    @Test(
        "'?' in any condition is replaced with the actual value",
        arguments: [
            ("tree ?", "tree nav[Home, Page(id=7)]"), ("top ?", "top Page(id=7)"),
            ("window main ?", "window main nav[Home, Page(id=7)]"),
            ("stack ?", "stack Home > Page(id=7)"), ("depth ?", "depth 2"),
            ("modal ?", "modal none"), ("ops ?", "ops push(Page(id=7))"), ("done ?", "done"),
            ("error ?", "done"), ("pending ?", "done"), ("built ?", "built Page(id=7)"),
            ("route ?", "route Page/show"), ("params ?", "params (id=7)"),
            ("completions ?", "completions 1"), ("services ?", "services Cart Noted Page Sheet"),
            ("state.user = ?", "state.user = nil"),
            (
                "trace ?", "trace navigate plan build:Page stage commit created shown done"
            ),
        ]
    )
    func asked(_ question: String, _ answer: String) throws {
        let steps = Self.navigate
        let result = try update(scenario(steps + ["expect \(question)  # why"]))
        #expect(result.file == scenario(steps + ["expect \(answer)  # why"]), "\(result.errors)")
        #expect(result.code == .success)
        #expect(try update(result.file).output == "", "a second update changes nothing")
    }

    @Test(
        "a false expectation is replaced with a true expectation that gives the same details",
        arguments: [
            (["start", "expect depth 3"], "expect depth 1"),
            (navigate + ["expect ops pop"], "expect ops push"),
            (navigate + ["expect ops push(Page(id=8))"], "expect ops push(Page(id=7))"),
            (sheet + ["expect ops push"], "expect ops present"),
            (sheet + ["expect ops push(A)"], "expect ops present(Sheet)"),
            (
                sheet + ["expect ops ?"],
                "expect ops present(Sheet, style=\"sheet\", options={detents={\"medium\"}})"
            ),
            (
                sheet + ["expect ops present(style=page, size={width=1, height=1})"],
                "expect ops present(Sheet, style=\"sheet\", size=nil)"
            ),
            (
                sheet + ["expect ops present(A, style=_, options={detents contains low})"],
                "expect ops present(Sheet, style=_, options={detents={\"medium\"}})"
            ),
            (navigate + ["expect error badInfo"], "expect done"),
            (["start", "navigate Page/show(id=true)", "expect done"], "expect error badInfo"),
            (
                ["start", "navigate Page/none", "expect error badInfo \"x\""],
                "expect error notFound \"no task 'none' in service 'Page' ('show' expected)\""
            ),
            (navigate + ["expect trace commit build"], "expect trace build:Page commit"),
            (
                navigate + ["expect tree nav[Home,", "  Other]"],
                "expect tree nav[Home, Page(id=7)]"
            ),
            (
                ["start", "doTask Cart/total(count=3)", "expect result {sum=1}"],
                "expect result {sum=15}"
            ),
            (
                ["start", "doTask Cart/total(count=3)", "expect called Cart/total times 2"],
                "expect called Cart/total times 1"
            ),
            (["start", "call warn", "expect log warn \"high\""], "expect log warn \"low\""),
            (["start", "navigate Page/show(id=7) as go", "expect go stayed"], "expect go done"),
            (["start", "check depth 3"], "check depth 1"),
            (["start", "call fails as one", "expect one result 5"], "expect one error script"),
            (["start", "call fails as one", "expect one result ?"], "expect one error script"),
            (["start", "doTask Cart/fails", "expect result ?"], "expect error script"),
            (["start", "doTask Cart/fails", "expect done ?"], "expect error script"),
            (
                ["start", "doTask Cart/fails", "expect error script ?"],
                "expect error script \"boom\""
            ),
            (
                ["start", "doTask Cart/fails as one", "expect one error script ?"],
                "expect one error script \"boom\""
            ),
            (navigate + ["expect error script ?"], "expect done"),
            (["start", "call warn", "expect log warn ?"], "expect log warn \"low\""),
            (
                ["start", "doTask Cart/total(count=3)", "expect called Cart/total ?"],
                "expect called Cart/total times 1"
            ),
        ]
    )
    func failed(_ steps: [String], _ answer: String) throws {
        let result = try update(scenario(steps))
        let before = steps.prefix { !$0.hasPrefix("expect") && !$0.hasPrefix("check") }
        #expect(result.file == scenario(before + [answer]), "\(result.errors)")
    }

    @Test(
        "an update of a false condition keeps the matchers that are true",
        arguments: [
            ("top Page(id > 8, note=_)", "top Page(id=7, note=_)"),
            ("top Page(id > 3, note=\"b\")", "top Page(id > 3, note=\"a\")"),
            ("top exactly Page(id=_)", "top exactly Page(id=_, note=\"a\")"),
            ("tree nav[..., Page(id < 9, note=b)]", "tree nav[Home, Page(id < 9, note=\"a\")]"),
            (
                "tree exactly nav[Home, Page(id=_)]",
                "tree exactly nav[Home, Page(id=_, note=\"a\")]"
            ),
            ("stack Home > Page(id=_, note=b)", "stack Home > Page(id=_, note=\"a\")"),
            ("built Page(id > 3, note=b)", "built Page(id > 3, note=\"a\")"),
            ("ops push(Page(id=_, note=b))", "ops push(Page(id=_, note=\"a\"))"),
            ("params (id >= 7, note=b)", "params (id >= 7, note=\"a\")"),
            ("state.user = {name=_, age=3}", "state.user = {age=7, name=_}"),
            ("state.user = {name=_, age > 9, ...}", "state.user = {age=7, name=_, ...}"),
            ("state.user = {age > 3, name=_, more=1}", "state.user = {age > 3, name=_}"),
            ("state.user contains 3", "state.user = {age=7, name=\"ann\"}"),
        ]
    )
    func matchers(_ condition: String, _ answer: String) throws {
        let steps = [
            "start", "navigate Noted/show(id=7, note=a)",
        ]
        let set = ["set state.user = {name=ann, age=7}"]
        let lines = condition.hasPrefix("state") ? steps + set : steps
        let result = try update(scenario(lines + ["expect \(condition)"]))
        #expect(result.file == scenario(lines + ["expect \(answer)"]), "\(result.errors)")
        #expect(try update(result.file).output == "", "a second update changes nothing")
    }

    @Test(
        "true, negated, private and ambiguous expectations stay unchanged",
        arguments: [
            ["expect depth 2"], ["expect top Page"], ["expect not depth 2"],
            ["expect not top Page"], ["navigate Page/show(id=9, token=\"t\")", "expect top Home"],
            ["expect found ?"], ["call warn", "expect log error \"x\""],
            ["let p = top", "navigate Page/show(id=8)", "expect top is p"],
            ["set state.k = \"<b>\"", "expect state.k = 1"],
            ["set state.k = \"\(String(repeating: "x", count: 3_000))\"", "expect state.k = 1"],
            ["expect tree nav[Home, # a comment inside", "  Other]"], ["expect called ?"],
            // They would not look at the failure, or be about another request.
            ["doTask Cart/fails", "expect completions 9"], ["doTask Cart/fails", "expect route ?"],
            ["call fails", "expect result ?"], ["doTask Cart/fails", "expect not result 5"],
        ]
    )
    func unchanged(_ steps: [String]) throws {
        let text = scenario(Self.navigate + steps)
        let result = try update(text)
        #expect(result.file == text)
        #expect(result.output == "")
    }

    @Test(
        "an updated expectation has the same fields if the screen has the expected class",
        arguments: [
            ("top Page(id=8)", "top Page(id=7)"), ("top Home", "top Page(id=7, note=\"a\")"),
            ("stack Other > Page", "stack Home > Page"),
            ("tree nav[Other, Page(note=b)]", "tree nav[Home, Page(note=\"a\")]"),
            ("top Page()", "top Page(id=7, note=\"a\")"),
            ("top Page(more=1)", "top Page(id=7, note=\"a\")"),
        ]
    )
    func detail(_ condition: String, _ answer: String) throws {
        let steps = ["start", "navigate Noted/show(id=7, note=a)"]
        let result = try update(scenario(steps + ["expect \(condition)"]))
        #expect(result.file == scenario(steps + ["expect \(answer)"]), "\(result.errors)")
    }

    @Test("if a condition uses a parameter, the actual value is written into the cell of the table")
    func cells() throws {
        let steps = [
            "start", "navigate Noted/show(id=<id>, note=<note>)", "expect top <screen>",
            "expect built <page>  # kept",
        ]
        let rows = { (first: String, second: String) in
            [
                "each", "  | id | note | screen | page |", "  | 7 | a | \(first) |",
                "  | 8 | \"b\\|\" | \(second) |",
            ]
        }
        let before = scenario(steps + rows("? | Page", "Page(id=9, note=_) | ?"))
        let result = try update(before)
        let answers = rows(
            "Page(id=7, note=\"a\") | Page",
            "Page(id=8, note=_) | Page(id=8, note=\"b\\|\")"
        )
        #expect(result.file == scenario(steps + answers), "\(result.errors)")
        #expect(try update(result.file).output == "", "a second update changes nothing")
        try folder.write("rows.csv", "id,note,screen,page\n7,a,?,\"?\"\n8,b,Page,Other\n")
        let each = scenario(steps + ["each from rows.csv"])
        #expect(try update(each).file == each)
        let written = "Page(id=7, note=\"\"a\"\")"
        #expect(
            try folder.read("rows.csv")
                == "id,note,screen,page\n7,a,\"\(written)\",\"\(written)\"\n8,b,Page,\"Page(id=8, note=\"\"b\"\")\"\n"
        )
    }

    @Test(
        "all expectations of a scenario are updated in one run, even after one of them has failed"
    )
    func several() throws {
        let steps = Self.navigate + ["expect depth 9", "expect top Other", "expect tree Other"]
        let result = try update(scenario(steps))
        let answers = [
            "expect depth 2", "expect top Page(id=7)", "expect tree nav[Home, Page(id=7)]",
        ]
        #expect(result.file == scenario(Self.navigate + answers))
        #expect(
            result.output == """
                --- \(folder.path)/a.scenario
                +++ \(folder.path)/a.scenario
                @@ -5,3 +5,3 @@
                -  expect depth 9
                -  expect top Other
                -  expect tree Other
                +  expect depth 2
                +  expect top Page(id=7)
                +  expect tree nav[Home, Page(id=7)]

                """
        )
        #expect(result.errors == "\(folder.path)/a.scenario: 3 expectations written\n")
    }

    @Test("a step that runs several times is rewritten only if all its actual values agree")
    func rows() throws {
        func text(_ depth: Int, _ top: String) -> String {
            scenario([
                "start", "navigate Page/show(id=<id>)", "expect depth \(depth)", "expect \(top)",
                "expect params (id=<id>)", "each", "  | id |", "  | 1  |", "  | 2  |",
            ])
        }
        let result = try update(text(7, "top Home"))
        #expect(result.file == text(2, "top Home"))
        #expect(
            result.errors.contains("the actual values differ between scenarios"),
            "\(result.errors)"
        )
    }

    @Test("an expectation that is true in one scenario and fails in another is not rewritten")
    func background() throws {
        let text = """
            use main.lua
            macro look
              expect depth 1
            scenario "A"
              start
              do look
            scenario "B"
              start
              navigate Page/show(id=1)
              do look

            """
        let result = try update(text)
        #expect(result.file == text)
        #expect(result.errors.contains("was not rewritten"), "\(result.errors)")
    }

    @Test(
        "if only one row is selected, an expectation that is false in other rows is not rewritten"
    )
    func oneRow() throws {
        let text = scenario([
            "start", "navigate Page/show(id=<id>)", "expect params (id=3)", "each", "  | id |",
            "  | 1  |", "  | 2  |",
        ])
        try folder.write("a.scenario", text)
        var errors = ""
        _ = RunCommand(paths: ["\(folder.path)/a.scenario:8"]).update(
            Console(output: { _ in }, errors: { errors += $0 }, save: TemporaryFolder.save)
        )
        #expect(try folder.read("a.scenario") == text)
        #expect(errors.contains("was not rewritten"), "\(errors)")
    }

    @Test("an update of one selected scenario does not change the other scenarios in the file")
    func oneScenario() throws {
        let other = "scenario \"T\"\n  start\n  expect depth ?\n"
        let text = scenario(["start", "expect depth ?"]) + other
        try folder.write("a.scenario", text)
        _ = RunCommand(paths: ["\(folder.path)/a.scenario:2"]).update(
            Console(output: { _ in }, errors: { _ in }, save: TemporaryFolder.save)
        )
        #expect(try folder.read("a.scenario") == scenario(["start", "expect depth 1"]) + other)
    }

    @Test(
        "a warning counts the successes that an update replaces by errors",
        arguments: [
            ("expect done", "expect error script", true),
            ("expect pending Sheet/show", "expect error script", true),
            ("expect result 5", "expect error script", true),
            ("expect error timeout", "expect error script", false),
            ("expect result ?", "expect error script", false),
        ]
    )
    func newErrors(_ old: String, _ new: String, _ warns: Bool) throws {
        let text = """
            use main.lua

            scenario "A"
              start
              doTask Cart/fails
              \(old)
            """
        let result = try update(text)
        #expect(result.file == text.replacing(old, with: new))
        let warning =
            "warning[S0301]: the update expects an error instead of a success in 1 condition\n"
        #expect(result.errors.contains(warning) == warns, "\(result.errors)")
        #expect(result.errors.contains("/a.scenario:6:10\n") == warns)
        #expect(result.code == .success)
    }

    @Test("the warning about new errors names the first location, and lists the others")
    func severalNewErrors() throws {
        let result = try update(
            """
            use main.lua

            scenario "A"
              start
              doTask Cart/fails
              check done
              doTask Cart/fails
              expect done
            """
        )
        #expect(result.errors.contains("in 2 conditions\n"), "\(result.errors)")
        #expect(result.errors.contains("/a.scenario:6:9\n"))
        #expect(result.errors.contains("also    at \(folder.path)/a.scenario:8\n"))
    }

    @Test("an interrupted update writes nothing")
    func interrupted() throws {
        let text = scenario(["start", "expect depth ?"])
        try folder.write("a.scenario", text)
        var command = RunCommand(paths: ["\(folder.path)/a.scenario"])
        command.interruption = { .interrupted }
        _ = command.update(Console(output: { _ in }, errors: { _ in }, save: TemporaryFolder.save))
        #expect(try folder.read("a.scenario") == text)
    }

    @Test("a file that is named by two different paths is rewritten once")
    func spellings() throws {
        try folder.write("a.scenario", scenario(["start", "expect depth ?"]))
        let paths = ["\(folder.path)/a.scenario", "\(folder.path)/./a.scenario"]
        var errors = ""
        let code = RunCommand(paths: paths).update(
            Console(output: { _ in }, errors: { errors += $0 }, save: TemporaryFolder.save)
        )
        #expect(code == .success, "\(errors)")
        #expect(try folder.read("a.scenario") == scenario(["start", "expect depth 1"]))
    }

    @Test("a scenario with a known issue keeps its expectations")
    func known() throws {
        let text = "use main.lua\nknown \"#1\" \"S\"\n  start\n  expect depth 3\n"
        #expect(try update(text).file == text)
    }

    @Test("an update preserves line breaks and a byte order mark")
    func bytes() throws {
        let text = "\u{FEFF}use main.lua\r\nscenario \"S\"\r\n  start\r\n  expect depth ?\r\n"
        let result = try update(text)
        #expect(result.file == text.split(separator: "?").joined(separator: "1"))
        #expect(
            result.output.hasSuffix("-  expect depth ?\n+  expect depth 1\n"),
            "\(result.output)"
        )
    }

    @Test("a file that cannot be written is an error, and is unchanged")
    func unwritable() throws {
        let text = scenario(["start", "expect depth ?"])
        try folder.write("a.scenario", text)
        var errors = ""
        let code = RunCommand(paths: ["\(folder.path)/a.scenario"]).update(
            Console(
                output: { _ in },
                errors: { errors += $0 },
                save: { _, _ in "No space left on device" }
            )
        )
        #expect(code == .outputFailed)
        #expect(errors.contains("cannot be written: No space left on device"), "\(errors)")
        #expect(try folder.read("a.scenario") == text)
    }

    @Test(
        "without '--update', '?' fails with the actual value and the command that writes the value"
    )
    func notUpdated() throws {
        try folder.write("a.scenario", scenario(["start", "expect depth ?"]))
        var output = ""
        let report = RunCommand(paths: ["\(folder.path)/a.scenario"])
            .run(Console(output: { output += $0 }, errors: { _ in }))
        #expect(report.exitCode == .failed)
        for part in [
            "^ asks for the actual value", "actual depth 1", "'luaroute run --update' writes",
        ] {
            #expect(output.contains(part), "\(output)")
        }
    }

    @Test(
        "an expectation with both 'not' and '?' is an error",
        arguments: [
            "depth ?", "window main ?", "state.key = ?", "error script ?", "log warn ?",
            "called Cart/total ?",
        ]
    )
    func negated(_ condition: String) throws {
        try folder.write("a.scenario", scenario(["start", "expect not \(condition)"]))
        var errors = ""
        let report = RunCommand(paths: ["\(folder.path)/a.scenario"])
            .run(Console(output: { _ in }, errors: { errors += $0 }))
        #expect(report.exitCode == .scenarioInvalid)
        #expect(errors.contains("'not' cannot be combined with '?'"), "\(errors)")
    }
}
