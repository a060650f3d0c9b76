// SPDX-License-Identifier: MIT

import Foundation
import RandomNumbers
import RouteCore
import TestSupport
import Testing

@testable import LuaRouting

/// Tests of the last events of a router, which are written on request.
@Suite(.failureReports)
struct FlightRecordingTests {
    private static let script = """
        router.class("Page", { fields = { "id", "token" }, private = "token" })
        router.start(function() return router.nav { router.screen "Home" } end)
        router.register("Page", "show", {
          info = { id = "integer", token = "string?" }, url = "app://pages/:id(int)",
          build = function(info)
            return router.screen("Page", { id = info.id, token = info.token })
          end,
        })
        router.register("Page", "same", { reuse = "class", build = router.screen "Page" })
        router.register("Any", "show", { build = router.screen "Page" })
        router.register("Sheet", "show", {
          find = "Sheet", build = router.screen "Sheet",
          via = router.present { style = "sheet", options = { token = "secret" } },
        })
        router.register("Page", "gated", { ready = "open", build = router.screen "Page" })
        router.register("Page", "asked", {
          intercept = function() router.sleep(1) end, build = router.screen "Page",
        })
        router.register("Page", "broken", { build = function() error("no data") end })
        router.export("say", function(info) router.log.info(info.text) end)
        router.routing("/later/:name")
        """

    private let app: RouterFixture
    private var router: Router { app.router }

    init() throws { app = try RouterFixture(Self.script) }

    private func lines(of router: Router) -> [String] {
        router.flightRecording().split(separator: "\n").map(String.init)
    }

    /// Returns the lines of the events with the given kind.
    private func lines(_ kind: Event.Kind) -> [String] {
        lines(of: router).filter { $0.contains(#""kind":"\#(kind.rawValue)""#) }
    }

    /// Performs a random operation of an app.
    private func act(_ numbers: inout RandomNumbers, _ number: Int) throws {
        switch Int.random(in: 0..<13, using: &numbers) {
        case 0: app.navigate("Page", "show", ["id": .integer(Int64(number)), "token": "x"])
        case 1: app.navigate("Page", "same")
        case 2: app.navigate("Page", "asked")
        case 3: app.navigate("Page", "broken")
        case 4: router.back()
        case 5: router.open("app://pages/\(number)", origin: .external)
        case 6: try router.setState("count", to: .integer(Int64(number)))
        case 7: router.advance(to: router.now + 1)
        case 8: app.navigate("Any", "show", ["id": 1, "list": [1, "two"]])
        case 9: router.dispatch("/later/ann")
        case 10: router.back { router in _ = router }
        case 11: app.navigate("Sheet", "show")
        default: try app.call("say", ["text": .string(ByteString("line \(number)"))])
        }
    }

    @Test("a recording has the same events as a listener for its kinds", arguments: 1...5)
    func events(seed: UInt64) throws {
        var numbers = RandomNumbers(seed: seed)
        for number in 1...300 { try act(&numbers, number) }
        let heard = Dictionary(
            uniqueKeysWithValues: app.events.map { ($0.sequence, $0) }
        )
        let lines = lines(of: router).dropFirst()
        #expect(lines.count == 500)
        for line in lines {
            let number = try #require(line.firstMatch(of: /"seq":(\d+)/).flatMap { Int($0.1) })
            let event = try #require(heard[number])
            let fields =
                event.kind == .shown
                ? event.fields.filter { ["window", "screen"].contains($0.name) } : event.fields
            let kept = Event(
                sequence: event.sequence,
                time: event.time,
                navigation: event.navigation,
                parent: event.parent,
                generation: event.generation,
                location: event.location,
                kind: event.kind,
                fields: fields
            )
            #expect(line == kept.json)
        }
        let first = try #require(lines.first?.firstMatch(of: /"seq":(\d+)/).flatMap { Int($0.1) })
        let kinds = app.events.filter { $0.sequence >= first && $0.kind.isInFlightRecording }
        #expect(kinds.count == lines.count)
    }

    @Test("the recorded commit has the presentation options, without private values")
    func presentation() {
        app.navigate("Sheet", "show")
        app.navigate("Sheet", "show")
        let operations = lines(.commit).map { $0.split(separator: "[")[1].prefix { $0 != "]" } }
        #expect(
            operations == [
                #""openWindow""#,
                #""present(style=\"sheet\", options={token=\"•••\"})""#, "",
            ]
        )
    }

    @Test(
        "a recorded navigation has the presentation that the app requested, without private values"
    )
    func requestedPresentation() {
        let sheet = Screen.Presentation(style: "sheet", options: ["token": "secret", "size": 2])
        for (action, text) in [
            (Action.present, "present"),
            (.present(sheet), #"present(style=\"sheet\", options={size=2, token=\"•••\"})"#),
        ] {
            let options = NavigationOptions(via: action)
            router.navigate(Target("Any", "show"), options: options)
            #expect(lines(.navigate).last?.contains(#""via":"\#(text)""#) == true, "\(text)")
        }
    }

    @Test("a recording begins with the state before the first of its events")
    func start() throws {
        try router.ready("open")
        for number in 1...300 {
            app.navigate("Page", "same")
            try router.setState("count", to: .integer(Int64(number)))
        }
        let header = try #require(lines(of: router).first)
        let start = try #require(try JSONDocument.line(Array(header.utf8))["start"].table)
        #expect(start["gates"] == ["open"])
        #expect(start["pending"] == 0)
        let trees = try #require(start["trees"].list?.first?.table)
        #expect(trees["tree"] == "nav[Home, Page]")
        let sequence = try #require(start["sequence"].integer)
        let first = try #require(app.events.first { $0.sequence > sequence })
        #expect(first.kind == .navigate)
        let before = app.events.last { $0.sequence <= sequence && $0["act"] == "set" }
        #expect(start["state"].table?["count"] == before?["value"])
    }

    @Test("a recording with fewer events than its maximum is complete")
    func complete() {
        app.navigate("Page", "same")
        #expect(lines(of: router).first == Event.jsonHeader)
    }

    @Test("private values stay hidden after a reload that no longer declares them as private")
    func privateValues() throws {
        app.navigate("Page", "show", ["id": 1, "token": "hunter2"])
        app.navigate("Any", "show", ["token": "hunter2", "deep": ["token": "hunter2"]])
        app.doTask("Page", "nothing", ["token": "hunter2"])
        try router.setState("token", to: "hunter2")
        for round in 0..<3 {
            let text = router.flightRecording()
            #expect(!text.contains("hunter2"), "\(round)")
            #expect(text.contains("•••"), "\(round)")
            router.reload(
                ScriptBundle(files: [
                    "main.lua": Self.script.replacing(", private = \"token\"", with: "")
                        + "\n-- \(round)"
                ])
            )
        }
        #expect(router.metrics.acceptedReloads == 3)
    }

    @Test("private values are hidden in the initial state")
    func privateStart() throws {
        app.navigate("Page", "show", ["id": 1, "token": "hunter2"])
        try router.setState("token", to: "hunter2")
        for _ in 1...300 { app.navigate("Page", "same") }
        let header = try #require(lines(of: router).first)
        #expect(header.contains(#"nav[Home, Page(id=1, token=\"•••\")]"#))
        #expect(header.contains(#""state":{"token":"•••"}"#))
    }

    @Test("the size of a recording does not depend on the size of values")
    func size() throws {
        let long = Value(String(repeating: "x", count: 60_000))
        for _ in 1...520 {
            app.navigate("Any", "show", ["text": long])
            router.back()
            try app.call("say", ["text": long])
        }
        #expect(router.flightRecording().utf8.count < 3 << 20)
        #expect(lines(of: router).count <= 501)
    }

    @Test("a rewind removes the events that it undoes, and the recording continues from that point")
    func rewind() throws {
        app.navigate("Page", "same")
        let before = router.flightRecording()
        let first = try router.checkpoint()
        app.navigate("Page", "show", ["id": 1])
        let second = try router.checkpoint()
        try router.rewind(to: first)
        #expect(router.flightRecording() == before)
        app.navigate("Page", "show", ["id": 2])
        try router.rewind(to: first)
        #expect(router.flightRecording() == before)
        // The events that lead to it were taken back.
        try router.rewind(to: second)
        let lines = lines(of: router)
        #expect(lines.count == 1)
        app.navigate("Page", "show", ["id": 3])
        let text = router.flightRecording()
        #expect(text.contains(#""tree":"nav[Home, Page, Page(id=1)]""#))
        #expect(!text.contains(#""id":2"#) && text.contains(#""id":3"#))
    }

    @Test("an explanation leaves no events in the recording")
    func explanation() throws {
        let before = router.flightRecording()
        _ = try router.explain(Target("Page", "show"), info: ["id": 1])
        #expect(router.flightRecording() == before)
    }

    @Test("waits and failures are recorded")
    func failures() {
        app.navigate("Page", "gated")
        app.navigate("Page", "broken")
        app.navigate("Page", "asked")
        #expect(lines(.gate).count == 1)
        #expect(lines(.intercept).count == 1)
        #expect(lines(.wait).isEmpty == false)
        #expect(lines(.failed).contains { $0.contains("no data") } == true)
    }
}
