// SPDX-License-Identifier: MIT

public import RouteCore

/// The parts of an explanation that precede the search for screens.
extension Explanation {
    /// A route that is not used, and the one in its place.
    public struct Detour: Sendable {
        /// The reason why a route is not used.
        public enum Reason: String, Sendable {
            /// Its feature flag is off.
            case disabled
            /// Its `prepare` or its provider returned `router.next`.
            case next
            /// It only redirects.
            case redirect
            /// It is not registered: `router.fallback` is called.
            case unknown
        }

        /// The reason why the route is not used.
        public let reason: Reason
        /// The route.
        public let route: String
        /// The source location of the decision.
        public let location: RouteError.Location?
        /// The target in its place; for `unknown` the target itself.
        public let taken: Target
    }

    /// The effect of other pending navigations on the navigation.
    public struct Turn: Sendable {
        /// The effect on the navigation, or on the others.
        public enum State: String, Sendable {
            /// It would begin at once.
            case now
            /// It would wait until the others have ended.
            case waits
            /// It would be coalesced with an identical one.
            case joins
            /// The other navigations would be cancelled.
            case supersedes
            /// It would be rejected.
            case busy
            /// It would wait for the question of another navigation, whose `leaving` has not
            /// answered.
            case waitsForQuestion
            /// It would wait until the dialogs of the other navigations are closed.
            case waitsForDialog
            /// It would close the dialogs of the other navigations, which would be cancelled.
            case leavesDialog
        }

        /// The effect on the navigation, or on the others.
        public let state: State
        /// The other navigations, as `#3 Orders/show`.
        public let others: [String]

        package init(
            state: State,
            others: [String]
        ) {
            self.state = state
            self.others = others
        }

        /// Creates the effect of an answer; nil if there is none.
        package init?(_ answer: Precedence.Answer, _ titles: ([Int]) -> [String]) {
            let (state, others): (State, [Int])
            switch answer {
            case .runs: return nil
            case .waits(let numbers): (state, others) = (.waits, numbers)
            case .joins(let number): (state, others) = (.joins, [number])
            case .supersedes(let numbers): (state, others) = (.supersedes, numbers)
            case .busy(let number): (state, others) = (.busy, [number])
            case .waitsForQuestion(let number, _): (state, others) = (.waitsForQuestion, [number])
            case .waitsForDialog(let numbers): (state, others) = (.waitsForDialog, numbers)
            case .leavesDialog(let numbers): (state, others) = (.leavesDialog, numbers)
            }
            self.init(state: state, others: titles(others))
        }
    }

    /// A gate that the navigation passes.
    public struct Gate: Sendable {
        /// The name; `started` is opened by the first tree.
        public let name: String
        /// Whether it is open; otherwise the navigation would wait there.
        public let isOpen: Bool
        /// The route that names it; nil for `started`.
        public let route: String?
    }

    /// A dependency that a route of the navigation needs.
    public struct Dependency: Sendable {
        /// The source of the dependency.
        public enum State: String, Sendable {
            /// It exists and is in use.
            case there
            /// A provider of the scripts would create it.
            case made
            /// The host would be asked for it.
            case host
            /// There is no provider.
            case missing
        }

        /// The name.
        public let name: String
        /// The source of the dependency.
        public let state: State
        /// The route that names it; nil if a function of a script asks for it.
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

    /// An interceptor, or a `leaving` function, that would be called.
    public struct Interceptor: Sendable {
        /// The kind of interceptor, in calling order.
        public enum Kind: String, Sendable {
            /// An interceptor of every route, before the search for screens.
            case search
            /// An interceptor of every route, after planning.
            case every
            /// Of a step.
            case step
            /// Of a screen that would be removed.
            case leaving
        }

        /// The kind of interceptor.
        public let kind: Kind
        /// The name; `intercept` for a function, `leaving` for that of a class.
        public let name: String
        /// The route, or the screen that would be removed; nil for an interceptor of every route.
        public let of: String?
        /// The source location of the declaration.
        public let location: RouteError.Location?
        /// The timeout of its wait, in seconds.
        public let timeout: Double

        /// The reason why the rest of the explanation is only what happens if it lets pass.
        public var note: String { "not run: it may stop or redirect" }
    }
}
