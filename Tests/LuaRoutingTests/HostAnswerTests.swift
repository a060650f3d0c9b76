// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// Tests of the time between a change and its completion by the host, and of the rollback after a
/// refusal.
@Suite(.failureReports)
struct HostAnswerTests {
    // MARK: Navigations while the host applies

    private static let children = """
        router.start(function() return router.nav { router.screen "Main" } end)
        router.register("Child", "show", function(info)
          return router.screen("Child", { n = info.n })
        end)
        router.register("Parent", "show", {
          build = function() return router.screen "Parent" end,
          intercept = function(nav)
            for n = 1, nav.info.children do router.navigate("Child", "show", { n = n }) end
          end,
        })
        """

    @Test("a router can be released while an interceptor is awaiting another navigation")
    func goesWhileAwaiting() throws {
        let script = """
            router.start(function() return router.nav { router.screen "Main" } end)
            router.register("Child", "show", { build = router.screen "Child", ready = { "never" } })
            router.register("Parent", "show", {
              build = router.screen "Parent",
              intercept = function() router.navigate("Child", "show"):await() end,
            })
            """
        weak var router: Router?
        do {
            let fixture = try RouterFixture(script)
            router = fixture.router
            let options = NavigationOptions(timeout: 5)
            fixture.router.navigate(Target("Parent", "show"), options: options)
        }
        #expect(router == nil)
    }

    @Test("a navigation waits for the host's answer to the navigation that its interceptor started")
    func childOfInterceptor() throws {
        let fixture = try RouterFixture(Self.children)
        fixture.host.holds = true
        let parent = fixture.navigate("Parent", "show", ["children": 1])
        #expect(parent.isPending)
        #expect(fixture.tree == "nav[Main, Child(n=1)]")
        #expect(fixture.host.operations == [["push"]])
        fixture.host.answer()
        #expect(parent.isPending)
        #expect(fixture.tree == "nav[Main, Child(n=1), Parent]")
        #expect(fixture.host.operations == [["push"], ["push"]])
        fixture.host.answer()
        #expect(parent.status.name == "done")
        #expect(fixture.router.pending.isEmpty)
        #expect(fixture.brokenRules == [])
    }

    @Test(
        "a navigation started by an interceptor ends before its parent, however late the host answers",
        arguments: [false, true]
    )
    func childrenOfInterceptor(_ holds: Bool) throws {
        let fixture = try RouterFixture(Self.children)
        fixture.host.holds = holds
        let parent = fixture.navigate("Parent", "show", ["children": 2])
        if holds { for _ in 0..<3 { fixture.host.answer() } }
        #expect(parent.status.name == "done")
        #expect(fixture.tree == "nav[Main, Child(n=1), Child(n=2), Parent]")
        #expect(fixture.brokenRules == [])
    }

    @Test(
        "a navigation continues if the host refuses the change of a navigation that its interceptor started"
    )
    func refusedChild() throws {
        let fixture = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Main" } end)
            router.register("Child", "show", function() return router.screen "Child" end)
            router.register("Parent", "show", {
              build = function() return router.screen "Parent" end,
              intercept = function() router.navigate("Child", "show") end,
            })
            """
        )
        fixture.host.holds = true
        let parent = fixture.navigate("Parent", "show")
        fixture.host.refuse()
        fixture.host.answer()
        #expect(parent.status.name == "done")
        #expect(fixture.tree == "nav[Main, Parent]")
        #expect(fixture.brokenRules == [])
    }

    @Test("setting the tree cancels navigations deferred by the change that the host is applying")
    func setTree() throws {
        let fixture = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Main" } end)
            router.register("Child", "show", function() return router.screen "Child" end)
            router.register("Parent", "show", function()
              router.navigate("Child", "show", {}, { completion = function(_, why)
                router.log.info("child " .. why.status .. " " .. why.code)
              end })
              return router.screen "Parent"
            end)
            """
        )
        let (router, host) = (fixture.router, fixture.host)
        host.holds = true
        let parent = fixture.navigate("Parent", "show")
        let pending = router.pending
        #expect(pending.map(\.target) == [Target("Parent", "show"), Target("Child", "show")])
        let child = try #require(pending.last)
        try router.setTree(TreeNotation("nav[Other]"))
        for navigation in [parent, child] {
            #expect(navigation.status.name == "cancelled")
            #expect(navigation.error?.code == .cancelled)
            #expect(navigation.completions == 1)
        }
        #expect(fixture.log == ["info child cancelled cancelled"])
        #expect(router.pending.isEmpty)
        host.answer()
        #expect(fixture.tree == "nav[Other]")
        #expect(host.changes.count == 1)
        #expect(fixture.brokenRules == [])
    }

    // MARK: Screens that a change removes

    private static let leaving = """
        local kept
        router.start(function()
          kept = router.screen "S"
          return router.nav { router.screen "Main", kept }
        end)
        router.register("Kept", "show", function() return kept end)
        router.register("Wrapped", "show", function() return router.nav { kept } end)
        router.export("adopt", function() router.nav { kept } end)
        router.export("alive", function() return kept.isAlive end)
        """

    @Test("a screen that a pending change removes is treated as removed")
    func removed() throws {
        let fixture = try RouterFixture(Self.leaving)
        fixture.host.holds = true
        let back = fixture.router.back()
        #expect(back.isPending)
        #expect(try fixture.call("alive") == false)
        let error = #expect(throws: RouteError.self) { try fixture.call("adopt") }
        #expect(error?.code == .composition)
        #expect(error?.message == "screen 'S' is gone")
        fixture.host.answer()
        #expect(back.status.name == "done")
        fixture.host.holds = false
        for target in [Target("Kept", "show"), Target("Wrapped", "show")] {
            #expect(fixture.router.navigate(target).error?.code == .composition)
        }
        #expect(fixture.tree == "nav[Main]")
        #expect(fixture.brokenRules == [])
    }

    @Test("screens that a change removes return to their positions if the host refuses the change")
    func removalRefused() throws {
        let fixture = try RouterFixture(Self.leaving)
        fixture.host.holds = true
        let back = fixture.router.back()
        #expect(throws: RouteError.self) { try fixture.call("adopt") }
        let next = fixture.navigate("Wrapped", "show")
        fixture.host.holds = false
        fixture.host.refuse()
        #expect(back.error?.code == .host)
        #expect(next.error?.code == .composition)
        #expect(fixture.tree == "nav[Main, S]")
        #expect(try fixture.call("alive") == true)
        let error = #expect(throws: RouteError.self) { try fixture.call("adopt") }
        #expect(error?.code == .composition)
        #expect(fixture.brokenRules == [])
        // It is one of the tree as any other.
        fixture.router.back()
        #expect(fixture.tree == "nav[Main]")
        #expect(fixture.brokenRules == [])
    }

    @Test("a 'dismissible' function cannot move its screen into a container")
    func adoptingDismissible() throws {
        let fixture = try RouterFixture(
            """
            router.class("S", { dismissible = function(screen)
              router.nav { screen }
              return true
            end })
            router.start(function() return router.nav { router.screen "Main", router.screen "S" } end)
            """
        )
        let back = fixture.router.back()
        #expect(back.error?.code == .script)
        let message = back.error?.message ?? ""
        #expect(
            message.hasPrefix("making a container is not allowed while a navigation is planned")
        )
        #expect(fixture.tree == "nav[Main, S]")
        #expect(fixture.brokenRules == [])
    }

    // MARK: A refusal

    private static let staging = """
        local main
        router.start(function()
          main = router.screen("Main", { staged = "before", both = "before" })
          return router.nav { main }
        end)
        router.register("Page", "show", function()
          local state = router.state
          state.staged, state.both, state.added = "stage", "stage", "stage"
          main.staged, main.both, main.added = "stage", "stage", "stage"
          return router.screen "Page"
        end)
        local function read()
          return { main.staged, main.both, main.added or "nil", main.meanwhile or "nil" }
        end
        -- This read is cached for the next one.
        router.export("read", read)
        router.export("meanwhile", function()
          read()
          router.state.both, router.state.meanwhile = "meanwhile", "meanwhile"
          main.both, main.meanwhile = "meanwhile", "meanwhile"
        end)
        """

    @Test("if the host refuses a change, its fields are rolled back, and fields set later are kept")
    func refusal() throws {
        let fixture = try RouterFixture(Self.staging)
        let (router, host) = (fixture.router, fixture.host)
        try router.setState("staged", to: "before")
        try router.setState("both", to: "before")
        #expect(try fixture.call("read") == ["before", "before", "nil", "nil"])
        host.holds = true
        let navigation = fixture.navigate("Page", "show")
        #expect(try fixture.call("read") == ["stage", "stage", "stage", "nil"])
        try fixture.call("meanwhile")
        #expect(navigation.screen == nil)
        host.refuse()
        #expect(navigation.error?.code == .host)
        #expect(navigation.screen == nil)
        #expect(
            router.state == ["staged": "before", "both": "meanwhile", "meanwhile": "meanwhile"]
        )
        #expect(
            fixture.tree == #"nav[Main(both="meanwhile", meanwhile="meanwhile", staged="before")]"#
        )
        #expect(try fixture.call("read") == ["before", "meanwhile", "nil", "meanwhile"])
        // The host is notified of the fields that stay.
        host.answer()
        #expect(host.operations == [["push", "update"], ["update"]])
        #expect(fixture.brokenRules == [])
    }

    @Test("fields set while the host applies a change keep their values")
    func answer() throws {
        let fixture = try RouterFixture(Self.staging)
        fixture.host.holds = true
        let navigation = fixture.navigate("Page", "show")
        try fixture.call("meanwhile")
        #expect(navigation.screen == nil)
        fixture.host.answer()
        fixture.host.answer()
        let screen = try #require(navigation.screen)
        #expect(fixture.router.tree[screen].class == "Page")
        #expect(try fixture.call("read") == ["stage", "meanwhile", "stage", "meanwhile"])
        #expect(
            fixture.router.state
                == [
                    "staged": "stage", "both": "meanwhile", "added": "stage",
                    "meanwhile": "meanwhile",
                ]
        )
    }

    @Test("fields that scripts set while the host prepares a change are part of that change")
    func fieldsWhilePreparing() throws {
        let fixture = try RouterFixture(
            """
            local main
            router.start(function() main = router.screen "Main" return router.nav { main } end)
            router.register("Page", "show", function() return router.screen "Page" end)
            router.export("mark", function() main.marked = true end)
            """
        )
        fixture.host.onPrepare = { [unowned fixture] in try fixture.call("mark") }
        fixture.navigate("Page", "show")
        #expect(fixture.host.operations == [["push", "update"]])
        #expect(fixture.tree == "nav[Main(marked=true), Page]")
    }
}
