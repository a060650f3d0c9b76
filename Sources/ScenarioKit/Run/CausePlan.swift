// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The finders and the actions of a navigation.
///
/// The events of the navigation report only the screens.
struct CausePlan {
    /// The maximum number of failed searches that are reported for each step.
    private static let limit = 2

    /// The steps of the plan that no event has reported yet.
    private var steps: [Explanation.Step]

    /// Creates a plan from an explanation; `nil` if the explanation ends with a failure.
    init?(_ plan: Explanation) {
        guard plan.failure == nil else { return nil }
        steps = plan.steps
    }

    /// Describes the event of a found or built screen, and removes the matching step from the plan.
    ///
    /// - Returns: The parts of the sentence; `nil` if no step of the plan matches the event.
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
        let searches = missed.prefix(Self.limit).map { "\(name(of: $0)) found nothing" }
        let location = step.container.map { " on \($0)" } ?? ""
        return searches + ["built \(screen), \(step.action)\(location)"]
    }

    private func name(of search: Explanation.Search) -> String {
        // The text of a provider's search already names the provider.
        search.purpose == "provider" ? search.finder : "\(search.purpose) \(search.finder)"
    }
}
