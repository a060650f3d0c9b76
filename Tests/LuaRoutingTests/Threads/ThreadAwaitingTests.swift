// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// Tests of the async calls of the host.
@Suite(.timeLimit(.minutes(10)), .failureReports)
@MainActor struct ThreadAwaitingTests {
    private static let script = """
        router.start(function() return router.nav { router.screen "Main" } end)
        router.register("Page", "open", function(info)
          return router.screen("Page", { id = info.id })
        end)
        router.register("Slow", "open", {
          build = function() return router.screen "Slow" end,
          intercept = function() router.sleep(2) end,
        })
        router.register("Settled", "open", {
          build = function() return router.screen "Settled" end,
          intercept = function() router.stay("nothing to do") end,
        })
        router.registerTask("Work", "now", function(info) return { n = info.n } end)
        router.registerTask("Work", "later", function() return nil, router.later end)
        router.registerTask("Work", "unfinished", function(_, done) done(false, "no network") end)
        router.registerTask("Work", "raise", function() error("broken") end)
        router.routing("app://act/:n(int)"):setAction(function(request)
          return request.parameters.n + 1
        end)
        router.routing("app://wait")
        """

    private func fixture() throws -> RouterFixture { try RouterFixture(Self.script) }

    @Test("a navigation that does not wait returns the screen that it reached")
    func atOnce() async throws {
        let fixture = try fixture()
        let arrival = try await fixture.router.navigate(Target("Page", "open"), info: ["id": 7])
        #expect(arrival.class == "Page")
        #expect(
            arrival.screen == fixture.router.tree.visibleLeaf(of: fixture.router.tree.windows[0])
        )
        #expect(!arrival.hasStayed)
        let error = await thrown {
            try await fixture.router.open("app://nowhere", origin: .external)
        }
        #expect(error?.code == .notFound)
        let last = fixture.events.last { $0.kind == .navigate }
        #expect(last?["origin"] == "external")
        #expect(last?.navigation == arrival.navigation + 1)
    }

    @Test("a navigation that fails throws its error")
    func failure() async throws {
        let fixture = try fixture()
        let error = await #expect(throws: RouteError.self) {
            try await fixture.router.navigate(Target("Pag", "open"))
        }
        #expect(error?.code == .notFound)
    }

    @Test("a navigation with the outcome 'stayed' returns the reason and does not throw")
    func stays() async throws {
        let fixture = try fixture()
        let arrival = try await fixture.router.navigate(Target("Settled", "open"))
        #expect(arrival.stayReason == "nothing to do")
        #expect(arrival.screen == nil && arrival.class == nil)
        #expect(try await fixture.router.back().hasStayed)
    }

    @Test("each leaving verb has an async form with the same outcome")
    func leaving() async throws {
        let fixture = try RouterFixture(Self.script, starts: false)
        let router = fixture.router
        #expect(try await router.start().class == "nav")
        let main = router.tree.visibleLeaf(of: router.tree.windows[0])
        for id in 1...4 {
            try await router.navigate(Target("Page", "open"), info: ["id": .integer(Int64(id))])
        }
        try await router.back(2)
        #expect(fixture.tree == "nav[Main, Page(id=1), Page(id=2)]")
        try await router.popToRoot()
        #expect(fixture.tree == "nav[Main]")
        let page = try await router.navigate(Target("Page", "open"))
        try await router.pop(to: main)
        #expect(fixture.tree == "nav[Main]")
        let gone = await thrown { try await router.close(#require(page.screen)) }
        #expect(gone?.code == .composition)
        let modal = NavigationOptions(via: .presentWithNav)
        try await router.navigate(Target("Page", "open"), options: modal)
        try await router.navigate(Target("Page", "open"), options: modal)
        try await router.dismiss()
        #expect(fixture.tree == "nav[Main] ^ nav[Page]")
        try await router.dismissAll()
        #expect(fixture.tree == "nav[Main]")
        #expect(await thrown { try await router.select(1) }?.code == .typeMismatch)
        try await router.select(main)
        #expect(await thrown { try await router.closeWindow("main") }?.code == .composition)
        #expect(await thrown { try await router.openWindow("main", main) }?.code == .composition)
        #expect(await thrown { try await router.replace(main, with: main) }?.code == .composition)
    }

    @Test("awaiting a navigation that waits returns after the navigation has ended")
    func waits() async throws {
        let fixture = try fixture()
        let task = Task { try await fixture.router.navigate(Target("Slow", "open")).class }
        await until { !fixture.router.pending.isEmpty }
        #expect(fixture.tree == "nav[Main]")
        fixture.router.advance(to: 10)
        #expect(try await task.value == "Slow")
        #expect(fixture.tree == "nav[Main, Slow]")
    }

    @Test("cancelling the Swift task cancels the navigation")
    func cancel() async throws {
        let fixture = try fixture()
        let task = Task {
            await thrown { try await fixture.router.navigate(Target("Slow", "open")) }?.code
        }
        await until { !fixture.router.pending.isEmpty }
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(fixture.router.pending.isEmpty)
        #expect(fixture.router.nextDeadline == nil)
        fixture.router.advance(to: 10)
        #expect(fixture.tree == "nav[Main]")
    }

    @Test("starting work in a cancelled Swift task has no effect")
    func cancelledBefore() async throws {
        let fixture = try fixture()
        let router = fixture.router
        let snapshot = router.snapshot()
        let other = ScriptBundle(files: ["main.lua": Self.script + "-- changed"])
        let task = Task { () -> [RouteError.Code?] in
            [
                await thrown { try await router.navigate(Target("Page", "open")) }?.code,
                await thrown { try await router.result(of: Target("Page", "open")) }?.code,
                await thrown { try await router.doTask(Target("Work", "now")) }?.code,
                await thrown { try await router.dispatch("app://act/1") }?.code,
                await thrown { try await router.restore(snapshot) }?.code,
                await thrown { try await router.reload(other) }?.code,
            ]
        }
        task.cancel()
        #expect(await task.value == Array(repeating: .cancelled, count: 6))
        #expect(fixture.tree == "nav[Main]")
        #expect(fixture.operations == [])
        #expect(!router.bundle.isSame(as: other))
        #expect(fixture.events.allSatisfy { $0["phase"] != "will" })
    }

    @Test("cancelling a Swift task does not cancel a change that the host is applying")
    func committed() async throws {
        let fixture = try fixture()
        fixture.host.holds = true
        let task = Task { try await fixture.router.navigate(Target("Page", "open")).class }
        await until { !fixture.host.changes.isEmpty }
        task.cancel()
        for _ in 0..<100 { await Task.yield() }
        fixture.host.answer()
        #expect(try await task.value == "Page")
    }

    @Test("a task returns the value of its handler, and throws if the handler failed")
    func tasks() async throws {
        let router = try fixture().router
        #expect(try await router.doTask(Target("Work", "now"), info: ["n": 3]) == ["n": 3])
        let unfinished = try #require(
            await thrown { try await router.doTask(Target("Work", "unfinished")) }
        )
        #expect(unfinished.code == .stopped)
        #expect(
            unfinished.message
                == "the worker of task 'Work/unfinished' reported that the task did not finish: no network"
        )
        #expect((unfinished.cause as? RouteTask.Unfinished)?.info == "no network")
        #expect(await thrown { try await router.doTask(Target("Work", "raise")) }?.code == .script)
        let task = Task { await thrown { try await router.doTask(Target("Work", "later")) }?.code }
        await until { !router.pendingTasks.isEmpty }
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(router.pendingTasks.isEmpty)
    }

    @Test(
        "dispatching a deep link returns the result of its action, and cancelling the task cancels the link"
    )
    func links() async throws {
        let router = try fixture().router
        #expect(try await router.dispatch("app://act/1") == 2)
        #expect(await thrown { try await router.dispatch("app://other") }?.code == .notFound)
        let task = Task { await thrown { try await router.dispatch("app://wait") }?.code }
        await until { !router.queuedLinks.isEmpty }
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(router.queuedLinks.isEmpty)
    }

    @Test("a restoration returns its losses, and a reload returns the accepted generation")
    func bundles() async throws {
        let fixture = try fixture()
        let router = fixture.router
        try await router.navigate(Target("Page", "open"))
        let snapshot = router.snapshot()
        try await router.popToRoot()
        #expect(try await router.restore(snapshot) == [])
        #expect(fixture.tree == "nav[Main, Page]")
        #expect(await thrown { try await router.restore(Snapshot()) }?.code == .composition)

        #expect(try await router.reload(router.bundle) == nil)
        let next = ScriptBundle(files: ["main.lua": Self.script + "\n-- changed"])
        #expect(try await router.reload(next)?.generation == 2)
        let broken = ScriptBundle(files: ["main.lua": "router.register('A')"])
        let rejection = try #require(await thrown { try await router.reload(broken) })
        #expect(rejection.code == .badInfo || rejection.code == .script)
        #expect(rejection.location?.file == "main.lua")
        #expect(router.bundle.isSame(as: next))
    }

    @Test("a queued reload can be superseded by the next one, or cancelled")
    func pendingReloads() async throws {
        let fixture = try fixture()
        let router = fixture.router
        fixture.host.holds = true
        router.go(Target("Page", "open"))
        let bundles = (1...2).map { ScriptBundle(files: ["main.lua": Self.script + "-- \($0)"]) }
        let first = Task { await thrown { try await router.reload(bundles[0]) }?.code }
        for _ in 0..<100 { await Task.yield() }
        let second = Task { await thrown { try await router.reload(bundles[1]) }?.code }
        for _ in 0..<100 { await Task.yield() }
        second.cancel()
        for _ in 0..<100 { await Task.yield() }
        fixture.host.answer()
        #expect(await first.value == .superseded)
        #expect(await second.value == .cancelled)
        #expect(!router.bundle.isSame(as: bundles[0]) && !router.bundle.isSame(as: bundles[1]))
    }
}

/// Returns the error that a call throws; nil if it returns.
nonisolated(nonsending)
    private func thrown<Result>(
        _ body: nonisolated(nonsending) () async throws -> Result
    ) async -> RouteError?
{
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? RouteError
    }
}
