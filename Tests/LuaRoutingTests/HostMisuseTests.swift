// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// Tests of hosts that shut down, advance or misuse their router at the wrong time.
@Suite(.timeLimit(.minutes(10)), .failureReports)
struct HostMisuseTests {
    private static let script = """
        router.start(function() return router.nav { router.screen "Main" } end)
        router.register("Page", "show", { info = { n = "integer" }, build = function() router.state.seen = 1 return router.screen "Page" end })
        router.register("Slow", "show", { build = router.screen "Slow", intercept = function() router.sleep(60) end })
        router.register("Modal", "show", { build = router.screen "Modal", via = "present" })
        """
    private func fixture() throws -> RouterFixture { try RouterFixture(Self.script) }

    /// A host that begins a navigation in each `show`, before or after it completes the change.
    private final class RestlessHost: RouterHost {
        weak var router: Router?
        var answersFirst = false
        private(set) var navigations: [Navigation] = []

        func show(
            _ tree: ScreenTree,
            _ change: Change,
            done: @escaping (Result<Void, any Error>) -> Void
        ) {
            if answersFirst { done(.success(())) }
            let info: InfoTable = ["n": Value(navigations.count)]
            if let next = router?.navigate(Target("Page", "show"), info: info) {
                navigations.append(next)
            }
            if !answersFirst { done(.success(())) }
        }
    }

    @Test(
        "a host that starts a navigation in each 'show' is stopped after a hundred navigations",
        arguments: [false, true]
    )
    func navigatesInShow(_ answersFirst: Bool) throws {
        let host = RestlessHost()
        let router = try Router(
            scripts: ScriptBundle(files: ["main.lua": Self.script]),
            host: host
        )
        (host.router, host.answersFirst) = (router, answersFirst)
        router.start()
        #expect(host.navigations.count == 100)
        let failed = host.navigations.filter { $0.status.name != "done" }
        #expect(
            failed.map { "\($0.status)" }.joined().contains(
                "navigations begin each other endlessly (more than 100 in a row)"
            )
        )
        #expect(failed.count == 1)
        #expect(router.pending.isEmpty)
    }

    @Test("awaiting a result after the shutdown returns immediately")
    func resultAfterShutdown() throws {
        let f = try fixture()
        let page = f.navigate("Page", "show", ["n": 1])
        f.router.shutDown()
        var ends = 0
        f.router.result(of: page) { _ in ends += 1 }
        #expect(ends == 1)
    }

    @Test("an event sequence that is created after the shutdown ends immediately")
    func eventsAfterShutdown() async throws {
        let f = try fixture()
        f.router.shutDown()
        var events = 0
        for await _ in f.router.events() { events += 1 }
        #expect(events == 0)
    }

    @Test("a router that is shut down while the host prepares a change does not apply the change")
    func shutdownInPrepare() throws {
        let f = try fixture()
        f.host.holds = true
        f.host.onPrepare = { f.router.shutDown() }
        var ends = 0
        let page = f.router.navigate(Target("Page", "show"), info: ["n": 1]) { _ in ends += 1 }
        #expect(page.status.name == "cancelled")
        #expect(ends == 1)
        #expect(f.host.changes.isEmpty)
        #expect(f.router.host !== f.host)
        f.host.onPrepare = nil
    }

    @Test(
        "if the tree is set while the host applies a change, the next change replaces all roots"
    )
    func setTreeApplying() throws {
        let f = try fixture()
        f.host.holds = true
        let page = f.navigate("Page", "show", ["n": 1])
        #expect(page.isPending)
        try f.router.setTree(TreeNotation("nav[A]"))
        #expect(page.status.name == "cancelled")
        #expect(!f.host.discarded.isEmpty, "discard")
        #expect(f.router.state["seen"] == .nil, "state")
        f.host.holds = false
        f.host.forgetChanges()
        f.navigate("Page", "show", ["n": 2])
        #expect(f.host.resynchronizations.count == 1, "resync \(f.host.operations)")
    }

    @Test("shutting down a router while the host applies a change rolls the change back")
    func shutDownState() throws {
        let f = try fixture()
        f.host.holds = true
        f.navigate("Page", "show", ["n": 1])
        f.router.shutDown()
        #expect(f.router.state["seen"] == .nil, "state")
        #expect(!f.host.discarded.isEmpty, "discard")
    }

    @Test("a foreign screen is dismissed through the screen over which it was reported")
    func foreignLeaf() throws {
        let f = try fixture()
        let root = f.router.tree.windows[0].root
        let leaf = f.router.tree[root].children[0]
        f.router.report(.presented(foreign: "Alert", over: leaf))
        let page = f.navigate("Page", "show", ["n": 1])
        #expect(page.isPending)
        var results: [Result<[ScreenID], RouteError>] = []
        f.router.report(.dismissed(presenter: leaf)) { results = $0 }
        #expect(page.status.name == "done", "\(results) \(f.tree)")
        #expect(f.tree == "nav[Main, Page]")
    }

    @Test("an explanation says that the navigation would wait for a foreign screen")
    func explainForeign() throws {
        let f = try fixture()
        let root = f.router.tree.windows[0].root
        f.router.report(.presented(foreign: "Alert", over: root))
        let e = try f.router.explain(Target("Page", "show"), info: ["n": 1])
        #expect(e.waitsFor == "foreign", "\(e.outcome) \(e.gates)")
    }

    @Test("a navigation whose deadline passes while the host prepares its change is not shown")
    func timeoutInStage() throws {
        let f = try fixture()
        f.host.onPrepare = { f.router.advance(to: f.router.now + 100) }
        var options = NavigationOptions()
        options.timeout = 5
        var statuses: [String] = []
        let page = f.router.navigate(Target("Page", "show"), info: ["n": 1], options: options) {
            statuses.append($0.status.name)
        }
        #expect((page.status.name == "done") == (f.tree == "nav[Main, Page]"))
        #expect(f.brokenRules == [])
        f.host.onPrepare = nil
    }

    @Test("a navigation whose result is awaited is released together with its router")
    func leak() throws {
        weak var weakNav: Navigation?
        var ends = 0
        do {
            let host = TestHost()
            let router = try Router(
                scripts: ScriptBundle(files: ["main.lua": Self.script]),
                host: host
            )
            router.start()
            let slow = router.navigate(Target("Slow", "show"))
            router.result(of: slow) { _ in ends += 1 }
            weakNav = slow
        }
        #expect(ends == 1)
        #expect(weakNav == nil)
    }

    @Test("a wait that has ended keeps no object alive")
    func waitsLeak() throws {
        final class Token {}
        weak var token: Token?
        let f = try fixture()
        let page = f.navigate("Page", "show", ["n": 1])
        do {
            let t = Token()
            token = t
            f.router.result(of: page, timeout: 1) { _ in _ = t }
        }
        f.router.advance(to: f.router.now + 2)
        #expect(token == nil)
    }

    @Test("if opening a window fails, the host is asked to close the window")
    func windowOutOfSync() throws {
        let f = try fixture()
        let s = try f.router.screen("Second")
        f.host.holds = true
        let n = f.router.openWindow("second", s)
        f.router.advance(to: f.router.now + 11)
        #expect(n.error?.code == .host)
        #expect(
            f.host.resynchronizations.map { $0.operations.map(\.name) } == [
                ["closeWindow", "root"]
            ]
        )
    }

    @Test("a completion does not wait until the host has restored the tree")
    func completionResync() throws {
        final class Deaf: RouterHost {
            var isDeaf = false
            func show(
                _ tree: ScreenTree,
                _ change: Change,
                done: @escaping (Result<Void, any Error>) -> Void
            ) {
                if !isDeaf { done(.success(())) }
            }
        }
        let host = Deaf()
        let router = try Router(scripts: ScriptBundle(files: ["main.lua": Self.script]), host: host)
        router.start()
        host.isDeaf = true
        var ends: [String] = []
        router.navigate(Target("Page", "show"), info: ["n": 1]) {
            ends.append($0.status.name)
        }
        router.advance(to: router.now + 10.5)
        #expect(ends == ["failed"])
    }

    @Test("going back after the shutdown does not call scripts")
    func backAfterShutdown() throws {
        let f = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Main" } end)
            router.onBack(function() router.state.back = 1 return true end)
            """
        )
        f.router.shutDown()
        #expect(f.router.handleBack() == false)
    }

    @Test("a task fails at its deadline, even if the host completes the task on cancellation")
    func deadlineEnds() throws {
        final class H: RouterHost {
            var t: HostTask?
            func show(
                _ tree: ScreenTree,
                _ change: Change,
                done: @escaping (Result<Void, any Error>) -> Void
            ) { done(.success(())) }
            func doTask(_ task: HostTask) { t = task }
            func cancelTask(_ task: HostTask) { task.end(false, "cancelled") }
        }
        let host = H()
        var log: [String] = []
        let router = try Router(
            scripts: ScriptBundle(files: [
                "main.lua": Self.script + "\nrouter.expects { tasks = { 'Host/work' } }"
            ]),
            host: host,
            onEvent: { if $0.kind == .log { log.append($0["message"].text ?? "") } }
        )
        router.start()
        var n = 0
        let task = router.doTask(Target("Host", "work"), timeout: 5) { _ in n += 1 }
        router.advance(to: router.now + 6)
        #expect(n == 1)
        #expect(log == [])
        if case .failed(let e) = task.status {
            #expect(e.code == .timeout)
        } else {
            Issue.record("not failed \(task.status)")
        }
        host.t?.end(true, .nil)
        #expect(log == ["task 'Host/work' was ended twice, by its timeout and by the host"])
    }

    @Test(
        "if a router is released while the host applies a change, the host discards the new screens"
    )
    func releaseDiscards() throws {
        let host = TestHost()
        do {
            let router = try Router(
                scripts: ScriptBundle(files: ["main.lua": Self.script]),
                host: host
            )
            router.start()
            host.holds = true
            router.navigate(Target("Page", "show"), info: ["n": 1])
        }
        #expect(!host.discarded.isEmpty)
    }

    @Test("setting the tree while the host restores the previous tree leaves no deadline behind")
    func setTreeDuringResync() throws {
        final class H: RouterHost {
            var mode = "ok"
            var shows: [(ScreenTree, Change, (Result<Void, any Error>) -> Void)] = []
            func show(
                _ tree: ScreenTree,
                _ change: Change,
                done: @escaping (Result<Void, any Error>) -> Void
            ) {
                shows.append((tree, change, done))
                if mode == "ok" { done(.success(())) }
            }
        }
        let host = H()
        let router = try Router(scripts: ScriptBundle(files: ["main.lua": Self.script]), host: host)
        router.start()
        host.mode = "hold"
        router.navigate(Target("Page", "show"), info: ["n": 1])
        router.advance(to: router.now + 11)
        #expect(host.shows.last?.1.isResynchronization == true)
        try router.setTree(TreeNotation("nav[A]"))
        #expect(router.nextDeadline == nil)
        host.mode = "ok"
        host.shows.last?.2(.success(()))
        let p = router.navigate(Target("Page", "show"), info: ["n": 2])
        #expect(p.status.name == "done")
        #expect(host.shows.last?.1.isResynchronization == true)
    }

    @Test("if a host task shuts the router down during an interceptor, no change is applied")
    func shutdownInTask() throws {
        final class H: RouterHost {
            weak var router: Router?
            var shows = 0
            var holds = false
            func show(
                _ tree: ScreenTree,
                _ change: Change,
                done: @escaping (Result<Void, any Error>) -> Void
            ) { shows += 1; if !holds { done(.success(())) } }
            func doTask(_ task: HostTask) { router?.shutDown(); task.end(true, .nil) }
        }
        let host = H()
        let router = try Router(
            scripts: ScriptBundle(files: [
                "main.lua": """
                router.expects { tasks = { "Host/work" } }
                router.start(function() return router.nav { router.screen "Main" } end)
                router.register("Page", "show", { build = router.screen "Page", intercept = function() router.doTask("Host", "work") end })
                """
            ]),
            host: host
        )
        host.router = router
        router.start()
        host.holds = true
        host.shows = 0
        let p = router.navigate(Target("Page", "show"))
        #expect(p.status.name == "cancelled")
        #expect(host.shows == 0)
    }
}
