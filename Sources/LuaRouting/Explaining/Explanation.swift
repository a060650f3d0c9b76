// SPDX-License-Identifier: MIT

/// How a navigation would go, and why: made by ``Router/explain(_:info:options:)``.
///
/// Interceptors are listed as if they let pass. Where something is in the way, ``failure`` says what and
/// when, and the rest holds all that was known until then.
public struct Explanation: Sendable {
    /// What is asked for.
    public enum Kind: String, Sendable {
        /// A service and a task.
        case target
        /// A URL.
        case url
        /// A route string.
        case routeString
    }

    /// How it would end.
    public enum Outcome: String, Sendable {
        /// It would get there.
        case done
        /// It would join an equal request that is pending, and end as that one does.
        case joined
        /// It would wait at a gate, or for its turn.
        case pending
        /// It would fail; nothing would have changed.
        case failed
    }

    /// The parts of a navigation in which something may be in the way.
    public enum Phase: String, Sendable {
        /// The URL or the route string is read.
        case match
        /// It has its turn, or not.
        case queue
        /// The route is found, its flag asked, its parameters checked, what it needs is made.
        case resolve
        /// The way is planned.
        case plan
        /// Screens are made and placed.
        case stage
        /// Screens that would go are asked whether they may.
        case dismissible
    }

    /// Why it would fail.
    public struct Failure: Sendable {
        /// In which part.
        public let phase: Phase
        /// The error with which it would end.
        public let error: RouteError
        /// Whether it is certain: false where a script called for something before whose value it would
        /// have had, such as that of a task, and that only an explanation leaves out.
        public let isCertain: Bool
    }

    /// A pattern that a URL matches.
    public struct Match: Sendable {
        /// Where it leads.
        public let target: Target
        /// The pattern, as the script writes it.
        public let pattern: String
        /// The line that declares it.
        public let place: RouteError.Location?
        /// What was read from the URL.
        public let parameters: Table

        /// The index of the pattern in ``LinkTable/links``.
        package let index: Int
        /// The pattern as it matched.
        package let matched: URLPattern
    }

    /// A pattern that a URL comes near.
    public struct Miss: Sendable {
        /// Where it leads.
        public let target: Target
        /// The pattern, as the script writes it.
        public let pattern: String
        /// The line that declares it.
        public let place: RouteError.Location?
        /// The number of the segment that is to blame, from 1 on; nil where none is.
        public let segment: Int?
        /// What is wrong: `segment 2 'abc' is no int`.
        public let reason: String

        /// The index of the pattern in ``LinkTable/links``.
        package let index: Int
        /// The pattern without the optional segments that are not there.
        package let matched: URLPattern
    }

    /// A route that is not taken, and the one in its place.
    public struct Detour: Sendable {
        /// Why.
        public enum Reason: String, Sendable {
            /// Its flag says no.
            case disabled
            /// Its `prepare` or its provider returned `router.next`.
            case next
            /// Nothing is registered: `router.fallback` answers.
            case unknown
        }

        /// Why.
        public let reason: Reason
        /// The route.
        public let route: String
        /// The line that says so.
        public let place: RouteError.Location?
        /// What is taken instead; for `unknown` the target itself.
        public let taken: Target
    }

    /// What others that are pending mean for it.
    public struct Turn: Sendable {
        /// What becomes of it, or of them.
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

        /// What becomes of it, or of them.
        public let state: State
        /// The others, as `#3 Orders/show`.
        public let others: [String]
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
    }

    /// What would be asked whether the navigation may go on.
    public struct Interceptor: Sendable {
        /// When, and on whose behalf.
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

        /// When, and on whose behalf.
        public let kind: Kind
        /// Its name; `intercept` for a function, `leaving` for that of a class.
        public let name: String
        /// The route, or the screen that would go; nil for one of every route.
        public let of: String?
        /// The line that declares it.
        public let place: RouteError.Location?
        /// How long it may wait, in seconds.
        public let timeout: Double
    }

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
        public internal(set) var visits: [Visit] = []
        /// How many more it looked at.
        public internal(set) var more = 0
        /// The screen that it found, as tree notation writes it; nil for none.
        public internal(set) var found: String?
        /// Why it looked at none, where something is to be said about that.
        public internal(set) var note: String?
    }

    /// How many screens of one search are told.
    public static let visitLimit = 20

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
        public internal(set) var outcome: Outcome?
        /// What found its screen: `find`, `reuse`; nil for none.
        public internal(set) var by: String?
        /// Its screen, as tree notation writes it; nil where it is not known.
        public internal(set) var screen: String?
        /// What the action is performed on.
        public internal(set) var container: String?
        /// How it was looked for.
        public internal(set) var searches: [Search] = []
        /// What its switches chose.
        public internal(set) var choices: [Choice] = []
    }

    /// A screen, and the line of the route that is to do with it.
    public struct Made: Sendable {
        /// The screen, as tree notation writes it.
        public let screen: String
        /// The line that declares its route.
        public let place: RouteError.Location?
    }

    /// A screen that would go.
    public struct Leaving: Sendable {
        /// The screen, as tree notation writes it.
        public let screen: String
        /// Whether it would be asked: by `dismissible` or `leaving`.
        public let isAsked: Bool
    }

    /// What a script called for while screens were made, and what an explanation does not do.
    public struct Call: Sendable {
        /// What it is.
        public enum Kind: String, Sendable {
            /// A task would be done, or ended.
            case task
            /// A navigation would begin.
            case navigation
            /// A timer would be set.
            case timer
            /// Something else would change.
            case other
        }

        /// What it is.
        public let kind: Kind
        /// The call, as a script writes it.
        public let text: String
        /// The line of the script.
        public let place: RouteError.Location?
    }

    /// A line that would be written to the log.
    public struct Line: Sendable {
        /// Its level: `debug`, `info`, `warn`, `error`.
        public let level: String
        /// What it says.
        public let message: String
        /// The line of the script.
        public let place: RouteError.Location?
    }

    /// What a window shows, as tree notation writes it.
    public struct WindowTree: Sendable {
        /// The name of the window.
        public let name: String
        /// What it shows; empty where it is not there.
        public let before: String
        /// What it would show; that of before where the way is not known.
        public internal(set) var after: String
    }

    /// What is asked for.
    public let kind: Kind
    /// The target, the URL or the route string, as it came.
    public let text: String
    /// Who asks.
    public let origin: Origin
    /// The name of the window.
    public internal(set) var window: String
    /// The target, for a URL the one to which it leads; nil where it leads nowhere.
    public internal(set) var target: Target?
    /// The parameters, as they were converted.
    public internal(set) var info = Table()

    /// What the URL matches, best first.
    public internal(set) var matches: [Match] = []
    /// What the URL comes near, nearest first.
    public internal(set) var misses: [Miss] = []
    /// How many more it comes near.
    public internal(set) var missesLeftOut = 0
    /// What of the URL takes no part: `fragment 'top'`, `key 'utm_source'`.
    public internal(set) var dropped: [String] = []

    /// Why the URL can match nothing, in itself; nil where it could.
    public internal(set) var problem: String?

    /// What others that are pending mean for it.
    public internal(set) var turn = Turn(state: .now, others: [])
    /// The routes that are passed over, in order.
    public internal(set) var detours: [Detour] = []
    /// The route that is taken; nil where none is.
    public internal(set) var route: Target?
    /// The line that declares it.
    public internal(set) var place: RouteError.Location?
    /// The gates on its way, those of the target first.
    public internal(set) var gates: [Gate] = []
    /// What the routes on its way need.
    public internal(set) var dependencies: [Dependency] = []
    /// What would be asked, in order.
    public internal(set) var interceptors: [Interceptor] = []
    /// The screen where the way begins, as tree notation writes it; nil where it is not known.
    public internal(set) var start: String?
    /// What found it: `find`, `reuse`, `from`; nil for the place of an action without `from`.
    public internal(set) var startedBy: String?
    /// The steps, from the target backwards, as far as they were looked at.
    public internal(set) var steps: [Step] = []
    /// The screens that would be made for routes, in order.
    public internal(set) var built: [Made] = []
    /// The screens that would be updated, in order.
    public internal(set) var updated: [Made] = []
    /// The screens that would go, the topmost first.
    public internal(set) var leaving: [Leaving] = []
    /// The operations that the host would be given, as scenarios write them.
    public internal(set) var operations: [String] = []
    /// The windows, as they are and as they would be.
    public internal(set) var windows: [WindowTree] = []
    /// The screens whose routes have something to do after it, in order.
    public internal(set) var afterRuns: [Made] = []
    /// What scripts called for, and what was not done.
    public internal(set) var calls: [Call] = []
    /// What would be written to the log.
    public internal(set) var log: [Line] = []
    /// Why it would fail; nil where it would not.
    public internal(set) var failure: Failure?

    init(kind: Kind, text: String, origin: Origin, window: String) {
        (self.kind, self.text, self.origin, self.window) = (kind, text, origin, window)
    }

    /// How it would end, if all interceptors let it pass.
    public var outcome: Outcome {
        if failure != nil { return .failed }
        if turn.state == .joins { return .joined }
        return waitsFor == nil ? .done : .pending
    }

    /// The gate at which it would wait, or `turn`; nil where it would wait for neither.
    public var waitsFor: String? {
        if turn.state == .waits { return "turn" }
        return gates.first { !$0.isOpen }?.name
    }

    /// What its window shows, as tree notation writes it.
    public var before: String { windows.first { $0.name == window }?.before ?? "" }

    /// What its window would show, as tree notation writes it.
    public var after: String { windows.first { $0.name == window }?.after ?? "" }
}
