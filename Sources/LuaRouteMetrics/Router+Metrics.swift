// SPDX-License-Identifier: MIT

public import LuaRouting

#if Metrics
public import CoreMetrics

extension Router {
    /// Records metrics of all events from now on.
    ///
    /// ```swift
    /// let recording = router.record(in: MetricsSystem.factory)
    /// ```
    ///
    /// | name | type | what it counts or measures | dimensions |
    /// | --- | --- | --- | --- |
    /// | `luaroute.navigations` | counter | navigations that ended | `route`, `end`, `code` |
    /// | `luaroute.navigation.duration` | timer | from `navigate` to the end of the navigation | `route`, `end` |
    /// | `luaroute.navigation.wait` | timer | a wait of a navigation | `for`: `gate`, `turn` or `interceptor` |
    /// | `luaroute.reloads` | counter | reloads that were accepted or rejected | `status`, `reason` |
    /// | `luaroute.links` | counter | deep links whose action began or that ended | `phase`: `will`, `did`, `failed`, `timeout` or `cancelled` |
    /// | `luaroute.slow` | counter | calls of scripts that took more than a tenth of their budget | |
    /// | `luaroute.events.lost` | counter | events that were not recorded | |
    ///
    /// `route` is a route that scripts registered, such as `Page/open`, or a verb, such as `back`;
    /// otherwise `unknown`. `end` is `done`, `failed`, `stayed` or `cancelled`; `code` is the code
    /// of the error, and empty if there was none. `reason` is the step at which a reload was
    /// rejected, and empty if the reload was accepted. No dimension contains data of the app.
    /// Durations are measured by the router's clock.
    ///
    /// The factory and its metrics are called in a separate Swift task, one event at a time, so the
    /// router never waits for them. If they are slower than the router, the oldest events are lost
    /// and counted. In that case, the durations of the navigations in progress are lost too.
    ///
    /// The task does not retain the router. It ends after the last event of the router, or
    /// when it is cancelled.
    ///
    /// - Parameters:
    ///   - factory: The factory of the metrics.
    ///   - limit: The maximum number of events that have not been recorded yet, at least 1.
    /// - Returns: The task that records; cancel it to stop.
    @discardableResult
    public func record(
        in factory: any MetricsFactory = MetricsSystem.factory,
        limit: Int = 1_000
    ) -> Task<Void, Never> {
        let (events, first) = (events(limit: limit), lastSequence + 1)
        return Task.detached(priority: .utility) {
            var recorder = EventRecorder(factory, first: first)
            for await event in events { recorder.record(event) }
        }
    }
}
#else
extension Router {
    /// Records metrics of all events from now on, if the trait `Metrics` of the package is
    /// enabled.
    @available(*, unavailable, message: "enable the trait 'Metrics' of the package luaroute")
    public func record<Factory>(in factory: Factory, limit: Int = 1_000) {}
}
#endif
