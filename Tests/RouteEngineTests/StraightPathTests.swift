// SPDX-License-Identifier: MIT

import RouteCore
import RouteEngine
import Testing

struct StraightPathTests {
    private static let trees = [
        "nav[A(id=1,no=3)]", "nav[A(id=1), A(id=2,no=3)]", "nav[A(id=1), B]", "nav[B, A]",
        "tabs[nav[A(id=1,no=3)], *nav[B]]", "tabs[*nav[A(id=1,no=3)], nav[B]]",
        "split[nav[A(id=1,no=3)], nav[B]]", "nav[A(id=1,no=3)] ^ nav[B]",
        "nav[B] ^ nav[A(id=1,no=3)]", "A(id=1,no=3)", "nav[B]", "",
    ]

    private static let infos: [InfoTable] = [
        [:], ["id": 1], ["id": 1, "no": 3], ["id": "x"], ["z": 1],
    ]

    /// Definitions, and whether one of them may take the straight path.
    private static let definitions: [(entries: InfoTable, isStraight: Bool)] = [
        (["reuse": "class"], true),
        (["reuse": "top"], true),
        (["reuse": ["id", "no"]], true),
        (["reuse": "class", "info": ["id": "integer?", "no": "integer?"]], true),
        (["reuse": ["by": "id"], "info": ["id": "integer", "no": "integer?"]], true),
        (["reuse": "class", "via": "pushReplacingLast", "url": "/a"], true),
        ([:], false),
        (["reuse": "never"], false),
        (["reuse": "class", "via": "present"], false),
        (["reuse": "class", "from": "current"], false),
        (["reuse": ["by": "id", "search": "fullStack"]], false),
        (["reuse": ["by": "id", "move": true]], false),
        (["reuse": .closure { _, _ in true }], false),
        (["reuse": "class", "update": .closure { _, _ in .nil }], false),
        (["reuse": "class", "after": .closure { _, _ in .nil }], false),
        (["reuse": "class", "closed": .closure { _, _ in .nil }], false),
        (["reuse": "class", "prepare": .closure { _, _ in .nil }], false),
        (["reuse": "class", "adapt": .closure { _, _ in ["id": 1] }], false),
        (["reuse": "class", "enabled": .closure { _, _ in true }], false),
        (["reuse": "class", "intercept": "all"], false),
        (["reuse": "class", "needs": ["api"]], false),
        (["reuse": "class", "origin": ["url"]], false),
        (["reuse": "class", "ready": ["open"]], false),
        (["reuse": "class", "vanished": "pop"], false),
        (["reuse": "class", "info": ["id": .returning(1)]], false),
    ]

    @Test(
        "the fast path has the result of the phases, which change nothing and call no function"
    )
    func samePath() throws {
        var count = 0
        for definition in Self.definitions {
            for tree in Self.trees {
                for info in Self.infos {
                    let name: Comment = "\(definition.entries) with \(info) in '\(tree)'"
                    var engine = try Self.engine(tree, definition.entries)
                    guard let step = engine.declarations.straightRoute(to: Target("A/show")) else {
                        #expect(!definition.isStraight, name)
                        continue
                    }
                    #expect(definition.isStraight, name)
                    let before = WorldImage(engine.world)
                    let standing = engine.world.existingScreen(of: step, info, engine.declarations)
                    #expect(WorldImage(engine.world) == before, name)
                    guard let standing else { continue }
                    count += 1
                    let run = engine.run(.route(Target("A/show"), info: info))
                    #expect(run.isDone, name)
                    #expect(run.difference.isEmpty, name)
                    #expect(run.journey.reached == standing.screen, name)
                    #expect(run.journey.reused == standing.screen, name)
                    #expect(run.journey.info == standing.info, name)
                    let leaf = engine.world.tree.visibleLeaf(under: standing.screen)
                    #expect(standing.leaf == leaf, name)
                    #expect(engine.scripts.calls.isEmpty, name)
                }
            }
        }
        #expect(count > 40)
    }

    @Test("functions for the routes of all services exclude the fast path")
    func forAll() throws {
        let function = SwiftFunction("all") { _, _ in .nil }
        let target = Target("A/show")
        for declare: (Declarations) -> Void in [
            { $0.updates.append(function) }, { $0.afters.append(function) },
        ] {
            let engine = try Self.engine("nav[A]", ["reuse": "class"])
            #expect(engine.declarations.straightRoute(to: target) != nil)
            declare(engine.declarations)
            #expect(engine.declarations.straightRoute(to: target) == nil)
        }
        let engine = try Self.engine("nav[A]", ["reuse": "class"])
        engine.interceptAll("all")
        #expect(engine.declarations.straightRoute(to: target) == nil)
    }

    private static func engine(_ tree: String, _ entries: InfoTable) throws -> Engine {
        let engine = try tree.isEmpty ? Engine() : Engine(tree)
        engine.declare("A", fields: ["id", "no"])
        engine.interceptor("all")
        var definition = entries
        definition["build"] = .building("A")
        try engine.route("A/show", definition)
        return engine
    }
}
