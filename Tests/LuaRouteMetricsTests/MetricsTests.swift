// SPDX-License-Identifier: MIT

#if Metrics
import CoreMetrics
import Dispatch
import LuaRouteMetrics
import LuaRouting
import MetricsTestKit
import SystemGaps
import Testing

@Suite(.timeLimit(.minutes(10))) @MainActor struct MetricsTests {
    private static let script = """
        router.interceptor("asking", function() router.sleep(2) end)
        router.start(function() return router.nav { router.screen "Main" } end)
        router.register("Page", "open", { build = function() return router.screen "Page" end })
        router.register("Page", "asked", {
          intercept = "asking", build = function() return router.screen "Asked" end,
        })
        router.register("Page", "gated", {
          ready = { "session" }, build = function() return router.screen "Gated" end,
        })
        router.register("Page", "broken", { build = function() error("no data") end })
        router.routing("/now/:name"):setAction(function() end)
        router.routing("/later/:name")
        router.export("openGate", function() router.ready "session" end)
        router.export("work", function() for index = 1, 1e6 do local _ = index end end)
        """

    /// Returns the metrics of a router from its start to its shutdown.
    private func metrics(of body: (Router) throws -> Void) async throws -> TestMetrics {
        let metrics = TestMetrics()
        try await recording(in: metrics, body).value
        return metrics
    }

    /// Records a router from its start to its shutdown.
    ///
    /// The router's clock starts at 1000 s.
    private func recording(
        in metrics: any MetricsFactory,
        _ body: (Router) throws -> Void
    ) throws -> Task<Void, Never> {
        let router = try Router(
            scripts: ScriptBundle(files: ["main.lua": Self.script]),
            host: HeadlessHost(),
            configuration: Router.Configuration(now: 1_000)
        )
        let recording = router.record(in: metrics)
        router.start()
        try body(router)
        router.shutDown()
        return recording
    }

    @Test("each navigation that ends is counted by its route, outcome and code")
    func navigations() async throws {
        let metrics = try await metrics { router in
            for name in ["open", "open", "broken", "missing", "gated"] {
                router.navigate(Target("Page", name))
            }
            router.open("/somebody@example.com")
            router.back()
        }
        let counters = metrics.counters(label: "luaroute.navigations").map { counter in
            "\(counter.dimensions.map(\.1).joined(separator: " ")): \(counter.totalValue)"
        }
        #expect(
            counters.sorted() == [
                "Page/broken failed script: 1", "Page/gated cancelled cancelled: 1",
                "Page/open done : 2", "back done : 1", "start done : 1",
                "unknown failed notFound: 2",
            ]
        )
        #expect(metrics.counters.allSatisfy { !"\($0.dimensions)".contains("somebody") })
    }

    @Test("the counters agree with the metrics of the router")
    func values() async throws {
        var own = Router.Metrics()
        let metrics = try await metrics { router in
            for name in ["open", "open", "broken", "missing", "asked"] {
                router.navigate(Target("Page", name))
            }
            router.open("/somebody@example.com")
            router.back()
            router.advance(to: 1_002)
            router.reload(ScriptBundle(files: ["main.lua": "router.start("]))
            own = router.metrics
        }
        var counts: [String: Int] = [:]
        for counter in metrics.counters(label: "luaroute.navigations") {
            let (route, end) = (counter.dimensions[0].1, counter.dimensions[1].1)
            counts["\(route) \(end)", default: 0] += Int(counter.totalValue)
        }
        var owned: [String: Int] = [:]
        for (route, ends) in own.navigations {
            owned["\(route) done"] = ends.done
            owned["\(route) failed"] = ends.failed
            owned["\(route) stayed"] = ends.stayed
            owned["\(route) cancelled"] = ends.cancelled
        }
        #expect(counts == owned.filter { $0.value > 0 })
        #expect(metrics.counterTotal(label: "luaroute.reloads") == Int64(own.rejectedReloads))
    }

    @Test("the durations of a navigation and its waits are measured by the clock of the router")
    func durations() async throws {
        let metrics = try await metrics { router in
            router.navigate(Target("Page", "gated"))
            router.navigate(Target("Page", "asked"))
            router.navigate(Target("Page", "open"))
            router.advance(to: 1_002)
            try router.call("openGate")
            router.advance(to: 1_005)
        }
        func nanoseconds(_ name: String, _ dimensions: [(String, String)]) throws -> [Int64] {
            try metrics.expectTimer("luaroute.navigation.\(name)", dimensions).values
        }
        #expect(try nanoseconds("wait", [("for", "gate")]) == [2_000_000_000])
        #expect(try nanoseconds("wait", [("for", "interceptor")]) == [2_000_000_000])
        #expect(try nanoseconds("wait", [("for", "turn")]) == [2_000_000_000])
        for (route, times) in [
            ("Page/gated", [2_000_000_000]), ("Page/asked", [2_000_000_000]),
            ("Page/open", [2_000_000_000]), ("start", [0]),
        ] as [(String, [Int64])] {
            #expect(try nanoseconds("duration", [("route", route), ("end", "done")]) == times)
        }
    }

    @Test("reloads, deep links and slow calls are counted")
    func others() async throws {
        let metrics = try await metrics { router in
            router.reload(ScriptBundle(files: ["main.lua": "router.start("]))
            router.dispatch("/now/ann")
            router.dispatch("/never/ann")
            router.dispatch("/later/ann")
            router.dispatch("/later/bob")
            router.cancelLinks()
            try router.call("work")
        }
        let counters = metrics.counters.filter { !$0.label.contains("navigation") }
            .map { counter in
                let dimensions = counter.dimensions.map { "\($0)=\($1)" }.joined(separator: " ")
                return "\(counter.label) \(dimensions) \(counter.totalValue)"
            }
        #expect(
            counters.sorted() == [
                "luaroute.links phase=cancelled 2", "luaroute.links phase=did 1",
                "luaroute.links phase=failed 1", "luaroute.links phase=will 1",
                "luaroute.reloads status=rejected reason=syntax 1", "luaroute.slow  1",
            ]
        )
    }

    @Test("a blocked factory does not block the router, and the lost events are counted")
    func lost() async throws {
        let factory = BlockedFactory()
        let router = try Router(
            scripts: ScriptBundle(files: ["main.lua": Self.script]),
            host: HeadlessHost()
        )
        let recording = router.record(in: factory, limit: 100)
        try await router.start()
        while !factory.isCalled { await Task.yield() }
        // The factory has the end of the start until the router has ended.
        for _ in 0..<200 { try await router.navigate(Target("Page", "open")) }
        router.shutDown()
        factory.open()
        await recording.value
        #expect(factory.metrics.counterTotal(label: "luaroute.events.lost") > 1_000)
        var counts: [String: Int64] = [:]
        for counter in factory.metrics.counters(label: "luaroute.navigations") {
            counts[counter.dimensions[0].1, default: 0] += counter.totalValue
        }
        #expect(counts["start"] == 1)
        #expect((1..<100).contains(try #require(counts["Page/open"])))
        // The beginning of one whose end is kept may be lost.
        #expect(counts["unknown", default: 0] <= 1)
    }

    @Test("recording metrics does not keep a router alive, and the task ends with its router")
    func release() async throws {
        weak var released: Router?
        let recording: Task<Void, Never>
        do {
            let router = try Router(
                scripts: ScriptBundle(files: ["main.lua": Self.script]),
                host: HeadlessHost()
            )
            released = router
            recording = router.record(in: TestMetrics())
        }
        await recording.value
        #expect(released == nil)
    }
}

/// A factory that blocks when it makes a counter, until the factory is opened.
private struct BlockedFactory: MetricsFactory {
    let metrics = TestMetrics()
    private let gate = DispatchSemaphore(value: 0)
    private let called = Flag()

    var isCalled: Bool { called.value.isSet }

    func open() { gate.signal() }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        called.value.set()
        gate.wait()
        gate.signal()
        return metrics.makeCounter(label: label, dimensions: dimensions)
    }

    func makeRecorder(
        label: String,
        dimensions: [(String, String)],
        aggregate: Bool
    ) -> any RecorderHandler {
        metrics.makeRecorder(label: label, dimensions: dimensions, aggregate: aggregate)
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        metrics.makeTimer(label: label, dimensions: dimensions)
    }

    func destroyCounter(_ handler: any CounterHandler) { metrics.destroyCounter(handler) }
    func destroyRecorder(_ handler: any RecorderHandler) { metrics.destroyRecorder(handler) }
    func destroyTimer(_ handler: any TimerHandler) { metrics.destroyTimer(handler) }

    private final class Flag: Sendable {
        let value = Atomic()
    }
}
#endif
