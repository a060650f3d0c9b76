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
        /// The purpose: `find`, `reuse`, `from`, `case 2` of a switch, the start of `present`,
        /// `again` on the stage, `provider` for `router.reuse`.
        public let purpose: String
        /// A description of the screen that is searched for.
        public let finder: String
        /// The visited screens, in order, the found screen last; at most ``Explanation/visitLimit``
        /// of them.
        public package(set) var visits: [Visit] = []
        /// The number of additional visited screens.
        public package(set) var more = 0
        /// The found screen in tree notation; nil if there is none.
        public package(set) var found: String?
        /// The reason why no screen was visited; nil if there is none to report.
        public package(set) var note: String?
    }

    /// The chosen case of a switch.
    public struct Choice: Sendable {
        /// The number of the case, from 1; nil for the default.
        public let number: Int?
        /// The source location of the switch.
        public let location: RouteError.Location?
    }

    /// A step of the plan.
    public struct Step: Sendable {
        /// The result of a step.
        public enum Outcome: String, Sendable {
            /// Its screen exists: the plan starts there.
            case found
            /// Its screen would be built.
            case built
            /// Its provider returned an existing screen.
            case reused
            /// Its parent routes build its screen, and it then finds it.
            case foundAfter
            /// It has no screen.
            case passes
        }

        /// The route, or the name of a link in messages.
        public let route: String
        /// The source location of the declaration.
        public let location: RouteError.Location?
        /// The parameters that the step sees.
        public package(set) var info: InfoTable
        /// The action that puts the step's screen into the tree, with the options of a
        /// presentation: `push`, `present(style="sheet")`.
        public let action: String
        /// The result; nil if it is unknown.
        public package(set) var outcome: Outcome?
        /// The rule that found the step's screen: `find` or `reuse`; nil if it was not found.
        public package(set) var by: String?
        /// Its screen in tree notation; nil if it is not known.
        public package(set) var screen: String?
        /// The container on which the action is performed.
        public package(set) var container: String?
        /// The searches for the step's screen.
        public package(set) var searches: [Search] = []
        /// The cases that the step's switches chose.
        public package(set) var choices: [Choice] = []
    }

    /// The maximum number of visited screens that a search lists.
    public static let visitLimit = 20
}
