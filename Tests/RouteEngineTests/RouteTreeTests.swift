// SPDX-License-Identifier: MIT

import RouteCore
import RouteEngine
import Testing

/// Tests of trees whose leaves are routes.
struct RouteTreeTests {
    private func engine() throws -> Engine {
        let engine = try Engine("nav[Main]")
        engine.declare("Home", fields: ["id"])
        try engine.route("Home/show", ["info": ["id": "integer?"], "build": .building("Home")])
        try engine.route("Search/show", ["build": .building("Search")])
        return engine
    }

    private static let home: Value = ["Home", "show"]
    private static let search: Value = ["Search", "show"]

    @Test("children are built in order, before their container is placed")
    func builds() throws {
        var engine = try engine()
        var search: InfoTable = ["via": Value(Action.addTab(at: 1))]
        search[.integer(1)] = "Search"
        search[.integer(2)] = "show"
        let nav = try engine.blueprint("nav", [[Self.home]].list)
        var tabs: InfoTable = InfoTable(list: [nav, .table(search)])
        tabs["selected"] = 2
        try engine.route(
            "Tree/show",
            ["via": "present", "build": engine.blueprint("tabs", tabs), "update": .returning(nil)]
        )
        let run = engine.navigate("Tree/show", ["id": 3])
        #expect(run.outcome == "done")
        #expect(engine.tree() == "nav[Main] ^ tabs[Search, *nav[Home(id=3)]]")
        #expect(
            run.journey.visits.map { $0.step?.title } == [
                nil, "Home/show", "Search/show", "Tree/show",
            ]
        )
    }

    @Test(
        "a provider may return a tree of routes, and staging waits at the gates of these routes"
    )
    func ofProvider() throws {
        var engine = try engine()
        try engine.route(
            "Search/show",
            [
                "ready": ["index"], "prepare": .returning(nil, "prepare"),
                "build": .building("Search"),
            ]
        )
        let blueprint = try engine.blueprint("nav", [[Self.home], [Self.search]].list)
        try engine.route("Tree/show", ["via": "present", "build": .returning(blueprint)])
        var run = engine.navigate("Tree/show")
        #expect(run.gate == "index")
        #expect(run.journey.freePlans == 1)
        engine.world.shared.openGates = ["index"]
        engine.resume(&run)
        #expect(run.outcome == "done")
        #expect(run.journey.plans == 2)
        #expect(engine.tree() == "nav[Main] ^ nav[Home, Search]")
        let prepared = engine.scripts.calls.filter { $0.name == "prepare" }
        #expect(prepared.count == 2)
        #expect(prepared.allSatisfy { $0.context.effects == .none })
        #expect(prepared.allSatisfy { $0.context.step?.title == "Search/show" })
    }

    @Test("a provider of a leaf receives the leaf's own step, and no existing stack")
    func contexts() throws {
        var engine = try engine()
        engine.declarations.actions["insert"] = DeclaredAction(
            name: "insert",
            needs: .kind(.nav),
            body: SwiftFunction("insert") { call, stage in
                let place = try #require(call.arguments.first?.screen)
                let screen = try #require(call.arguments.last?.screen)
                try stage.act(.push, on: screen, at: place, in: call.context)
                return .nil
            },
            location: nil
        )
        var leaf: InfoTable = ["via": "insert", "adapt": .returning(["id": 5], "adapt")]
        leaf[.integer(1)] = "Home"
        leaf[.integer(2)] = "show"
        let blueprint = try engine.blueprint("nav", InfoTable(list: [.table(leaf)]))
        try engine.route("Tree/show", ["via": "pushAsRoot", "build": .returning(blueprint)])
        #expect(engine.navigate("Tree/show").outcome == "done")
        #expect(engine.tree() == "nav[nav[Home(id=5)]]")
        let build = try #require(engine.scripts.calls.last { $0.name == "build" })
        #expect(build.context.existingNav == nil)
        #expect(build.context.step?.title == "Home/show")
        #expect(build.info == ["id": 5])
        let action = try #require(engine.scripts.calls.last { $0.name == "insert" })
        #expect(action.context.effects == .action)
        #expect(action.context.step?.title == "Home/show")
    }

    /// The definition of a leaf that cannot be built.
    struct BadLeaf {
        let definition: InfoTable
        let code: RouteError.Code

        init(_ definition: InfoTable, _ code: RouteError.Code) {
            (self.definition, self.code) = (definition, code)
        }
    }

    @Test(
        "a leaf that cannot be built is an error, and nothing changes",
        arguments: [
            BadLeaf(["find": "Main"], .script), BadLeaf(["build": .returning(nil)], .badInfo),
            BadLeaf(["build": .raising("no")], .script),
            BadLeaf(["prepare": .raising("no"), "build": .building("X")], .script),
            BadLeaf(["info": ["n": "integer"], "build": .building("X")], .badInfo),
            BadLeaf(["needs": ["x"], "build": .building("X")], .missingDependency),
            BadLeaf(["enabled": .returning(false), "build": .building("X")], .disabled),
        ]
    )
    func badLeaf(_ leaf: BadLeaf) throws {
        var engine = try engine()
        try engine.route("Leaf/show", leaf.definition)
        let blueprint = try engine.blueprint("nav", [[Self.home], [["Leaf", "show"]]].list)
        for build in [blueprint, .returning(blueprint)] {
            try engine.route("Tree/show", ["via": "present", "build": build])
            let error = engine.navigate("Tree/show").error
            #expect(error?.code == leaf.code)
            #expect(error?.step == "Leaf/show")
        }
        #expect(engine.tree() == "nav[Main]")
    }

    @Test("a tree that contains itself is an error, in a definition and from a provider")
    func insideItself() throws {
        for isProvided in [false, true] {
            var engine = try engine()
            let tree = try engine.blueprint("nav", [[["Tree", "show"]]].list)
            try engine.route(
                "Tree/show",
                ["via": "present", "build": isProvided ? .returning(tree) : tree]
            )
            #expect(engine.navigate("Tree/show").outcome == "composition")
        }
    }

    @Test("the total number of children in the trees of a plan is limited")
    func leafLimit() throws {
        var engine = try engine()
        func tree(of count: Int) throws -> Value {
            let nav = try engine.blueprint(
                "nav",
                InfoTable(list: Array(repeating: Self.home, count: 50))
            )
            return try engine.blueprint(
                "tabs",
                InfoTable(list: Array(repeating: nav, count: count / 50))
            )
        }
        // Children are counted once while they are planned and once while they are built.
        engine.interceptor("waits") { _, _ in "wait" }
        try engine.route(
            "Tree/show",
            ["via": "present", "intercept": "waits", "build": tree(of: Stage.leafLimit / 3)]
        )
        let run = engine.navigate("Tree/show")
        #expect(run.outcome == "done")
        #expect(run.journey.plans == 2)
        try engine.route(
            "Tree/show",
            ["via": "present", "build": tree(of: Stage.leafLimit)]
        )
        #expect(engine.navigate("Tree/show").outcome == "budget")
    }
}

struct FirstTreeTests {
    @Test("the first tree is built by a function or from a tree of routes")
    func builds() throws {
        var engine = try Engine()
        #expect(engine.run(.start(info: [:])).outcome == "notFound")
        let build = SwiftFunction("start") { call, stage in
            #expect(call.info == ["id": 1])
            return .screen(try stage.build("nav[Main]"))
        }
        engine.declarations.firstTree = (.function(build), nil)
        #expect(engine.run(.start(info: ["id": 1])).outcome == "done")
        #expect(engine.tree() == "nav[Main]")
        let other = SwiftFunction("start") { _, _ in 1 }
        engine.declarations.firstTree = (.function(other), nil)
        #expect(engine.run(.start(info: [:])).outcome == "script")
    }

    @Test("the first tree waits at the gates of all its leaves")
    func gates() throws {
        var engine = try Engine()
        let gates = (1...12).map { "g\($0)" }
        try engine.route(
            "Leaf/show",
            ["ready": .table(InfoTable(list: gates.map { Value($0) })), "build": .building("Leaf")]
        )
        let children = Array(repeating: ["Leaf", "show"] as Value, count: Stage.leafLimit / 8)
        let blueprint = try Blueprint(ScreenClass("nav"), InfoTable(list: children), in: .init())
        engine.declarations.firstTree = (.blueprint(try #require(blueprint)), nil)
        var run = engine.run(.start(info: [:]))
        for gate in gates {
            #expect(run.gate == gate)
            engine.world.shared.openGates.insert(gate)
            engine.resume(&run)
        }
        #expect(run.outcome == "done")
    }
}
