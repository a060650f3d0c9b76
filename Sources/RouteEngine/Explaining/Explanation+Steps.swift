// SPDX-License-Identifier: MIT

public import RouteCore

/// The steps of the way, and how their screens were looked for.
extension Explanation {
    /// A screen that a finder looked at.
    public struct Visit: Sendable {
        /// The screen, as tree notation writes it.
        public let screen: String
        /// The reason why it does not match; nil if it does.
        public let reason: String?
    }

    /// One search for a screen.
    public struct Search: Sendable {
        /// The purpose: `find`, `reuse`, `from`, `case 2` of a switch, the start of `present`,
        /// `again` on the stage, `provider` for `router.reuse`.
        public let purpose: String
        /// A description of the screen that it looks for.
        public let finder: String
        /// The screens that it looked at, in order, the found one last; the first
        /// ``Explanation/visitLimit`` of them.
        public package(set) var visits: [Visit] = []
        /// The number of further screens that it looked at.
        public package(set) var more = 0
        /// The screen that it found, as tree notation writes it; nil for none.
        public package(set) var found: String?
        /// The reason why it looked at no screen; nil if there is none to give.
        public package(set) var note: String?
    }

    /// A case of a switch that was taken.
    public struct Choice: Sendable {
        /// The number of the case, from 1 on; nil for the default.
        public let number: Int?
        /// The line of the switch.
        public let location: RouteError.Location?
    }

    /// One step of the way.
    public struct Step: Sendable {
        /// The result of a step.
        public enum Outcome: String, Sendable {
            /// Its screen stands: the way begins there.
            case found
            /// Its screen is made.
            case built
            /// Its provider gave a screen that stands.
            case reused
            /// Its parent routes make its screen, and it finds the screen then.
            case foundAfter
            /// It has no screen.
            case passes
        }

        /// The route, or what messages call a link.
        public let route: String
        /// The line that declares it.
        public let location: RouteError.Location?
        /// The parameters, as it sees them.
        public package(set) var info: InfoTable
        /// The action that puts its screen into the tree.
        public let action: String
        /// The result; nil if it is unknown.
        public package(set) var outcome: Outcome?
        /// The rule that found its screen: `find`, `reuse`; nil if none did.
        public package(set) var by: String?
        /// Its screen, as tree notation writes it; nil where it is not known.
        public package(set) var screen: String?
        /// The container that the action is performed on.
        public package(set) var container: String?
        /// The searches for its screen.
        public package(set) var searches: [Search] = []
        /// The cases that its switches chose.
        public package(set) var choices: [Choice] = []
    }

    /// The maximum number of screens that a search lists.
    public static let visitLimit = 20
}
