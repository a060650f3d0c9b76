// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// Tests of the end of a router by `shutDown()`, or by releasing its last reference.
@Suite(.failureReports)
struct ShutdownTests {
    private static let script = """
        router.start(function() return router.nav { router.screen "Main" } end)
        router.expects { tasks = { "Host/work" } }
        router.register("Page", "show", { build = router.screen "Page" })
        router.register("Gated", "show", { build = router.screen "Page", ready = "never" })
        router.register("Asked", "show", {
          build = router.screen "Page", intercept = function() router.sleep(60) end,
        })
        router.registerTask("Lua", "work", function() router.sleep(60) return 1 end)
        router.export("wait", function() router.sleep(60) end)
        router.routing("/later")
        router.export("end", function() end)
        """

    /// Pending work of every kind, with a record of how it ended.
    private final class Work {
        var ends: [String: String] = [:]
        var count = 0

        func begin(on router: Router, _ host: TestHost) {
            func note(_ name: String, _ status: String, _ code: RouteError.Code?) {
                count += 1
                ends[name] = "\(status) \(code?.rawValue ?? "")"
            }
            for name in ["Gated", "Asked"] {
                for copy in ["", " again"] {
                    router.navigate(Target(name, "show")) {
                        note(name + copy, $0.status.name, $0.error?.code)
                    }
                }
            }
            let queued = NavigationOptions(window: nil)
            router.navigate(Target("Page", "show"), options: queued) {
                note("queued", $0.status.name, $0.error?.code)
            }
            for name in ["Host", "Lua"] {
                router.doTask(Target(name, "work")) {
                    note("\(name) task", $0.status.name, $0.error?.code)
                }
            }
            router.call("wait") {
                if case .failure(let error) = $0 { note("call", "", error.code) }
            }
            router.dispatch("/later") {
                if case .cancelled(let error) = $0.status { note("link", "", error.code) }
            }
            host.holds = true
            router.navigate(
                Target("Page", "show"),
                info: ["n": 1],
                options: NavigationOptions(policy: .parallel)
            ) {
                note("applying", $0.status.name, $0.error?.code)
            }
            router.report(.closed(window: "none")) { results in
                if case .failure(let error) = results[0] { note("report", "", error.code) }
            }
            router.reload(router.bundle) { reload in
                note("reload", "", nil)
            }
        }

        static let expected = [
            "Gated": "cancelled cancelled", "Gated again": "cancelled cancelled",
            "Asked": "cancelled cancelled", "Asked again": "cancelled cancelled",
            "queued": "cancelled cancelled", "Host task": "cancelled ",
            "Lua task": "cancelled ", "call": " cancelled", "link": " cancelled",
            "applying": "cancelled cancelled", "report": " cancelled", "reload": " ",
        ]
    }

    @Test(
        "shutting down a router cancels all pending work exactly once, and releases the host"
    )
    func pending() throws {
        weak var host: TestHost?
        let work = Work()
        let router: Router
        do {
            let fixture = try RouterFixture(Self.script)
            (host, router) = (fixture.host, fixture.router)
            work.begin(on: router, fixture.host)
            #expect(work.ends.isEmpty)
            router.shutDown()
            #expect(fixture.host.takeTask { _ in true } == nil)
        }
        #expect(work.ends == Work.expected)
        #expect(work.count == Work.expected.count)
        #expect(
            router.pending.isEmpty && router.pendingTasks.isEmpty && router.pendingCalls.isEmpty
        )
        #expect(router.nextDeadline == nil)
        #expect(router.treeNotation() == "nav[Main]")
        #expect(router.tree.checkInvariants() == [])
        #expect(host == nil)
    }

    @Test("releasing a router cancels all pending work exactly once")
    func released() throws {
        weak var router: Router?
        let work = Work()
        do {
            let fixture = try RouterFixture(Self.script)
            router = fixture.router
            work.begin(on: fixture.router, fixture.host)
        }
        #expect(router == nil)
        #expect(work.ends == Work.expected)
        #expect(work.count == Work.expected.count)
    }

    @Test("a navigation that is started after the shutdown is cancelled immediately")
    func after() throws {
        let fixture = try RouterFixture(Self.script)
        let router = fixture.router
        router.shutDown()
        router.shutDown()
        let work = Work()
        work.begin(on: router, fixture.host)
        #expect(work.ends == Work.expected)
        #expect(work.count == Work.expected.count)
        #expect(fixture.host.changes.isEmpty)
        #expect(fixture.tree == "nav[Main]")
    }

    /// A request that nobody awaits, and the title with which the log names it.
    struct Ignored: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let request: @Sendable (Router) -> Void

        static let all = [
            Ignored(testDescription: "navigation to 'Page/show'") { $0.go(Target("Page", "show")) },
            Ignored(testDescription: "navigation to '/later'") { $0.open("/later") },
            Ignored(testDescription: "deep link '/later'") { $0.dispatch("/later") },
            Ignored(testDescription: "task 'Lua/work'") { $0.doTask(Target("Lua", "work")) },
        ]
    }

    @Test(
        "a request after the shutdown is logged once, unless the caller receives the error",
        arguments: Ignored.all
    )
    func ignored(_ ignored: Ignored) throws {
        let fixture = try RouterFixture(Self.script)
        let router = fixture.router
        router.awaitsAllWork = false
        var lines: [String] = []
        router.onEvent = { if $0.kind == .log { lines.append($0["message"].text ?? "") } }
        router.shutDown()
        router.navigate(Target("Page", "show")) { _ in }
        #expect(lines == [])
        for _ in 1...3 { ignored.request(router) }
        let start =
            "\(ignored.testDescription) and all later requests are ignored, because the router has been shut down"
        #expect(lines.map { $0.hasPrefix(start) } == [true], "\(lines)")
    }

    @Test("a host answer after the shutdown is ignored")
    func lateAnswer() throws {
        let fixture = try RouterFixture(Self.script)
        fixture.host.holds = true
        let page = fixture.navigate("Page", "show")
        fixture.router.shutDown()
        fixture.host.answer()
        #expect(page.status.name == "cancelled")
        #expect(fixture.tree == "nav[Main]")
    }

    @Test(
        "a task fails at its deadline, whether a script or the host handles the task",
        arguments: ["Host", "Lua"]
    )
    func taskDeadline(_ service: String) throws {
        let fixture = try RouterFixture(Self.script)
        let router = fixture.router
        let task = router.doTask(Target(service, "work"), timeout: 5)
        router.advance(to: router.now + 4)
        #expect(task.isPending)
        router.advance(to: router.now + 2)
        #expect(task.error?.code == .timeout)
        #expect(fixture.host.takeTask { _ in true } == nil)
        #expect(router.nextDeadline == nil)
    }

    @Test("a task that ends in time leaves no deadline behind")
    func taskInTime() throws {
        let fixture = try RouterFixture(Self.script)
        let task = fixture.router.doTask(Target("Host", "work"), timeout: 5)
        fixture.host.takeTask { _ in true }?.end(true, 7)
        #expect(task.status.name == "done")
        #expect(fixture.router.nextDeadline == nil)
    }
}
