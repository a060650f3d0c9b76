// SPDX-License-Identifier: MIT

package import RouteCore

/// An `explore` block, which contains the steps that a search may take and the rules that the
/// search checks.
package struct Exploration: Sendable {
    /// The limits of a search; nil for each limit that is not set.
    package struct Bounds: Sendable {
        /// The maximum number of steps between the start and a state.
        package var depth: Int?
        /// The maximum number of states to visit.
        package var states: Int?
        /// The maximum duration of the search, in seconds.
        package var time: Double?

        package init(depth: Int? = nil, states: Int? = nil, time: Double? = nil) {
            (self.depth, self.states, self.time) = (depth, states, time)
        }

        /// Returns the limits, with each missing limit taken from another value.
        package func completed(by other: Bounds) -> Bounds {
            Bounds(
                depth: depth ?? other.depth,
                states: states ?? other.states,
                time: time ?? other.time
            )
        }
    }

    /// A step that the search may take.
    package struct Choice: Sendable {
        package let step: ScenarioStep
        /// The condition under which the step can be taken, or nil if the step can always be taken.
        ///
        /// The condition is an `expect top` step.
        package let condition: ScenarioStep?
    }

    /// A property that every step or state must have.
    package struct Rule: Sendable {
        package enum Property: Sendable {
            /// A condition that must not be true.
            ///
            /// Both this condition and the optional condition under which the rule applies are
            /// `expect` steps.
            case never(ScenarioStep, when: ScenarioStep?)
            /// The visible stack must not contain more screens than this number.
            case neverDeeper(than: Int)
            /// No request or function may fail with this code.
            case neverError(RouteError.Code)
            /// From every state, the user must be able to make this condition true within a number
            /// of steps, without help from other actors.
            case always(ScenarioStep, steps: Int)
        }

        package let property: Property
        /// The text of the line that contains the rule.
        package let text: String
        package let location: Span
    }

    /// The name of the exploration.
    package let name: String
    /// The tags, without the leading `@`.
    package let tags: [String]
    /// The number of the line with the heading, or nil if the exploration is not in a file.
    package let line: Int?
    /// The number of the last line before the next block.
    package let lastLine: Int
    /// The steps before the search, excluding the steps of the background.
    package var steps: [ScenarioStep] = []
    /// The steps that the search may take.
    ///
    /// If the array is empty, the search takes all steps that the scripts offer.
    package var choices: [Choice] = []
    package var rules: [Rule] = []
    /// The limits of the search.
    package var bounds = Bounds()

    /// Creates an exploration without rules.
    ///
    /// The search looks for defects that no app should have.
    package init(name: String) {
        (self.name, tags, line, lastLine) = (name, [], nil, 0)
    }

    init(_ heading: Vocabulary.ScenarioHeading, _ section: Document.Section) {
        (name, tags) = (heading.name, heading.tags)
        (line, lastLine) = (section.line, section.lastLine)
    }

    /// All steps of the block, including the steps in its choices and rules.
    package var allSteps: [ScenarioStep] {
        steps + choices.flatMap { [$0.step] + ($0.condition.map { [$0] } ?? []) }
            + rules.flatMap { rule -> [ScenarioStep] in
                switch rule.property {
                case .never(let step, let when): [step] + (when.map { [$0] } ?? [])
                case .always(let step, _): [step]
                case .neverDeeper, .neverError: []
                }
            }
    }
}

extension Scenario {
    /// Creates the scenario that runs the steps before a search.
    package init(_ exploration: Exploration, of source: SourceText) {
        (name, tags, mode) = (exploration.name, exploration.tags, .plain)
        (line, lastLine) = (exploration.line ?? 1, exploration.lastLine)
        heading = Span(source, 0..<0)
        steps = exploration.steps
    }
}
