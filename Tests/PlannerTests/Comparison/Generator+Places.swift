// SPDX-License-Identifier: MIT

import RandomNumbers

extension Action {
    /// The weight of building the container that an action needs: trees rarely contain one.
    fileprivate var fittingWeight: Int {
        switch self {
        case .addTab, .setAsPrimary, .pushToDetails, .pushOnToDetails, .replaceLast: 80
        case .push, .pushAsRoot, .pushReplacingLast: 20
        default: 0
        }
    }
}

extension Generator {
    // MARK: Actions

    mutating func action() -> Action {
        return random.choose([
            (30, .push), (8, .plainPresent), (6, .presentWithNav), (3, .replaceRoot),
            (6, .pushAsRoot), (5, .pushReplacingLast),
            (12, .addTab(at: random.pick([nil, 1, 2, 5]), replacing: random.happens(40))),
            (8, .setAsPrimary), (10, .pushToDetails), (10, .pushOnToDetails),
            (8, .present(start: presentStart(), contextual: random.happens(40))),
            (8, .replaceLast),
            (
                18,
                .declared(random.pick(["stack", "front", "front", "sheet"]))
            ),
        ])
    }

    private mutating func presentStart() -> Action.PresentStart {
        random.choose([
            (6, .current), (3, .topmostParent), (2, .finder(finder(toward: anyClass()))),
        ])
    }

    // MARK: Finders

    /// Returns the fields that screens of a class can have.
    ///
    /// Scripts that compare other fields do not load.
    func comparable(_ fields: [String], _ name: String?) -> [String] {
        guard let its = world.classes.first(where: { $0.name == name }) else { return fields }
        return fields.filter(its.fields.contains)
    }

    mutating func finder(toward name: String) -> Finder {
        let name = random.happens(80) ? name : random.pick(Self.leaves)
        var table = TableFinder(name: random.happens(85) ? name : nil)
        if random.happens(50) { table.by = comparable([random.pick(["id", "n"])], table.name) }
        if table.name == nil, table.by.isEmpty {
            table.kind = random.pick(["nav", "leaf", "tabs"])
        }
        if random.happens(10) { table.match = Match(name: nil, field: "tag") }
        table.search = search()
        table.start = random.choose([
            (50, nil), (5, .topmost), (20, .root), (10, .visible), (15, .found(anyClass())),
        ])
        table.isTopDown = random.happens(30)
        return random.choose([
            (20, .name(name)), (60, .table(table)), (3, .never),
            (12, .function(Match(name: name, field: random.pick(["id", nil])))),
            (5, .presenting),
        ])
    }

    mutating func search() -> Search? {
        let combination = random.pick(Search.combinations.keys.sorted())
        var options: Set<SearchOption> = []
        for option in SearchOption.allCases where random.happens(40) { options.insert(option) }
        if options.isEmpty { options = [.current] }
        let words = [combination, random.pick(SearchOption.allCases).rawValue]
        return random.choose([
            (5, nil), (3, .combination(combination)), (2, .options(options)), (2, .words(words)),
        ])
    }

    /// Returns a finder that cannot be mistaken for another form of `from`.
    private mutating func place() -> Finder {
        let kind = random.pick(["nav", "nav", "tabs", "split"])
        return random.choose([
            (3, .name(random.pick(Self.leaves))),
            (3, .table(TableFinder(kind: kind, search: search()))),
            (1, .presenting),
        ])
    }

    // MARK: From

    /// Returns the parent of a step with an action.
    mutating func start(for action: Action, depth: Int = 0) -> Start? {
        let deeper = depth < 2 ? 1 : 0
        return choose([
            (30, { _ in nil }),
            (10, { _ in .current }),
            (action == .replaceRoot ? 40 : 4, { _ in .root }),
            (14, { .finder($0.place()) }),
            (20, { $0.earlierRoute() }),
            (action.fittingWeight * deeper, { $0.fitting(action, depth: depth) }),
            (8 * deeper, { $0.link(depth: depth) }),
            (18 * deeper, { $0.choice(for: action, depth: depth) }),
        ])
    }

    private mutating func earlierRoute() -> Start {
        let routes = world.routes.filter { $0.step.via != .nowhere }
        return routes.isEmpty ? .current : .route(random.pick(routes).name)
    }

    /// Returns a new container for an action, or a link that builds a container with screens in it.
    private mutating func fitting(_ action: Action, depth: Int) -> Start {
        let name: String
        switch action {
        case .addTab: name = "tabs"
        case .setAsPrimary: name = "split"
        case .pushToDetails:
            return framing(Template(name: "split", children: [leaf()]))
        case .pushOnToDetails:
            let detail = Template(name: "nav", children: [leaf()])
            return framing(Template(name: "split", children: [leaf(), detail]))
        case .replaceLast:
            return framing(Template(name: "box", children: [leaf()]))
        default: name = random.pick(["nav", "nav", "exnav"])
        }
        lastLabel += 1
        var step = Step(form: .container, label: "new\(lastLabel)")
        step.build = .empty(name)
        step.via = random.pick([.plainPresent, .plainPresent, .push, nil])
        step.from = start(for: step.via ?? .push, depth: depth + 1)
        if random.happens(20) { step.find = .table(TableFinder(name: name, search: search())) }
        if random.happens(25) { step.intercept = [random.pick(["i1", "i2", "i3"])] }
        if random.happens(25) {
            step.update = Update(field: "seen", source: .constant(.integer(1)))
        }
        step.hasAfter = random.happens(25)
        return .step(step)
    }

    /// Returns a link that presents a tree that contains a screen of the given class.
    mutating func bringing(_ name: String) -> Start {
        let inner = Template(name: "nav", children: [Template(name: name), leaf()])
        return framing(random.pick([inner, Template(name: "tabs", children: [leaf(), inner])]))
    }

    private mutating func framing(_ template: Template) -> Start {
        lastLabel += 1
        var step = Step(form: .link, label: "link\(lastLabel)")
        step.build = .template(template)
        step.via = .plainPresent
        step.from = random.pick([.current, nil, .root])
        return .step(step)
    }

    private mutating func link(depth: Int) -> Start {
        guard depth < 2 else { return .current }
        lastLabel += 1
        var step = Step(form: .link, label: "link\(lastLabel)")
        let name = random.pick(Self.leaves)
        if random.happens(40) { step.find = finder(toward: name) }
        step.build = random.choose([
            (7, .screen(name, sources(), when: .always)),
            (3, .template(Template(name: "nav", children: [leaf()]))),
        ])
        if random.happens(70) { step.via = action() }
        step.from = start(for: step.via ?? .push, depth: depth + 1)
        if random.happens(20), step.from != nil || step.find != nil { step.build = nil }
        if random.happens(20) {
            step.update = Update(field: "seen", source: .constant(.integer(1)))
        }
        step.hasAfter = random.happens(25)
        if random.happens(15) { step.intercept = ["i1"] }
        if random.happens(15) { step.prepare = prepare() }
        if random.happens(25) { step.adapt = sources() }
        return .step(step)
    }

    private mutating func choice(for action: Action, depth: Int) -> Start {
        guard depth < 2 else { return .current }
        var cases: [Start.Case] = []
        for _ in 0..<(1 + random.below(3)) {
            let from = start(for: action, depth: depth + 1) ?? .current
            cases.append(
                random.choose([
                    (3, Start.Case(when: .predicate(condition()), from: from)),
                    (3, Start.Case(when: .finder(place()), from: from)),
                    (2, Start.Case(when: nil, from: .finder(place()))),
                    (2, Start.Case(when: nil, from: .function(condition(), from))),
                ])
            )
        }
        let other = random.happens(80) ? start(for: action, depth: depth + 1) ?? .current : nil
        return .choice(cases, default: other)
    }
}
