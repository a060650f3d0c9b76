// SPDX-License-Identifier: MIT

extension Router {
    /// The counts and times of a router's work since the router was created.
    ///
    /// A router always counts. ``Router/metrics`` is a copy; subtract the counts of an earlier copy
    /// to get the changes since then. A rewind does not change the counts.
    ///
    /// ```swift
    /// router.navigate(Target("Page", "show"), info: ["id": 7])
    /// router.navigate(Target("Page", "missing"))
    /// let metrics = router.metrics
    /// print(metrics.navigations["Page/show", default: .init()].done)  // 1
    /// print(metrics.navigations["unknown", default: .init()].failed)  // 1
    /// print(metrics.failures[.notFound, default: 0])  // 1
    /// print(metrics.endedNavigations, metrics.generation)  // 3 1
    /// ```
    public struct Metrics: Sendable, Equatable {
        /// The number of navigations for each outcome.
        public struct Ends: Sendable, Equatable {
            /// The number of navigations that succeeded.
            public internal(set) var done = 0
            /// The number of navigations that failed with an error.
            public internal(set) var failed = 0
            /// The number of navigations that ended without a change to the tree.
            public internal(set) var stayed = 0
            /// The number of navigations that were cancelled.
            public internal(set) var cancelled = 0

            /// Creates counts that are all 0.
            public init() {}

            /// The sum of all counts.
            public var total: Int { done + failed + stayed + cancelled }
        }

        /// The number, the sum and the maximum of a series of times.
        public struct Times: Sendable, Equatable {
            /// The number of times.
            public internal(set) var count = 0
            private var totalNanoseconds: Int64 = 0
            private var maximumNanoseconds: Int64 = 0

            /// Creates an empty series.
            public init() {}

            /// The sum of the times.
            public var total: Duration { .nanoseconds(totalNanoseconds) }
            /// The longest time.
            public var maximum: Duration { .nanoseconds(maximumNanoseconds) }

            mutating func add(nanoseconds: Int64) {
                count += 1
                guard nanoseconds > 0 else { return }
                totalNanoseconds =
                    totalNanoseconds.addingReportingOverflow(nanoseconds).partialValue
                maximumNanoseconds = max(maximumNanoseconds, nanoseconds)
            }
        }

        /// The outcomes of navigations, by the requested target: a route that scripts registered,
        /// such as `Page/show`, or a verb, such as `back`.
        ///
        /// All other targets are counted as ``unknownRoute``.
        ///
        /// A redirect does not change the name. At most 1,000 names are stored; further names are
        /// counted as unknown.
        public internal(set) var navigations: [String: Ends] = [:]
        /// The number of navigations that ended.
        public internal(set) var endedNavigations = 0
        /// The number of failures by error code.
        ///
        /// This includes navigations, tasks, deep links, calls to exported functions, and script
        /// functions without a waiting caller, such as timers.
        ///
        /// If one failure causes another, both are counted.
        public internal(set) var failures: [RouteError.Code: Int] = [:]
        /// The times that interceptors took to answer, including waits, by the router's clock.
        public internal(set) var interceptors = Times()
        /// The processor times of entries into scripts, except for the loading of scripts.
        ///
        /// An entry of fewer than 1,000 instructions counts as 0 s, because the clock is not read.
        public internal(set) var scripts = Times()
        /// The number of Lua instructions of all entries.
        ///
        /// For each entry, the number is rounded down to a multiple of 1,000.
        public internal(set) var instructions: Int64 = 0
        /// The number of entries that were ended by their budget of instructions, time or memory.
        public internal(set) var budgetBreaches = 0
        /// The number of reloads that were accepted.
        public internal(set) var acceptedReloads = 0
        /// The number of reloads that were rejected.
        public internal(set) var rejectedReloads = 0
        /// The number of the active generation, starting at 1.
        public internal(set) var generation = 1
        /// The number of queued deep links.
        public internal(set) var queuedLinks = 0

        /// Creates empty metrics.
        public init() {}

        /// The name in ``navigations`` for targets that no script registered, and for URLs that
        /// match no route.
        ///
        /// Such targets and URLs may be any text, so they are not used as names.
        public static let unknownRoute = "unknown"
    }

    /// The current counts and times.
    ///
    /// - Complexity: O(*n*) in the number of routes.
    public var metrics: Metrics {
        checkThread()
        var metrics = counters.metrics
        metrics.generation = serving.number
        metrics.queuedLinks = queuedLinks.count
        return metrics
    }
}
