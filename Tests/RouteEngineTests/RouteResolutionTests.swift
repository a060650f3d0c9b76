// SPDX-License-Identifier: MIT

import RouteCore
import RouteEngine
import Testing

struct RouteResolutionTests {
    @Test("an unknown target is not found, and the error suggests the nearest name")
    func unknownTargets() throws {
        var engine = try Engine("nav[Main]")
        try engine.route("Show/open", ["build": .building("Show")])
        let cases: [(name: String, message: String)] = [
            ("Shwo/open", "no service 'Shwo', did you mean 'Show'?"),
            ("Show/opne", "no task 'opne' in service 'Show', did you mean 'open'?"),
        ]
        for (name, message) in cases {
            let error = error { () throws(RouteError) in try engine.resolved(name) }
            #expect(error?.code == .notFound)
            #expect(error?.message == message)
        }
    }

    @Test("navigating to a task of the scripts or of the host is an error")
    func tasks() throws {
        var engine = try Engine("nav[Main]")
        let target = Target("Data/load")
        let worker = Worker(target, at: nil, function: SwiftFunction("load") { _, _ in .nil })
        try engine.declarations.routes.register(.task(worker), as: target, overrides: false)
        engine.declarations.expectations.tasks = [Target("Audio/play")]
        for name in ["Data/load", "Audio/play"] {
            let error = error { () throws(RouteError) in try engine.resolved(name) }
            #expect(error?.code == .wrongKind)
        }
    }

    @Test("the fallback of the scripts handles an unknown target, unless the fallback returns nil")
    func fallbackOfScripts() throws {
        var engine = try Engine("nav[Main]")
        let build = SwiftFunction("fallback") { call, stage in
            guard call.arguments.first?.text == "Known" else { return .nil }
            return .screen(try stage.build("Made"))
        }
        engine.declarations.fallback = .init(screen: build, task: nil, location: nil)
        let known = engine.navigate("Known/show", ["id": 7])
        #expect(known.outcome == "done")
        #expect(engine.tree() == "nav[Main, Made]")
        let arguments = engine.scripts.calls.last?.arguments
        #expect(arguments == ["Known", "show", ["id": 7]])
        #expect(engine.navigate("Unknown/show").outcome == "notFound")
    }

    @Test("only the declared origins may navigate to a route")
    func origins() throws {
        var engine = try Engine("nav[Main]")
        try engine.route("Any/show", ["origin": "any", "build": .building("Any")])
        try engine.route(
            "Own/show",
            ["origin": ["script", "host"], "build": .building("Own")]
        )
        try engine.route("Out/show", ["origin": ["external"], "build": .building("Out")])
        let allowed: [(name: String, origins: Set<Origin>)] = [
            // A person only leaves screens.
            ("Any/show", Set(Origin.allCases).subtracting([.person])),
            ("Own/show", [.script, .host]), ("Out/show", [.external]),
        ]
        for (name, origins) in allowed {
            for origin in Origin.allCases {
                let error = error { () throws(RouteError) in
                    try engine.resolved(name, [:], NavigationOptions(origin: origin))
                }
                #expect(error?.code == (origins.contains(origin) ? nil : .forbidden))
                #expect(error == nil || error?.location == engine.place(of: name))
            }
        }
    }

    @Test("the origin is checked before the parameters, and the parameters before the feature flag")
    func order() throws {
        var engine = try Engine("nav[Main]")
        try engine.route(
            "Show/open",
            [
                "origin": ["script"], "info": ["id": "integer"],
                "enabled": .returning(false), "build": .building("Show"),
            ]
        )
        func code(_ info: InfoTable, _ origin: Origin) -> RouteError.Code? {
            error { () throws(RouteError) in
                try engine.resolved("Show/open", info, NavigationOptions(origin: origin))
            }?.code
        }
        #expect(code([:], .host) == .forbidden)
        #expect(code([:], .script) == .badInfo)
        #expect(code(["id": 1], .script) == .disabled)
    }

    @Test("parameters are validated against the declaration, and converted")
    func parameters() throws {
        var engine = try Engine("nav[Main]")
        let isEven = Value.closure { call, _ in
            call.arguments[0].integer.map { $0.isMultiple(of: 2) } == true ? "even" : .nil
        }
        try engine.route(
            "Show/open",
            [
                "info": [
                    "id": "integer", "title": "string?", "size": ["small", "large"],
                    "count": isEven,
                ],
                "build": .building("Show"),
            ]
        )
        let good: InfoTable = ["id": 1, "size": "small", "count": 2]
        let cases: [(key: InfoTable.Key, value: Value, error: String?)] = [
            ("title", "News", nil),
            ("id", 2.0, nil),
            ("id", 2.5, "bad field 'id' (integer expected, got number)"),
            ("id", nil, "bad field 'id' (integer expected, got nil)"),
            ("title", 1, "bad field 'title' (string expected, got integer)"),
            ("size", "huge", #"bad field 'size' ("small" or "large" expected, got "huge")"#),
            (
                "count", 3,
                "bad field 'count' (another value expected, got integer, which the declared function rejects)"
            ),
            ("titel", "x", "unknown field 'titel', did you mean 'title'?"),
        ]
        for (key, value, message) in cases {
            var info = good
            info[key] = value
            let error = error { () throws(RouteError) in try engine.resolved("Show/open", info) }
            #expect(error?.message == message)
            #expect(error == nil || error?.code == .badInfo)
        }
        let journey = try engine.resolved("Show/open", ["id": 2.0, "size": "small", "count": 4])
        #expect(journey.info == ["id": 2, "size": "small", "count": "even"])
    }

    @Test("a screen of another router is rejected for every origin outside of scripts")
    func foreignScreens() throws {
        var (engine, other) = (try Engine("nav[Main]"), try Engine("nav[Main]"))
        let screen = try other.make("X")
        try engine.route("Show/open", ["info": ["page": "screen"], "build": .building("Show")])
        for origin in [Origin.host, .url, .external] {
            let error = error { () throws(RouteError) in
                try engine.resolved("Show/open", ["page": .screen(screen)], .init(origin: origin))
            }
            #expect(error?.code == .composition)
            #expect(error?.location == engine.place(of: "Show/open"))
        }
    }

    @Test("an undeclared action requested by the caller is an error before planning begins")
    func undeclaredAction() throws {
        var engine = try Engine("nav[Main]")
        try engine.route("Show/open", ["build": .building("Show")])
        let run = engine.navigate("Show/open", [:], NavigationOptions(via: .declared("slide")))
        #expect(run.outcome == "script")
        #expect(run.journey.plan == nil)
    }

    @Test(
        "a navigation waits at the gates of its target before any interceptor runs, and passes each gate once"
    )
    func gates() throws {
        var engine = try Engine("nav[Main]")
        engine.interceptor("early")
        engine.interceptAll("early", before: .search)
        try engine.route("Show/open", ["ready": ["one", "two"], "build": .building("Show")])
        var run = engine.navigate("Show/open")
        #expect(run.gate == "one")
        #expect(run.asked == [])
        engine.world.shared.openGates = ["one"]
        engine.resume(&run)
        #expect(run.gate == "two")
        // All gates are open together when they are passed.
        engine.world.shared.openGates = ["two"]
        engine.resume(&run)
        #expect(run.gate == "one")
        engine.world.shared.openGates = ["one", "two"]
        engine.resume(&run)
        #expect(run.outcome == "done")
        #expect(run.asked == ["early"])
    }

    @Test("a navigation that needs a tree waits at the gate 'started'")
    func startGate() throws {
        var engine = try Engine()
        try engine.route("Show/open", ["build": .building("Show")])
        var run = Run(journey: Journey(.route(Target("Show/open"), info: [:]), .init()))
        run.journey.waitsForTree = true
        engine.resume(&run)
        #expect(run.gate == World.startGate)
        try engine.set("main", "nav[Main]")
        engine.resume(&run)
        #expect(run.outcome == "done")
        #expect(engine.navigate("Show/open", [:], .init(window: "other")).outcome == "composition")
    }
}

struct FeatureFlagTests {
    @Test("a disabled route resolves to the first enabled fallback, with the original info")
    func fallbacks() throws {
        var engine = try Engine("nav[Main]")
        for (name, fallback) in [("A/show", "B"), ("B/show", "C")] {
            try engine.route(
                name,
                [
                    "info": ["id": "integer", "extra": "string?"], "enabled": .returning(false),
                    "fallback": [.init(fallback), "show"], "build": .building("Never"),
                ]
            )
        }
        try engine.route(
            "C/show",
            ["info": ["id": "number"], "enabled": .returning(true), "build": .building("C")]
        )
        let journey = try engine.resolved("A/show", ["id": 3.0, "extra": "x"])
        #expect(journey.route == Target("C/show"))
        #expect(journey.target == Target("A/show"))
        // Its part of the original info, not of the info that 'A' converted.
        #expect(journey.info == ["id": 3.0])
        #expect(engine.surroundings.events.map(\.kind) == [.fallback, .fallback])
    }

    @Test("feature flags are evaluated without side effects, each for its own step")
    func contexts() throws {
        var engine = try Engine("nav[Main]")
        try engine.route(
            "A/show",
            ["enabled": .returning(true, "enabled"), "build": .building("A")]
        )
        _ = try engine.resolved("A/show")
        let call = try #require(engine.scripts.calls.first)
        #expect(call.context.effects == .none)
        #expect(call.context.step?.title == "A/show")
    }

    @Test(
        "a disabled route without a fallback, or in a cycle of fallbacks, is an error",
        arguments: [
            (["A"], RouteError.Code.disabled), (["A", "A"], .redirectLoop),
            (["A", "B", "A"], .redirectLoop), (["A", "B"], .disabled), (["A", "X"], .notFound),
        ]
    )
    func noFallback(chain: [String], code: RouteError.Code) throws {
        var engine = try Engine("nav[Main]")
        for (index, name) in chain.enumerated() where !chain[..<index].contains(name) {
            guard name != "X" else { continue }
            var definition: InfoTable = ["enabled": .returning(false), "build": .building("Never")]
            if index + 1 < chain.count {
                definition["fallback"] = [.init(chain[index + 1]), "show"]
            }
            try engine.route("\(name)/show", definition)
        }
        let error = error { () throws(RouteError) in try engine.resolved("A/show") }
        #expect(error?.code == code)
    }

    @Test("dependencies are acquired before the flag is checked, and before anything is built")
    func dependencies() throws {
        var engine = try Engine("nav[Main]")
        try engine.route(
            "A/show",
            [
                "needs": ["player"], "enabled": .returning(true, "enabled"),
                "build": .building("A"),
            ]
        )
        #expect(engine.navigate("A/show").outcome == "missingDependency")
        #expect(engine.scripts.calls.isEmpty)
        engine.scripts.providers["player"] = SwiftFunction("provider") { call, _ in
            #expect(call.context.effects == .state)
            return 1
        }
        #expect(engine.navigate("A/show").outcome == "done")
        #expect(engine.scripts.calls.map(\.name) == ["provider", "enabled", "build"])
    }

    @Test("a disabled parent step and a disabled leaf of a tree are replaced by their fallbacks")
    func steps() throws {
        var engine = try Engine("nav[Main]")
        try engine.route(
            "Old/show",
            [
                "enabled": .returning(false), "fallback": ["New", "show"],
                "build": .building("Old"),
            ]
        )
        try engine.route("New/show", ["build": .building("New")])
        try engine.route("Page/show", ["from": ["Old", "show"], "build": .building("Page")])
        #expect(try engine.planned("Page/show").text == "nav → New/show → Page/show")
        try engine.route(
            "Tree/show",
            ["via": "present", "build": engine.blueprint("nav", [[["Old", "show"]]].list)]
        )
        #expect(engine.navigate("Tree/show").outcome == "done")
        #expect(engine.tree() == "nav[Main] ^ nav[New]")
    }
}

extension Array where Element == [Value] {
    /// The lists as a Lua list of lists.
    var list: InfoTable {
        InfoTable(list: map { $0.count == 1 ? $0[0] : .table(InfoTable(list: $0)) })
    }
}
