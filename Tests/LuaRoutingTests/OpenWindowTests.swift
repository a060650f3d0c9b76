// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// Tests of windows that verbs and reports of the host open and close.
@Suite(.failureReports)
struct OpenWindowTests {
    private static let script = """
        local second = { window = "second" }
        local function page() return router.screen "Page" end
        router.start(function() return router.nav { router.screen "Home" } end)
        router.register("Page", "show", { build = page })
        router.register("Login", "show", { build = function() return router.screen "Login" end })
        router.register("Slow", "show", {
          build = page,
          intercept = function() router.sleep(10) end,
        })
        router.register("Guarded", "show", {
          build = page,
          intercept = function()
            router.navigate("Login", "show", {}, { via = "presentWithNav" }):result()
          end,
        })
        router.register("Gated", "show", { build = page, ready = { "session" } })
        router.class("Draft", { dismissible = false })
        router.class("Asking", { leaving = function() return false, "not now" end })
        router.export("open", function(info)
          local n = router.openWindow(info.name or "second", router.nav { router.screen(info.class or "Page") })
          return { n.status, n.window }
        end)
        router.export("openSame", function()
          local n = router.openWindow("second", router.topmost())
          return n.status
        end)
        router.export("close", function(info)
          return router.closeWindow(info.name or "second", { force = info.force }).status
        end)
        router.export("windows", function() return router.windows() end)
        router.export("look", function()
          return {
            router.root("second").class, router.topmost("second").class,
            router.visible("second").class, router.root().class,
            tostring(router.root("third")),
          }
        end)
        router.export("dismiss", function() return router.dismiss(second).status end)
        router.export("dismissAll", function() return router.dismissAll(second).status end)
        router.export("back", function() return router.back(1, second).status end)
        router.export("popToRoot", function() return router.popToRoot(second).status end)
        """

    private func fixture() throws -> RouterFixture { try RouterFixture(Self.script) }

    /// A fixture in which the window `second` is open.
    private func opened() throws -> RouterFixture {
        let fixture = try fixture()
        try fixture.call("open")
        return fixture
    }

    private func second(_ fixture: RouterFixture) -> String {
        fixture.router.treeNotation(window: "second")
    }

    private func lastError(_ fixture: RouterFixture) -> String {
        let event = fixture.events.last { $0.kind == .failed || $0.kind == .cancelled }
        return "\(event?["code"].text ?? "none"): \(event?["message"].text ?? "")"
    }

    // MARK: Opening

    @Test("a new window is opened behind the other windows, with one operation")
    func open() throws {
        let fixture = try fixture()
        #expect(try fixture.call("open") == ["done", "second"])
        #expect(fixture.operations == ["openWindow"])
        #expect(second(fixture) == "nav[Page]")
        #expect(fixture.tree == "nav[Home]")
        #expect(try fixture.call("windows") == ["main", "second"])
        #expect(fixture.brokenRules == [])
        let shown = fixture.events.filter { $0.kind == .shown }
        #expect(shown.map { $0["window"] } == ["second"])
        #expect(shown.map { $0["screen"] } == ["Page"])
    }

    @Test("each window has its own root, topmost and visible screen")
    func look() throws {
        let fixture = try opened()
        let options = NavigationOptions(via: Action(word: "present"), window: "second")
        fixture.router.navigate(Target("Login", "show"), options: options)
        #expect(try fixture.call("look") == ["nav", "Login", "Login", "nav", "nil"])
    }

    @Test("a window cannot be opened if it is already open or its screen is already in the tree")
    func refusals() throws {
        let fixture = try opened()
        try fixture.call("open")
        #expect(
            lastError(fixture)
                == "composition: window 'second' is already open (another name expected)"
        )
        try fixture.call("close")
        try fixture.call("openSame")
        #expect(
            lastError(fixture)
                == "composition: screen 'nav' is already in the tree (a new or detached screen expected)"
        )
        #expect(fixture.router.tree.windows.map(\.name) == ["main"])
    }

    @Test("the first window is named 'main'")
    func first() throws {
        let fixture = try RouterFixture(Self.script, starts: false)
        #expect(try fixture.call("open") == ["failed", "second"])
        #expect(
            lastError(fixture)
                == "composition: window 'second' cannot be the first window ('main' expected)"
        )
        #expect(try fixture.call("open", ["name": "main"]) == ["done", "main"])
        #expect(fixture.tree == "nav[Page]")
    }

    @Test("an invalid window name is an error")
    func name() throws {
        let fixture = try fixture()
        let error = #expect(throws: RouteError.self) {
            try fixture.call("open", ["name": "two words"])
        }
        #expect(error?.code == .badInfo)
        #expect(fixture.router.tree.windows.count == 1)
    }

    @Test("a window that the host refuses to open is not in the tree")
    func hostRefuses() throws {
        let fixture = try fixture()
        fixture.host.refuses = true
        #expect(try fixture.call("open") == ["failed", "second"])
        #expect(lastError(fixture).hasPrefix("host: "))
        #expect(fixture.router.tree.windows.map(\.name) == ["main"])
        #expect(fixture.host.discarded.count == 2)
    }

    // MARK: Closing

    @Test("closing a window removes all its screens")
    func close() throws {
        let fixture = try opened()
        #expect(try fixture.call("close") == "done")
        #expect(fixture.operations == ["openWindow", "closeWindow"])
        #expect(
            fixture.events.filter { $0.kind == .removed }.map { $0["class"] } == ["Page", "nav"]
        )
        #expect(try fixture.call("windows") == ["main"])
        #expect(try fixture.call("open") == ["done", "second"])
    }

    @Test("the only window cannot be closed, but the first of two windows can")
    func last() throws {
        let fixture = try fixture()
        #expect(try fixture.call("close", ["name": "main", "force": true]) == "failed")
        #expect(
            lastError(fixture)
                == "composition: window 'main' is the last window and cannot be closed"
        )
        try fixture.call("open")
        #expect(try fixture.call("close", ["name": "main"]) == "done")
        #expect(try fixture.call("windows") == ["second"])
        let navigation = fixture.navigate("Page", "show")
        #expect(navigation.status.name == "done")
        #expect(second(fixture) == "nav[Page, Page]")
    }

    @Test("the error for a window that is not open lists the open windows")
    func unknown() throws {
        let fixture = try opened()
        #expect(try fixture.call("close", ["name": "secnod"]) == "failed")
        #expect(
            lastError(fixture)
                == "composition: there is no window 'secnod', did you mean 'second'?"
        )
    }

    @Test("a screen can prevent its window from closing, unless closing is forced")
    func asks() throws {
        let fixture = try fixture()
        for (name, code) in [("Draft", "notDismissible"), ("Asking", "stopped")] {
            try fixture.call("open", ["class": Value.string(ByteString(name))])
            #expect(try fixture.call("close") == "failed")
            #expect(lastError(fixture).hasPrefix(code))
            #expect(second(fixture) == "nav[\(name)]")
            #expect(try fixture.call("close", ["force": true]) == "done")
        }
    }

    // MARK: Pending navigations

    @Test(
        "closing a window cancels only the navigations that wait in that window",
        arguments: ["Slow", "Guarded", "Gated"],
        [true, false]
    )
    func cancels(_ service: String, _ isReport: Bool) throws {
        let fixture = try opened()
        let target = Target(service, "show")
        let here = fixture.router.navigate(target)
        let there = fixture.router.navigate(
            target,
            info: ["x": 1],
            options: NavigationOptions(window: "second", policy: .parallel)
        )
        #expect(here.isPending && there.isPending)
        if isReport {
            fixture.router.report(.closed(window: "second"))
        } else {
            #expect(try fixture.call("close") == "done")
        }
        #expect(here.isPending)
        #expect(there.status.name == "cancelled")
        #expect(there.error?.message == "window 'second' was closed")
        #expect(there.completions == 1)
        #expect(fixture.brokenRules == [])
    }

    @Test(
        "results of the screens in a window that closes have the outcome 'left'",
        arguments: [true, false]
    )
    func results(_ isReport: Bool) throws {
        let fixture = try RouterFixture(
            """
            router.start(function() return router.screen "Home" end)
            router.registerTask("T", "wait", function(info, done)
              local n = router.openWindow("second", router.screen "Page")
              local ok, why = n:result()
              done(ok, why)
            end)
            """
        )
        let task = fixture.doTask("T", "wait")
        #expect(fixture.router.tree.windows.count == 2)
        if isReport {
            fixture.router.report(.closed(window: "second"))
        } else {
            fixture.router.closeWindow("second")
        }
        guard case .done(finished: false, info: "left") = task.status else {
            Issue.record("\(task.status)")
            return
        }
    }

    @Test("a screen that an interceptor shows appears in the window of its navigation")
    func interceptor() throws {
        let fixture = try opened()
        let options = NavigationOptions(window: "second")
        let navigation = fixture.router.navigate(Target("Guarded", "show"), options: options)
        #expect(second(fixture) == "nav[Page] ^ nav[Login]")
        #expect(fixture.tree == "nav[Home]")
        #expect(try fixture.call("dismiss") == "done")
        #expect(navigation.status.name == "done")
        #expect(second(fixture) == "nav[Page, Page]")
    }

    // MARK: Leaving in a window

    @Test(
        "leaving verbs act in the given window",
        arguments: [
            ("dismiss", "nav[Page, A, B] ^ C"), ("dismissAll", "nav[Page, A, B]"),
            ("back", "nav[Page, A, B] ^ C"), ("popToRoot", "nav[Page, A, B] ^ C ^ nav[D]"),
        ]
    )
    func leaving(_ verb: String, _ result: String) throws {
        let fixture = try opened()
        let tree =
            verb == "popToRoot" ? "nav[Page, A, B] ^ C ^ nav[D, E]" : "nav[Page, A, B] ^ C ^ D"
        try fixture.router.setTree(TreeNotation(tree), window: "second")
        #expect(try fixture.call(verb) == "done")
        #expect(second(fixture) == result)
        #expect(fixture.tree == "nav[Home]")
    }

    @Test("naming a window that is not open fails the navigation")
    func elsewhere() throws {
        let fixture = try fixture()
        let options = NavigationOptions(window: "second")
        let navigation = fixture.router.navigate(Target("Page", "show"), options: options)
        #expect(navigation.error?.code == .composition)
        #expect(navigation.error?.message == "there is no window 'second'")
    }

    // MARK: Reports

    @Test("a host can report that a window was opened or closed")
    func reports() throws {
        let fixture = try fixture()
        fixture.router.report(.opened(window: "second", try TreeNotation("nav[A, B(x=1)] ^ C")))
        #expect(second(fixture) == "nav[A, B(x=1)] ^ C")
        #expect(fixture.operations == [])
        #expect(fixture.events.filter { $0.kind == .created }.count == 4)
        #expect(fixture.events.last { $0.kind == .shown }?["cause"] == "report")
        fixture.router.report(.closed(window: "second"))
        #expect(fixture.router.tree.windows.map(\.name) == ["main"])
        #expect(fixture.operations == [])
        #expect(fixture.log == [])
    }

    @Test("invalid reports from the host are ignored with a warning")
    func badReports() throws {
        let fixture = try fixture()
        let tree = try TreeNotation("nav[A]")
        fixture.router.report(.closed(window: "secnod"))
        fixture.router.report(.opened(window: "main", tree))
        fixture.router.report(.opened(window: "two words", tree))
        fixture.router.report(.opened(window: "second", try TreeNotation("Page[A]")))
        #expect(fixture.router.tree.windows.map(\.name) == ["main"])
        #expect(fixture.tree == "nav[Home]")
        #expect(fixture.log.count == 4)
        #expect(fixture.log.allSatisfy { $0.hasPrefix("warn a report by the host is ignored: ") })
        #expect(fixture.brokenRules == [])
    }

    @Test("after the user has closed the last window, navigations wait for the next window")
    func noWindow() throws {
        let fixture = try fixture()
        fixture.router.report(.closed(window: "main"))
        #expect(fixture.router.tree.windows.isEmpty)
        let navigation = fixture.navigate("Page", "show")
        guard case .pending("started") = navigation.status else {
            Issue.record("\(navigation.status)")
            return
        }
        fixture.router.report(.opened(window: "main", try TreeNotation("nav[Again]")))
        #expect(navigation.status.name == "done")
        #expect(fixture.tree == "nav[Again, Page]")
    }
}
