// SPDX-License-Identifier: MIT

internal import LuaRouting

/// One scenario as it runs: a router, a host and a clock of its own.
final class Session {
    /// A step that does something, and where what it caused begins.
    struct Act {
        /// The number of the step.
        let index: Int
        let step: Step
        let firstEvent: Int
    }

    let source: SourceText
    let scripts: Bundle
    let router: Router
    let host: HeadlessHost

    private let steps: [Step]
    private let looks: RequestLooks

    private(set) var events: [Event] = []
    private(set) var acts: [Act] = []
    private(set) var failures: [Diagnostic] = []
    private(set) var notes: [String] = []
    private(set) var bindings: [String: Value] = [:]

    /// The requests of the steps done so far, by the number of the step.
    private var requests: [Int: Request] = [:]
    private var lastRequest: Int?
    private var namedRequests: [String: Int] = [:]
    /// The requests whose end nobody has seen yet.
    private var open: [Int] = []
    /// The requests of which a step said that they wait.
    private var expectedPending: Set<Int> = []

    /// Loads the scripts.
    ///
    /// - Throws: The error of a script that does not load.
    init(
        _ scenario: Scenario,
        of file: ScenarioFile,
        scripts: Bundle,
        _ options: RunOptions
    ) throws(RouteError) {
        source = file.source
        self.scripts = scripts
        steps = file.background + scenario.steps
        looks = RequestLooks(in: steps)
        host = HeadlessHost()
        router = try Router(bundle: scripts, host: host, configuration: options.configuration)
        router.onEvent = { [unowned self] event in events.append(event) }
    }

    var printer: NotationPrinter { NotationPrinter(classes: router.classes) }

    /// The events since the last step that does something.
    var latestEvents: ArraySlice<Event> { events[(acts.last?.firstEvent ?? 0)...] }

    // MARK: Running

    func run() {
        for (index, step) in steps.enumerated() {
            if !step.action.isLooking {
                host.forgetChanges()
                acts.append(Act(index: index, step: step, firstEvent: events.count))
            }
            do throws(Diagnostic) {
                try run(step, index)
                try checkOpenRequests(after: index)
            } catch {
                failures.append(error)
                return
            }
        }
        checkPendingWork()
    }

    private func run(_ step: Step, _ index: Int) throws(Diagnostic) {
        switch step.action {
        case .given(let window, let tree):
            try give(tree, window)
        case .start(let info):
            let navigation = router.start(Table(info))
            if case .failed(let error) = navigation.status { throw failure(of: step, error) }
        case .navigate(let navigate):
            let navigation = router.navigate(
                navigate.target,
                info: Table(navigate.info),
                options: try options(of: navigate)
            )
            note(.navigation(navigation), of: step, index)
        case .doTask(let target, let info):
            note(.task(router.doTask(target, info: Table(info))), of: step, index)
        case .back(let count):
            router.back(count)
        case .dismiss:
            router.dismiss()
        case .expect(let expectation):
            try check(expectation)
        case .bind(let name, let binding):
            bindings[name] = try value(of: binding, step)
        case .note(let text):
            notes.append(text)
        }
    }

    private func note(_ request: Request, of step: Step, _ index: Int) {
        requests[index] = request
        lastRequest = index
        if let name = step.name { namedRequests[name] = index }
        open.append(index)
    }

    private func give(_ tree: TreeNotation, _ window: String) throws(Diagnostic) {
        do throws(NotationError) {
            try router.setTree(tree, window: window)
        } catch {
            throw Diagnostic(
                .stepFailed,
                "given failed",
                at: Span(source, error.range),
                label: error.message,
                help: error.help
            )
        }
    }

    private func options(of step: NavigateStep) throws(Diagnostic) -> NavigationOptions {
        var options = NavigationOptions(
            via: step.via,
            window: step.window,
            isAnimated: step.isAnimated
        )
        if let from = step.from {
            guard let place = topmost(matching: from) else { throw notFound(from) }
            options.from = place
        }
        return options
    }

    private func value(of binding: Binding, _ step: Step) throws(Diagnostic) -> Value {
        switch binding {
        case .top:
            guard let window = router.tree.window("main") else {
                throw Diagnostic(
                    .stepFailed,
                    "let failed",
                    at: Span(source, step.range),
                    label: "there is no tree yet"
                )
            }
            return .screen(router.tree.visibleLeaf(of: window))
        case .screen(let pattern):
            guard let screen = topmost(matching: pattern) else { throw notFound(pattern) }
            return .screen(screen)
        case .result:
            return lastRequest.flatMap { requests[$0]?.result } ?? .nil
        case .state(let path):
            return path.reduce(Value.table(router.state)) { value, key in
                if case .table(let table) = value { table[key] } else { .nil }
            }
        }
    }

    // MARK: Screens

    /// The topmost screen that a pattern fits: of those that can be seen the last one, else of
    /// all.
    private func topmost(matching pattern: ScreenNotation) -> ScreenID? {
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
        return lastVisible ?? last
    }

    private func notFound(_ pattern: ScreenNotation) -> Diagnostic {
        var diagnostic = Diagnostic(
            .stepFailed,
            "no screen matches",
            at: Span(source, pattern.range),
            label: "not in the tree"
        )
        diagnostic.details = [Diagnostic.Note("actual", printer.tree(router.tree, window: "main"))]
        return diagnostic
    }

    // MARK: Expectations

    private func check(_ expectation: Expectation) throws(Diagnostic) {
        let index = expectation.name.map { namedRequests[$0] } ?? lastRequest
        let request = index.flatMap { requests[$0] }
        guard let mismatch = mismatch(expectation, request) else {
            if case .pending(.some) = expectation.condition, !expectation.isNegated, let index {
                expectedPending.insert(index)
            }
            return
        }
        var failure = Diagnostic(
            .expectationFailed,
            [
                expectation.isCheck ? "check" : "expect", expectation.name,
                expectation.isNegated ? "not" : nil, expectation.word, "does not hold",
            ].compactMap(\.self).joined(separator: " "),
            at: Span(source, mismatch.range),
            label: mismatch.label
        )
        if let actual = mismatch.actual { failure.details = [Diagnostic.Note("actual", actual)] }
        let act =
            expectation.isAboutRequest
            ? acts.lastIndex { $0.index == index } : acts.indices.last
        if let act { failure.notes = [Diagnostic.Note("because", Cause(of: self).sentence(act))] }
        if let request, expectation.isAboutRequest, case .failed(let error) = request.outcome {
            failure.related = scriptPlace(of: error)
        }
        guard expectation.isCheck else { throw failure }
        failures.append(failure)
    }

    /// Fails the scenario if a request has failed and no later step looks at it.
    private func checkOpenRequests(after index: Int) throws(Diagnostic) {
        for number in open {
            guard let outcome = requests[number]?.outcome, !outcome.isPending else { continue }
            open.removeAll { $0 == number }
            if looks.isLooked(at: number, after: index) { continue }
            switch outcome {
            case .failed(let error):
                throw failure(of: steps[number], error)
            case .unfinished:
                throw Diagnostic(
                    .stepFailed,
                    "\(word(of: steps[number])) failed",
                    at: Span(source, steps[number].range),
                    label: outcome.sentence
                )
            case .pending, .done, .stayed, .cancelled: break
            }
        }
    }

    private func checkPendingWork() {
        for number in open where !expectedPending.contains(number) {
            guard let outcome = requests[number]?.outcome, outcome.isPending else { continue }
            failures.append(
                Diagnostic(
                    .leftPending,
                    "work is pending at the end",
                    at: Span(source, steps[number].range),
                    label: outcome.sentence,
                    help: "'expect pending …' says that it is meant"
                )
            )
        }
        // What waits may have started others, which then are meant too.
        guard expectedPending.isEmpty, failures.isEmpty, let act = acts.last else { return }
        for navigation in router.pending {
            let target = navigation.target.map { " to '\($0)'" } ?? ""
            failures.append(
                Diagnostic(
                    .leftPending,
                    "work is pending at the end",
                    at: Span(source, act.step.range),
                    label: "a script's navigation\(target) is pending"
                )
            )
        }
    }

    // MARK: Failures

    private func word(of step: Step) -> String {
        let text = source.bytes[step.range]
        return String(decoding: text.prefix { Name.isLetter($0) }, as: UTF8.self)
    }

    private func failure(of step: Step, _ error: RouteError) -> Diagnostic {
        var diagnostic = Diagnostic(
            .stepFailed,
            "\(word(of: step)) failed",
            at: Span(source, step.range),
            label: "\(error.code.rawValue): \(error.message)"
        )
        diagnostic.related = scriptPlace(of: error)
        return diagnostic
    }

    private func scriptPlace(of error: RouteError) -> [Diagnostic.Related] {
        guard let span = ScriptPlaces(scripts).span(of: error) else { return [] }
        return [Diagnostic.Related(label: nil, span: span)]
    }
}
