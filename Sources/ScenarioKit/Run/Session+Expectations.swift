// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// The part of an expectation that is not true.
struct Mismatch: Error {
    /// The range of the mismatch in the text of the step.
    let range: Range<Int>
    let label: String
    var actual: String?
}

/// The steps `expect` and `check`.
extension Session {
    /// Compares an expectation with the actual values.
    ///
    /// - Throws: The failure, unless the step is a `check`, after which the scenario continues.
    func check(_ expectation: Expectation, _ step: ScenarioStep) throws(Diagnostic) {
        let index =
            expectation.name.map { requests.named[$0] } ?? requests.last.index(for: expectation)
        let request = index.flatMap { requests.all[$0] }
        guard let mismatch = mismatch(expectation, request: request, of: step) else {
            note(expectation, index)
            note(answer: nil, to: expectation, step)
            return
        }
        if options.updates {
            note(answer: answer(to: expectation, request, step), to: expectation, step)
        }
        var failure = Diagnostic(
            .expectationFailed,
            [
                expectation.isCheck ? "check" : "expect", expectation.name,
                expectation.isNegated ? "not" : nil, expectation.word, "does not hold",
            ].compactMap(\.self).joined(separator: " "),
            at: step.text.location(of: mismatch.range),
            label: mismatch.label
        )
        if let actual = mismatch.actual { failure.details = [Diagnostic.Note("actual", actual)] }
        if case .asked = expectation.condition {
            let isWritten = step.text.replacing(expectation.wholeRange) != nil
            let help =
                isWritten
                ? "'luaroute run --update' writes the actual value here"
                : "write the value by hand: '--update' changes neither parts of parameters nor comments"
            failure.notes = [Diagnostic.Note("help", help)]
            return try fail(failure, of: expectation)
        }
        let isPlanned = expectation.condition.isAboutScreens
        let cause =
            expectation.isAboutRequest
            ? index.flatMap { self.cause(ofRequest: $0, isPlanned: isPlanned) }
            : causeOfLastAct(isPlanned: isPlanned)
        if let cause { failure.notes = [cause] }
        if let request, expectation.isAboutRequest, case .failed(let error) = request.outcome {
            failure.related += scriptPlace(of: error)
        }
        if let request, expectation.isAboutRequest, request.outcome.isPending {
            failure.notes += notesOnStubs
        }
        if case .error(let code, _) = expectation.condition,
            case .cancelled(let error)? = request?.outcome, error.code == code
        {
            let form = [
                expectation.isCheck ? "check" : "expect", expectation.name, "cancelled",
                code == .superseded ? "superseded" : nil,
            ].compactMap(\.self).joined(separator: " ")
            let help = "a cancelled request has not failed: write '\(form)'"
            failure.notes.append(Diagnostic.Note("help", help))
        }
        try fail(failure, of: expectation)
    }

    private func fail(_ failure: Diagnostic, of expectation: Expectation) throws(Diagnostic) {
        // During an update, later expectations may also need new values.
        guard expectation.isCheck || options.updates else { throw failure }
        fail(failure)
    }

    /// Explains the effects of a request, including effects during later steps.
    ///
    /// - Parameters:
    ///   - index: The index of the step.
    ///   - isPlanned: Whether to name finders and actions. If true, the scenario is replayed.
    /// - Returns: The sentence; `nil` if the step only reads the state.
    func cause(ofRequest index: Int, isPlanned: Bool = false) -> Diagnostic.Note? {
        guard let act = log.acts.lastIndex(where: { $0.index == index }) else { return nil }
        var id: Int?
        if case .navigation(let navigation)? = requests.all[index] { id = navigation.id }
        let plan = isPlanned ? plan(of: log.acts[act]) : nil
        let sentence = Cause(of: self).sentence(act, following: id, plan: plan)
        return Diagnostic.Note("because", sentence)
    }

    private func causeOfLastAct(isPlanned: Bool) -> Diagnostic.Note? {
        guard let act = log.acts.indices.last else { return nil }
        let plan = isPlanned ? plan(of: log.acts[act]) : nil
        return Diagnostic.Note("because", Cause(of: self).sentence(act, plan: plan))
    }

    /// Records that a step expects an outcome which would otherwise make the scenario fail.
    private func note(_ expectation: Expectation, _ index: Int?) {
        guard !expectation.isNegated else { return }
        switch expectation.condition {
        case .pending(let name?): if let index { expectPending(index, for: name) }
        case .log(let level, let text): expectLogs(messages(level, text))
        default: break
        }
    }

    func mismatch(
        _ expectation: Expectation,
        request: Request?,
        of step: ScenarioStep
    ) -> Mismatch? {
        let mismatch: Mismatch?
        if expectation.isAboutRequest, request == nil { return noRequest(for: expectation) }
        if case .asked(let subject, _) = expectation.condition {
            return Mismatch(
                range: expectation.range,
                label: "asks for the actual value",
                actual: words(about: subject, like: expectation, request, step) ?? "none"
            )
        }
        if let request, expectation.isAboutRequest {
            // A request that cannot have a result satisfies neither 'result' nor its absence.
            if expectation.condition.subject == .result, !request.outcome.hasResult {
                return self.mismatch(.done, expectation.range, about: request)
            }
            mismatch = self.mismatch(expectation.condition, expectation.range, about: request)
        } else {
            mismatch = self.mismatch(expectation.condition, expectation.range)
        }
        guard expectation.isNegated else { return mismatch }
        return mismatch == nil
            ? Mismatch(range: expectation.range, label: "the condition is true") : nil
    }

    private func noRequest(for expectation: Expectation) -> Mismatch? {
        if case .pending(nil) = expectation.condition, !expectation.isNegated { return nil }
        return Mismatch(
            range: expectation.range,
            label: Self.noRequest
        )
    }

    /// The error of a step that refers to a request that does not exist.
    static let noRequest =
        "no 'start', 'navigate', 'open', 'dispatch' or 'doTask' comes before this step"

    private func mismatch(_ condition: Expectation.Condition, _ range: Range<Int>) -> Mismatch? {
        switch condition {
        case .tree(let window, let tree): mismatch(tree, window)
        case .top(let screen): mismatch(top: screen)
        case .topIs(let name): mismatch(topIs: name, range)
        case .stack(let items): mismatch(stack: items, range)
        case .depth(let count): mismatch(depth: count, range)
        case .modal(let screen): mismatch(modal: screen, range)
        case .operations(let operations): mismatch(operations: operations, range)
        case .log(let level, let text): mismatch(log: level, text, range)
        case .trace(let words): mismatch(trace: words)
        case .called(let pattern, let times): mismatch(called: pattern, times, range)
        case .services(let words): mismatch(services: words, range)
        case .state(let path, let value): mismatch(state: path, value, range)
        case .done, .error, .stayed, .cancelled, .pending, .result, .found, .built, .route,
            .params, .completions, .asked:
            preconditionFailure("the condition is about a request, or asks for a value")
        }
    }

    // MARK: Values

    /// Compares a pattern with a screen.
    func mismatch(_ pattern: ScreenNotation, _ id: ScreenID, in tree: ScreenTree) -> Mismatch? {
        pattern.mismatch(id, in: tree, printer: printer, names).map { mismatch in
            Mismatch(range: mismatch.range, label: mismatch.reason)
        }
    }

    private func mismatch(
        state path: [String],
        _ value: ValueNotation,
        _ range: Range<Int>
    ) -> Mismatch? {
        let actual = state(at: path)
        guard !value.matches(actual, names) else { return nil }
        let hint = actual.normalizationHint(for: value.value(names))
        let label = actual.isNil ? "not set" : "the value is different\(hint)"
        let shown = path.reduce(actual) { app.router.classes.hidingPrivate($0, of: $1) }
        return Mismatch(range: range, label: label, actual: printer.value(shown))
    }

    /// Returns the registered services.
    ///
    /// If `words` names a task of a service, the result contains the tasks of the service instead.
    func services(like words: [ServiceWord]) -> [String] {
        app.router.services.flatMap { service in
            let isSplit = words.contains { $0.service == service.name && $0.task != nil }
            return isSplit ? service.tasks.map { "\(service.name)/\($0)" } : [service.name]
        }
    }

    private func mismatch(services words: [ServiceWord], _ range: Range<Int>) -> Mismatch? {
        let actual = services(like: words)
        let text = actual.isEmpty ? "none" : actual.joined(separator: " ")
        for (index, word) in words.enumerated() {
            guard index < actual.count else {
                return Mismatch(range: word.range, label: "not registered", actual: text)
            }
            guard word.text != actual[index] else { continue }
            let label = "'\(actual[index])' is registered at this position"
            return Mismatch(range: word.range, label: label, actual: text)
        }
        guard actual.count > words.count else { return nil }
        let label = "'\(actual[words.count])' is also registered"
        return Mismatch(range: range, label: label, actual: text)
    }
}

extension Expectation.Condition {
    /// Whether the condition depends on the screens that a navigation found or built, or on their
    /// positions.
    fileprivate var isAboutScreens: Bool {
        switch subject {
        case .tree, .top, .stack, .depth, .modal, .operations, .found, .built: true
        default: false
        }
    }
}

extension ServiceWord {
    fileprivate var text: String { task.map { "\(service)/\($0)" } ?? service }
}
