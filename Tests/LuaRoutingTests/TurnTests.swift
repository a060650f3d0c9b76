// SPDX-License-Identifier: MIT

import LuaRouting
import LuaVM
import Testing

/// Tests of the budget that all entries of one turn share.
struct TurnTests {
    /// Returns a router whose entries may run 200,000 instructions each.
    ///
    /// By default, a turn may run four times as many.
    private func router(_ script: String, entries: Int = 4) throws -> Router {
        var configuration = Router.Configuration(
            now: 0,
            budget: Budget(instructions: 200_000, duration: .seconds(60)),
            loadBudget: Budget(duration: .seconds(60))
        )
        configuration.entriesPerTurn = entries
        let script = Self.tools + script
        return try Router(
            scripts: ScriptBundle(files: ["main.lua": script]),
            host: TestHost(),
            configuration: configuration
        )
    }

    /// Defines the function `work`, which uses about half the budget of an entry.
    private static let tools = """
        local function work() for _ = 1, 95 do for _ = 1, 1000 do end end end
        router.start(function() return router.nav { router.screen "Main" } end)
        router.state.count = 0
        local function count() router.state.count = router.state.count + 1 end

        """

    private func runPostponedWork(of router: Router) -> Int {
        var turns = 0
        while let due = router.nextDeadline, due <= router.now, turns < 1_000 {
            router.catchUp(to: router.now)
            turns += 1
        }
        return turns
    }

    @Test("listeners that do not fit into the budget of a turn are each called once in later turns")
    func listeners() throws {
        let router = try router(
            "for _ = 1, 60 do router.on('done', function() work() count() end) end"
        )
        router.start()
        let first = router.state["count"].wholeNumber
        #expect(4...8 ~= first, "\(first) listeners were called in the first turn")
        #expect(router.nextDeadline == router.now)
        #expect(runPostponedWork(of: router) >= 7)
        #expect(router.state["count"] == 60)
        #expect(router.nextDeadline == nil)
    }

    @Test("a host call starts a turn, which first runs postponed work")
    func nextCall() throws {
        let router = try router(
            """
            for _ = 1, 8 do router.on('done', function() work() count() end) end
            router.export("count", function() return router.state.count end)
            """
        )
        router.start()
        let first = router.state["count"].wholeNumber
        router.doTask(Target("No", "task"))
        #expect(router.state["count"].wholeNumber > first)
    }

    @Test(
        "functions of one navigation share a budget, and the function that exceeds it fails"
    )
    func oneNavigation() throws {
        let router = try router(
            """
            router.kind("slow", function(text) work() return text end)
            for number = 1, 60 do
              router.register("Page", "p" .. number, {
                url = "/" .. ("x"):rep(number) .. "/:a(slow)/:b(slow)/" .. number,
                build = router.screen "Page",
              })
            end
            router.register("Page", "deep", {
              find = function() work() end,
              build = function() work() return router.screen "Page" end,
              from = router.link { find = function() work() end, build = function() work() return router.screen "B" end,
                from = router.link { find = function() work() end, build = function() work() return router.screen "C" end,
                  from = router.link { find = function() work() end, build = function() work() return router.screen "D" end,
                    via = "push", from = "root" }, via = "push" }, via = "push" },
            })
            """
        )
        router.start()
        let navigation = router.navigate(Target("Page", "deep"))
        #expect(navigation.status.name == "failed")
        #expect(navigation.error?.code == .budget)
        #expect(
            navigation.error?.message.contains("left in the turn") == true,
            "\(navigation.error?.message ?? "")"
        )
        #expect(router.treeNotation() == "nav[Main]")
        // The next turn has its whole budget.
        #expect(router.navigate(Target("Page", "p1"), info: ["a": "1", "b": "2"]).error == nil)
    }

    @Test("the budget of a turn can be as small as the budget of one call into Lua")
    func single() throws {
        let router = try router(
            "for _ = 1, 10 do router.on('done', function() work() count() end) end",
            entries: 1
        )
        router.start()
        // The tree took a part of the first turn.
        #expect(router.state["count"] == 0)
        #expect(runPostponedWork(of: router) == 10)
        #expect(router.state["count"] == 10)
    }

    @Test("when the host moves the clock, each due timer runs in a separate turn")
    func timers() throws {
        let router = try router(
            """
            router.export("set", function()
              for number = 1, 20 do router.delay(number / 10, function() work() work() count() end) end
            end)
            """
        )
        router.start()
        try router.call("set")
        router.advance(to: router.now + 10)
        #expect(router.state["count"] == 20)
        #expect(router.nextDeadline == nil)
    }

    @Test("catching up after a long time runs each timer once, even if it is set again")
    func catchUp() throws {
        let router = try router(
            """
            local function tick() count() router.delay(0.001, tick) end
            router.export("tick", tick)
            router.export("work", function()
              for _ = 1, 20 do router.delay(1, function() work() work() count() end) end
            end)
            """
        )
        router.start()
        try router.call("tick")
        router.catchUp(to: router.now + 3_600)
        #expect(router.state["count"] == 2)
        #expect(router.nextDeadline == 3_600.001)
        try router.call("work")
        router.catchUp(to: 7_200)
        let first = router.state["count"].wholeNumber - 2
        #expect(1...6 ~= first, "\(first) timers ran in one turn")
        #expect(router.nextDeadline.map { $0 <= router.now } == true)
        for _ in 0..<20 { router.catchUp(to: 7_200) }
        #expect(router.state["count"] == 23)
    }

    @Test("a timeout that passes while the app is suspended still leaves time for an answer")
    func lateTimeout() throws {
        for isAnswered in [true, false] {
            let router = try router(
                """
                router.register("Page", "show", { build = router.screen "Page", ready = "session" })
                """
            )
            router.start()
            let options = NavigationOptions(timeout: 5)
            let page = router.navigate(Target("Page", "show"), options: options)
            router.catchUp(to: router.now + 3_600)
            #expect(page.isPending)
            if isAnswered { try router.ready("session") }
            #expect(page.isPending != isAnswered)
            router.catchUp(to: router.now + 0.2)
            #expect(page.status.name == (isAnswered ? "done" : "failed"))
            #expect(router.nextDeadline == nil)
        }
    }

    @Test("catching up does not move the clock back")
    func clock() throws {
        let router = try router("")
        router.catchUp(to: 10)
        router.catchUp(to: 5)
        router.catchUp(to: .nan)
        #expect(router.now == 10)
    }
}

extension Value {
    /// The value as an integer; 0 if it is not an integer.
    var wholeNumber: Int {
        if case .integer(let integer) = self { Int(integer) } else { 0 }
    }
}
