// SPDX-License-Identifier: MIT

public import RouteCore

/// The parts of an explanation that precede the search for screens.
extension Explanation {
    /// A route that is not taken, and the one in its place.
    public struct Detour: Sendable {
        /// The reason why a route is not taken.
        public enum Reason: String, Sendable {
            /// Its flag says no.
            case disabled
            /// Its `prepare` or its provider returned `router.next`.
            case next
            /// Nothing is registered: `router.fallback` answers.
            case unknown
        }

        /// The reason why the route is not taken.
        public let reason: Reason
        /// The route.
        public let route: String
        /// The line that says so.
        public let location: RouteError.Location?
        /// The target in its place; for `unknown` the target itself.
        public let taken: Target
    }

    /// The effect of other pending navigations on the navigation.
    public struct Turn: Sendable {
        /// The effect on it, or on them.
        public enum State: String, Sendable {
            /// It would begin at once.
            case now
            /// It would wait until they have ended.
            case waits
            /// It would join an equal one.
            case joins
            /// They would be cancelled.
            case supersedes
            /// It would be refused.
            case busy
        }

        /// The effect on it, or on them.
        public let state: State
        /// The others, as `#3 Orders/show`.
        public let others: [String]

        package init(
            state: State,
            others: [String]
        ) {
            self.state = state
            self.others = others
        }
    }

    /// A gate on its way.
    public struct Gate: Sendable {
        /// Its name; `started` is opened by the first tree.
        public let name: String
        /// Whether it stands open; else the navigation would wait there.
        public let isOpen: Bool
        /// The route that names it; nil for `started`.
        public let route: String?
    }

    /// Something that a route on its way needs.
    public struct Dependency: Sendable {
        /// Where it would come from.
        public enum State: String, Sendable {
            /// Somebody holds it.
            case there
            /// The scripts would make it.
            case made
            /// The host would be asked for it.
            case host
            /// Nobody provides it.
            case missing
        }

        /// Its name.
        public let name: String
        /// Where it would come from.
        public let state: State
        /// The route that names it; nil where a function of a script asks for it.
        public let route: String?

        package init(
            name: String,
            state: State,
            route: String?
        ) {
            self.name = name
            self.state = state
            self.route = route
        }
    }

    /// An interceptor or a screen that would be asked whether the navigation may go on.
    public struct Interceptor: Sendable {
        /// The kind of interceptor, in the order in which they are asked.
        public enum Kind: String, Sendable {
            /// Of every route, before the way is searched for.
            case search
            /// Of every route, once the way is known.
            case every
            /// Of a step.
            case step
            /// Of a screen that would go.
            case leaving
        }

        /// The kind of interceptor.
        public let kind: Kind
        /// Its name; `intercept` for a function, `leaving` for that of a class.
        public let name: String
        /// The route, or the screen that would go; nil for one of every route.
        public let of: String?
        /// The line that declares it.
        public let location: RouteError.Location?
        /// The maximum time that it may wait, in seconds.
        public let timeout: Double
    }
}
