// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// Tests of back actions by the user in a window in which no screen can be left.
@Suite(.failureReports)
struct BackNavigationTests {
    private func fixture(_ body: String) throws -> RouterFixture {
        try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Home" } end)
            router.register("Page", "show", function() return router.screen "Page" end)
            router.onBack(function(window) \(body) end)
            """
        )
    }

    @Test(
        "the back event counts as handled only if the 'onBack' function returns 'true'",
        arguments: [
            ("return true", true), ("return false", false), ("return 1", false), ("", false),
        ]
    )
    func answers(body: String, isHandled: Bool) throws {
        #expect(try fixture(body).router.handleBack() == isHandled)
    }

    @Test("the 'onBack' function receives the name of the window, and may navigate")
    func navigates() throws {
        let fixture = try fixture(
            "router.state.window = window router.navigate('Page', 'show') return true"
        )
        #expect(fixture.router.handleBack())
        #expect(fixture.router.state["window"] == "main")
        #expect(fixture.tree == "nav[Home, Page]")
    }

    @Test(
        "the 'onBack' function is not called if going back is possible or the window does not exist",
        arguments: ["nav[Home, Page]", "nav[Home] ^ Page", "tabs[*nav[Home, Page]]"]
    )
    func somethingToLeave(tree: String) throws {
        let fixture = try fixture("router.state.asked = true return true")
        try fixture.router.setTree(TreeNotation(tree))
        #expect(!fixture.router.handleBack())
        #expect(!fixture.router.handleBack(window: "other"))
        #expect(fixture.router.state["asked"] == .nil)
    }

    @Test(
        "if the 'onBack' function raises an error or waits, the back event is not handled",
        arguments: [("error('no')", "no"), ("router.sleep(1)", "cannot wait here")]
    )
    func fails(body: String, text: String) throws {
        let fixture = try fixture(body)
        #expect(!fixture.router.handleBack())
        #expect(fixture.log.contains { $0.contains(text) })
    }

    @Test("registering a second 'onBack' function is an error with both locations")
    func twice() throws {
        let error = #expect(throws: RouteError.self) {
            try RouterFixture("router.onBack(print)\nrouter.onBack(print)")
        }
        #expect(error?.message.contains("main.lua:1") == true)
    }
}
