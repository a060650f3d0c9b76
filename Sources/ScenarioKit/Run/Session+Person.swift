// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// The actions of a user in the main window: the host reports them, and the router is not asked.
extension Session {
    func act(_ act: PersonAct, _ step: ScenarioStep) throws(Diagnostic) {
        switch act {
        case .back: try goBack(step)
        case .dismisses: app.router.report([try reportOfDismissal(step)])
        case .selects(let pattern): app.router.report([try reportOfSelection(pattern, step)])
        case .selectsTab(let number): app.router.report([.selected(try tab(number, step))])
        case .makes(let notation): app.router.report(try reports(making: notation, step))
        case .opensWindow(let name, let notation): try openWindow(name, notation, step)
        case .closesWindow(let name):
            app.router.report(.closed(window: try window(name, step).name))
        }
    }

    private func openWindow(
        _ name: String,
        _ notation: TreeNotation,
        _ step: ScenarioStep
    ) throws(Diagnostic) {
        guard app.router.tree.window(name) == nil else {
            throw failure(of: step, label: "window '\(name)' is open already")
        }
        let notation = notation.resolved(names)
        try checkThatHostShows(notation, step)
        try checkWindowLimit(opening: name, step)
        // An invalid tree fails the step with its location; the router would only warn.
        var tree = ScreenTree()
        do throws(NotationError) {
            _ = try notation.build(into: &tree, classes: app.router.classes)
        } catch {
            throw failure(of: step, error)
        }
        app.router.report(.opened(window: name, notation))
    }

    /// Goes back like a bar, a swipe or a back button; if there is no screen to leave, the scripts
    /// handle it.
    private func goBack(_ step: ScenarioStep) throws(Diagnostic) {
        let window = try window(nil, step)
        if let report = app.router.reportOfBack(window: window.name) {
            if case .dismissed = report { try checkThatTopmostGoes(step) }
            app.router.report([report])
            return
        }
        let isHandled: Bool
        do throws(RouteError) {
            isHandled = try app.router.callBackHandler(window: window.name)
        } catch {
            throw failure(of: step, error)
        }
        guard !isHandled else { return }
        throw failure(of: step, label: "there is nothing to go back to")
    }

    /// Whether the topmost level of the main window was presented with `modal = true`.
    ///
    /// A user cannot swipe away such a modal, and hosts show no way back at its first screen.
    var isTopmostHeld: Bool {
        guard let window = app.router.tree.window("main") else { return false }
        let topmost = app.router.tree.topmost(of: window)
        return app.router.tree[topmost].presenter != nil
            && app.router.tree[topmost].presentation.isModal
    }

    private func checkThatTopmostGoes(_ step: ScenarioStep) throws(Diagnostic) {
        guard isTopmostHeld else { return }
        throw failure(
            of: step,
            label: "no user can remove this modal: it is presented with 'modal = true'"
        )
    }

    private func reportOfDismissal(_ step: ScenarioStep) throws(Diagnostic) -> Report {
        let topmost = app.router.tree.topmost(of: try window(nil, step))
        guard let presenter = app.router.tree.screen(topmost)?.presenter else {
            throw failure(of: step, label: "no screen is presented")
        }
        try checkThatTopmostGoes(step)
        return .dismissed(presenter: presenter)
    }

    /// Returns the report of a selected tab, which contains a screen at any depth.
    private func reportOfSelection(
        _ pattern: ScreenNotation,
        _ step: ScenarioStep
    ) throws(Diagnostic) -> Report {
        let tree = app.router.tree
        let id = try screen(pattern, step)
        var current = id
        while let screen = tree.screen(current) {
            if let parent = screen.parent {
                if tree.screen(parent)?.shows == .selected { return .selected(current) }
                current = parent
            } else if let presenter = screen.presenter, tree.screen(presenter)?.parent != nil {
                // A contextual modal covers its presenter.
                current = presenter
            } else {
                break
            }
        }
        throw Diagnostic(
            .stepFailed,
            "\(step.word) failed",
            at: step.text.location(of: pattern.range),
            label: "\(printer.screen(id, in: tree, deep: false)) is in no tab"
        )
    }

    private func reports(
        making notation: TreeNotation,
        _ step: ScenarioStep
    ) throws(Diagnostic) -> [Report] {
        let tree = app.router.tree
        let window = try window(nil, step)
        do throws(Mismatch) {
            let making = TreeMaking(tree: tree, classes: app.router.classes, printer: printer)
            return try making.reports(notation.resolved(names).levels, of: tree.levels(of: window))
        } catch {
            var failure = Diagnostic(
                .stepFailed,
                "\(step.word) failed",
                at: step.text.location(of: error.range),
                label: error.label,
                help:
                    "'user makes' removes, reorders and selects existing screens; a route adds new ones"
            )
            failure.details = [Diagnostic.Note("actual", printer.tree(tree, window: "main"))]
            throw failure
        }
    }
}
