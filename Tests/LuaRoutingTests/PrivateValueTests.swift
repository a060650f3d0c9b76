// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// Tests of fields and parameters that scripts declare private.
@Suite(.failureReports)
struct PrivateValueTests {
    private static let secret = "hunter2"
    private static let script = """
        router.expects { tasks = { "Session/open" } }
        router.class("Login", { fields = { "user", "password" }, private = "password" })
        router.start(function() return router.nav { router.screen "Home" } end)
        router.register("Login", "show", {
          info = { user = "string", password = "string" },
          url = "/login/:user?password=:password",
          build = router.screen "Login",
        })
        router.register("Token", "show", {
          info = { token = "string?", kind = { "a", "b" } }, private = { "token" },
          build = router.screen "Page",
        })
        router.routing("/reset/:token")
        router.export("text", function() return tostring(router.visible()) end)
        router.export("read", function() return router.visible().password end)
        router.export("explain", function()
          return router.explain("Login", "show", { user = "ann", password = "hunter2" })
        end)
        """

    @Test("an error about a value outside the allowed alternatives never contains a private value")
    func mismatches() throws {
        let fixture = try RouterFixture(
            """
            router.class("Page", { fields = { pin = { 1, 2 }, at = { pin = { 1 } } }, private = "pin" })
            router.start(function() return router.nav { router.screen "Home" } end)
            router.register("Page", "show", {
              info = { pin = { 1, 2, optional = true }, other = { "a", optional = true } },
              result = { pin = { 1, optional = true } },
              build = function() return router.screen "Page" end,
            })
            router.registerTask("Page", "do", function(info) return { pin = 77665 } end, {
              info = { pin = { 1, optional = true } }, result = { pin = { 1 } },
            })
            router.export("set", function() router.visible().pin = 77665 end)
            router.export("make", function() router.screen("Page", { at = { pin = 77665 } }) end)
            router.export("close", function() router.close(router.visible(), { pin = 77665 }) end)
            """
        )
        let infos: [InfoTable] = [["pin": 77665], ["other": ["pin": 77665]]]
        for info in infos {
            let error = try #require(fixture.navigate("Page", "show", info).error)
            #expect(error.message.contains("•••"), "\(error)")
            #expect(!error.message.contains("77665"), "\(error)")
        }
        fixture.navigate("Page", "show")
        fixture.doTask("Page", "do", ["pin": 77665])
        fixture.doTask("Page", "do", [:])
        for name in ["set", "make"] {
            let error = #expect(throws: RouteError.self) { try fixture.call(name) }
            #expect(error?.message.contains(#"got "•••""#) == true, "\(String(describing: error))")
        }
        try fixture.call("close")
        for event in fixture.events { #expect(!event.json.contains("77665"), "\(event.json)") }
    }

    @Test("no event, text, explanation or snapshot contains a private value")
    func hidden() throws {
        let fixture = try RouterFixture(Self.script)
        let router = fixture.router
        fixture.navigate("Login", "show", ["user": "ann", "password": Value(Self.secret)])
        let text = #"nav[Home, Login(user="ann", password="•••")]"#
        #expect(fixture.tree == text)
        #expect(try fixture.call("text") == #"Login(user="ann", password="•••")"#)
        #expect(try fixture.call("read") == Value(Self.secret))
        fixture.doTask(
            "Session",
            "open",
            ["nested": ["password": Value(Self.secret), "user": "ann"]]
        )
        router.open("/login/bob?password=\(Self.secret)")
        router.dispatch("/reset/\(Self.secret)")
        router.cancelLinks()
        router.close(
            try #require(router.tree.windows.first.map { router.tree.visibleLeaf(of: $0) })
        )
        for event in fixture.events {
            #expect(!event.json.contains(Self.secret), "\(event.json)")
        }
        #expect(
            fixture.events.contains {
                $0.json.contains(#""url":"/login/:user?password=:password""#)
            }
        )
        #expect(!"\(try fixture.call("explain"))".contains(Self.secret))
        fixture.navigate("Token", "show", ["token": Value(Self.secret), "kind": "a"])
        #expect(!router.snapshot().json.contains(Self.secret))
        #expect(fixture.brokenRules == [])
    }

    @Test("a snapshot includes private values only on request; hidden values cannot be restored")
    func snapshots() throws {
        let fixture = try RouterFixture(Self.script)
        let router = fixture.router
        fixture.navigate("Login", "show", ["user": "ann", "password": Value(Self.secret)])
        let (whole, hidden) = (router.snapshot(includingPrivate: true), router.snapshot())
        #expect(whole.json.contains(Self.secret) && !hidden.json.contains(Self.secret))
        router.restore(hidden)
        #expect(fixture.tree == #"nav[Home, Login(user="ann")]"#)
        #expect(try fixture.call("read") == .nil)
        router.restore(whole)
        #expect(try fixture.call("read") == Value(Self.secret))
    }
}
