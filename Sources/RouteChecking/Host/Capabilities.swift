// SPDX-License-Identifier: MIT

public import RouteEngine
public import RouteURLs

/// The capabilities of a bundle: the screens, tasks and URLs that its scripts may use, the changes
/// that they may make to the tree, and limits on resources shared with the app.
///
/// A new value allows everything, which is appropriate for a bundle that ships with the app. The
/// router enforces capabilities when scripts use them. A breach ends with `forbidden` or `budget`,
/// and the message names the capability. Capabilities belong to the router, so they apply to every
/// bundle that it loads.
///
/// ```swift
/// var configuration = Router.Configuration()
/// configuration.capabilities.screens = ["Main", "ShowPage"]
/// configuration.capabilities.tree.remove(.replaceRoot)
/// configuration.capabilities.rates.navigations = 10
/// ```
public struct Capabilities: Sendable, Equatable {
    /// A capability to change the tree in one way.
    public enum TreeChange: String, Sendable, CaseIterable {
        /// Adds screens to a container that is on screen.
        case push
        /// Presents screens.
        case present
        /// Replaces the root of a window. The first tree needs no right.
        case replaceRoot
        /// Restores a snapshot with `router.restore`.
        case restore
        /// Navigates with `force`, which removes screens without calling `leaving`.
        case force
    }

    /// The limits of timers and sleeps.
    public struct Timers: Sendable, Equatable {
        /// The maximum number of pending timers and sleeps; nil for the router's own limit.
        public var count: Int?
        /// The minimum delay of a timer or sleep, in seconds; nil for no minimum.
        public var period: Double?

        /// Creates limits that allow everything.
        public init() {}
    }

    /// The maximum rates, per second of the router's clock; nil for no limit.
    public struct Rates: Sendable, Equatable {
        /// Navigations that scripts begin.
        public var navigations: Int?
        /// Screens that are presented.
        public var presents: Int?
        /// Bytes that scripts write to the log.
        public var logBytes: Int?
        /// Events that scripts cause.
        public var events: Int?

        /// Creates rates without limits.
        public init() {}
    }

    /// The maximum processor time of scripts; nil for no limit besides the budgets.
    public struct Time: Sendable, Equatable {
        /// The maximum time of all entries in one turn.
        public var turn: Duration?
        /// The maximum time of all entries in one second of the router's clock.
        ///
        /// Entries above the limit are deferred to the next second, or fail with `budget` if the
        /// app waits for them.
        public var second: Duration?

        /// Creates times without limits.
        public init() {}
    }

    /// The classes of screens that may be added to the tree, besides plain containers; nil for any.
    public var screens: Set<String>?
    /// The tasks of the host that scripts may start; nil for any.
    public var tasks: Set<Target>?
    /// The origins whose URLs the scripts may claim, such as `podcast` or `https://podcasts.example`;
    /// nil for any.
    public var urls: Set<URLOrigin>?
    /// The changes that the scripts may make to the tree.
    public var tree = Set(TreeChange.allCases)
    /// The maximum number of open windows; nil for the router's own limit.
    public var windows: Int?
    /// Whether classes may declare `leaving`, `guarded` or `dismissible`, which can keep a screen
    /// open.
    public var leaving = true
    /// Whether scripts may declare interceptors for all routes, by `router.interceptAll`.
    public var interceptAll = true
    /// The maximum timeout that scripts may declare, in seconds; nil for no maximum.
    ///
    /// This is also the timeout if a script declares none.
    public var timeout: Double?
    /// The limits of timers and sleeps.
    public var timers = Timers()
    /// The maximum rates.
    public var rates = Rates()
    /// The processor time of scripts.
    public var time = Time()
    /// The maximum memory of the scripts and of data kept for them, in bytes; nil for the limit of
    /// the budget.
    public var memory: Int?
    /// The maximum number of pending navigations, and of tasks, of scripts; nil for the router's
    /// own limits.
    public var pending: Int?

    /// Creates capabilities that allow everything.
    public init() {}

    /// The rights that both values allow.
    public func intersection(_ other: Capabilities) -> Capabilities {
        var both = self
        both.screens = Self.common(screens, other.screens)
        both.tasks = Self.common(tasks, other.tasks)
        both.urls = Self.common(urls, other.urls)
        both.tree.formIntersection(other.tree)
        both.windows = Self.lesser(windows, other.windows)
        both.leaving = leaving && other.leaving
        both.interceptAll = interceptAll && other.interceptAll
        both.timeout = Self.lesser(timeout, other.timeout)
        both.timers.count = Self.lesser(timers.count, other.timers.count)
        both.timers.period = [timers.period, other.timers.period].compactMap(\.self).max()
        both.rates.navigations = Self.lesser(rates.navigations, other.rates.navigations)
        both.rates.presents = Self.lesser(rates.presents, other.rates.presents)
        both.rates.logBytes = Self.lesser(rates.logBytes, other.rates.logBytes)
        both.rates.events = Self.lesser(rates.events, other.rates.events)
        both.time.turn = Self.lesser(time.turn, other.time.turn)
        both.time.second = Self.lesser(time.second, other.time.second)
        both.memory = Self.lesser(memory, other.memory)
        both.pending = Self.lesser(pending, other.pending)
        return both
    }

    private static func common<Element>(
        _ left: Set<Element>?,
        _ right: Set<Element>?
    ) -> Set<Element>? {
        guard let left, let right else { return left ?? right }
        return left.intersection(right)
    }

    private static func lesser<Limit: Comparable>(_ left: Limit?, _ right: Limit?) -> Limit? {
        [left, right].compactMap(\.self).min()
    }
}
