// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The steps that control the host, end tasks and set the state of the scripts.
extension Session {
    // MARK: The host

    func act(_ act: HostAct, _ step: ScenarioStep) throws(Diagnostic) {
        switch act {
        case .holds: app.host.holds = true
        case .refuses(let operation): app.host.refuse(operation, onRefusal: use(of: step))
        case .applies:
            let didHold = app.host.holds
            // Changes after the applied one are not held.
            app.host.holds = false
            guard app.host.applyHeld() || didHold else {
                throw failure(
                    of: step,
                    label: "the host holds no changes (use 'host holds' before the change)"
                )
            }
        }
    }

    /// Checks that the host can show the classes of a tree.
    ///
    /// Foreign screens can always be shown.
    func checkThatHostShows(_ tree: TreeNotation, _ step: ScenarioStep) throws(Diagnostic) {
        guard let known = app.host.classes else { return }
        for screen in tree.allScreens
        where !known.contains(screen.name) && Screen.Kind(rawValue: screen.name) == nil
            && screen.kind != .foreign && app.router.classes[screen.name].kind != .foreign
        {
            let hint = Suggestion.hint(for: screen.name, among: known.sorted())
            throw Diagnostic(
                .stepFailed,
                "\(step.word) failed",
                at: step.text.location(of: screen.range),
                label: "the host has no screen '\(screen.name)'\(hint)"
            )
        }
    }

    // MARK: Tasks

    /// Returns whether the scripts register a target themselves.
    func registers(_ target: Target) -> Bool {
        app.router.services.contains { $0.name == target.service && $0.tasks.contains(target.task) }
    }

    func stub(_ pattern: CallPattern, end: TaskEnd, of step: ScenarioStep) throws(Diagnostic) {
        let target = pattern.target
        if registers(target) {
            let location = step.text.location(of: pattern.range)
            let label = "'\(target)' is a task of the scripts (only host tasks can be stubbed)"
            throw Diagnostic(.stepFailed, "stub failed", at: location, label: label)
        }
        let known = manifest?.tasks ?? app.router.expectedTasks
        if !known.contains(target) {
            let names = known.map(\.description).sorted()
            let hint = Suggestion.hint(for: target.description, among: names)
            let location = step.text.location(of: pattern.range)
            let label =
                manifest == nil
                ? "the scripts expect no host task '\(target)'\(hint)"
                : "the host has no task '\(target)'\(hint)"
            throw Diagnostic(.stepFailed, "stub failed", at: location, label: label)
        }
        app.tasks.stub(pattern, end: end, names: names, onUse: use(of: step))
    }

    func complete(_ target: Target, end: TaskEnd, of step: ScenarioStep) throws(Diagnostic) {
        guard !app.tasks.complete(target, end: end, names: names) else { return }
        let pending = app.tasks.pending.map(\.description)
        var failure = failure(
            of: step,
            label: "no call to '\(target)' is pending"
                + Suggestion.hint(for: target.description, among: pending)
        )
        failure.details = [
            Diagnostic.Note("actual", pending.isEmpty ? "none" : pending.joined(separator: " "))
        ]
        throw failure
    }

    // MARK: The state

    func setState(_ path: [String], value: Value, of step: ScenarioStep) throws(Diagnostic) {
        do throws(RouteError) {
            try app.router.setState(at: path, to: value)
        } catch {
            throw failure(of: step, error)
        }
    }
}
