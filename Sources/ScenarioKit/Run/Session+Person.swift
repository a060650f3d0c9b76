// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore
internal import RouteEngine

/// The steps for user actions in the main window.
///
/// The host reports an action, or makes a request if the screens are guarded.
extension Session {
    /// Performs a user action.
    ///
    /// - Returns: The request to which the step can give a name; `nil` if the action cannot call
    ///   `leaving`.
    func act(_ act: Act<ScreenNotation>, _ step: ScenarioStep) throws(Diagnostic) -> Request? {
        let options = NavigationOptions(origin: .person)
        switch act {
        case .back:
            guard let report = try reportOfBack(step) else { return .gesture(.done) }
            return leave(by: report) { app.router.back(options: options) }
        case .dismiss:
            let report = try reportOfDismissal(step)
            return leave(by: report) { app.router.dismiss(options: options) }
        case .select(let pattern): return try select(try tab(around: pattern, step), step)
        case .selectTab(let number): return try select(try tab(number, step), step)
        case .openWindow(let name, let notation):
            try openWindow(name, notation: notation, of: step)
        case .closeWindow(let name):
            app.router.report(.closed(window: try window(name, step).name))
        default: preconditionFailure("the user cannot perform this action")
        }
        return nil
    }

    /// Removes screens as a host would, or makes the given request if the screens are guarded.
    private func leave(by report: Report, _ request: () -> Navigation) -> Request {
        let outcome = app.router.leave(by: report, request)
        if case .done = outcome { app.router.report([report]) }
        return Request(outcome)
    }

    private func select(_ tab: ScreenID, _ step: ScenarioStep) throws(Diagnostic) -> Request {
        let tree = app.router.tree
        guard let tabs = tree[tab].parent, tree[tabs].visibleChildren.contains(tab) else {
            app.router.report([.selected(tab)])
            return .gesture(.done)
        }
        do throws(RouteError) {
            return Request(try app.router.reselect(tabs))
        } catch {
            throw failure(of: step, error)
        }
    }

    private func openWindow(
        _ name: String,
        notation: TreeNotation,
        of step: ScenarioStep
    ) throws(Diagnostic) {
        guard app.router.tree.window(name) == nil else {
            throw failure(of: step, label: "window '\(name)' is already open")
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

    /// Returns the report that a host makes after the user has gone back; `nil` if there is no
    /// screen to leave and the scripts handled the back action.
    private func reportOfBack(_ step: ScenarioStep) throws(Diagnostic) -> Report? {
        let window = try window(nil, step)
        if let report = app.router.reportOfBack(window: window.name) {
            if case .dismissed = report { try checkThatTopmostGoes(step) }
            return report
        }
        let isHandled: Bool
        do throws(RouteError) {
            isHandled = try app.router.callBackHandler(window: window.name)
        } catch {
            throw failure(of: step, error)
        }
        guard !isHandled else { return nil }
        throw failure(of: step, label: "there is nothing to go back to")
    }

    /// Whether the topmost level of the main window was presented with `modal = true`.
    ///
    /// A user cannot swipe away such a modal, and hosts show no back button on its first screen.
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
            label: "the user cannot dismiss this modal: it is presented with 'modal = true'"
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

    /// Returns the tab around the screen that matches the given pattern.
    ///
    /// The tab may contain the screen at any depth.
    private func tab(
        around pattern: ScreenNotation,
        _ step: ScenarioStep
    ) throws(Diagnostic) -> ScreenID {
        let tree = app.router.tree
        let id = try screen(pattern, of: step)
        var current = id
        while let screen = tree.screen(current) {
            if let parent = screen.parent {
                if tree.screen(parent)?.shows == .selected { return current }
                current = parent
            } else if let presenter = screen.presenter, tree.screen(presenter)?.parent != nil {
                // A contextual modal covers the screen that presents it.
                current = presenter
            } else {
                break
            }
        }
        throw Diagnostic(
            .stepFailed,
            "\(step.word) failed",
            at: step.text.location(of: pattern.range),
            label: "\(printer.screen(id, in: tree, deep: false)) is not in a tab"
        )
    }

    func reports(
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
                    "'user makes' only removes, reorders and selects existing screens; a route adds new screens"
            )
            failure.details = [Diagnostic.Note("actual", printer.tree(tree, window: "main"))]
            throw failure
        }
    }
}
