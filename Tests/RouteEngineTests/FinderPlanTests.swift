// SPDX-License-Identifier: MIT

import RouteCore
import RouteEngine
import Testing

struct FinderPlanTests {
    /// A finder, and the screen that the finder finds.
    struct Case: CustomTestStringConvertible {
        let tree: String
        let find: InfoTable
        /// The found screen; nil if the finder finds none, so that the screen is built.
        let found: String?

        init(_ tree: String, _ find: InfoTable, _ found: String?) {
            (self.tree, self.find, self.found) = (tree, find, found)
        }

        var testDescription: String { "\(find) in \(tree)" }
    }

    @Test(
        "the plan begins at the screen that 'find' accepts",
        arguments: [
            Case("nav[A(id=1), A(id=2)]", ["class": "A"], "A(id=2)"),
            Case("nav[A(id=1), A(id=2)]", ["class": "A", "by": "id"], "A(id=1)"),
            Case("nav[A(id=1.0), B]", ["class": "A", "by": "id"], "A(id=1.0)"),
            Case("nav[A(id=3), A(id=2)]", ["class": "A", "by": "id"], nil),
            Case("nav[A(id=1,no=2), A(id=1,no=3)]", ["by": ["id", "no"]], "A(id=1, no=3)"),
            Case("tabs[nav[A], nav[B]]", ["kind": "nav", "search": "currentAndUp"], "nav"),
            Case("nav[A] ^ B", ["class": "A"], "A"),
            Case("nav[A] ^ B", ["class": "A", "search": "currentAndUp"], nil),
            Case("nav[A] ^ B", ["class": "A", "search": "currentAndUp", "start": "root"], "A"),
            Case("tabs[*nav[B], nav[A]]", ["class": "A", "search": "allVisible"], nil),
            Case(
                "tabs[*nav[B], nav[A]]",
                ["class": "A", "search": ["current", "contained"]],
                "A"
            ),
            Case("nav[A(id=1), A(id=2), B]", ["class": "A", "direction": "topDown"], "A(id=2)"),
            Case("nav[A(id=1), A(id=2), B]", ["class": "A"], "A(id=1)"),
            Case("nav[foreign, B]", ["match": .returning(true), "kind": "foreign"], nil),
            Case("nav[foreign, B]", ["class": "foreign"], "foreign"),
            Case("nav[A]", ["class": "A", "match": .returning(false)], nil),
            Case("nav[A]", ["class": "A", "start": .returning(nil)], nil),
        ]
    )
    func finders(of test: Case) throws {
        var engine = try Engine(test.tree)
        try engine.route(
            "A/show",
            ["find": .table(test.find), "build": .building("New"), "via": "present"]
        )
        let plan = try engine.planned("A/show", ["id": 1, "no": 3])
        if let found = test.found {
            #expect(plan.text == found)
            #expect(plan.by == "find")
        } else {
            #expect(plan.steps == ["A/show"])
            #expect(plan.by == nil)
        }
    }

    @Test("a 'find' function is called for each screen in visit order, without side effects")
    func function() throws {
        var engine = try Engine("tabs[nav[A, B], *nav[C, D]]")
        try engine.route(
            "X/show",
            [
                "find": .closure("match") { call, stage in
                    .boolean(call.screen.flatMap { stage.tree.class(of: $0) } == "A")
                },
                "build": .building("X"),
            ]
        )
        #expect(try engine.planned("X/show", ["id": 1]).text == "A")
        let calls = engine.scripts.calls
        let classes = calls.compactMap { $0.screen.flatMap { engine.world.tree.class(of: $0) } }
        #expect(classes == ["tabs", "nav", "D", "C", "nav", "B", "A"])
        #expect(calls.allSatisfy { $0.context.effects == .none })
        let serial = engine.world.tree.lastSerial
        #expect(calls.allSatisfy { $0.context.planningSerial == serial })
        #expect(calls.allSatisfy { $0.context.step?.title == "X/show" && $0.info == ["id": 1] })
    }

    @Test("the presenting screen, 'never' and a single screen can also be used as finders")
    func otherFinders() throws {
        var engine = try Engine("nav[A] ^ B")
        let present: InfoTable.Key = "via"
        try engine.route("P/show", ["find": Value(Finder.presenter), "build": .building("P")])
        try engine.route("N/show", ["find": "never", "build": .building("N"), present: "present"])
        let screen = try engine.find("A")
        try engine.route("S/show", ["find": .screen(screen), "build": .building("S")])
        #expect(try engine.planned("P/show").text == "nav")
        #expect(try engine.planned("N/show").text == "B → N/show")
        #expect(try engine.planned("S/show").text == "A")
        // A screen that is gone is not found.
        try engine.set("main", "nav[C]")
        #expect(try engine.planned("S/show").text == "nav → S/show")
        #expect(engine.navigate("P/show").outcome == "done")
    }

    @Test(
        "a function may return the start of a search; if that screen is not in the tree, nothing is found"
    )
    func start() throws {
        var engine = try Engine("nav[A]")
        let cases: [(start: Value, code: RouteError.Code?)] = [
            (.returning(1), .script), (.returning(nil), nil),
            (.screen(try engine.make("A")), nil),
        ]
        for (start, code) in cases {
            let function: Value = start.function == nil ? .returning(start) : start
            try engine.route(
                "A/show",
                ["find": ["class": "A", "start": function], "build": .building("A")]
            )
            var plan: Engine.Planned?
            let error = error { () throws(RouteError) in plan = try engine.planned("A/show") }
            #expect(error?.code == code)
            #expect(code != nil || plan?.steps == ["A/show"])
        }
    }

    @Test(
        "if the screen of a step is found, 'prepare' is not called and the parents are not planned"
    )
    func foundStep() throws {
        var engine = try Engine("nav[A]")
        try engine.route(
            "A/show",
            [
                "find": ["class": "A"], "prepare": .raising("prepared"),
                "adapt": .raising("adapted"), "from": ["Missing", "show"],
                "build": .building("A"),
            ]
        )
        #expect(try engine.planned("A/show").text == "A")
        #expect(engine.scripts.calls.isEmpty)
    }

    @Test("'prepare' is called for a step and then for its parents, until the first error")
    func builtStep() throws {
        var engine = try Engine("nav[Main]")
        func step(_ name: String, from: Value = .nil) throws {
            try engine.route(
                "\(name)/show",
                [
                    "prepare": .returning(nil, "prepare \(name)"), "build": .building(name),
                    "from": from,
                ]
            )
        }
        try step("Root")
        try step("Middle", from: ["Root", "show"])
        try step("Leaf", from: ["Middle", "show"])
        #expect(try engine.planned("Leaf/show").text == "nav → Root/show → Middle/show → Leaf/show")
        #expect(
            engine.scripts.calls.map(\.name) == ["prepare Leaf", "prepare Middle", "prepare Root"]
        )
        try engine.route("Middle/show", ["prepare": .raising("no"), "build": .building("Middle")])
        let error = error { () throws(RouteError) in try engine.planned("Leaf/show") }
        #expect(error?.step == "Middle/show")
        #expect(error?.location == engine.place(of: "Middle/show"))
    }
}
