// SPDX-License-Identifier: MIT

import RouteCore
import RouteEngine
import Testing

struct ParentPlanTests {
    @Test("each form of 'from' determines where the action is performed")
    func forms() throws {
        var engine = try Engine("tabs[*nav[A, B], nav[C]] ^ nav[D]")
        try engine.route("Home/show", ["find": ["class": "A"], "build": .building("Home")])
        try engine.route("New/show", ["build": .building("New"), "via": "present"])
        let cases: [(from: Value, plan: String)] = try [
            ("current", "nav → X/show"), ("root", "tabs → X/show"),
            ("B", "B → X/show"), (["class": "C"], "C → X/show"),
            (.screen(engine.find("A")), "A → X/show"),
            (Value(Finder.presenter), "tabs → X/show"),
            (["Home", "show"], "A → X/show"), (["New", "show"], "nav → New/show → X/show"),
            (engine.link(["find": "C"]), "C → X/show"),
            (engine.link(["build": .building("L"), "from": "root"]), "tabs → link → X/show"),
            (engine.newNav(["via": "present", "from": "current"]), "nav → nav → X/show"),
            (engine.choice([["when": "C", "from": "root"]].table), "tabs → X/show"),
        ]
        for (from, plan) in cases {
            try engine.route("X/show", ["from": from, "build": .building("X")])
            #expect(try engine.planned("X/show").text == plan)
        }
    }

    @Test(
        "a 'from' screen that is not in the tree is an error, even if the caller names the screen"
    )
    func missingPlaces() throws {
        var engine = try Engine("nav[A]")
        try engine.route("X/show", ["from": "Nowhere", "build": .building("X")])
        #expect(engine.navigate("X/show").outcome == "startNotFound")
        let detached = try engine.make("B")
        #expect(engine.navigate("X/show", [:], .init(from: detached)).outcome == "composition")
        let place = try engine.find("A")
        #expect(try engine.planned("X/show", [:], .init(from: place)).text == "A → X/show")
    }

    @Test("without 'from', an action is performed at its default position, or fails if it has none")
    func defaultPlaces() throws {
        let tree = "tabs[*nav[A, B], split[C, nav[D]]]"
        let cases: [(tree: String, via: Value, place: String?)] = [
            (tree, .nil, "nav"), (tree, "pushAsRoot", "nav"), (tree, "present", "tabs"),
            (tree, "replaceRoot", "tabs"), (tree, "addTab", "tabs"), (tree, "none", "tabs"),
            (tree, "pushToDetails", nil), (tree, "replaceLast", nil),
            ("tabs[nav[A], *split[C, nav[D]]]", "pushToDetails", "split"),
            ("tabs[nav[A], *split[C, nav[D]]]", "push", "nav"),
            ("tabs[nav[A], *split[C]]", "push", nil),
            ("nav[A] ^ B", "push", nil), ("nav[A] ^ B", "present", "B"),
            ("nav[A] ^ B", "replaceRoot", "nav"), ("nav[A] ^ nav[B]", "push", "nav"),
        ]
        for (tree, via, place) in cases {
            var engine = try Engine(tree)
            try engine.route("X/show", ["via": via, "build": .building("X")])
            var found: String?
            let error = error { () throws(RouteError) in found = try engine.planned("X/show").found
            }
            #expect(found == place, "\(via) in \(tree)")
            #expect(error?.code == (place == nil ? .typeMismatch : nil))
        }
    }

    @Test("the action of the caller replaces the action and the parents of the route")
    func callersAction() throws {
        var engine = try Engine("nav[A]")
        try engine.route("Home/show", ["build": .building("Home")])
        try engine.route(
            "X/show",
            ["via": "push", "from": ["Home", "show"], "build": .building("X")]
        )
        #expect(try engine.planned("X/show").steps == ["Home/show", "X/show"])
        let plan = try engine.planned("X/show", [:], .init(via: .present))
        #expect(plan.text == "nav → X/show")
        #expect(plan.journey.plan?.links.last?.via.name == "present")
    }

    @Test("parents receive only the declared part of the adapted info")
    func adapt() throws {
        var engine = try Engine("nav[Main]")
        try engine.route(
            "Root/show",
            ["info": ["id": "integer"], "build": .building("Root")]
        )
        try engine.route(
            "Middle/show",
            [
                "info": ["id": "number"], "from": ["Root", "show"],
                "build": .building("Middle"),
            ]
        )
        try engine.route(
            "X/show",
            [
                "adapt": .closure { call, _ in
                    var info = call.info
                    info["id"] = 2.0
                    return .table(info)
                },
                "from": ["Middle", "show"], "build": .building("X"),
            ]
        )
        let plan = try engine.planned("X/show", ["id": 1, "more": "x"])
        #expect(
            plan.journey.plan?.links.map(\.info) == [
                ["id": 2], ["id": 2.0], ["id": 1, "more": "x"],
            ]
        )
        try engine.route(
            "X/show",
            ["adapt": .returning(1), "from": "root", "build": .building("X")]
        )
        #expect(engine.navigate("X/show").outcome == "script")
        try engine.route(
            "X/show",
            ["adapt": .returning(["id": "x"]), "from": ["Root", "show"], "build": .building("X")]
        )
        let run = engine.navigate("X/show")
        #expect(run.outcome == "badInfo")
        #expect(run.error?.step == "Root/show")
    }

    @Test("a switch uses the first case whose condition is true or, if there is none, its default")
    func switches() throws {
        var engine = try Engine("nav[A, B]")
        let isOne = Value.closure("when") { call, _ in .boolean(call.info["id"] == 1) }
        let cases: [(cases: InfoTable, plan: String?)] = try [
            ([["when": isOne, "from": "A"], ["from": "B"]].table, "A → X/show"),
            ([["when": .returning(false), "from": "A"], ["from": "B"]].table, "B → X/show"),
            ([["when": "A", "from": "B"]].table, "B → X/show"),
            ([["when": ["class": "Z"], "from": "B"], ["from": "A"]].table, "A → X/show"),
            ([["from": "Z"], ["from": "B"]].table, "B → X/show"),
            ([["from": .returning(nil)], ["from": "B"]].table, "B → X/show"),
            ([["from": .returning("root")]].table, "nav → X/show"),
            ([["from": engine.link(["find": "A"])]].table, "A → X/show"),
            (["default": "A"], "A → X/show"),
            ([["from": "Z"]].table, nil), (["default": .returning(nil)], nil),
        ]
        for (cases, text) in cases {
            try engine.route("X/show", ["from": engine.choice(cases), "build": .building("X")])
            var plan: String?
            let error = error { () throws(RouteError) in
                plan = try engine.planned("X/show", ["id": 1]).text
            }
            #expect(plan == text)
            #expect(error?.code == (text == nil ? .startNotFound : nil))
        }
        // A case that applies is final, even if it then fails.
        let bad = try engine.choice([["when": "A", "from": "Z"], ["from": "B"]].table)
        try engine.route("X/show", ["from": bad, "build": .building("X")])
        #expect(engine.navigate("X/show").outcome == "startNotFound")
    }

    @Test(
        "functions of a switch run without side effects, for the step that has the switch as 'from'"
    )
    func switchContext() throws {
        var engine = try Engine("nav[A, B]")
        let choice = try engine.choice(
            [
                ["when": .returning(true, "when"), "from": .returning("A", "from")]
            ].table
        )
        try engine.route("X/show", ["from": choice, "build": .building("X")])
        _ = try engine.planned("X/show", ["id": 1])
        #expect(engine.scripts.calls.map(\.name) == ["when", "from"])
        for call in engine.scripts.calls {
            #expect(call.context.effects == .none)
            #expect(call.context.step?.title == "X/show")
            #expect(call.info == ["id": 1])
        }
    }

    @Test("a cycle of parents is an error, unless the info changes each time")
    func circles() throws {
        var engine = try Engine("nav[A]")
        try engine.route("X/show", ["from": ["Y", "show"], "build": .building("X")])
        try engine.route("Y/show", ["from": ["X", "show"], "build": .building("Y")])
        let error = engine.navigate("X/show").error
        #expect(error?.code == .startNotFound)
        #expect(error?.message.contains("X/show from Y/show from X/show") == true)
        let less = Value.closure { call, _ in
            ["n": .integer((call.info["n"].integer ?? 0) - 1)]
        }
        let choice = try engine.choice(
            [
                ["when": .closure { call, _ in .boolean(call.info["n"] == 0) }, "from": "A"],
                ["from": .returning(["N", "show"])],
            ].table
        )
        try engine.route("N/show", ["adapt": less, "from": choice, "build": .building("N")])
        #expect(try engine.planned("N/show", ["n": 3]).steps == ["N/show", "N/show", "N/show"])
    }

    @Test("a chain may have up to 40 steps and switches")
    func depth() throws {
        for (count, isPlanned) in [(Stage.stepLimit, true), (Stage.stepLimit + 1, false)] {
            var engine = try Engine("nav[A]")
            var from: Value = "root"
            for _ in 1..<count { from = try engine.link(["from": from, "build": .building("L")]) }
            try engine.route("X/show", ["from": from, "build": .building("X")])
            let run = engine.navigate("X/show")
            #expect(run.outcome == (isPlanned ? "done" : "startNotFound"))
            #expect(!isPlanned || run.journey.plan?.links.count == count)
        }
    }

    @Test("a step without 'build' whose screen is not found needs parents that create the screen")
    func withoutBuild() throws {
        var engine = try Engine("nav[A]")
        try engine.route("Home/show", ["via": "present", "build": .building("nav[Inner]")])
        try engine.route("Inner/show", ["find": "Inner", "from": ["Home", "show"]])
        try engine.route("Lost/show", ["find": "Lost", "from": ["Home", "show"]])
        try engine.route("Alone/show", ["find": "Alone"])
        #expect(engine.navigate("Alone/show").outcome == "startNotFound")
        #expect(engine.navigate("Lost/show").outcome == "composition")
        let run = engine.navigate("Inner/show")
        #expect(run.outcome == "done")
        #expect(engine.tree() == "nav[A] ^ nav[Inner]")
        #expect(run.journey.visits.map { $0.step?.title } == [nil, "Home/show", "Inner/show"])
    }
}

extension Array where Element == InfoTable {
    /// The tables as a Lua list.
    var table: InfoTable { InfoTable(list: map(Value.table)) }
}
