// SPDX-License-Identifier: MIT

public import RouteCore

/// The steps of a plan, and the searches for their screens.
extension Explanation {
    /// A screen that a search visits.
    public struct Visit: Sendable {
        /// The screen in tree notation.
        public let screen: String
        /// The reason why the screen does not match; nil if it matches.
        public let reason: String?
    }

    /// A search for a screen.
    public struct Search: Sendable {
        /// The purpose of the search: `find`, `reuse`, `from`, `case 2` for a case of a switch,
        /// `present` for the start of a presentation, `again` for a search during staging, or
        /// `provider` for `router.reuse`.
        public let purpose: String
        /// A description of the screen that is searched for.
        public let finder: String
        /// The visited screens in order, ending with the screen that was found.
        ///
        /// At most ``Explanation/visitLimit`` screens are listed.
        public package(set) var visits: [Visit] = []
        /// The number of visited screens that are not listed.
        public package(set) var more = 0
        /// The screen that was found, in tree notation; nil if none was found.
        public package(set) var found: String?
        /// The reason why no screen was visited; nil if screens were visited, or if the screen was
        /// found without a search.
        public package(set) var note: String?
    }

    /// The case that a switch chose.
    public struct Choice: Sendable {
        /// The number of the case, counted from 1; nil for the default.
        public let number: Int?
        /// The source location of the switch.
        public let location: RouteError.Location?
    }

    /// A step of the plan.
    public struct Step: Sendable {
        /// The result of a step.
        public enum Outcome: String, Sendable {
            /// The screen exists.
            ///
            /// The plan starts at the first step with this outcome.
            case found
            /// The screen would be built.
            case built
            /// The provider returned an existing screen.
            case reused
            /// The screen is built by the parent routes, and is then found.
            case foundAfter
            /// The step has no screen.
            case passes
        }

        /// The route, as `service/task`, or the text by which messages refer to a link.
        public let route: String
        /// The source location of the declaration.
        public let location: RouteError.Location?
        /// The parameters of the step.
        public package(set) var info: InfoTable
        /// The action that places the step's screen in the tree, with its options, such as `push`
        /// or `present(style="sheet")`.
        public let action: String
        /// The result of the step; nil if the step failed or is not needed.
        public package(set) var outcome: Outcome?
        /// The rule that found the step's screen, `find` or `reuse`; nil if no screen was found.
        public package(set) var by: String?
        /// The step's screen in tree notation; nil if it is unknown.
        public package(set) var screen: String?
        /// The container on which the action is performed, in tree notation.
        public package(set) var container: String?
        /// The searches for the step's screen.
        public package(set) var searches: [Search] = []
        /// The cases that the step's switches chose.
        public package(set) var choices: [Choice] = []
    }

    /// The maximum number of visited screens that are listed for a search.
    public static let visitLimit = 20
}
