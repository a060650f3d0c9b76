// SPDX-License-Identifier: MIT

extension NaiveNavigation {
    /// Walks from the target backwards until something is found.
    mutating func plan(_ target: Route, _ info: Info) throws(Failure) -> Plan {
        var plan = Plan(found: tree.serial)
        /// The info of the chain, as adapted so far.
        var chain = info
        var step = target.step
        var count = 0
        var passed: [(String, Info)] = [(target.name.description, info)]
        while true {
            count += 1
            if count > 100 { throw Failure("startNotFound") }
            let isTarget = count == 1
            let view = try checked(chain, step.info, dropsUnknown: true)
            let planned = Planned(step: step, view: view, isTarget: isTarget)
            try prepare(planned)
            if let finder = step.find, let screen = tree.find(finder, view) {
                features.formUnion(["find \(finder.word)", isTarget ? "find" : "find behind"])
                plan.found = screen.serial
                plan.finder = planned
                return plan
            }
            if let reuse = step.reuse, let screen = recycled(reuse, planned) {
                features.insert("reuse \(reuse.word)")
                plan.found = screen.serial
                plan.finder = planned
                plan.moves = reuse.moves
                return plan
            }
            plan.pending.append(planned)
            if case .routes(let tree) = step.build { try prepareLeaves(of: tree, view) }
            if let adapt = step.adapt {
                features.insert("adapt")
                chain = try adapt.read(view)
            }
            switch try behind(planned, chain) {
            case .place(let serial):
                plan.found = serial
                return plan
            case .step(let next, let route):
                if let route {
                    let again = passed.contains { $0.0 == route.description && $0.1 == chain }
                    if again { throw Failure("startNotFound") }
                    passed.append((route.description, chain))
                }
                step = next
            }
        }
    }

    /// What comes behind a step that found nothing.
    enum Behind {
        /// A screen that stands: the chain is complete.
        case place(Int)
        case step(Step, RouteName?)
    }

    private mutating func behind(_ planned: Planned, _ chain: Info) throws(Failure) -> Behind {
        if planned.isTarget, let from = request.from {
            guard tree.holds(from) else { throw Failure("composition") }
            features.insert("caller from")
            guard !world.startsAtPlaces else { return .place(from) }
            guard let nav = tree.container(from: from, { $0.kind == .nav }) else {
                throw Failure("typeMismatch")
            }
            return .place(nav.serial)
        }
        if !(planned.isTarget && request.via != nil), let from = planned.step.from {
            guard let result = try resolved(from, chain) else { throw Failure("startNotFound") }
            return result
        }
        guard planned.step.build != nil else { throw Failure("startNotFound") }
        features.insert("from default")
        guard let place = defaultPlace(action(of: planned)) else { throw Failure("typeMismatch") }
        return .place(place.serial)
    }

    /// The action of a step: the caller's, the definition's, or `push`.
    func action(of planned: Planned) -> Action {
        (planned.isTarget ? request.via : nil) ?? planned.step.via ?? .push
    }

    /// What a form of `from` leads to; nil where it finds nothing.
    private mutating func resolved(_ start: Start, _ chain: Info) throws(Failure) -> Behind? {
        switch start {
        case .current:
            features.insert("from current")
            return .place(tree.topmost.serial)
        case .root:
            features.insert("from root")
            return .place(tree.serial)
        case .finder(let finder):
            features.insert("from finder")
            return tree.find(finder, chain).map { .place($0.serial) }
        case .route(let name):
            features.insert("from route")
            guard let route = world.route(name) else { throw Failure("notFound") }
            return .step(route.step, name)
        case .step(let step):
            features.insert(step.form == .link ? "from link" : "from container")
            return .step(step, nil)
        case .function(let condition, let start):
            return condition.holds(chain) ? try resolved(start, chain) : nil
        case .choice(let cases, let other):
            features.insert("from switch")
            for choice in cases {
                if let result = try chosen(choice, chain) { return result }
            }
            guard let other else { return nil }
            features.insert("switch default")
            return try resolved(other, chain)
        }
    }

    /// What a case of a switch leads to, if it holds.
    private mutating func chosen(_ choice: Start.Case, _ chain: Info) throws(Failure) -> Behind? {
        switch choice.when {
        case .predicate(let condition):
            guard condition.holds(chain) else { return nil }
            features.insert("switch predicate")
        case .finder(let finder):
            guard tree.find(finder, chain) != nil else { return nil }
            features.insert("switch finder")
        case nil:
            let result = try resolved(choice.from, chain)
            if result != nil { features.insert("switch from") }
            return result
        }
        // The case is decided: where its step finds nothing, no other one is asked.
        guard let result = try resolved(choice.from, chain) else {
            throw Failure("startNotFound")
        }
        return result
    }

    /// Where a step without `from` is performed.
    func defaultPlace(_ action: Action) -> NaiveScreen? {
        let leaf = tree.visibleLeaf.serial
        switch action {
        case .push, .pushAsRoot, .pushReplacingLast:
            return tree.nearest(from: leaf) { $0.kind == .nav }
        case .addTab:
            return tree.nearest(from: leaf) { $0.kind == .tabs }
        case .setAsPrimary, .pushToDetails, .pushOnToDetails:
            return tree.nearest(from: leaf) { $0.kind == .split }
        case .replaceLast:
            return tree.nearest(from: leaf) { $0.kind.word == "container" }
        case .present, .presentWithNav, .nowhere:
            return tree.topmost
        case .replaceRoot:
            return tree
        case .declared(let name):
            guard let needs = world.actions.first(where: { $0.name == name })?.needs else {
                return tree.topmost
            }
            return tree.nearest(from: leaf) { $0.kind.word == needs }
        }
    }

    private mutating func prepare(_ planned: Planned) throws(Failure) {
        guard let prepare = planned.step.prepare, prepare.condition.holds(planned.view) else {
            return
        }
        features.insert("prepare")
        throw Failure(prepare.raises ? "script" : "stopped")
    }

    /// The routes in a tree refuse before anything happens, too.
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

    /// The step of a route in a tree.
    func leaf(_ name: RouteName, _ adapt: Sources?, _ view: Info) throws(Failure) -> Planned {
        guard let route = world.route(name) else { throw Failure("notFound") }
        let info = try adapt?.read(view) ?? view
        return Planned(
            step: route.step,
            view: try checked(info, route.step.info, dropsUnknown: true),
            isTarget: false
        )
    }

    // MARK: Recycling

    /// The screen that a policy finds in the nav on which the action would push.
    private func recycled(_ reuse: Reuse, _ planned: Planned) -> NaiveScreen? {
        switch action(of: planned) {
        case .push, .pushAsRoot, .pushReplacingLast: break
        default: return nil
        }
        guard let nav = navToPushOn(planned) else { return nil }
        let candidates = Array(nav.children.reversed())
        let name = className(planned.step)
        switch reuse.policy {
        case .sameClass: return candidates.first { $0.name == name }
        case .top: return candidates.prefix(1).first { $0.name == name }
        case .by(let fields):
            return candidates.first { screen in
                screen.name == name
                    && fields.allSatisfy {
                        screen.fields.agrees(with: planned.view, on: $0, as: $0)
                    }
            }
        case .function(let match): return candidates.first { match.accepts($0, planned.view) }
        }
    }

    /// The class that a policy looks for: that of a template, else the name of the service.
    private func className(_ step: Step) -> String {
        if case .template(let template) = step.build { return template.name }
        return String(step.label.prefix { $0 != "/" })
    }

    private func navToPushOn(_ planned: Planned) -> NaiveScreen? {
        func nav(at place: Int?) -> NaiveScreen? {
            place.flatMap { tree.container(from: $0) { $0.kind == .nav } }
        }
        if planned.isTarget, let from = request.from { return nav(at: from) }
        if !(planned.isTarget && request.via != nil), let from = planned.step.from {
            switch from {
            case .current: return nav(at: tree.topmost.serial)
            case .root: return nav(at: tree.serial)
            case .finder(let finder): return nav(at: tree.find(finder, planned.view)?.serial)
            case .route, .step, .choice, .function: return nil
            }
        }
        return defaultPlace(.push)
    }
}

extension Finder {
    /// The word for its form.
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
    /// The word for its policy.
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
