// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

@Suite(.failureReports)
struct NavigatingTests {
    static let script = """
        local screen, nav, tabs = router.screen, router.nav, router.tabs
        router.start(function(info)
          if info.tabs then return tabs { nav { screen "Home" }, nav { screen "Search" } } end
          return nav { screen "Main" }
        end)
        router.register("Page", "show", function(info)
          return screen("Page", { id = info.id })
        end)
        router.register("Page", "child", function() return router.nav { screen "Inner" } end)
        """

    private func navigate(_ fixture: RouterFixture, id: Int64, via: Action) -> Navigation {
        fixture.router.navigate(
            Target("Page", "show"),
            info: ["id": .integer(id)],
            options: NavigationOptions(via: via)
        )
    }

    @Test("each action puts the screen at its documented position")
    func actions() throws {
        let fixture = try RouterFixture(Self.script)
        _ = navigate(fixture, id: 1, via: .push)
        #expect(fixture.tree == "nav[Main, Page(id=1)]")
        _ = navigate(fixture, id: 2, via: .present)
        #expect(fixture.tree == "nav[Main, Page(id=1)] ^ Page(id=2)")
        _ = navigate(fixture, id: 3, via: .presentWithNav)
        #expect(fixture.tree == "nav[Main, Page(id=1)] ^ Page(id=2) ^ nav[Page(id=3)]")
        _ = navigate(fixture, id: 4, via: .push)
        #expect(fixture.tree == "nav[Main, Page(id=1)] ^ Page(id=2) ^ nav[Page(id=3), Page(id=4)]")
        #expect(fixture.operations == ["push", "present", "present", "push"])
        _ = navigate(fixture, id: 5, via: .replaceRoot)
        #expect(fixture.tree == "Page(id=5)")
        #expect(fixture.operations.last == "root")
    }

    @Test("a push without a stack is an error")
    func pushWithoutNav() throws {
        let fixture = try RouterFixture(Self.script)
        _ = navigate(fixture, id: 1, via: .present)
        let navigation = navigate(fixture, id: 2, via: .push)
        #expect(navigation.error?.code == .typeMismatch)
        #expect(
            navigation.error?.description
                == "main.lua:6: no nav around Page(id=1) ('push' needs one)"
        )
        #expect(navigation.error?.step == "Page/show")
        #expect(fixture.tree == "nav[Main] ^ Page(id=1)")
    }

    @Test("a navigation with 'from' first dismisses the modals above the screen that 'from' names")
    func from() throws {
        let fixture = try RouterFixture(Self.script)
        _ = navigate(fixture, id: 1, via: .push)
        let place = try #require(fixture.router.tree.windows.first?.root)
        _ = navigate(fixture, id: 2, via: .presentWithNav)
        fixture.router.navigate(
            Target("Page", "show"),
            info: ["id": 3],
            options: NavigationOptions(from: place)
        )
        #expect(fixture.tree == "nav[Main, Page(id=1), Page(id=3)]")
        #expect(fixture.host.changes.last?.operations.map(\.name) == ["dismiss", "push"])
    }

    @Test("'back' pops a screen; otherwise it dismisses a modal, or has the outcome 'stayed'")
    func back() throws {
        let fixture = try RouterFixture(Self.script)
        _ = navigate(fixture, id: 1, via: .push)
        _ = navigate(fixture, id: 2, via: .presentWithNav)
        _ = navigate(fixture, id: 3, via: .push)
        fixture.router.back()
        #expect(fixture.tree == "nav[Main, Page(id=1)] ^ nav[Page(id=2)]")
        fixture.router.back()
        #expect(fixture.tree == "nav[Main, Page(id=1)]")
        fixture.router.back()
        let last = fixture.router.back()
        #expect(fixture.tree == "nav[Main]")
        #expect(last.status.name == "stayed")
    }

    @Test("going back several steps is a single change")
    func backSeveral() throws {
        let fixture = try RouterFixture(Self.script)
        for id in 1...4 { _ = navigate(fixture, id: Int64(id), via: .push) }
        fixture.host.forgetChanges()
        fixture.router.back(3)
        #expect(fixture.tree == "nav[Main, Page(id=1)]")
        #expect(fixture.operations == ["pop"])
    }

    @Test("'dismiss' removes the topmost level; if there is no modal, the outcome is 'stayed'")
    func dismiss() throws {
        let fixture = try RouterFixture(Self.script)
        _ = navigate(fixture, id: 1, via: .present)
        _ = navigate(fixture, id: 2, via: .presentWithNav)
        fixture.router.dismiss()
        #expect(fixture.tree == "nav[Main] ^ Page(id=1)")
        fixture.router.dismiss()
        let last = fixture.router.dismiss()
        #expect(last.status.name == "stayed")
        #expect(fixture.tree == "nav[Main]")
    }

    @Test("a navigation that starts before the first tree waits for that tree")
    func beforeStart() throws {
        let fixture = try RouterFixture(Self.script, starts: false)
        let navigation = fixture.navigate("Page", "show", ["id": 1])
        guard case .pending(waitingFor: "started") = navigation.status else {
            Issue.record("expected to wait for 'started', got \(navigation.status)")
            return
        }
        fixture.router.start()
        #expect(navigation.status.name == "done")
        #expect(fixture.tree == "nav[Main, Page(id=1)]")
    }

    @Test("the first tree receives the info that was passed to 'start'")
    func startInfo() throws {
        let fixture = try RouterFixture(Self.script, starts: false)
        fixture.router.start(["tabs": true])
        #expect(fixture.tree == "tabs[*nav[Home], nav[Search]]")
        _ = navigate(fixture, id: 1, via: .push)
        #expect(fixture.tree == "tabs[*nav[Home, Page(id=1)], nav[Search]]")
    }

    @Test("if the host fails to prepare a change, the transaction is rolled back")
    func hostCannotPrepare() throws {
        let fixture = try RouterFixture(Self.script)
        fixture.host.onPrepare = { throw TestHost.Refusal() }
        let navigation = fixture.navigate("Page", "show", ["id": 1])
        #expect(navigation.error?.code == .host)
        #expect(fixture.host.discarded.count == 1)
        #expect(fixture.tree == "nav[Main]")
    }

    @Test("if the host fails to apply a change, the tree stays unchanged")
    func hostCannotApply() throws {
        let fixture = try RouterFixture(Self.script)
        fixture.host.refuses = true
        let navigation = fixture.navigate("Page", "show", ["id": 1])
        #expect(navigation.error?.code == .host)
        #expect(fixture.tree == "nav[Main]")
        fixture.host.refuses = false
        fixture.navigate("Page", "show", ["id": 2])
        #expect(fixture.tree == "nav[Main, Page(id=2)]")
    }

    @Test("work that arrives while the host applies a change is queued")
    func hostTakesItsTime() throws {
        let fixture = try RouterFixture(Self.script)
        fixture.host.holds = true
        let first = fixture.navigate("Page", "show", ["id": 1])
        let second = fixture.navigate("Page", "show", ["id": 2])
        #expect(first.status.name == "pending")
        #expect(fixture.router.pending.map(\.id) == [first.id, second.id])
        fixture.host.answer()
        #expect(first.status.name == "done")
        #expect(second.status.name == "pending")
        fixture.host.answer()
        #expect(second.status.name == "done")
        #expect(fixture.tree == "nav[Main, Page(id=1), Page(id=2)]")
    }
}
