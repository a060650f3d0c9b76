// SPDX-License-Identifier: MIT

extension NaiveNavigation {
    /// The steps of a chain so far, with their parameters.
    typealias Way = [(label: String, info: Info)]

    /// Walks from the target backwards until a screen is found.
    mutating func plan(_ target: Route, _ info: Info) throws(Failure) -> Plan {
        for interceptor in interceptorsForAll(before: .stage) { try prepare(interceptor, info) }
        return try plan(target.step, info, after: [])
    }

    /// Plans from a step backwards.
    ///
    /// `chain` contains the parameters of the chain, as adapted by the steps so far.
    private mutating func plan(_ step: Step, _ chain: Info, after way: Way) throws(Failure)
        -> Plan
    {
        if way.count >= 100 { throw Failure("startNotFound") }
        if step.form == .route, way.contains(where: { $0 == (step.label, chain) }) {
            throw Failure("startNotFound")
        }
        let way = way + [(step.label, chain)]
        let view = try checked(chain, step.info, dropsUnknown: true)
        let planned = Planned(step: step, view: view, isTarget: way.count == 1)
        for interceptor in interceptors(of: step) { try prepare(interceptor, view) }
        // `prepare` runs for steps that are not found; a policy of a stack runs later.
        func notePrepare() {
            if step.prepare?.condition.holds(view) == true { features.insert("found, unprepared") }
            if step.form == .container { features.insert("container find") }
        }
        if let finder = step.find, let screen = tree.find(finder, view) {
            features.formUnion(["find \(finder.word)", planned.isTarget ? "find" : "find behind"])
            if finder.isCombined { features.insert("find combined") }
            notePrepare()
            return Plan(found: screen.serial, finder: planned)
        }
        // A policy with a search is a finder: it does not need the parents.
        if let reuse = step.reuse, reuse.isWidened, let screen = recycled(reuse, planned, nil) {
            notePrepare()
            return goBack(to: screen, reuse, planned, fromBehind: step.from != nil)
        }
        let findsLater = step.reuse?.isWidened == false
        if !findsLater { try prepare(planned) }
        var chain = chain
        if let adapt = step.adapt {
            features.insert(step.form == .link ? "link adapt" : "adapt")
            chain = try adapt.read(view)
        }
        var plan = try behind(planned, chain, way)
        if let reuse = step.reuse, !reuse.isWidened,
            let screen = recycled(reuse, planned, plan)
        {
            let fromBehind = !plan.pending.isEmpty || step.from != nil
            notePrepare()
            return goBack(to: screen, reuse, planned, fromBehind: fromBehind)
        }
        if findsLater { try prepare(planned) }
        if case .routes(let tree) = step.build { try prepareLeaves(of: tree, view) }
        plan.pending.insert(planned, at: 0)
        return plan
    }

    /// Plans the parents of a step that has found no screen.
    private mutating func behind(_ planned: Planned, _ chain: Info, _ way: Way) throws(Failure)
        -> Plan
    {
        if planned.isTarget, let from = request.from {
            guard tree.holds(from) else { throw Failure("composition") }
            features.insert("caller from")
            return Plan(found: from, start: chain)
        }
        if !(planned.isTarget && request.via != nil), let from = planned.step.from {
            guard let plan = try resolved(from, chain, way) else {
                throw Failure("startNotFound")
            }
            return plan
        }
        guard planned.step.build != nil else { throw Failure("startNotFound") }
        features.insert("from default")
        guard let place = defaultPlace(action(of: planned)) else { throw Failure("typeMismatch") }
        return Plan(found: place.serial)
    }

    /// Returns the action of a step: the caller's, the definition's, or `push`.
    func action(of planned: Planned) -> Action {
        (planned.isTarget ? request.via : nil) ?? planned.step.via ?? .push
    }

    /// Plans from a form of `from`; returns nil for a finder that finds no screen.
    private mutating func resolved(_ start: Start, _ chain: Info, _ way: Way) throws(Failure)
        -> Plan?
    {
        switch start {
        case .current:
            features.insert("from current")
            return Plan(found: tree.topmost.serial, start: chain)
        case .root:
            features.insert("from root")
            return Plan(found: tree.serial, start: chain)
        case .finder(let finder):
            features.insert("from finder")
            return tree.find(finder, chain).map { Plan(found: $0.serial, start: chain) }
        case .route(let name):
            features.insert("from route")
            guard let route = world.route(name) else { throw Failure("notFound") }
            return try plan(route.step, chain, after: way)
        case .step(let step):
            features.insert(step.form == .link ? "from link" : "from container")
            return try plan(step, chain, after: way)
        case .function(let condition, let start):
            return condition.holds(chain) ? try resolved(start, chain, way) : nil
        case .choice(let cases, let other):
            features.insert("from switch")
            for choice in cases {
                if let result = try chosen(choice, chain, way) { return result }
            }
            guard let other, let result = try resolved(other, chain, way) else {
                throw Failure("startNotFound")
            }
            features.insert("switch default")
            return result
        }
    }

    /// Plans from a case of a switch; returns nil if the case does not apply.
    private mutating func chosen(_ choice: Start.Case, _ chain: Info, _ way: Way) throws(Failure)
        -> Plan?
    {
        switch choice.when {
        case .predicate(let condition):
            guard condition.holds(chain) else { return nil }
            features.insert("switch predicate")
        case .finder(let finder):
            guard tree.find(finder, chain) != nil else { return nil }
            features.insert("switch finder")
        case nil:
            let result = try resolved(choice.from, chain, way)
            if result != nil { features.insert("switch from") }
            return result
        }
        // The choice is final: if its step finds nothing, no other case is tried.
        guard let result = try resolved(choice.from, chain, way) else {
            throw Failure("startNotFound")
        }
        return result
    }

    /// Returns the screen at which a step without `from` performs its action.
    func defaultPlace(_ action: Action) -> NaiveScreen? {
        if let needed = world.container(for: action) {
            return tree.nearest(from: tree.visibleLeaf.serial, needed)
        }
        return action == .replaceRoot ? tree : tree.topmost
    }

    mutating func prepare(_ interceptor: Interceptor, _ info: Info) throws(Failure) {
        guard let condition = interceptor.prepare, condition.holds(info) else { return }
        features.insert("interceptor prepare")
        throw Failure("stopped")
    }

    private mutating func prepare(_ planned: Planned) throws(Failure) {
        guard let prepare = planned.step.prepare, prepare.condition.holds(planned.view) else {
            return
        }
        features.insert(planned.step.form == .link ? "link prepare" : "prepare")
        throw Failure(prepare.raises ? "script" : "stopped")
    }

    /// Runs the `prepare` of the routes in a tree before any change.
    private mutating func prepareLeaves(of tree: RouteTree, _ view: Info) throws(Failure) {
        switch tree {
        case .screen: break
        case .container(_, let children, _):
            for child in children { try prepareLeaves(of: child, view) }
        case .route(let name, let adapt, _):
            let planned = try leaf(name, adapt, view)
            try prepare(planned)
            if case .routes(let inner) = planned.step.build {
                try prepareLeaves(of: inner, planned.view)
            }
        }
    }

    /// Returns the step of a route in a tree.
    func leaf(_ name: RouteName, _ adapt: Sources?, _ view: Info) throws(Failure) -> Planned {
        guard let route = world.route(name) else { throw Failure("notFound") }
        let info = try adapt?.read(view) ?? view
        return Planned(
            step: route.step,
            view: try checked(info, route.step.info, dropsUnknown: true),
            isTarget: false
        )
    }

    // MARK: Reuse

    /// Returns the plan that reuses a screen instead of building one.
    private mutating func goBack(
        to screen: NaiveScreen,
        _ reuse: Reuse,
        _ planned: Planned,
        fromBehind: Bool
    ) -> Plan {
        features.insert("reuse \(reuse.word)")
        if reuse.isWidened { features.insert("reuse widened") }
        if fromBehind { features.insert("reuse from") }
        return Plan(found: screen.serial, finder: planned, moves: reuse.moves)
    }

    /// Returns the screen that a policy reuses.
    ///
    /// - Parameters:
    ///   - reuse: The policy.
    ///   - planned: The step of the policy.
    ///   - behind: The plan of the step's parents; nil for a policy with a search.
    /// - Returns: The screen, or nil if the policy finds none.
    private func recycled(_ reuse: Reuse, _ planned: Planned, _ behind: Plan?) -> NaiveScreen? {
        // A stack that is not built yet is empty.
        let place =
            behind?.pending.allSatisfy { $0.step.build == nil && $0.step.find == nil } == true
            ? behind?.found : nil
        return recycled(reuse, planned, at: place, in: tree)
    }

    /// Returns the screen that a policy reuses in a tree.
    ///
    /// The action of the step is performed at `place`.
    private func recycled(
        _ reuse: Reuse,
        _ planned: Planned,
        at place: Int?,
        in tree: NaiveScreen
    ) -> NaiveScreen? {
        candidates(reuse, planned, at: place, in: tree).first { screen in
            let isOfRoute = classes(of: planned.step).contains(screen.name)
            return switch reuse.policy {
            case .sameClass, .top: isOfRoute
            case .by(let fields):
                isOfRoute
                    && fields.allSatisfy {
                        screen.fields.agrees(with: planned.view, on: $0, as: $0)
                    }
            case .function(let match): match.accepts(screen, planned.view)
            }
        }
    }

    /// Returns the screens to which a policy is applied, in order.
    private func candidates(
        _ reuse: Reuse,
        _ planned: Planned,
        at place: Int?,
        in tree: NaiveScreen
    ) -> [NaiveScreen] {
        if reuse.isWidened {
            let everything = TableFinder(search: reuse.search, start: reuse.start, isTopDown: true)
            return tree.visited(by: everything)
        }
        switch action(of: planned) {
        case .push, .pushAsRoot, .pushReplacingLast: break
        default: return []
        }
        guard let place, let nav = tree.container(from: place, { $0.kind == .nav }) else {
            return []
        }
        let screens = Array(nav.children.reversed())
        if case .top = reuse.policy { return Array(screens.prefix(1)) }
        return screens
    }

    /// Records the class of a screen that a step built, if the step's policy depends on classes.
    ///
    /// - Throws: ``learned`` if a screen of the class existed that the step might have reused.
    mutating func learn(
        _ built: NaiveScreen,
        _ planned: Planned,
        at place: Int,
        on stage: NaiveScreen
    )
        throws(Failure)
    {
        guard let reuse = planned.step.reuse, !classes(of: planned.step).contains(built.name)
        else { return }
        if case .function = reuse.policy { return }
        reached[planned.step.label, default: []].insert(built.name)
        let gone = tree.all.contains { $0.name == built.name && !stage.holds($0.serial) }
        let found = recycled(reuse, planned, at: place, in: stage)
        let stands = found.map { tree.screen($0.serial)?.fields == $0.fields } ?? false
        guard gone || stands else { return }
        features.insert("class learned")
        throw Failure(Self.learned)
    }

    /// Returns the classes to which a policy applies: the class of the step's tree or otherwise the
    /// name of the service, and the classes that the route has built.
    private func classes(of step: Step) -> Set<String> {
        let own =
            switch step.build {
            case .template(let template): template.name
            case .routes(.container(let name, _, _)): name
            default: String(step.label.prefix { $0 != "/" })
            }
        return reached[step.label, default: []].union([own])
    }
}

extension Finder {
    /// Whether the search combines several named sets or elements.
    fileprivate var isCombined: Bool {
        if case .table(let table) = self, case .words = table.search { true } else { false }
    }

    /// The word for the form of the finder.
    var word: String {
        switch self {
        case .never: "never"
        case .name: "class"
        case .presenting: "presenting"
        case .function: "function"
        case .table: "table"
        }
    }
}

extension Reuse {
    /// The word for the policy.
    var word: String {
        let word =
            switch policy {
            case .sameClass: "class"
            case .top: "top"
            case .by: "by"
            case .function: "function"
            }
        return moves ? "\(word) move" : word
    }
}
