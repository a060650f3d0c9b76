// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// Tests of the window in which a navigation searches, and of the window that the navigation
/// reports.
@Suite(.failureReports)
struct WindowTests {
    private func fixture() throws -> RouterFixture {
        let fixture = try RouterFixture(
            """
            local second = { window = "second" }
            router.export("popTo", function() return router.popTo("X", second).status end)
            router.export("popToFunction", function()
              return router.popTo(function(screen) return screen.class == "X" end, second).status
            end)
            router.export("popToNowhere", function() return router.popTo("Only", second).status end)
            router.export("close", function() return router.close(router.find "Y").window end)
            router.export("select", function() return router.select(router.find "T").window end)
            router.export("closeMain", function() return router.close(router.find "B").window end)
            router.register("Page", "show", function() return router.screen "Page" end)
            router.register("Old", "show", {
              build = function() return router.screen "Old" end,
              intercept = function() router.redirect("Page", "show") end,
            })
            router.register("Closing", "show", {
              build = function() return router.screen "Closing" end,
              closed = function(_, _, nav) print("closed in", nav.window) end,
            })
            """,
            starts: false
        )
        try fixture.router.setTree(TreeNotation("nav[X, Only, X, B]"))
        try fixture.router.setTree(TreeNotation("nav[X, Z, Y]"), window: "second")
        return fixture
    }

    private func second(_ fixture: RouterFixture) -> String {
        fixture.router.treeNotation(window: "second")
    }

    @Test(
        "a screen in the window of the navigation is reused",
        arguments: ["popTo", "popToFunction"]
    )
    func popTo(_ verb: String) throws {
        let fixture = try fixture()
        #expect(try fixture.call(verb) == "done")
        #expect(fixture.tree == "nav[X, Only, X, B]")
        #expect(second(fixture) == "nav[X]")
    }

    @Test("a screen in another window is not reused")
    func popToElsewhere() throws {
        let fixture = try fixture()
        #expect(try fixture.call("popToNowhere") == "failed")
        #expect(fixture.events.last { $0.kind == .failed }?["code"] == "notFound")
        #expect(fixture.tree == "nav[X, Only, X, B]")
        #expect(second(fixture) == "nav[X, Z, Y]")
    }

    @Test("closing a screen does not change other windows")
    func close() throws {
        let fixture = try fixture()
        try fixture.call("close")
        #expect(fixture.tree == "nav[X, Only, X, B]")
        #expect(second(fixture) == "nav[X, Z]")
    }

    @Test(
        "closing a screen acts in the window of that screen"
    )
    func windowOfClosing() throws {
        let fixture = try fixture()
        #expect(try fixture.call("close") == "second")
        #expect(second(fixture) == "nav[X, Z]")
        #expect(try fixture.call("closeMain") == "main")
        #expect(fixture.tree == "nav[X, Only, X]")
    }

    @Test("selecting a tab acts in the window of that tab")
    func select() throws {
        let fixture = try fixture()
        try fixture.router.setTree(TreeNotation("tabs[*S, T]"), window: "second")
        #expect(try fixture.call("select") == "second")
        #expect(second(fixture) == "tabs[S, *T]")
    }

    @Test(
        "'closed' receives the name of the window that contained the screen"
    )
    func closed() throws {
        let fixture = try fixture()
        let options = NavigationOptions(window: "second")
        let target = Target("Closing", "show")
        let screen = try #require(fixture.router.navigate(target, options: options).screen)
        fixture.router.close(screen)
        #expect(fixture.log == ["info closed in\tsecond"])
    }

    @Test("a redirect stays in the window that 'from' names")
    func redirect() throws {
        let fixture = try fixture()
        let place = try #require(fixture.router.tree.windows.last?.root)
        let options = NavigationOptions(from: place)
        let navigation = fixture.router.navigate(Target("Old", "show"), options: options)
        #expect(navigation.status.name == "done")
        #expect(fixture.tree == "nav[X, Only, X, B]")
        #expect(second(fixture) == "nav[X, Z, Y, Page]")
    }
}
