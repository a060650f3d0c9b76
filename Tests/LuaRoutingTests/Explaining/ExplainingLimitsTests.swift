// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// Tests of the limits of explanations: when a router explains, what scripts receive, and what must
/// not change.
@Suite(.failureReports)
struct ExplainingLimitsTests {
    private static let opening = """
        router.start(function() return router.nav{ router.screen "Main" } end)
        router.register("A", "show", {
          info = { id = "integer?" },
          url = { "/a/:id(int)", "/a" },
          build = function(i) return router.screen("A", { id = i.id }) end,
        })

        """

    private func explained(_ table: Value) throws -> InfoTable {
        guard case .table(let table) = table else {
            throw RouteError(.badInfo, "a table expected")
        }
        return table
    }

    @Test(
        "a navigation that the host starts during an explanation gets its own number"
    )
    func hostNavigates() throws {
        let fixture = try RouterFixture(
            Self.opening + """
                router.expects { dependencies = { "theme" } }
                router.register("B", "show", {
                  needs = "theme",
                  build = function() return router.screen "B" end,
                })
                """
        )
        let router = fixture.router
        var begun: Navigation?
        fixture.host.onDependency = { [unowned router] _ in
            begun = router.navigate(Target("A", "show"))
            return "dark"
        }
        let explanation = try router.explain(Target("B", "show"))
        #expect(explanation.failure == nil)
        let next = router.navigate(Target("A", "show"), info: ["id": 1])
        let first = try #require(begun)
        #expect(first.id != next.id)
        #expect(first.screen != nil && next.screen != nil)
    }

    // MARK: Scripts

    @Test("scripts receive an explanation as a plain table, and all its keys are documented")
    func table() throws {
        let fixture = try RouterFixture(
            Self.opening + """
                router.export("explain", function(i) return router.explain("A", "show", i) end)
                """
        )
        let table = try explained(try fixture.call("explain", ["id": 3]))
        #expect(table["outcome"] == "done")
        #expect(table["operations"] == [.string("push(A(id=3))")])
        #expect(table["before"] == "nav[Main]")
        #expect(table["after"] == "nav[Main, A(id=3)]")
        #expect(table["origin"] == "script")
        #expect(fixture.events.allSatisfy { $0.kind == .call })
        let failing = try explained(try fixture.call("explain", ["ids": 3]))
        guard case .table(let failure) = failing["failure"] else {
            Issue.record("no failure")
            return
        }
        #expect(failure["code"] == "badInfo")
        #expect(failure["message"].text?.contains("did you mean 'id'?") == true)
    }

    @Test(
        "interceptors, tasks, 'after' and listeners can call 'router.explain' during a navigation"
    )
    func running() throws {
        let fixture = try RouterFixture(
            Self.opening + """
                local function look() router.state.seen = router.explain("A", "show").after end
                router.interceptor("look", look)
                router.registerTask("T", "do", look)
                router.register("B", "show", {
                  intercept = { "look" }, after = look, build = router.screen "B",
                })
                """
        )
        fixture.navigate("B", "show")
        #expect(fixture.router.state["seen"] == "nav[Main, B, A]")
        fixture.doTask("T", "do")
        #expect(fixture.router.state["seen"] == "nav[Main, B, A]")
        #expect(fixture.tree == "nav[Main, B]")
    }

    @Test(
        "'router.explain' is an error during planning, while screens are built, and while scripts load",
        arguments: ["find", "build", "update", "prepare"]
    )
    func refused(_ key: String) throws {
        let parts = ["build": "return router.screen 'C'"]
        var keys = ["build = router.screen 'C'"].filter { _ in key != "build" }
        keys.append("\(key) = function() router.explain('A', 'show') \(parts[key] ?? "") end")
        let fixture = try RouterFixture(
            Self.opening + "router.register('C', 'show', { \(keys.joined(separator: ", ")) })"
        )
        try fixture.router.setTree(TreeNotation("nav[Main, C]"))
        let error = try #require(fixture.navigate("C", "show").error)
        #expect(error.code == .script)
        #expect(
            error.message.contains(
                "'router.explain' cannot be called while a navigation is planned"
            )
        )
        #expect(throws: RouteError.self) {
            _ = try RouterFixture(Self.opening + "router.explain('A', 'show')")
        }
    }

    // MARK: URLs

    @Test("the explanation of a URL lists its matches, and follows 'router.next' to the next match")
    func urls() throws {
        let fixture = try RouterFixture(
            Self.opening + """
                router.register("B", "show", {
                  url = "/a/7", prepare = function() return router.next end,
                  build = router.screen "B",
                })
                router.handle({ "b" }, {}, function() return "A", "show", { id = 1 } end)
                """
        )
        let seven = try fixture.router.explain(url: "/a/7?x=1")
        #expect(seven.outcome == .done)
        #expect(seven.matches.map(\.target.service) == ["B", "A"])
        #expect(seven.detours.map(\.route) == ["B/show"])
        #expect(seven.route == Target("A", "show"))
        #expect(seven.after == "nav[Main, A(id=7)]")
        #expect(seven.dropped == ["key 'x'"])
        let none = try fixture.router.explain(url: "/a/x")
        #expect(none.failure?.phase == .match)
        #expect(none.failure?.error.code == .notFound)
        #expect(none.misses.contains { $0.reason.contains("is not a valid int") })
        let text = try fixture.router.explain(url: "b|{}")
        #expect(text.kind == .routeString)
        #expect(text.after == "nav[Main, A(id=1)]")
        #expect(try fixture.router.explain(url: "c|{}").failure?.error.code == .notFound)
        #expect(fixture.events.isEmpty)
    }

    // MARK: Others

    @Test(
        "before the first tree, an explanation has the route, and says that the gate 'started' is closed"
    )
    func started() throws {
        let fixture = try RouterFixture(Self.opening, starts: false)
        let explanation = try fixture.router.explain(Target("A", "show"), info: ["id": 1])
        #expect(explanation.outcome == .pending)
        #expect(explanation.waitsFor == "started")
        #expect(explanation.route == Target("A", "show"))
        #expect(explanation.windows.isEmpty)
        fixture.router.start()
        #expect(try fixture.router.explain(Target("A", "show")).outcome == .done)
    }

    @Test(
        "an explanation says whether the navigation would wait, coalesce, supersede another or fail"
    )
    func turns() throws {
        let fixture = try RouterFixture(
            Self.opening + """
                router.interceptor("wait", function() router.sleep(5) end)
                router.register("W", "show", { intercept = { "wait" }, build = router.screen "W" })
                """
        )
        fixture.navigate("W", "show")
        func explain(_ service: String, _ policy: Policy? = nil) throws -> Explanation {
            let options = NavigationOptions(policy: policy)
            return try fixture.router.explain(Target(service, "show"), options: options)
        }
        let waits = try explain("A")
        #expect(waits.turn.state == .waits)
        #expect(waits.turn.others == ["#2 W/show"])
        #expect(waits.waitsFor == "turn")
        #expect(waits.after == "nav[Main, A]")
        #expect(try explain("W").outcome == .joined)
        #expect(try explain("A", .latest).turn.state == .supersedes)
        #expect(try explain("A", .parallel).turn.state == .now)
        let busy = try explain("A", .reject)
        #expect(busy.failure?.error.code == .busy)
        #expect(busy.failure?.phase == .queue)
        #expect(fixture.router.pending.count == 1)
    }

    @Test(
        "an explanation names the question for which the navigation would wait, and the dialog that it would leave"
    )
    func dialogs() throws {
        let fixture = try RouterFixture(
            Self.opening + """
                router.register("Login", "show", {
                  find = "Login", build = router.screen "Login", via = "presentWithNav",
                })
                router.interceptor("login", function() router.navigate("Login", "show"):result() end)
                router.register("Secret", "show", { intercept = "login", build = router.screen "S" })
                router.register("Home", "show", { find = "Main" })
                router.class("Draft", { leaving = function() router.sleep(5) end })
                """
        )
        var events: [Event] = []
        fixture.router.onEvent = { events.append($0) }
        let secret = fixture.navigate("Secret", "show")
        let link = NavigationOptions(origin: .external)
        let leaves = try fixture.router.explain(Target("A", "show"), options: link)
        #expect(leaves.turn.state == .leavesDialog)
        #expect(leaves.turn.others == ["#2 Secret/show"])
        #expect(leaves.steps.count == 1)
        #expect(leaves.after == "nav[Main, A]")
        #expect(try fixture.router.explain(Target("A", "show")).turn.state == .now)
        #expect(secret.isPending)
        fixture.router.navigate(Target("A", "show"), options: link)
        #expect(secret.status.name == "cancelled")
        let stage = try #require(events.last { $0.kind == .stage })
        #expect(stage["leaves"] == .table(InfoTable(list: ["#2 Secret/show"])))

        try fixture.router.setTree(TreeNotation("nav[Main, Draft]"))
        let back = fixture.router.back()
        let asks = try fixture.router.explain(Target("Home", "show"))
        #expect(asks.turn.state == .waitsForQuestion)
        #expect(asks.turn.others == ["#\(back.id) back"])
        #expect(asks.waitsFor == "question")
        fixture.navigate("Home", "show")
        let wait = try #require(events.last { $0.kind == .wait })
        #expect(wait["name"] == "question")
        #expect(wait["of"] == .string(ByteString("#\(back.id) back")))
        fixture.router.advance(to: fixture.router.now + 10)
        #expect(fixture.tree == "nav[Main]")
    }

    @Test(
        "an explanation made while the host applies a change is based on the tree after the change"
    )
    func applying() throws {
        let fixture = try RouterFixture(Self.opening)
        fixture.host.holds = true
        let navigation = fixture.navigate("A", "show", ["id": 1])
        let explanation = try fixture.router.explain(Target("A", "show"), info: ["id": 2])
        #expect(explanation.before == "nav[Main, A(id=1)]")
        #expect(explanation.after == "nav[Main, A(id=1), A(id=2)]")
        #expect(navigation.isPending)
        fixture.host.answer()
        #expect(!navigation.isPending)
        #expect(fixture.tree == "nav[Main, A(id=1)]")
        #expect(fixture.brokenRules.isEmpty)
    }

    @Test("an explanation lists the first twenty screens of a search, and counts the others")
    func bounded() throws {
        let fixture = try RouterFixture(
            Self.opening + """
                router.register("C", "show", { find = "C", build = router.screen "C" })
                """
        )
        let pages = (1...50).map { "P(n=\($0))" }.joined(separator: ", ")
        try fixture.router.setTree(TreeNotation("nav[\(pages)]"))
        let explanation = try fixture.router.explain(Target("C", "show"))
        let search = try #require(explanation.steps.first?.searches.first)
        #expect(search.visits.count == 20)
        #expect(search.more == 31)
    }

    // MARK: Nothing changes

    @Test("an explanation does not affect serials, numbers, the state, fields or 'math.random'")
    func unchanged() throws {
        let script =
            Self.opening + """
                router.register("B", "show", {
                  build = function()
                    router.state.n = (router.state.n or 0) + 1
                    local old = router.find "Main"
                    old.n = math.random(1000)
                    return router.screen("B", { n = math.random(1000) })
                  end,
                })
                router.export("random", function() return math.random(1000000) end)
                router.export("keep", function() kept = nil end)
                """
        let (plain, other) = (try RouterFixture(script), try RouterFixture(script))
        for _ in 0..<3 {
            let explanation = try other.router.explain(Target("B", "show"))
            #expect(explanation.failure == nil)
            #expect(other.tree == plain.tree)
            #expect(other.router.state == plain.router.state)
            #expect(other.host.operations == plain.host.operations)
            plain.navigate("B", "show")
            other.navigate("B", "show")
            #expect(explanation.after == plain.tree)
            #expect(try plain.call("random") == other.call("random"))
        }
        #expect(plain.events.map(\.json) == other.events.map(\.json))
        #expect(plain.router.treeWithSerials == other.router.treeWithSerials)
        other.router.collectGarbage()
        plain.router.collectGarbage()
        #expect(other.router.tree.heldCount == plain.router.tree.heldCount)
    }

    @Test(
        "an explanation does not change the variables of a script, whether the app or a script requests it"
    )
    func variables() throws {
        let fixture = try RouterFixture(
            Self.opening + """
                local kept, made = {}, 0
                local names = {}
                router.register("B", "show", { build = function(_, nav)
                  made = made + 1
                  names["b" .. made] = true
                  local b = router.screen("B", { n = made })
                  kept[#kept + 1] = { screen = b, nav = nav, went = router.navigate("A", "show") }
                  return b
                end })
                local function look() return { #kept, made, (next(names)) } end
                router.export("look", look)
                router.export("explain", function()
                  made = 10
                  local after = router.explain("B", "show").after
                  router.sleep(1)
                  return { after, router.explain("B", "show").after, table.unpack(look()) }
                end)
                """
        )
        let explanation = try fixture.router.explain(Target("B", "show"))
        #expect(explanation.after == "nav[Main, B(n=1)]")
        #expect(try explained(try fixture.call("look")).list == [0, 0])
        fixture.navigate("B", "show")
        #expect(fixture.tree == "nav[Main, B(n=1), A]")
        #expect(try explained(try fixture.call("look")).list == [1, 1, "b1"])
        var answer: InfoTable?
        fixture.router.call("explain") { result in
            if case .success(.table(let table)) = result { answer = table }
        }
        fixture.router.advance(to: fixture.router.now + 1)
        let after: Value = "nav[Main, B(n=1), A, B(n=11)]"
        #expect(answer?.list == [after, after, 1, 10, "b1"])
    }

    @Test("a dependency created for an explanation is created anew by the navigation")
    func dependencies() throws {
        let fixture = try RouterFixture(
            Self.opening + """
                local made = 0
                router.provide("api", function() made = made + 1 return { n = made } end)
                router.register("B", "show", {
                  needs = { "api" },
                  build = function(_, nav) return router.screen("B", { n = nav.deps.api.n }) end,
                })
                """
        )
        let explanation = try fixture.router.explain(Target("B", "show"))
        #expect(explanation.after == "nav[Main, B(n=1)]")
        #expect(explanation.dependencies.map(\.state) == [.made])
        fixture.navigate("B", "show")
        #expect(fixture.tree == "nav[Main, B(n=1)]")
        #expect(try fixture.router.explain(Target("B", "show")).dependencies[0].state == .there)
    }
}
