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
        router.export("count", function() return router.state.count end)
        router.handle("off", function() return "Off", "show" end)
        router.register("Long", "show", function()
          for _ = 1, 600000 do end
          return router.screen "Long"
        end)
        """

    /// Performs an operation of every kind, and returns the lines of the event stream.
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
        try router.call("count")
        router.doTask(Target("Work", "force"))  // exceeds its rights
        try router.setTree(TreeNotation("tabs[*nav[Home, Show(id=1)]]"))
        router.report(.reselected(router.tree.windows[0].root))
        try router.rewind(to: try router.checkpoint())
        return lines.joined(separator: "\n") + "\n"
    }

    @Test("the event stream is byte for byte equal to the recorded stream")
    func golden() throws {
        try expectGolden(run(), Self.golden)
    }

    @Test("the event reference documents every kind, with an event from this run")
    func article() throws {
        let lines = try run().split(separator: "\n")
        let sections = try Event.Kind.allCases.map { kind in
            let line = try #require(lines.first { $0.contains(#""kind":"\#(kind.rawValue)""#) })
            let fields = kind.reference.fields.map { "`\($0)`" }.joined(separator: ", ")
            return """
                ### \(kind.rawValue)

                Reports that \(kind.reference.help).\(fields.isEmpty ? "" : " Fields: \(fields).")

                ```json
                \(line)
                ```
                """
        }
        let text = """
            # Events

            The stream from which every report, log and trace is made.

            ## Overview

            A router reports events to ``Router/onEvent``, in order, and to the functions of `router.on`. On
            disk the stream is `luaroute.events/1`: first the line ``Event/jsonHeader``, then one line of JSON
            for each event, see ``Event/json``. The same scripts, calls and clock give the same file, byte for byte. The
            libraries `LuaRouteLogging` and `LuaRouteMetrics` pass events to swift-log and swift-metrics.

            Every event has `seq`, `time` (seconds since 1970), `generation` and `kind`. It has `navigation`
            and `parent` if it belongs to a navigation, and `location` if a line of a script caused it. The fields of its kind follow, if they have a value.

            ### Limits

            Strings are truncated after \(Event.stringLimit) bytes, and all values of an event after
            \(Event.valueLimit) bytes. A truncated string ends with its length, `… (5000000 bytes)`. A truncated table has
            the number of missing parts under the key `…`. A truncated screen or tree ends with `...`. Values that
            scripts declare `private` are `•••`.

            ### Recording

            An app records its session as a header and a line for each event:

            ```swift
            write(Event.jsonHeader)
            router.onEvent = { event in write(event.json) }
            ```

            `luaroute events FILE` prints it, and `--trace` groups the events by cause. With `--scenario` it
            writes a scenario that repeats the input from outside: the navigations, tasks and calls that the
            app began, the kind `host`, and the time. A session is reproduced from its beginning: set
            `onEvent` before `start`, or pass it to the initializer. A router also records the last 500 events itself: <doc:FlightRecorder>.

            ### Order

            The events of one navigation come in this order: `navigate`, possibly `fallback`, `gate` or
            `wait`, `plan`, `find`, `intercept` (before `plan` for interceptors before the search), possibly
            `replan` and again from `plan`, `find` or `build`, `update`, `stage`, `commit`, `created`,
            `reused`, `removed`, `shown`, `restore`, `after`, and one of `done`, `failed`, `stayed` and
            `cancelled`.

            ### Phases of a deep link

            An event `link` belongs to no navigation. Its `phase` is `will` before the action runs, `did`
            after it, `failed` if no routing matches, too many links are queued or the action raises an error,
            `timeout` if its time is over, and `cancelled`, with all cancelled links in `links`.

            ## Kinds

            \(sections.joined(separator: "\n\n"))

            """
        try expectGolden(text, referenceFolder.appending(path: "Events.md"))
    }

    @Test("no event has a field that is missing in the reference")
    func fields() throws {
        for line in try run().split(separator: "\n").dropFirst() {
            let object = try #require(
                JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            )
            let kind = try #require(Event.Kind(rawValue: object["kind"] as? String ?? ""))
            let common = ["seq", "time", "generation", "kind", "navigation", "parent", "location"]
            let own = Set(object.keys).subtracting(common)
            #expect(own.subtracting(kind.reference.fields) == [], "\(line)")
        }
    }

    @Test("the same run produces the same bytes")
    func sameBytes() throws {
        #expect(try run() == run())
    }

    @Test("every line is a JSON object, and the sequence numbers have no gap")
    func json() throws {
        var last = 0
        for line in try run().split(separator: "\n").dropFirst() {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            // A rewind has the number of the last event before the checkpoint.
            last += object?["kind"] as? String == "rewind" ? 0 : 1
            #expect(object?["seq"] as? Int == last)
        }
    }

    @Test("the recorded run contains events of every kind")
    func kinds() throws {
        let text = try run()
        let missing = Event.Kind.allCases.filter { !text.contains(#""kind":"\#($0.rawValue)""#) }
        #expect(missing == [])
    }
}
