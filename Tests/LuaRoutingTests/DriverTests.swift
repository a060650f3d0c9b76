// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// Tests of drivers on the main actor, and on an actor with its own thread.
@Suite(.timeLimit(.minutes(10)))
struct DriverTests {
    private static let script = """
        router.start(function() return router.nav { router.screen "Main" } end)
        router.state.log = ""
        local function note(text) router.state.log = router.state.log .. text .. " " end
        router.export("delay", function(t)
          router.delay(t.seconds, function() note(t.name) end)
        end)
        -- Each sets the next, one second later.
        local function tick(n)
          note("tick" .. n)
          if n < 4 then router.delay(1, function() tick(n + 1) end) end
        end
        router.export("tick", function() tick(0) end)
        router.register("Slow", "open", {
          build = function() return router.screen "Slow" end,
          intercept = function() router.sleep(2) end,
          via = "push",
        })
        """

    @MainActor
    private func drive(
        _ clock: DriverClock,
        at time: Double = 1_000_000
    ) throws -> RouterDriver {
        let bundle = ScriptBundle(files: ["main.lua": Self.script])
        var configuration = Router.Configuration.patient
        configuration.now = time
        let router = try Router(scripts: bundle, host: TestHost(), configuration: configuration)
        let driver = RouterDriver(router, clock: clock)
        router.start()
        return driver
    }

    /// Calls an exported function that does not wait.
    @MainActor
    private func call(_ driver: RouterDriver, _ name: String, _ argument: InfoTable = [:]) throws {
        try driver.router.call(name, argument)
    }

    @MainActor
    private func log(_ driver: RouterDriver) -> String { driver.router.state["log"].text ?? "" }

    @Test("a timer fires when it is due, and the driver then stops sleeping")
    @MainActor func due() async throws {
        let clock = DriverClock()
        let driver = try drive(clock)
        #expect(clock.sleeps == [])
        try call(driver, "delay", ["seconds": 5, "name": "a"])
        await until { clock.sleeps == [5] }
        clock.advance(by: 4.5)
        #expect(log(driver) == "")
        clock.advance(by: 0.5)
        await until { log(driver) == "a " }
        #expect(driver.router.now == 1_000_005)
        #expect(clock.sleeps == [])
    }

    @Test("an earlier timer shortens the current sleep")
    @MainActor func sooner() async throws {
        let clock = DriverClock()
        let driver = try drive(clock)
        try call(driver, "delay", ["seconds": 5, "name": "a"])
        try call(driver, "delay", ["seconds": 7, "name": "c"])
        await until { clock.sleeps == [5] }
        try call(driver, "delay", ["seconds": 2, "name": "b"])
        await until { clock.sleeps == [2] }
        clock.advance(by: 2)
        await until { log(driver) == "b " && clock.sleeps == [5] }
        clock.advance(by: 3)
        await until { log(driver) == "b a " && clock.sleeps == [7] }
    }

    @Test("after a suspension, due timers run in one turn, and the timers that they set run later")
    @MainActor func suspended() async throws {
        let clock = DriverClock()
        let driver = try drive(clock)
        try call(driver, "tick")
        try call(driver, "delay", ["seconds": 2.5, "name": "x"])
        var times: [Double] = []
        driver.router.onEvent = { if $0.kind == .timer { times.append($0.time - 1_000_000) } }
        await until { clock.sleeps == [1] }
        clock.advance(by: 3_600)
        await until { log(driver) == "tick0 tick1 x " }
        await until { clock.sleeps.map { $0.rounded() } == [3_601] }
        #expect(times == [3_600, 3_600])
        #expect(driver.router.now == 1_003_600)
        clock.advance(by: 3)
        await until { log(driver) == "tick0 tick1 x tick2 " }
    }

    @Test("timers that are due more than once per frame wake the driver once per frame")
    @MainActor func frames() async throws {
        let clock = DriverClock()
        let driver = try drive(clock)
        try call(driver, "delay", ["seconds": 0.015625, "name": "a"])
        await until { clock.sleeps == [0.015625] }
        clock.advance(by: 0.015625)
        await until { log(driver) == "a " }
        for name in ["b", "c", "d"] {
            try call(driver, "delay", ["seconds": 0.001, "name": .string(ByteString(name))])
        }
        await until { clock.sleeps.count == 1 }
        let wake = try #require(clock.sleeps.first)
        #expect(abs(wake - 0.031625) < 0.000_001, "\(wake)")
        clock.advance(by: 0.0625)
        await until { log(driver) == "a b c d " }
        #expect(log(driver) == "a b c d ")
    }

    @Test("the actor is free between turns, however often timers are set", .timeLimit(.minutes(10)))
    @MainActor func liveness() async throws {
        // Real time: this measures nothing but that others get to run.
        let script = """
            router.state.count = 0
            local function tick()
              router.delay(0.001, tick)
              for _ = 1, 2e5 do end
              router.state.count = router.state.count + 1
            end
            router.export("tick", tick)
            """
        let router = try Router(
            scripts: ScriptBundle(files: ["main.lua": script]),
            host: TestHost(),
            configuration: .patient
        )
        let driver = RouterDriver(router)
        try call(driver, "tick")
        await until { driver.router.state["count"].wholeNumber >= 20 }
        let clock = ContinuousClock()
        var longest = Duration.zero
        for _ in 0..<20 {
            let start = clock.now
            try await clock.sleep(for: .milliseconds(5))
            longest = max(longest, clock.now - start)
        }
        // An actor that is never free would take as long as the driver runs.
        #expect(longest < .seconds(60))
        driver.stop()
    }

    @Test("the timeout of a host call starts at the time of the call")
    @MainActor func fresh() async throws {
        let clock = DriverClock()
        let driver = try drive(clock)
        clock.advance(by: 100)
        let navigation = driver.router.navigate(Target("Slow", "open"), completion: nil)
        #expect(driver.router.now == 1_000_100)
        await until { clock.sleeps == [102] }
        clock.advance(by: 1)
        await Task.yield()
        #expect(navigation.isPending)
        clock.advance(by: 1)
        await until { !navigation.isPending }
        #expect(navigation.status.name == "done")
        #expect(driver.router.treeNotation() == "nav[Main, Slow]")
    }

    @Test("timers that are already due run before a host call")
    @MainActor func dueFirst() async throws {
        let clock = DriverClock()
        let driver = try drive(clock)
        try call(driver, "delay", ["seconds": 1, "name": "due"])
        clock.advance(by: 1)
        try call(driver, "tick")
        #expect(log(driver) == "due tick0 ")
    }

    @Test("a stopped driver does not advance the clock, but the host can")
    @MainActor func stop() async throws {
        let clock = DriverClock()
        let driver = try drive(clock)
        try call(driver, "delay", ["seconds": 1, "name": "a"])
        await until { clock.sleeps == [1] }
        driver.stop()
        driver.stop()
        await until { clock.sleeps == [] }
        try call(driver, "delay", ["seconds": 1, "name": "b"])
        clock.advance(by: 10)
        for _ in 0..<100 { await Task.yield() }
        #expect(log(driver) == "")
        #expect(driver.router.now == 1_000_000)
        driver.router.advance(to: 1_000_001)
        #expect(log(driver) == "a b ")
        // Another may go on.
        let next = RouterDriver(driver.router, clock: clock)
        clock.advance(by: 2)
        try call(next, "delay", ["seconds": 1, "name": "c"])
        #expect(next.router.now == 1_000_003)
    }

    @Test("releasing a driver ends the driver's sleep and releases the router")
    @MainActor func release() async throws {
        let clock = DriverClock()
        weak var router: Router?
        do {
            let driver = try drive(clock)
            router = driver.router
            try call(driver, "delay", ["seconds": 1, "name": "a"])
            await until { clock.sleeps == [1] }
        }
        #expect(router == nil)
        await until { clock.sleeps == [] }
    }

    @Test("a router has at most one driver")
    func second() async {
        await #expect(processExitsWith: .failure) { @MainActor in
            let router = try Router(
                scripts: ScriptBundle(files: ["main.lua": ""]),
                host: TestHost()
            )
            let first = RouterDriver(router)
            let second = RouterDriver(first.router)
            _ = second
        }
    }

    // MARK: On an actor

    /// An actor that owns a router.
    actor Routing {
        private let executor = ScriptExecutor()
        nonisolated var unownedExecutor: UnownedSerialExecutor {
            executor.asUnownedSerialExecutor()
        }
        private var driver: RouterDriver?
        private let token: LifetimeTracker.Token?

        init(_ token: LifetimeTracker.Token? = nil) { self.token = token }

        func start(_ clock: DriverClock) throws {
            let router = try Router(
                scripts: ScriptBundle(files: ["main.lua": DriverTests.script]),
                host: TestHost(),
                configuration: .patient
            )
            driver = RouterDriver(router, clock: clock)
            router.start()
        }

        func take(_ router: sending Router, _ clock: DriverClock) {
            driver = RouterDriver(router, clock: clock)
        }

        func navigate(_ target: Target) async throws -> String? {
            try await driver?.router.navigate(target).class
        }

        func delay(_ seconds: Double, _ name: String) throws {
            try driver?.router.call(
                "delay",
                ["seconds": .number(seconds), "name": .string(ByteString(name))]
            )
        }

        var log: String { driver?.router.state["log"].text ?? "" }
        var tree: String { driver?.router.treeNotation() ?? "" }
    }

    @Test("a driver works on an actor with its own thread in the same way as on the main actor")
    func onActor() async throws {
        let clock = DriverClock()
        let routing = Routing()
        try await routing.start(clock)
        async let end = routing.navigate(Target("Slow", "open"))
        await until { clock.sleeps == [2] }
        clock.advance(by: 2)
        #expect(try await end == "Slow")
        #expect(await routing.tree == "nav[Main, Slow]")
        try await routing.delay(1, "a")
        await until { clock.sleeps == [3] }
        clock.advance(by: 1)
        while await routing.log != "a " {}
    }

    @Test("a driver does not keep its owning actor alive")
    func actorGoes() async throws {
        let tracker = LifetimeTracker()
        let clock = DriverClock()
        do {
            let routing = Routing(tracker.track())
            try await routing.start(clock)
            try await routing.delay(1, "a")
            await until { clock.sleeps == [1] }
        }
        await until { tracker.liveCount == 0 && clock.sleeps == [] }
    }

    private static func detachedRouter() throws -> sending Router {
        let router = try Router(
            scripts: ScriptBundle(files: ["main.lua": script]),
            host: TestHost(),
            configuration: .patient
        )
        router.start()
        router.detachFromThread()
        return router
    }

    @Test("a router that was created elsewhere can be transferred to its actor")
    func handOver() async throws {
        let clock = DriverClock()
        let routing = Routing()
        await routing.take(try Self.detachedRouter(), clock)
        #expect(await routing.tree == "nav[Main]")
        try await routing.delay(0.5, "a")
        await until { clock.sleeps == [0.5] }
        clock.advance(by: 1)
        while await routing.log != "a " {}
    }
}
