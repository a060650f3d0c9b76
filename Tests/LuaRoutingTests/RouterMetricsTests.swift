// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

@Suite(.failureReports) struct RouterMetricsTests {
    private static let script = """
        router.class("Page", { fields = { "id" } })
        router.interceptor("asking", function() router.sleep(2) end)
        router.interceptor("elsewhere", function() router.redirect("Page", "open") end)
        router.start(function() return router.nav { router.screen "Main" } end)
        router.register("Page", "open", {
          url = "/pages", reuse = "class", build = router.screen "Page",
        })
        router.register("Page", "asked", {
          intercept = "asking", build = function() return router.screen "Asked" end,
        })
        router.register("Page", "redirected", {
          intercept = "elsewhere", build = function() return router.screen "Asked" end,
        })
        router.register("Page", "broken", { build = function() error("no data") end })
        router.register("Page", "endless", { build = function() while true do end end })
        router.registerTask("Task", "bad", function() error("no task") end)
        router.export("fail", function() error("no call") end)
        router.export("later", function() router.delay(1, function() error("no timer") end) end)
        router.routing("/later/:name")
        """

    private let fixture: RouterFixture
    private var router: Router { fixture.router }

    init() throws {
        var configuration = Router.Configuration.patient
        configuration.budget.instructions = 100_000
        fixture = try RouterFixture(Self.script, configuration: configuration)
    }

    /// The counts of ended navigations by name and status, such as `Page/open 2 done`, sorted.
    private var navigations: [String] {
        router.metrics.navigations.flatMap { name, ends in
            [
                (ends.done, "done"), (ends.failed, "failed"), (ends.stayed, "stayed"),
                (ends.cancelled, "cancelled"),
            ].filter { $0.0 > 0 }.map { "\(name) \($0.0) \($0.1)" }
        }.sorted()
    }

    @Test("navigations are counted by their requested route or verb, and by their outcome")
    func navigationEnds() {
        for name in ["open", "open", "open", "redirected", "broken", "missing"] {
            fixture.navigate("Page", name)
        }
        router.open("/pages")
        router.open("/somebody@example.com")
        router.back()
        router.back()
        router.cancel(fixture.navigate("Page", "asked"))
        #expect(
            navigations == [
                "Page/asked 1 cancelled", "Page/broken 1 failed", "Page/open 4 done",
                "Page/redirected 1 done", "back 1 done", "back 1 stayed", "start 1 done",
                "unknown 2 failed",
            ]
        )
        #expect(router.metrics.endedNavigations == 12)
        #expect(fixture.events.filter { $0.kind == .navigate }.count == 11)
    }

    @Test("each of several coalesced navigations is counted")
    func coalesced() {
        let leader = fixture.navigate("Page", "asked")
        let follower = fixture.navigate("Page", "asked")
        router.advance(to: 2)
        #expect(leader.status.name == "done" && follower.status.name == "done")
        #expect(router.metrics.navigations["Page/asked"]?.done == 2)
    }

    @Test("failures of all kinds of work are counted by error code")
    func failures() {
        fixture.navigate("Page", "broken")
        fixture.doTask("Task", "bad")
        _ = try? fixture.call("fail")
        router.call("fail") { _ in }
        _ = try? fixture.call("later")
        router.advance(to: 3)
        fixture.navigate("Page", "missing")
        fixture.navigate("Page", "endless")
        router.dispatch("/never/ann")
        #expect(router.metrics.failures == [.script: 5, .notFound: 2, .budget: 1])
        #expect(router.metrics.budgetBreaches == 1)
    }

    @Test(
        "the duration of an interceptor is measured from its call to its return, or to the end of its wait"
    )
    func interceptors() {
        fixture.navigate("Page", "asked")
        router.advance(to: 2)
        fixture.navigate("Page", "redirected")
        let last = fixture.navigate("Page", "asked")
        router.advance(to: 3)
        router.cancel(last)
        let times = router.metrics.interceptors
        #expect(times.count == 3)
        #expect(times.total == .seconds(3))
        #expect(times.maximum == .seconds(2))
    }

    @Test("calls into scripts are counted, with their instructions and times")
    func scripts() {
        let before = router.metrics
        fixture.navigate("Page", "endless")
        let after = router.metrics
        #expect(after.scripts.count == before.scripts.count + 1)
        #expect(after.instructions - before.instructions >= 100_000)
        #expect(after.scripts.maximum > .zero)
        #expect(after.scripts.total >= after.scripts.maximum)
    }

    @Test("reloads, the generation and queued links are counted")
    func reloads() {
        router.dispatch("/later/ann")
        router.reload(ScriptBundle(files: ["main.lua": "router.start("]))
        router.reload(ScriptBundle(files: ["main.lua": "router.start(function() end)"]))
        let metrics = router.metrics
        #expect(metrics.acceptedReloads == 1 && metrics.rejectedReloads == 1)
        #expect(metrics.generation == 2)
        // The new scripts have no routing for it.
        #expect(metrics.queuedLinks == 0)
    }

    @Test("a deep link is counted as queued until it ends")
    func queuedLinks() {
        router.dispatch("/later/ann")
        #expect(router.metrics.queuedLinks == 1)
        router.cancelLinks()
        #expect(router.metrics.queuedLinks == 0)
    }

    @Test("a rewind does not reset counters")
    func rewind() throws {
        let checkpoint = try router.checkpoint()
        fixture.navigate("Page", "open")
        let before = router.metrics
        try router.rewind(to: checkpoint)
        #expect(router.metrics == before)
    }

    @Test("at most 1,000 different names are counted")
    func names() throws {
        let script = """
            router.start(function() return router.nav { router.screen "Main" } end)
            for i = 1, 1200 do
              router.register("Page" .. i, "open", { build = router.screen "Page" })
            end
            """
        let fixture = try RouterFixture(script)
        for index in 1...1_200 { fixture.navigate("Page\(index)", "open") }
        let metrics = fixture.router.metrics
        #expect(metrics.navigations.count == 1_001)
        #expect(metrics.navigations[Router.Metrics.unknownRoute]?.done == 201)
        #expect(metrics.endedNavigations == 1_201)
    }
}
