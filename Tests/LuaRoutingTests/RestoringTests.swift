// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// Tests of restoring a snapshot in a router with other pending work.
@Suite(.failureReports)
struct RestoringTests {
    private static let script = """
        router.start(function() return router.nav { router.screen "Home" } end)
        router.class("Draft", {
          dismissible = false,
          leaving = function() return false, "not now" end,
        })
        router.class("Asked", { restore = function(fields) return router.state.answer and fields end })
        router.class("Endless", { restore = function() while true do end end })
        router.class("Wide", { kind = "container", shows = "all", max = 2 })
        router.register("Page", "show", { build = function() return router.screen "Page" end })
        router.register("Slow", "show", {
          build = function() return router.screen "Page" end,
          intercept = function() router.sleep(10) end,
        })
        router.routing("/later")
        """

    private func fixture(_ tree: String, _ script: String = RestoringTests.script) throws
        -> RouterFixture
    {
        let fixture = try RouterFixture(script)
        try fixture.router.setTree(TreeNotation(tree))
        return fixture
    }

    private func paths(_ restoration: Restoration) -> [String] {
        restoration.losses.map(\.path)
    }

    @Test("restoring a snapshot calls no interceptor, and calls the completion once")
    func asksNobody() throws {
        let fixture = try fixture("nav[Home]")
        let snapshot = fixture.router.snapshot()
        try fixture.router.setTree(TreeNotation("nav[Home, Draft]"))
        var ends: [String] = []
        let restoration = fixture.router.restore(snapshot) {
            ends.append($0.navigation.status.name)
        }
        #expect(restoration.navigation.status.name == "done")
        #expect(ends == ["done"])
        #expect(fixture.tree == "nav[Home]")
    }

    @Test("deep links that a script restores have the origin 'script'")
    func origins() throws {
        let script =
            Self.script + """

                router.export("restore", function()
                  local data = router.snapshot()
                  data.links = { { url = "/later?from=data", origin = "external" } }
                  router.restore(data)
                end)
                """
        let fixture = try fixture("nav[Home]", script)
        fixture.router.dispatch(
            "/later",
            options: DispatchOptions(persist: true, origin: .external)
        )
        let snapshot = fixture.router.snapshot()
        try fixture.call("restore")
        #expect(fixture.router.queuedLinks.map(\.origin) == [.external, .script])
        fixture.router.cancelLinks()
        fixture.router.restore(snapshot)
        #expect(fixture.router.queuedLinks.map(\.origin) == [.external])
    }

    @Test(
        "a restored tree is current while the host applies it; a refusal brings back the old tree"
    )
    func hostHolds() throws {
        let fixture = try fixture("nav[Home]")
        let snapshot = fixture.router.snapshot()
        try fixture.router.setTree(TreeNotation("nav[Home, Page]"))
        try fixture.router.setState("user", to: "ann")
        fixture.host.holds = true
        let restoration = fixture.router.restore(snapshot)
        #expect(restoration.navigation.isPending)
        #expect(fixture.tree == "nav[Home]")
        #expect(fixture.router.state.isEmpty)
        fixture.host.refuse()
        #expect(restoration.navigation.error?.code == .host)
        #expect(fixture.tree == "nav[Home, Page]")
        #expect(fixture.router.state["user"] == "ann")
        #expect(fixture.brokenRules == [])
    }

    @Test("'restore' of a class can read the state of the snapshot")
    func stateFirst() throws {
        let fixture = try fixture("nav[Home, Asked(x=1)]")
        try fixture.router.setState("answer", to: true)
        let yes = fixture.router.snapshot()
        try fixture.router.setState("answer", to: .nil)
        let no = fixture.router.snapshot()
        #expect(fixture.router.restore(yes).losses == [])
        #expect(fixture.tree == "nav[Home, Asked(x=1)]")
        #expect(paths(fixture.router.restore(no)) == ["main/nav/Asked[2]"])
        #expect(fixture.tree == "nav[Home]")
    }

    @Test("a function that never returns fails the restoration, and nothing changes")
    func endless() throws {
        let fixture = try RouterFixture(Self.script)
        try fixture.router.setTree(TreeNotation("nav[Home, Endless]"))
        let restoration = fixture.router.restore(fixture.router.snapshot())
        #expect(restoration.navigation.error?.code == .budget)
        #expect(fixture.tree == "nav[Home, Endless]")
        #expect(fixture.brokenRules == [])
    }

    struct Change: Sendable, CustomTestStringConvertible {
        let tree: String
        let script: String
        let result: String
        let losses: [String]
        var testDescription: String { tree }

        init(_ tree: String, now script: String, _ result: String, _ losses: String...) {
            self.tree = tree
            self.script = script
            self.result = result
            self.losses = losses
        }
    }

    @Test(
        "screens that the active scripts reject are not restored",
        arguments: [
            Change(
                "nav[Home, Show]",
                now: "router.class('Show', { kind = 'nav' })",
                "nav[Home]",
                "main/nav/Show[2] was not restored: class 'Show' is a nav (leaf expected)"
            ),
            Change(
                "nav[Home, Wide[A, B]]",
                now: "router.class('Other', {})",
                "nav[Home]",
                "main/nav/Wide[2] was not restored: container 'Wide' is no longer declared"
            ),
            Change(
                "nav[Home, Wide[A, B]]",
                now: "router.class('Wide', { kind = 'container', max = 1 })",
                "nav[Home]",
                "main/nav/Wide[2] was not restored: 'Wide' can have at most 1 child (got 2)"
            ),
            Change(
                "split[Gone, A] ^ B",
                now: "router.class('Gone', { restore = function() end })",
                "none",
                "main/split/Gone[1] was not restored: 'restore' of class 'Gone' returned nothing",
                "main/split was not restored: the primary screen was not restored"
            ),
            Change(
                "tabs[A, *Gone, B]",
                now: "router.class('Gone', { restore = function() end })",
                "tabs[A, *B]",
                "main/tabs/Gone[2] was not restored: 'restore' of class 'Gone' returned nothing"
            ),
            Change(
                "tabs[A, B, *Gone]",
                now: "router.class('Gone', { restore = function() end })",
                "tabs[A, *B]",
                "main/tabs/Gone[3] was not restored: 'restore' of class 'Gone' returned nothing"
            ),
            Change(
                "tabs[]",
                now: "router.class('Gone', { restore = function() end })",
                "tabs[]"
            ),
            Change(
                "nav[side:nav[A]]",
                now:
                    "router.class('side', { restore = function() return router.nav{ router.screen 'X' } end })",
                "none",
                "main/nav/side[1] was not restored: class 'side' is a leaf (nav expected)",
                "main/nav was not restored: no child was restored"
            ),
            Change(
                "nav[Two, Two]",
                now: """
                    local one
                    router.class('Two', { restore = function()
                      one = one or router.screen 'One'
                      return one
                    end })
                    """,
                "nav[One]",
                "main/nav/Two[2] was not restored: screen 'One' is inserted twice"
            ),
            Change(
                "nav[Odd]",
                now: "router.class('Odd', { restore = function() return { class = 1 } end })",
                "none",
                "main/nav/Odd[1] was not restored: 'class' is read only",
                "main/nav was not restored: no child was restored"
            ),
        ]
    )
    func changes(_ change: Change) throws {
        let fixture = try fixture(change.tree)
        let snapshot = fixture.router.snapshot()
        let start = "\nrouter.start(function() return router.screen 'Home' end)"
        let other = try RouterFixture(change.script + start, starts: false)
        let restoration = other.router.restore(snapshot)
        let losses = restoration.losses.map(\.description)
        #expect(losses == change.losses)
        #expect(other.brokenRules == [])
        #expect((other.tree.isEmpty ? "none" : other.tree) == change.result)
        if change.result == "none" {
            #expect(restoration.navigation.error?.code == .composition)
            #expect(other.operations == [])
        }
    }

    @Test(
        "when a snapshot is restored, a deep link without a matching routing is reported as a loss"
    )
    func links() throws {
        let fixture = try fixture("nav[Home]")
        for _ in 1...2 {
            fixture.router.dispatch("/later", options: DispatchOptions(persist: true))
        }
        let snapshot = fixture.router.snapshot()
        // It waits there already.
        #expect(fixture.router.restore(snapshot).losses == [])
        #expect(fixture.router.queuedLinks.count == 2)
        let same = try RouterFixture(Self.script, starts: false)
        same.router.restore(snapshot)
        #expect(same.router.snapshot() == snapshot)
        let other = try RouterFixture("router.start(function() end)", starts: false)
        let restoration = other.router.restore(snapshot)
        #expect(paths(restoration) == ["link '/later'", "link '/later'"])
        #expect(other.router.queuedLinks.isEmpty)
    }

    @Test("a restored deep link waits for its remaining time, and fails when no time is left")
    func timeLeft() throws {
        let script =
            Self.script + """

                router.export("begin", function()
                  router.delay(10, function() end)
                  router.dispatch("/later", { timeout = 10, persist = true })
                end)
                """
        let fixture = try RouterFixture(script, starts: false)
        try fixture.router.setTree(TreeNotation("nav[Home]"))
        try fixture.call("begin")
        let start = fixture.router.now
        fixture.router.advance(to: start + 7)
        let early = fixture.router.snapshot()
        var late: Snapshot?
        fixture.router.onEvent = { [unowned router = fixture.router] event in
            if event.kind == .timer { late = router.snapshot() }
        }
        fixture.router.advance(to: start + 10)
        #expect(fixture.router.queuedLinks.isEmpty)
        for (snapshot, left) in [(early, 3), (try #require(late), 0)] as [(Snapshot, Double)] {
            let other = try RouterFixture(script, starts: false)
            other.router.restore(try Snapshot(json: snapshot.json))
            #expect(other.router.queuedLinks.count == 1)
            if left > 0 {
                other.router.advance(to: other.router.now + left - 0.001)
                #expect(other.router.queuedLinks.count == 1)
            }
            other.router.advance(to: other.router.now + 0.001)
            #expect(other.router.queuedLinks.isEmpty)
        }
    }

    @Test("a navigation that is pending during a restoration is planned again and completed")
    func pending() throws {
        let fixture = try fixture("nav[Home]")
        let snapshot = fixture.router.snapshot()
        let navigation = fixture.navigate("Slow", "show")
        fixture.router.restore(snapshot)
        #expect(navigation.isPending)
        fixture.router.advance(to: fixture.router.now + 10)
        #expect(navigation.status.name == "done")
        #expect(fixture.tree == "nav[Home, Page]")
    }

    @Test("a snapshot without windows restores nothing")
    func empty() throws {
        let empty = try RouterFixture(Self.script, starts: false).router.snapshot()
        let fixture = try fixture("nav[Home]")
        let restoration = fixture.router.restore(empty)
        #expect(
            restoration.navigation.error?.message
                == "no window of the snapshot was restored (the snapshot contains no windows)"
        )
        #expect(fixture.tree == "nav[Home]")
    }

    @Test("screens that a restoration replaces are released")
    func released() throws {
        let fixture = try fixture("nav[Home, Two[A, B]]".replacing("Two", with: "Wide"))
        let snapshot = fixture.router.snapshot()
        for _ in 1...3 { fixture.router.restore(snapshot) }
        fixture.router.collectGarbage()
        #expect(fixture.router.tree.heldCount == 5)
    }
}
