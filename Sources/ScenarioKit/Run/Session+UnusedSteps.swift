// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// Unused steps, and failures that no caller awaits.
extension Session {
    /// An unused step.
    struct UnusedStep {
        /// The index of the step.
        let index: Int
        let diagnostic: Diagnostic
    }

    /// Returns the steps that prepare for an event that did not happen.
    ///
    /// Each line is returned once.
    ///
    /// - Parameter range: The indices of the steps to check.
    /// - Returns: The steps, each with its diagnostic.
    func unusedSteps(of range: Range<Int>) -> [UnusedStep] {
        var lines: Set<Int> = []
        return range.compactMap { index -> UnusedStep? in
            let step = cursor.steps[index]
            guard !step.isOptional, let (message, label, actual) = lack(of: step, index),
                // A loop may run the same line several times.
                lines.insert(step.text.ownSpan(of: step.range).range.lowerBound).inserted
            else { return nil }
            var diagnostic = Diagnostic(
                .unusedStep,
                message,
                at: step.location,
                label: label,
                help: "remove the step, or write 'maybe \(step.word) …' if the step is optional"
            )
            if let actual { diagnostic.details = [Diagnostic.Note("actual", actual)] }
            return UnusedStep(index: index, diagnostic: diagnostic)
        }
    }

    private func lack(
        of step: ScenarioStep,
        _ index: Int
    ) -> (message: String, label: String, actual: String?)? {
        switch step.action {
        case .stub(let pattern, _) where !isUsed(index):
            let target = pattern.target
            let calls = log.events.filter { $0.isStart(of: target) }.map { call(of: target, $0) }
            let isCalled = !calls.isEmpty
            return (
                "the stub of '\(target)' is never used",
                isCalled ? "no further call matches this stub" : "'\(target)' is not called",
                isCalled ? calls.joined(separator: " ") : nil
            )
        case .host(.refuses(let operation)) where !isUsed(index):
            let message = "'host refuses \(operation)' is never used"
            return (message, "the host received no change with '\(operation)'", nil)
        case .openGate(let name) where !log.namedGates.contains(name):
            let hint = Suggestion.hint(for: name, among: log.namedGates.sorted())
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

    /// The failures in scripts that no caller awaits; empty with `set strict`, which makes these
    /// failures fail the scenario.
    var warnings: [Diagnostic] { settings.isStrict ? [] : unawaitedFailures + unexpectedErrors }

    /// The logged errors of functions whose callers cannot catch them, unless a step expects the
    /// error.
    ///
    /// Each message is returned once.
    private var unexpectedErrors: [Diagnostic] {
        var known: Set<String> = []
        return log.loggedFailures.compactMap { number, act in
            let event = log.events[number]
            let key = "\(event.location.map { "\($0): " } ?? "")\(event["message"].text ?? "")"
            guard !log.expectedLogs.contains(number), known.insert(key).inserted else { return nil }
            return unexpected(event, act)
        }
    }

    /// Returns the diagnostic about a message that a script or the router logged during an act, and
    /// that no step expects.
    func unexpected(_ event: Event, _ act: ActingStep) -> Diagnostic {
        let level = event["level"].text ?? ""
        var diagnostic = Diagnostic(
            .unexpectedWarning,
            "an unexpected message was logged",
            severity: settings.isStrict ? .error : .warning,
            at: act.step.location.span,
            label: "\(level) \(printer.value(event["message"]))",
            help: "if the message is intended, add 'expect log \(level) …'"
        )
        diagnostic.related = act.step.location.related
        let message = event["message"].text ?? ""
        if let span = event.location.flatMap({ ScriptPlaces(scripts).span(of: $0, message) }) {
            diagnostic.related.append(Diagnostic.Related(label: nil, span: span))
        }
        return diagnostic
    }

    /// The failures of navigations and tasks that scripts began and that no caller awaits.
    ///
    /// Each location is returned once.
    ///
    /// The failures are errors with `set strict`, otherwise warnings.
    var unawaitedFailures: [Diagnostic] {
        var known: Set<String> = []
        return log.scriptFailures.compactMap { failure, act in
            guard let (subject, name, location, error, help) = unawaited(failure) else {
                return nil
            }
            let prefix = location.map { "\($0): " } ?? ""
            let label = "\(error.code.rawValue): \(error.message)"
            guard known.insert(prefix + subject + label).inserted else { return nil }
            let step = act.step.location
            var diagnostic = Diagnostic(
                .unawaitedFailure,
                "\(prefix)\(subject) failed, and no caller awaits the result",
                severity: settings.isStrict ? .error : .warning,
                at: step.span,
                label: label,
                help: "handle the failure with \(help) or a 'completion'"
            )
            diagnostic.related = step.related
            if let span = location.flatMap({ ScriptPlaces(scripts).span(of: $0, name) }) {
                diagnostic.related.append(Diagnostic.Related(label: "started here", span: span))
            }
            return diagnostic
        }
    }

    /// Returns the parts of the message about a failure that no caller awaits; `nil` for other
    /// failures, and for failures of functions.
    private func unawaited(
        _ failure: ScriptFailure
    ) -> (
        subject: String, name: String, location: RouteError.Location?, RouteError, help: String
    )? {
        switch failure {
        case .navigation(let navigation):
            guard !navigation.isAwaited, case .failed(let error) = navigation.status else {
                return nil
            }
            let name = navigation.target.map { "'\($0.service)'" } ?? ""
            let subject = subject(of: navigation)
            return (subject, name, navigation.location, error, "':await()', ':result()'")
        case .task(let task):
            guard !task.isAwaited, case .failed(let error) = task.status else { return nil }
            let name = "'\(task.target.service)'"
            return ("the task '\(task.target)'", name, task.location, error, "':await()'")
        case .function: return nil
        }
    }

    private func subject(of navigation: Navigation) -> String {
        if let target = navigation.target { return "the navigation to '\(target)'" }
        let begin = log.events.first { $0.kind == .navigate && $0.navigation == navigation.id }
        if let verb = begin?["verb"].text { return "'\(verb)'" }
        let text = begin.flatMap { $0["url"].text ?? $0["route"].text }
        return text.map { "the navigation to '\($0)'" } ?? "a navigation"
    }
}

extension Event {
    /// Returns whether the event is the start of a call to the given task.
    fileprivate func isStart(of target: Target) -> Bool {
        kind == .task && self["phase"].text == "started" && self.target == target
    }
}
