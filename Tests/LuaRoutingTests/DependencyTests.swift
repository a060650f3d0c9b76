// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// Tests of the dependencies of routes, and of their providers.
@Suite(.failureReports)
struct DependencyTests {
    private static let script = """
        router.expects { dependencies = { "analytics", "settings" } }
        local dependency = router.dependency
        router.register("Page", "show", {
          needs = { "analytics", "settings" },
          build = function(info, nav)
            local deps = nav.deps
            return router.screen("Page", {
              same = deps.settings == dependency("settings"),
              theme = deps.settings.theme,
              what = tostring(deps.analytics),
            })
          end,
        })
        router.registerTask("Page", "analytics", function() return dependency("analytics") end)
        router.start(function() return router.nav { router.screen "Main" } end)
        """

    @Test("the host provides a dependency value on request, and the value is shared while in use")
    func host() throws {
        let fixture = try RouterFixture(Self.script)
        let object = HostObject("analytics")
        var asked: [String] = []
        fixture.host.onDependency = { name in
            asked.append(name)
            return name == "analytics" ? .object(object) : ["theme": "dark"]
        }
        fixture.navigate("Page", "show")
        #expect(
            fixture.tree == "nav[Main, Page(same=true, theme=\"dark\", what=\"host object\")]"
        )
        fixture.navigate("Page", "show")
        #expect(asked == ["analytics", "settings"])
        fixture.router.popToRoot()
        fixture.navigate("Page", "show")
        #expect(asked == ["analytics", "settings", "analytics", "settings"])
        let task = fixture.doTask("Page", "analytics")
        #expect(task.value == .object(object))
    }

    @Test("a dependency that the host lacks is reported, and nothing is built")
    func missing() throws {
        let fixture = try RouterFixture(Self.script)
        let navigation = fixture.navigate("Page", "show")
        guard case .failed(let error) = navigation.status else {
            Issue.record("it is \(navigation.status)")
            return
        }
        #expect(error.code == .missingDependency)
        #expect(
            error.message
                == "no dependency 'analytics' (router.expects requests it, but the host does not provide it)"
        )
        #expect(error.step == "Page/show")
        #expect(fixture.tree == "nav[Main]")
    }

    @Test("an invalid dependency value is rejected, and the next navigation requests a new value")
    func badValues() throws {
        let fixture = try RouterFixture(Self.script)
        let other = try RouterFixture(Self.script)
        var deep = Value.integer(1)
        for _ in 0..<100 { deep = .table(InfoTable(list: [deep])) }
        let screen = try #require(other.router.tree.windows.first?.root)
        for value in [deep, .screen(screen), ["inner": .screen(screen)]] {
            fixture.host.onDependency = { _ in value }
            let navigation = fixture.navigate("Page", "show")
            #expect(navigation.status.name == "failed")
            #expect(fixture.tree == "nav[Main]")
        }
        fixture.host.onDependency = { _ in ["theme": "dark"] }
        #expect(fixture.navigate("Page", "show").status.name == "done")
    }

    @Test("a headless host provides all expected dependencies")
    func headless() throws {
        let bundle = ScriptBundle(files: ["main.lua": Self.script])
        let host = HeadlessHost()
        host.dependencies["settings"] = ["theme": "light"]
        let router = try Router(scripts: bundle, host: host)
        router.start()
        router.navigate(Target("Page", "show"))
        #expect(
            router.treeNotation()
                == "nav[Main, Page(same=true, theme=\"light\", what=\"host object\")]"
        )
    }

    @Test("a dependency value is released with the last screen that uses the value")
    func lifetime() throws {
        let fixture = try RouterFixture(
            """
            router.provide("big", function() return string.rep("x", 1000000) end)
            router.register("Page", "show", {
              needs = "big",
              build = function() return router.screen "Page" end,
            })
            router.start(function() return router.nav { router.screen "Main" } end)
            """
        )
        fixture.router.collectGarbage()
        let before = fixture.router.scriptMemory
        for _ in 0..<3 { fixture.navigate("Page", "show") }
        fixture.router.collectGarbage()
        #expect(fixture.router.scriptMemory > before + 1_000_000)
        #expect(fixture.router.scriptMemory < before + 2_000_000)
        fixture.router.popToRoot()
        fixture.router.collectGarbage()
        #expect(fixture.router.scriptMemory < before + 100_000)
    }

    @Test("the event 'fallback' names the disabled route and the fallback that is used")
    func fallback() throws {
        let fixture = try RouterFixture(
            """
            router.register("New", "show", {
              enabled = function() return false end,
              fallback = { "Old", "show" },
              build = function() return router.screen "New" end,
            })
            router.register("Old", "show", function() return router.screen "Old" end)
            router.start(function() return router.nav { router.screen "Main" } end)
            """
        )
        let navigation = fixture.navigate("New", "show")
        #expect(navigation.target == Target("New", "show"))
        #expect(navigation.route == Target("Old", "show"))
        let event = try #require(fixture.events.first { $0.kind == .fallback })
        #expect(event.location == RouteError.Location(file: "main.lua", line: 1))
        #expect(
            event.fields.map { "\($0.name)=\($0.value.text ?? "")" }
                == ["route=New/show", "service=Old", "task=show"]
        )
    }

    @Test(
        "invalid dependencies and fallbacks of a definition are errors",
        arguments: [
            ("needs = { 7 }", "bad element [1]: name expected, got integer"),
            ("needs = 'two words'", "name expected, got 'two words'"),
            ("enabled = true", "bad field 'enabled': function expected, got boolean"),
            ("enabled = print, fallback = { 'Old' }", "bad route ({ service, task } expected"),
            ("fallback = { 'Old', 'show' }", "has a 'fallback' but no 'enabled'"),
        ]
    )
    func declarations(_ definition: String, _ message: String) {
        #expect {
            try RouterFixture(
                """
                router.register("New", "show", {
                  build = function() return router.screen "New" end, \(definition)
                })
                """
            )
        } throws: { ($0 as? RouteError)?.message.contains(message) == true }
    }

    @Test(
        "invalid providers and handlers are errors",
        arguments: [
            ("router.provide('x', 7)", "function expected, got integer"),
            ("router.provide('x y', print)", "name expected, got 'x y'"),
            ("router.dependency('x')", "cannot be called while the scripts load"),
            (
                "router.provide('x', print) router.provide('x', print)",
                "dependency 'x' is declared twice (first at main.lua:1)"
            ),
            ("router.handle('x')", "bad argument #2 to 'handle'"),
            ("router.handle('x', {})", "bad argument #3 to 'handle' (function expected"),
            ("router.handle('x', { inf = {} }, print)", "did you mean 'info'?"),
            (
                "router.handle('x', { info = { a = 'int' } }, print)",
                "bad type 'int' of parameter 'a'"
            ),
            ("router.handle({ 7 }, print)", "string expected, got integer"),
        ]
    )
    func setup(_ line: String, _ message: String) {
        #expect {
            try RouterFixture(line)
        } throws: { ($0 as? RouteError)?.message.contains(message) == true }
    }
}
