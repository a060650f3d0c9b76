// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// The verbs of the host that wait for an end.
@Suite(.timeLimit(.minutes(1)), .failureReports)
@MainActor struct ThreadAwaitingTests {
    private func fixture() throws -> RouterFixture {
        try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Main" } end)
            router.register("Page", "open", function() return router.screen "Page" end)
            router.register("Slow", "open", {
              build = function() return router.screen "Slow" end,
              intercept = function() router.sleep(2) end,
            })
            router.registerTask("Work", "now", function(info) return { n = info.n } end)
            router.registerTask("Work", "later", function() return nil, router.later end)
            """
        )
    }

    @Test("a navigation that waits for nothing has ended")
    func atOnce() async throws {
        let fixture = try fixture()
        let navigation = await fixture.router.navigate(Target("Page", "open"))
        #expect(navigation.status.name == "done")
        #expect(navigation.completions == 1)
        let other = await fixture.router.navigate(Target("Pag", "open"))
        #expect(other.error?.code == .notFound)
    }

    @Test("a navigation that waits is waited for")
    func waits() async throws {
        let fixture = try fixture()
        let task = Task { await fixture.router.navigate(Target("Slow", "open")).status.name }
        await until { !fixture.router.pending.isEmpty }
        #expect(fixture.tree == "nav[Main]")
        fixture.router.advance(to: 10)
        #expect(await task.value == "done")
        #expect(fixture.tree == "nav[Main, Slow]")
    }

    @Test("who cancels the Swift task cancels the navigation")
    func cancel() async throws {
        let fixture = try fixture()
        let task = Task { await fixture.router.navigate(Target("Slow", "open")).error?.code }
        await until { !fixture.router.pending.isEmpty }
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(fixture.router.pending.isEmpty)
        #expect(fixture.router.nextDeadline == nil)
        fixture.router.advance(to: 10)
        #expect(fixture.tree == "nav[Main]")
    }

    @Test("a Swift task that is cancelled already goes nowhere")
    func cancelledBefore() async throws {
        let fixture = try fixture()
        let task = Task {
            let navigation = await fixture.router.navigate(Target("Page", "open"))
            let work = await fixture.router.doTask(Target("Work", "now"))
            return (navigation.error?.code, navigation.completions, work.status.name)
        }
        task.cancel()
        let (code, completions, work) = await task.value
        #expect(code == .cancelled)
        #expect(completions == 1)
        #expect(work == "cancelled")
        #expect(fixture.tree == "nav[Main]")
        #expect(fixture.operations == [])
    }

    @Test("what the host applies is not cancelled, and still waited for")
    func committed() async throws {
        let fixture = try fixture()
        fixture.host.holds = true
        let task = Task { await fixture.router.navigate(Target("Page", "open")).status.name }
        await until { !fixture.host.changes.isEmpty }
        task.cancel()
        for _ in 0..<100 { await Task.yield() }
        fixture.host.answer()
        #expect(await task.value == "done")
    }

    @Test("a task is waited for, and cancelled with the Swift task")
    func tasks() async throws {
        let fixture = try fixture()
        let work = await fixture.router.doTask(Target("Work", "now"), info: ["n": 3])
        #expect(work.status.name == "done")
        let task = Task { await fixture.router.doTask(Target("Work", "later")).status.name }
        await until { !fixture.router.pendingTasks.isEmpty }
        task.cancel()
        #expect(await task.value == "cancelled")
        #expect(fixture.router.pendingTasks.isEmpty)
    }
}
