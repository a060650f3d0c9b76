// SPDX-License-Identifier: MIT

internal import LuaVM

extension Router {
    /// Rolls back the changes that a navigation made to screens, to the state and to the tree.
    ///
    /// The host has prepared the new screens, and may already have been asked to show them.
    func undo(_ navigation: Navigation) {
        if !queue.prepared.isEmpty {
            host.discard(queue.prepared)
            queue.prepared = []
        }
        navigation.record.isCommitted = false
        if let (before, after) = navigation.journey.stagedState {
            navigation.journey.stagedState = nil
            restoreState(before, from: after)
        }
        drop(navigation)
    }

    private func drop(_ navigation: Navigation) {
        forgetFields(of: world.staged + tree.draftedScreens)
        world.toRelease += tree.dropDraft()
        world.staged = []
        queue.isApplying = false
        queue.applying = nil
        cancelDeferred(of: navigation)
    }

    /// Reverts the changes that a stage made to the state, except values that were set again since
    /// then.
    private func restoreState(_ before: InfoTable, from after: InfoTable) {
        for case .string(let key) in Set((before.entries + after.entries).map(\.key)) {
            guard let name = key.text, before[name] != after[name], state[name] == after[name]
            else { continue }
            world.shared.setState(name, to: before[name])
        }
    }

    // MARK: Commit

    /// Commits the draft of a navigation, and asks the host to apply the change.
    func commit(_ navigation: Navigation, _ difference: Difference) {
        emit(
            .stage,
            of: navigation,
            fields: [("operations", names(of: difference.operations))] + leftDialogs(of: navigation)
        )
        tree.sealDraft(difference)
        (queue.isApplying, queue.applying) = (true, navigation)
        queue.prepared = difference.created
        navigation.record.isCommitted = true
        stopTimeout(of: navigation)
        if !difference.operations.isEmpty {
            world.revision += 1
            world.shared.edits += 1
        }
        emitCommit(of: difference.operations, navigation)
        countPresents(in: difference)
        guard !difference.operations.isEmpty else {
            applied(navigation, difference: difference, result: .success(()))
            return
        }
        show(
            difference.operations,
            isAnimated: navigation.options.isAnimated,
            navigation: navigation.id
        ) { router, result in
            router.lending.calling(for: navigation.generation ?? router.serving) {
                router.applied(navigation, difference: difference, result: result)
            }
        }
    }

    /// Sends the event of a committed change.
    ///
    /// The revision identifies the change.
    func emitCommit(of operations: [TreeOperation], _ navigation: Navigation?) {
        emit(
            .commit,
            of: navigation,
            recording: recordCommit(operations, navigation),
            fields: [
                ("operations", names(of: operations)),
                ("revision", .integer(Int64(world.revision))),
            ]
        )
    }

    /// Returns the names of operations for an event, with the attributes of presentations.
    func names(of operations: [TreeOperation]) -> Value {
        let texts = operations.map { operation in
            let attributes = operation.presentation?.attributes ?? []
            return attributes.isEmpty
                ? operation.name
                : NotationPrinter.forEvents(classes).call(operation.name, with: attributes)
        }
        return Value(texts: texts)
    }

    private func applied(
        _ navigation: Navigation,
        difference: Difference,
        result: Result<Void, any Error>
    ) {
        do {
            try result.get()
        } catch {
            undo(navigation)
            end(navigation, .failed(.hostFailed(error)))
            queue.mustResynchronize = true
            pump()
            return
        }
        settle(difference)
        if !queue.prepared.isEmpty { queue.prepared = [] }
        // A navigation may be referenced as long as its screen exists; the navigation must not keep
        // the former state alive.
        navigation.journey.stagedState = nil
        navigation.screen = navigation.journey.reached
        let hasWork = navigation.journey.settleVisits(in: &world)
        if let screen = navigation.screen, navigation.journey.reused == screen {
            emit(.reused, of: navigation, fields: fields(about: screen))
        }
        if !difference.isEmpty { emitChange(navigation, difference, cause: navigation.title) }
        // For a navigation to a route, the request is not read, because reading would copy it.
        if !navigation.isRoute {
            switch navigation.request {
            case .restore(let snapshot): finishRestoring(snapshot, navigation)
            case .unready(let gate): logForeign(among: difference.removed, leavingWith: gate)
            default: break
            }
        }
        noteArrival(of: navigation)
        if !navigation.journey.dialogs.isEmpty { supersedeDialogs(of: navigation) }
        if hasWork || !generation.declarations.state.afters.isEmpty { runAfter(navigation) }
        holdDependencies(of: navigation)
        end(navigation, .done)
        reportLeft(difference.removed, navigation)
        if !navigation.record.deferred.isEmpty {
            queue.ready.insert(contentsOf: navigation.record.deferred.filter(\.isPending), at: 0)
            navigation.record.deferred = []
        }
        cancelWhatWaits(afterClosingBy: difference)
        admitGates()
        pump()
    }

    /// Runs the `after` functions of the steps once the change is applied, in the order of the
    /// plan.
    ///
    /// Errors in these functions do not undo the change.
    private func runAfter(_ navigation: Navigation) {
        for visit in navigation.journey.visits {
            // After this point, only `closed` still needs the step. `closed` is called when the
            // screen has left the tree.
            if let step = visit.step, tree.isAlive(visit.screen),
                let route = ShownRoute(step, navigation)
            {
                screens.routes[visit.screen] = route
            }
            let functions = functionsAfter(visit)
            guard !functions.isEmpty else { continue }
            emit(
                .after,
                of: navigation,
                at: visit.step?.location,
                fields: fields(about: visit.screen)
            )
            let dependencies = visit.step.map(navigation.dependencies(of:)) ?? []
            for function in functions {
                call(
                    function,
                    title: "after",
                    on: visit.screen,
                    value: .table(visit.info ?? InfoTable()),
                    in: navigation,
                    of: visit.step,
                    dependencies: Dictionary(uniqueKeysWithValues: dependencies)
                )
            }
        }
    }

    /// Returns the functions to run on a screen after the change is applied.
    private func functionsAfter(_ visit: Visit) -> [ScriptFunction] {
        guard visit.isDetached || tree.isAlive(visit.screen) else { return [] }
        return generation.declarations.functionsAfter(visit)
    }

    /// Records the screen that a navigation reached, for the result of the navigation and for its
    /// parents.
    private func noteArrival(of navigation: Navigation) {
        guard let screen = navigation.screen, tree.isAlive(screen) else { return }
        navigation.resultScreen = tree.visibleLeaf(under: screen)
        let isNew = navigation.journey.reused != screen
        if navigation.record.isAbandoned, isNew { removeLater(screen) }
        noteArrival(at: screen, isNew: isNew, of: navigation)
        for follower in navigation.record.followers {
            noteArrival(at: screen, isNew: isNew, of: follower)
        }
    }

    private func noteArrival(at screen: ScreenID, isNew: Bool, of arrived: Navigation) {
        var parent = arrived.parentNavigation
        while let current = parent, current.isPending {
            let leaf = tree.visibleLeaf(under: screen)
            current.record.arrivals += leaf == screen ? [screen] : [screen, leaf]
            if isNew { current.record.shown.append(screen) }
            parent = current.parentNavigation
        }
    }

    /// Notifies the routes and the waits of removed screens, then releases the screens.
    ///
    /// - Parameters:
    ///   - removed: The screens.
    ///   - navigation: The navigation that removed the screens; nil if the user removed them.
    func reportLeft(_ removed: [ScreenID], _ navigation: Navigation?) {
        guard !removed.isEmpty else { return }
        let closed = navigation?.request.closing
        noteLeft(removed, closed: closed)
        for id in removed {
            let dependencies = screens.dependencies.removeValue(forKey: id) ?? [:]
            guard let route = screens.routes.removeValue(forKey: id) else { continue }
            let value = closed?.screen == id ? closed?.value ?? .nil : .nil
            let chain = navigation?.chain ?? chain
            let closing = Ending.work { router in
                guard let closed = router.activeStep(of: route)?.closed else { return }
                // Scripts of another generation cannot have the dependencies that were created for
                // the screen.
                let isSame = route.navigation.generationNumber == router.serving.number
                router.call(
                    closed,
                    title: "closed",
                    on: id,
                    value: value,
                    in: route.navigation,
                    of: route.step,
                    chain: chain,
                    dependencies: isSame ? dependencies : [:]
                )
            }
            queue.endings.append(closing)
        }
        // All screens are released together, because they may reference each other.
        queue.endings.append(.work { router in router.world.toRelease += removed })
    }

    /// Runs `after` or `closed` of a route, or an `after` function for all routes, for a screen.
    ///
    /// The function may wait. Its errors are logged.
    private func call(
        _ function: ScriptFunction,
        title: String,
        on screen: ScreenID,
        value: Value,
        in navigation: Navigation,
        of step: Step?,
        chain: Int? = nil,
        dependencies: [String: Dependency]
    ) {
        let activity = Activity(
            "'\(title)'",
            for: navigation,
            chain: chain ?? navigation.chain,
            timeout: generation.declarations.timeout
        ) { [unowned self] result in
            if case .failure(let error) = result { logUnheard(error) }
        }
        activity.dependencies = dependencies
        activity.step = step
        outsidePump {
            run(function, as: activity, results: 0) { writer in
                Value.screen(screen).write(to: &writer, generation.runtime.objects)
                value.write(to: &writer, generation.runtime.objects)
                generation.runtime.objects.write(navigation, to: &writer)
            }
        }
    }

    /// Commits the draft, if one is open.
    func settle(_ difference: Difference) {
        tree.closeDraft(difference)
        world.staged = []
        (queue.isApplying, queue.applying) = (false, nil)
    }
}
