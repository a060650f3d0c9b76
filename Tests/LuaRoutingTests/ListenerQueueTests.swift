// SPDX-License-Identifier: MIT

import LuaVM
import TestSupport
import Testing

@testable import LuaRouting

/// Tests of the events that wait for listeners, and of the log that listeners write.
@Suite(.failureReports)
struct ListenerQueueTests {
    private static func script(_ listeners: Int, _ body: String, to kind: String = "log") -> String
    {
        """
        router.start(function() return router.nav { router.screen 'Main' } end)
        router.export('ping', function() return 'pong' end)
        router.export('attack', function()
          for i = 1, \(listeners) do
            router.on('\(kind)', function() for j = 1, 900 do \(body) end end)
          end
          \(body)
        end)
        """
    }

    @Test(
        "listeners that trigger one another by logging are stopped at the log limit of a turn",
        arguments: [10, 100, 200]
    )
    func cascade(_ listeners: Int) throws {
        let fixture = try RouterFixture(Self.script(listeners, "router.log.info('y')"))
        let router = fixture.router
        var turns = 0
        var isStopped = false
        func check() {
            isStopped = isStopped || fixture.log.contains { $0.contains("without end") }
            let lines = fixture.events.count { $0.kind == .log && $0["level"].text == "info" }
            #expect(lines <= 4_000, "turn \(turns)")
            let drops = fixture.log.filter { $0.hasPrefix("warn dropped: ") }
            #expect(drops.count <= 1, "turn \(turns): \(drops)")
            #expect(router.queue.undelivered.count <= 1_000)
            #expect(router.keptBytes < router.configuration.budget.bytes)
            turns += 1
            fixture.forgetEvents()
        }
        try router.call("attack")
        #expect(fixture.log.contains { $0.hasPrefix("warn dropped: ") })
        check()
        while let due = router.nextDeadline, due <= router.now, turns < 1_000 {
            router.catchUp(to: router.now)
            check()
        }
        #expect(isStopped)
        #expect(turns < 100)
        #expect(router.queue.isEmpty)
        #expect(try router.call("ping") == "pong")
    }

    @Test("the log line about dropped events and lines states the limit and how many were dropped")
    func dropped() throws {
        let fixture = try RouterFixture(Self.script(2, "router.log.info('y')"))
        try fixture.router.call("attack")
        let lines = fixture.log.filter { $0.hasPrefix("warn ") }
        #expect(lines.count == 1)
        let line = try #require(lines.first)
        let words = line.split { $0.isNumber }
        #expect(
            words == [
                "warn dropped: ", " events for listeners (at most ", " events and ",
                " bytes are queued), ",
                " lines of the log (at most ", " lines and ", " bytes in a turn)",
            ]
        )
    }

    @Test("events queued for listeners count toward the memory of the scripts")
    func bytes() throws {
        let fixture = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen 'Main' } end)
            local text = ('x'):rep(60000)
            router.on('log', function() end)
            router.export('attack', function() router.log.info(text) router.log.info('y') end)
            """
        )
        var most = 0
        let before = fixture.router.keptBytes
        fixture.router.onEvent = { [unowned router = fixture.router] event in
            if event["message"].text == "y" { most = router.keptBytes }
        }
        try fixture.router.call("attack")
        #expect(60_000...70_000 ~= most - before)
        #expect(fixture.router.keptBytes == before)
    }

    @Test(
        "each listener call counts toward the budget of the turn, even if the listener does nothing"
    )
    func charge() throws {
        var configuration = Router.Configuration.patient
        configuration.budget.instructions = 10_000
        configuration.budget.duration = .seconds(60)
        let fixture = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen 'Main' } end)
            router.state.count = 0
            for i = 1, 200 do
              router.on('done', function() router.state.count = router.state.count + 1 end)
            end
            """,
            configuration: configuration
        )
        let router = fixture.router
        #expect(1...40 ~= router.state["count"].wholeNumber)
        while let due = router.nextDeadline, due <= router.now { router.catchUp(to: router.now) }
        #expect(router.state["count"] == 200)
    }
}
