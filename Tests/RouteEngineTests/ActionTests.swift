// SPDX-License-Identifier: MIT

import RouteCore
import RouteEngine
import Testing

struct ActionTests {
    /// A tree, the action that puts `New` into the tree, and the result.
    struct Case: CustomTestStringConvertible, Sendable {
        let tree: String
        let via: Value
        var from: Value = .nil
        var build = "New"
        /// The resulting tree, or the code of the error.
        let result: String

        init(
            _ tree: String,
            _ via: Value,
            from: Value = .nil,
            build: String = "New",
            _ result: String
        ) {
            (self.tree, self.via, self.from, self.build, self.result) =
                (tree, via, from, build, result)
        }

        var testDescription: String { "\(via) of \(build) in \(tree)" }
    }

    private static func addTab(at index: Int, replacing: Bool = false) -> Value {
        Value(Action.addTab(at: index, replacing: replacing))
    }

    private static func present(_ start: PresentOptions.Start, contextual: Bool = false) -> Value {
        let presentation = Screen.Presentation(isContextual: contextual)
        return Value(
            Action(kind: .present(PresentOptions(presentation: presentation, start: start)))
        )
    }

    @Test(
        "an action places the screen of its step",
        arguments: [
            Case("nav[A, B]", .nil, "nav[A, B, New]"),
            Case("nav[A, B]", "push", "nav[A, B, New]"),
            Case("nav[A, B]", "pushAsRoot", "nav[New]"),
            Case("nav[A, B]", "pushReplacingLast", "nav[A, New]"),
            Case("nav[A, B]", "none", "nav[A, B]"),
            Case("nav[A, B]", "present", "nav[A, B] ^ New"),
            Case("nav[A, B]", "presentWithNav", "nav[A, B] ^ nav[New]"),
            Case("nav[A, B]", "replaceRoot", "New"),
            Case("nav[A] ^ B", "replaceRoot", "New"),
            Case("nav[A, B]", "replaceRoot", from: "A", "composition"),
            Case("A", "push", "typeMismatch"),
            Case("tabs[*A, B]", "push", from: "A", "typeMismatch"),
            Case("nav[A] ^ B", "present", "nav[A] ^ B ^ New"),
            Case("nav[A] ^ B", "present", from: "root", "nav[A] ^ New"),
            Case("nav[A] ^ B", "push", from: "A", "nav[A, New]"),
            Case("nav[A, B, C]", "push", from: "A", "nav[A, New]"),
            Case("tabs[*nav[A], nav[B]]", "push", from: "B", "tabs[nav[A], *nav[B, New]]"),
            Case("tabs[*nav[A], nav[B]]", "addTab", "tabs[nav[A], nav[B], *New]"),
            Case("tabs[*A, B]", addTab(at: 1), "tabs[*New, A, B]"),
            Case("tabs[*A, B]", addTab(at: 2, replacing: true), "tabs[A, *New]"),
            Case("tabs[*A, B]", addTab(at: 9), "tabs[A, B, *New]"),
            Case("nav[A]", "addTab", "typeMismatch"),
            Case("split[A, B]", "setAsPrimary", "split[New, B]"),
            Case("split[A]", "pushToDetails", "split[A, New]"),
            Case("split[A, B]", "pushToDetails", "split[A, New]"),
            Case("split[A, nav[B]]", "pushOnToDetails", "split[A, nav[B, New]]"),
            Case("split[A]", "pushOnToDetails", build: "nav[New]", "split[A, nav[New]]"),
            Case("split[A]", "pushOnToDetails", "composition"),
            Case("split", "pushToDetails", "composition"),
            Case("Deck[A, B]", "replaceLast", "Deck[A, New]"),
            Case("nav[A]", "replaceLast", "typeMismatch"),
            Case("nav[A, B]", present(.finder(Finder("A"))), "nav[A, B] ^ New"),
            Case("nav[A, B]", present(.finder(Finder("Z"))), "composition"),
            Case("nav[A] ^ B", present(.topmostParent), from: "B", "nav[A] ^ B ^ New"),
            Case(
                "tabs[*A, B]",
                present(.current, contextual: true),
                from: "A",
                "tabs[*A ^ New, B]"
            ),
            Case("nav[A]", "slide", "script"),
        ]
    )
    func places(_ test: Case) throws {
        var engine = try Engine()
        engine.declarations.classes.declare(ScreenClass("Deck", kind: .container))
        try engine.set("main", test.tree)
        try engine.route(
            "New/show",
            ["via": test.via, "from": test.from, "build": .building(test.build)]
        )
        let before = engine.tree()
        let run = engine.navigate("New/show")
        if let error = run.error {
            #expect(error.code.rawValue == test.result)
            #expect(error.step == "New/show")
            #expect(engine.tree() == before)
        } else {
            #expect(engine.tree() == test.result)
        }
    }

    @Test(
        "a provider that returns a screen of the stack pops to that screen; any other existing screen is an error"
    )
    func existingScreen() throws {
        var engine = try Engine("tabs[*nav[A, B], nav[C]]")
        for (name, outcome) in [("A", "done"), ("C", "composition")] {
            try engine.route(
                "X/show",
                ["build": .closure { _, stage in stage.find(name).map(Value.screen) ?? .nil }]
            )
            let run = engine.navigate("X/show")
            #expect(run.outcome == outcome)
            #expect(run.error != nil || run.journey.reused == run.journey.reached)
        }
        #expect(engine.tree() == "tabs[*nav[A], nav[C]]")
    }

    @Test(
        "a provider that returns no screen is an error",
        arguments: [
            (Value.nil, RouteError.Code.badInfo), (Value.integer(1), .script),
            (Value.table(["id": 1]), .script), (Value(Action.push), .script),
        ]
    )
    func badProvider(result: Value, code: RouteError.Code) throws {
        var engine = try Engine("nav[A]")
        try engine.route("X/show", ["build": .returning(result)])
        let error = engine.navigate("X/show").error
        #expect(error?.code == code)
        #expect(error?.location == engine.place(of: "X/show"))
    }

    @Test(
        "a provider can reuse screens of the stack in which its action is performed, and may create screens"
    )
    func providerContext() throws {
        var engine = try Engine("tabs[*nav[A], nav[B]]")
        let cases: [(via: Value, nav: String?)] = [
            (.nil, "A"), ("pushAsRoot", "A"), ("present", nil), ("addTab", nil),
        ]
        for (via, child) in cases {
            try engine.route("X/show", ["via": via, "build": .building("X")])
            let before = engine
            _ = engine.navigate("X/show", ["id": 1])
            let context = try #require(engine.scripts.calls.last?.context)
            #expect(context.effects == .stage)
            #expect(context.step?.title == "X/show")
            let nav = child.flatMap { before.world.tree.first(ofClass: $0) }.flatMap {
                before.world.tree.screen($0)?.parent
            }
            #expect(context.existingNav == nav)
            engine.world = before.world
        }
    }

    @Test("an action that a script declares is performed on the container that it needs")
    func declaredAction() throws {
        var engine = try Engine("tabs[*nav[A, B]]")
        let body = SwiftFunction("slide") { call, stage in
            #expect(call.context.effects == .action)
            let place = try #require(call.arguments.first?.screen)
            let screen = try #require(call.arguments.last?.screen)
            #expect(stage.tree.screen(place)?.class == "nav")
            try stage.act(.pushAsRoot, on: screen, at: place, in: call.context)
            let top = try stage.build("Top")
            try stage.act(.push, on: top, at: place, in: call.context)
            return .nil
        }
        engine.declarations.actions["slide"] = DeclaredAction(
            name: "slide",
            needs: .kind(.nav),
            body: body,
            location: nil
        )
        try engine.route("X/show", ["via": "slide", "build": .building("X")])
        let run = engine.navigate("X/show")
        #expect(run.outcome == "done")
        // A screen that an action places below the top remains there.
        #expect(engine.tree() == "tabs[*nav[X, Top]]")
        try engine.set("main", "A")
        #expect(engine.navigate("X/show").outcome == "typeMismatch")
    }

    @Test(
        "steps are staged from the found screen onward, and visited screens are recorded in that order"
    )
    func chain() throws {
        var engine = try Engine("nav[A]")
        try engine.route("Sheet/show", ["via": "presentWithNav", "build": .building("Sheet")])
        try engine.route("X/show", ["from": ["Sheet", "show"], "build": .building("X")])
        let run = engine.navigate("X/show", [:])
        #expect(engine.tree() == "nav[A] ^ nav[Sheet, X]")
        let classes = run.journey.visits.map { engine.world.tree.class(of: $0.screen) }
        #expect(classes == ["nav", "Sheet", "X"])
        #expect(run.journey.visits.map(\.info) == [nil, [:], [:]])
    }

    @Test("a step whose action does not place its screen is recorded as a detached visit")
    func detached() throws {
        var engine = try Engine("nav[A]")
        try engine.route("X/show", ["via": "none", "build": .building("X")])
        let run = engine.navigate("X/show")
        #expect(run.outcome == "done")
        #expect(run.operations == [])
        #expect(run.journey.visits.map(\.isDetached) == [false, true])
    }
}

struct UpdateTests {
    @Test("declared fields are set first; then updates for all routes and updates of the step run")
    func order() throws {
        for isFound in [false, true] {
            var engine = try Engine(isFound ? "nav[X(old=1, title=2)]" : "nav[A]")
            engine.declare("X", fields: ["id", "title", "other"])
            engine.declarations.updates = [
                SwiftFunction("all") { call, stage in
                    let fields = call.screen.flatMap { stage.tree.screen($0)?.fields }
                    #expect(fields?["id"] == (fields == nil ? .nil : 7))
                    return .nil
                }
            ]
            try engine.route(
                "X/show",
                [
                    "info": ["id": "integer", "title": "string?", "back": "function?"],
                    "find": "X", "update": .returning(nil, "own"), "build": .building("X(title=1)"),
                ]
            )
            let run = engine.navigate("X/show", ["id": 7, "back": .returning(nil)])
            #expect(run.outcome == "done")
            #expect(
                engine.scripts.calls.map(\.name).filter { $0 != "build" } == ["all", "own"]
            )
            // An absent optional parameter sets nil on a screen that was found.
            #expect(engine.tree() == (isFound ? "nav[X(id=7, old=1)]" : "nav[A, X(id=7, title=1)]"))
            #expect(engine.scripts.calls.allSatisfy { $0.context.effects == .stage })
        }
    }

    @Test(
        "updates for all routes run for the screen that 'from' names, but not for a default start"
    )
    func start() throws {
        var engine = try Engine("nav[A]")
        engine.declarations.updates = [SwiftFunction("all") { _, _ in .nil }]
        try engine.route("X/show", ["build": .building("X")])
        try engine.route("Y/show", ["from": "A", "build": .building("Y")])
        _ = engine.navigate("X/show")
        #expect(engine.scripts.calls.filter { $0.name == "all" }.count == 1)
        _ = engine.navigate("Y/show")
        #expect(engine.scripts.calls.filter { $0.name == "all" }.count == 3)
    }

    @Test("navigating to a visible screen that already has the requested fields changes nothing")
    func visibleScreen() throws {
        var engine = try Engine("nav[X(id=7)]")
        engine.declare("X", fields: ["id"])
        try engine.route(
            "X/show",
            ["info": ["id": "integer"], "find": "X", "build": .building("X")]
        )
        let run = engine.navigate("X/show", ["id": 7])
        #expect(run.outcome == "done")
        #expect(run.operations == [])
        #expect(run.journey.visits.map(\.screen) == [try engine.find("X")])
        #expect(run.journey.reused == run.journey.reached)
        #expect(engine.navigate("X/show", ["id": 8]).operations == ["update(X(id=8))"])
    }
}
