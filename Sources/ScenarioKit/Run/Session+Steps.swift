// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore
internal import RouteEngine

/// The steps that act.
extension Session {
    /// Runs a step that makes no request that later steps can check.
    func act(_ step: ScenarioStep) throws(Diagnostic) {
        switch step.action {
        case .given(let window, let tree): try give(tree, window: window, of: step)
        case .cancel(let name): try cancel(name, step)
        case .cancelLinks: app.router.cancelLinks()
        case .openGate(let name):
            noteGates()
            try gate(name, of: step, act: Router.ready)
        case .closeGate(let name): try gate(name, of: step, act: Router.unready)
        case .stub(let pattern, let end): try stub(pattern, end: end, of: step)
        case .complete(let target, let end): try complete(target, end: end, of: step)
        case .setState(let path, let value): try setState(path, value: value.value(names), of: step)
        case .reload(let path, let fails): try reload(path, fails: fails, step)
        case .restart: try restart(step)
        case .snapshot(let name): keepSnapshot(as: name)
        case .restore(let name): try restore(name, step)
        case .host(let act): try self.act(act, step)
        case .advance(let seconds): try moveClock(to: app.router.now + seconds, step)
        case .settle: cursor.clockGoal = .settled
        case .moveClock(let time): try moveClock(to: time, step)
        case .userMakes(let tree): app.router.report(try reports(making: tree, step))
        case .act, .dispatch, .doTask, .user, .call, .expect, .bind, .note, .show:
            preconditionFailure("the session performs this step itself")
        }
    }

    private func give(_ tree: TreeNotation, window: String, of step: ScenarioStep)
        throws(Diagnostic)
    {
        try checkThatHostShows(tree, step)
        try checkWindowLimit(opening: window, step)
        // Work that begins because of the new tree is not cancelled.
        let (tasks, calls) = (app.router.pendingTasks, app.router.pendingCalls)
        do throws(NotationError) {
            try app.router.setTree(tree.resolved(names), window: window)
        } catch {
            throw failure(of: step, error)
        }
        for task in tasks { app.router.cancel(task) }
        for call in calls { app.router.cancel(call) }
    }

    /// Checks that another window can be opened, unless a window with the given name already
    /// exists.
    func checkWindowLimit(opening name: String, _ step: ScenarioStep) throws(Diagnostic) {
        let limit = Stage.windowLimit
        guard app.router.tree.window(name) == nil, app.router.tree.windows.count >= limit else {
            return
        }
        throw failure(of: step, .tooManyPending("windows", limit))
    }

    /// Makes the request of a step.
    func perform(
        _ act: Act<ScreenNotation>,
        with clauses: ActOptions?,
        of step: ScenarioStep
    ) throws(Diagnostic) -> Navigation {
        let options = try options(clauses, ofRoute: act.isRoute, step)
        let bound: Act<ScreenID> = try act.map(
            screen: { (pattern) throws(Diagnostic) in
                try screen(pattern, in: options.window, of: step)
            },
            search: { (pattern) throws(Diagnostic) in
                let first = Self.screenToPopTo
                return Finder(
                    .screen(try screen(pattern, in: options.window, of: step, first: first))
                )
            },
            tree: { (tree) throws(Diagnostic) in
                try checkThatHostShows(tree, step)
                do throws(NotationError) {
                    return try app.router.build(tree.resolved(names))
                } catch {
                    throw failure(of: step, error)
                }
            },
            info: { (info) throws(Diagnostic) in InfoTable(info, names) },
            value: { (value) throws(Diagnostic) in value.value(names) }
        )
        do throws(RouteError) {
            return try app.router.perform(bound, options)
        } catch {
            throw failure(of: step, error)
        }
    }

    func options(
        _ clauses: ActOptions?,
        ofRoute isRoute: Bool,
        _ step: ScenarioStep
    ) throws(Diagnostic) -> NavigationOptions {
        var options = clauses?.others ?? NavigationOptions()
        if isRoute { options.timeout = options.timeout ?? settings.timeout }
        if let from = clauses?.from {
            options.from = try screen(from, in: options.window, of: step)
        }
        if let presenter = clauses?.presenter {
            let screen = try screen(presenter, in: options.window, of: step)
            options.via = options.via?.presenting(from: screen)
        }
        return options
    }

    func options(ofDispatch options: NavigationOptions) -> DispatchOptions {
        DispatchOptions(
            timeout: options.timeout ?? settings.timeout,
            origin: options.origin ?? .url
        )
    }

    private func gate(
        _ name: String,
        of step: ScenarioStep,
        act: (Router) -> (String) throws(RouteError) -> Void
    ) throws(Diagnostic) {
        do throws(RouteError) {
            try act(app.router)(name)
        } catch {
            throw failure(of: step, error)
        }
    }

    private func cancel(_ name: String?, _ step: ScenarioStep) throws(Diagnostic) {
        guard let index = name.map({ requests.named[$0] }) ?? requests.last.index,
            let request = requests.all[index]
        else {
            throw failure(of: step, label: Self.noRequest)
        }
        let outcome = request.outcome
        let isCancelled =
            switch request {
            case .navigation(let navigation): app.router.cancel(navigation)
            case .task(let task): app.router.cancel(task)
            case .link(let link): app.router.cancel(link)
            case .call(let call): app.router.cancel(call)
            case .gesture: false
            }
        guard !isCancelled else { return }
        throw failure(
            of: step,
            label: outcome.isPending
                ? "the request cannot be cancelled while the host applies its change"
                : outcome.sentence
        )
    }

    // MARK: Screens

    /// Returns the topmost screen that matches a pattern, in the window with the given name or in
    /// `main`.
    func screen(
        _ pattern: ScreenNotation,
        in name: String? = nil,
        of step: ScenarioStep,
        first: (ScreenTree, RouterWindow, (ScreenID) -> Bool) -> ScreenID? = Session.topmost
    ) throws(Diagnostic) -> ScreenID {
        let tree = app.router.tree
        let window = try window(name, step)
        if let screen = first(tree, window, { mismatch(pattern, $0, in: tree) == nil }) {
            return screen
        }
        var diagnostic = Diagnostic(
            .stepFailed,
            "no screen matches",
            at: step.text.location(of: pattern.range),
            label: "not in the tree"
        )
        diagnostic.details = [Diagnostic.Note("actual", printer.tree(tree, window: window.name))]
        throw diagnostic
    }

    /// Returns the last visible screen in a window that the given closure accepts.
    ///
    /// If the closure accepts only invisible screens, returns the last of these screens.
    private static func topmost(
        in tree: ScreenTree,
        _ window: RouterWindow,
        where accepts: (ScreenID) -> Bool
    ) -> ScreenID? {
        var last: ScreenID?
        var lastVisible: ScreenID?
        tree.visit(window.root) { screen in
            guard accepts(screen.id) else { return }
            last = screen.id
            if tree.isVisible(screen.id) { lastVisible = screen.id }
        }
        return lastVisible ?? last
    }

    /// Returns the screen to which `router.popTo` would pop in the given window.
    private static func screenToPopTo(
        in tree: ScreenTree,
        _ window: RouterWindow,
        where accepts: (ScreenID) -> Bool
    ) -> ScreenID? {
        let nav = tree.nearest(.nav, from: tree.visibleLeaf(of: window))
        let stack = nav.flatMap { tree.screen($0)?.children } ?? []
        return stack.last(where: accepts)
            ?? tree.first(from: tree.topmost(of: window), topDown: true, where: accepts)
    }

    /// Returns the window with the given name, `main` by default.
    func window(_ name: String?, _ step: ScenarioStep) throws(Diagnostic) -> RouterWindow {
        if let window = app.router.tree.window(name ?? "main") { return window }
        guard let name else { throw failure(of: step, label: "the window has no tree yet") }
        let hint = Suggestion.hint(for: name, among: app.router.tree.windows.map(\.name))
        throw failure(of: step, label: "there is no window '\(name)'\(hint)")
    }

    /// Returns the tab with the given number, counted from 1, in the innermost `tabs` container
    /// around the visible leaf of the main window.
    ///
    /// If no such container exists, the levels that modals cover are searched.
    func tab(_ number: Int, _ step: ScenarioStep) throws(Diagnostic) -> ScreenID {
        do throws(RouteError) {
            return try app.router.tab(number)
        } catch {
            throw failure(of: step, label: error.message)
        }
    }

    // MARK: Values

    func value(of binding: Binding, _ step: ScenarioStep) throws(Diagnostic) -> Value {
        switch binding {
        case .top(let name):
            return .screen(app.router.tree.visibleLeaf(of: try window(name, step)))
        case .screen(let pattern, let window):
            return .screen(try screen(pattern, in: window, of: step))
        case .result:
            guard let request = requests.last.resultIndex.flatMap({ requests.all[$0] }) else {
                throw failure(of: step, label: Self.noRequest)
            }
            guard request.outcome.hasResult else {
                let label = "there is no result: \(request.outcome.sentence)"
                throw failure(of: step, label: label)
            }
            return request.result
        case .state(let path): return state(at: path)
        }
    }

    /// Returns the value at a path in the state of the scripts.
    func state(at path: [String]) -> Value { app.router.state(at: path) }

    // MARK: Failures

    func failure(of step: ScenarioStep, label: String) -> Diagnostic {
        Diagnostic(.stepFailed, "\(step.word) failed", at: step.location, label: label)
    }

    /// Returns the failure of a step whose value cannot be stored in a tree.
    func failure(of step: ScenarioStep, _ error: NotationError) -> Diagnostic {
        Diagnostic(
            .stepFailed,
            "\(step.word) failed",
            at: step.text.location(of: error.range),
            label: error.message,
            help: error.help
        )
    }

    func failure(of step: ScenarioStep, _ error: RouteError) -> Diagnostic {
        var diagnostic = failure(of: step, label: "\(error.code.rawValue): \(error.message)")
        diagnostic.related += scriptPlace(of: error)
        return diagnostic
    }

    func scriptPlace(of error: RouteError) -> [Diagnostic.Related] {
        guard let span = ScriptPlaces(scripts).span(of: error) else { return [] }
        return [Diagnostic.Related(label: nil, span: span)]
    }
}
