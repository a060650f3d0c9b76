// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting
import TestSupport
import Testing

struct EventTests {
    private static let golden = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Golden/events.jsonl")

    private static let script = """
        router.class("Show", { fields = { "id" } })
        router.start(function() return router.nav { router.screen "Main" } end)
        router.register("Show", "open", {
          info = { id = "integer" },
          reuse = { by = "id" },
          build = function() return router.screen "Show" end,
          update = function(screen) screen.seen = true end,
          after = function() router.log.info("arrived") end,
        })
        router.register("Show", "bad", function() error("no") end)
        router.register("Show", "next", function()
          router.navigate("Show", "open", { id = 9 })
          return router.screen("Next")
        end)
        router.interceptor("count", function() router.state.count = (router.state.count or 0) + 1 end)
        router.register("Guarded", "show", {
          build = function() return router.screen "Guarded" end,
          intercept = { "count", function(nav)
            if nav.origin ~= "script" then router.redirect("Show", "open", { id = 7 }) end
          end },
        })
        router.register("Counted", "show", {
          build = function() return router.screen "Counted" end,
          intercept = "count",
        })
        router.register("Slow", "show", {
          build = function() return router.screen "Slow" end,
          intercept = function() router.delay(0.5, function() end) router.sleep(1) end,
        })
        router.routing("/now/:id(int)"):setAction(function(request) return request.parameters.id end)
        router.routing("/broken"):setAction(function() error("no") end)
        router.routing("/later")
        router.registerTask("Work", "do", function(info, done) done(true, 1) done(true, 2) end)
        router.registerTask("Work", "force", function()
          router.navigate("Show", "open", {}, { force = true })
        end)
        router.registerTask("Work", "fail", function() error("broken") end)
        router.register("Off", "show", {
          enabled = function() return false end,
          fallback = { "Counted", "show" },
          build = function() return router.screen "Off" end,
        })
        router.handle("off", function() return "Off", "show" end)
        router.register("Long", "show", function()
          for _ = 1, 600000 do end
          return router.screen "Long"
        end)
        """

    /// Does something of every kind, and returns the lines of the stream.
    private func run() throws -> String {
        var lines = [Event.jsonHeader]
        var configuration = Router.Configuration.patient
        configuration.capabilities.tree.remove(.force)
        let router = try Router(
            scripts: ScriptBundle(files: ["main.lua": Self.script]),
            host: HeadlessHost(),
            configuration: configuration,
            onEvent: { lines.append($0.json) }
        )
        router.awaitsAllWork = true
        router.navigate(Target("Show", "open"), info: ["id": 1])  // waits for the first tree
        router.start()
        router.navigate(Target("Show", "next"))  // starts another one while it is staged
        router.navigate(Target("Show", "open"), info: ["id": 1])  // is there already
        router.navigate(Target("Show", "bad"))
        router.doTask(Target("Work", "do"))
        router.doTask(Target("Work", "fail"))
        router.navigate(Target("Guarded", "show"))  // is sent elsewhere
        router.navigate(Target("Counted", "show"))  // is planned twice
        let slow = router.navigate(Target("Slow", "show"))  // waits
        router.navigate(Target("Slow", "show"))  // joins it
        router.advance(to: router.now + 1)
        router.cancel(
            router.navigate(Target("Slow", "show"), options: NavigationOptions(again: true))
        )
        router.cancel(slow)  // has ended
        for _ in 1...5 { router.back() }
        router.open("off|{}")  // is disabled
        for url in ["/now/7?a=b", "/broken", "/nothing?a=b"] { router.dispatch(url) }
        router.dispatch("/later", options: DispatchOptions(timeout: 1, key: "late"))
        router.advance(to: router.now + 1)
        router.dispatch("/later")
        router.cancelLinks()
        router.reload(ScriptBundle(files: ["main.lua": Self.script + "\nerror('no')"]))
        router.reload(ScriptBundle(files: ["main.lua": Self.script + "\nrouter.remove('Slow')"]))
        router.restore(router.snapshot())
        router.navigate(Target("Long", "show"))
        router.doTask(Target("Work", "force"))  // exceeds its rights
        return lines.joined(separator: "\n") + "\n"
    }

    @Test("the stream of events is as recorded, byte for byte")
    func golden() throws {
        try expectGolden(run(), Self.golden)
    }

    @Test("the same run gives the same bytes")
    func sameBytes() throws {
        #expect(try run() == run())
    }

    @Test("every line is JSON, numbered without a gap")
    func json() throws {
        for (number, line) in try run().split(separator: "\n").dropFirst().enumerated() {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            #expect(object?["seq"] as? Int == number + 1)
        }
    }

    @Test("the recorded run has events of every kind")
    func kinds() throws {
        let text = try run()
        let missing = Event.Kind.allCases.filter { !text.contains(#""kind":"\#($0.rawValue)""#) }
        #expect(missing == [])
    }
}
