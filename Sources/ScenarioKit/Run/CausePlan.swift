// SPDX-License-Identifier: MIT

internal import LuaRouting

/// Names the finders and the actions of a navigation, of which its events tell the screens alone.
struct CausePlan {
    /// How many searches of one step are told.
    private static let told = 2

    /// The steps that no event has told of.
    private var steps: [Explanation.Step]

    /// Takes a plan; one that ends in a failure is not how it went.
    init?(_ plan: Explanation) {
        guard plan.failure == nil else { return nil }
        steps = plan.steps
    }

    /// Tells an event that a screen was found or made.
    ///
    /// - Returns: The parts of the sentence; nil where the plan does not know of it.
    mutating func parts(of event: Event) -> [String]? {
        let outcomes: [Explanation.Step.Outcome] =
            event.kind == .build ? [.built] : [.found, .reused, .foundAfter]
        let index = steps.firstIndex { step in
            step.location == event.location && step.outcome.map(outcomes.contains) == true
        }
        guard let index else { return nil }
        let step = steps.remove(at: index)
        let screen = event["screen"].text ?? ""
        guard event.kind == .build else {
            guard let search = step.searches.last(where: { $0.found != nil }) else { return nil }
            return ["\(name(of: search)) found \(screen)"]
        }
        let missed = step.searches.filter {
            $0.found == nil && ["find", "reuse", "provider"].contains($0.purpose)
        }
        let searches = missed.prefix(Self.told).map { "\(name(of: $0)) found nothing" }
        let location = step.container.map { " on \($0)" } ?? ""
        return searches + ["built \(screen), \(step.action)\(location)"]
    }

    private func name(of search: Explanation.Search) -> String {
        // What a provider looks for names itself.
        search.purpose == "provider" ? search.finder : "\(search.purpose) \(search.finder)"
    }
}
