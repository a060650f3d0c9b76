// SPDX-License-Identifier: MIT

import Foundation
import ScenarioKit
import TestSupport
import Testing

/// Tests of the input and output of the command `repl`.
@Suite(.serialized)
struct ReplTests {
    private static let script = """
        local count = 0
        router.class("Page", { fields = { "id" } })
        router.start(function() return router.nav { router.screen "Home" } end)
        router.register("Page", "show", {
          url = "/pages/:id(int)",
          build = function(info)
            count = count + 1
            return router.screen("Page", { id = info.id })
          end,
        })
        router.register("Secret", "show", {
          build = router.screen "Secret",
          intercept = function()
            router.sleep(5)
            count = count + 10
            return true
          end,
        })
        router.expects { tasks = { "Store/load" } }
        router.export("count", function() return count end)
        router.export("fail", function() error "it is broken" end)
        """

    /// The output, the written files and the exit code for some input lines.
    private struct Result {
        var output = ""
        var errors = ""
        var files: [String: String] = [:]
        var code = ExitCode.success
    }

    private func run(
        _ lines: [String],
        script: String = script,
        prompt: String = ""
    ) throws -> Result {
        var result = Result()
        let folder = try TemporaryFolder()
        try folder.write("main.lua", script)
        var command = ReplCommand(script: folder.path + "/main.lua")
        command.prompt = prompt
        var left = lines[...]
        result.code = command.run(
            input: { left.popFirst().map { Array($0.utf8) } },
            Console(
                output: { result.output += $0 },
                errors: { result.errors += $0 },
                save: { text, path in
                    result.files[path] = text
                    return path.contains("full") ? "no space" : nil
                }
            )
        )
        return result
    }

    @Test("each line prints its outcome and the changed windows, with marks at the changes")
    func steps() throws {
        let result = try run([
            "navigate Page/show(id=1)", "navigate Secret/show as s", "user back",
            "expect top Home", "# a remark", "",
        ])
        #expect(
            result.output == """
                ✔ done
                  +nav[+Home]
                ✔ done
                  nav[Home, +Page(id=1)]
                  pending intercept
                ✔ done
                  nav[Home]
                ✔

                """
        )
        #expect(result.code == .success)
    }

    @Test("undo and redo restore everything: screens, the clock, variables and coroutines")
    func undoing() throws {
        let result = try run([
            "navigate Page/show(id=1)",
            "navigate Secret/show as s",
            "advance 2s",
            "advance 4s",
            "call count as c",
            "undo 2",
            "expect s pending intercept",
            "advance 4s",
            "expect s done",
            "call count as d",
            "expect d result 11",
            "undo 99",
            "redo 99",
            "expect d result 11",
            "undo 99",
            "undo",
            "navigate Page/show(id=2)",
            "redo",
        ])
        let lines = result.output.split(separator: "\n").map(String.init)
        #expect(!lines.contains { $0.contains("error[") }, "\(result.output)")
        #expect(lines.filter { $0 == "nothing to undo" }.count == 1)
        #expect(lines.last == "nothing to redo")
        #expect(lines.contains("undone: advance 4s"))
        #expect(lines.contains("redone: navigate Secret/show as s"))
        // Without a first tree, the navigation waits.
        #expect(lines.contains("  pending started"))
    }

    @Test(
        "a line that is not a step runs as Lua; its value or its error is printed",
        arguments: [
            ("1 + 1", "2\n"), ("router.state.user", ""), ("router.state", "{}\n"),
            ("'a' .. 'b'", "\"ab\"\n"),
            ("{ a = 1, 2 }", "{2, a=1}\n"),
            ("local x = 1; router.state.x = x + 1", ""),
            ("router.navigate('Page', 'show', { id = 3 })", "  nav[Home, +Page(id=3)]\n"),
            ("nonsense(", "✘ script: lua:1: unexpected symbol near <eof>\n"),
            ("error 'no'", "✘ script: no\n"),
            ("print 'hello'", "info hello\n"),
        ]
    )
    func lua(line: String, output: String) throws {
        let result = try run([line])
        #expect(result.output == "✔ done\n  +nav[+Home]\n" + output)
        #expect(result.code == (output.hasPrefix("✘") ? .failed : .success))
    }

    @Test(
        "a line that fails prints an error and changes nothing",
        arguments: [
            ("navigte Page/show", "unknown step 'navigte', did you mean 'navigate'?"),
            ("expect top Nowhere", "expect top does not hold"),
            ("navigate Page/show(id=", "error["),
            ("complete Store/load finished", "error["),
            ("user dismisses", "error["),
            ("undo x", "expected a number of lines from 1 to 1,000,000, got 'x'"),
            ("undo 0", "expected a number of lines from 1 to 1,000,000, got '0'"),
            ("redo", "nothing to redo"),
            ("save", "'save' needs a file name"),
            ("save /full/x.scenario", "cannot write '/full/x.scenario' (no space)"),
            ("explain", "'explain' needs a target"),
            ("why", "no step 'navigate' or 'open' so far"),
            ("each 1..3 as n", "lua:1: "),
            ("reload missing.lua", "rejected"),
        ]
    )
    func mistakes(line: String, message: String) throws {
        let result = try run([line, "show tree"])
        #expect(result.output.contains(message), "\(result.output)")
        #expect(result.output.hasSuffix("tree nav[Home]\n"), "\(result.output)")
        #expect(result.code == .failed)
    }

    @Test("a session is saved as a scenario that passes")
    func saving() throws {
        let result = try run([
            "navigate Page/show(id=1)", "navigate Page/show(id=2)", "undo",
            "doTask Store/load as t", "complete Store/load finished 7", "user back",
            "save bug.scenario",
        ])
        let text = try #require(result.files["bug.scenario"])
        #expect(text.contains("navigate Page/show(id=1)"))
        #expect(!text.contains("id=2"))
        let folder = try TemporaryFolder()
        try folder.write("main.lua", Self.script)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map {
            $0.hasPrefix("use ") ? "use main.lua" : String($0)
        }
        try folder.write("bug.scenario", lines.joined(separator: "\n"))
        var printed = ""
        let command = RunCommand(paths: [folder.path + "/bug.scenario"])
        let report = command.run(Console { printed += $0 })
        #expect(report.exitCode == .success, "\(text)\n\(printed)")
    }

    @Test("a saved scenario has lines of Lua as comments, and keeps the expectations")
    func savingLua() throws {
        let result = try run([
            "navigate Page/show(id=1)", "expect top Page(id=1)",
            "router.state.user = 'ann'; router.state.age = 7",
            "expect state.user = \"ann\"", "back", "save bug.scenario",
        ])
        #expect(result.code == .success, "\(result.output)")
        #expect(result.output.hasSuffix("(left out: 1 line of Lua, which no step reproduces)\n"))
        let text = try #require(result.files["bug.scenario"])
        let lines = text.split(separator: "\n").map { String($0.drop { $0 == " " }) }
        let expected = [
            "navigate Page/show(id=1)", "expect top Page(id=1)", "expect top Page(id=1)",
            "# this line of Lua is not reproduced: router.state.user = 'ann'; router.state.age = 7",
            "expect state.user = \"ann\"", "back", "expect top Home",
        ]
        #expect(lines.filter { $0 != "expect done" }.suffix(7) == expected[...], "\(text)")
    }

    @Test(
        "only a line of Lua that assigns a value of the state is saved as a 'set' step",
        arguments: [
            ("router.state.user = 'ann'", "set state.user = \"ann\""),
            ("router.state.cart  =  { 1, a = 2 * 3 }", "set state.cart = {1, a=6}"),
            (
                "router.state.count = (router.state.count or 0) + 1 -- one more",
                "set state.count = 1"
            ),
            ("router.state.user = nil", "set state.user = nil"),
            ("router.state.a = 1 router.state.b = 2", nil), ("router.state.a.b = 1", nil),
            ("router.state.a = print", nil), ("router.state.a == 1", nil),
            ("router.state.a = router.navigate('Page', 'show', { id = 3 }).id", nil),
        ]
    )
    func savingAssignments(line: String, step: String?) throws {
        let result = try run(["set state.other = 7", line, "save a.scenario"])
        let text = try #require(result.files["a.scenario"])
        let steps = text.split(separator: "\n").map { String($0.drop { $0 == " " }) }
        let last = steps.last { $0.hasPrefix("set state.") }
        #expect(last == step ?? "set state.other = 7", "\(text)")
    }

    @Test("'save' does not replace a file that 'luaroute repl' did not save")
    func keeping() throws {
        let folder = try TemporaryFolder()
        try folder.write("mine.scenario", "use main.lua\n")
        let result = try run(["save \(folder.path)/mine.scenario"])
        #expect(result.files.isEmpty && result.code == .failed)
        #expect(result.output.contains("already exists and was not saved by 'luaroute repl'"))
    }

    @Test("'trace', 'why' and 'explain' describe navigations, and change nothing")
    func telling() throws {
        let result = try run([
            "navigate Page/show(id=1)", "trace", "why", "explain /pages/7", "undo", "redo",
        ])
        #expect(result.output.contains("commit push"))
        #expect(result.output.contains("step    Page/show builds Page(id=1), push on nav"))
        #expect(result.output.contains("✔ /pages/7 → Page/show(id=7)"))
        #expect(result.output.hasSuffix("  nav[Home, Page(id=1)]\n"))
        #expect(result.code == .success)
    }

    @Test("'explain unready' lists the screens that closing a gate would remove, and removes none")
    func gate() throws {
        let script = """
            router.start(function() return router.nav { router.screen "Home" } end)
            router.register("Order", "show", { ready = "session", build = router.screen "Order" })
            """
        let lines = ["ready session", "navigate Order/show", "explain unready session leaving"]
        let output = try run(lines + ["navigate Order/show"], script: script).output
        #expect(output.contains("✔ unready session leaving\n"))
        #expect(output.contains("gone    Order\n  does    pop(Home)"))
        #expect(output.hasSuffix("  nav[Home, Order, +Order]\n"))
    }

    @Test("at a prompt, the command succeeds even if a line fails")
    func prompt() throws {
        let result = try run(["nonsense(", "quit", "navigate Page/show(id=1)"], prompt: "> ")
        #expect(result.code == .success)
        #expect(result.output.components(separatedBy: "> ").count == 3)
        #expect(!result.output.contains("Page"))
    }

    @Test("if the scripts do not load, the command prints their errors and ends")
    func broken() throws {
        let result = try run([], script: "rooter.start()")
        #expect(result.code == .scriptFailed)
        #expect(result.errors.contains("did you mean 'router'"))
        let missing = ReplCommand(script: "/nowhere.lua")
        #expect(
            missing.run(
                input: { nil },
                Console(output: { _ in }, errors: { _ in }, save: { _, _ in nil })
            )
                == .inputMissing
        )
    }

    @Test("the last two hundred lines can be undone, and all lines are saved")
    func undoLimit() throws {
        var lines = ["navigate Page/show(id=1)", "local a = 1", "expect top Page(id=1)"]
        lines += (1...300).map { "set state.b = \($0)" }
        lines += ["save all.scenario", "why", "undo 999", "undo", "help", "redo 999"]
        let result = try run(lines)
        let output = result.output.split(separator: "\n").map(String.init)
        let undone = output.filter { $0.hasPrefix("undone: ") }
        #expect(undone.count == 200)
        #expect(undone.first == "undone: set state.b = 300")
        #expect(undone.last == "undone: set state.b = 101")
        #expect(output.contains("nothing to undo (earlier lines can no longer be undone)"))
        #expect(output.contains("no step 'navigate' or 'open' in the lines that can be undone"))
        #expect(output.contains { $0.contains("undo [N]") && $0.contains("the last 200 lines") })
        #expect(output.count { $0.hasPrefix("redone: ") } == 200)
        let text = try #require(result.files["all.scenario"])
        #expect(text.contains("# this line of Lua is not reproduced: local a = 1\n"))
        #expect(text.contains("\n  expect top Page(id=1)\n"))
        #expect(text.split(separator: "\n").count { $0.hasPrefix("  set state.b = ") } == 300)
    }

    @Test("lines and paths are printed without control characters")
    func escaping() throws {
        let result = try run([
            "save a\u{1B}[31m.scenario", "save full\u{9B}.scenario", "'\u{9B}31m'",
            "set state.b = \"\u{1B}\"", "undo",
        ])
        #expect(!result.output.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{9B}" })
        #expect(result.output.contains("saved; run it with: luaroute a\\u{1B}[31m.scenario\n"))
        #expect(result.output.contains("cannot write 'full\\u{9B}.scenario' (no space)\n"))
        #expect(result.output.contains("undone: set state.b = \"\\u{1B}\"\n"))
    }
}
