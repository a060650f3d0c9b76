// SPDX-License-Identifier: MIT

public import RouteCore

/// The parts of an explanation that concern the phases before screens are searched for.
extension Explanation {
    /// A route that is not used, and the target that is used instead.
    public struct Detour: Sendable {
        /// The reason why a route is not used.
        public enum Reason: String, Sendable {
            /// The route's feature flag is off.
            case disabled
            /// The route's `prepare` or provider returned `router.next`.
            case next
            /// The route only redirects.
            case redirect
            /// The route is not registered, so `router.fallback` is called.
            case unknown
        }

        /// The reason why the route is not used.
        public let reason: Reason
        /// The route that is not used, as `service/task`.
        public let route: String
        /// The source location of the declaration or call that caused the detour.
        public let location: RouteError.Location?
        /// The target that is used instead.
        ///
        /// For `unknown`, this is the unregistered target itself.
        public let taken: Target
    }

    /// The effect of other pending navigations on this navigation.
    public struct Turn: Sendable {
        /// The effect of the other navigations on this navigation, or the effect of this navigation
        /// on the other navigations.
        public enum State: String, Sendable {
            /// The navigation would begin immediately.
            case now
            /// The navigation would wait until the other navigations have ended.
            case waits
            /// The navigation would be coalesced with an identical navigation.
            case joins
            /// The other navigations would be cancelled.
            case supersedes
            /// The navigation would be rejected.
            case busy
            /// The navigation would wait for the answer from a `leaving` function that was called
            /// for another navigation.
            case waitsForQuestion
            /// The navigation would wait until the dialogs of the other navigations are closed.
            case waitsForDialog
            /// The navigation would close the dialogs of the other navigations, which would be
            /// cancelled.
            case leavesDialog
        }

        /// The effect of the other navigations on this navigation, or the effect of this navigation
        /// on the other navigations.
        public let state: State
        /// The other navigations, in the form `#3 Orders/show`.
        public let others: [String]

        package init(
            state: State,
            others: [String]
        ) {
            self.state = state
            self.others = others
        }

        /// Creates the effect that corresponds to an answer; nil if the answer is that the
        /// navigation runs.
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
        /// The name of the gate.
        ///
        /// The first tree opens the gate `started`.
        public let name: String
        /// Whether the gate is open.
        ///
        /// If not, the navigation would wait for the gate.
        public let isOpen: Bool
        /// The route that names the gate; nil for `started`.
        public let route: String?
    }

    /// A dependency that a route of the navigation needs.
    public struct Dependency: Sendable {
        /// The source of the dependency.
        public enum State: String, Sendable {
            /// The dependency exists and is in use.
            case there
            /// A provider in the scripts would create the dependency.
            case made
            /// The host would provide the dependency.
            case host
            /// There is no provider.
            case missing
        }

        /// The name of the dependency.
        public let name: String
        /// The source of the dependency.
        public let state: State
        /// The route that names the dependency; nil if a function in a script requests it.
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

    /// An interceptor or a `leaving` function that would be called.
    public struct Interceptor: Sendable {
        /// The kind of interceptor.
        ///
        /// The cases are in calling order.
        public enum Kind: String, Sendable {
            /// An interceptor for all routes, which is called before screens are searched for.
            case search
            /// An interceptor for all routes, which is called after planning.
            case every
            /// An interceptor of a step.
            case step
            /// The `leaving` function of a screen that would be removed.
            case leaving
        }

        /// The kind of interceptor.
        public let kind: Kind
        /// The name of the interceptor.
        ///
        /// The name is `intercept` for a function in a definition, and `leaving` for the function
        /// of a class.
        public let name: String
        /// The route to which the interceptor belongs, or the screen that would be removed; nil for
        /// an interceptor for all routes.
        public let of: String?
        /// The source location of the declaration.
        public let location: RouteError.Location?
        /// The timeout of the interceptor, in seconds.
        public let timeout: Double

        /// A note that the interceptor was not called.
        ///
        /// The rest of the explanation is valid only if the interceptor lets the navigation
        /// proceed.
        public var note: String { "not run: may stop or redirect the navigation" }
    }
}
