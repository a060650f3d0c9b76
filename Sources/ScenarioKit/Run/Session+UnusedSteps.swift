// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// Steps that nothing used, and failures that nobody awaited.
extension Session {
    /// A step that nothing used.
    struct UnusedStep {
        /// The number of the step.
        let index: Int
        let diagnostic: Diagnostic
    }

    /// Returns the steps that prepare for something that did not happen, each line once.
    ///
    /// - Parameter range: The numbers of the steps to judge.
    /// - Returns: The steps, each with its diagnostic.
    func unusedSteps(of range: Range<Int>) -> [UnusedStep] {
        var lines: Set<Int> = []
        return range.compactMap { index -> UnusedStep? in
            let step = steps[index]
            guard !step.isOptional, let (message, label, actual) = lack(of: step, index),
                // A loop does the same line several times.
                lines.insert(step.text.ownSpan(of: step.range).range.lowerBound).inserted
            else { return nil }
            var diagnostic = Diagnostic(
                .unusedStep,
                message,
                at: step.place,
                label: label,
                help: "remove the step, or write 'maybe \(step.word) …' if it need not be used"
            )
            if let actual { diagnostic.details = [Diagnostic.Note("actual", actual)] }
            return UnusedStep(index: index, diagnostic: diagnostic)
        }
    }

    private func lack(
        of step: Step,
        _ index: Int
    ) -> (message: String, label: String, actual: String?)? {
        switch step.action {
        case .stub(let pattern, _) where !isUsed(index):
            let target = pattern.target
            let calls = events.filter { $0.isStart(of: target) }.map { call(of: target, $0) }
            let isCalled = !calls.isEmpty
            return (
                "the stub of '\(target)' is never used",
                isCalled ? "no further call fits" : "'\(target)' is not called",
                isCalled ? calls.joined(separator: " ") : nil
            )
        case .host(.refuses(let operation)) where !isUsed(index):
            let message = "'host refuses \(operation)' is never used"
            return (message, "the host was given no change with '\(operation)'", nil)
        case .openGate(let name) where !namedGates.contains(name):
            let hint = Suggestion.hint(for: name, among: namedGates.sorted())
            return (
                "'ready \(name)' is never used", "no route names the gate '\(name)'\(hint)", nil
            )
        default: return nil
        }
    }

    private func call(of target: Target, _ event: Event) -> String {
        guard case .table(let info) = event["info"] else { return target.description }
        return "\(target)\(parameters(info))"
    }

    /// The navigations that scripts began, that failed, and that nobody awaits: each place once.
    ///
    /// Under `set strict` they are errors, else warnings.
    var unawaitedFailures: [Diagnostic] {
        var known: Set<String> = []
        return scriptFailures.compactMap { navigation, act in
            guard !navigation.isAwaited, case .failed(let error) = navigation.status else {
                return nil
            }
            let subject = subject(of: navigation)
            let location = navigation.place.map { "\($0): " } ?? ""
            let label = "\(error.code.rawValue): \(error.message)"
            guard known.insert(location + subject + label).inserted else { return nil }
            let place = act.step.place
            var diagnostic = Diagnostic(
                .unawaitedFailure,
                "\(location)\(subject) failed, and nobody awaits it",
                severity: settings.isStrict ? .error : .warning,
                at: place.span,
                label: label,
                help: "':await()', ':result()' or a 'completion' hears of the failure"
            )
            diagnostic.related = place.related + scriptPlace(of: navigation)
            return diagnostic
        }
    }

    private func subject(of navigation: Navigation) -> String {
        if let target = navigation.target { return "the navigation to '\(target)'" }
        let begin = events.first { $0.kind == .navigate && $0.navigation == navigation.id }
        if let verb = begin?["verb"].text { return "'\(verb)'" }
        let text = begin.flatMap { $0["url"].text ?? $0["route"].text }
        return text.map { "the navigation to '\($0)'" } ?? "a navigation"
    }

    private func scriptPlace(of navigation: Navigation) -> [Diagnostic.Related] {
        let name = navigation.target.map { "'\($0.service)'" } ?? ""
        guard let place = navigation.place,
            let span = ScriptPlaces(scripts).span(of: place, name)
        else { return [] }
        return [Diagnostic.Related(label: "begun here", span: span)]
    }
}

extension Event {
    /// Whether it is the start of a call of a task.
    fileprivate func isStart(of target: Target) -> Bool {
        kind == .task && self["phase"].text == "started" && self.target == target
    }
}
