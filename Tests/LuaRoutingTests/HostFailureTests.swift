// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// Tests of a host that fails, or that completes a change too late or never.
@Suite(.failureReports)
struct HostFailureTests {
    private static let script = """
        router.start(function() return router.nav { router.screen "Main" } end)
        router.register("Page", "show", { info = { n = "integer" }, build = router.screen "Page" })
        local main
        router.export("mark", function() router.root().children[1].marked = true end)
        """

    private func fixture(
        _ configuration: Router.Configuration = .patient
    ) throws -> RouterFixture {
        try RouterFixture(Self.script, configuration: configuration)
    }

    @Test(
        "a change that the host never answers fails its navigation, and the previous tree is restored"
    )
    func unanswered() throws {
        let fixture = try fixture()
        let (router, host) = (fixture.router, fixture.host)
        host.holds = true
        let page = fixture.navigate("Page", "show", ["n": 1])
        let next = fixture.navigate("Page", "show", ["n": 2])
        #expect(page.isPending && next.isPending)
        router.advance(to: router.now + 9.9)
        #expect(page.isPending)
        host.holds = false
        router.advance(to: router.now + 0.2)
        #expect(page.error?.code == .host)
        #expect(page.error?.message == "the host refused: 'done' was not called within 10 s")
        #expect(
            host.resynchronizations.map(\.operations) == [
                [.root(window: "main", screen: router.tree.windows[0].root)]
            ]
        )
        #expect(next.status.name == "done")
        #expect(fixture.tree == "nav[Main, Page(n=2)]")
        #expect(router.nextDeadline == nil)
        #expect(fixture.brokenRules == [])
    }

    @Test("a host answer after the deadline is ignored with a warning")
    func late() throws {
        let fixture = try fixture()
        let (router, host) = (fixture.router, fixture.host)
        host.holds = true
        fixture.navigate("Page", "show", ["n": 1])
        router.advance(to: router.now + 10)
        host.answer()
        #expect(fixture.tree == "nav[Main]")
        #expect(
            fixture.log == [
                "warn the host called 'done' for change 2, which had already ended; the call is ignored"
            ]
        )
        #expect(fixture.brokenRules == [])
    }

    @Test("without a limit, the router waits indefinitely for the host")
    func unlimited() throws {
        var configuration = Router.Configuration.patient
        configuration.applyTimeout = nil
        let fixture = try fixture(configuration)
        fixture.host.holds = true
        let page = fixture.navigate("Page", "show", ["n": 1])
        #expect(fixture.router.nextDeadline == nil)
        fixture.router.advance(to: fixture.router.now + 1e6)
        #expect(page.isPending)
        fixture.host.answer()
        #expect(page.status.name == "done")
    }

    @Test("a host that refuses a change is asked to show the previous tree")
    func refusal() throws {
        let fixture = try fixture()
        let (router, host) = (fixture.router, fixture.host)
        host.refuses = true
        let page = fixture.navigate("Page", "show", ["n": 1])
        #expect(page.error?.code == .host)
        #expect(host.resynchronizations.count == 1)
        #expect(host.resynchronizations.allSatisfy { !$0.isAnimated && $0.navigation == nil })
        #expect(host.shown?.notation(window: "main", router.classes) == "nav[Main]")
        host.refuses = false
        #expect(fixture.navigate("Page", "show", ["n": 1]).status.name == "done")
        #expect(host.changes.last?.isResynchronization == false)
        #expect(fixture.operations.suffix(1) == ["push"])
    }

    @Test("if the host cannot restore the previous tree, the next change replaces all roots")
    func secondFailure() throws {
        let fixture = try fixture()
        let host = fixture.host
        (host.refuses, host.refusesResynchronization) = (true, true)
        fixture.navigate("Page", "show", ["n": 1])
        #expect(
            fixture.log == [
                "error the host may not show the current tree until the next change: Refusal()"
            ]
        )
        (host.refuses, host.refusesResynchronization) = (false, false)
        #expect(fixture.navigate("Page", "show", ["n": 1]).status.name == "done")
        #expect(host.resynchronizations.count == 2)
        #expect(host.resynchronizations.last?.operations.map(\.name) == ["root"])
        #expect(fixture.navigate("Page", "show", ["n": 2]).status.name == "done")
        #expect(host.resynchronizations.count == 2)
        #expect(fixture.operations.suffix(1) == ["push"])
        #expect(fixture.brokenRules == [])
    }

    @Test(
        "fields that the host rejects keep their values, and the host is asked to show them again"
    )
    func refusedFields() throws {
        let fixture = try fixture()
        fixture.host.refuses = true
        try fixture.call("mark")
        #expect(fixture.tree == "nav[Main(marked=true)]")
        #expect(fixture.host.resynchronizations.count == 1)
        #expect(fixture.log == ["error the host refused: Refusal()"])
    }
}
