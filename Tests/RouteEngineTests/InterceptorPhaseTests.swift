// SPDX-License-Identifier: MIT

import RouteCore
import RouteEngine
import SystemGaps
import Testing

struct InterceptorPhaseTests {
    /// Returns an engine with a chain of routes, each with its own interceptor.
    private func chain() throws -> Engine {
        let engine = try Engine("nav[Main, Old]")
        for name in ["early", "late", "ofA", "ofB", "ofC"] { engine.interceptor(name) }
        engine.interceptAll("late")
        engine.interceptAll("early", before: .search)
        try engine.route(
            "A/show",
            ["find": "Main", "intercept": "ofA", "build": .building("A")]
        )
        try engine.route(
            "B/show",
            ["from": ["A", "show"], "intercept": "ofB", "build": .building("B")]
        )
        try engine.route(
            "C/show",
            ["from": ["B", "show"], "intercept": "ofC", "build": .building("C")]
        )
        return engine
    }

    @Test(
        "interceptors for all routes run first, then the target's, then the parents', then 'leaving'"
    )
    func order() throws {
        var engine = try chain()
        engine.declare("Old", leaving: SwiftFunction("leaving Old") { _, _ in .nil })
        let run = engine.navigate("C/show")
        #expect(run.outcome == "done")
        #expect(run.asked == ["early", "late", "ofC", "ofB", "ofA", "leaving Old"])
        #expect(engine.tree() == "nav[Main, B, C]")
    }

    @Test("each of a hundred and fifty interceptors is called exactly once")
    func work() throws {
        var engine = try chain()
        let names = (1...100).map { "i\($0)" }
        let left = Lock<[Int]>([])
        for (index, name) in names.enumerated() {
            engine.interceptor(name) { _, stage in
                left.withLock { $0.append(stage.journey.unasked.count) }
                return .nil
            }
            engine.interceptAll(name, before: index < 50 ? .search : .stage)
        }
        let own = Value.table(InfoTable(list: names.map { Value($0) }))
        try engine.route("D/show", ["intercept": own, "build": .building("D")])
        #expect(engine.navigate("D/show").outcome == "done")
        // Before the search those of all routes and 'early', then 'late', the other ones and the route's.
        let first = Array((1...50).reversed())
        let second = Array((1...150).reversed())
        #expect(left.withLock(\.self) == first + second)
    }

    @Test("if the screen of a step is found, the interceptors of earlier steps are not called")
    func foundStep() throws {
        var engine = try chain()
        try engine.route(
            "B/show",
            ["find": "Main", "from": ["A", "show"], "intercept": "ofB", "build": .building("B")]
        )
        #expect(engine.navigate("C/show").asked == ["early", "late", "ofC", "ofB"])
    }

    @Test("'only' and 'except' match the service of the resolved route")
    func services() throws {
        var engine = try chain()
        engine.interceptor("onlyA")
        engine.interceptor("exceptA")
        engine.interceptAll("onlyA", only: ["A"])
        engine.interceptAll("exceptA", except: ["A"])
        try engine.route(
            "Off/show",
            [
                "enabled": .returning(false), "fallback": ["A", "show"],
                "build": .building("Off"),
            ]
        )
        #expect(engine.navigate("A/show").asked == ["early", "late", "onlyA", "ofA"])
        #expect(engine.navigate("Off/show").asked == ["early", "late", "onlyA", "ofA"])
        #expect(engine.navigate("C/show").asked.contains("exceptA"))
    }

    @Test(
        "after an interceptor waits, the navigation is replanned, and no interceptor is called again"
    )
    func waits() throws {
        var engine = try chain()
        engine.interceptor("ofC") { _, _ in "wait" }
        let run = engine.navigate("C/show")
        #expect(run.outcome == "done")
        #expect(run.asked == ["early", "late", "ofC", "ofB", "ofA"])
        #expect(run.journey.plans == 2)
    }

    @Test("after a change to the tree or state, additional interceptors of the new plan are called")
    func stalePlan() throws {
        var engine = try chain()
        engine.interceptor("ofC") { _, stage in
            guard let main = stage.find("Main"), let nav = stage.tree.screen(main)?.parent else {
                return .nil
            }
            try stage.tree.setChildren([try stage.build("Other")], of: nav)
            stage.world.shared.edits += 1
            return .nil
        }
        let run = engine.navigate("C/show")
        // 'A' is no longer found, so it is built where its action pushes.
        #expect(run.outcome == "done")
        #expect(run.asked == ["early", "late", "ofC", "ofB", "ofA"])
        #expect(run.journey.plans == 2)
        #expect(engine.tree() == "nav[Other, A, B, C]")
    }

    @Test("an interceptor of a step is called again if the info of the step changes")
    func otherInfo() throws {
        var engine = try Engine("nav[Main]")
        engine.interceptor("ofParent") { _, stage in
            guard stage.world.shared.state["step"].isNil else { return .nil }
            stage.world.shared.state["step"] = 1
            stage.world.shared.edits += 1
            return .nil
        }
        try engine.route("Parent/show", ["intercept": "ofParent", "build": .building("Parent")])
        try engine.route(
            "X/show",
            [
                "adapt": .closure { _, stage in ["step": stage.world.shared.state["step"]] },
                "from": ["Parent", "show"], "build": .building("X"),
            ]
        )
        let run = engine.navigate("X/show")
        #expect(run.outcome == "done")
        #expect(run.asked == ["ofParent", "ofParent"])
    }

    @Test("a navigation is planned again at most 8 times, and the error names the interceptor")
    func tooManyPlans() throws {
        for (changes, outcome) in [
            (Journey.planLimit, "done"), (Journey.planLimit + 1, "composition"),
        ] {
            var engine = try Engine("nav[Main]")
            for index in 1...changes {
                engine.interceptor("i\(index)") { _, stage in
                    stage.world.shared.edits += 1
                    return "wait"
                }
            }
            // Each plan adds one more.
            try engine.route(
                "P/show",
                ["build": .building("P"), "intercept": ["i1"]]
            )
            for index in 1...changes {
                try engine.route(
                    "R\(index)/show",
                    ["build": .building("R"), "intercept": .init("i\(index)")]
                )
            }
            nonisolated(unsafe) var plans = 0
            let choice = try engine.choice([
                "default": .closure { _, _ in
                    plans += 1
                    return [.init("R\(min(plans, changes))"), "show"]
                }
            ])
            try engine.route("X/show", ["from": choice, "build": .building("X")])
            let run = engine.navigate("X/show")
            #expect(run.outcome == outcome)
            #expect(outcome == "done" || run.error?.message.contains("'i\(changes)'") == true)
        }
    }

    @Test("a redirect keeps the origin, drops 'via' and 'from', and calls all interceptors again")
    func redirect() throws {
        var engine = try chain()
        engine.interceptor("ofC") { _, _ in ["redirect": "B/show", "info": ["id": 1]] }
        let run = engine.navigate(
            "C/show",
            [:],
            .init(via: .present, origin: .external, force: true)
        )
        #expect(run.outcome == "done")
        #expect(run.asked == ["early", "late", "ofC", "early", "late", "ofB", "ofA"])
        #expect(run.journey.origin == .external)
        #expect(run.journey.options.isForced)
        #expect(run.journey.info == ["id": 1])
        #expect(engine.tree() == "nav[Main, B]")
    }

    @Test("reaching the same target and info twice, or 16 targets in total, is a redirect loop")
    func redirectLoop() throws {
        var engine = try Engine("nav[Main]")
        engine.interceptor("next") { _, stage in
            let count = stage.journey.info["n"].integer ?? 0
            return ["redirect": "A/show", "info": ["n": .integer(count + 1)]]
        }
        try engine.route("A/show", ["intercept": "next", "build": .building("A")])
        let long = engine.navigate("A/show", ["n": 0])
        #expect(long.outcome == "redirectLoop")
        #expect(long.asked.count == 16)
        engine.interceptor("next") { _, _ in ["redirect": "A/show"] }
        let short = engine.navigate("A/show")
        #expect(short.outcome == "redirectLoop")
        #expect(short.asked.count == 1)
    }

    @Test("'prepare' of an interceptor can end a navigation before any interceptor is called")
    func prepare() throws {
        for isForAll in [true, false] {
            var engine = try chain()
            engine.interceptor("refuses", prepare: .raising("no"))
            if isForAll {
                engine.interceptAll("refuses")
            } else {
                try engine.route(
                    "A/show",
                    ["find": "Main", "intercept": "refuses", "build": .building("A")]
                )
            }
            let run = engine.navigate("C/show")
            #expect(run.outcome == "script")
            #expect(run.asked == ["early"])
        }
    }

    @Test("'prepare' of an interceptor receives the info of its step, and cannot have side effects")
    func prepareContext() throws {
        var engine = try Engine("nav[Main]")
        engine.interceptor("checks", prepare: .returning(nil, "prepare"))
        try engine.route(
            "Parent/show",
            ["info": ["id": "integer"], "intercept": "checks", "build": .building("Parent")]
        )
        try engine.route("X/show", ["from": ["Parent", "show"], "build": .building("X")])
        _ = try engine.planned("X/show", ["id": 1, "more": 2])
        let call = try #require(engine.scripts.calls.first)
        let context = call.context
        #expect(context.effects == .none)
        #expect(call.linkInfo == ["id": 1])
        #expect(context.step?.title == "Parent/show")
    }

    @Test("all gates are passed before interceptors run, and replanning at gates is not counted")
    func gates() throws {
        var engine = try Engine("nav[Main]")
        for name in ["ofX", "ofParent"] { engine.interceptor(name) }
        try engine.route(
            "Parent/show",
            ["ready": ["parent"], "intercept": "ofParent", "build": .building("Parent")]
        )
        try engine.route("Leaf/show", ["ready": ["leaf"], "build": .building("Leaf")])
        try engine.route(
            "X/show",
            [
                "from": ["Parent", "show"], "intercept": "ofX", "via": "present",
                "build": engine.blueprint("nav", [[["Leaf", "show"]]].list),
            ]
        )
        var run = engine.navigate("X/show")
        for gate in ["parent", "leaf"] {
            #expect(run.gate == gate)
            #expect(run.asked == [])
            engine.world.shared.openGates.insert(gate)
            engine.resume(&run)
        }
        #expect(run.outcome == "done")
        #expect(run.asked == ["ofX", "ofParent"])
        #expect(run.journey.plans == 3)
        #expect(run.journey.freePlans == 2)
    }
}
