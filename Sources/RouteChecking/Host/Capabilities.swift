// SPDX-License-Identifier: MIT

public import RouteEngine
public import RouteURLs

/// The capabilities of a bundle: the screens, tasks and URLs that its scripts may use, the changes
/// that they may make to the tree, and limits on resources shared with the app.
///
/// By default, everything is allowed, which is appropriate for a bundle that ships with the app.
/// The router enforces capabilities when scripts use them. A violation fails with `forbidden` or
/// `budget`, and the message names the capability. Capabilities belong to the router, so they apply
/// to every bundle that the router loads.
///
/// ```swift
/// var configuration = Router.Configuration()
/// configuration.capabilities.screens = ["Main", "ShowPage"]
/// configuration.capabilities.tree.remove(.replaceRoot)
/// configuration.capabilities.rates.navigations = 10
/// ```
public struct Capabilities: Sendable, Equatable {
    /// A kind of change to the tree that scripts may make.
    public enum TreeChange: String, Sendable, CaseIterable {
        /// Adds screens to an existing container.
        case push
        /// Presents screens.
        case present
        /// Replaces the root of a window. Building the first tree needs no capability.
        case replaceRoot
        /// Restores a snapshot with `router.restore`.
        case restore
        /// Navigates with `force`, which removes screens without calling `leaving`.
        case force
    }

    /// The limits of timers and sleeps.
    public struct Timers: Sendable, Equatable {
        /// The maximum number of pending timers and sleeps; nil for no limit besides the router's
        /// limit.
        public var count: Int?
        /// The minimum delay of a timer or sleep, in seconds; nil for no minimum.
        public var period: Double?

        /// Creates limits that allow everything.
        public init() {}
    }

    /// The maximum rates, per second of the router's clock.
    ///
    /// A nil property sets no limit.
    public struct Rates: Sendable, Equatable {
        /// The number of navigations that scripts may begin.
        public var navigations: Int?
        /// The number of screens that may be presented.
        public var presents: Int?
        /// The number of bytes that scripts may write to the log.
        public var logBytes: Int?
        /// The number of events that scripts may cause.
        public var events: Int?

        /// Creates rates without limits.
        public init() {}
    }

    /// The maximum processor time of scripts.
    ///
    /// A nil property sets no limit besides the budgets.
    public struct Time: Sendable, Equatable {
        /// The maximum total time that scripts may use in one turn.
        public var turn: Duration?
        /// The maximum total time that scripts may use in one second of the router's clock.
        ///
        /// When the limit is reached, further calls into scripts are deferred to the next second. A
        /// call whose result the app awaits synchronously fails with `budget` instead.
        public var second: Duration?

        /// Creates times without limits.
        public init() {}
    }

    /// The classes of screens that may be added to the tree; nil for any class.
    ///
    /// Plain containers are always allowed.
    public var screens: Set<String>?
    /// The tasks of the host that scripts may start; nil for any task.
    public var tasks: Set<Target>?
    /// The origins of URLs that the scripts may handle, such as `podcast` or
    /// `https://podcasts.example`; nil for any origin.
    public var urls: Set<URLOrigin>?
    /// The changes that the scripts may make to the tree.
    public var tree = Set(TreeChange.allCases)
    /// The maximum number of open windows; nil for no limit besides the router's limit.
    public var windows: Int?
    /// Whether classes may declare `leaving`, `guarded` or `dismissible`, which can prevent a
    /// screen from being closed.
    public var leaving = true
    /// Whether scripts may declare interceptors for all routes with `router.interceptAll`.
    public var interceptAll = true
    /// The maximum timeout that scripts may declare, in seconds; nil for no maximum.
    ///
    /// If a script declares no timeout, this value is the timeout.
    public var timeout: Double?
    /// The limits of timers and sleeps.
    public var timers = Timers()
    /// The maximum rates.
    public var rates = Rates()
    /// The limits of the scripts' processor time.
    public var time = Time()
    /// The maximum memory that the scripts and the data kept for them may use, in bytes; nil for no
    /// limit besides the budget.
    public var memory: Int?
    /// The maximum number of pending navigations that scripts have started, which is also the
    /// maximum number of pending tasks; nil for no limits besides the router's limits.
    public var pending: Int?

    /// Creates capabilities that allow everything.
    public init() {}

    /// Returns capabilities that allow only what both values allow.
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
