// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// Tests of screens that the host makes.
@Suite(.failureReports)
struct DetachedScreenTests {
    private let fixture: RouterFixture
    private var router: Router { fixture.router }

    init() throws {
        fixture = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Main" } end)
            router.class("deck", { kind = "container", shows = "selected" })
            router.register("Show", "it", { info = { screen = "screen" },
              build = function(info) return info.screen end,
            })
            router.register("Page", "show", { url = "/pages/:id(int)",
              build = function(info) return router.screen("Page", { id = info.id }) end,
            })
            """
        )
    }

    @Test("the host can build and show a tree of detached screens of each kind")
    func kinds() throws {
        let nav = try router.nav([router.screen("Inbox"), router.screen("Mail", ["id": 7])])
        let split = try router.split([router.screen("List"), router.screen("Detail")])
        let deck = try router.container(
            "deck",
            [router.screen("A"), router.screen("B")],
            selected: 2
        )
        let tabs = try router.tabs([nav, split, deck], selected: 3)
        router.openWindow("second", tabs)
        #expect(
            router.treeNotation(window: "second")
                == "tabs[nav[Inbox, Mail(id=7)], split[List, Detail], *deck[A, *B]]"
        )
        #expect(fixture.brokenRules == [])
    }

    @Test(
        "a detached screen of the host exists until the host releases it, or until it is removed after being shown"
    )
    func lifetime() throws {
        let (shown, released) = (try router.screen("Shown"), try router.screen("Released"))
        fixture.navigate("Page", "show", ["id": 1])
        router.collectGarbage()
        #expect(router.tree.screen(shown) != nil)
        let refused = router.openWindow("main", shown)
        #expect(refused.error?.code == .composition)
        #expect(router.tree.screen(shown) != nil)
        fixture.navigate("Show", "it", ["screen": .screen(shown)])
        #expect(fixture.tree == "nav[Main, Page(id=1), Shown]")
        router.back()
        router.release(released)
        router.collectGarbage()
        #expect(router.tree.screen(released) == nil)
        router.popToRoot()
        router.collectGarbage()
        #expect(router.openWindow("second", shown).error?.code == .composition)
    }

    @Test("creating an invalid screen is an error with a code")
    func errors() throws {
        #expect(code { try router.tabs([router.screen("A")], selected: 2) } == .composition)
        #expect(code { try router.container("Page", []) } != nil)
        #expect(code { try router.nav([router.tree.windows[0].root]) } == .composition)
        #expect(code { try router.screen("A", [1: 2]) } == .badInfo)
    }

    @Test("the host can print the URL of a route")
    func url() throws {
        #expect(try router.url(of: Target("Page", "show"), info: ["id": 7]) == "/pages/7")
        #expect(code { try router.url(of: Target("Pag", "show")) } == .notFound)
    }

    private func code(_ body: () throws -> Any) -> RouteError.Code? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? RouteError)?.code
        }
    }
}
