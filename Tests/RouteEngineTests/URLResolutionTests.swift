// SPDX-License-Identifier: MIT

import RouteCore
import RouteEngine
import Testing

struct URLResolutionTests {
    private func engine() throws -> Engine {
        let engine = try Engine("nav[Main]")
        engine.declare("Show", fields: ["id"])
        try engine.route(
            "Show/open",
            ["url": "/shows/:id(int)", "info": ["id": "integer"], "build": .building("Show")]
        )
        try engine.route("New/open", ["url": "/shows/new", "build": .building("New")])
        try engine.route(
            "Any/open",
            ["url": "/*all", "info": ["all": "any"], "build": .building("Any")]
        )
        return engine
    }

    @Test(
        "a URL leads to the route of its best match, with the parameters that the route declares",
        arguments: [
            ("/shows/7", "nav[Main, Show(id=7)]"), ("/shows/7?utm=x", "nav[Main, Show(id=7)]"),
            ("/shows/new", "nav[Main, New]"), ("/other/place", "nav[Main, Any]"),
        ]
    )
    func matches(url: String, tree: String) throws {
        var engine = try engine()
        let run = engine.open(url)
        #expect(run.outcome == "done")
        #expect(run.journey.origin == .url)
        #expect(engine.tree() == tree)
    }

    @Test(
        "a URL that no pattern matches is not found, and the error suggests 'router.dispatch' if a routing matches"
    )
    func noMatch() throws {
        var engine = try Engine("nav[Main]")
        try engine.route("Show/open", ["url": "/shows/:id(int)", "build": .building("Show")])
        let plain = engine.open("/shows/x")
        #expect(plain.error?.code == .notFound)
        #expect(plain.error?.message.contains("router.dispatch") == false)
        engine.surroundings.isRouting = true
        #expect(engine.open("/nowhere").error?.message.contains("router.dispatch") == true)
    }

    @Test("a parameter kind that scripts declare determines whether a pattern matches")
    func kinds() throws {
        var engine = try Engine("nav[Main]")
        engine.scripts.kinds["even"] = { text in
            text.text.flatMap { Int64($0) }.flatMap { $0 % 2 == 0 ? .integer($0) : nil }
        }
        engine.declare("Even", fields: ["n"])
        try engine.route(
            "Even/open",
            ["url": "/:n(even)", "info": ["n": "integer"], "build": .building("Even")]
        )
        #expect(engine.open("/4").outcome == "done")
        #expect(engine.tree() == "nav[Main, Even(n=4)]")
        #expect(engine.open("/5").outcome == "notFound")
    }

    /// The functions of a route that may return `router.next`.
    enum Asker: String, CaseIterable {
        case prepare, provider, interceptor, interceptAll, parent, parentInterceptor, leaf
        case leafOfProvider, parentProvider, leafProvider, choice
    }

    @Test("'router.next' continues with the next match of the URL", arguments: Asker.allCases)
    func nextMatch(asker: Asker) throws {
        var engine = try engine()
        let next = Value.returning(.object(NextMatch.value))
        var definition: InfoTable = ["url": "/shows/new", "build": .building("New")]
        switch asker {
        case .prepare: definition["prepare"] = next
        case .provider: definition["build"] = next
        case .interceptor:
            engine.interceptor("asks", prepare: next)
            definition["intercept"] = "asks"
        case .interceptAll:
            engine.interceptor("asks", prepare: next)
            engine.interceptAll("asks", only: ["New"])
        case .parent:
            try engine.route("Home/show", ["prepare": next, "build": .building("Home")])
            definition["from"] = ["Home", "show"]
        case .parentInterceptor:
            engine.interceptor("asks", prepare: next)
            definition["from"] = try engine.link(
                ["intercept": "asks", "build": .building("Home")]
            )
        case .parentProvider:
            definition["from"] = try engine.link(["build": next])
        case .leaf, .leafOfProvider:
            try engine.route("Leaf/show", ["prepare": next, "build": .building("Leaf")])
            let blueprint = try engine.blueprint("nav", [[["Leaf", "show"]]].list)
            definition["via"] = "present"
            definition["build"] = asker == .leaf ? blueprint : .returning(blueprint)
        case .leafProvider:
            try engine.route("Leaf/show", ["build": next])
            definition["via"] = "present"
            definition["build"] = try engine.blueprint("nav", [[["Leaf", "show"]]].list)
        case .choice:
            try engine.route("Home/show", ["prepare": next, "build": .building("Home")])
            definition["from"] = try engine.choice([
                "default": .closure { _, _ in ["Home", "show"] }
            ])
        }
        try engine.route("New/open", definition)
        let explained = engine.explain(.url("/shows/new"))
        let run = engine.open("/shows/new")
        #expect(run.outcome == "done")
        #expect(engine.tree() == "nav[Main, Any]")
        #expect(run.journey.opened?.rank == 1)
        #expect(run.journey.redirects.map(\.target) == [Target("New/open")])
        #expect(explained.operations == run.operations)
        #expect(explained.route == Target("Any/open"))
        #expect(engine.surroundings.events.contains { $0.kind == .redirect })
    }

    @Test("'router.next' is an error without a URL, after a redirect, and after the last match")
    func noNextMatch() throws {
        var engine = try engine()
        let next = Value.returning(.object(NextMatch.value))
        try engine.route(
            "Last/open",
            ["url": "/last/*all", "prepare": next, "build": .building("Last")]
        )
        try engine.route("Any/open", ["url": "/*all", "prepare": next, "build": .building("Any")])
        #expect(engine.navigate("Any/open").outcome == "badInfo")
        let last = engine.open("/other")
        #expect(last.outcome == "notFound")
        #expect(last.error?.location == engine.place(of: "Any/open"))
        engine.interceptor("elsewhere") { _, _ in ["redirect": "Any/open"] }
        try engine.route(
            "New/open",
            ["url": "/shows/new", "intercept": "elsewhere", "build": .building("New")]
        )
        #expect(engine.open("/shows/new").outcome == "badInfo")
    }

    @Test("an error of 'router.next' has the location of the route or interceptor that returned it")
    func locationOfNextMatch() throws {
        var engine = try engine()
        let next = Value.returning(.object(NextMatch.value))
        engine.interceptor("asks", prepare: next)
        engine.interceptAll("asks", only: ["Any"])
        try engine.route("New/open", ["prepare": next, "build": .building("New")])
        for (name, asker) in [("Any/open", "asks"), ("New/open", "New/open")] {
            let error = engine.navigate(name, name == "Any/open" ? ["all": "x"] : [:]).error
            #expect(error?.code == .badInfo)
            #expect(error?.location == engine.place(of: asker))
        }
    }

    @Test("'router.next' is an error while the first tree is built")
    func nextMatchOfStart() throws {
        var engine = try Engine()
        try engine.route(
            "Leaf/show",
            ["prepare": .returning(.object(NextMatch.value)), "build": .building("Leaf")]
        )
        let blueprint = Blueprint(stackOf: Target("Leaf/show"), ScreenClass("nav"))
        engine.declarations.firstTree = (.blueprint(blueprint), nil)
        #expect(engine.run(.start(info: [:])).outcome == "badInfo")
    }
}

struct RouteStringTests {
    private func engine(_ answer: @escaping SwiftFunction.Body) throws -> Engine {
        let engine = try Engine("nav[Main]")
        engine.declare("Show", fields: ["id"])
        try engine.route("Show/open", ["info": ["id": "integer"], "build": .building("Show")])
        engine.declarations.handlers["profile_mainroute"] = Handler(
            info: try Definition(["info": ["id": "integer", "more": "string?"]]).info(),
            function: SwiftFunction("handler", answer),
            location: .init(file: "handlers.lua", line: 3)
        )
        return engine
    }

    @Test("a handler resolves a route string to a target, with the handler's info or the payload")
    func handled() throws {
        var engine = try engine { _, _ in ["Show", "open"] }
        #expect(engine.open(#"profile_mainroute|{"id":7,"more":"x"}"#).outcome == "done")
        #expect(engine.tree() == "nav[Main, Show(id=7)]")
        let call = try #require(engine.scripts.calls.first)
        #expect(call.context.effects == .state)
        #expect(call.info == ["id": 7, "more": "x"])
        #expect(call.screen == (try engine.find("Main")))

        var other = try self.engine { _, _ in ["Show", "open", ["id": 8]] }
        #expect(other.open(#"profile_mainroute|{"id":7}"#).outcome == "done")
        #expect(other.tree() == "nav[Main, Show(id=8)]")
    }

    @Test("a state change by a route string handler is kept even if its target is not found")
    func setsState() throws {
        var engine = try engine { _, stage in
            stage.world.shared.state["seen"] = true
            stage.world.shared.stateBytes = stage.world.shared.state.size
            return ["Nowhere", "open"]
        }
        var run = Run(journey: Journey(.url(#"profile_mainroute|{"id":7}"#), .init()))
        run.keepsState = true
        try engine.onStage(of: &run.journey) { (stage) throws(RouteError) in try stage.matchURL() }
        engine.resume(&run)
        #expect(run.outcome == "notFound")
        #expect(run.error?.location?.description == "handlers.lua:3")
        #expect(engine.world.shared.state == ["seen": true])
    }

    @Test(
        "a route string that is malformed, or that no handler handles, is an error",
        arguments: [
            ("profile_mainroute|{", RouteError.Code.parse),
            ("profile_mainrout|{}", .notFound),
            (#"profile_mainroute|{"id":"x"}"#, .badInfo),
        ]
    )
    func errors(text: String, code: RouteError.Code) throws {
        var engine = try engine { _, _ in ["Show", "open"] }
        #expect(engine.open(text).error?.code == code)
        #expect(engine.scripts.calls.isEmpty)
    }
}
