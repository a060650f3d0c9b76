// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// Tests of apps that try to break a router in its callbacks.
@Suite(.failureReports)
struct EmbeddingTests {
    /// The callbacks in which an app can run code.
    enum Callback: String, CaseIterable {
        case show, prepare, discard, doTask, cancelTask, dependency, event
        case navigation, task, call, link, report, reload
    }

    /// An operation that an app performs in a callback.
    enum Deed: String, CaseIterable {
        case releases, shutsDown, navigates, goesBack, cancels, setsTree, reports, reloads, advances
        case calls, answersTwice
    }

    /// An app that performs one operation, once, in one of its callbacks.
    private final class App: RouterHost {
        var router: Router?
        let callback: Callback
        let deed: Deed
        var hasActed = false
        var begun = 0
        var ended = 0
        private var answers: [(Result<Void, any Error>) -> Void] = []

        init(_ callback: Callback, _ deed: Deed) { (self.callback, self.deed) = (callback, deed) }

        func navigate(_ service: String) {
            guard let router else { return }
            begun += 1
            router.navigate(Target(service, "show")) { [self] _ in
                ended += 1
                act(in: .navigation)
            }
        }

        func act(in current: Callback) {
            guard current == callback, !hasActed, let router else { return }
            hasActed = true
            // An observer of events must not call its router; it may release it.
            if current == .event, deed != .releases { return }
            switch deed {
            case .releases: self.router = nil
            case .shutsDown: router.shutDown()
            case .navigates: navigate("Page")
            case .goesBack:
                begun += 1
                router.back { [self] _ in ended += 1 }
            case .cancels: for navigation in router.pending { router.cancel(navigation) }
            case .setsTree: _ = try? router.setTree(TreeNotation("nav[Other]"))
            case .reports: router.report(.children([], of: router.tree.windows[0].root))
            case .reloads:
                begun += 1
                router.reload(router.bundle) { [self] _ in ended += 1 }
            case .advances: router.advance(to: router.now + 1)
            case .calls: _ = try? router.call("plain")
            case .answersTwice: for answer in answers { answer(.success(())) }
            }
        }

        func show(
            _ tree: ScreenTree,
            _ change: Change,
            done: @escaping (Result<Void, any Error>) -> Void
        ) {
            answers.append(done)
            act(in: .show)
            done(.success(()))
        }

        func prepare(_ screens: [ScreenID], in tree: ScreenTree) throws {
            act(in: .prepare)
            struct Refusal: Error {}
            if screens.contains(where: { tree.screen($0)?.class == "Refused" }) { throw Refusal() }
        }

        func discard(_ screens: [ScreenID]) { act(in: .discard) }

        func doTask(_ task: HostTask) {
            act(in: .doTask)
            if task.info["later"].isNil { task.end(true, .nil) }
        }

        func cancelTask(_ task: HostTask) { act(in: .cancelTask) }

        func dependency(_ name: String) -> Value? {
            act(in: .dependency)
            return 1
        }
    }

    private static let script = """
        router.start(function() return router.nav { router.screen "Main" } end)
        router.expects { tasks = { "Host/work" }, dependencies = { "store" } }
        router.register("Page", "show", { build = router.screen "Page" })
        router.register("Refused", "show", { build = router.screen "Refused" })
        router.register("Needing", "show", { build = router.screen "Page", needs = { "store" } })
        router.register("Working", "show", {
          build = router.screen "Page",
          intercept = function()
            router.doTask("Host", "work")
            local _, task = router.doTask("Host", "work", { later = true })
            router.delay(0, function() task:cancel() end)
          end,
        })
        router.routing("/a"):setAction(function() end)
        router.export("plain", function() return 1 end)
        router.export("waiting", function() router.sleep(0) return 1 end)
        """

    @Test(
        "every completion is called exactly once, whatever an app does in a callback",
        arguments: Callback.allCases,
        Deed.allCases
    )
    func reentrancy(_ callback: Callback, _ deed: Deed) throws {
        let app = App(callback, deed)
        weak var released: Router?
        do {
            let router = try Router(
                scripts: ScriptBundle(files: ["main.lua": Self.script]),
                host: app,
                configuration: .patient,
                onEvent: { [unowned app] _ in app.act(in: .event) }
            )
            (app.router, released) = (router, router)
        }
        app.router?.start()
        for service in ["Page", "Needing", "Refused", "Working", "Page"] { app.navigate(service) }
        app.begun += 1
        app.router?.doTask(Target("Host", "work")) { _ in
            app.ended += 1
            app.act(in: .task)
        }
        app.router?.call("waiting") { _ in app.act(in: .call) }
        app.router?.dispatch("/a") { _ in app.act(in: .link) }
        app.router?.report(.closed(window: "none")) { _ in app.act(in: .report) }
        if let router = app.router { router.reload(router.bundle) { _ in app.act(in: .reload) } }
        if let router = app.router { router.advance(to: router.now + 1) }
        if let router = app.router {
            #expect(router.tree.checkInvariants() == [])
            router.shutDown()
            #expect(router.pending.isEmpty)
        }
        #expect(app.hasActed)
        app.router = nil
        #expect(released == nil)
        // Without a router nothing was started, so nothing ends.
        #expect(app.ended == app.begun || deed == .releases && app.ended <= app.begun)
    }

    @Test("a long chain of host completions does not grow the stack, and has no limit")
    func chainedCompletions() throws {
        let fixture = try RouterFixture(Self.script)
        let router = fixture.router
        var count = 0
        var failures = 0
        func next() {
            guard count < 100_000 else { return }
            count += 1
            router.navigate(Target(count.isMultiple(of: 2) ? "Page" : "Other", "show")) {
                if case .failed(let error) = $0.status, error.code != .notFound { failures += 1 }
                if count.isMultiple(of: 100) { router.popToRoot() }
                next()
            }
        }
        next()
        while count < 100_000, let deadline = router.nextDeadline { router.advance(to: deadline) }
        #expect(count == 100_000)
        #expect(failures == 0)
        #expect(router.pending.isEmpty)
    }

    @Test("a thousand simultaneous routers leak nothing")
    func manyRouters() throws {
        var routers: [Router] = []
        for _ in 0..<1_000 {
            let bundle = ScriptBundle(files: ["main.lua": Self.script])
            let router = try Router(scripts: bundle, host: HeadlessHost(), configuration: .patient)
            router.start()
            router.navigate(Target("Page", "show"))
            routers.append(router)
        }
        #expect(routers.allSatisfy { $0.treeNotation() == "nav[Main, Page]" })
        weak let last = routers.last
        routers = []
        #expect(last == nil)
    }

    @Test("a report about a screen that does not exist changes nothing")
    func lies() throws {
        let fixture = try RouterFixture(Self.script)
        let other = try RouterFixture(Self.script)
        for _ in 0..<20 { other.navigate("Page", "show") }
        let foreign = try #require(other.router.tree.windows.first?.root)
        let unknown = try #require(other.router.tree[foreign].children.last)
        let root = try #require(fixture.router.tree.windows.first?.root)
        let leaf = try #require(fixture.router.tree[root].children.first)
        let lies: [Report] = [
            .children([unknown], of: root), .children([root], of: root),
            .children([leaf], of: unknown),
            .children([leaf, leaf], of: root), .selected(leaf), .selected(unknown),
            .dismissed(presenter: leaf), .dismissed(presenter: unknown),
            .presented(foreign: "nav", over: root), .presented(foreign: "Alert", over: unknown),
            .presented(foreign: "", over: root), .opened(window: "main", try TreeNotation("A")),
            .opened(window: "", try TreeNotation("A")), .closed(window: "main"),
            .closed(window: "x"),
        ]
        for lie in lies {
            fixture.router.report(lie)
            #expect(fixture.brokenRules == [], "\(lie)")
        }
        #expect(fixture.router.tree.windows.count <= 1)
    }
}
