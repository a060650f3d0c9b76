// SPDX-License-Identifier: MIT

import RouteCore
import RouteEngine
import Testing

struct ApprovalTests {
    /// A request that removes `Draft` if the class of the screen permits the removal.
    enum Removal: CaseIterable {
        case plan, action, back, replacedRoot

        func run(_ engine: inout Engine, _ options: NavigationOptions = .init()) throws -> Run {
            switch self {
            case .plan:
                try engine.route("X/show", ["find": "Main", "build": .building("X")])
            case .action:
                try engine.route("X/show", ["via": "pushAsRoot", "build": .building("X")])
            case .back: return engine.run(.back(1), options)
            case .replacedRoot:
                try engine.route("X/show", ["via": "replaceRoot", "build": .building("X")])
            }
            return engine.navigate("X/show", [:], options)
        }
    }

    @Test("a screen that cannot be dismissed fails the navigation, unless the navigation is forced")
    func dismissibility() throws {
        for removal in Removal.allCases {
            var engine = try Engine("nav[Main, Draft(id=7)]")
            engine.declare("Draft", dismissible: .always(false))
            let run = try removal.run(&engine)
            #expect(run.outcome == "notDismissible")
            #expect(run.error?.message.contains("Draft(id=7)") == true)
            #expect(try removal.run(&engine, .init(force: true)).outcome == "done")
        }
    }

    @Test("a link either leaves the dialog that covers its destination, or waits for the dialog")
    func dialogs() throws {
        let rows:
            [(
                tree: String, route: String, DialogPolicy, origin: Origin, outcome: String,
                after: String
            )] = [
                ("nav[Main] ^ nav[Login]", "push", .leave, .url, "done", "nav[Main, X]"),
                ("nav[Main] ^ nav[Login, A]", "push", .leave, .external, "done", "nav[Main, X]"),
                ("nav[Main] ^ nav[Login] ^ A", "present", .leave, .url, "done", "nav[Main] ^ X"),
                ("nav[Main, Login]", "push", .leave, .url, "done", "nav[Main, X]"),
                ("nav[Main, Login, A]", "present", .leave, .url, "done", "nav[Main] ^ X"),
                ("nav[Main, Login]", "replaceRoot", .leave, .url, "done", "X"),
                ("nav[Login]", "push", .leave, .url, "waits for #1", "nav[Login]"),
                ("Login", "replaceRoot", .leave, .url, "waits for #1", "Login"),
                (
                    "nav[Main] ^ nav[Login]", "push", .wait, .url, "waits for #1",
                    "nav[Main] ^ nav[Login]"
                ),
                (
                    "nav[Main] ^ nav[Login]", "push", .join, .url, "done",
                    "nav[Main] ^ nav[Login, X]"
                ),
                (
                    "nav[Main] ^ nav[Login]", "push", .leave, .host, "done",
                    "nav[Main] ^ nav[Login, X]"
                ),
                (
                    "nav[Main] ^ nav[Login]", "push", .leave, .script, "done",
                    "nav[Main] ^ nav[Login, X]"
                ),
            ]
        for (tree, via, policy, origin, outcome, after) in rows {
            var engine = try Engine(tree)
            try engine.route("X/show", ["via": .string(ByteString(via)), "build": .building("X")])
            engine.declarations.dialogPolicy = policy
            engine.surroundings.others = (
                Precedence(active: [.init(1, policy: .queue, waitsAt: [try engine.find("Login")])]),
                own: .init(2, policy: .queue)
            )
            let run = engine.navigate("X/show", [:], .init(origin: origin))
            #expect(run.outcome == outcome, "\(tree) \(via) \(policy)")
            #expect(engine.tree() == after, "\(tree) \(via) \(policy)")
        }
    }

    @Test("'dismissible' is called only for screens that would be removed, topmost first")
    func order() throws {
        var engine = try Engine("nav[A, B, C] ^ nav[D]")
        nonisolated(unsafe) var asked: [String] = []
        for name in ["A", "B", "C", "D"] {
            engine.declare(
                name,
                dismissible: .function(
                    SwiftFunction("dismissible") { call, stage in
                        #expect(call.context.effects == .none)
                        asked.append(call.screen.flatMap { stage.tree.class(of: $0) } ?? "")
                        return true
                    }
                )
            )
        }
        try engine.route("A/show", ["find": "A", "build": .building("A")])
        try engine.route("X/show", ["via": "present", "build": .building("X")])
        #expect(engine.navigate("X/show").outcome == "done")
        #expect(asked == [])
        #expect(engine.navigate("A/show").outcome == "done")
        // Once for the plan, and once for the stage.
        #expect(asked == ["D", "C", "B", "D", "C", "B"])
    }

    @Test(
        "'leaving' is called once per screen, even if only staging reveals that the screen would be removed"
    )
    func leaving() throws {
        for removal in Removal.allCases {
            var engine = try Engine("nav[Main, Draft]")
            engine.declare("Draft", leaving: SwiftFunction("leaving") { _, _ in .nil })
            let run = try removal.run(&engine)
            #expect(run.outcome == "done")
            #expect(run.asked == ["leaving"])
            #expect(engine.world.tree.first(ofClass: "Draft") == nil)
            var forced = try Engine("nav[Main, Draft]")
            forced.declare("Draft", leaving: SwiftFunction("leaving") { _, _ in .nil })
            #expect(try removal.run(&forced, .init(force: true)).asked == [])
        }
    }

    @Test("if 'leaving' refuses or fails, the navigation ends without any change")
    func staying() throws {
        let answers: [(SwiftFunction.Body, String)] = [
            ({ _, _ in "stay" }, "stayed: an interceptor ended the navigation as 'stayed'"),
            ({ _, _ in throw RouteError(.stopped, "no") }, "stopped"),
        ]
        for removal in Removal.allCases {
            for (answer, outcome) in answers {
                var engine = try Engine("nav[Main, Draft]")
                engine.declare("Draft", leaving: SwiftFunction("leaving", answer))
                #expect(try removal.run(&engine).outcome == outcome)
                #expect(engine.tree() == "nav[Main, Draft]")
            }
        }
    }

    @Test("'leaving' may redirect a leaving verb, which then becomes a navigation to a route")
    func redirects() throws {
        var engine = try Engine("nav[Main, Draft]")
        let leaving = SwiftFunction("leaving") { _, _ in
            ["redirect": "Confirm/show", "info": ["id": 1]]
        }
        engine.declare("Draft", leaving: leaving)
        try engine.route("Confirm/show", ["via": "present", "build": .building("Confirm")])
        let run = engine.run(.back(1))
        #expect(run.outcome == "done")
        #expect(run.asked == ["leaving"])
        #expect(run.journey.info == ["id": 1])
        #expect(engine.tree() == "nav[Main, Draft] ^ Confirm")
        try engine.set("main", "nav[Main, Draft]")
        // A route that would remove the screen too is sent there again, which is a loop.
        try engine.route("Confirm/show", ["via": "replaceRoot", "build": .building("Confirm")])
        #expect(engine.run(.back(1)).outcome == "redirectLoop")
    }

    @Test("if each stage removes more guarded screens, 'leaving' is called for at most 8 stages")
    func endlessLeaving() throws {
        for isRoute in [false, true] {
            var engine = try Engine("nav[Main, Draft]")
            let leaving = SwiftFunction("leaving") { _, stage in
                // The person opens another draft meanwhile.
                guard let main = stage.find("Main"), let nav = stage.tree.screen(main)?.parent
                else { return .nil }
                try stage.tree.setChildren([main, try stage.build("Draft")], of: nav)
                stage.world.shared.edits += 1
                return .nil
            }
            engine.declare("Draft", leaving: leaving)
            try engine.route("X/show", ["via": "pushAsRoot", "build": .building("X")])
            let run = isRoute ? engine.navigate("X/show") : engine.run(.back(1))
            #expect(run.outcome == "composition")
            #expect(run.asked.count == Journey.planLimit + (isRoute ? 1 : 0))
        }
    }

    @Test(
        "a refusal by the host or a missing capability ends the navigation before the commit"
    )
    func refusals() throws {
        var engine = try Engine("nav[Main, B]")
        try engine.route("X/show", ["build": .building("X")])
        engine.surroundings.refusal = RouteError(.host, "no")
        #expect(engine.navigate("X/show").outcome == "host")
        // The host only prepares new screens.
        #expect(engine.run(.back(1)).outcome == "done")
        engine.surroundings.refusal = nil
        engine.surroundings.breach = RouteError(.budget, "too many")
        #expect(engine.navigate("X/show").outcome == "budget")
        #expect(engine.tree() == "nav[Main]")
    }

    @Test("the host prepares new screens, parents first, before the change is committed")
    func prepares() throws {
        var engine = try Engine("nav[Main]")
        engine.surroundings.prepares = { (screens, stage) throws(RouteError) in
            #expect(screens.compactMap { stage.tree.class(of: $0) } == ["nav", "X"])
            if let main = stage.find("Main") {
                try stage.setField("seen", to: true, of: main)
            }
        }
        try engine.route("X/show", ["via": "presentWithNav", "build": .building("X")])
        let run = engine.navigate("X/show")
        #expect(run.operations == ["present(nav)", "update(Main(seen=true))"])
    }
}

struct RollBackTests {
    @Test("a rollback restores the tree and the state, and releases the screens of the draft")
    func restores() throws {
        var engine = try Engine("nav[Main]")
        engine.world.shared.state = ["a": 1]
        engine.world.shared.stateBytes = engine.world.shared.state.size
        let image = WorldImage(engine.world)
        var journey = Journey(.dismiss, .init())
        let main = try engine.find("Main")
        let serial = try engine.onStage(of: &journey) { (stage) throws -> Int32 in
            stage.open()
            let made = try stage.build("X")
            let nav = try #require(stage.tree[main].parent as ScreenID?)
            try stage.tree.push(made, onto: nav)
            try stage.setField("id", to: 1, of: main)
            stage.world.shared.state["a"] = 2
            stage.world.shared.state["b"] = 3
            stage.rollBack()
            #expect(stage.released == [made])
            #expect(stage.changedScreens == [])
            #expect(stage.tree.isGone(made))
            // Without a draft a rollback does nothing.
            stage.rollBack()
            return made.serial
        }
        #expect(WorldImage(engine.world) == image)
        #expect(engine.surroundings.forgotten.contains(main))
        // A serial is never used again.
        #expect(try engine.make("Y").serial > serial)
    }

    @Test("a retained value survives a rollback, and the size of the state stays correct")
    func keeps() throws {
        var engine = try Engine("nav[Main]")
        var journey = Journey(.dismiss, .init())
        engine.onStage(of: &journey) { stage in
            // Without a draft there is no rollback to survive.
            stage.keep("none", 1)
            stage.open()
            stage.world.shared.state["kept"] = [1, 2, 3]
            stage.keep("kept", [1, 2, 3])
            stage.world.shared.state["dropped"] = "text"
            stage.world.shared.edits += 2
            stage.rollBack()
        }
        // Only the kept value makes other plans outdated.
        #expect(engine.world.shared.edits == 1)
        #expect(engine.world.shared.state == ["kept": [1, 2, 3]])
        #expect(engine.world.shared.stateBytes == engine.world.shared.state.size)
    }

    @Test(
        "side effects of creating a dependency are kept if the screens being built are rolled back"
    )
    func keepsOfProvider() throws {
        var engine = try Engine("nav[Main]")
        engine.scripts.providers["player"] = SwiftFunction("provider") { call, stage in
            #expect(call.context.effects == .state)
            stage.world.shared.state["player"] = 1
            stage.world.shared.stateBytes = stage.world.shared.state.size
            stage.keep("player", 1)
            return .nil
        }
        try engine.route("Leaf/show", ["needs": ["player"], "build": .raising("no")])
        let tree = try engine.blueprint("nav", [[["Leaf", "show"]]].list)
        try engine.route("X/show", ["via": "present", "build": .returning(tree)])
        var run = Run(journey: Journey(.route(Target("X/show"), info: [:]), .init()))
        run.keepsState = true
        engine.resume(&run)
        #expect(run.outcome == "script")
        #expect(engine.world.shared.state == ["player": 1])
        #expect(engine.tree() == "nav[Main]")
    }
}

struct RestoringTests {
    private func snapshot(_ tree: String, _ engine: Engine) throws -> Snapshot {
        var other = try Engine()
        other.declarations.classes = engine.declarations.classes
        try other.set("main", tree)
        var snapshot = Snapshot()
        for window in other.world.tree.windows {
            snapshot.add(window.root, at: .root(window: window.name), of: other.world.tree)
        }
        snapshot.state = ["user": "ann"]
        return snapshot
    }

    @Test("restoring a snapshot restores both windows and state, or neither")
    func restores() throws {
        let tree = "tabs[nav[A(id=1), B], *C ^ D] ^ nav[E]"
        var engine = try Engine(("main", "nav[Main]"), ("side", "nav[S]"))
        let restore = SwiftFunction("restore") { call, _ in
            #expect(call.context.effects == .stage)
            return .table(call.info)
        }
        engine.declare("A", restorer: restore)
        let snapshot = try snapshot(tree, engine)
        #expect(engine.run(.restore(snapshot)).outcome == "done")
        #expect(engine.tree() == tree)
        #expect(engine.world.tree.windows.map(\.name) == ["main"])
        #expect(engine.world.shared.state == ["user": "ann"])
        #expect(engine.world.shared.stateBytes == engine.world.shared.state.size)
        #expect(engine.run(.restore(Snapshot())).outcome == "composition")
    }

    @Test(
        "a screen that cannot be restored is reported as a loss, and its container is removed if empty"
    )
    func losses() throws {
        let cases: [(tree: String, result: String, losses: Int)] = [
            ("nav[A, Bad, B]", "nav[A, B]", 1), ("nav[A] ^ nav[Bad]", "nav[A]", 2),
            ("tabs[nav[Bad], *B]", "tabs[*B]", 2), ("split[Bad, B]", "nav[Main]", 2),
            ("nav[A ^ Bad]", "nav[A]", 1), ("Bad", "nav[Main]", 1),
        ]
        for (tree, result, losses) in cases {
            var engine = try Engine("nav[Main]")
            engine.declare("Bad", restorer: SwiftFunction("restore") { _, _ in .nil })
            let run = engine.run(.restore(try snapshot(tree, engine)))
            #expect(run.outcome == (result == "nav[Main]" ? "composition" : "done"))
            #expect(engine.tree() == result)
            #expect(run.journey.losses.count == losses, "\(tree)")
        }
    }
}
