// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The destination of a target, as compared between two versions of scripts.
struct Destination: Sendable, Equatable {
    /// The parts of a destination, the most important first.
    enum Part: String, Sendable, CaseIterable {
        case failure, route, redirect, screen, presentation, parameters
    }

    /// The texts of the parts.
    ///
    /// A part without a value has no entry.
    private let texts: [Part: String]

    /// Reads the destination from an explanation.
    init(_ explanation: TargetExplanation) {
        var texts: [Part: String] = [:]
        let plan = explanation.plan
        texts[.failure] =
            explanation.problem
            ?? plan?.failure.map { "\($0.error.code.rawValue): \($0.error.message)" }
            ?? (explanation.destination == nil ? "has no destination" : nil)
        let route = explanation.matches.first ?? explanation.routings.first
        let target = plan?.target?.description ?? route?.row.name
        texts[.route] = target
        let resolved = plan?.route?.description
        texts[.redirect] = resolved == target ? nil : resolved
        texts[.screen] = plan?.steps.first?.screen.map {
            String($0.prefix { $0 != "(" && $0 != "[" })
        }
        let presented = plan?.steps.map(\.action).filter { $0.hasPrefix("present") } ?? []
        texts[.presentation] = presented.isEmpty ? nil : presented.joined(separator: ", ")
        let info = plan?.info ?? route?.parameters ?? InfoTable()
        let fields = explanation.fields ?? NotationPrinter().fields(info) ?? ""
        texts[.parameters] = target == nil || fields.isEmpty ? nil : fields
        self.texts = texts
    }

    subscript(part: Part) -> String? { texts[part] }

    /// The reason why the navigation fails, or otherwise the route with its parameters.
    var title: String { texts[.failure] ?? (texts[.route] ?? "") + (texts[.parameters] ?? "") }
}

/// A target whose destination differs between two versions of scripts.
struct DestinationChange: Sendable {
    /// The kinds of changes.
    ///
    /// The most important part that differs determines the kind.
    enum Kind: String, Sendable, CaseIterable {
        case fails
        case succeeds
        case failure
        case route
        case redirect
        case screen
        case presentation
        case parameters

        /// The name of the kind in summaries.
        var title: String {
            switch self {
            case .fails: "fail now"
            case .succeeds: "succeed now"
            case .failure: "fail for another reason"
            case .route: "with another route"
            case .redirect: "with another redirect"
            case .screen: "with another screen"
            case .presentation: "presented differently"
            case .parameters: "with other parameters"
            }
        }
    }

    let text: String
    let was: Destination
    let now: Destination
    let kind: Kind
    /// The parts that differ, the most important first.
    let parts: [Destination.Part]

    /// Creates the change between two explanations of a target; `nil` if the destination is the
    /// same.
    init?(was old: TargetExplanation, now new: TargetExplanation) {
        (text, was, now) = (new.text, Destination(old), Destination(new))
        let (was, now) = (was, now)
        parts = Destination.Part.allCases.filter { part in
            // The screen is unknown if a navigation fails, or if it would wait for a gate.
            if part == .screen || part == .presentation,
                was[.screen] == nil || now[.screen] == nil
            {
                return false
            }
            return was[part]?.withoutHint != now[part]?.withoutHint
        }
        guard let first = parts.first else { return nil }
        kind =
            switch first {
            case .failure where was[.failure] == nil: .fails
            case .failure where now[.failure] == nil: .succeeds
            case .failure: .failure
            case .route: .route
            case .redirect: .redirect
            case .screen: .screen
            case .presentation: .presentation
            case .parameters: .parameters
            }
    }
}

extension String {
    /// The text without the suggestion of another route.
    fileprivate var withoutHint: String {
        let start = hintStart
        let end = self[start...].firstRange(ofPart: "'?")?.upperBound ?? endIndex
        return String(self[..<start] + self[end...])
    }
}

/// The numbers of compared targets and of changes.
struct DestinationCounts: Sendable {
    private(set) var targets = 0
    private var changes: [DestinationChange.Kind: Int] = [:]

    mutating func add(_ change: DestinationChange?) {
        targets += 1
        if let change { changes[change.kind, default: 0] += 1 }
    }

    subscript(kind: DestinationChange.Kind) -> Int { changes[kind, default: 0] }

    /// The summary in the last line of a comparison.
    var summary: String {
        let all = targets == 1 ? "1 target" : "\(targets) targets"
        let kinds = DestinationChange.Kind.allCases.filter { self[$0] > 0 }
        let changed = kinds.reduce(0) { $0 + self[$1] }
        guard changed > 0 else { return "\(all): no destination changed" }
        let parts = kinds.map { "\(self[$0]) \($0.title)" }.joined(separator: ", ")
        return "\(all): \(changed) changed (\(parts))"
    }
}
