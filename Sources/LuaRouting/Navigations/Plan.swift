// SPDX-License-Identifier: MIT

/// How a navigation gets to its screen: the screen that stands where the way begins, and the
/// steps from there to the target.
///
/// It holds no screen but the first: the others are made, or found again, on the stage.
final class Plan {
    // No two accesses to what changes overlap: each sets or reads the whole.

    /// A step of the way, with the parameters as it sees them.
    final class Link {
        let step: Step
        let info: Table
        let via: Action

        init(step: Step, info: Table, via: Action) {
            self.step = step
            self.info = info
            self.via = via
        }

        /// The interceptors of the step.
        var interceptions: [Interception] {
            step.intercept.map { Interception(interceptor: $0, link: self) }
        }
    }

    /// The screen where the way begins.
    let found: ScreenID
    /// The step that found it; nil for a place that is no step.
    let finding: Link?
    /// What found it, for events; nil for the place of an action without `from`.
    let by: String?
    /// Whether the found screen is brought to the top of its stack, instead of popping to it.
    let moves: Bool
    /// The info at the screen where the way begins, if `root`, `current` or a finder gives it; nil
    /// for one that a step found, and for the place of an action without `from`.
    let start: Table?
    /// The steps behind the found screen, in the order in which they are staged.
    @exclusivity(unchecked) private(set) var links: [Link] = []

    init(
        found: ScreenID,
        finding: Link? = nil,
        by: String? = nil,
        moves: Bool = false,
        start: Table? = nil
    ) {
        self.found = found
        self.finding = finding
        self.by = by
        self.moves = moves
        self.start = start
        interceptors = finding?.interceptions ?? []
    }

    /// Adds a step behind the others, while the plan is made.
    func append(_ link: Link) {
        links.append(link)
        interceptors.insert(contentsOf: link.interceptions, at: 0)
    }

    /// The screens that would go by reaching the found one alone, and that are to be asked.
    @exclusivity(unchecked) var leaving: [ScreenID] = []

    /// The steps whose interceptors run: from the target backwards, the one that found included.
    var visited: [Link] { links.reversed() + (finding.map { [$0] } ?? []) }

    /// The interceptors of these steps, in their order.
    @exclusivity(unchecked) private(set) var interceptors: [Interception]

    /// Whether the found screen is what the next action is performed on.
    var buildsNothing: Bool {
        links.allSatisfy { $0.step.build == nil && $0.step.find == nil }
    }

    /// The step of the target.
    var target: Link? { links.last ?? finding }
}

/// A screen that a navigation led to or started from, and the step that it belongs to.
struct Stop {
    let screen: ScreenID
    /// Nil for the screen where the way begins, unless a step found it.
    let step: Step?
    /// Nil for the place of an action without `from`, to which nothing is done.
    let info: Table?
    /// Whether its step built it and put it nowhere, by `none`.
    var isDetached = false
}
