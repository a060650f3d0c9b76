// SPDX-License-Identifier: MIT

internal import LuaVM

extension Router {
    /// The result of a stage.
    private enum Staging {
        case committed
        /// Screens that would leave have to be asked first.
        case mustAsk([ScreenID])
        /// There is nothing to do, with the reason.
        case nothing(String)
        case outdatedPlan
    }

    /// Makes and places the screens of a navigation on a draft of the tree, then commits it.
    ///
    /// - Returns: Whether there is another phase now: screens that would go are to be asked.
    /// - Throws: The error that ends the navigation; the transaction has been rolled back.
    func stage(_ navigation: Navigation) throws(RouteError) -> Bool {
        if reachesWhatIsShown(navigation) {
            commit(navigation, Difference())
            return false
        }
        turn = .staging(navigation)
        tree.openNewDraft()
        stateBeforeStage = state
        defer { stateBeforeStage = nil }
        let staging: Staging
        do throws(RouteError) {
            staging = try onBehalf(of: navigation, chain: navigation.chain) {
                () throws(RouteError) in
                try arrangeAndCommit(navigation)
            }
        } catch {
            rollBack(navigation)
            throw error
        }
        switch staging {
        case .committed: return false
        case .mustAsk(let screens):
            rollBack(navigation)
            navigation.leaving = screens
            navigation.phase = .leave
            return true
        case .nothing(let reason):
            rollBack(navigation)
            end(navigation, .stayed(reason))
            return false
        case .outdatedPlan:
            rollBack(navigation)
            navigation.learnedClasses += 1
            navigation.phase = .plan
            return true
        }
    }

    private func arrangeAndCommit(_ navigation: Navigation) throws(RouteError) -> Staging {
        switch try arrange(navigation) {
        case .nothing(let reason): return .nothing(reason)
        case .outdatedPlan: return .outdatedPlan
        case .reached(let screen):
            let difference = tree.draftDifference()
            try checkDismissibility(of: difference.removed, navigation)
            try checkCapabilities(of: difference, navigation)
            let unasked = screensToAsk(among: difference.removed, navigation)
            if !unasked.isEmpty { return .mustAsk(unasked) }
            navigation.reached = screen
            if difference.created.isEmpty {
                commit(navigation, difference, stateBeforeStage)
            } else {
                try prepare(difference.created)
                // The host may have called scripts, which set fields.
                commit(navigation, tree.draftDifference(), stateBeforeStage)
            }
            return .committed
        }
    }

    /// Drops the stage of a navigation, and restores the script state.
    private func rollBack(_ navigation: Navigation) {
        if let before = stateBeforeStage { state = before }
        drop(navigation)
    }

    /// Whether a navigation goes to a screen that is visible, and changes nothing about it; if so
    /// notes that it has reached it, with no draft of the tree.
    func reachesWhatIsShown(_ navigation: Navigation) -> Bool {
        guard case .route = navigation.request, let plan = navigation.plan, plan.links.isEmpty,
            let step = plan.finding?.step, let info = plan.finding?.info, !plan.moves,
            step.update == nil, generation.updates.isEmpty, tree.isVisible(plan.found),
            isFilled(plan.found, step, info)
        else { return false }
        navigation.trail = [Stop(screen: plan.found, step: step, info: info)]
        navigation.reached = plan.found
        navigation.reused = plan.found
        return true
    }

    /// Drops the stage of a navigation, and what it had put off.
    func drop(_ navigation: Navigation) {
        forgetFields(of: staged + tree.draftedScreens)
        let made = tree.dropDraft()
        staged = []
        turn = .idle
        toRelease += made
        let putOff = navigation.putOff
        navigation.putOff = []
        for child in putOff { cancel(child, .dropped(by: navigation)) }
    }

    /// Takes back what a stage made of the state, but for what was set since.
    private func restoreState(_ before: Table, from after: Table) {
        for name in Set((before.entries + after.entries).map(\.key)) {
            guard before[name] != after[name], state[name] == after[name] else { continue }
            state[name] = before[name]
        }
    }

    private func prepare(_ screens: [ScreenID]) throws(RouteError) {
        do {
            try host.prepare(screens, in: tree)
        } catch {
            host.discard(screens)
            throw RouteError.hostFailed(error)
        }
    }

    // MARK: Commit

    private func commit(
        _ navigation: Navigation,
        _ difference: Difference,
        _ stateBefore: Table? = nil
    ) {
        emit(.stage, navigation, [("operations", names(of: difference.operations))])
        tree.sealDraft(difference)
        turn = .applying(navigation)
        navigation.isCommitted = true
        stopPatience(of: navigation)
        if !difference.operations.isEmpty {
            revision += 1
            edits += 1
        }
        emitCommit(of: difference.operations, navigation)
        countPresents(in: difference)
        guard !difference.operations.isEmpty else {
            applied(navigation, difference, .success(()))
            return
        }
        if let stateBefore { navigation.stagedState = (stateBefore, state) }
        apply(
            difference.operations,
            animated: navigation.options.isAnimated,
            navigation: navigation.id
        ) { router, result in
            router.acting(for: navigation.generation ?? router.serving) {
                router.applied(navigation, difference, result)
            }
        }
    }

    /// Tells that a change is current, whose number is the revision.
    func emitCommit(of operations: [Operation], _ navigation: Navigation?) {
        emit(
            .commit,
            navigation,
            [("operations", names(of: operations)), ("revision", .integer(Int64(revision)))]
        )
    }

    private func names(of operations: [Operation]) -> Value {
        .table(Table(list: operations.map { Value($0.name) }))
    }

    /// Hands a change to the host.
    ///
    /// Its answer counts once, and only while it is waited for.
    func apply(
        _ operations: [Operation],
        animated: Bool,
        navigation: Int?,
        done: @escaping (Router, Result<Void, any Error>) -> Void
    ) {
        let change = Change(
            operations: operations,
            tree: tree,
            isAnimated: animated,
            revision: revision,
            navigation: navigation
        )
        awaited = revision
        host.apply(change) { [weak self] result in
            guard let self else { return }
            enter()
            guard awaited == change.revision else {
                log("warn", "an answer of the host to change \(change.revision) is not waited for")
                return
            }
            awaited = nil
            done(self, result)
        }
    }

    private func applied(
        _ navigation: Navigation,
        _ difference: Difference,
        _ result: Result<Void, any Error>
    ) {
        do {
            try result.get()
        } catch {
            host.discard(difference.created)
            navigation.isCommitted = false
            if let (before, after) = navigation.stagedState { restoreState(before, from: after) }
            drop(navigation)
            end(navigation, .failed(.hostFailed(error)))
            pump()
            return
        }
        settle(difference)
        // A navigation may be held as long as its screen: not the state of its time with it.
        navigation.stagedState = nil
        navigation.screen = navigation.reached
        // What an action replaced, or a step behind brought, may be gone by now.
        navigation.trail.removeAll { !$0.isDetached && !tree.isAlive($0.screen) }
        for stop in navigation.trail {
            guard let step = stop.step, let name = tree.class(of: stop.screen) else { continue }
            step.noteClass(name)
        }
        if let screen = navigation.screen, navigation.reused == screen {
            emit(.reused, navigation, fields(about: screen))
        }
        if !difference.isEmpty { emitChange(navigation, difference, cause: navigation.title) }
        if case .restore(let snapshot) = navigation.request {
            finishRestoring(snapshot, navigation)
        }
        noteArrival(of: navigation)
        runAfter(navigation)
        holdDependencies(of: navigation)
        end(navigation, .done)
        tellLeft(difference.removed, navigation)
        if !navigation.putOff.isEmpty {
            ready.insert(contentsOf: navigation.putOff.filter(\.isPending), at: 0)
            navigation.putOff = []
        }
        cancelWhatWaits(afterClosingBy: difference)
        if !gates.waiting.isEmpty, !tree.windows.isEmpty { letPass(Gates.started) }
        pump()
    }

    /// Runs what the steps do when all is applied, in the order of the way.
    ///
    /// Their errors undo nothing.
    private func runAfter(_ navigation: Navigation) {
        guard
            !generation.afters.isEmpty
                || navigation.trail.contains(where: { $0.step?.hasWorkWhenShown == true })
        else { return }
        for stop in navigation.trail {
            // Only `closed` is asked for later, when the screen has left.
            if let step = stop.step, tree.isAlive(stop.screen),
                let route = ShownRoute(step, navigation)
            {
                routes[stop.screen] = route
            }
            let functions = functionsAfter(stop)
            guard !functions.isEmpty else { continue }
            emit(.after, navigation, at: stop.step?.place, fields(about: stop.screen))
            let dependencies = stop.step.map(navigation.dependencies(of:)) ?? []
            for function in functions {
                call(
                    function,
                    "after",
                    on: stop.screen,
                    .table(stop.info ?? Table()),
                    navigation,
                    of: stop.step,
                    dependencies: Dictionary(uniqueKeysWithValues: dependencies)
                )
            }
        }
    }

    /// The functions that run on a screen when all is applied.
    func functionsAfter(_ stop: Stop) -> [LuaFunction] {
        guard stop.info != nil, stop.isDetached || tree.isAlive(stop.screen) else { return [] }
        return generation.afters + (stop.step?.after.map { [$0] } ?? [])
    }

    /// Notes what a navigation reached, for its result and for those that it is part of.
    private func noteArrival(of navigation: Navigation) {
        guard let screen = navigation.screen, tree.isAlive(screen) else { return }
        navigation.resultScreen = tree.visibleLeaf(under: screen)
        noteArrival(at: screen, of: navigation)
        for follower in navigation.followers { noteArrival(at: screen, of: follower) }
    }

    private func noteArrival(at screen: ScreenID, of arrived: Navigation) {
        var parent = arrived.parentNavigation
        while let current = parent, current.isPending {
            current.arrivals.append(screen)
            parent = current.parentNavigation
        }
    }

    /// Tells of screens that have left: what waits for them, and their routes; then lets go of
    /// the screens.
    ///
    /// - Parameters:
    ///   - removed: The screens.
    ///   - navigation: The navigation that removed them; nil where a person did.
    func tellLeft(_ removed: [ScreenID], _ navigation: Navigation?) {
        guard !removed.isEmpty else { return }
        var closed: (screen: ScreenID, value: Value)?
        if case .close(let id, let value)? = navigation?.request { closed = (id, value) }
        noteLeft(removed, closed: closed)
        for id in removed {
            let dependencies = heldDependencies.removeValue(forKey: id) ?? [:]
            guard let route = routes.removeValue(forKey: id) else { continue }
            let value = closed?.screen == id ? closed?.value ?? .nil : .nil
            let chain = navigation?.chain ?? chain
            endings.append { [unowned self] in
                guard let closed = self.closed(of: route) else { return }
                // Other scripts cannot have what those made that showed it.
                let isSame = route.navigation.generationNumber == serving.number
                call(
                    closed,
                    "closed",
                    on: id,
                    value,
                    route.navigation,
                    of: route.step,
                    chain: chain,
                    dependencies: isSame ? dependencies : [:]
                )
            }
        }
        // Together: what hangs together is let go of at once.
        endings.append { [unowned self] in toRelease += removed }
    }

    /// Runs a function of a route that has to do with a screen and may wait.
    ///
    /// What it raises is told to the log.
    private func call(
        _ function: LuaFunction,
        _ title: String,
        on screen: ScreenID,
        _ value: Value,
        _ navigation: Navigation,
        of step: Step?,
        chain: Int? = nil,
        dependencies: [String: Dependency]
    ) {
        let activity = Activity(
            "'\(title)'",
            for: navigation,
            chain: chain ?? navigation.chain,
            patience: generation.patience
        ) { [unowned self] result in
            if case .failure(let error) = result { logUnheard(error) }
        }
        activity.dependencies = dependencies
        activity.step = step
        outsidePump {
            run(function, as: activity, results: 0) { writer in
                Value.screen(screen).write(to: &writer, generation.objects)
                value.write(to: &writer, generation.objects)
                generation.objects.write(navigation, to: &writer)
            }
        }
    }

    /// Makes the draft, if one is open, the tree that stands.
    func settle(_ difference: Difference) {
        tree.closeDraft(difference)
        staged = []
        turn = .idle
    }
}
