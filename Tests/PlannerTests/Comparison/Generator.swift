// SPDX-License-Identifier: MIT

/// Makes cases of which about half succeed.
struct Generator {
    var random: RandomNumbers
    let features: Set<Feature>
    var world = World()
    var lastLabel = 0

    static let leaves = ["A", "B", "C", "D"]
    static let keys: [(name: String, kind: Parameter.Kind)] = [
        ("id", .integer), ("n", .integer), ("tag", .string),
    ]

    static func make(seed: UInt64, features: Set<Feature>) -> PlannerCase {
        var generator = Generator(random: RandomNumbers(seed: seed), features: features)
        generator.makeWorld()
        var courses: [PlannerCase.Course] = []
        for _ in 0..<3 { courses.append(generator.course()) }
        return PlannerCase(seed: seed, world: generator.world, courses: courses)
    }

    func has(_ feature: Feature) -> Bool { features.contains(feature) }

    // MARK: The world

    private mutating func makeWorld() {
        world.startsAtPlaces = has(.from)
        for name in Self.leaves {
            var declaration = ClassDeclaration(name: name, kind: .leaf)
            declaration.fields = Self.keys.map(\.name).filter { _ in random.happens(60) }
            declaration.dismissible = dismissible()
            world.classes.append(declaration)
        }
        world.classes.append(ClassDeclaration(name: "exnav", kind: .nav))
        if has(.containers) {
            let max = random.pick([nil, 2, 3])
            world.classes += [
                ClassDeclaration(name: "box", kind: .container(.last, max: max)),
                ClassDeclaration(name: "pager", kind: .container(.selected, max: nil)),
                ClassDeclaration(name: "grid", kind: .container(.all, max: 2)),
            ]
        }
        if has(.intercept) {
            for index in 1...3 { world.interceptors.append(interceptor("i\(index)")) }
        }
        if has(.declaredActions) {
            world.actions = [
                DeclaredAction(name: "stack", needs: "nav", body: .act(.push)),
                DeclaredAction(
                    name: "front",
                    needs: random.pick(["nav", "nav", "tabs"]),
                    body: .prepend
                ),
                DeclaredAction(name: "sheet", needs: nil, body: .act(.plainPresent)),
            ]
        }
        world.routes.append(shell())
        for index in 1...random.pick([5, 6, 7]) { world.routes.append(route(index)) }
        // Now that all names are known, some steps go back in circles.
        if has(.from), random.happens(15) {
            let last = world.routes.count - 1
            if world.routes[last].step.via != .nowhere {
                world.routes[1].step.from = .route(world.routes[last].name)
            }
        }
    }

    private mutating func dismissible() -> ClassDeclaration.Dismissible {
        guard has(.dismissible) else { return .always }
        return random.choose([
            (80, .always), (4, .never), (16, .unless("n", .integer(1))),
        ])
    }

    private mutating func interceptor(_ name: String) -> Interceptor {
        Interceptor(
            name: name,
            outcome: random.choose([
                (60, .passes), (10, .stops), (8, .refuses), (8, .stays), (8, .raises),
            ]),
            condition: condition(),
            everywhere: random.happens(12) ? random.pick(["search", "stage"]) : nil
        )
    }

    /// A route that makes the frame of an app.
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
        if has(.from) {
            step.from = random.choose([(2, nil), (2, .current), (1, .root)])
            if case .replaceRoot = step.via { step.from = .root }
            if has(.find), random.happens(50) { step.find = .table(TableFinder(kind: "split")) }
        }
        return Route(name: name, step: step)
    }

    private mutating func route(_ index: Int) -> Route {
        let service = random.pick(Self.leaves)
        let name = RouteName(service: service, task: "r\(index)")
        var step = step(RouteName(service: service, task: "r\(index)").description, service)
        if random.happens(75) { step.info = parameters() }
        if has(.prepare), random.happens(10) {
            step.prepare = Prepare(raises: random.happens(40), condition: condition())
        }
        // What is not integrated is no place for another step.
        if has(.actions), index > 2, random.happens(3) { step.via = .nowhere }
        if random.happens(has(.find) ? 25 : 40) {
            step.reuse = reuse(service)
            step.find = nil
            if !(step.from.map(isSimple) ?? true) { step.from = nil }
            if random.happens(75) { step.via = nil }
            if step.build == nil { step.build = build(service) }
            // Which class a policy means is plain only where it is that of the service.
            if case .screen(let other, let sources, let condition) = step.build, other != service {
                step.build = .screen(service, sources, when: condition)
            }
        }
        return Route(name: name, step: step)
    }

    private func isSimple(_ start: Start) -> Bool {
        switch start {
        case .current, .root, .finder: true
        default: false
        }
    }

    /// A step with all but what only routes have.
    mutating func step(_ label: String, _ name: String) -> Step {
        var step = Step(label: label)
        if has(.find), random.happens(45) { step.find = finder(toward: name) }
        step.build = build(name)
        if random.happens(25) {
            step.update = Update(field: random.pick(["seen", "n"]), source: source())
        }
        step.hasAfter = random.happens(30)
        if random.happens(75) { step.via = action() }
        if has(.from) { step.from = start(for: step.via ?? .push) }
        if has(.find), step.find != nil, random.happens(12) {
            step.build = nil
            // Something that the steps behind may bring.
            if has(.links), random.happens(60) {
                step.find = .name(name)
                step.from = bringing(name)
            }
        } else if has(.links), step.from != nil, random.happens(4) {
            step.build = nil
            step.find = nil
        }
        if has(.intercept), random.happens(25) {
            step.intercept = [random.pick(["i1", "i2", "i3"])]
            if random.happens(30) { step.intercept.append(random.pick(["i1", "i2", "i3"])) }
        }
        if has(.adapt), random.happens(20) { step.adapt = sources() }
        return step
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

    private mutating func reuse(_ service: String) -> Reuse {
        let fields = random.pick([["id"], ["n"], ["id", "tag"]])
        let match = Match(name: service, field: random.pick(["id", nil]))
        let policy: Reuse.Policy = random.choose([
            (3, .sameClass), (2, .top), (5, .by(fields)), (3, .function(match)),
        ])
        var reuse = Reuse(policy: policy)
        if case .by = policy { reuse.moves = random.happens(60) }
        return reuse
    }

    private mutating func build(_ name: String) -> Build {
        let plain = Build.screen(
            random.happens(90) ? name : random.pick(Self.leaves),
            sources(),
            when: random.happens(93) ? .always : condition()
        )
        let tree = RouteTree.container(
            random.pick(["nav", "tabs"]),
            [routeLeaf(), .screen(random.pick(Self.leaves), [:])],
            selected: 0
        )
        return random.choose([
            (70, plain),
            (12, .template(leaf())),
            (
                8,
                .template(
                    Template(name: random.pick(["nav", "exnav", "tabs"]), children: [leaf()])
                )
            ),
            (has(.routeTrees) ? 10 : 0, .routes(tree)),
        ])
    }

    /// A route made before, in a tree.
    private mutating func routeLeaf() -> RouteTree {
        let known = world.routes.filter { route in
            if case .screen = route.step.build { true } else { false }
        }
        guard !known.isEmpty else { return .screen("A", [:]) }
        return .route(
            random.pick(known).name,
            adapt: random.happens(30) ? sources() : nil,
            via: nil
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
        if random.happens(15) { result.via = random.pick(Self.callerActions) }
        let pushes = (result.via ?? route.step.via ?? .push) == .push
        if has(.from) || pushes, random.happens(15) {
            result.from = random.happens(10) ? .gone : .topmost(anyClass())
        }
        return result
    }

    static let callerActions: [Action] = [.push, .plainPresent, .presentWithNav, .replaceRoot]
}
