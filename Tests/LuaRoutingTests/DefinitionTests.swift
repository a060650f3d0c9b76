// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// The keys of a route definition.
@Suite(.failureReports)
struct DefinitionTests {
    /// Returns a router that shows a stack of `Main, Show(id=1), Player(track=7), Show(id=2)`, with
    /// a policy for shows.
    private func fixture(_ definition: String) throws -> RouterFixture {
        let fixture = try RouterFixture(
            """
            router.class("Show", { fields = { "id", "title" } })
            router.start(function()
              local screen = router.screen
              return router.nav {
                screen "Main", screen("Show", { id = 1 }), screen("Player", { track = 7 }),
                screen("Show", { id = 2 }),
              }
            end)
            router.register("Show", "open", {
              info = { id = "integer", title = "string?" },
              build = function() return router.screen "Show" end,
              \(definition)
            })
            """
        )
        return fixture
    }

    @Test("'never' always builds a new screen")
    func never() throws {
        let fixture = try fixture("reuse = 'never'")
        fixture.navigate("Show", "open", ["id": 1])
        #expect(
            fixture.tree == "nav[Main, Show(id=1), Player(track=7), Show(id=2), Show(id=1)]"
        )
    }

    @Test("'class' pops to the topmost screen of the class, and sets its fields")
    func sameClass() throws {
        let fixture = try fixture("reuse = 'class'")
        fixture.navigate("Show", "open", ["id": 9])
        #expect(fixture.tree == "nav[Main, Show(id=1), Player(track=7), Show(id=9)]")
        #expect(fixture.operations == ["update"])
    }

    @Test("'top' recycles only the visible screen")
    func top() throws {
        let fixture = try fixture("reuse = 'top'")
        fixture.navigate("Show", "open", ["id": 9])
        #expect(fixture.tree == "nav[Main, Show(id=1), Player(track=7), Show(id=9)]")
        fixture.router.back()
        fixture.navigate("Show", "open", ["id": 1])
        #expect(fixture.tree == "nav[Main, Show(id=1), Player(track=7), Show(id=1)]")
    }

    @Test(
        "a list of fields recycles the screen whose values of these fields are equal",
        arguments: ["{ by = 'id' }", "{ 'id' }", "{ by = { 'id' } }"]
    )
    func fields(_ policy: String) throws {
        let fixture = try fixture("reuse = \(policy)")
        fixture.navigate("Show", "open", ["id": 1])
        #expect(fixture.tree == "nav[Main, Show(id=1)]")
        fixture.navigate("Show", "open", ["id": 3])
        #expect(fixture.tree == "nav[Main, Show(id=1), Show(id=3)]")
    }

    @Test(
        "a function is called from the topmost screen down, until it accepts a screen for recycling"
    )
    func function() throws {
        let fixture = try fixture(
            "reuse = function(screen, info, nav) return screen.class == nav.service and screen.id == info.id end"
        )
        fixture.navigate("Show", "open", ["id": 1])
        #expect(fixture.tree == "nav[Main, Show(id=1)]")
    }

    @Test("'move' moves a reused screen to the top, and keeps the screens that were above it")
    func move() throws {
        let fixture = try fixture("reuse = { by = 'id', move = true }")
        fixture.navigate("Show", "open", ["id": 1, "title": "x"])
        #expect(
            fixture.tree == #"nav[Main, Player(track=7), Show(id=2), Show(id=1, title="x")]"#
        )
        #expect(fixture.operations == ["children", "update"])
    }

    @Test("declared fields are set from the info, and an omitted optional field is cleared")
    func fills() throws {
        let fixture = try fixture("reuse = { by = 'id' }")
        fixture.navigate("Show", "open", ["id": 1.0, "title": "x"])
        #expect(fixture.tree == #"nav[Main, Show(id=1, title="x")]"#)
        fixture.navigate("Show", "open", ["id": 1])
        #expect(fixture.tree == "nav[Main, Show(id=1)]")
    }

    @Test("'update' receives the screen that was found or built")
    func update() throws {
        let fixture = try fixture(
            "reuse = { by = 'id' }, update = function(screen, info) screen.seen = (screen.seen or 0) + 1 end"
        )
        fixture.navigate("Show", "open", ["id": 1])
        fixture.navigate("Show", "open", ["id": 1])
        fixture.navigate("Show", "open", ["id": 4])
        #expect(fixture.tree == "nav[Main, Show(id=1, seen=2), Show(id=4, seen=1)]")
    }

    @Test("the action of the caller replaces the action of the definition")
    func via() throws {
        let fixture = try fixture("via = 'presentWithNav'")
        fixture.navigate("Show", "open", ["id": 3])
        #expect(fixture.tree.hasSuffix("^ nav[Show(id=3)]"))
        fixture.router.navigate(
            Target("Show", "open"),
            info: ["id": 4],
            options: NavigationOptions(via: .push)
        )
        #expect(fixture.tree.hasSuffix("^ nav[Show(id=3), Show(id=4)]"))
    }

    @Test("a tree definition is copied with new serial numbers each time")
    func template() throws {
        let fixture = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Main" } end)
            router.register("Wizard", "show", {
              build = router.nav { router.screen("Step", { n = 1 }), class = "wizard" },
              via = "present",
            })
            """
        )
        fixture.navigate("Wizard", "show")
        fixture.router.dismiss()
        fixture.navigate("Wizard", "show")
        #expect(fixture.tree == "nav[Main] ^ wizard:nav[Step(n=1)]")
        let created = fixture.events.filter { $0.kind == .created }
        #expect(created.count == 4)
    }

    @Test("'after' runs after the change was applied, and an error in 'after' undoes nothing")
    func after() throws {
        let fixture = try fixture(
            "after = function(screen) print(screen.isVisible) error('late') end"
        )
        let navigation = fixture.navigate("Show", "open", ["id": 3])
        #expect(navigation.status.name == "done")
        #expect(fixture.log == ["info true", "error late"])
    }

    @Test("'closed' is called for each removed screen of the route, topmost first")
    func closed() throws {
        let fixture = try fixture(
            "closed = function(screen, value, nav) print(screen.id, value, screen.isAlive, nav.status) end"
        )
        fixture.navigate("Show", "open", ["id": 3])
        fixture.navigate("Show", "open", ["id": 4])
        fixture.router.back(2)
        #expect(fixture.log == ["info 4\tnil\tfalse\tdone", "info 3\tnil\tfalse\tdone"])
        fixture.router.collectGarbage()
    }

    @Test("a function can validate and convert a parameter")
    func checked() throws {
        let fixture = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Main" } end)
            router.register("Show", "open", {
              info = { id = function(value) return math.tointeger(tonumber(value)) end },
              build = function(info) return router.screen("Show", { id = info.id }) end,
            })
            """
        )
        fixture.navigate("Show", "open", ["id": "12"])
        #expect(fixture.tree == "nav[Main, Show(id=12)]")
        let bad = fixture.navigate("Show", "open", ["id": "x"])
        #expect(
            bad.error?.message
                == "bad field 'id' (another value expected, got string, which the declared function rejects)"
        )
    }
}
