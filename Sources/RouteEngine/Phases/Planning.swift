// SPDX-License-Identifier: MIT

package import RouteCore

/// Plans a navigation: follows the chain of parents from the target until a step finds a screen.
///
/// Lua functions that are called during planning have no effects, and may be called several times.
extension Stage {
    /// Plans the navigation.
    ///
    /// - Returns: The verdict: the navigation continues, waits at a gate, or uses the next match of
    ///   its URL.
    /// - Throws: The first error that occurs in a step.
    package mutating func plan() throws(RouteError) -> Verdict {
        guard let definition = journey.definition else {
            preconditionFailure("a navigation must be resolved before it is planned")
        }
        let allowed = Journey.planLimit + journey.freePlans
        guard journey.plans <= allowed else { throw tooManyPlans() }
        if journey.plans > 0 { emit(.replan) }
        trace?.phase = .plan
        let window = try window()
        if waitsForForeign(in: window) {
            guard let trace else { return .waits(gate: World.foreignGate) }
            trace.notes(gates: [World.foreignGate], of: nil, in: world)
        }
        journey.plans += 1
        journey.leaves = 0
        if !journey.leaving.isEmpty { journey.leaving = [] }
        if !journey.leafGates.isEmpty { journey.leafGates = [] }
        let context = planning
        let prepared = try prepareInterceptorsForAll(before: .stage, context)
        if case .asksForNextMatch(let place) = prepared { return .asksForNextMatch(place) }
        let plan: Plan
        switch try makePlan(definition, in: window, context) {
        case .plan(let made): plan = made
        case .asksForNextMatch(let place): return .asksForNextMatch(place)
        case .nothing: preconditionFailure("planning a step must return a plan or throw an error")
        }
        if tree.windows.count > 1, let other = tree.window(of: plan.found),
            other.name != window.name
        {
            throw .plansInOtherWindow(
                notation(of: plan.found),
                window: other.name,
                own: window.name
            )
        }
        journey.plan = plan
        report(plan, definition)
        if declarations.guardsScreens, !journey.options.isForced {
            try findScreensLeaving(by: plan)
        }
        if let trace { trace.notesApproval(of: plan, in: self) }
        if let gate = closedGate(among: gates(of: plan)) { return .waits(gate: gate) }
        journey.hasWaited = false
        journey.planEdits = world.shared.edits
        journey.phase = .asking
        return .next
    }

    /// Makes a plan as if the dialogs that the link leaves were already removed.
    private mutating func makePlan(
        _ definition: Step,
        in window: RouterWindow,
        _ context: CallContext
    ) throws(RouteError) -> Planner.Planned {
        let leaves = !journey.dialogs.isEmpty
        if leaves {
            if let (precedence, own) = surroundings.precedence(lending: &self) {
                let open = precedence.dialogs(beside: own)
                journey.dialogs = journey.dialogs.filter(open.contains)
            }
            tree.openNewDraft()
        }
        defer { if leaves { released += tree.dropDraft() } }
        try leaveDialogs()
        return try Planner(window: window, context: context).plan(
            definition,
            seen: journey.info,
            via: journey.options.via,
            from: journey.options.from.map { .finder(Finder(.screen($0))) },
            isTarget: true,
            &self
        )
    }

    private mutating func report(_ plan: Plan, _ definition: Step) {
        emit(.plan, at: definition.location) { stage in
            [
                ("found", stage.tree.eventText(of: plan.found, stage.declarations.classes)),
                ("steps", .table(InfoTable(list: plan.links.map { Value($0.step.title) }))),
            ]
                + (plan.cases.isEmpty
                    ? [] : [("cases", .table(InfoTable(list: plan.cases.map { Value($0) })))])
        }
        guard let by = plan.by else { return }
        emit(.find, at: plan.finding?.step.location ?? definition.location) { stage in
            [("by", Value(by))] + stage.fields(about: plan.found)
        }
    }

    /// Returns the error for a navigation whose plans repeatedly become outdated.
    package func tooManyPlans() -> RouteError {
        guard let changer = journey.changer else { return .tooManyPlans(nil) }
        let name = if case .named(let name) = changer.interceptor { name } else { "intercept" }
        return RouteError.tooManyPlans(name).at(declarations.location(of: changer, in: tree))
    }

    // MARK: Calls to `prepare`

    /// Calls the `prepare` functions of the interceptors that run for all routes before the given
    /// phase.
    package mutating func prepareInterceptorsForAll(
        before phase: InterceptAll.Phase,
        _ context: CallContext
    ) throws(RouteError) -> Preparation {
        guard !declarations.interceptAll.isEmpty, let service = journey.route?.service else {
            return .passes
        }
        for wide in declarations.interceptAll where wide.before == phase && wide.isFor(service) {
            if case .asksForNextMatch = try prepare(.named(wide.name), context) {
                return .asksForNextMatch(declarations.interceptors[wide.name]?.location)
            }
        }
        return .passes
    }

    /// Calls the `prepare` functions of a step's interceptors.
    fileprivate mutating func prepareInterceptors(
        of link: Plan.Link,
        _ context: CallContext
    ) throws(RouteError) -> Preparation {
        var context = context
        context.link = link
        for interceptor in link.step.intercept {
            let answer = try prepare(interceptor, context)
            if case .asksForNextMatch = answer { return answer }
        }
        return .passes
    }

    private mutating func prepare(
        _ interceptor: Interceptor,
        _ context: CallContext
    ) throws(RouteError) -> Preparation {
        guard case .named(let name) = interceptor,
            let prepare = try declarations.interceptor(name).prepare
        else { return .passes }
        return try scripts.prepare(
            prepare,
            [],
            of: nil,
            in: context,
            lending: &self
        )
    }

    /// Calls the `prepare` function of a step.
    package mutating func prepare(
        _ step: Step,
        with info: InfoTable,
        in context: CallContext
    ) throws(RouteError) -> Preparation {
        guard let prepare = step.prepare else { return .passes }
        return try scripts.prepare(
            prepare,
            [.table(info)],
            of: step,
            in: context,
            lending: &self
        )
    }

    // MARK: Starting screens

    /// Returns the screen on which an action without `from` is performed.
    ///
    /// - Throws: `typeMismatch` if there is no suitable screen.
    fileprivate func defaultPlace(
        of action: Action,
        in window: RouterWindow
    ) throws(RouteError) -> ScreenID {
        if let need = try declarations.need(of: action) {
            let leaf = tree.visibleLeafBelowForeign(of: window)
            guard let place = tree.nearest(need, from: leaf) else {
                throw .noPlace(for: action, need, around: notation(of: leaf))
            }
            return place
        }
        if case .replaceRoot = action.kind { return window.root }
        return topmost(of: window)
    }

    // MARK: Dismissibility

    /// Finds the screens whose `leaving` must be called because making the start of the plan
    /// visible removes them.
    ///
    /// This function also checks that these screens may be dismissed, before any interceptor is
    /// called.
    private mutating func findScreensLeaving(by plan: Plan) throws(RouteError) {
        tree.openNewDraft()
        let removed: [ScreenID]
        do throws(RouteError) {
            try leaveDialogs()
            try reach(plan)
            removed = tree.draftDifference().removed
            try checkDismissibility(of: removed)
        } catch {
            released += tree.dropDraft()
            throw error
        }
        released += tree.dropDraft()
        journey.removing = removed
        journey.leaving = try screensToAsk(among: removed)
    }

    /// Makes the starting screen of a plan visible.
    package mutating func reach(_ plan: Plan) throws(RouteError) {
        uncover(plan.found)
        if plan.moves, let nav = tree[links: plan.found].parent, tree[links: nav].kind == .nav {
            let stack = tree[nav].children
            if stack.last != plan.found {
                try tree.setChildren(stack.filter { $0 != plan.found } + [plan.found], of: nav)
            }
        }
        try tree.makeVisible(plan.found)
    }
}

/// A planner that follows the chain of steps of one navigation.
private struct Planner {
    let window: RouterWindow
    let context: CallContext
    /// The steps so far with their parameters.
    ///
    /// If a step occurs again with equal parameters, the chain of parents is endless.
    private var steps: [(step: Step, info: InfoTable)] = []
    /// The number of steps and switches so far.
    private var depth = 0

    init(window: RouterWindow, context: CallContext) {
        self.window = window
        self.context = context
    }

    /// The result of planning a step or a parent.
    enum Planned {
        case plan(Plan)
        /// A switch did not choose any parent.
        case nothing
        /// A `prepare` function requests the next match of the URL.
        case asksForNextMatch(RouteError.Location?)
    }

    /// Plans a step and the chain of its parents.
    ///
    /// - Parameters:
    ///   - step: The step.
    ///   - info: The parameters that were passed to the step.
    ///   - via: The caller's action, which replaces the action and the `from` of the step.
    ///   - from: The caller's starting screen, which replaces the `from` of the step.
    ///   - isTarget: Whether the step is the target. The parameters of the target have already been
    ///     checked.
    ///   - stage: The stage of the navigation.
    /// - Returns: The plan, whose last step is the given step.
    /// - Throws: The first error that occurs in a step.
    func plan(
        _ step: Step,
        seen info: InfoTable,
        via: Action? = nil,
        from: From? = nil,
        isTarget: Bool = false,
        _ stage: inout Stage
    ) throws(RouteError) -> Planned {
        guard depth < Stage.stepLimit, !(steps.contains { $0.step === step && $0.info == info })
        else { throw .endlessWay(steps.map(\.step.title) + [step.title]) }
        do throws(RouteError) {
            let own = context.of(step)
            let view: InfoTable
            do throws(RouteError) {
                view = isTarget ? info : try stage.view(of: info, step, own)
            } catch {
                throw error.passed(by: steps.last.map { .child($0.step) })
            }
            let action = via ?? step.via ?? .push
            let link = Plan.Link(step: step, info: view, via: action)
            stage.trace?.visits(link, stage.declarations.classes)
            let next = Planned.asksForNextMatch(step.location)
            if !step.intercept.isEmpty {
                if case .asksForNextMatch = try stage.prepareInterceptors(of: link, own) {
                    return next
                }
            }
            if let find = step.find,
                let found = try stage.find(
                    find,
                    with: view,
                    purpose: .find,
                    in: window,
                    context: own
                )
            {
                let plan = Plan(found: found, finding: link, by: "find")
                stage.trace?.notesFinding(of: plan, in: stage)
                return .plan(plan)
            }
            // A policy that has its own search does not depend on the parents of the step.
            if step.reuse.search != nil, let recycled = try recycle(link, &stage) {
                return .plan(recycled)
            }
            // `prepare` is not called for a step whose screen is found. If the policy searches the
            // step's stack, this is known only after the parents are planned.
            let findsLater = step.reuse.looksInStack
            if !findsLater {
                if case .asksForNextMatch = try stage.prepare(step, with: view, in: own) {
                    return next
                }
            }
            let place = from ?? (via == nil ? step.from : nil)
            let passedOn =
                try step.adapt.map { (adapt) throws(RouteError) in
                    try stage.adapt(adapt, with: view, in: own)
                } ?? info
            // The plan of the parents; nil if the step has no parent, so that its action determines
            // where the plan starts.
            var parents: Plan?
            if let place {
                var behind = self
                behind.steps.append((step, info))
                behind.depth += 1
                let planned = try behind.plan(place, with: passedOn, in: &stage)
                guard case .plan(let plan) = planned else { return planned }
                parents = plan
            } else if step.build == nil {
                throw .nothingFound(step)
            }
            let found: ScreenID
            if let parents {
                found = parents.found
            } else {
                found = try stage.defaultPlace(of: action, in: window)
            }
            if findsLater {
                let base = parents?.buildsNothing == false ? nil : found
                if let recycled = try recycle(link, on: base, &stage) { return .plan(recycled) }
                if case .asksForNextMatch = try stage.prepare(step, with: view, in: own) {
                    return next
                }
            }
            if case .blueprint(let tree) = step.build,
                case .asksForNextMatch(let place) = try stage.prepareLeaves(of: tree, view, own)
            {
                return .asksForNextMatch(place)
            }
            let plan = parents ?? Plan(found: found)
            plan.append(link)
            return .plan(plan)
        } catch {
            throw error.blaming(step)
        }
    }

    /// Returns a plan that reuses an existing screen instead of building one.
    ///
    /// - Parameters:
    ///   - link: The step.
    ///   - base: The existing screen on which the step's action would be performed.
    ///   - stage: The stage of the navigation.
    /// - Returns: The plan; nil if the policy finds no screen.
    /// - Throws: The error that a function of the policy raises.
    private func recycle(
        _ link: Plan.Link,
        on base: ScreenID? = nil,
        _ stage: inout Stage
    ) throws(RouteError) -> Plan? {
        if case .never = link.step.reuse.kind { return nil }
        var stack: ScreenID?
        if let base, link.via.pushes { stack = stage.tree.container(.nav, at: base) }
        let found = try stage.recycle(
            link.step,
            with: link.info,
            in: stack,
            window: window,
            context: context.of(link.step)
        )
        guard let found else { return nil }
        let plan = Plan(found: found, finding: link, by: "reuse", moves: link.step.reuse.moves)
        stage.trace?.notesFinding(of: plan, in: stage)
        return plan
    }

    /// Makes the plan for the parent of a step.
    private func plan(
        _ from: From,
        with info: InfoTable,
        in stage: inout Stage
    ) throws(RouteError) -> Planned {
        switch from {
        case .current: return .plan(Plan(found: stage.topmost(of: window), start: info))
        case .root: return .plan(Plan(found: window.root, start: info))
        case .finder(let finder):
            if let screen = finder.screen { try stage.tree.checkAlive(screen) }
            guard
                let found = try stage.find(
                    finder,
                    with: info,
                    purpose: .from,
                    in: window,
                    context: child
                )
            else {
                throw .startNotFound(finder)
            }
            return .plan(Plan(found: found, by: "from", start: info))
        case .route(let target):
            return try plan(try stage.taken(target, with: info, in: child), seen: info, &stage)
        case .step(let step):
            return try plan(step, seen: info, &stage)
        case .choice(let choice):
            return try plan(choice, with: info, in: &stage)
        }
    }

    /// The context for functions of a finder or a switch in `from`.
    ///
    /// This is the context of the step that contains the `from`.
    private var child: CallContext { context.of(steps.last?.step) }

    private func plan(
        _ choice: Switch,
        with info: InfoTable,
        in stage: inout Stage
    ) throws(RouteError) -> Planned {
        guard depth < Stage.stepLimit else { throw .endlessWay(steps.map(\.step.title)) }
        var behind = self
        behind.depth += 1
        for (index, option) in choice.cases.enumerated() {
            switch option.when {
            case .predicate(let predicate):
                guard try stage.call(predicate, with: info, in: child).isTrue else { continue }
            case .finder(let finder):
                let found = try stage.find(
                    finder,
                    with: info,
                    purpose: .case(index + 1),
                    in: window,
                    context: child
                )
                guard found != nil else { continue }
            case nil: break
            }
            let planned = try behind.plan(
                option.from,
                with: info,
                at: choice.location,
                purpose: .case(index + 1),
                mayFail: option.when == nil,
                in: &stage
            )
            if case .nothing = planned { continue }
            if case .plan(let plan) = planned { plan.choose(choice.caseName(index + 1)) }
            stage.trace?.chooses(index + 1, choice.location, of: child.step)
            return planned
        }
        if let fallback = choice.fallback {
            let planned = try behind.plan(
                fallback,
                with: info,
                at: choice.location,
                purpose: .from,
                mayFail: false,
                in: &stage
            )
            if case .nothing = planned {
            } else {
                if case .plan(let plan) = planned { plan.choose(choice.caseName(nil)) }
                stage.trace?.chooses(nil, choice.location, of: child.step)
                return planned
            }
        }
        throw .noCaseHolds(choice.location)
    }

    /// Makes the plan for the parent that a case of a switch chooses.
    private func plan(
        _ choice: Switch.Choice,
        with info: InfoTable,
        at place: RouteError.Location?,
        purpose: Trace.Purpose,
        mayFail: Bool,
        in stage: inout Stage
    ) throws(RouteError) -> Planned {
        let from: From
        switch choice {
        case .fixed(let fixed): from = fixed
        case .function(let function):
            let result = try stage.call(function, with: info, in: child)
            guard result.isTrue else { return .nothing }
            guard let given = From(result) else { throw .badFrom(result.scriptKind, place) }
            from = given
        }
        if mayFail, case .finder(let finder) = from {
            let found = try stage.find(
                finder,
                with: info,
                purpose: purpose,
                in: window,
                context: child
            )
            return found.map { .plan(Plan(found: $0, by: "from", start: info)) } ?? .nothing
        }
        return try plan(from, with: info, in: &stage)
    }
}

extension Stage {
    /// The maximum number of steps and switches in a plan.
    ///
    /// Building is recursive, and the stack of the main thread of a phone is only 1 MiB.
    package static let stepLimit = 40

    /// Returns the parameters that an `adapt` function computes from the given parameters.
    package mutating func adapt(
        _ function: ScriptFunction,
        with info: InfoTable,
        in context: CallContext
    ) throws(RouteError) -> InfoTable {
        let result = try scripts.result(
            of: function,
            [.table(info)],
            true,
            in: context,
            lending: &self
        )
        guard let result else { throw .returnedNothing("'adapt'", instead: "table") }
        guard case .table(let table) = result else { throw .adaptGave(result.scriptKind) }
        return table
    }
}
