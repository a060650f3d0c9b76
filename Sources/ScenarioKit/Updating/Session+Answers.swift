// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// An expectation that was evaluated, and the text that may replace the condition.
struct ExpectationAnswer: Sendable {
    /// The location of the condition.
    let span: Span
    /// The text of a condition that is true; nil if the existing condition is already true, or if
    /// no true condition can be written.
    let text: String?
    /// Whether the text expects an error, although the existing condition does not.
    var hasNewError = false
}

/// Conditions that replace failed expectations.
extension Session {
    /// Records the replacement for an expectation, if the condition can be rewritten in its file.
    func note(answer text: String?, to expectation: Expectation, _ step: ScenarioStep) {
        guard options.updates, let place = step.text.replacing(expectation.wholeRange) else {
            return
        }
        var answer = ExpectationAnswer(span: place.span, text: text.flatMap(place.write))
        switch expectation.condition {
        case .error, .cancelled, .asked: break
        default: answer.hasNewError = text?.hasPrefix("error ") == true
        }
        note(answer)
    }

    /// Returns a condition that is currently true, with the same subject as an expectation; nil if
    /// there is none.
    ///
    /// The new condition is first parsed and evaluated, to ensure that it is true.
    func answer(to expectation: Expectation, _ request: Request?, _ step: ScenarioStep) -> String? {
        guard !expectation.isNegated,
            let text = words(about: expectation.condition.subject, like: expectation, request, step)
        else { return nil }
        let bytes = Array(text.utf8)
        // A text that contains `<name>` would be read as a parameter in a macro or a table.
        guard bytes.count <= ScenarioFile.lineLimit / 2,
            !zip(bytes, bytes.dropFirst()).contains(where: {
                $0 == UInt8(ascii: "<") && $1.isLetter
            })
        else { return nil }
        let scope = NameScope()
        for name in cursor.bindings.keys { scope.addBinding(name) }
        var parser = StepParser(bytes, at: bytes.indices, names: scope)
        guard let written = try? parser.expectation(isCheck: false),
            mismatch(written, request: request, of: step) == nil,
            // An expectation without a name is about a previous request. The new condition must be
            // about the same request.
            expectation.name != nil
                || requests.last.index(for: written) == requests.last.index(for: expectation)
        else { return nil }
        return text
    }

    /// Returns a condition about the given subject, with the same level of detail as the
    /// expectation.
    ///
    /// The condition is currently true. Returns nil if there is no such condition.
    func words(
        about subject: Expectation.Subject,
        like expectation: Expectation,
        _ request: Request?,
        _ step: ScenarioStep
    ) -> String? {
        var condition = expectation.condition
        if case .asked(_, let like?) = condition { condition = like }
        switch subject {
        case .tree(let window):
            guard app.router.tree.window(window) != nil else { return nil }
            let word = expectation.word == "window" ? "window \(window)" : "tree"
            guard case .tree(_, let pattern) = condition, let root = app.router.tree.window(window)
            else { return "\(word) \(printer.tree(app.router.tree, window: window))" }
            let levels = app.router.tree.levels(of: root)
            let printer = zip(pattern.levels, levels).reduce(printer) { printer, level in
                printer.keeping(
                    level.0,
                    id: level.1,
                    isExact: pattern.isExact,
                    in: app.router.tree,
                    names: names
                )
            }
            let words = pattern.isExact ? "\(word) exactly" : word
            return "\(words) \(printer.tree(app.router.tree, window: window))"
        case .top:
            // No other condition checks the identity of the screen.
            if case .topIs = condition { return nil }
            return app.router.tree.window("main").map { window in
                var pattern: ScreenNotation?
                if case .top(let written) = condition { pattern = written }
                let leaf = app.router.tree.visibleLeaf(of: window)
                return "top \(text(of: leaf, in: app.router.tree, like: pattern))"
            }
        case .stack:
            guard let stack = visibleStack, !stack.isEmpty else { return nil }
            var patterns: [ScreenNotation?] = []
            if case .stack(let items) = condition {
                patterns = items.map { if case .screen(let screen) = $0 { screen } else { nil } }
            }
            let texts = stack.enumerated().map { index, screen in
                let pattern = patterns.indices.contains(index) ? patterns[index] : nil
                return text(of: screen, in: app.router.tree, like: pattern)
            }
            return "stack " + texts.joined(separator: " > ")
        case .depth: return visibleStack.map { "depth \($0.count)" }
        case .modal:
            return app.router.tree.window("main").map { window in
                let levels = app.router.tree.levels(of: window)
                guard levels.count > 1, let modal = levels.last else { return "modal none" }
                var pattern: ScreenNotation?
                if case .modal(let written) = condition { pattern = written }
                return "modal \(text(of: modal, in: app.router.tree, like: pattern))"
            }
        case .operations: return operationWords(like: condition)
        case .log: return logWords(like: condition)
        case .trace: return traceWords(like: condition)
        case .called: return callWords(like: condition, step)
        case .services:
            var words: [ServiceWord] = []
            if case .services(let written) = condition { words = written }
            let names = services(like: words)
            return "services " + (names.isEmpty ? "none" : names.joined(separator: " "))
        case .state(let path):
            let notation =
                if case .state(_, let value) = condition { value } else {
                    ValueNotation.value(.nil)
                }
            let text = notation.text(of: state(at: path), printer, names)
            return "state.\(path.joined(separator: ".")) = \(text)"
        case .outcome, .result, .found, .built, .route, .params, .completions:
            return request.flatMap { words(about: subject, like: condition, $0) }
        }
    }

    private func words(
        about subject: Expectation.Subject,
        like condition: Expectation.Condition,
        _ request: Request
    ) -> String? {
        switch subject {
        case .outcome:
            guard case .error(_, text: _?) = condition,
                case .failed(let error) = request.outcome
            else { return request.outcome.words }
            return "error \(error.code.rawValue) \(printer.value(Value(error.message)))"
        case .result where !request.outcome.hasResult: return request.outcome.words
        case .result:
            guard case .result(let notation) = condition else {
                return "result \(printer.value(request.result))"
            }
            return "result \(notation.text(of: request.result, printer, names))"
        case .found:
            var patterns: [ScreenNotation] = []
            if case .found(let written) = condition { patterns = [written] }
            let found = screens(.find, of: request).suffix(1)
            return texts(of: Array(found), like: patterns).last.map { "found \($0)" }
        case .built:
            var patterns: [ScreenNotation] = []
            if case .built(let written) = condition { patterns = written }
            let screens = texts(of: screens(.build, of: request), like: patterns)
            return screens.isEmpty ? nil : "built " + screens.joined(separator: " ")
        case .route: return request.target.map { "route \($0)" }
        case .params:
            var pattern: [FieldNotation] = []
            if case .params(let written) = condition { pattern = written }
            let fields = printer.fields(request.params, keeping: pattern, names)
            return fields.map { "params \($0.isEmpty ? "()" : $0)" }
        case .completions: return "completions \(request.completions)"
        default: return nil
        }
    }

    private func operationWords(like condition: Expectation.Condition) -> String {
        var written: [OperationNotation]?
        if case .operations(let operations) = condition { written = operations }
        let isDetailed = written?.contains { $0.screens != nil || !$0.attributes.isEmpty } ?? true
        let texts = givenOperations.enumerated().map { index, given in
            guard isDetailed else { return given.operation.name }
            let like = written.flatMap { $0.indices.contains(index) ? $0[index] : nil }
            return text(of: given.operation, in: given.tree, like: like)
        }
        return "ops " + (texts.isEmpty ? "none" : texts.joined(separator: " "))
    }

    /// Returns a condition about the last logged message.
    ///
    /// If the replaced condition is about a message, the result is about the only message at the
    /// same level; nil if there are several.
    private func logWords(like condition: Expectation.Condition) -> String? {
        var logs = latestEvents.filter { $0.kind == .log }
        if case .log(let level, _) = condition {
            logs = logs.filter { $0["level"].text == level }
            if logs.count > 1 { return nil }
        }
        return logs.last.map { "log \($0["level"].text ?? "") \(printer.value($0["message"]))" }
    }

    /// Returns a condition about all events.
    ///
    /// If the replaced condition lists events, the result lists only events of the same kinds.
    private func traceWords(like condition: Expectation.Condition) -> String? {
        var events = effects
        if case .trace(let written) = condition {
            events = events.filter { event in written.contains { $0.kind == event.kind } }
        }
        return events.isEmpty
            ? nil : "trace " + events.map(TraceWord.text(of:)).joined(separator: " ")
    }

    /// Returns a condition about the only task call; nil if there is not exactly one call.
    ///
    /// If the replaced condition is about a call, the result states how many calls match the
    /// expected call.
    private func callWords(like condition: Expectation.Condition, _ step: ScenarioStep) -> String? {
        let calls = app.tasks.state.calls
        if case .called(let pattern, _) = condition {
            let count = calls.count { pattern.fits($0.target, with: $0.info, names: names) }
            return "called \(step.text.text(pattern.range)) times \(count)"
        }
        guard let call = calls.first, calls.count == 1 else { return nil }
        return "called \(call.target)\(parameters(call.info))"
    }
}

extension Request.Outcome {
    /// A condition that expects this outcome; nil if there is no such condition.
    fileprivate var words: String? {
        switch self {
        case .pending(let name): "pending \(name ?? Self.host)"
        case .done: "done"
        case .failed(let error): "error \(error.code.rawValue)"
        case .unfinished: nil
        case .stayed: "stayed"
        case .cancelled(let error):
            error.code == .superseded ? "cancelled superseded" : "cancelled"
        }
    }
}
