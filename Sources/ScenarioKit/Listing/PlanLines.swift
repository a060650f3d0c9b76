// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The dry run of a navigation, as human-readable labels and texts.
struct PlanLines {
    private(set) var lines: [(label: String, text: String)] = []
    private let path: (RouteError.Location) -> String

    /// Creates the lines for an explanation.
    ///
    /// - Parameters:
    ///   - plan: The explanation.
    ///   - path: Returns the text for a source location.
    init(_ plan: Explanation, path: @escaping (RouteError.Location) -> String) {
        self.path = path
        describe(turn: plan.turn)
        for detour in plan.detours { describe(detour) }
        for gate in plan.gates where !gate.isOpen {
            add("waits", "at gate '\(gate.name)'" + (gate.route.map { " of \($0)" } ?? ""))
        }
        if !plan.dependencies.isEmpty {
            let needs = plan.dependencies.map { "\($0.name) (\(word(for: $0.state)))" }
            add("needs", needs.joined(separator: ", "))
        }
        for interceptor in plan.interceptors { describe(interceptor) }
        describe(steps: plan)
        for call in plan.calls { add("not run", "\(call.text)\(at(call.location))") }
        for line in plan.log { add("log", "\(line.level) \(line.message)\(at(line.location))") }
        for screen in plan.afterRuns { add("after", "of \(screen.screen)\(at(screen.location))") }
        for screen in plan.leaving {
            add("gone", screen.screen + (screen.isAsked ? ", unless its 'leaving' refuses" : ""))
        }
        describe(outcome: plan)
    }

    private mutating func add(_ label: String, _ text: String) {
        // A label is printed only on the first of consecutive lines with the same label.
        let isSame = lines.last { !$0.label.isEmpty }?.label == label
        lines.append((isSame ? "" : label, text))
    }

    private func at(_ location: RouteError.Location?) -> String {
        location.map { "  \(path($0))" } ?? ""
    }

    private mutating func describe(turn: Explanation.Turn) {
        let others = turn.others.joined(separator: ", ")
        switch turn.state {
        case .now, .busy: break
        case .waits: add("turn", "waits for \(others)")
        case .joins: add("turn", "coalesces with \(others)")
        case .supersedes: add("turn", "supersedes \(others)")
        case .waitsForQuestion: add("turn", "waits for the question of \(others)")
        case .waitsForDialog: add("turn", "waits for the dialog of \(others)")
        case .leavesDialog: add("turn", "leaves the dialog of \(others)")
        }
    }

    private mutating func describe(_ detour: Explanation.Detour) {
        switch detour.reason {
        case .disabled:
            add(
                "instead",
                "\(detour.taken), because \(detour.route) is disabled\(at(detour.location))"
            )
        case .next:
            add(
                "instead",
                "\(detour.taken), because \(detour.route) passes the navigation on\(at(detour.location))"
            )
        case .redirect:
            add(
                "instead",
                "\(detour.taken), to which \(detour.route) redirects\(at(detour.location))"
            )
        case .unknown:
            add(
                "instead",
                "the fallback, because \(detour.route) is not registered\(at(detour.location))"
            )
        }
    }

    private mutating func describe(_ interceptor: Explanation.Interceptor) {
        let of: String
        switch interceptor.kind {
        case .search: of = "for all routes, before the search"
        case .every: of = "for all routes"
        case .step, .leaving: of = "of \(interceptor.of ?? "")"
        }
        let text = "\(interceptor.name), \(of), \(interceptor.note)"
        add("asked", "\(text)\(at(interceptor.location))")
    }

    private func word(for state: Explanation.Dependency.State) -> String {
        switch state {
        case .there: "available"
        case .made: "to be created"
        case .host: "provided by the host"
        case .missing: "missing"
        }
    }

    private mutating func describe(steps plan: Explanation) {
        for step in plan.steps {
            let screen = step.screen.map { " \($0)" } ?? ""
            let by = step.by.map { " by \($0)" } ?? ""
            let action = "\(step.action)\(step.container.map { " on \($0)" } ?? "")"
            let text =
                switch step.outcome {
                case .found: "finds\(screen)\(by)"
                case .built: "builds\(screen), \(action)"
                case .reused: "reuses\(screen), \(action)"
                case .foundAfter: "finds\(screen) after it is built"
                case .passes: "builds nothing"
                case nil: plan.failure == nil ? "is not needed" : "fails"
                }
            add("step", "\(step.route) \(text)\(at(step.location))")
            for search in step.searches { describe(search) }
            for choice in step.choices {
                let number = choice.number.map { "case \($0)" } ?? "the default"
                add("", "  switch: \(number)\(at(choice.location))")
            }
        }
        if let start = plan.start, !plan.steps.contains(where: { $0.outcome == .found }) {
            add("from", start)
        }
    }

    private mutating func describe(_ search: Explanation.Search) {
        let found = search.found.map { "found \($0)" } ?? search.note ?? "found nothing"
        add("", "  \(search.purpose) \(search.finder): \(found)")
        for visit in search.visits {
            if let reason = visit.reason { add("", "    \(visit.screen): \(reason)") }
        }
        if search.more > 0 { add("", "    and \(search.more) more") }
    }

    private mutating func describe(outcome plan: Explanation) {
        if let failure = plan.failure {
            let uncertain =
                failure.isCertain ? "" : ", unless code that was not run provides the value"
            add(
                "fails",
                "\(failure.error.code.rawValue): \(failure.error.message)\(uncertain)\(at(failure.error.location))"
            )
            return
        }
        if plan.windows.isEmpty {
            add("tree", "none, because the app has not started ('--given' sets a tree)")
            return
        }
        let operations = plan.operations.joined(separator: ", ")
        add("does", operations.isEmpty ? "nothing" : operations)
        for window in plan.windows where window.name == plan.window || window.before != window.after
        {
            let name = window.name == plan.window ? "" : "\(window.name) "
            add("before", name + (window.before.isEmpty ? "nothing" : window.before))
            let after = window.after ?? ""
            add("then", name + (after.isEmpty ? "nothing" : after))
        }
    }
}
