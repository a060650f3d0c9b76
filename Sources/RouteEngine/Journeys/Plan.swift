// SPDX-License-Identifier: MIT

package import RouteCore

/// The way of a navigation: an existing screen, and the steps from there to the target.
///
/// It holds no screen but the first: the others are made, or found again, on the stage.
package final class Plan {
    /// A step of the plan, with the parameters as the step sees them.
    package final class Link {
        package let step: Step
        package let info: InfoTable
        package let via: Action

        package init(step: Step, info: InfoTable, via: Action) {
            self.step = step
            self.info = info
            self.via = via
        }

        /// The interceptors of the step.
        package var interceptions: [Interception] {
            step.intercept.map { Interception(interceptor: $0, link: self) }
        }
    }

    // No two accesses to what changes overlap: a step is added before anybody reads the plan.

    /// The screen where the plan begins.
    package let found: ScreenID
    /// The step that found it; nil for a place that is no step.
    package let finding: Link?
    /// What found it, for events; nil for the place of an action without `from`.
    package let by: String?
    /// Whether the found screen is brought to the top of its stack, instead of popping to it.
    package let moves: Bool
    /// The info at the screen where the plan begins, if `root`, `current` or a finder gives it; nil
    /// for one that a step found, and for the place of an action without `from`.
    package let start: InfoTable?
    /// The steps from the found screen on, in the order in which they are staged.
    @exclusivity(unchecked) package private(set) var links: [Link] = []
    /// The interceptors of the steps, from the target backwards.
    @exclusivity(unchecked) package private(set) var interceptors: [Interception]

    package init(
        found: ScreenID,
        finding: Link? = nil,
        by: String? = nil,
        moves: Bool = false,
        start: InfoTable? = nil
    ) {
        self.found = found
        self.finding = finding
        self.by = by
        self.moves = moves
        self.start = start
        interceptors = finding?.interceptions ?? []
    }

    /// Adds a step after the others, while the plan is made; it does not change afterwards.
    package func append(_ link: Link) {
        if !link.step.intercept.isEmpty {
            interceptors.insert(contentsOf: link.interceptions, at: 0)
        }
        links.append(link)
    }

    /// The visit of the screen where the plan begins.
    package var startVisit: Visit {
        Visit(screen: found, step: finding?.step, info: finding?.info ?? start)
    }

    /// The steps whose interceptors run: from the target backwards, the one that found included.
    package var visited: [Link] { links.reversed() + (finding.map { [$0] } ?? []) }

    /// Whether the found screen is what the next action is performed on.
    package var buildsNothing: Bool {
        links.allSatisfy { $0.step.build == nil && $0.step.find == nil }
    }

    /// The step of the target.
    package var target: Link? { links.last ?? finding }
}
