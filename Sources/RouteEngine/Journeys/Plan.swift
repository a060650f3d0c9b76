// SPDX-License-Identifier: MIT

package import RouteCore

/// The plan of a navigation: an existing screen, and the steps from that screen to the target.
///
/// The existing screen is the only screen that a plan contains. All other screens are built, or
/// found, during staging.
package final class Plan {
    /// A step of the plan with its parameters.
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

    // Accesses never overlap, because steps are only added before the plan is read.

    /// The screen where the plan starts.
    package let found: ScreenID
    /// The step that found the starting screen, if any.
    package let finding: Link?
    /// The rule that found the starting screen, for events; nil for the starting screen of an
    /// action without `from`.
    package let by: String?
    /// Whether the starting screen is moved to the top of its stack.
    ///
    /// If not, the stack is popped to that screen.
    package let moves: Bool
    /// The parameters for the starting screen, if it is the `from` of a step: `root`, `current` or
    /// a finder.
    ///
    /// This is nil if a step found the starting screen, and for an action without `from`.
    package let start: InfoTable?
    /// The steps after the starting screen, in the order in which they are staged.
    @exclusivity(unchecked) package private(set) var links: [Link] = []
    /// The interceptors of the steps, from the target backwards.
    @exclusivity(unchecked) package private(set) var interceptors: [Interception]
    /// The names of the cases that switches chose, for events.
    @exclusivity(unchecked) package private(set) var cases: [String] = []

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

    /// Appends a step during planning.
    package func append(_ link: Link) {
        if !link.step.intercept.isEmpty {
            interceptors.insert(contentsOf: link.interceptions, at: 0)
        }
        links.append(link)
    }

    /// Records the case that a switch chose.
    package func choose(_ case: String) { cases.append(`case`) }

    /// The visit to the screen where the plan starts.
    package var startVisit: Visit {
        Visit(screen: found, step: finding?.step, info: finding?.info ?? start)
    }

    /// The steps whose interceptors are called, from the target backwards.
    ///
    /// The step that found the starting screen is included.
    package var visited: [Link] { links.reversed() + (finding.map { [$0] } ?? []) }

    /// Whether no step of the plan builds or finds a screen.
    package var buildsNothing: Bool {
        links.allSatisfy { $0.step.build == nil && $0.step.find == nil }
    }

    /// The step of the target.
    package var target: Link? { links.last ?? finding }
}
