// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteEngine

/// Uses the events of a step to explain how the tree reached its current state.
///
/// `line 12 navigate ShowPage/open → podcast.lua:4 → reuse found ShowPage(showId=1) → pop`
struct Cause {
    private let session: Session

    init(of session: Session) { self.session = session }

    /// Returns the sentence that explains the effects of a step.
    ///
    /// - Parameters:
    ///   - index: The index of the step in the acts of the session's log.
    ///   - navigation: The number of the navigation that the step began. Events of this navigation
    ///     during later steps are included.
    ///   - plan: The plan of the navigation, with the finders and the actions; `nil` to name only
    ///     the screens.
    /// - Returns: The sentence, on one line.
    func sentence(
        _ index: Int,
        following navigation: Int? = nil,
        plan: Explanation? = nil
    ) -> String {
        var plan = plan.flatMap(CausePlan.init)
        var planned: Int?
        let act = session.log.acts[index]
        var parts = [heading(of: act)]
        var isOpening = true
        for event in session.events(of: index) {
            let opens =
                event.kind == .navigate || (event.kind == .task && phase(event) == "started")
            if opens, !isOpening { parts.append(opening(of: event)) }
            if opens { isOpening = false }
            if planned == nil, event.kind == .navigate { planned = event.navigation }
            if event.kind == .find || event.kind == .build, event.navigation == planned,
                let known = plan?.parts(of: event)
            {
                parts += known
            } else {
                parts += outcome(of: event, after: parts.last)
            }
        }
        for later in session.log.acts.indices.dropFirst(index + 1) where navigation != nil {
            let outcomes = session.events(of: later).filter { $0.navigation == navigation }
                .flatMap { outcome(of: $0) }
            if !outcomes.isEmpty { parts += [heading(of: session.log.acts[later])] + outcomes }
        }
        // A very long chain of calls would fill the report.
        if parts.count > 2 * Self.shown {
            let left = parts.count - 2 * Self.shown
            parts = parts.prefix(Self.shown) + ["… \(left) more …"] + parts.suffix(Self.shown)
        }
        return parts.joined(separator: " → ")
    }

    /// The number of parts that are shown at each end of a long chain.
    private static let shown = 16

    private func heading(of act: Session.ActingStep) -> String {
        let span = act.step.text.ownSpan(of: act.step.range)
        let line =
            span.source === session.source
            ? "line \(span.line)" : "\(span.source.name):\(span.line)"
        return "\(line) \(title(of: act.step))"
    }

    private func title(of step: ScenarioStep) -> String {
        switch step.action {
        case .act(.url(let url), _), .dispatch(let url, _): "\(step.word) \(text(of: url))"
        case .act(.route(let target, _), _), .doTask(let target, _), .complete(let target, _):
            "\(step.word) \(target)"
        case .call(let name, _): "\(step.word) \(name)"
        default: step.word
        }
    }

    private func opening(of event: Event) -> String {
        if event.kind == .task { return "doTask \(event.target)" }
        return switch Act<Value>(event) {
        case .url(let url)?: "open \(text(of: url))"
        case .route(let target, _)?: "navigate \(target)"
        case let act: act?.word ?? ""
        }
    }

    /// Returns the parts of the sentence that describe the outcome of an event.
    ///
    /// The preceding part of the sentence, if it is given, may already name the route.
    private func outcome(of event: Event, after beginning: String? = nil) -> [String] {
        switch event.kind {
        case .navigate: declaration(of: event, after: beginning)
        case .joined: ["coalesced with an identical navigation"]
        case .gate, .wait:
            if let other = event["of"].text {
                ["waits for the \(event["name"].text ?? "") of \(other)"]
            } else {
                ["waits for '\(event["name"].text ?? "")'"]
            }
        case .stage:
            if case .table(let others) = event["leaves"] {
                ["leaves the dialog of \(others.list.compactMap(\.text).joined(separator: ", "))"]
            } else {
                []
            }
        case .redirect: ["redirected to \(event["service"].text ?? "")/\(event["task"].text ?? "")"]
        case .fallback:
            [
                "'\(event["route"].text ?? "")' is disabled, replaced by \(event["service"].text ?? "")/\(event["task"].text ?? "")"
            ]
        case .find: ["\(event["by"].text ?? "") found \(event["screen"].text ?? "")"]
        case .build: ["built \(event["screen"].text ?? "")"]
        case .commit: operations(of: event)
        case .failed: ["failed \(event["code"].text ?? "")"]
        case .stayed: ["stayed"]
        case .cancelled: [event["code"].text ?? "cancelled"]
        case .link: links(of: event)
        case .task where phase(event) == "failed": ["failed \(event["code"].text ?? "")"]
        case .task where phase(event) == "cancelled": ["cancelled"]
        default: []
        }
    }

    /// Returns the name of the route and the line that declares the route.
    ///
    /// The name is needed because one line can declare several routes. If the preceding part of the
    /// sentence ends with the name, only the line is returned.
    private func declaration(of event: Event, after beginning: String?) -> [String] {
        guard let line = event["defined"].text else { return [] }
        let isNamed = beginning?.hasSuffix(" \(event.target)") == true
        return [isNamed ? line : "\(event.target) at \(line)"]
    }

    private func links(of event: Event) -> [String] {
        switch phase(event) {
        case "will": ["link \(event["pattern"].text ?? "")"]
        case "failed": ["link failed \(event["code"].text ?? "")"]
        case "timeout": ["link timed out"]
        case "cancelled": ["links cancelled"]
        default: []
        }
    }

    /// Returns a URL as written in a step: quoted if necessary.
    private func text(of url: ByteString) -> String {
        url.withBytes { bytes in bytes.allSatisfy { $0 > 0x20 && $0 < 0x7F } }
            ? url.displayText : session.printer.value(.string(url))
    }

    private func operations(of event: Event) -> [String] {
        guard case .table(let operations) = event["operations"] else { return [] }
        let names = operations.list.compactMap(\.text)
        return [names.isEmpty ? "no change" : names.joined(separator: ", ")]
    }

    private func phase(_ event: Event) -> String { event["phase"].text ?? "" }
}
