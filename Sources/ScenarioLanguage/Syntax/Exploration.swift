// SPDX-License-Identifier: MIT

package import RouteCore

/// An `explore` block: the steps that a search may take, and the rules that it checks.
package struct Exploration: Sendable {
    /// The limits of a search; nil for limits that are not given.
    package struct Bounds: Sendable {
        /// The maximum number of steps from the start.
        package var depth: Int?
        /// The maximum number of states.
        package var states: Int?
        /// The maximum time, in seconds.
        package var time: Double?

        package init(depth: Int? = nil, states: Int? = nil, time: Double? = nil) {
            (self.depth, self.states, self.time) = (depth, states, time)
        }

        /// Returns the bounds, with missing ones replaced by the bounds of another value.
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
        /// The condition under which the step can be taken: an `expect top` step; nil if it can
        /// always be taken.
        package let condition: ScenarioStep?
    }

    /// A rule: a property of every step or state.
    package struct Rule: Sendable {
        package enum Property: Sendable {
            /// A condition that must not be true, as an `expect` step, and the condition under
            /// which the rule applies.
            case never(ScenarioStep, when: ScenarioStep?)
            /// The visible stack must not have more screens.
            case neverDeeper(than: Int)
            /// No request or function may fail with a code.
            case neverError(RouteError.Code)
            /// The user must be able to make a condition true within a number of steps, without
            /// help from other actors.
            case always(ScenarioStep, steps: Int)
        }

        package let property: Property
        /// The words of the line.
        package let text: String
        package let location: Span
    }

    /// The name.
    package let name: String
    /// The tags, without their `@`.
    package let tags: [String]
    /// The line of the block's heading; nil for an exploration that is not in a file.
    package let line: Int?
    /// The last line before the next block.
    package let lastLine: Int
    /// The steps before the search, without the steps of the background.
    package var steps: [ScenarioStep] = []
    /// The steps that the search may take; if empty, all steps that the scripts offer.
    package var choices: [Choice] = []
    package var rules: [Rule] = []
    /// The limits.
    package var bounds = Bounds()

    /// Creates an exploration without rules, which looks for the defects that no app should have.
    package init(name: String) {
        (self.name, tags, line, lastLine) = (name, [], nil, 0)
    }

    init(_ heading: Vocabulary.ScenarioHeading, _ section: Document.Section) {
        (name, tags) = (heading.name, heading.tags)
        (line, lastLine) = (section.line, section.lastLine)
    }

    /// The steps in the block's lines, for a check of their names.
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
    /// Creates the scenario whose steps precede a search.
    package init(_ exploration: Exploration, of source: SourceText) {
        (name, tags, mode) = (exploration.name, exploration.tags, .plain)
        (line, lastLine) = (exploration.line ?? 1, exploration.lastLine)
        heading = Span(source, 0..<0)
        steps = exploration.steps
    }
}
