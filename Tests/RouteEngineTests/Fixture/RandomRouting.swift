// SPDX-License-Identifier: MIT

import RandomNumbers
import RouteCore
import RouteEngine

/// Random trees, routes and requests that use only a few classes, so that requests often find
/// screens.
struct RandomRouting {
    private static let leaves = ["A", "B", "C", "D"]
    private static let routes = (1...6).map { "R\($0)/show" }
    private static let gates = ["g1", "g2"]

    private var numbers: RandomNumbers

    init(seed: UInt64) { numbers = RandomNumbers(seed: seed) }

    /// Creates a world with routes.
    mutating func engine() throws -> Engine {
        var engine = try Engine()
        let deck = ScreenClass("Deck", kind: .container, fields: [], shows: .all)
        engine.declarations.classes.declare(deck)
        for name in Self.leaves {
            engine.declare(
                name,
                fields: numbers.happens(50) ? ["id"] : [],
                dismissible: numbers.happens(15) ? dismissal() : nil,
                leaving: numbers.happens(20)
                    ? SwiftFunction("leaving \(name)") { _, _ in .nil } : nil
            )
        }
        engine.world.shared.state = ["n": .integer(Int64(numbers.below(3)))]
        engine.world.shared.stateBytes = engine.world.shared.state.size
        try engine.set("main", tree())
        if numbers.happens(20) { try engine.set("side", tree()) }
        engine.interceptor("i1") { _, _ in "wait" }
        engine.interceptor("i2", prepare: numbers.happens(20) ? .raising("refused") : .nil)
        if numbers.happens(20) { engine.interceptAll("i1", before: .search) }
        if numbers.happens(20) { engine.interceptAll("i2", except: ["R1"]) }
        if numbers.happens(20) {
            engine.declarations.updates = [SwiftFunction("all", Self.count)]
        }
        for name in Self.routes {
            // A contradictory table is not a definition: another one is made.
            while true {
                let definition = try definition(in: engine)
                if (try? engine.route(name, definition)) != nil { break }
            }
        }
        return engine
    }

    /// Returns a random request.
    mutating func request(in engine: inout Engine) throws -> Act<ScreenID> {
        guard numbers.happens(30) else {
            return .route(Target(numbers.pick(Self.routes)), info: info())
        }
        let screen = numbers.pick(engine.world.tree.alive).id
        switch numbers.below(10) {
        case 0: return .back(1 + numbers.below(3))
        case 1: return .popToRoot
        case 2: return .dismiss
        case 3: return .dismissAll
        case 4: return .pop(to: Finder(Value(numbers.pick(Self.leaves))))
        case 5: return .close(screen, value: .nil)
        case 6: return .select(screen)
        case 7: return .selectTab(1 + numbers.below(3))
        case 8: return .replace(screen, with: try engine.make(tree()), value: .nil)
        default: return .vanish(screen)
        }
    }

    /// Returns random options, which are mostly the default ones.
    mutating func options(in engine: Engine) -> NavigationOptions {
        var options = NavigationOptions()
        if numbers.happens(10) { options.via = numbers.pick([.push, .present, .replaceRoot]) }
        if numbers.happens(10) { options.from = numbers.pick(engine.world.tree.alive).id }
        if numbers.happens(10) { options.isForced = true }
        return options
    }

    // MARK: Trees

    private mutating func tree() -> String {
        var levels = [root()]
        while numbers.happens(30) { levels.append(screen(depth: 1)) }
        return levels.joined(separator: " ^ ")
    }

    private mutating func root() -> String {
        let choices = [(3, "nav"), (3, "tabs"), (1, "split"), (1, "Deck")]
        return container(numbers.choose(choices), depth: 0)
    }

    private mutating func screen(depth: Int) -> String {
        guard depth < 3, numbers.happens(40) else { return leaf() }
        return container(numbers.pick(["nav", "tabs", "split", "Deck"]), depth: depth)
    }

    private mutating func leaf() -> String {
        "\(numbers.pick(Self.leaves))(id=\(numbers.below(3)))"
    }

    private mutating func container(_ name: String, depth: Int) -> String {
        let count = 1 + numbers.below(name == "split" ? 2 : 3)
        let children = (0..<count).map { _ in
            // A host shows no stack inside a stack.
            var child = name == "nav" ? leaf() : screen(depth: depth + 1)
            if numbers.happens(10) { child += " ^ \(leaf())" }
            return child
        }
        return "\(name)[\(children.joined(separator: ", "))]"
    }

    // MARK: Routes

    private mutating func info() -> InfoTable { ["id": .integer(Int64(numbers.below(3)))] }

    private mutating func definition(in engine: Engine) throws -> InfoTable {
        var definition: InfoTable = [:]
        if numbers.happens(30) { definition["info"] = ["id": "integer"] }
        definition["build"] = try build(in: engine)
        switch numbers.below(3) {
        case 0: definition["find"] = finder()
        case 1: definition["reuse"] = reuse()
        default: break
        }
        if numbers.happens(70) { definition["via"] = via() }
        if numbers.happens(50) { definition["from"] = try from(in: engine) }
        if numbers.happens(20) { definition["intercept"] = .init(numbers.pick(["i1", "i2"])) }
        if numbers.happens(20) { definition["update"] = .closure("update", Self.count) }
        if numbers.happens(10) { definition["update"] = .raising("no update") }
        if numbers.happens(10) { definition["prepare"] = .raising("refused") }
        if numbers.happens(10) { definition["ready"] = .init(numbers.pick(Self.gates)) }
        if numbers.happens(10) {
            definition["adapt"] = .returning(.table(info()))
        }
        if numbers.happens(10) {
            definition["enabled"] = .closure { _, stage in
                .boolean(stage.world.shared.state["n"] != 0)
            }
            definition["fallback"] = target()
        }
        return definition
    }

    private mutating func target() -> Value {
        let target = Target(numbers.pick(Self.routes))
        return [.init(target.service), .init(target.task)]
    }

    /// Sets a field of a screen and a value of the state on the stage.
    private static let count: SwiftFunction.Body = { call, stage in
        guard let screen = call.screen else { return .nil }
        let seen = stage.tree.screen(screen)?.fields["seen"].integer ?? 0
        try stage.setField("seen", to: .integer(seen + 1), of: screen)
        stage.world.shared.state["seen"] = .integer(seen)
        stage.world.shared.stateBytes = stage.world.shared.state.size
        return .nil
    }

    private mutating func build(in engine: Engine) throws -> Value {
        switch numbers.below(12) {
        case 0: return .returning(.nil)
        case 1: return .raising("no build")
        case 2:
            // A screen of the tree, if there is one.
            let name = numbers.pick(Self.leaves)
            return .closure { _, stage in
                .screen(try stage.find(name) ?? stage.build("\(name)(id=9)"))
            }
        case 3:
            let tree = try engine.blueprint("nav", InfoTable(list: [target()]))
            return numbers.happens(50) ? tree : .returning(tree)
        case 4: return .nil
        case 5: return .building(container(numbers.pick(["nav", "tabs"]), depth: 2))
        default:
            let notation = leaf()
            return .closure { _, stage in
                stage.world.shared.state["built"] = .init(notation)
                stage.world.shared.stateBytes = stage.world.shared.state.size
                return .screen(try stage.build(notation))
            }
        }
    }

    private mutating func finder() -> Value {
        switch numbers.below(5) {
        case 0: return .init(numbers.pick(Self.leaves))
        case 1: return ["class": .init(numbers.pick(Self.leaves)), "by": "id"]
        case 2: return ["kind": .init(numbers.pick(["nav", "tabs", "leaf"]))]
        case 3: return ["by": "id", "search": .init(numbers.pick(SearchScope.words))]
        default:
            let id = Value.integer(Int64(numbers.below(3)))
            return .closure("match") { call, stage in
                .boolean(call.screen.flatMap { stage.tree.screen($0)?.fields["id"] } == id)
            }
        }
    }

    private mutating func reuse() -> Value {
        switch numbers.below(5) {
        case 0: "class"
        case 1: "top"
        case 2: ["by": "id"]
        case 3: ["by": "id", "move": true]
        default: ["by": "id", "search": "fullStack"]
        }
    }

    private mutating func via() -> Value {
        let words = Action.words.filter { $0 != "none" }
        return .init(numbers.choose([(3, "push"), (2, "present"), (4, numbers.pick(words))]))
    }

    private mutating func from(in engine: Engine) throws -> Value {
        switch numbers.below(7) {
        case 0: return "current"
        case 1: return "root"
        case 2: return finder()
        case 3: return try engine.newNav(["via": "present"])
        case 4:
            let cases = [["when": finder(), "from": "root"], ["from": finder()]] as [InfoTable]
            var table = cases.table
            table["default"] = "current"
            return try engine.choice(table)
        default: return target()
        }
    }

    private mutating func dismissal() -> ClassDeclaration.Dismissal {
        if numbers.happens(50) { return .always(false) }
        return .function(
            SwiftFunction("dismissible") { call, stage in
                .boolean(call.screen.flatMap { stage.tree.screen($0)?.fields["id"] } != 0)
            }
        )
    }
}
