// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting
import TestSupport
import Testing

/// Tests of `advance(to:)`, which moves the clock of a router.
@Suite(.failureReports)
struct ClockTests {
    private func fixture() throws -> RouterFixture {
        try RouterFixture(
            """
            router.start(function() return router.screen "Main" end)
            router.state.count = 0
            local function count() router.state.count = router.state.count + 1 end
            router.export("forever", function()
              local function tick() count() router.delay(1, tick) end
              router.delay(1, tick)
            end)
            router.export("many", function(t)
              for _ = 1, t.count do router.delay(1, count) end
            end)
            """
        )
    }

    @Test(
        "after 10,000 timers that start one another the clock stops, and the next call continues"
    )
    func limit() throws {
        let fixture = try fixture()
        let start = fixture.router.now
        try fixture.call("forever")
        #expect(!fixture.router.advance(to: start + 1e9))
        #expect(fixture.router.now == start + 10_000)
        #expect(fixture.router.state["count"] == 10_000)
        #expect(fixture.router.advance(to: start + 10_002.5))
        #expect(fixture.router.now == start + 10_002.5)
        #expect(fixture.router.state["count"] == 10_002)
    }

    @Test("the clock reaches a time even if exactly 10,000 timers are due before that time")
    func exactly() throws {
        let fixture = try fixture()
        let end = fixture.router.now + 60
        try fixture.call("many", ["count": 10_000])
        #expect(fixture.router.advance(to: end))
        #expect(fixture.router.now == end)
        #expect(fixture.router.state["count"] == 10_000)
    }

    @Test(
        "advancing to a time that is in the past or not finite leaves the clock unchanged",
        arguments: [-1, .infinity, .nan]
    )
    func nowhere(_ seconds: Double) throws {
        let fixture = try fixture()
        let now = fixture.router.now
        #expect(fixture.router.advance(to: now + seconds))
        #expect(fixture.router.now == now)
    }

    @Test(
        "every host call rejects a time that is not finite or not below 1e11 s",
        arguments: [.infinity, -.infinity, .nan, 1e11, 1e300]
    )
    func hostTimes(_ seconds: Double) throws {
        let fixture = try fixture()
        let now = fixture.router.now
        fixture.router.advance(to: seconds)
        fixture.router.catchUp(to: seconds)
        #expect(fixture.router.now == now)
        let expected = "is \(seconds) (a finite number of seconds below 1e11 expected)"
        #expect(
            fixture.log
                == ["advance(to:)", "catchUp(to:)"].map {
                    "warn ignored: '\($0)' \(expected)"
                }
        )
        for set in [\Router.Configuration.now, \.applyTimeout] {
            var configuration = Router.Configuration.patient
            configuration[keyPath: set] = seconds
            let error = #expect(throws: RouteError.self) {
                _ = try RouterFixture("", configuration: configuration, starts: false)
            }
            #expect(error?.code == .badInfo)
            #expect(error?.message.contains(expected) == true)
        }
        for set in [\Capabilities.timeout, \.timers.period] {
            var configuration = Router.Configuration.patient
            configuration.capabilities[keyPath: set] = seconds
            let error = #expect(throws: RouteError.self) {
                _ = try RouterFixture("", configuration: configuration, starts: false)
            }
            #expect(error?.message.contains(expected) == true)
        }
        let task = fixture.router.doTask(Target("Work", "do"), timeout: seconds)
        #expect("\(task.status)".contains("'timeout' \(expected)"), "\(task.status)")
        var result: Result<Value?, RouteError>?
        let awaited = fixture.router.navigate(Target("Page", "show"))
        fixture.router.result(of: awaited, timeout: seconds) { result = $0 }
        #expect(throws: RouteError.self) { try result?.get() }
        // Zero or less is no timeout.
        guard !(seconds < 0) else { return }
        let page = fixture.router.navigate(
            Target("Page", "show"),
            options: NavigationOptions(timeout: seconds)
        )
        guard case .failed(let error) = page.status else {
            Issue.record("\(page.status)")
            return
        }
        #expect(error.message == "'timeout' \(expected)")
        let link = fixture.router.dispatch("/a", options: DispatchOptions(timeout: seconds))
        #expect(!link.isPending)
        #expect(link.status.name == "failed")
    }

    @Test("the clock can be set to exactly the largest allowed time")
    func largest() throws {
        let fixture = try fixture()
        #expect(fixture.router.advance(to: 99_999_999_999.5))
        #expect(fixture.router.now == 99_999_999_999.5)
        #expect(fixture.log == [])
    }
}

extension ClockTests {
    @Test("the clock starts at the time of day unless the configuration says otherwise")
    func start() throws {
        let scripts = ScriptBundle(files: [
            "main.lua": "router.export('clock', function() return os.clock() end)"
        ])
        let before = Date().timeIntervalSince1970 - 1
        let router = try Router(scripts: scripts, host: HeadlessHost())
        #expect((before...before + 60).contains(router.now))
        #expect(try router.call("clock") == 0.0)
        router.advance(to: 5)
        #expect(router.now > before)
        let configuration = Router.Configuration(now: 7)
        let other = try Router(scripts: scripts, host: HeadlessHost(), configuration: configuration)
        #expect(other.now == 7)
        other.advance(to: 9)
        #expect(try other.call("clock") == 2.0)
    }
}
