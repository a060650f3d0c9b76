// SPDX-License-Identifier: MIT

internal import LuaRouting

extension StepEffects.Failure {
    /// Creates the failure of a step itself: an error of a script, or too many timers; `nil` if the
    /// step does not exist in the current state.
    fileprivate init?(of step: ScenarioStep, _ diagnostic: Diagnostic) {
        let label = diagnostic.label ?? ""
        let word = label.prefix { $0 != ":" }
        if let code = RouteError.Code.allCases.first(where: { $0.rawValue == word }) {
            self.init(code: code.rawValue, message: String(label.dropFirst(word.count + 2)))
        } else if step.action.movesClock, !diagnostic.message.isEmpty {
            self.init(code: RouteError.Code.budget.rawValue, message: label)
        } else {
            return nil
        }
        isOfStep = true
    }
}

extension ScenarioStep.Action {
    /// Whether the step moves the clock.
    fileprivate var movesClock: Bool {
        switch self {
        case .advance, .settle: true
        default: false
        }
    }
}

/// The steps and conditions of a search.
extension Session {
    /// Runs a step that the scenario does not contain.
    ///
    /// - Returns: The effects; `nil` if the step does not exist in the current state.
    func effects(of step: ScenarioStep) -> StepEffects? {
        // Otherwise each image of a state would contain the ended requests.
        forgetEndedRequests()
        let first = log.events.count
        var effects = StepEffects()
        do throws(Diagnostic) {
            try take(step)
        } catch {
            guard let failure = StepEffects.Failure(of: step, error) else { return nil }
            effects.failures.append(failure)
        }
        for event in log.events[first...] {
            if let code = event["code"].text {
                effects.failures.append(
                    StepEffects.Failure(
                        code: code,
                        message: event["message"].text ?? "",
                        location: event.location
                    )
                )
            } else if event.kind == .log, event["level"].text == "error" {
                effects.failures.append(
                    StepEffects.Failure(
                        code: RouteError.Code.script.rawValue,
                        message: event["message"].text ?? "",
                        location: event.location,
                        isLogged: true
                    )
                )
            }
        }
        effects.reached = log.reachedParts?.keys ?? []
        return effects
    }

    /// Returns whether the condition of an `expect` step is true.
    func holds(_ step: ScenarioStep) -> Bool {
        guard case .expect(let expectation) = step.action else { return false }
        let index =
            expectation.name.map { requests.named[$0] } ?? requests.last.index(for: expectation)
        return mismatch(expectation, request: index.flatMap { requests.all[$0] }, of: step) == nil
    }

    /// The class of the visible leaf of the main window; `nil` if the window has no tree.
    var visibleClass: String? { visibleLeaf?.class }

    /// The visible leaf of the main window.
    var visibleLeaf: Screen? {
        app.router.tree.window("main").flatMap { window in
            app.router.tree.screen(app.router.tree.visibleLeaf(of: window))
        }
    }

    /// Descriptions of the pending work.
    var waitingWork: [String] {
        app.router.pending.map { navigation in
            var waiting = ""
            if case .pending(let name?) = navigation.status { waiting = " for '\(name)'" }
            return "\(navigation.target.map(\.description) ?? "a navigation") waits\(waiting)"
        }
            + app.router.pendingTasks.map { "the task \($0.target) is pending" }
            + app.router.pendingCalls.map { "the call to '\($0.name)' is pending" }
            + app.router.queuedLinks.map { "the link '\($0.url)' is queued" }
    }
}
