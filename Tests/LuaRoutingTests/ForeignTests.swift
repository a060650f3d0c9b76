// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// Tests of foreign screens, which the host shows without the router.
@Suite(.failureReports)
struct ForeignTests {
    private func fixture(_ options: String = "") throws -> RouterFixture {
        let fixture = try RouterFixture(
            options + """

                router.class("Camera", { kind = "foreign" })
                router.start(function() return router.nav { router.screen "Home" } end)
                router.register("Page", "show", { build = function() return router.screen "Page" end })
                router.register("Home", "show", { find = "Home" })
                router.export("find", function()
                  local function any(screen) return screen.class == "Alert" end
                  return {
                    router.find("Alert") ~= nil, router.find(any) ~= nil,
                    router.find{ kind = "foreign" } ~= nil, router.find{ match = any } ~= nil,
                    router.find{ class = "Alert", match = any } ~= nil,
                  }
                end)
                router.class("Sheet", { kind = "foreign", foreign = "dismiss" })
                router.register("Modal", "show", { build = router.screen "Modal", via = "present" })
                router.register("Current", "show", {
                  build = router.screen "Page", via = "push", from = "current",
                })
                router.register("Root", "show", {
                  find = { class = "Root" }, build = function() return router.nav { router.screen "Root" } end,
                  via = "replaceRoot",
                })
                router.export("make", function(info) return router.screen(info.class) end)
                """
        )
        return fixture
    }

    private func present(_ name: String, _ fixture: RouterFixture) throws {
        let root = try #require(fixture.router.tree.windows.first?.root)
        fixture.router.report(.presented(foreign: name, over: root))
    }

    @Test(
        "a foreign screen covers other screens as a modal does, until the host reports its removal"
    )
    func report() throws {
        let fixture = try fixture()
        try present("Alert", fixture)
        #expect(fixture.tree == "nav[Home] ^ Alert:foreign")
        #expect(fixture.events.last { $0.kind == .shown }?["screen"] == "Alert:foreign")
        try present("Camera", fixture)
        #expect(fixture.tree == "nav[Home] ^ Alert:foreign ^ Camera")
        let root = try #require(fixture.router.tree.windows.first?.root)
        fixture.router.report(.dismissed(presenter: root))
        #expect(fixture.tree == "nav[Home]")
        #expect(fixture.operations == [])
        #expect(fixture.log == [])
        #expect(fixture.brokenRules == [])
    }

    @Test("a screen that the app pushed keeps its position while routes are shown above it")
    func pushed() throws {
        let fixture = try fixture()
        let root = try #require(fixture.router.tree.windows.first?.root)
        fixture.router.report(.pushed(foreign: "Old", fields: ["id": 7], onto: root))
        #expect(fixture.tree == "nav[Home, Old:foreign(id=7)]")
        #expect(fixture.navigate("Page", "show").status.name == "done")
        #expect(fixture.navigate("Modal", "show").status.name == "done")
        #expect(fixture.tree == "nav[Home, Old:foreign(id=7), Page] ^ Modal")
        fixture.router.dismiss()
        fixture.router.back()
        #expect(fixture.tree == "nav[Home, Old:foreign(id=7)]")
        fixture.router.back()
        #expect(fixture.tree == "nav[Home]")
        #expect(fixture.log == [])
        #expect(fixture.brokenRules == [])
    }

    @Test(
        "a foreign screen cannot be pushed onto a leaf, and cannot have the name of another class"
    )
    func pushedWrongly() throws {
        let fixture = try fixture()
        let root = try #require(fixture.router.tree.windows.first?.root)
        let home = fixture.router.tree[root].children[0]
        fixture.router.report(
            .pushed(foreign: "Old", onto: home),
            .pushed(foreign: "nav", onto: root)
        )
        #expect(fixture.tree == "nav[Home]")
        #expect(fixture.log.count == 2)
        #expect(fixture.brokenRules == [])
    }

    // MARK: In the way of a navigation

    @Test("a navigation that starts in a foreign screen continues above that screen")
    func begunThere() throws {
        let fixture = try fixture()
        try present("Alert", fixture)
        let root = try #require(fixture.router.tree.windows.first?.root)
        var options = NavigationOptions()
        options.from = fixture.router.tree[root].modal
        let modal = fixture.router.navigate(Target("Modal", "show"), options: options)
        #expect(modal.status.name == "done")
        #expect(fixture.tree == "nav[Home] ^ Alert:foreign ^ Modal")
        options.from = fixture.router.tree[try #require(options.from)].modal
        let second = fixture.router.navigate(Target("Modal", "show"), options: options)
        #expect(second.status.name == "done")
        #expect(fixture.brokenRules == [])
    }

    @Test("after three seconds, the log names the foreign screen for which navigations are waiting")
    func warning() throws {
        let fixture = try fixture()
        try present("Alert", fixture)
        let page = fixture.navigate("Page", "show")
        fixture.navigate("Home", "show")
        fixture.router.advance(to: fixture.router.now + 2.9)
        #expect(fixture.log == [])
        fixture.router.advance(to: fixture.router.now + 0.1)
        #expect(
            fixture.log == [
                "warn the navigation to 'Page/show' and 1 more are waiting for the removal of 'Alert', which the host shows without the router (to navigate without waiting, pass a screen in 'Alert' as 'from', or set 'foreign' in 'router.options' or 'router.class')"
            ]
        )
        #expect(page.isPending)
    }

    @Test(
        "a navigation waits until the foreign screen is gone, and does not block other navigations"
    )
    func waiting() throws {
        let fixture = try fixture()
        try present("Alert", fixture)
        let page = fixture.navigate("Page", "show")
        let home = fixture.navigate("Home", "show")
        #expect(page.isPending && home.isPending)
        #expect(fixture.events.last { $0.kind == .gate }?["name"] == "foreign")
        #expect(fixture.tree == "nav[Home] ^ Alert:foreign")
        // A second report that leaves the first one there changes nothing for them.
        try present("Camera", fixture)
        #expect(page.isPending && home.isPending)
        let root = try #require(fixture.router.tree.windows.first?.root)
        fixture.router.report(.dismissed(presenter: root))
        #expect(page.status.name == "done" && home.status.name == "done")
        #expect(fixture.tree == "nav[Home]")
        #expect(fixture.operations == ["push", "pop"])
        #expect(fixture.brokenRules == [])
    }

    @Test("a navigation that waits for a foreign screen fails at the navigation's timeout")
    func timeout() throws {
        let fixture = try fixture()
        try present("Alert", fixture)
        let target = Target("Page", "show")
        let page = fixture.router.navigate(target, options: NavigationOptions(timeout: 2))
        fixture.router.advance(to: fixture.router.now + 3)
        #expect(page.error?.code == .timeout)
        #expect(fixture.tree == "nav[Home] ^ Alert:foreign")
    }

    @Test("a navigation also waits for a foreign screen that appears while its interceptor waits")
    func whileWaiting() throws {
        let fixture = try fixture(
            """
            router.register("Asked", "show", {
              build = router.screen "Page", intercept = function() router.sleep(1) end,
            })
            """
        )
        let page = fixture.navigate("Asked", "show")
        try present("Alert", fixture)
        fixture.router.advance(to: fixture.router.now + 2)
        #expect(page.isPending)
        fixture.router.dismiss()
        #expect(page.status.name == "done")
        #expect(fixture.tree == "nav[Home, Page]")
    }

    @Test(
        "the policy of a foreign screen's class overrides the policy of the router",
        arguments: [
            ("cover", "Alert", "Page", "nav[Home, Page] ^ Alert:foreign"),
            ("cover", "Alert", "Current", "nav[Home, Page] ^ Alert:foreign"),
            ("cover", "Alert", "Modal", "nav[Home] ^ Alert:foreign ^ Modal"),
            ("cover", "Alert", "Home", "nav[Home] ^ Alert:foreign"),
            ("cover", "Alert", "Root", "nav[Root]"),
            ("cover", "Sheet", "Page", "nav[Home, Page]"),
            ("dismiss", "Alert", "Page", "nav[Home, Page]"),
            ("dismiss", "Alert", "Current", "nav[Home, Page]"),
            ("dismiss", "Alert", "Modal", "nav[Home] ^ Modal"),
            ("dismiss", "Alert", "Home", "nav[Home]"),
            ("wait", "Sheet", "Modal", "nav[Home] ^ Modal"),
        ]
    )
    func policies(_ policy: String, _ name: String, _ service: String, _ tree: String) throws {
        let fixture = try fixture("router.options { foreign = '\(policy)' }")
        try present(name, fixture)
        let navigation = fixture.navigate(service, "show")
        #expect(navigation.status.name == "done", "\(navigation.status)")
        #expect(fixture.tree == tree)
        #expect(fixture.brokenRules == [])
    }

    @Test("only foreign classes can have a policy")
    func policyOfOthers() {
        let error = #expect(throws: RouteError.self) {
            try RouterFixture("router.class('Page', { foreign = 'wait' })")
        }
        #expect(
            error?.message
                == "class 'Page' has the field 'foreign' but is not foreign (kind = 'foreign' expected)"
        )
    }

    @Test("scripts cannot use the internal gate at which navigations wait for a foreign screen")
    func gate() {
        let error = #expect(throws: RouteError.self) {
            try RouterFixture("router.register('A', 'b', { build = print, ready = 'foreign' })")
        }
        #expect(
            error?.message
                == "the gate 'foreign' is reserved: only the end of a foreign screen opens it (another gate expected)"
        )
    }

    @Test("a host report returns the created screens, or the reason why the report was ignored")
    func results() throws {
        let fixture = try fixture()
        let root = try #require(fixture.router.tree.windows.first?.root)
        var results: [Result<[ScreenID], RouteError>] = []
        fixture.router.report(
            .presented(foreign: "Alert", over: root),
            .opened(window: "second", try TreeNotation("nav[A, B]")),
            .opened(window: "main", try TreeNotation("A"))
        ) { results = $0 }
        try #require(results.count == 3)
        let classes = { (ids: [ScreenID]) in ids.map { fixture.router.tree[$0].class } }
        #expect(classes(try results[0].get()) == ["Alert"])
        #expect(classes(try results[1].get()) == ["nav", "A", "B"])
        #expect(throws: RouteError.self) { try results[2].get() }
        #expect(
            fixture.log == [
                "warn a report by the host is ignored: window 'main' is already open (another name expected)"
            ]
        )
        #expect(fixture.host.prepared == [["nav", "A", "B"]])
    }

    @Test("the host prepares the screens of a tree that is set")
    func setTree() throws {
        let fixture = try fixture()
        let screens = try fixture.router.setTree(TreeNotation("nav[A] ^ Alert:foreign"))
        #expect(screens.map { fixture.router.tree[$0].class } == ["nav", "A", "Alert"])
        #expect(fixture.host.prepared == [["nav", "A"]])
        fixture.host.onPrepare = { throw TestHost.Refusal() }
        try fixture.router.setTree(TreeNotation("nav[B]"))
        #expect(fixture.tree == "nav[B]")
        #expect(fixture.log == ["error the host refused: Refusal()"])
    }

    @Test("a leaving verb dismisses a foreign screen")
    func dismissal() throws {
        let fixture = try fixture()
        try present("Alert", fixture)
        #expect(fixture.router.back().status.name == "done")
        #expect(fixture.tree == "nav[Home]")
        #expect(fixture.operations == ["dismiss"])
    }

    @Test("a finder matches a foreign screen only by its class")
    func finders() throws {
        let fixture = try fixture()
        try present("Alert", fixture)
        #expect(try fixture.call("find") == [true, false, false, false, true])
    }

    @Test("scripts cannot create a foreign screen", arguments: ["Camera", "foreign"])
    func making(_ name: String) throws {
        let fixture = try fixture()
        let error = #expect(throws: RouteError.self) {
            try fixture.call("make", ["class": Value.string(ByteString(name))])
        }
        #expect(error?.message.contains("class '\(name)' is foreign") == true)
    }

    @Test("a host report with a class that is not foreign is ignored with a warning")
    func badReports() throws {
        let fixture = try fixture()
        try present("nav", fixture)
        try present("two words", fixture)
        #expect(fixture.tree == "nav[Home]")
        #expect(
            fixture.log.first
                == "warn a report by the host is ignored: class 'nav' is a nav (foreign expected)"
        )
        #expect(fixture.log.count == 2)
    }
}
