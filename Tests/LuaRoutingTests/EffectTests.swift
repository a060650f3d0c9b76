// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// Tests of functions of scripts that may run several times, and must not have effects.
@Suite(.failureReports)
struct EffectTests {
    /// An effect that these functions must not have.
    enum Effect: String, CaseIterable, Sendable {
        case state = "router.state.user = 'ann'"
        case listener = "router.on('done', function() print 'heard' end)"
        case export = "router.export('other', function() end)"
        case options = "router.options { timeout = 1 }"
        case field = "router.root().title = 'new'"
        case navigation = "router.navigate('Home', 'show')"
        case task = "router.doTask('Work', 'do')"
        case leaving = "router.back()"
        case opening = "router.openWindow('second', router.screen 'Page')"
        case closing = "router.closeWindow('main')"
        case restoring = "router.restore(router.snapshot())"
    }

    /// The functions, each of which calls `effect`.
    static let places: [String: String] = [
        "find": "find = function() effect() end, build = page",
        "match": "find = { class = 'Home', match = function() effect() end }, build = page",
        "start": "find = { class = 'Home', start = function() effect() end }, build = page",
        "reuse": "reuse = function() effect() end, build = page",
        "when":
            "build = page, from = router.switch { { when = function() effect() end, from = 'root' } }",
        "case": "build = page, from = router.switch { { from = function() effect() end } }",
        "adapt":
            "build = page, adapt = function(i) effect() return i end, from = { 'Home', 'show' }",
        "prepare": "build = page, prepare = function() effect() end",
        "info": "build = page, info = { id = function(id) effect() return id end }",
        "found again on the stage": """
        find = function(screen) if screen.class == 'New' then effect() return true end end,
        from = router.link { build = function() return router.screen 'New' end, via = 'push' }
        """,
        "the start of 'present'": """
        build = page,
        via = router.present { start = function(screen) effect() return screen end },
        """,
    ]

    @Test(
        "functions that are called during planning or a search cannot have side effects",
        arguments: places.keys.sorted(),
        Effect.allCases
    )
    func refused(_ place: String, _ effect: Effect) throws {
        let fixture = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Home", router.screen "List" } end)
            local function page() return router.screen "Page" end
            local function effect() \(effect.rawValue) end
            router.register("Home", "show", function() return router.screen "Home" end)
            router.registerTask("Work", "do", function() return true end)
            router.register("Test", "go", { \(Self.places[place] ?? "") })
            """
        )
        let navigation = fixture.navigate("Test", "go", ["id": 1])
        #expect(navigation.error?.code == .script)
        #expect(
            navigation.error?.message.contains("is not allowed while a navigation is planned")
                == true,
            "\(navigation.error?.message ?? "\(navigation.status)")"
        )
        #expect(fixture.tree == "nav[Home, List]")
        #expect(fixture.router.state == [:])
        #expect(fixture.operations == [])
        #expect(fixture.log == [])
        #expect(fixture.brokenRules == [])
    }
    @Test("a change to the script state that is rolled back does not invalidate another plan")
    func rolledBackState() throws {
        let fixture = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Home" } end)
            router.register("Broken", "show", {
              build = function() router.state.visits = 1 error "no" end,
            })
            router.interceptor("probe", function() router.navigate("Broken", "show") end)
            router.register("Page", "show", {
              intercept = { "probe" },
              build = function() return router.screen "Page" end,
            })
            """
        )
        let navigation = fixture.navigate("Page", "show")
        #expect(navigation.error == nil)
        #expect(fixture.router.state == [:])
        let events = fixture.events.filter { $0.navigation == navigation.id }.map(\.kind)
        #expect(events.filter { $0 == .plan }.count == 1)
        let child = fixture.events.filter { $0.parent == navigation.id }.map(\.kind)
        #expect(child.contains(.failed))
    }
}
