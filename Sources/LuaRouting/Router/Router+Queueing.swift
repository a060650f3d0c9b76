// SPDX-License-Identifier: MIT

/// The order of concurrent navigations: carries out the decisions of ``Precedence``.
extension Router {
    /// Collects the pending navigations, in the order in which they are considered.
    ///
    /// - Parameter removal: The removal that is about to be requested. If it contains screens that
    ///   were shown for a question, these belong to the question.
    /// - Returns: The value that decides how navigations affect each other.
    func precedence(about removal: Precedence.Removal? = nil) -> Precedence {
        var parked = queue.gated
        if lending.context.effects != .all, let current = currentNavigation {
            parked += current.record.deferred
        }
        return Precedence(
            active: queue.active.map { entry(of: $0, about: removal) },
            queued: queue.ready.map { entry(of: $0) },
            parked: parked.filter(\.isPending).map { entry(of: $0) }
        )
    }

    func entry(
        of navigation: Navigation,
        about removal: Precedence.Removal? = nil
    ) -> Precedence.Entry {
        let held = navigation.record.waitsFor?.navigation
        return Precedence.Entry(
            navigation.id,
            policy: navigation.isRoute
                ? navigation.options.policy ?? generation.declarations.policy : nil,
            requests: navigation.requests(in: tree),
            parents: navigation.pendingAncestors.map(\.id),
            awaits: navigation.record.children.map { ($0.record.leader ?? $0).id }
                + (held.map { [$0.id] } ?? []),
            waitsAt: screensAwaited(by: navigation, where: tree.isAlive),
            question: openQuestion(of: navigation).map { screen in
                let bases = navigation.record.arrivals.map { tree.removedByClosing($0) ?? $0 }
                return Precedence.Question(
                    screen,
                    navigation.journey.removal,
                    shows: (removal?.touched ?? []).filter { tree.isOn($0, Set(bases)) }
                )
            },
            isHeldUp: held != nil
        )
    }

    /// Returns the screen whose `leaving` has not yet answered a navigation; nil if there is none.
    private func openQuestion(of navigation: Navigation) -> ScreenID? {
        guard let question = navigation.record.asked, question.answer == nil,
            case .leaving(let screen) = question.interception.interceptor
        else { return nil }
        return screen
    }

    /// Returns the screens that children of a navigation have shown and that the navigation waits
    /// for; empty if the navigation waits for something else or has received its answer.
    func screensAwaited(
        by navigation: Navigation,
        where isCounted: (ScreenID) -> Bool
    ) -> [ScreenID] {
        guard let question = navigation.record.asked, question.answer == nil else { return [] }
        let shown = navigation.record.arrivals.filter(isCounted)
        // An interceptor that has returned without an answer calls `proceed` when its screens have
        // been closed.
        if !question.isRunning, question.activity?.isPending == false { return shown }
        return shown.filter { screen in
            screens.waits[screen]?.contains { wait in
                guard case .script(let activity) = wait.waiter, let waiting = activity.navigation
                else { return false }
                return waiting === navigation || waiting.isBelow(navigation)
            } == true
        }
    }

    /// Returns how a new navigation and the pending navigations affect each other.
    func precedence(of navigation: Navigation) -> Precedence.Answer {
        if !queue.hasPending, lending.context.effects == .all { return .runs }
        return precedence().answer(
            for: entry(of: navigation),
            mayJoin: !navigation.options.isAgain && mayAsk(navigation)
        )
    }

    /// Returns whether the target of a navigation accepts the origin of the request.
    private func mayAsk(_ navigation: Navigation) -> Bool {
        let step = navigation.target.flatMap(generation.declarations.routes.route)
        return step?.origins?.contains(navigation.origin) != false
    }

    /// Returns the pending navigations with the given numbers.
    func pending(_ numbers: [Int]) -> [Navigation] {
        let deferred = currentNavigation?.record.deferred ?? []
        let all = queue.active + queue.ready + queue.gated + deferred
        return numbers.compactMap { number in all.first { $0.id == number } }
    }

    /// Returns whether a navigation may run now.
    func mayRun(_ navigation: Navigation) -> Bool {
        if queue.active.isEmpty { return true }
        return Precedence(active: queue.active.map { entry(of: $0) })
            .isTurn(of: entry(of: navigation))
    }

    /// Removes and returns the first navigation that may run.
    func takeReady() -> Navigation? {
        guard !queue.ready.isEmpty else { return nil }
        guard !queue.active.isEmpty else { return queue.ready.removeFirst() }
        let precedence = Precedence(active: queue.active.map { entry(of: $0) })
        let index = queue.ready.firstIndex { precedence.isTurn(of: entry(of: $0)) }
        return index.map { queue.ready.remove(at: $0) }
    }

    /// Coalesces a navigation with an identical navigation.
    ///
    /// Both navigations have the same outcome.
    func join(_ navigation: Navigation, to leader: Navigation) {
        navigation.record.leader = leader
        leader.record.followers.append(navigation)
        emit(.joined, of: navigation, fields: [("leader", .integer(Int64(leader.id)))])
        startTimeout(of: navigation)
    }

    /// Separates a navigation from the navigation with which it was coalesced.
    func part(_ navigation: Navigation) {
        guard let leader = navigation.record.leader else { return }
        leader.record.followers.removeAll { $0 === navigation }
        navigation.record.leader = nil
    }

    // MARK: Questions and dialogs

    /// Decides whether a navigation may call `leaving` of a screen although another navigation is
    /// waiting for an answer from `leaving`.
    ///
    /// If not, the navigation waits for the other navigation or is coalesced with it.
    ///
    /// - Returns: Whether the navigation continues without calling `leaving`; nil if it must call
    ///   `leaving`.
    func meetQuestion(about screen: ScreenID, _ navigation: Navigation) -> Bool? {
        guard queue.active.count > 1 else { return nil }
        if navigation.pendingAncestors.contains(where: { openQuestion(of: $0) == screen }) {
            return true
        }
        let screens = navigation.journey.unasked.compactMap { interception in
            if case .leaving(let screen) = interception.interceptor { screen } else { nil }
        }
        let removal = navigation.journey.removal
        let answer = precedence(about: removal).answer(
            for: entry(of: navigation),
            asking: screens,
            removing: removal
        )
        switch answer {
        case .joins(let number):
            for leader in pending([number]) {
                queue.active.removeAll { $0 === navigation }
                join(navigation, to: leader)
            }
            return false
        case .waitsForQuestion(let number, let sharesStay):
            for other in pending([number]) {
                hold(navigation, until: other, "question", sharesStay: sharesStay)
            }
            return false
        default: return nil
        }
    }

    /// Makes a navigation wait until another one has ended, was redirected or waits at a gate.
    func hold(
        _ navigation: Navigation,
        until other: Navigation,
        _ name: String,
        sharesStay: Bool = false
    ) {
        navigation.record.waitsFor = (other, sharesStay)
        other.record.waiting.append(navigation)
        navigation.status = .pending(waitingFor: name)
        emit(
            .wait,
            of: navigation,
            fields: [("name", Value(name)), ("of", Value(titles(of: [other.id])[0]))]
        )
    }

    /// Resumes a waiting navigation, after navigations that were resumed earlier and before
    /// navigations that have not begun.
    func goOn(_ navigation: Navigation) {
        navigation.status = .pending(waitingFor: nil)
        let index = queue.ready.firstIndex { next in !queue.active.contains { $0 === next } }
        queue.ready.insert(navigation, at: index ?? queue.ready.count)
    }

    /// Resumes the navigations that wait for the given navigation.
    ///
    /// The given navigation has ended, was redirected or waits at a gate.
    ///
    /// If the given navigation failed or was cancelled before a screen answered its question, the
    /// screens that were shown for the question are removed first.
    func release(from navigation: Navigation) {
        guard navigation.record.asksToLeave || !navigation.record.waiting.isEmpty else { return }
        var isStay = false
        switch navigation.status {
        case .failed(let error) where error.code == .stopped: isStay = true
        case .stayed: isStay = true
        case .failed, .cancelled:
            if navigation.record.asksToLeave { abandonQuestion(of: navigation) }
        case .done, .pending: break
        }
        let (waiting, status) = (navigation.record.waiting, navigation.status)
        if waiting.isEmpty { return }
        navigation.record.waiting = []
        queue.endings.append(
            .work { router in
                for held in waiting where held.isPending {
                    let sharesStay = held.record.waitsFor?.sharesStay == true
                    held.record.waitsFor = nil
                    if isStay, sharesStay {
                        router.end(held, status)
                    } else {
                        held.journey.planAgain()
                        router.goOn(held)
                    }
                }
                router.pump()
            }
        )
    }

    /// Removes the screens that were shown only for the question of a navigation.
    private func abandonQuestion(of navigation: Navigation) {
        for child in navigation.record.children where child.isPending {
            child.record.isAbandoned = true
        }
        let others = queue.active.filter { $0 !== navigation }.flatMap(\.record.arrivals)
        for screen in navigation.record.shown where !others.contains(screen) { removeLater(screen) }
    }

    /// Removes a screen once scripts have returned, unless a modal covers it.
    func removeLater(_ screen: ScreenID) {
        queue.endings.append(
            .work { router in
                guard router.tree.isAlive(screen), !router.queue.isShutDown else { return }
                _ = router.begin(.vanish(screen), NavigationOptions(force: true))
            }
        )
    }

    /// Returns the navigations that wait for dialogs that a deep link leaves.
    private func navigations(leftBy link: Navigation) -> [Navigation] {
        let dialogs = link.journey.dialogs
        if dialogs.isEmpty { return [] }
        return queue.active.filter { other in
            other !== link && !screensAwaited(by: other, where: dialogs.contains).isEmpty
        }
    }

    /// Returns the event field `leaves`, which lists the navigations whose dialogs a deep link
    /// leaves; empty if there are none.
    func leftDialogs(of link: Navigation) -> [(name: String, value: Value)] {
        let titles = titles(of: navigations(leftBy: link).map(\.id))
        return titles.isEmpty
            ? [] : [("leaves", .table(InfoTable(list: titles.map { Value($0) })))]
    }

    /// Cancels the navigations that wait for dialogs that a deep link has left.
    func supersedeDialogs(of link: Navigation) {
        for other in navigations(leftBy: link) { cancel(other, .superseded(by: link)) }
    }

    // MARK: Deadlines of navigations

    /// Starts the deadline timer of a navigation, if it has a deadline.
    func startTimeout(of navigation: Navigation) {
        guard let timeout = navigation.record.timeout, navigation.isPending,
            !navigation.record.isCommitted,
            navigation.record.deadlineTimer == nil, navigation.record.timeoutHolds == 0
        else { return }
        let number = timers.add(at: time(in: timeout), .deadline) {
            [unowned self, weak navigation] in
            guard let navigation else { return }
            navigation.record.deadlineTimer = nil
            part(navigation)
            let owner = owner(ofDeadline: navigation.options.timeout)
            let title = "the navigation to '\(navigation.title)'"
            end(navigation, .failed(.waitedTooLong(title, owner)))
            pump()
        }
        navigation.record.deadlineTimer = (number, now)
    }

    /// Pauses the timeout of a navigation.
    func stopTimeout(of navigation: Navigation) {
        guard let timer = navigation.record.deadlineTimer, let timeout = navigation.record.timeout
        else {
            return
        }
        timers.remove(timer.number)
        navigation.record.timeout = timeout - (now - timer.start)
        navigation.record.deadlineTimer = nil
    }
}

extension Navigation {
    /// Returns the requests with which an identical request is coalesced: the current request, and
    /// the request before the first redirect; empty if the navigation does not lead to a route.
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
