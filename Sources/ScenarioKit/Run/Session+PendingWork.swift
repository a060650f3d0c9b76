// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The checks for pending work at the end of a scenario.
extension Session {
    /// Fails the scenario for all pending work that no step expects.
    func checkPendingWork() {
        for number in requests.open where !isExpected(number) {
            guard let outcome = requests.all[number]?.outcome, outcome.isPending else { continue }
            let help =
                switch requests.all[number] {
                case _ where isMeantByNameOnly(number): Self.helpWithNames
                case .task(let task): help(with: task)
                case .link: Self.helpWithLinks
                case .navigation, .call, .gesture, nil: Self.helpWithNavigations
                }
            fail(leftPending(at: cursor.steps[number].location, outcome.sentence, help))
        }
        for navigation in app.router.pending where !isRequest(navigation.id) {
            let begin = log.events.lastIndex {
                $0.kind == .navigate && $0.navigation == navigation.id
            }
            let outcome = Request.navigation(navigation).outcome
            guard let begin, log.events[begin].location != nil else {
                // Leaving a screen is not a request of a step.
                let label = "a navigation that leaves a screen \(outcome.predicate)"
                check(label, nil, begunBy: begin)
                continue
            }
            let target = navigation.target.map { " to '\($0)'" } ?? ""
            let label = "the navigation\(target), which a script began, \(outcome.predicate)"
            check(label, Self.helpWithNavigations, begunBy: begin)
        }
        failWaitingReloads()
        for link in app.router.queuedLinks where !isRequest(link) {
            guard let act = log.acts.last else { continue }
            let label =
                "the link '\(link.url)', which a script dispatched, is queued until its routing has an action"
            fail(leftPending(at: act.step.location, label, Self.helpWithLinks))
        }
        for task in app.router.pendingTasks where !isRequest(task) {
            let begin = log.events.lastIndex { event in
                event.kind == .task && event["phase"].text == "started"
                    && event.target == task.target
            }
            let label = "the task '\(task.target)', which a script began, is pending"
            check(label, help(with: task), begunBy: begin)
        }
    }

    /// Fails the scenario for reloads that have not ended and whose results are therefore unknown.
    func failWaitingReloads() {
        for attempt in requests.waitingReloads {
            let label = "the reload waits for the end of the turn, because the host holds a change"
            fail(leftPending(at: attempt.step.location, label, "end the turn with 'host applies'"))
        }
    }

    private static let helpWithLinks =
        "add 'expect pending link', or end the link with 'cancel links'"
    private static let helpWithNames =
        "name the request with 'as NAME', then add 'expect NAME pending …' or 'cancel NAME'"
    private static let helpWithNavigations =
        "add 'expect pending …', or end the request with 'cancel'"

    private func help(with task: RouteTask) -> String {
        let target = task.target
        return registers(target)
            ? "the worker of the task has neither returned a value nor called 'done'"
            : "end the task with 'complete \(target)' or 'stub \(target)', or add 'expect pending …'"
    }

    private func check(_ label: String, _ help: String?, begunBy event: Int?) {
        guard let act = event.flatMap(act(of:)) ?? log.acts.last else { return }
        // If a request is expected to be pending, the work that it began is expected as well.
        if let event, isPartOfExpected(log.events[event]) || isExpected(act.index) {
            return
        }
        fail(leftPending(at: act.step.location, label, help))
    }

    private func leftPending(at location: Place, _ label: String, _ help: String?) -> Diagnostic {
        var diagnostic = Diagnostic(
            .leftPending,
            "work is pending at the end",
            at: location,
            label: label,
            help: help
        )
        diagnostic.notes = notesOnStubs + diagnostic.notes
        return diagnostic
    }

    /// Notes about pending calls to tasks whose stubs have all been used.
    var notesOnStubs: [Diagnostic.Note] { app.tasks.usedUp.map { Diagnostic.Note("stubs", $0) } }

    /// Returns whether a step expects the request to be pending.
    private func isExpected(_ number: Int) -> Bool {
        guard let expected = requests.expectedPending[number],
            case .pending(let name)? = requests.all[number]?.outcome
        else { return false }
        return expected == name ?? Request.Outcome.host
    }

    private func act(of event: Int) -> ActingStep? { log.acts.last { $0.firstEvent <= event } }

    /// Returns whether an event belongs to a navigation that a step expects to be pending.
    private func isPartOfExpected(_ event: Event) -> Bool {
        let expected = requests.expectedPending.keys.compactMap { index -> Int? in
            guard isExpected(index), case .navigation(let navigation) = requests.all[index] else {
                return nil
            }
            return navigation.id
        }
        return [event.navigation, event.parent].contains { $0.map(expected.contains) ?? false }
    }

    /// Returns whether steps could refer to a request only by name, but the request has no name.
    private func isMeantByNameOnly(_ number: Int) -> Bool {
        cursor.steps[number].action.isMeantByNameOnly && cursor.steps[number].name == nil
    }

    private func isRequest(_ id: Int) -> Bool {
        requests.all.values.contains { request in
            if case .navigation(let navigation) = request { navigation.id == id } else { false }
        }
    }

    private func isRequest(_ link: QueuedLink) -> Bool {
        requests.all.values.contains { request in
            if case .link(let other) = request { other === link } else { false }
        }
    }

    private func isRequest(_ task: RouteTask) -> Bool {
        requests.all.values.contains { request in
            if case .task(let other) = request { other === task } else { false }
        }
    }
}
