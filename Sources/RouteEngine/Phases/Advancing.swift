// SPDX-License-Identifier: MIT

package import RouteCore

/// Runs the phases of a navigation in order.
extension Stage {
    /// Runs phases until the navigation needs an interceptor, a gate or the host.
    ///
    /// - Returns: The verdict, which is never `next`.
    /// - Throws: The error that ends the navigation. The stage is then rolled back.
    package mutating func advance() throws(RouteError) -> Verdict {
        while true {
            let verdict: Verdict
            do throws(RouteError) {
                verdict = try phase()
            } catch {
                verdict = try meetDialogs(after: error)
            }
            if case .next = verdict { continue }
            // The plan that follows the wait is not counted.
            if case (.waits, .planning) = (verdict, journey.phase) { journey.freePlans += 1 }
            return verdict
        }
    }

    /// Runs one phase.
    private mutating func phase() throws(RouteError) -> Verdict {
        switch journey.phase {
        case .resolving:
            trace?.phase = .resolve
            try resolve()
            trace?.notesResolution(in: self)
            if let gate = closedGate(among: gatesOfTarget) { return .waits(gate: gate) }
            journey.phase = .searching
            let prepared = try prepareInterceptorsForAll(before: .search, planning)
            if case .asksForNextMatch(let place) = prepared { return .asksForNextMatch(place) }
        case .searching:
            if !declarations.interceptAll.isEmpty {
                if let trace, journey.unasked.isEmpty {
                    trace.notes(interceptorsForAll(before: .search), .search, in: self)
                }
                let next = try firstUnasked { $0.interceptorsForAll(before: .search) }
                if let next { return .asks(next) }
            }
            journey.phase = .planning
        case .planning: return try plan()
        case .asking:
            if let next = try firstUnasked(of: { $0.interceptorsOfPlan() }) { return .asks(next) }
            let isStale = journey.hasWaited || journey.planEdits != world.shared.edits
            journey.phase = isStale ? .planning : .staging
        case .leaving(let screens):
            let next = try firstUnasked { _ in screens.map(Interception.leaving) }
            if let next { return .asks(next) }
            journey.phase = journey.request.isRoute ? .planning : .staging
        case .staging: return try stage()
        }
        return .next
    }

    // MARK: Interceptors

    /// Returns the interceptors declared with `router.interceptAll` that apply to this navigation
    /// and run before the given phase.
    package func interceptorsForAll(before phase: InterceptAll.Phase) -> [Interception] {
        guard !declarations.interceptAll.isEmpty, let service = journey.route?.service else {
            return []
        }
        return declarations.interceptAll
            .filter { $0.before == phase && $0.isFor(service) }
            .map { Interception(interceptor: .named($0.name)) }
    }

    /// Returns the interceptors of a plan: the interceptors for all routes, the interceptors of its
    /// steps, and the `leaving` functions of the screens that would be removed.
    private func interceptorsOfPlan() -> [Interception] {
        guard let ofSteps = journey.plan?.interceptors else {
            preconditionFailure("a navigation must be planned before its interceptors are called")
        }
        let ofAll = interceptorsForAll(before: .stage)
        let interceptors = ofAll.isEmpty ? ofSteps : ofAll + ofSteps
        if journey.leaving.isEmpty { return interceptors }
        return interceptors + journey.leaving.map(Interception.leaving)
    }

    /// Returns the first interceptor of the current phase that has not yet let the navigation
    /// proceed.
    ///
    /// A screen that is no longer guarded is skipped here; staging checks the screen again.
    ///
    /// - Parameter interceptors: A closure that returns the interceptors of the phase. Their number
    ///   may have grown since the last call.
    /// - Returns: The interceptor; nil if there are no more.
    /// - Throws: The error that a `guarded` function raises.
    /// - Complexity: O(1) on average for each interceptor of the phase.
    private mutating func firstUnasked(
        of interceptors: (borrowing Stage) -> [Interception]
    ) throws(RouteError) -> Interception? {
        journey.unasked = journey.unasked.drop(while: journey.passed.contains)
        if journey.unasked.isEmpty {
            journey.unasked = interceptors(self).drop(while: journey.passed.contains)
        }
        while case .leaving(let screen)? = journey.unasked.first?.interceptor,
            try !asks(screen)
        {
            journey.unasked = journey.unasked.dropFirst().drop(while: journey.passed.contains)
        }
        return journey.unasked.first
    }

    // MARK: Staging

    /// Makes the requested change in a draft of the tree, and checks the change.
    private mutating func stage() throws(RouteError) -> Verdict {
        trace?.phase = .stage
        if reachesVisibleScreen() { return .commits(Difference()) }
        let others = journey.isLink ? surroundings.precedence(lending: &self) : nil
        let dialogs = others.map { self.dialogs($0, $1) } ?? []
        open()
        let stop: Stop
        do throws(RouteError) {
            if !journey.dialogs.isEmpty { try leaveDialogs() }
            switch try arrange() {
            case .reached(let screen):
                journey.reached = screen
                if !dialogs.isEmpty, let (precedence, own) = others,
                    let verdict = meet(precedence, own: own, dialogs: dialogs)
                {
                    rollBack()
                    return verdict
                }
                if let verdict = try approve() { return verdict }
                rollBack()
                return .next
            case .stops(let reason): stop = reason
            }
        } catch {
            rollBack()
            throw error
        }
        rollBack()
        if journey.request.isRoute { journey.phase = .planning }
        switch stop {
        case .nothing(let reason): return .stays(reason)
        case .outdatedPlan:
            journey.freePlans += 1
            return .plansAgain
        case .closedGate(let gate): return .waits(gate: gate)
        case .asksForNextMatch(let place): return .asksForNextMatch(place)
        }
    }

    /// Checks the change in the draft, and lets the host prepare the new screens.
    ///
    /// - Returns: The verdict; nil if the `leaving` functions of some screens must be called first.
    private mutating func approve() throws(RouteError) -> Verdict? {
        let difference = tree.draftDifference()
        trace?.notes(difference, in: self)
        try checkDismissibility(of: difference.removed)
        try surroundings.checkCapabilities(of: difference, lending: &self)
        let unasked = try screensToAsk(among: difference.removed)
        if let trace {
            trace.notes(unasked.map(Interception.leaving), .leaving, in: self)
            journey.removing = difference.removed
            // Screens without a `leaving` function need not be filtered out, because no other
            // navigation can wait for their answer.
            let guarded = difference.removed.filter { id in
                !journey.options.isForced && tree.screen(id) != nil
            }
            if let (precedence, own) = surroundings.precedence(lending: &self) {
                notesTurn(precedence.answer(for: own, asking: guarded, removing: journey.removal))
            }
            return .commits(difference)
        }
        guard unasked.isEmpty else {
            if !journey.request.isRoute {
                journey.plans += 1
                guard journey.plans <= Journey.planLimit + journey.freePlans else {
                    throw tooManyPlans()
                }
            }
            journey.removing = difference.removed
            journey.phase = .leaving(unasked)
            return nil
        }
        var committed = difference
        if !difference.created.isEmpty {
            let changes = changedScreens.count
            try surroundings.prepare(difference.created, lending: &self)
            // The host may have called scripts, which can only set fields.
            if changedScreens.count > changes { committed = tree.draftDifference() }
        }
        if !committed.operations.isEmpty, let before {
            journey.stagedState = (before.state, world.shared.state)
        }
        return .commits(committed)
    }

    /// Whether the navigation reaches a screen that is already visible and needs no change.
    ///
    /// If so, no draft is necessary, and this function records the visit to that screen.
    private mutating func reachesVisibleScreen() -> Bool {
        guard journey.dialogs.isEmpty, let plan = journey.plan, plan.links.isEmpty,
            let step = plan.finding?.step, let info = plan.finding?.info, !plan.moves,
            step.update == nil, declarations.updates.isEmpty, tree.isVisible(plan.found),
            isFilled(plan.found, of: step, with: info)
        else { return false }
        journey.beginVisits()
        journey.reached = plan.found
        journey.reused = plan.found
        return true
    }
}
