// SPDX-License-Identifier: MIT

public import RouteCore

/// The steps of the way, and how their screens were looked for.
extension Explanation {
    /// A screen that a finder looked at.
    public struct Visit: Sendable {
        /// The screen, as tree notation writes it.
        public let screen: String
        /// Why it is not the one; nil where it is.
        public let reason: String?
    }

    /// One search for a screen.
    public struct Search: Sendable {
        /// What for: `find`, `reuse`, `from`, `case 2` of a switch, `present` from where, `again` on the
        /// stage, `provider` for `router.reuse`.
        public let purpose: String
        /// What it looks for.
        public let finder: String
        /// The screens that it looked at, in order, the found one last; the first
        /// ``Explanation/visitLimit`` of them.
        public package(set) var visits: [Visit] = []
        /// How many more it looked at.
        public package(set) var more = 0
        /// The screen that it found, as tree notation writes it; nil for none.
        public package(set) var found: String?
        /// Why it looked at none, where something is to be said about that.
        public package(set) var note: String?
    }

    /// A case of a switch that was taken.
    public struct Choice: Sendable {
        /// The number of the case, from 1 on; nil for the default.
        public let number: Int?
        /// The line of the switch.
        public let place: RouteError.Location?
    }

    /// One step of the way.
    public struct Step: Sendable {
        /// What becomes of it.
        public enum Outcome: String, Sendable {
            /// Its screen stands: the way begins there.
            case found
            /// Its screen is made.
            case built
            /// Its provider gave a screen that stands.
            case reused
            /// What stands behind makes its screen, which it finds then.
            case foundAfter
            /// It has no screen.
            case passes
        }

        /// The route, or what messages call a link.
        public let route: String
        /// The line that declares it.
        public let place: RouteError.Location?
        /// The parameters, as it sees them.
        public let info: Table
        /// The action that puts its screen into the tree.
        public let action: String
        /// What becomes of it; nil where that is not known.
        public package(set) var outcome: Outcome?
        /// What found its screen: `find`, `reuse`; nil for none.
        public package(set) var by: String?
        /// Its screen, as tree notation writes it; nil where it is not known.
        public package(set) var screen: String?
        /// What the action is performed on.
        public package(set) var container: String?
        /// How it was looked for.
        public package(set) var searches: [Search] = []
        /// What its switches chose.
        public package(set) var choices: [Choice] = []
    }

    /// How many screens of one search are told.
    public static let visitLimit = 20
}
