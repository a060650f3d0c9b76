// SPDX-License-Identifier: MIT

/// Two navigations at once: which one runs, waits, joins, or gives way.
extension Router {
    // MARK: Holding the queue

    /// Whether a navigation keeps others waiting: it is on its way, and no screen that one of
    /// its children reached is in the tree.
    ///
    /// So the page that an interceptor shows can be used while the interceptor waits for it.
    func holdsQueue(_ navigation: Navigation) -> Bool {
        navigation.isPending && navigation.isRoute
            && !navigation.record.arrivals.contains { tree.isAlive($0) }
    }

    /// Whether a navigation is part of one that is pending.
    func isChild(_ navigation: Navigation) -> Bool {
        navigation.parentNavigation?.isPending == true
    }

    /// The treatment of a navigation while another one holds the queue.
    func policy(of navigation: Navigation) -> Policy {
        navigation.options.policy ?? generation.declarations.policy
    }

    /// Whether it is a navigation's turn.
    func mayRun(_ navigation: Navigation) -> Bool {
        guard !queue.underWay.isEmpty, navigation.isRoute, !isChild(navigation),
            policy(of: navigation) != .parallel, !(queue.underWay.contains { $0 === navigation })
        else { return true }
        return !queue.underWay.contains(where: holdsQueue)
    }

    /// Takes the first navigation whose turn it is.
    func takeReady() -> Navigation? {
        guard !queue.ready.isEmpty else { return nil }
        return queue.ready.firstIndex(where: mayRun).map { queue.ready.remove(at: $0) }
    }

    // MARK: Beginning beside others

    /// Has a navigation that begins take the place of others, or refuses it, by its policy.
    ///
    /// - Throws: `busy`.
    func makeRoom(for navigation: Navigation) throws(RouteError) {
        if queue.underWay.isEmpty, queue.ready.isEmpty { return }
        guard navigation.isRoute, !isChild(navigation) else { return }
        switch policy(of: navigation) {
        case .queue, .parallel: return
        case .latest:
            for other in queue.underWay + queue.ready
            where other !== navigation && !isChild(other) && holdsQueue(other) {
                cancel(other, .superseded(by: navigation))
            }
        case .reject:
            let others = queue.underWay + queue.ready
            if let other = others.first(where: { $0 !== navigation && holdsQueue($0) }) {
                throw .busy(with: other)
            }
        }
    }

    /// The pending navigation that an equal request joins, if there is one.
    func leader(for navigation: Navigation) -> Navigation? {
        var pending: [Navigation] = []
        if lending.context.effects != .all, let current = currentNavigation {
            pending = current.record.deferred
        }
        if !queue.hasPending, pending.isEmpty { return nil }
        guard navigation.isRoute, !navigation.options.isAgain, mayAsk(navigation) else {
            return nil
        }
        pending = queue.underWay + queue.ready + queue.gated + pending
        return pending.first { other in
            other !== navigation && other.isPending && other.record.leader == nil
                && isSame(navigation, as: other)
                && !wouldWaitForItself(navigation, joining: other)
        }
    }

    /// Whether two navigations ask for the same, in the same way.
    private func isSame(_ navigation: Navigation, as other: Navigation) -> Bool {
        other.generation === navigation.generation && other.target == navigation.target
            && other.journey.originalInfo == navigation.journey.originalInfo
            && other.options.from == navigation.options.from
            && other.options.isForced == navigation.options.isForced
            && tree.windowName(of: other.options) == tree.windowName(of: navigation.options)
    }

    /// Whether the origin of a request may ask for its target.
    private func mayAsk(_ navigation: Navigation) -> Bool {
        let step = navigation.target.flatMap(generation.declarations.routes.route)
        return step?.origins?.contains(navigation.origin) != false
    }

    /// Whether a navigation that is coalesced with another one would wait for its own child.
    private func wouldWaitForItself(_ navigation: Navigation, joining other: Navigation) -> Bool {
        guard let parent = navigation.parentNavigation, parent.isPending else { return false }
        // Its parent holds the queue in which the other one waits.
        if !mayRun(other) { return true }
        var seen: [Navigation] = []
        var open = [other]
        while let next = open.popLast() {
            if next === parent || parent.isBelow(next) { return true }
            guard !(seen.contains { $0 === next }) else { continue }
            seen.append(next)
            open += next.record.children.map { $0.record.leader ?? $0 }
        }
        return false
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
