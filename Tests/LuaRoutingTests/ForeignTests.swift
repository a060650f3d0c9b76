// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// What the host shows without the router.
@Suite(.failureReports)
struct ForeignTests {
    private func fixture() throws -> RouterFixture {
        let fixture = try RouterFixture(
            """
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
            router.export("make", function(info) return router.screen(info.class) end)
            """
        )
        return fixture
    }

    private func present(_ name: String, _ fixture: RouterFixture) throws {
        let root = try #require(fixture.router.tree.windows.first?.root)
        fixture.router.report(.presented(foreign: name, over: root))
    }

    @Test("it covers like any other modal, and ends by a report")
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

    @Test("a navigation that goes beneath it dismisses it")
    func dismissal() throws {
        let fixture = try fixture()
        try present("Alert", fixture)
        #expect(fixture.navigate("Home", "show").status.name == "done")
        #expect(fixture.tree == "nav[Home]")
        #expect(fixture.operations == ["dismiss"])
    }

    @Test("finders see it by its class alone")
    func finders() throws {
        let fixture = try fixture()
        try present("Alert", fixture)
        #expect(try fixture.call("find") == [true, false, false, false, true])
    }

    @Test("scripts do not make it", arguments: ["Camera", "foreign"])
    func making(_ name: String) throws {
        let fixture = try fixture()
        let error = #expect(throws: RouteError.self) {
            try fixture.call("make", ["class": Value.string(ByteString(name))])
        }
        #expect(error?.message.contains("class '\(name)' is foreign") == true)
    }

    @Test("a report of what is no foreign class is ignored with a warning")
    func badReports() throws {
        let fixture = try fixture()
        try present("nav", fixture)
        try present("two words", fixture)
        #expect(fixture.tree == "nav[Home]")
        #expect(
            fixture.log.first
                == "warn a report of the host is ignored: class 'nav' is a nav (foreign expected)"
        )
        #expect(fixture.log.count == 2)
    }
}
