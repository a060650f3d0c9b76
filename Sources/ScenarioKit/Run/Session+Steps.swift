// SPDX-License-Identifier: MIT

internal import LuaRouting

/// What the steps do.
extension Session {
    /// Does a step that asks for nothing whose end a later step looks at.
    func act(_ step: Step) throws(Diagnostic) {
        switch step.action {
        case .given(let window, let tree): try give(tree, window, step)
        case .start(let info):
            let navigation = router.start(Table(info))
            if case .failed(let error) = navigation.status { throw failure(of: step, error) }
        case .back(let count): router.back(count)
        case .popTo(let pattern): router.pop(to: try screen(pattern, step))
        case .popToRoot: router.popToRoot()
        case .dismiss(all: false): router.dismiss()
        case .dismiss(all: true): router.dismissAll()
        case .close(let pattern, let value): router.close(try screen(pattern, step), value: value)
        case .select(let pattern): router.select(try screen(pattern, step))
        case .selectTab(let number): router.select(try tab(number, step))
        case .stub(let pattern, let end): try stub(pattern, end, step)
        case .complete(let target, let end): try complete(target, end, step)
        case .setState(let path, let value): try setState(path, value, step)
        case .navigate, .doTask, .call, .expect, .bind, .note:
            preconditionFailure("a step that the session does itself")
        }
    }

    private func give(_ tree: TreeNotation, _ window: String, _ step: Step) throws(Diagnostic) {
        do throws(NotationError) {
            try router.setTree(tree, window: window)
        } catch {
            throw Diagnostic(
                .stepFailed,
                "given failed",
                at: step.text.place(of: error.range),
                label: error.message,
                help: error.help
            )
        }
    }

    func options(of navigate: NavigateStep, _ step: Step) throws(Diagnostic) -> NavigationOptions {
        var options = NavigationOptions(
            via: navigate.via,
            window: navigate.window,
            isAnimated: navigate.isAnimated
        )
        if let from = navigate.from { options.from = try screen(from, step) }
        return options
    }

    // MARK: Screens

    /// The topmost screen that a pattern fits: of those that can be seen the last one, else of
    /// all.
    private func screen(_ pattern: ScreenNotation, _ step: Step) throws(Diagnostic) -> ScreenID {
        let tree = router.tree
        var last: ScreenID?
        var lastVisible: ScreenID?
        for window in tree.windows {
            tree.visit(window.root) { screen in
                guard pattern.mismatch(screen.id, in: tree) == nil else { return }
                last = screen.id
                if tree.isVisible(screen.id) { lastVisible = screen.id }
            }
        }
        if let screen = lastVisible ?? last { return screen }
        var diagnostic = Diagnostic(
            .stepFailed,
            "no screen matches",
            at: step.text.place(of: pattern.range),
            label: "not in the tree"
        )
        diagnostic.details = [Diagnostic.Note("actual", printer.tree(tree, window: "main"))]
        throw diagnostic
    }

    /// A tab of the innermost tabs around what the main window shows, or what that covers.
    private func tab(_ number: Int, _ step: Step) throws(Diagnostic) -> ScreenID {
        let tree = router.tree
        let levels = tree.window("main").map { tree.levels(of: $0) } ?? []
        let around = levels.reversed().lazy.compactMap { level in
            tree.nearest(.tabs, from: tree.visibleLeaf(under: level))
        }
        guard let tabs = around.first else {
            throw failure(of: step, label: "there are no tabs around what is shown")
        }
        let children = tree.screen(tabs)?.children ?? []
        guard number <= children.count else {
            let count = children.count == 1 ? "is one tab" : "are \(children.count) tabs"
            throw failure(of: step, label: "there \(count)")
        }
        return children[number - 1]
    }

    // MARK: Outside

    private func stub(_ pattern: CallPattern, _ end: TaskEnd, _ step: Step) throws(Diagnostic) {
        let target = pattern.target
        let service = router.services.first { $0.name == target.service }
        if service?.tasks.contains(target.task) == true {
            let place = step.text.place(of: pattern.range)
            let label = "the scripts have '\(target)' themselves"
            throw Diagnostic(.stepFailed, "stub failed", at: place, label: label)
        }
        tasks.stub(pattern, end)
    }

    private func complete(_ target: Target, _ end: TaskEnd, _ step: Step) throws(Diagnostic) {
        guard !tasks.complete(target, end) else { return }
        let pending = tasks.pending.map(\.description)
        var failure = failure(
            of: step,
            label: "no call of '\(target)' is pending"
                + Suggestion.hint(for: target.description, among: pending)
        )
        failure.details = [
            Diagnostic.Note("actual", pending.isEmpty ? "none" : pending.joined(separator: " "))
        ]
        throw failure
    }

    func call(_ name: String, _ info: Table, _ step: Step) throws(Diagnostic) -> Value {
        do throws(RouteError) {
            return try router.call(name, info)
        } catch {
            throw failure(of: step, error)
        }
    }

    // MARK: Values

    func value(of binding: Binding, _ step: Step) throws(Diagnostic) -> Value {
        switch binding {
        case .top:
            guard let window = router.tree.window("main") else {
                throw failure(of: step, label: "there is no tree yet")
            }
            return .screen(router.tree.visibleLeaf(of: window))
        case .screen(let pattern): return .screen(try screen(pattern, step))
        case .result: return result
        case .state(let path): return state(at: path)
        }
    }

    /// What the last task, or the call behind it, gave.
    var result: Value {
        callResult ?? lastRequest.flatMap { requests[$0]?.result } ?? .nil
    }

    /// What stands in the state of the scripts.
    func state(at path: [String]) -> Value {
        path.reduce(Value.table(router.state)) { value, key in
            if case .table(let table) = value { table[key] } else { .nil }
        }
    }

    private func setState(_ path: [String], _ value: Value, _ step: Step) throws(Diagnostic) {
        var value = value
        // Tables are values: each around the changed one is set anew, the innermost first.
        for depth in path.indices.dropFirst().reversed() {
            var table = Table()
            switch state(at: Array(path[..<depth])) {
            case .nil: break
            case .table(let standing): table = standing
            case let other:
                let name = path[..<depth].joined(separator: ".")
                throw failure(of: step, label: "'\(name)' is no table (it is \(other.kindName))")
            }
            table[path[depth]] = value
            value = .table(table)
        }
        do throws(RouteError) {
            try router.setState(path[0], to: value)
        } catch {
            throw failure(of: step, error)
        }
    }

    // MARK: Failures

    func failure(of step: Step, label: String) -> Diagnostic {
        Diagnostic(.stepFailed, "\(step.word) failed", at: step.place, label: label)
    }

    func failure(of step: Step, _ error: RouteError) -> Diagnostic {
        var diagnostic = failure(of: step, label: "\(error.code.rawValue): \(error.message)")
        diagnostic.related += scriptPlace(of: error)
        return diagnostic
    }

    func scriptPlace(of error: RouteError) -> [Diagnostic.Related] {
        guard let span = ScriptPlaces(scripts).span(of: error) else { return [] }
        return [Diagnostic.Related(label: nil, span: span)]
    }
}
