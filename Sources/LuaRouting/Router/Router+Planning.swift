// SPDX-License-Identifier: MIT

internal import LuaVM

/// Planning: from the target backwards until a step finds a screen.
///
/// The functions of scripts that run here have no effects, and may run several times.
extension Router {
    /// Plans the way of a navigation.
    ///
    /// - Throws: Whatever stands in the way; nothing has changed.
    func plan(_ navigation: Navigation) throws(RouteError) {
        guard let definition = navigation.definition else {
            preconditionFailure("a navigation is resolved before it is planned")
        }
        let window = try window(of: navigation)
        navigation.plans += 1
        navigation.leaves = 0
        if !navigation.leafGates.isEmpty { navigation.leafGates = [] }
        let plan = try whilePlanning(navigation) { () throws(RouteError) in
            try prepareInterceptorsForAll(navigation)
            var planner = Planner(router: self, navigation: navigation, window: window)
            return try planner.plan(
                definition,
                seen: navigation.info,
                via: navigation.options.via,
                from: navigation.options.from.map { .finder(Finder(.screen($0))) },
                isTarget: true
            )
        }
        navigation.plan = plan
        emit(
            .plan,
            navigation,
            at: definition.place,
            [
                ("found", Value(notation(of: plan.found))),
                ("steps", .table(Table(list: plan.links.map { Value($0.step.title) }))),
            ]
        )
        if let by = plan.by {
            emit(
                .find,
                navigation,
                at: plan.finding?.step.place ?? definition.place,
                [("by", Value(by))] + fields(about: plan.found)
            )
        }
        plan.leaving = try screensLeaving(by: plan, navigation)
        try checkGatesOfPlan(of: navigation)
    }

    /// Runs a closure in which functions of scripts have no effects.
    func whilePlanning<Result>(
        _ navigation: Navigation?,
        _ body: () throws(RouteError) -> Result
    ) throws(RouteError) -> Result {
        let outer = (turn, currentNavigation)
        if !isPlanning { planningSerial = tree.lastSerial }
        turn = .planning(navigation)
        currentNavigation = navigation
        defer { (turn, currentNavigation) = outer }
        return try body()
    }

    /// How many steps and switches a way may have: what they build stands in or above each other.
    ///
    /// Each takes some of the stack, and a phone's main thread has 1 MiB.
    static let stepLimit = 40

    /// Whether functions of scripts have no effects now.
    var isPlanning: Bool {
        if case .planning = turn { true } else { false }
    }

    /// Lets a function of a script set `router.state`, and have no other effect: one that makes a
    /// dependency or handles a route string is asked once, not at each plan.
    func whileKeepingState<Result>(
        _ body: () throws(RouteError) -> Result
    ) throws(RouteError) -> Result {
        let outer = mayKeepState
        mayKeepState = true
        defer { mayKeepState = outer }
        return try body()
    }

    /// Checks that a function of a script may have an effect now.
    func checkEffects(of what: String) throws(RouteError) {
        if isPlanning { throw .hasEffects(what) }
    }

    // MARK: Places

    /// The container that an action is performed on, nil for one that is performed on the
    /// place itself.
    ///
    /// - Throws: `script` for an action that nobody declared.
    func need(of action: Action) throws(RouteError) -> Need? {
        switch action.kind {
        case .push, .pushAsRoot, .pushReplacingLast: .kind(.nav)
        case .addTab: .kind(.tabs)
        case .setAsPrimary, .pushToDetails, .pushOnToDetails: .kind(.split)
        case .replaceLast: .kind(.container)
        case .present, .presentWithNav, .replaceRoot, .none: nil
        case .declared(let name): try generation.action(name).needs
        }
    }

    /// Where an action without `from` is performed.
    ///
    /// - Throws: `typeMismatch` where there is no such place.
    func defaultPlace(of action: Action, in window: Window) throws(RouteError) -> ScreenID {
        if let need = try need(of: action) {
            let leaf = tree.visibleLeaf(of: window)
            guard let place = tree.nearest(need, from: leaf) else {
                throw .noPlace(for: action, need, around: notation(of: leaf))
            }
            return place
        }
        if case .replaceRoot = action.kind { return window.root }
        return tree.topmost(of: window)
    }

    /// What an action is performed on: the container that it needs at or above a place, or else
    /// on its visible path; the place itself where it needs none.
    ///
    /// - Throws: `typeMismatch` where there is none.
    func place(of action: Action, at place: ScreenID) throws(RouteError) -> ScreenID {
        guard let need = try need(of: action) else { return place }
        guard let container = tree.container(need, at: place) else {
            throw .noPlace(for: action, need, around: notation(of: place))
        }
        return container
    }

    /// The stack on which a push without a place would push, if there is one.
    var standingNav: ScreenID? {
        let window: Window?
        switch turn {
        case .staging(let navigation): return navigation.standingNav
        case .planning(let navigation?): window = try? self.window(of: navigation)
        case .idle, .applying, .planning(nil): window = tree.windows.first
        }
        return window.flatMap { tree.nearest(.nav, from: tree.visibleLeaf(of: $0)) }
    }

    // MARK: Dismissibility

    /// The screens that a plan alone would remove and that are to be asked; checks that all that
    /// it would remove may go, before any interceptor runs.
    private func screensLeaving(
        by plan: Plan,
        _ navigation: Navigation
    ) throws(RouteError) -> [ScreenID] {
        guard generation.guardsScreens, !navigation.options.isForced else { return [] }
        tree.openNewDraft()
        defer { toRelease += tree.dropDraft() }
        try reach(plan)
        let removed = tree.draftDifference().removed
        try checkDismissibility(of: removed, navigation)
        return screensToAsk(among: removed, navigation)
    }

    /// Those of some screens that are to be asked whether they go, and have not been asked.
    func screensToAsk(among screens: [ScreenID], _ navigation: Navigation) -> [ScreenID] {
        guard !generation.leavings.isEmpty, !navigation.options.isForced else { return [] }
        return screens.filter { id in
            guard let screen = tree.screen(id), generation.leavings[screen.class] != nil else {
                return false
            }
            return !navigation.passed.contains(Interception(interceptor: .leaving(id)))
        }
    }

    /// Makes the screen where a way begins visible.
    func reach(_ plan: Plan) throws(RouteError) {
        tree.uncover(plan.found)
        if plan.moves, let nav = tree[links: plan.found].parent, tree[links: nav].kind == .nav {
            let stack = tree[nav].children
            if stack.last != plan.found {
                try tree.setChildren(stack.filter { $0 != plan.found } + [plan.found], of: nav)
            }
        }
        try tree.makeVisible(plan.found)
    }

    /// Checks that screens may go, the topmost first.
    ///
    /// - Throws: `notDismissible`, which names the first that may not.
    func checkDismissibility(
        of screens: [ScreenID],
        _ navigation: Navigation
    ) throws(RouteError) {
        guard !generation.dismissals.isEmpty, !navigation.options.isForced else { return }
        for id in screens {
            guard let screen = tree.screen(id), let dismissal = generation.dismissals[screen.class]
            else { continue }
            let mayGo: Bool
            switch dismissal {
            case .always(let answer): mayGo = answer
            case .function(let function):
                mayGo = try whilePlanning(navigation) { () throws(RouteError) in
                    try generation.call(function, [.value(.screen(id))]).isTrue
                }
            }
            guard mayGo else { throw .notDismissible(notation(of: id)) }
        }
    }
}

/// Walks the chain of one navigation.
private struct Planner {
    let router: Router
    let navigation: Navigation
    let window: Window
    /// The routes on the way so far, with what they were asked for: one that comes again is
    /// asked for ever.
    private var way: [(step: Step, info: Table)] = []
    /// How many steps and switches are on the way so far.
    private var depth = 0

    init(router: Router, navigation: Navigation, window: Window) {
        self.router = router
        self.navigation = navigation
        self.window = window
    }

    private var generation: Generation { router.generation }

    /// Plans from a step backwards.
    ///
    /// - Parameters:
    ///   - step: The step.
    ///   - info: The parameters as they come to the step.
    ///   - via: The caller's action, which replaces the step's own and its `from`.
    ///   - from: The caller's place, which replaces the step's.
    ///   - isTarget: Whether the parameters are checked already.
    /// - Returns: The plan, which ends with the step.
    /// - Throws: Whatever stands in the way.
    mutating func plan(
        _ step: Step,
        seen info: Table,
        via: Action? = nil,
        from: From? = nil,
        isTarget: Bool = false
    ) throws(RouteError) -> Plan {
        guard depth < Router.stepLimit, !(way.contains { $0.step === step && $0.info == info })
        else { throw .endlessWay(way.map(\.step.title) + [step.title]) }
        let outer = navigation.step
        navigation.step = step
        defer { navigation.step = outer }
        do throws(RouteError) {
            let view = isTarget ? info : try step.view(of: info, convert: generation.convert)
            let action = via ?? step.via ?? .push
            let link = Plan.Link(step: step, info: view, via: action)
            router.explaining?.visits(link)
            try router.prepareInterceptors(of: link, navigation)
            router.explaining?.purpose = .find
            if let find = step.find,
                let found = try router.find(find, view, for: navigation, in: window)
            {
                return Plan(found: found, finding: link, by: "find")
            }
            // A policy that searches needs nothing of what stands behind.
            if step.reuse.search != nil, let recycled = try recycle(link) { return recycled }
            // A step that is found is not prepared: where a stack is looked through for it, this
            // is known once the steps behind are planned.
            let findsLater = step.reuse.looksInStack
            if !findsLater { try router.prepare(step, view, navigation) }
            let place = from ?? (via == nil ? step.from : nil)
            let passedOn = step.adapt == nil ? info : try generation.adapt(step, view, navigation)
            // What stands behind: a plan, or else only the screen where the way begins.
            let behind: Plan?
            let start: ScreenID
            if let place {
                way.append((step, info))
                depth += 1
                defer {
                    way.removeLast()
                    depth -= 1
                }
                let plan = try self.plan(place, passedOn)
                behind = plan
                start = plan.found
            } else if step.build == nil {
                throw .nothingFound(step)
            } else {
                behind = nil
                start = try router.defaultPlace(of: action, in: window)
            }
            if findsLater {
                let base = behind?.buildsNothing == false ? nil : start
                if let recycled = try recycle(link, on: base) { return recycled }
                try router.prepare(step, view, navigation)
            }
            if case .blueprint(let tree) = step.build {
                try router.prepareLeaves(of: tree, view, navigation)
            }
            let plan = behind ?? Plan(found: start)
            plan.append(link)
            return plan
        } catch {
            throw error.blaming(step)
        }
    }

    /// The plan that goes back to a screen instead of building one, where the policy has one.
    ///
    /// - Parameters:
    ///   - link: The step.
    ///   - base: What stands where its action would be performed.
    /// - Returns: The plan; nil where the policy has no screen.
    /// - Throws: What a function of the policy raises.
    private func recycle(
        _ link: Plan.Link,
        on base: ScreenID? = nil
    ) throws(RouteError) -> Plan? {
        if case .never = link.step.reuse.kind { return nil }
        var stack: ScreenID?
        if let base, link.via.pushes { stack = router.tree.container(.nav, at: base) }
        guard
            let id = try router.recycle(link.step, link.info, in: stack, for: navigation, window)
        else { return nil }
        return Plan(found: id, finding: link, by: "reuse", moves: link.step.reuse.moves)
    }

    /// Plans from what stands behind a step.
    private mutating func plan(_ from: From, _ info: Table) throws(RouteError) -> Plan {
        switch from {
        case .current: return Plan(found: router.tree.topmost(of: window), start: info)
        case .root: return Plan(found: window.root, start: info)
        case .finder(let finder):
            router.explaining?.purpose = .from
            if let screen = finder.screen { try router.checkAlive(screen) }
            guard let found = try router.find(finder, info, for: navigation, in: window) else {
                throw .startNotFound(finder)
            }
            return Plan(found: found, by: "from", start: info)
        case .route(let target):
            return try plan(try router.taken(target, info, for: navigation), seen: info)
        case .step(let step):
            return try plan(step, seen: info)
        case .choice(let choice):
            return try plan(choice, info)
        }
    }

    private mutating func plan(_ choice: Switch, _ info: Table) throws(RouteError) -> Plan {
        guard depth < Router.stepLimit else { throw .endlessWay(way.map(\.step.title)) }
        depth += 1
        defer { depth -= 1 }
        for (index, option) in choice.cases.enumerated() {
            router.explaining?.purpose = .case(index + 1)
            switch option.when {
            case .predicate(let predicate):
                guard try generation.call(predicate, info, navigation).isTrue else { continue }
            case .finder(let finder):
                guard try router.find(finder, info, for: navigation, in: window) != nil else {
                    continue
                }
            case nil: break
            }
            if let plan = try plan(option.from, info, choice.place, mayFail: option.when == nil) {
                router.explaining?.chooses(index + 1, choice.place)
                return plan
            }
        }
        if let fallback = choice.fallback,
            let plan = try plan(fallback, info, choice.place, mayFail: false)
        {
            router.explaining?.chooses(nil, choice.place)
            return plan
        }
        throw .noCaseHolds(choice.place)
    }

    /// Plans from a choice.
    ///
    /// - Returns: Nil where it gives nothing: then it does not hold.
    private mutating func plan(
        _ choice: Switch.Choice,
        _ info: Table,
        _ place: RouteError.Location?,
        mayFail: Bool
    ) throws(RouteError) -> Plan? {
        let from: From
        switch choice {
        case .fixed(let fixed): from = fixed
        case .function(let function):
            let result = try generation.call(function, info, navigation)
            guard result.isTrue else { return nil }
            guard let given = From(result) else { throw .badFrom(result.scriptKind, place) }
            from = given
        }
        if mayFail, case .finder(let finder) = from {
            let found = try router.find(finder, info, for: navigation, in: window)
            return found.map { Plan(found: $0, by: "from", start: info) }
        }
        return try plan(from, info)
    }
}
