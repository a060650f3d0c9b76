// SPDX-License-Identifier: MIT

import RouteCore
import TestSupport
import Testing

@testable import LuaRouting

/// Tests of rewinding a router to a checkpoint, which leaves everything outside of the router as it
/// is.
@Suite(.failureReports)
struct CheckpointTests {
    private static let script = """
        router.start(function() return router.nav { router.screen "Home" } end)
        router.class("Page", { fields = { "id" } })
        local function page(info) return router.screen("Page", { id = info.id }) end
        router.register("Page", "show", { build = page })
        router.register("Gated", "show", { build = page, ready = "open" })
        router.register("Asked", "show", {
          build = page, intercept = function() router.sleep(10) end,
        })
        router.expects { tasks = { "Host/work" }, dependencies = { "store" } }
        router.registerTask("Lua", "work", function() router.sleep(5) return 1 end)
        router.routing("/later")
        local count = 0
        router.export("count", function() count = count + 1 return count end)
        router.export("slow", function()
          for i = 1, 3 do count = count + 10 router.sleep(1) end
          return count
        end)
        local known
        router.export("keep", function(info) known = info end)
        router.export("known", function() return known and known.id end)
        """

    private let app: RouterFixture
    private var router: Router { app.router }

    init() throws { app = try RouterFixture(Self.script) }

    @Test("a rewind restores screens, state, clock, gates and the variables of scripts")
    func state() throws {
        app.navigate("Page", "show", ["id": 1])
        try router.setState("user", to: "ann")
        #expect(try app.call("count") == 1)
        let before = try router.checkpoint()
        let now = router.now

        app.navigate("Page", "show", ["id": 2])
        try router.setState("user", to: .nil)
        try router.ready("open")
        router.advance(to: now + 60)
        #expect(try app.call("count") == 2)
        try router.rewind(to: before)

        #expect(app.tree == "nav[Home, Page(id=1)]")
        #expect(router.state["user"] == "ann")
        #expect(router.now == now)
        #expect(!router.openGates.contains("open"))
        #expect(try app.call("count") == 2)
        #expect(app.brokenRules == [])
    }

    @Test("a router can be rewound to the same checkpoint repeatedly, and to any other checkpoint")
    func tree() throws {
        let home = try router.checkpoint()
        app.navigate("Page", "show", ["id": 1])
        let one = try router.checkpoint()
        try router.rewind(to: home)
        app.navigate("Page", "show", ["id": 2])
        let two = try router.checkpoint()
        for _ in 0..<3 {
            try router.rewind(to: one)
            #expect(app.tree == "nav[Home, Page(id=1)]")
            try router.rewind(to: two)
            #expect(app.tree == "nav[Home, Page(id=2)]")
            try router.rewind(to: home)
            #expect(app.tree == "nav[Home]")
        }
    }

    @Test("a function that waited at a checkpoint continues from its wait after each rewind")
    func coroutine() throws {
        var results: [Value] = []
        router.call("slow") { results.append((try? $0.get()) ?? .nil) }
        router.advance(to: router.now + 1)
        let waiting = try router.checkpoint()
        router.advance(to: router.now + 5)
        #expect(results == [30])
        for _ in 0..<2 {
            try router.rewind(to: waiting)
            #expect(router.pendingCalls.count == 1)
            #expect(try app.call("count") == 21)
            router.advance(to: router.now + 5)
            #expect(router.pendingCalls.isEmpty)
            #expect(try app.call("count") == 32)
        }
        // The app's completion was called once, by the first end.
        #expect(results == [30])
    }

    @Test("after a rewind the host shows each window again, and the only event is the rewind")
    func host() throws {
        let before = try router.checkpoint()
        app.navigate("Page", "show", ["id": 1])
        try router.setTree(TreeNotation("nav[]"), window: "other")
        app.forgetEvents()
        let events = before.sequence
        try router.rewind(to: before)

        let change = try #require(app.host.resynchronizations.last)
        #expect(change.isRewind)
        #expect(change.operations.map(\.name) == ["closeWindow", "root"])
        #expect(app.host.shown?.windows.map(\.name) == ["main"])
        #expect(app.events.map(\.kind) == [.rewind])
        #expect(app.events.first?.sequence == events)
        app.navigate("Page", "show", ["id": 2])
        #expect(app.events.dropFirst().first?.sequence == events + 1)
    }

    @Test("work that began after the checkpoint is cancelled exactly once")
    func begunSince() throws {
        let before = try router.checkpoint()
        var ends: [String] = []
        let gated = router.navigate(Target("Gated", "show")) {
            ends.append("gated \($0.status.name) \($0.error?.code.rawValue ?? "")")
        }
        router.navigate(Target("Asked", "show")) { ends.append("asked \($0.status.name)") }
        router.doTask(Target("Host", "work")) { ends.append("host \($0.status.name)") }
        router.doTask(Target("Lua", "work")) { ends.append("lua \($0.status.name)") }
        router.dispatch("/later") { ends.append("link \($0.status.name)") }
        router.call("slow") { result in
            if case .failure(let error) = result { ends.append("call \(error.code)") }
        }
        let task = try #require(app.host.takeTask { _ in true })
        router.doTask(Target("Host", "work"), info: ["other": true])
        #expect(ends == [])
        try router.rewind(to: before)
        // The task that the host still has was cancelled.
        #expect(app.host.takeTask { _ in true } == nil)
        #expect(
            gated.error?.message
                == "the router went back to a checkpoint from before this work began"
        )
        #expect(
            ends.sorted() == [
                "asked cancelled", "call cancelled", "gated cancelled cancelled",
                "host cancelled", "link cancelled", "lua cancelled",
            ]
        )
        #expect(gated.completions == 1)
        #expect(router.pending.isEmpty)
        #expect(router.nextDeadline == nil)
        // The host's late answer is ignored.
        task.end(true, 1)
        #expect(app.log.last?.hasPrefix("warn ") == true)
        #expect(ends.count == 6)
        try router.ready("open")
        #expect(app.tree == "nav[Home]")
    }

    @Test("work that ended after the checkpoint is pending again, but calls no completion twice")
    func endedSince() throws {
        var ends: [String] = []
        let gated = router.navigate(Target("Gated", "show")) { ends.append($0.status.name) }
        let task = router.doTask(Target("Host", "work")) { ends.append($0.status.name) }
        let link = router.dispatch("/later") { ends.append($0.status.name) }
        let before = try router.checkpoint()
        let work = try #require(app.host.takeTask { _ in true })
        for round in 1...2 {
            try router.ready("open")
            work.end(true, .integer(Int64(round)))
            router.cancel(link)
            #expect(gated.status.name == "done")
            #expect(task.status.name == "done")
            #expect(app.tree == "nav[Home, Page]")
            try router.rewind(to: before)
            #expect(gated.isPending)
            #expect(task.isPending)
            #expect(link.isPending)
            #expect(app.tree == "nav[Home]")
            // The host is not asked again; its answer may come once more.
            #expect(app.host.takeTask { _ in true } == nil)
        }
        #expect(ends.sorted() == ["cancelled", "done", "done"])
        #expect([gated.completions, task.completions, link.completions] == [1, 1, 1])
        #expect(app.brokenRules == [])
    }

    @Test(
        "a rewind restores an open question and the navigations that wait for its answer",
        arguments: [true, false]
    )
    func question(isLeft: Bool) throws {
        let app = try RouterFixture(
            Self.script + """

                router.class("Draft", {
                  leaving = function()
                    local _, isLeft = router.navigate("Ask", "show"):result()
                    if not isLeft then router.stop "it stays" end
                  end,
                })
                router.register("Ask", "show", { build = router.screen "Ask", via = "present" })
                router.register("Home", "show", { find = "Home" })
                """
        )
        let router = app.router
        try router.setTree(TreeNotation("nav[Home, Draft]"))
        let home = app.navigate("Home", "show")
        let back = router.back(2)
        #expect(app.tree == "nav[Home, Draft] ^ Ask")
        let ask = router.tree.topmost(of: router.tree.windows[0])
        let before = try router.checkpoint()
        for _ in 0..<2 {
            router.close(ask, value: .boolean(isLeft))
            #expect(home.status.name == (isLeft ? "done" : "failed"))
            #expect(!back.isPending)
            #expect(app.tree == (isLeft ? "nav[Home]" : "nav[Home, Draft]"))
            try router.rewind(to: before)
            #expect(home.isPending && back.isPending)
            #expect(app.tree == "nav[Home, Draft] ^ Ask")
        }
        #expect(app.brokenRules == [])
    }

    @Test("a completion that received a screen's result is not called again after a rewind")
    func awaitedSince() throws {
        let page = router.navigate(Target("Page", "show"), info: ["id": 1])
        let screen = try #require(page.screen)
        var results: [Value] = []
        router.result(of: page) { results.append((try? $0.get()) ?? .nil) }
        let before = try router.checkpoint()
        router.close(screen, value: 7)
        #expect(results == [7])
        try router.rewind(to: before)
        #expect(router.tree.isAlive(screen))
        router.close(screen, value: 8)
        #expect(results == [7])
    }

    @Test(
        "a wait for a result that began after the checkpoint is cancelled, even for an older screen"
    )
    func askedSince() throws {
        let page = router.navigate(Target("Page", "show"), info: ["id": 1])
        let screen = try #require(page.screen)
        let before = try router.checkpoint()
        var results: [String] = []
        router.result(of: page) { result in
            switch result {
            case .success: results.append("success")
            case .failure(let error): results.append("\(error.code) \(error.message)")
            }
        }
        try router.rewind(to: before)
        #expect(
            results == [
                "cancelled the router went back to a checkpoint from before this work began"
            ]
        )
        router.close(screen, value: 7)
        #expect(results.count == 1)
    }

    @Test("a rewind activates the generation of the checkpoint, and closes newer generations")
    func generations() throws {
        #expect(try app.call("count") == 1)
        let before = try router.checkpoint()
        let other = Self.script.replacing("count + 1", with: "count + 100")
        #expect(router.reload(ScriptBundle(files: ["main.lua": other])).isAccepted)
        #expect(try app.call("count") == 100)
        router.advance(to: router.now + 100)
        try router.rewind(to: before)
        #expect(try app.call("count") == 2)
        #expect(router.generationCount == 1)
        #expect(router.reload(ScriptBundle(files: ["main.lua": other])).isAccepted)
        #expect(try app.call("count") == 100)
    }

    @Test("after a rewind, the script state contains the host objects of the checkpoint again")
    func objects() throws {
        let object = HostObject("one")
        try app.call("keep", ["id": .object(object)])
        let before = try router.checkpoint()
        try app.call("keep", ["id": 5])
        router.collectGarbage()
        try router.rewind(to: before)
        #expect(try app.call("known") == .object(object))
    }

    @Test("after a rewind, a host dependency is the same object, and a newer object is released")
    func dependencies() throws {
        let app = try RouterFixture(
            """
            local store
            router.expects { dependencies = { "store" } }
            router.start(function() return router.nav { router.screen "Home" } end)
            router.register("Page", "show", {
              needs = { "store" },
              build = function(info, nav)
                store = nav.deps.store
                return router.screen "Page"
              end,
            })
            router.export("store", function() return store end)
            """
        )
        let tracker = LifetimeTracker()
        var asked = 0
        app.host.onDependency = { _ in
            asked += 1
            return .object(HostObject(tracker.track()))
        }
        func rewind(to checkpoint: Router.Checkpoint) throws {
            try app.router.rewind(to: checkpoint)
            app.router.collectGarbage()
        }
        let home = try app.router.checkpoint()
        do {
            app.navigate("Page", "show")
            let first = try app.call("store")
            #expect(tracker.liveCount == 1)
            let page = try app.router.checkpoint()
            try rewind(to: home)
            #expect(tracker.liveCount == 1)
            try rewind(to: page)
            app.navigate("Page", "show")
            #expect(app.tree == "nav[Home, Page, Page]")
            #expect(try app.call("store") == first)
            // The effects of the host's functions remain: it was asked once.
            #expect(asked == 1)
        }
        try rewind(to: home)
        #expect(tracker.liveCount == 0)
        app.navigate("Page", "show")
        #expect(asked == 2)
    }

    @Test(
        "a script's completion that was called after the checkpoint is called again after a rewind",
        arguments: [1, 3]
    )
    func scriptCompletions(count: Int) throws {
        let app = try RouterFixture(
            Self.script + """

                local ends = 0
                router.export("go", function()
                  router.navigate("Gated", "show", {}, { completion = function() ends = ends + 1 end })
                end)
                router.export("ends", function() return ends end)
                """
        )
        try app.call("go")
        let before = try app.router.checkpoint()
        for _ in 0..<count {
            try app.router.ready("open")
            #expect(try app.call("ends") == 1)
            try app.router.rewind(to: before)
            #expect(try app.call("ends") == 0)
        }
    }

    @Test("creating a checkpoint in the middle of a change is refused, and nothing changes")
    func refusals() throws {
        let before = try router.checkpoint()
        app.host.holds = true
        app.navigate("Page", "show", ["id": 1])
        for attempt in [{ _ = try router.checkpoint() }, { try router.rewind(to: before) }] {
            let error = #expect(throws: RouteError.self) { try attempt() }
            #expect(error?.code == .busy)
        }
        app.host.answer()
        #expect(app.tree == "nav[Home, Page(id=1)]")

        var inside: RouteError?
        let heard = router.onEvent
        router.onEvent = { event in
            heard?(event)
            do throws(RouteError) { _ = try router.checkpoint() } catch { inside = error }
        }
        app.host.holds = false
        app.navigate("Page", "show", ["id": 2])
        #expect(inside?.code == .busy)
        router.onEvent = heard

        let other = try RouterFixture(Self.script)
        #expect(throws: RouteError.self) { try other.router.rewind(to: before) }
        router.shutDown()
        #expect(throws: RouteError.self) { try router.rewind(to: before) }
    }

    @Test("checkpoints that would need too much memory are refused")
    func memory() throws {
        var configuration = Router.Configuration.patient
        configuration.checkpointBytes = 100
        let app = try RouterFixture(Self.script, configuration: configuration)
        let error = #expect(throws: RouteError.self) { _ = try app.router.checkpoint() }
        #expect(error?.code == .budget)
        #expect(app.router.checkpointBytes == 0)
    }

    @Test(
        "a refused checkpoint does not change the size of the checkpoints",
        arguments: [10, 1_000, 30_000]
    )
    func refusal(_ length: Int) throws {
        let script = """
            local known = {}
            router.export('keep', function(t) known[#known + 1] = t.text end)
            """
        let plain = try RouterFixture(script, starts: false)
        let kept = try plain.router.checkpoint()
        var configuration = Router.Configuration.patient
        configuration.checkpointBytes = plain.router.checkpointBytes
        withExtendedLifetime(kept) {}
        let app = try RouterFixture(script, configuration: configuration, starts: false)
        let first = try app.router.checkpoint()
        let bytes = app.router.checkpointBytes
        for _ in 1...3 {
            try app.call("keep", ["text": Value(String(repeating: "x", count: length))])
            let error = #expect(throws: RouteError.self) { _ = try app.router.checkpoint() }
            #expect(error?.code == .budget)
            #expect(app.router.checkpointBytes == bytes)
        }
        try app.router.rewind(to: first)
        #expect(app.router.checkpointBytes == bytes)
        // A checkpoint of the same state needs a few bytes too.
        _ = try? app.router.checkpoint()
        #expect(app.router.checkpointBytes == bytes)
    }

    @Test("values that only checkpoints reference do not count toward the memory of the scripts")
    func keptMemory() throws {
        try app.call("count")
        let bytes = router.keptBytes
        var checkpoints: [Router.Checkpoint] = []
        let home = try router.checkpoint()
        for id in 1...50 {
            try router.rewind(to: home)
            let text = Value(String(repeating: "x", count: 1_000))
            router.navigate(
                Target("Gated", "show"),
                info: ["id": .integer(Int64(id)), "text": text]
            )
            checkpoints.append(try router.checkpoint())
        }
        #expect(router.keptBytes < bytes + 10_000, "\(bytes) and \(router.keptBytes)")
        try router.rewind(to: home)
        #expect(router.keptBytes == bytes)
        try router.rewind(to: checkpoints[7])
        #expect(router.pending.count == 1)
        #expect(router.keptBytes > bytes + 1_000)
        checkpoints = []
        try router.rewind(to: home)
        #expect(router.keptBytes == bytes)
        #expect(router.checkpointBytes > 0)
    }

    @Test("completed work that only the app references does not use memory after a rewind")
    func keptByApp() throws {
        let home = try router.checkpoint()
        let bytes = router.keptBytes
        var held: [Navigation] = []
        for id in 1...50 {
            let target = Target("Page", "show")
            held.append(router.navigate(target, info: ["id": .integer(Int64(id))]))
            if id % 2 == 0 { _ = try router.checkpoint() }
            try router.rewind(to: home)
            #expect(router.keptBytes == bytes)
        }
        #expect(held.count == 50)
    }

    @Test("an abandoned branch of the history does not keep values in memory")
    func leaks() throws {
        let tracker = LifetimeTracker()
        weak var navigation: Navigation?
        do {
            let before = try router.checkpoint()
            let token = tracker.track()
            navigation = router.navigate(Target("Asked", "show")) { _ in
                withExtendedLifetime(token) {}
            }
            try router.rewind(to: before)
        }
        #expect(navigation == nil)
        #expect(tracker.liveCount == 0)
        #expect(router.checkpointBytes == 0)
    }

    @Test("scripts that are closed after a rewind release their screens", arguments: 0...2)
    func closedScripts(detours: Int) throws {
        let script = """
            local kept = router.screen("Kept")
            router.export("kept", function() return kept.class end)
            router.start(function() return router.nav { router.screen "Home" } end)
            """
        let app = try RouterFixture(script)
        let router = app.router
        func reload(_ number: Int) {
            let bundle = ScriptBundle(files: ["main.lua": script + "\n-- \(number)"])
            #expect(router.reload(bundle).isAccepted)
        }
        for number in 0..<detours {
            let before = try router.checkpoint()
            reload(number)
            if number == 1 { reload(100) }
            try router.rewind(to: before)
        }
        #expect(router.tree.heldCount == 3)
        for number in 10...12 {
            reload(number)
            router.collectGarbage()
            #expect(router.tree.heldCount == 3, "\(number)")
        }
    }

    @Test(
        "the values of a waiting function are released when its scripts are closed",
        arguments: 0...9
    )
    func waitedWith(line: Int) throws {
        let script = """
            router.start(function() return router.nav { router.screen "Home" } end)
            router.register("Asked", "show", {
              build = router.screen "Page",
              intercept = function(nav, proceed) router.sleep(0.25) do return true end end,
            })
            """
        let app = try RouterFixture(script)
        let router = app.router
        weak let navigation = router.navigate(Target("Asked", "show"))
        do {
            let before = try router.checkpoint()
            switch line {
            case 1: router.advance(to: 60)
            case 2:
                router.advance(to: 60)
                router.collectGarbage()
            case 3:
                router.advance(to: 60)
                try router.rewind(to: try router.checkpoint())
            case 4:
                try router.rewind(to: try router.checkpoint())
                router.advance(to: 60)
            case 5...9:
                navigation.map { _ = router.cancel($0) }
                if line == 6 { router.collectGarbage() }
                if line > 6 {
                    let inner = try router.checkpoint()
                    if line == 8 { router.collectGarbage() }
                    if line == 9 { router.navigate(Target("Asked", "show")) }
                    try router.rewind(to: inner)
                }
            default: break
            }
            try router.rewind(to: before)
        }
        router.reload(ScriptBundle(files: ["main.lua": script + "-- 2"]))
        router.advance(to: router.now + 60)
        router.collectGarbage()
        #expect(app.tree == "nav[Home, Page]")
        #expect(navigation == nil)
    }
}
