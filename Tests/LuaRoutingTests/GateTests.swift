// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// Tests of gates that an app opens and closes.
@Suite(.failureReports)
struct GateTests {
    private static let script = """
        router.start(function() return router.nav { router.screen "Main" } end)
        router.register("Account", "show", {
          ready = { "session", "terms" },
          build = function() return router.screen "Account" end,
        })
        router.register("Main", "eager", function()
          router.ready "session"
          return router.screen "Eager"
        end)
        router.register("Main", "planner", {
          prepare = function() router.ready "session" end,
          build = function() return router.screen "Planner" end,
        })
        router.register("Page", "show", function() return router.screen "Page" end)
        router.register("Start", "later", { build = router.nav { { "Account", "show" } }, via = "present" })
        """

    @Test("a gate that was opened stays open until it is closed")
    func open() throws {
        let router = try RouterFixture(Self.script).router
        #expect(router.openGates == [])
        try router.ready("terms")
        try router.ready("session")
        try router.ready("session")
        #expect(router.openGates == ["session", "terms"])
        try router.unready("session")
        try router.unready("nobody")
        #expect(router.openGates == ["terms"])
    }

    @Test("an invalid gate name is an error", arguments: ["started", "a b", "", "7"])
    func bad(name: String) throws {
        let router = try RouterFixture(Self.script).router
        #expect(throws: RouteError.self) { try router.ready(name) }
        #expect(throws: RouteError.self) { try router.unready(name) }
        #expect(throws: RouteError.self) { try router.unreadyLeaving(name) }
        #expect(throws: RouteError.self) { try router.explain(unreadyLeaving: name) }
        #expect(router.pending.isEmpty)
        #expect(router.openGates == [])
    }

    @Test("an explanation lists the screens that closing a gate would remove, and removes none")
    func explained() async throws {
        let fixture = try RouterFixture(Self.script)
        for gate in ["session", "terms"] { try fixture.router.ready(gate) }
        fixture.navigate("Account", "show")
        fixture.navigate("Page", "show")
        let explanation = try fixture.router.explain(unreadyLeaving: "terms")
        #expect(explanation.leaving.map(\.screen) == ["Page", "Account"])
        #expect(explanation.after == "nav[Main]")
        let ofScript = try fixture.router.evaluate(
            "local plan = router.explainUnready 'terms' return plan.after .. #plan.leaving"
        )
        #expect(ofScript == "nav[Main]2")
        #expect(fixture.tree == "nav[Main, Account, Page]")
        #expect(fixture.router.openGates == ["session", "terms"])
        try await fixture.router.unreadyLeaving("terms")
        #expect(fixture.tree == "nav[Main]")
        #expect(fixture.router.openGates == ["session"])
        #expect(try fixture.router.explain(unreadyLeaving: "terms").leaving.isEmpty)
    }

    @Test("the completion of a navigation that waited at a gate runs once")
    func completion() throws {
        let fixture = try RouterFixture(Self.script)
        var ends: [String] = []
        let navigation = fixture.router.navigate(Target("Account", "show")) {
            ends.append($0.status.name)
        }
        #expect(fixture.router.pending.map(\.id) == [navigation.id])
        try fixture.router.ready("session")
        try fixture.router.ready("terms")
        try fixture.router.ready("terms")
        #expect(ends == ["done"])
        #expect(fixture.tree == "nav[Main, Account]")
    }

    @Test(
        "a transaction does not open a gate before it is committed",
        arguments: ["eager", "planner"]
    )
    func effects(task: String) throws {
        let fixture = try RouterFixture(Self.script)
        #expect(fixture.navigate("Main", task).error?.code == .script)
        #expect(fixture.router.openGates == [])
        #expect(fixture.tree == "nav[Main]")
    }

    @Test("the first tree waits for the gates of its leaves")
    func start() throws {
        let script = Self.script.replacing(
            "router.start(function() return router.nav { router.screen \"Main\" } end)",
            with: "router.start { \"Account\", \"show\" }"
        )
        let fixture = try RouterFixture(script, starts: false)
        let start = fixture.router.start()
        guard case .pending(waitingFor: "session") = start.status else {
            Issue.record("it is \(start.status)")
            return
        }
        try fixture.router.ready("terms")
        #expect(start.isPending)
        try fixture.router.ready("session")
        #expect(start.status.name == "done")
        #expect(fixture.tree == "nav[Account]")
        #expect(fixture.brokenRules == [])
    }

    @Test("releasing a router cancels navigations that wait at a gate")
    func leaving() throws {
        weak var weakRouter: Router?
        var ends = 0
        do {
            let fixture = try RouterFixture(Self.script)
            weakRouter = fixture.router
            fixture.router.navigate(Target("Account", "show")) { _ in ends += 1 }
            fixture.router.navigate(Target("Start", "later")) { _ in ends += 1 }
        }
        #expect(weakRouter == nil)
        #expect(ends == 2)
    }
}
