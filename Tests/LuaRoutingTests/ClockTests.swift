// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting
import TestSupport
import Testing

/// How `advance(to:)` moves the clock of a router.
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
        "after 10,000 timers that start each other the clock stops, and the next call continues"
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

    @Test("the clock reaches a time before which exactly 10,000 timers are due")
    func exactly() throws {
        let fixture = try fixture()
        let end = fixture.router.now + 60
        try fixture.call("many", ["count": 10_000])
        #expect(fixture.router.advance(to: end))
        #expect(fixture.router.now == end)
        #expect(fixture.router.state["count"] == 10_000)
    }

    @Test(
        "a time in the past, or none, leaves the clock where it is",
        arguments: [-1, .infinity, .nan]
    )
    func nowhere(_ seconds: Double) throws {
        let fixture = try fixture()
        let now = fixture.router.now
        #expect(fixture.router.advance(to: now + seconds))
        #expect(fixture.router.now == now)
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
