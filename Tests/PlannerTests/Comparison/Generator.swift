// SPDX-License-Identifier: MIT

import RandomNumbers

/// A generator of cases, about half of which succeed.
struct Generator {
    var random: RandomNumbers
    var world = World()
    var lastLabel = 0

    static let leaves = ["A", "B", "C", "D"]
    static let keys: [(name: String, kind: Parameter.Kind)] = [
        ("id", .integer), ("n", .integer), ("tag", .string),
    ]

    static func make(seed: UInt64) -> PlannerCase {
        var generator = Generator(random: RandomNumbers(seed: seed))
        generator.makeWorld()
        var courses: [PlannerCase.Course] = []
        for _ in 0..<3 { courses.append(generator.course()) }
        return PlannerCase(seed: seed, world: generator.world, courses: courses)
    }

    /// Returns one of the choices, each with a probability proportional to its weight.
    ///
    /// Only the returned choice is evaluated.
    mutating func choose<Element>(
        _ choices: [(weight: Int, make: (inout Generator) -> Element)]
    ) -> Element {
        let positions = choices.enumerated().map { ($0.element.weight, $0.offset) }
        return choices[random.choose(positions)].make(&self)
    }

    // MARK: The world

    private mutating func makeWorld() {
        for name in Self.leaves {
            var declaration = ClassDeclaration(name: name, kind: .leaf)
            declaration.fields = Self.keys.map(\.name).filter { _ in random.happens(60) }
            declaration.dismissible = dismissible()
            world.classes.append(declaration)
        }
        world.classes.append(ClassDeclaration(name: "exnav", kind: .nav))
        let max = random.pick([nil, 2, 3])
        world.classes += [
            ClassDeclaration(name: "box", kind: .container(.last, max: max)),
            ClassDeclaration(name: "pager", kind: .container(.selected, max: nil)),
            ClassDeclaration(name: "grid", kind: .container(.all, max: 2)),
        ]
        for index in 1...3 { world.interceptors.append(interceptor("i\(index)")) }
        world.actions = [
            DeclaredAction(name: "stack", needs: "nav", body: .act(.push)),
            DeclaredAction(
                name: "front",
                needs: random.pick(["nav", "nav", "tabs", "container", "exnav", "box"]),
                body: random.pick([.prepend, .below, .below, .replace])
            ),
            DeclaredAction(name: "sheet", needs: nil, body: .act(.plainPresent)),
        ]
        if random.happens(15) {
            world.updateAll = Update(field: random.pick(["seen", "n"]), source: source())
        }
        world.hasAfterAll = random.happens(15)
        world.routes.append(shell())
        for index in 1...random.pick([5, 6, 7]) { world.routes.append(route(index)) }
        // Now that all names are known, some interceptors redirect to one.
        for index in world.interceptors.indices where random.happens(15) {
            let target = random.pick(world.routes).name
            world.interceptors[index].outcome = .redirects(target, sources())
        }
        // Some functions return cyclic parents; a cycle in a definition would be rejected.
        if random.happens(15) {
            let last = world.routes.count - 1
            if world.routes[last].step.via != .nowhere {
                let back = Start.function(.always, .route(world.routes[last].name))
                let option = Start.Case(when: nil, from: back)
                world.routes[1].step.from = .choice([option], default: nil)
            }
        }
    }

    private mutating func dismissible() -> ClassDeclaration.Dismissible {
        random.choose([
            (80, .always), (4, .never), (16, .unless("n", .integer(1))),
        ])
    }

    private mutating func interceptor(_ name: String) -> Interceptor {
        Interceptor(
            name: name,
            outcome: random.choose([
                (56, .passes), (9, .stops), (8, .refuses), (14, .stays), (8, .raises),
            ]),
            condition: condition(),
            prepare: random.happens(10) ? condition() : nil,
            everywhere: random.happens(15) ? everywhere() : nil
        )
    }

    private mutating func everywhere() -> Interceptor.Everywhere {
        let services = [random.pick(Self.leaves), random.pick(Self.leaves)]
        return Interceptor.Everywhere(
            before: random.pick([.search, .stage]),
            services: random.choose([(2, .all), (1, .only(services)), (1, .except(services))])
        )
    }

    /// Returns a route that builds the frame of an app.
    private mutating func shell() -> Route {
        let name = RouteName(service: "Shell", task: "show")
        var step = Step(label: name.description)
        step.build = .template(
            random.pick([
                Template(
                    name: "tabs",
                    children: [Template(name: "nav", children: [leaf()]), leaf()]
                ),
                Template(name: "nav", children: [leaf()]),
                Template(name: "split", children: [Template(name: "nav", children: [leaf()])]),
                Template(
                    name: "split",
                    children: [leaf(), Template(name: "nav", children: [leaf()])]
                ),
            ])
        )
        step.via = random.pick([.plainPresent, .plainPresent, .replaceRoot])
        step.from = random.choose([(2, nil), (2, .current), (1, .root)])
        if case .replaceRoot = step.via { step.from = .root }
        if random.happens(50) { step.find = .table(TableFinder(kind: "split")) }
        return Route(name: name, step: step)
    }

    private mutating func route(_ index: Int) -> Route {
        let service = random.pick(Self.leaves)
        let name = RouteName(service: service, task: "r\(index)")
        var step = step(RouteName(service: service, task: "r\(index)").description, service)
        if random.happens(75) { step.info = parameters() }
        if random.happens(10) { step.prepare = prepare() }
        // A screen that is put nowhere cannot be the place of another step.
        if index > 2, random.happens(3) { step.via = .nowhere }
        if random.happens(25) {
            let build = step.build ?? build(service)
            step.build = build
            step.reuse = reuse(service, of: build.name ?? service)
            step.find = nil
            if random.happens(50) { step.from = nil }
            if random.happens(75) { step.via = nil }
        }
        return Route(name: name, step: step)
    }

    /// Returns a step with everything except the keys of routes.
    mutating func step(_ label: String, _ name: String) -> Step {
        var step = Step(label: label)
        if random.happens(45) { step.find = finder(toward: name) }
        step.build = build(name)
        if random.happens(25) {
            step.update = Update(field: random.pick(["seen", "n"]), source: source())
        }
        step.hasAfter = random.happens(30)
        if random.happens(75) { step.via = action() }
        step.from = start(for: step.via ?? .push)
        if step.find != nil, random.happens(12) {
            step.build = nil
            // A screen that the parent steps may build.
            if random.happens(60) {
                step.find = .name(name)
                step.from = bringing(name)
            }
        } else if step.from != nil, random.happens(4) {
            step.build = nil
            step.find = nil
        }
        if random.happens(25) {
            step.intercept = [random.pick(["i1", "i2", "i3"])]
            if random.happens(30) { step.intercept.append(random.pick(["i1", "i2", "i3"])) }
        }
        if random.happens(20) { step.adapt = sources() }
        return step
    }

    mutating func prepare() -> Prepare {
        Prepare(raises: random.happens(40), condition: condition())
    }

    private mutating func parameters() -> [Parameter] {
        var result: [Parameter] = []
        for (name, kind) in Self.keys where random.happens(55) {
            result.append(
                Parameter(
                    name: name,
                    kind: random.happens(15) ? .any : kind,
                    isOptional: random.happens(60)
                )
            )
        }
        return result
    }

    private mutating func reuse(_ service: String, of name: String) -> Reuse {
        let fields = comparable(random.pick([["id"], ["n"], ["id", "tag"]]), name)
        let match = Match(name: service, field: random.pick(["id", nil]))
        let policy: Reuse.Policy = random.choose([
            (3, .sameClass), (2, .top), (5, fields.isEmpty ? .sameClass : .by(fields)),
            (3, .function(match)),
        ])
        var reuse = Reuse(policy: policy)
        if case .by = policy { reuse.moves = random.happens(60) }
        switch policy {
        case .by, .sameClass:
            if random.happens(20) { reuse.search = search() }
            if random.happens(20) { reuse.start = random.pick([.root, .topmost, .visible]) }
        case .top, .function: break
        }
        return reuse
    }

    private mutating func build(_ name: String) -> Build {
        choose([
            (70, { $0.plainBuild(name) }),
            (
                10,
                { generator in
                    let match = Match(
                        name: generator.random.happens(80) ? name : nil,
                        field: generator.random.pick(["id", nil, nil])
                    )
                    return .recycling(name, match, generator.sources())
                }
            ),
            (12, { .template($0.leaf()) }),
            (
                8,
                { generator in
                    let container = generator.random.pick(["nav", "exnav", "tabs"])
                    return .template(Template(name: container, children: [generator.leaf()]))
                }
            ),
            (10, { .routes($0.routeTree(depth: 0)) }),
        ])
    }

    private mutating func plainBuild(_ name: String) -> Build {
        .screen(
            random.happens(90) ? name : random.pick(Self.leaves),
            sources(),
            when: random.happens(93) ? .always : condition()
        )
    }

    /// Returns a container with routes in it.
    private mutating func routeTree(depth: Int) -> RouteTree {
        let name = random.pick(["nav", "tabs", "nav", "tabs", "split", "grid"])
        let limit = world.declaration(of: name).kind.limit ?? 3
        var children = [routeLeaf(in: name)]
        for _ in 0..<random.below(limit) {
            let inner = depth < 1 ? routeTree(depth: depth + 1) : .screen("A", [:])
            children.append(
                random.choose([
                    (3, routeLeaf(in: name)), (2, .screen(random.pick(Self.leaves), [:])),
                    (2, inner),
                ])
            )
        }
        let selected = name == "tabs" ? random.below(children.count) : 0
        return .container(name, children, selected: selected)
    }

    /// Returns a registered route as a leaf of a tree.
    private mutating func routeLeaf(in container: String) -> RouteTree {
        let known = world.routes.filter { $0.step.build != nil }
        guard !known.isEmpty else { return .screen("A", [:]) }
        let fitting: [Action] =
            switch container {
            case "nav": [.push, .push, .pushAsRoot, .pushReplacingLast, .declared("stack")]
            case "tabs": [.addTab(at: nil, replacing: false), .addTab(at: 1, replacing: false)]
            case "split": [.setAsPrimary, .pushToDetails, .pushOnToDetails]
            default: [.replaceLast]
            }
        return .route(
            random.pick(known).name,
            adapt: random.happens(30) ? sources() : nil,
            via: random.choose([(70, nil), (27, random.pick(fitting)), (3, action())])
        )
    }

    // MARK: Values

    mutating func datum(_ kind: Parameter.Kind) -> Datum {
        switch kind {
        case .integer, .any: random.happens(90) ? .integer(1 + random.below(3)) : .number(2)
        case .string: .text(random.pick(["x", "y"]))
        }
    }

    mutating func condition() -> Condition {
        let key = random.pick(Self.keys)
        return random.choose([
            (2, .always), (3, .has(key.name)), (4, .equals(key.name, datum(key.kind))),
        ])
    }

    private mutating func source() -> Source {
        let key = random.pick(Self.keys)
        return random.choose([
            (6, .info(key.name)), (3, .constant(datum(key.kind))), (1, .next("n")),
        ])
    }

    mutating func sources() -> Sources {
        var result = Sources()
        for (name, kind) in Self.keys where random.happens(45) {
            result[name] = random.choose([
                (7, .info(name)), (2, .constant(datum(kind))),
                (kind == .integer ? 1 : 0, .next(name)),
            ])
        }
        return result
    }

    // MARK: Deeds

    private mutating func course() -> PlannerCase.Course {
        let given = tree()
        var deeds: [Deed] = []
        for _ in 0..<(3 + random.below(4)) {
            let earlier = deeds.filter { if case .navigate = $0 { true } else { false } }
            deeds.append(random.happens(20) && !earlier.isEmpty ? random.pick(earlier) : deed())
        }
        return PlannerCase.Course(given: given, deeds: deeds)
    }

    private mutating func deed() -> Deed {
        random.choose([
            (70, .navigate(navigating())),
            (8, .back(random.pick([1, 1, 2]))),
            (5, .popTo(anyClass())),
            (3, .popToRoot),
            (4, .dismiss),
            (2, .dismissAll),
            (6, .close(anyClass())),
            (5, .select(anyClass())),
        ])
    }

    private mutating func navigating() -> Deed.Navigating {
        let route = random.happens(8) ? world.routes[0] : random.pick(world.routes)
        var result = Deed.Navigating(target: route.name)
        if random.happens(2) { result.target.task = "unknown" }
        for (name, kind) in Self.keys {
            let parameter = route.step.info?.first { $0.name == name }
            let isWanted =
                switch (route.step.info, parameter) {
                case (nil, _): random.happens(60)
                case (_, nil): random.happens(2)
                case (_, let parameter?): random.happens(parameter.isOptional ? 60 : 96)
                }
            guard isWanted else { continue }
            result.info[name] = datum(random.happens(2) ? .string : kind)
        }
        if random.happens(15) { result.via = callerAction() }
        if random.happens(15) {
            result.from = random.happens(10) ? .gone : .topmost(anyClass())
        }
        return result
    }

    /// Returns an action that a caller can name.
    private mutating func callerAction() -> Action {
        random.choose([
            (4, .push), (4, .plainPresent), (3, .presentWithNav), (2, .replaceRoot),
            (1, .pushAsRoot), (1, .pushReplacingLast), (1, .replaceLast), (1, .setAsPrimary),
            (1, .pushToDetails), (1, .pushOnToDetails), (1, .nowhere),
            (1, .addTab(at: random.pick([nil, 1, 2]), replacing: false)),
            (1, .present(start: random.pick([.current, .topmostParent]), contextual: true)),
            (1, .declared(random.pick(["stack", "front", "sheet"]))),
        ])
    }
}
