// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// Tests of failures of work that nobody awaits.
@Suite(.failureReports)
struct UnawaitedFailureTests {
    private let fixture: RouterFixture
    private var router: Router { fixture.router }

    init() throws {
        fixture = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Main" } end)
            router.register("Page", "open", {
              build = function() return router.screen "Page" end,
              intercept = function() router.sleep(1) router.stop("not now") end,
            })
            router.registerTask("Work", "raise", function() error("broken") end)
            router.routing("app://wait")
            router.export("begin", function() router.navigate("Pag", "open") end)
            router.export("do", function() router.doTask("Work", "raise") end)
            router.export("beginAndAwait", function()
              router.navigate("Pag", "open"):await()
              router.navigate("Page", "open"):await()
              local _, task = router.doTask("Work", "raise")
              if task then task:await() end
              router.navigate("Pag", "open", {}, { completion = function() end })
            end)
            """
        )
        router.awaitsAllWork = false
    }

    /// Work of the host, and the line that is logged when the work fails.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let line: String
        let begin: @Sendable (Router) -> Void

        init(_ name: String, _ line: String, _ begin: @escaping @Sendable (Router) -> Void) {
            (testDescription, self.line, self.begin) = (name, line, begin)
        }

        static let all = [
            Case(
                "navigate",
                "warn navigation to 'Pag/open' failed (notFound): no service 'Pag', did you mean 'Page'?"
            ) { $0.navigate(Target("Pag", "open")) },
            Case(
                "go",
                "warn navigation to 'Page/open' failed (stopped): not now"
            ) { $0.go(Target("Page", "open")) },
            Case(
                "closeWindow",
                "warn 'closeWindow' failed (composition): window 'main' is the last window and cannot be closed"
            ) { $0.closeWindow("main") },
            Case("doTask", "warn task 'Work/raise' failed (script): broken") {
                $0.doTask(Target("Work", "raise"))
            },
            Case(
                "dispatch",
                "warn deep link 'app://wait' failed (timeout): link 'app://wait' timed out (limited by the 'timeout' of the call)"
            ) { $0.dispatch("app://wait", options: DispatchOptions(timeout: 1)) },
        ]
    }

    @Test("a failure that nobody awaits is logged with its code and target", arguments: Case.all)
    func logged(_ work: Case) {
        work.begin(router)
        router.advance(to: router.now + 5)
        #expect(fixture.log == [work.line])
    }

    @Test("the log names the line of the script that caused the failure")
    func location() {
        router.doTask(Target("Work", "raise"))
        #expect(fixture.events.last { $0.kind == .log }?.location?.line == 6)
    }

    @Test(
        "a failure of work that a script began and does not await is logged",
        arguments: [
            (
                "begin",
                "warn navigation to 'Pag/open' failed (notFound): no service 'Pag', did you mean 'Page'?"
            ), ("do", "warn task 'Work/raise' failed (script): broken"),
        ]
    )
    func ofScript(export: String, line: String) throws {
        try fixture.call(export)
        router.advance(to: router.now + 5)
        #expect(fixture.log == [line])
    }

    @Test("a failure is not logged if there is a completion handler or if a caller awaits it")
    func awaited() throws {
        router.navigate(Target("Pag", "open")) { _ in }
        router.doTask(Target("Work", "raise")) { _ in }
        router.dispatch("app://other") { _ in }
        router.close(router.tree.windows[0].root) { _ in }
        router.call("beginAndAwait") { _ in }
        let navigation = router.navigate(Target("Page", "open"))
        router.result(of: navigation) { _ in }
        router.advance(to: router.now + 5)
        #expect(fixture.log == [])
    }

    @Test("coalesced navigations log a failure once, or not at all if one of them is awaited")
    func coalesced() {
        router.go(Target("Page", "open"))
        router.go(Target("Page", "open"))
        router.advance(to: router.now + 5)
        #expect(fixture.log == ["warn navigation to 'Page/open' failed (stopped): not now"])
        fixture.forgetEvents()
        router.go(Target("Page", "open"))
        router.navigate(Target("Page", "open")) { _ in }
        router.advance(to: router.now + 5)
        #expect(fixture.log == [])
    }
}
