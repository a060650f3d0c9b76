// SPDX-License-Identifier: MIT

/// Two navigations at once: carrying out the answers of ``Precedence``.
extension Router {
    /// The pending navigations, in the order in which they are considered.
    private var precedence: Precedence {
        var parked = queue.gated
        if lending.context.effects != .all, let current = currentNavigation {
            parked += current.record.deferred
        }
        return Precedence(
            active: queue.underWay.map(entry),
            queued: queue.ready.map(entry),
            parked: parked.filter(\.isPending).map(entry)
        )
    }

    private func entry(of navigation: Navigation) -> Precedence.Entry {
        Precedence.Entry(
            navigation.id,
            navigation.isRoute ? navigation.options.policy ?? generation.declarations.policy : nil,
            navigation.requests(in: tree),
            parents: navigation.pendingAncestors.map(\.id),
            awaits: navigation.record.children.map { ($0.record.leader ?? $0).id },
            waitsAt: screensAwaited(by: navigation)
        )
    }

    /// Returns the screens of its children at which a navigation waits; none if it waits for
    /// something else, or has its answer.
    private func screensAwaited(by navigation: Navigation) -> [ScreenID] {
        guard let question = navigation.record.asked, question.answer == nil else { return [] }
        let shown = navigation.record.arrivals.filter(tree.isAlive)
        // A function that has returned answers by `proceed`, when its screens are done.
        if !question.isRunning, question.activity?.isPending == false { return shown }
        return shown.filter { screen in
            screens.waits[screen]?.contains { wait in
                guard case .script(let activity) = wait.waiter, let waiting = activity.navigation
                else { return false }
                return waiting === navigation || waiting.isBelow(navigation)
            } == true
        }
    }

    /// Returns the effect of the pending navigations on one that begins, or its effect on them.
    func precedence(of navigation: Navigation) -> Precedence.Answer {
        if !queue.hasPending, lending.context.effects == .all { return .runs }
        return precedence.answer(
            for: entry(of: navigation),
            mayJoin: !navigation.options.isAgain && mayAsk(navigation)
        )
    }

    /// Whether the origin of a request may ask for its target.
    private func mayAsk(_ navigation: Navigation) -> Bool {
        let step = navigation.target.flatMap(generation.declarations.routes.route)
        return step?.origins?.contains(navigation.origin) != false
    }

    /// Returns pending navigations by their numbers.
    func pending(_ numbers: [Int]) -> [Navigation] {
        let deferred = currentNavigation?.record.deferred ?? []
        let all = queue.underWay + queue.ready + queue.gated + deferred
        return numbers.compactMap { number in all.first { $0.id == number } }
    }

    /// Whether it is a navigation's turn.
    func mayRun(_ navigation: Navigation) -> Bool {
        if queue.underWay.isEmpty { return true }
        return Precedence(active: queue.underWay.map(entry)).isTurn(of: entry(of: navigation))
    }

    /// Takes the first navigation whose turn it is.
    func takeReady() -> Navigation? {
        guard !queue.ready.isEmpty else { return nil }
        guard !queue.underWay.isEmpty else { return queue.ready.removeFirst() }
        let precedence = Precedence(active: queue.underWay.map(entry))
        let index = queue.ready.firstIndex { precedence.isTurn(of: entry(of: $0)) }
        return index.map { queue.ready.remove(at: $0) }
    }

    /// Has a navigation end as another one does.
    func join(_ navigation: Navigation, to leader: Navigation) {
        navigation.record.leader = leader
        leader.record.followers.append(navigation)
        emit(.joined, navigation, [("leader", .integer(Int64(leader.id)))])
        startPatience(of: navigation)
    }

    /// Has a navigation that joined another one end by itself.
    func part(_ navigation: Navigation) {
        guard let leader = navigation.record.leader else { return }
        leader.record.followers.removeAll { $0 === navigation }
        navigation.record.leader = nil
    }

    // MARK: Deadlines of navigations

    /// Lets the time of a navigation that has a deadline run.
    func startPatience(of navigation: Navigation) {
        guard let patience = navigation.record.patience, navigation.isPending,
            !navigation.record.isCommitted,
            navigation.record.patienceTimer == nil, navigation.record.patienceHolds == 0
        else { return }
        let number = timers.add(at: time(in: patience), .deadline) {
            [unowned self, weak navigation] in
            guard let navigation else { return }
            navigation.record.patienceTimer = nil
            part(navigation)
            let owner = owner(ofDeadline: navigation.options.timeout)
            let title = "the navigation to '\(navigation.title)'"
            end(navigation, .failed(.waitedTooLong(title, owner)))
            pump()
        }
        navigation.record.patienceTimer = (number, now)
    }

    /// Has the time of a navigation stand still.
    func stopPatience(of navigation: Navigation) {
        guard let timer = navigation.record.patienceTimer, let patience = navigation.record.patience
        else {
            return
        }
        timers.remove(timer.number)
        navigation.record.patience = patience - (now - timer.start)
        navigation.record.patienceTimer = nil
    }
}

extension Navigation {
    /// The requests that an equal one joins: the present one, and the one before a redirect; empty
    /// if it does not go to a route.
    fileprivate func requests(in tree: ScreenTree) -> [Precedence.Request] {
        guard isRoute, let target else { return [] }
        let asked = [(target, journey.originalInfo, options.from)] + journey.redirects.prefix(1)
        return asked.map { target, info, from in
            Precedence.Request(
                target,
                info,
                from: from,
                window: tree.windowName(of: options),
                isForced: options.isForced,
                generation: generationNumber
            )
        }
    }
}
