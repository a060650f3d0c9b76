// SPDX-License-Identifier: MIT

internal import LuaRouting

/// What is pending at the end of a scenario.
extension Session {
    /// Fails the scenario for each work that is pending and that no step expected.
    func checkPendingWork() {
        for number in open where !expectedPending.contains(number) {
            guard let outcome = requests[number]?.outcome, outcome.isPending else { continue }
            fail(leftPending(at: steps[number].place, outcome.sentence))
        }
        for navigation in router.pending where !isRequest(navigation.id) {
            let target = navigation.target.map { " to '\($0)'" } ?? ""
            let begin = events.lastIndex { $0.kind == .navigate && $0.navigation == navigation.id }
            check("a navigation\(target) that a script began is pending", begunBy: begin)
        }
        for task in router.pendingTasks where !isRequest(task) {
            let begin = events.lastIndex { event in
                event.kind == .task && event["phase"].text == "started"
                    && event.target == task.target
            }
            check("the task '\(task.target)' that a script began is pending", begunBy: begin)
        }
    }

    private func check(_ label: String, begunBy event: Int?) {
        guard let act = event.flatMap(act(of:)) ?? acts.last else { return }
        // What waits may have begun it, and then it is meant too.
        if let event, isPartOfExpected(events[event]) || expectedPending.contains(act.index) {
            return
        }
        fail(leftPending(at: act.step.place, label))
    }

    private func leftPending(at place: Place, _ label: String) -> Diagnostic {
        Diagnostic(
            .leftPending,
            "work is pending at the end",
            at: place,
            label: label,
            help: "'expect pending …' says that it is meant, 'stub' and 'complete' end a task"
        )
    }

    private func act(of event: Int) -> Act? { acts.last { $0.firstEvent <= event } }

    /// Whether a navigation began something that a step expects to wait.
    private func isPartOfExpected(_ event: Event) -> Bool {
        let expected = expectedPending.compactMap { index -> Int? in
            guard case .navigation(let navigation) = requests[index] else { return nil }
            return navigation.id
        }
        return [event.navigation, event.parent].contains { $0.map(expected.contains) ?? false }
    }

    private func isRequest(_ id: Int) -> Bool {
        requests.values.contains { request in
            if case .navigation(let navigation) = request { navigation.id == id } else { false }
        }
    }

    private func isRequest(_ task: RouteTask) -> Bool {
        requests.values.contains { request in
            if case .task(let other) = request { other === task } else { false }
        }
    }
}
