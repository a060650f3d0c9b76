// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// Calls of exported functions that may wait.
@Suite(.failureReports)
struct ExportedCallTests {
    private static let script = """
        router.start(function() return router.nav { router.screen "Main" } end)
        router.register("Page", "show", function() return router.screen "Page" end)
        router.register("Mine", "show", {
          origin = { "script" },
          build = function() return router.screen "Mine" end,
        })
        router.export("sum", function(of) return of[1] + of[2] end)
        router.export("raise", function() error("no sum") end)
        router.export("wait", function(of) router.sleep(of.seconds) return "waited" end)
        router.export("visit", function(of)
          local visit = router.navigate(of.service, "show")
          local finished = visit:await()
          return { finished = finished, tree = router.visible().class }
        end)
        router.export("size", function()
          local picker = router.navigate("Page", "show")
          local _, size = picker:result()
          return size
        end)
        """

    @Test("a call that does not wait completes before it returns")
    func completesAtOnce() throws {
        let fixture = try RouterFixture(Self.script)
        var results: [Result<Value, RouteError>] = []
        let call = fixture.router.call("sum", [1: 2, 2: 3]) { results.append($0) }
        #expect(call.name == "sum")
        #expect(call.status.name == "done")
        #expect(call.completions == 1)
        #expect(try results.map { try $0.get() } == [5])
        #expect(fixture.router.pendingCalls.isEmpty)
    }

    @Test("a call that waits completes exactly once, when its function returns")
    func waits() throws {
        let fixture = try RouterFixture(Self.script)
        var results: [Result<Value, RouteError>] = []
        let call = fixture.router.call("wait", ["seconds": 2]) { results.append($0) }
        #expect(call.isPending)
        #expect(fixture.router.pendingCalls.map(\.id) == [call.id])
        #expect(results.isEmpty)
        fixture.router.advance(to: 2)
        #expect(try results.map { try $0.get() } == ["waited"])
        fixture.router.advance(to: 60)
        #expect(!fixture.router.cancel(call))
        #expect(call.completions == 1)
    }

    @Test(
        "calling a function that is not exported or not callable fails",
        arguments: [
            ("sun", RouteError.Code.notFound, "did you mean 'sum'?"),
            ("raise", .script, "no sum"),
        ]
    )
    func fails(name: String, code: RouteError.Code, text: String) throws {
        let fixture = try RouterFixture(Self.script)
        var error: RouteError?
        let call = fixture.router.call(name) { result in
            if case .failure(let failure) = result { error = failure }
        }
        #expect(call.status.name == "failed")
        #expect(error?.code == code)
        #expect(error?.message.contains(text) == true)
    }

    @Test("a call that waits longer than its deadline fails with a timeout")
    func deadline() throws {
        let fixture = try RouterFixture(Self.script)
        var error: RouteError?
        fixture.router.call("wait", ["seconds": 100]) { result in
            if case .failure(let failure) = result { error = failure }
        }
        fixture.router.advance(to: 29)
        #expect(error == nil)
        fixture.router.advance(to: 30)
        #expect(error?.code == .timeout)
        #expect(
            error?.message
                == "exported function 'wait' timed out (limited by the 'timeout' of 'router.options')"
        )
        #expect(fixture.router.nextDeadline == nil)
    }

    @Test("a cancelled call stops running and completes with 'cancelled'")
    func cancel() throws {
        let fixture = try RouterFixture(Self.script)
        var codes: [RouteError.Code] = []
        let call = fixture.router.call("wait", ["seconds": 2]) { result in
            if case .failure(let failure) = result { codes.append(failure.code) }
        }
        #expect(fixture.router.cancel(call))
        #expect(call.status.name == "cancelled")
        fixture.router.advance(to: 10)
        #expect(codes == [.cancelled])
        #expect(fixture.router.nextDeadline == nil)
    }

    @Test("a navigation started by an exported function has the origin 'script'")
    func origin() throws {
        let fixture = try RouterFixture(Self.script)
        var value = Value.nil
        fixture.router.call("visit", ["service": "Mine"]) { value = (try? $0.get()) ?? .nil }
        #expect(value.isEqual(to: ["finished": true, "tree": "Mine"]))
    }

    @Test("the timeout is paused while an exported function awaits the result of a screen")
    func result() throws {
        let fixture = try RouterFixture(Self.script)
        var value = Value.nil
        fixture.router.call("size") { value = (try? $0.get()) ?? .nil }
        fixture.router.advance(to: 1_000)
        let page = fixture.router.tree.visibleLeaf(of: fixture.router.tree.windows[0])
        fixture.router.close(page, value: "M")
        #expect(value == "M")
    }

    @Test("a call finishes in the generation in which it began, within the usual drain time")
    func reload() throws {
        let fixture = try RouterFixture("router.options { drain = 10 }" + Self.script)
        var codes: [String] = []
        func report(_ result: Result<Value, RouteError>) {
            switch result {
            case .success(let value): codes.append(value.text ?? "?")
            case .failure(let error): codes.append(error.code.rawValue)
            }
        }
        fixture.router.call("wait", ["seconds": 5], completion: report)
        fixture.router.call("wait", ["seconds": 20], completion: report)
        let next = "router.export('none', function() end)"
        fixture.router.reload(ScriptBundle(files: ["main.lua": next]))
        #expect(codes == [])
        fixture.router.advance(to: 5)
        #expect(codes == ["waited"])
        fixture.router.advance(to: 30)
        #expect(codes == ["waited", "superseded"])
        #expect(fixture.router.generationCount == 1)
    }

    @Test(
        "the synchronous call rejects a function that waits, even if the wait would end immediately"
    )
    func synchronous() throws {
        let fixture = try RouterFixture(Self.script)
        for (name, argument) in [("wait", ["seconds": 0]), ("visit", ["service": "Page"])]
            as [(String, InfoTable)]
        {
            let error = #expect(throws: RouteError.self) { try fixture.call(name, argument) }
            #expect(error?.code == .script)
            #expect(error?.message.contains("cannot wait here") == true)
        }
    }

    @Test(
        "the async call returns the value or throws the error, and is cancelled with its Swift task"
    )
    @MainActor func async() async throws {
        let fixture = try RouterFixture(Self.script)
        #expect(try await fixture.router.call("sum", [1: 2, 2: 3]) == 5)
        let error = await #expect(throws: RouteError.self) {
            try await fixture.router.call("raise")
        }
        #expect(error?.code == .script)
        let waiting = Task { try await fixture.router.call("wait", ["seconds": 2]).text }
        await until { !fixture.router.pendingCalls.isEmpty }
        fixture.router.advance(to: 2)
        #expect(try await waiting.value == "waited")
        let cancelled = Task { try await fixture.router.call("wait", ["seconds": 2]).text }
        await until { !fixture.router.pendingCalls.isEmpty }
        cancelled.cancel()
        let end = await cancelled.result
        #expect(throws: RouteError.self) { try end.get() }
        #expect(fixture.router.pendingCalls.isEmpty)
    }
}
