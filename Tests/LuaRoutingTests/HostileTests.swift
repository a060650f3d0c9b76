// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// Tests of scripts and hosts that must not harm a router, and of the properties that remain true.
@Suite(.failureReports)
struct HostileTests {
    /// Misuses of the API by a script, and the results of the script's task.
    static let attempts: [ScriptAnswer] = [
        ScriptAnswer(
            "a date that there is not",
            "return select(2, pcall(os.time, { year = math.mininteger, month = 1, day = 1 }))",
            "field 'year' is not an integer in the range of a date"
        ),
        ScriptAnswer("a format without end", "return pcall(os.date, ('%c'):rep(1e5))", false),
        ScriptAnswer(
            "a table that is referenced many times",
            "local t = { 1 } for i = 1, 30 do t = { t, t } end return (pcall(router.log.info, t))",
            false
        ),
        ScriptAnswer(
            "a key that is neither a name nor a number",
            "return select(2, pcall(function() router.state.x = { [1.5] = 1 } end))",
            "main.lua:1: a table with a key that is neither an integer nor a string cannot be passed between scripts and host"
        ),
        ScriptAnswer(
            "state under a number",
            "return (pcall(function() router.state[1] = 5 end))",
            false
        ),
        ScriptAnswer(
            "state without end",
            "local b = ('x'):rep(1e6) return (pcall(function() for i = 1, 100 do router.state['k' .. i] = b end end))",
            false
        ),
        ScriptAnswer(
            "the verbs are out of reach",
            "local ok = pcall(rawset, router, 'navigate', print) return { ok, getmetatable(router), getmetatable(router.log) }",
            [false]
        ),
        ScriptAnswer(
            "members of later steps are nil",
            "local n = router.navigate('Page', 'show') return n.url == nil and next(n.params) == nil",
            true
        ),
    ]

    @Test("a script that misuses the API gets an error", arguments: attempts)
    func survives(_ answer: ScriptAnswer) throws {
        let fixture = try RouterFixture(
            """
            router.registerTask("Test", "run", function(info) \(answer.body) end)
            router.start(function() return router.nav { router.screen "Main" } end)
            router.register("Page", "show", function() return router.screen "Page" end)
            """
        )
        let task = fixture.doTask("Test", "run")
        #expect(task.value == answer.value, "\(task.status)")
        #expect(fixture.navigate("Page", "show").status.name == "done")
    }

    @Test(
        "scripts load whatever number they set as their budget",
        arguments: ["1/0", "1e300", "0/0", "-1", "0.01"]
    )
    func budgets(_ seconds: String) throws {
        _ = try RouterFixture(
            """
            router.options { budget = { seconds = \(seconds) } }
            router.registerTask("A", "b", print)
            """,
            starts: false
        )
    }

    static let definitions = [
        "reuse = { by = 3 }", "reuse = {}", "reuse = { 1, 2 }",
        "reuse = { by = 'a', move = 'yes' }",
    ]

    @Test("an empty reuse policy is an error", arguments: definitions)
    func policies(_ definition: String) throws {
        #expect(throws: RouteError.self) {
            try RouterFixture(
                "router.register('A', 'b', { build = router.screen 'A', \(definition) })",
                starts: false
            )
        }
    }

    @Test("'closed' can read the final fields of a screen that was removed with its container")
    func closedReads() throws {
        let fixture = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Main" } end)
            router.register("Q", "open", {
              via = "presentWithNav",
              build = function() return router.screen("P", { a = 1 }) end,
              closed = function(screen) print(tostring(screen), screen.a, screen.isAlive) end,
            })
            """
        )
        fixture.navigate("Q", "open")
        fixture.router.collectGarbage()
        let before = fixture.router.tree.heldCount
        fixture.router.back()
        #expect(fixture.log == ["info P(a=1)\t1\tfalse"])
        fixture.router.collectGarbage()
        #expect(fixture.router.tree.heldCount == before - 2)
    }

    @Test("a screen that only a navigation references exists until the navigation ends")
    func namedScreens() throws {
        let fixture = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Main" } end)
            local kept
            router.register("S", "show", { info = { s = "screen" }, build = function(i) return i.s end })
            router.register("P", "open", function()
              router.navigate("S", "show", { s = router.screen("Tmp", { n = 1 }) })
              for i = 1, 20000 do local garbage = { i } end
              return router.screen "P"
            end)
            router.registerTask("N", "keep", function()
              kept = router.navigate("Gone", "show", { s = router.screen "X" })
              return true
            end)
            router.registerTask("N", "read", function() return tostring(kept.info.s) end)
            """
        )
        fixture.navigate("P", "open")
        #expect(fixture.tree == "nav[Main, P, Tmp(n=1)]")
        fixture.doTask("N", "keep")
        fixture.router.collectGarbage()
        fixture.router.back()
        #expect(fixture.doTask("N", "read").value == "X")
    }

    @Test("a rollback removes created screens and returns moved screens to their positions")
    func droppedStage() throws {
        let fixture = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Main" } end)
            local old = router.screen("Old", { n = 1 })
            local made
            router.register("Wrap", "fail", function()
              router.state.tried = true
              made = router.nav { old }
              old.n = 2
              error "no"
            end)
            router.register("Old", "show", function() return old end)
            router.register("Made", "show", function() return made end)
            """
        )
        fixture.navigate("Wrap", "fail")
        #expect(fixture.router.state["tried"] == .nil)
        #expect(fixture.navigate("Made", "show").error?.message == "screen 'nav' is gone")
        fixture.navigate("Old", "show")
        #expect(fixture.tree == "nav[Main, Old(n=1)]")
        #expect(fixture.router.tree.checkInvariants() == [])
    }

    @Test("a rolled-back transaction does not affect a reuse policy")
    func policyAfterFailure() throws {
        let fixture = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Main" } end)
            router.register("Item", "open", {
              info = { id = "integer" },
              reuse = { by = "id" },
              build = function(info)
                return router.screen(info.id == 1 and "A" or "B", { id = info.id })
              end,
              update = function(screen, info) if info.id == 2 then error "no" end end,
            })
            """
        )
        for id: Int64 in [1, 2, 1] { fixture.navigate("Item", "open", ["id": .integer(id)]) }
        #expect(fixture.tree == "nav[Main, A(id=1)]")
    }

    @Test("screens that cannot be created are not retained")
    func noLeak() throws {
        let fixture = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Main" } end)
            router.register("Page", "show", function()
              pcall(router.screen, "X", { f = print })
              return router.screen "Page"
            end)
            """
        )
        fixture.router.collectGarbage()
        let before = fixture.router.tree.heldCount
        for _ in 0..<10 {
            fixture.navigate("Page", "show")
            fixture.router.back()
        }
        fixture.router.collectGarbage()
        #expect(fixture.router.tree.heldCount == before)
    }

    @Test("a provider that navigates to its own route is stopped")
    func selfNavigation() throws {
        let fixture = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Main" } end)
            router.register("Inf", "open", function()
              router.navigate("Inf", "open")
              return router.screen "I"
            end)
            """
        )
        fixture.navigate("Inf", "open")
        let failed = fixture.events.last { $0.kind == .failed }
        #expect(failed?["code"] == "composition")
        #expect(fixture.router.pending.isEmpty)
    }

    @Test("the length of a chain of completions that start navigations is limited")
    func chainedCompletions() throws {
        let fixture = try RouterFixture(
            """
            local ends = 0
            router.start(function() return router.nav { router.screen "Main" } end)
            router.register("Page", "show", function() return router.screen "Page" end)
            local function go()
              router.navigate("Page", "show", {}, { completion = function(ok)
                ends = ends + 1
                if ok then go() end
              end })
            end
            router.export("go", go)
            router.export("ends", function() return { ends } end)
            """
        )
        try fixture.call("go")
        #expect(try fixture.call("ends") == [100])
        #expect(
            fixture.log == [
                "error navigations begin each other endlessly (more than 100 in a row)"
            ]
        )
    }

    @Test("setting the tree while the host applies a change cancels that change")
    func setTreeWhileApplying() throws {
        let fixture = try RouterFixture(NavigatingTests.script)
        fixture.host.holds = true
        let navigation = fixture.navigate("Page", "show", ["id": 1])
        try fixture.router.setTree(TreeNotation("nav[Other]"))
        #expect(navigation.status.name == "cancelled")
        fixture.host.answer()
        #expect(fixture.tree == "nav[Other]")
        #expect(fixture.brokenRules == [])
    }

    @Test("fields set while the host applies a change are combined into one later update")
    func fieldsWhileApplying() throws {
        let fixture = try RouterFixture(
            """
            local main
            router.start(function() main = router.screen "Main" return router.nav { main } end)
            router.register("Page", "show", function() return router.screen "Page" end)
            router.registerTask("Set", "fields", function()
              main.a = 1
              main.b = 2
              return router.screen("Z", { c = 3 }).c + main.a
            end)
            """
        )
        fixture.host.holds = true
        fixture.navigate("Page", "show")
        #expect(fixture.doTask("Set", "fields").value == 4)
        fixture.host.answer()
        fixture.host.answer()
        #expect(fixture.host.operations == [["push"], ["update"]])
        #expect(fixture.tree == "nav[Main(a=1, b=2), Page]")
    }

    /// Operations in the body of an action on a screen that was already released.
    static let acts = [
        "nav:act('push', place, nav.info.lost)", "nav:act('push', nav.info.lost, screen)",
        "nav:setChildren(place, { nav.info.lost })", "nav:setChildren(nav.info.lost, { screen })",
        "nav:act('present', nav.info.lost, screen)",
    ]

    @Test("an action with a released screen is an error that names the cause", arguments: acts)
    func lostScreen(_ act: String) throws {
        let fixture = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Main" } end)
            router.register("Page", "show", function() return router.screen "Page" end)
            router.action("odd", { needs = "nav" }, function(place, screen, nav) \(act) end)
            router.register("Test", "act", {
              info = { lost = "screen" },
              build = function() return router.screen "Test" end,
              via = "odd",
            })
            """
        )
        let lost = try #require(fixture.navigate("Page", "show").screen)
        fixture.router.back()
        fixture.router.collectGarbage()
        #expect(fixture.router.tree.screen(lost) == nil)
        let navigation = fixture.navigate("Test", "act", ["lost": .screen(lost)])
        #expect(navigation.error?.code == .composition, "\(navigation.status)")
        #expect(fixture.tree == "nav[Main]")
        #expect(fixture.brokenRules == [])
    }
}
