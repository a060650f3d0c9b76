// SPDX-License-Identifier: MIT

import RouteCore
import RouteEngine
import Testing

struct ReusePlanTests {
    /// A policy, and the screen that the policy reuses.
    struct Case: CustomTestStringConvertible {
        let tree: String
        let reuse: Value
        let found: String?

        init(_ tree: String, _ reuse: Value, _ found: String?) {
            (self.tree, self.reuse, self.found) = (tree, reuse, found)
        }

        var testDescription: String { "\(reuse) in \(tree)" }
    }

    private static let isSecond = Value.closure { call, stage in
        .boolean(call.screen.flatMap { stage.tree.screen($0)?.fields["id"] } == 2)
    }

    @Test(
        "a policy reuses the topmost accepted screen in the stack where the action is performed",
        arguments: [
            Case("nav[A(id=1), A(id=2), B]", "class", "A(id=2)"),
            Case("nav[A(id=1), A(id=2), B]", "never", nil),
            Case("nav[A(id=1), A(id=2), B]", "top", nil),
            Case("nav[A(id=1), A(id=2)]", "top", "A(id=2)"),
            Case("nav[A(id=1), A(id=2), B]", ["by": "id"], "A(id=1)"),
            Case("nav[A(id=2), B]", ["by": "id"], nil),
            Case("nav[A(id=1,no=1), A(id=1,no=3)]", ["by": ["id", "no"]], "A(id=1, no=3)"),
            Case("nav[A(id=1,no=3), A(id=1,no=1)]", ["by": ["id", "no"]], "A(id=1, no=3)"),
            Case("nav[A(id=1,no=1), A(id=2,no=3)]", ["by": ["id", "no"]], nil),
            Case("nav[A(id=1,no=1), A(id=1,no=3)]", ["id", "no"], "A(id=1, no=3)"),
            Case("nav[A(id=1), A(id=2), B]", isSecond, "A(id=2)"),
            Case("nav[A(id=2), C(id=2), B]", isSecond, "C(id=2)"),
            Case("nav[B]", "class", nil),
            Case("tabs[nav[A], *nav[B]]", "class", nil),
            Case("tabs[nav[A(id=1)], *nav[B]]", ["by": "id", "search": "fullStack"], "A(id=1)"),
            Case("nav[A] ^ nav[B]", "class", nil),
            Case("nav[A(id=1)] ^ nav[B]", ["by": "id", "search": "presenting"], nil),
            Case("nav[A(id=1)] ^ nav[B]", ["by": "id", "start": "root"], "A(id=1)"),
        ]
    )
    func policies(of test: Case) throws {
        var engine = try Engine(test.tree)
        try engine.route("A/show", ["reuse": test.reuse, "build": .building("A")])
        let plan = try engine.planned("A/show", ["id": 1, "no": 3])
        #expect(plan.found == test.found ?? plan.found)
        #expect(plan.steps == (test.found == nil ? ["A/show"] : []))
        #expect(plan.by == (test.found == nil ? nil : "reuse"))
    }

    @Test("no stack is searched if the parents must be built or the action does not push")
    func withoutStack() throws {
        var engine = try Engine("nav[A]")
        try engine.route("Home/show", ["build": .building("nav[Home]"), "via": "present"])
        try engine.route(
            "A/show",
            ["reuse": "class", "from": ["Home", "show"], "build": .building("A")]
        )
        #expect(try engine.planned("A/show").steps == ["Home/show", "A/show"])
        try engine.route("A/show", ["reuse": "class", "via": "present", "build": .building("A")])
        #expect(try engine.planned("A/show").steps == ["A/show"])
    }

    @Test(
        "a policy with a search is evaluated before planning the parents, a stack policy afterwards"
    )
    func order() throws {
        var engine = try Engine("nav[A, B]")
        for (reuse, calls) in [
            ("class" as Value, ["adapt"]), (["search": "fullStack"], []),
        ] {
            let first = engine.scripts.calls.count
            try engine.route(
                "A/show",
                [
                    "reuse": reuse, "from": "current", "prepare": .returning(nil, "prepare"),
                    "adapt": .returning([:], "adapt"), "build": .building("A"),
                ]
            )
            #expect(try engine.planned("A/show").text == "A")
            // A step that is found is not prepared.
            #expect(engine.scripts.calls[first...].map(\.name) == calls)
        }
    }

    @Test("reusing a screen either pops to it or moves it to the top")
    func moves() throws {
        for (policy, tree) in [
            ("class" as Value, "nav[Main, A]"), (["move": true], "nav[Main, B, A]"),
        ] {
            var engine = try Engine("nav[Main, A, B]")
            try engine.route("A/show", ["reuse": policy, "build": .building("A")])
            let run = engine.navigate("A/show")
            #expect(run.outcome == "done")
            #expect(run.journey.reused == run.journey.reached)
            #expect(engine.tree() == tree)
        }
    }

    @Test(
        "a screen that cannot be dismissed prevents a pop, but not moving another screen to the top"
    )
    func movesWithoutLeaving() throws {
        for (policy, outcome) in [("class" as Value, "notDismissible"), (["move": true], "done")] {
            var engine = try Engine("nav[Main, A, B]")
            engine.declare("B", dismissible: .always(false))
            try engine.route("A/show", ["reuse": policy, "build": .building("A")])
            #expect(engine.navigate("A/show").outcome == outcome)
        }
    }
}

struct LearnedClassTests {
    @Test(
        "a class that is known only after building is recorded, and the existing screen is reused"
    )
    func learns() throws {
        for reuse in ["class", "top", ["by": "id"]] as [Value] {
            var engine = try Engine("nav[Main, Page(id=1)]")
            try engine.route("Show/open", ["reuse": reuse, "build": .building("Page(id=1)")])
            let run = engine.navigate("Show/open", ["id": 1])
            #expect(run.outcome == "done")
            #expect(run.outdatedPlans == 1)
            #expect(run.operations == [])
            #expect(engine.tree() == "nav[Main, Page(id=1)]")
            // It is known now.
            #expect(engine.navigate("Show/open", ["id": 1]).outdatedPlans == 0)
        }
    }

    @Test("replanning because staging recorded a class does not count toward the limit of plans")
    func freePlans() throws {
        let count = Journey.planLimit + 4
        let classes = (1...count).map { "P\($0)" }
        var engine = try Engine("nav[\(classes.joined(separator: ", "))]")
        var from: Value = "root"
        for name in classes {
            from = try engine.link(["reuse": "class", "build": .building(name), "from": from])
        }
        try engine.route("X/show", ["from": from, "build": .building("X")])
        let run = engine.navigate("X/show")
        #expect(run.outcome == "done")
        #expect(run.outdatedPlans == count)
        #expect(run.operations == ["push(X)"])
    }
}
