// SPDX-License-Identifier: MIT

import LuaVM
import RouteCore
import TestSupport
import Testing

@testable import LuaRouting

/// All operations of a router, from loading its scripts to its shutdown, in which memory
/// allocations fail.
final class Faults {
    /// The outcome of each operation, and the log.
    private(set) var outcomes: [String] = []
    /// The violated properties.
    ///
    /// They must be empty, whichever allocation fails.
    private(set) var faults: [String] = []
    /// The number of memory allocations.
    private(set) var requests = 0

    private let tracker: LifetimeTracker
    private let host = TestHost()
    private var navigations: [Navigation] = []
    private var tasks: [RouteTask] = []
    /// The number of calls of each completion handler of a navigation or task.
    private var ends: [Int] = []

    /// Loads the scripts, performs all operations, and releases the router.
    ///
    /// - Parameters:
    ///   - loading: The allocations that fail while the scripts load.
    ///   - running: The allocations that fail afterwards.
    ///   - tracker: Counts the completions that are alive.
    init(
        loading: LuaState.Refusal = .none,
        running: LuaState.Refusal = .none,
        _ tracker: LifetimeTracker
    ) {
        self.tracker = tracker
        weak var ended: Router?
        live(loading, running, &ended)
        if ended != nil { faults.append("the router leaks") }
    }

    /// Whether an allocation failed and caused an error.
    var isRefused: Bool {
        outcomes.contains { $0.contains("budget") || $0.contains("memory limit exceeded") }
    }

    private func live(
        _ loading: LuaState.Refusal,
        _ running: LuaState.Refusal,
        _ ended: inout Router?
    ) {
        var configuration = Router.Configuration.patient
        configuration.refusal = loading
        let router: Router
        do throws(RouteError) {
            router = try Router(
                scripts: ScriptBundle(files: Self.files),
                host: host,
                configuration: configuration,
                onEvent: { [unowned self] in note($0) }
            )
        } catch {
            outcomes.append("load: \(error.code)")
            return
        }
        ended = router
        let state = router.generation.runtime.lua
        requests = state.requests
        state.refuse(running)
        run(router)
        if case .none = running {} else { requests = state.requests }
        state.refuse(.none)
        finish(router)
        recover(router)
        router.collectGarbage()
        if !router.generation.runtime.objects.heldNavigations.isEmpty {
            faults.append("navigations held")
        }
        if !router.generation.runtime.objects.heldTasks.isEmpty { faults.append("tasks held") }
        if state.liveThreads != 0 { faults.append("\(state.liveThreads) coroutines are left") }
    }

    private func note(_ event: Event) {
        guard event.kind == .log else { return }
        outcomes.append("\(event["level"]): \(event["message"])")
    }

    private func check(_ router: Router) {
        for rule in router.tree.checkInvariants() { faults.append(rule) }
    }

    // MARK: The operations

    private func run(_ router: Router) {
        follow(router) { router.start(completion: $0) }
        for (service, info) in Self.requests {
            follow(router) {
                router.navigate(Target(service, "show"), info: info, completion: $0)
            }
            if service == "Slow" { router.advance(to: router.now + 3) }
        }
        for text in ["off|{\"id\":8}", "needs|{\"id\":[1,{\"a\":\"b\"}]}", "none|{}"] {
            follow(router) { router.open(text, completion: $0) }
        }
        for name in ["load", "later", "slow", "host"] {
            let end = ending()
            tasks.append(
                router.doTask(Target("Work", name), info: ["n": 1]) { _ in end() }
            )
            check(router)
        }
        host.takeTask { $0.task == "shoot" }?.end(true, "photo")
        router.advance(to: router.now + 2)
        do throws(RouteError) {
            outcomes.append("export: \(try router.call("ask", ["list": ["a", 2]]))")
        } catch {
            outcomes.append("export: \(error.code)")
        }
        check(router)
        // A chain of screens that wait for each other, left one after the other.
        follow(router) {
            router.navigate(Target("Picker", "ask"), completion: $0)
        }
        router.advance(to: router.now + 1)
        for _ in 0..<3 {
            follow(router) { router.back(completion: $0) }
        }
        follow(router) { router.dismissAll(completion: $0) }
        host.holds = true
        follow(router) {
            router.navigate(Target("Plain", "show"), info: ["n": 9], completion: $0)
        }
        if case .applying = router.turn { host.refuse() }
        host.holds = false
        follow(router) { router.popToRoot(completion: $0) }
        outcomes.append("tree: \(router.treeNotation())")
        if let root = router.tree.windows.first?.root {
            router.report(.children([], of: root))
            check(router)
        }
    }

    private func ending() -> () -> Void {
        let token = tracker.track()
        let number = ends.count
        ends.append(0)
        return { [unowned self] in
            _ = token
            ends[number] += 1
        }
    }

    private func follow(
        _ router: Router,
        _ begin: (@escaping (Navigation) -> Void) -> Navigation
    ) {
        let end = ending()
        navigations.append(begin { _ in end() })
        check(router)
    }

    // MARK: The next operation

    /// Lets all work end, and checks that each navigation and task has ended once.
    private func finish(_ router: Router) {
        // Without a first tree all wait for one.
        if router.tree.windows.isEmpty { router.start() }
        settle(router)
        for navigation in navigations {
            outcomes.append(
                "\(navigation.target.map { "\($0)" } ?? "leave"): \(navigation.status.name) "
                    + (navigation.error.map { "\($0.code)" } ?? "")
            )
            if navigation.completions != 1 || navigation.isPending {
                faults.append("\(navigation.target as Any) ended \(navigation.completions) times")
            }
        }
        for task in tasks {
            outcomes.append("\(task.target): \(task.status)")
            if task.completions != 1 {
                faults.append("\(task.target) ended \(task.completions) times")
            }
        }
        if ends.contains(where: { $0 != 1 }) { faults.append("completions ran \(ends) times") }
        if !router.pending.isEmpty { faults.append("\(router.pending.count) are pending") }
        if !router.pendingTasks.isEmpty { faults.append("\(router.pendingTasks) are pending") }
        navigations = []
        tasks = []
    }

    /// Lets enough time pass to end every wait.
    private func settle(_ router: Router) {
        for _ in 0..<200 {
            guard let next = router.nextDeadline, next.isFinite else { break }
            router.advance(to: next)
        }
        check(router)
    }

    private func recover(_ router: Router) {
        let start = router.start()
        settle(router)
        let plain = router.navigate(Target("Plain", "show"), info: ["n": 7])
        let task = router.doTask(Target("Work", "load"), info: ["n": 2])
        if start.status.name != "done" || plain.status.name != "done"
            || !router.treeNotation().contains("Plain(n=7)")
        {
            faults.append("the next navigation: \(plain.status)")
        }
        if task.status.name != "done" { faults.append("the next task: \(task.status)") }
        check(router)
    }

    // MARK: The scripts

    private static let requests: [(String, InfoTable)] = [
        ("Plain", ["n": 1]), ("Reused", ["id": 1]), ("Reused", ["id": 1]), ("Guarded", ["id": 2]),
        ("Slow", ["id": 3]), ("Chain", ["id": 4]), ("Found", ["id": 4]), ("Sheet", ["id": 5]),
        ("Needs", ["id": 6]), ("Off", ["id": 7]), ("Stopped", [:]), ("Away", [:]),
        ("Wrong", ["id": "text"]), ("Failing", [:]),
    ]

    private static let files = [
        "main.lua": """
        local names = require "names"
        router.class("Form", { fields = { "id", "draft" }, leaving = function(nav, screen)
          router.sleep(0.25)
          return screen.id ~= 99
        end })
        router.expects { tasks = { "Camera/shoot" } }
        router.start(function() return router.nav { router.screen "Main" } end)
        router.interceptor("login", { timeout = 20 }, function(nav)
          if router.state.user then return end
          local ok, value = router.navigate("Login", "show"):await()
          if not ok then router.stop("no login") end
          router.state.user = { name = "u" .. nav.info.id, list = { 1, 2 } }
        end)
        router.interceptor("proceed", function(nav, proceed)
          router.delay(0.5, function() proceed(true) end)
        end)
        router.interceptAll("proceed", { only = { "Slow" } })
        router.register("Login", "show", { via = "presentWithNav", after = function(screen)
          router.delay(0.1, function() router.close(screen, "user") end)
        end, build = function() return router.screen "Login" end })
        router.register("Plain", "show", function(info)
          return router.screen("Plain", { n = info.n })
        end)
        router.register("Reused", "show", function(info)
          local page = router.reuse(function(screen)
            return screen.class == "Reused" and screen.id == info.id
          end) or router.screen("Reused")
          page.id, page.label = info.id, names.of(info.id)
          return page
        end)
        router.register("Guarded", "show", {
          info = { id = "integer" },
          intercept = { "login", function(nav) router.sleep(0.5) return true end },
          prepare = function(info) if info.id > 90 then router.stop("too large") end end,
          build = function(info) return router.screen("Form", { id = info.id }) end,
          closed = function(screen, value) print("closed", screen.class, value) end,
        })
        router.register("Slow", "show", {
          build = function(info) return router.screen("Slow", { id = info.id }) end,
          after = function(screen)
            router.sleep(1)
            screen.seen = ("x"):rep(40)
            local ok, value = select(2, router.doTask("Work", "later", { n = 5 })):await()
            print("after", ok, value)
          end,
        })
        router.register("Chain", "show", {
          info = { id = "integer" },
          find = { class = "Chain", by = "id" },
          build = function(info) return router.screen("Chain", { id = info.id }) end,
          via = "push",
          from = router.switch {
            { when = function(screen) return screen.class == "None" end, from = "current" },
            default = router.newNav { via = router.present { style = "sheet" }, from = { "Plain", "show" } },
          },
          adapt = function(info) return { n = info.id + 1 } end,
        })
        router.register("Found", "show", {
          find = { match = function(screen, info) return screen.class == "Chain" end, search = "fullStack" },
          update = function(screen, info) screen.found = info.id end,
          build = function() return router.screen "Found" end,
        })
        router.register("Sheet", "show", {
          build = router.tabs { router.nav { { "Plain", "show" } }, { "Reused", "show" } },
          via = "present",
        })
        router.provide("names", function() return { text = ("z"):rep(30) } end)
        router.provide("label", function()
          local label = setmetatable({ names = router.dependency("names") }, { __index = names })
          return label
        end)
        router.register("Needs", "show", {
          needs = { "label", "names" },
          build = function(info, nav)
            return router.screen("Needs", { text = nav.deps.label.names.text, id = info.id })
          end,
          closed = function(screen, value, nav) print(nav.deps.names.text) end,
        })
        router.register("Off", "show", {
          needs = "names",
          enabled = function(info, nav) return #nav.deps.names.text == 0 end,
          fallback = { "Needs", "show" },
          build = function() return router.screen "Off" end,
        })
        router.handle({ "needs", "off" }, { info = { id = "integer" } }, function(route, from)
          return route.identifier == "off" and "Off" or "Needs", "show", { id = route.info.id }
        end)
        router.register("Stopped", "show", {
          intercept = function(nav) router.stop("not " .. nav.service) end,
          build = function() return router.screen "Stopped" end,
        })
        router.register("Away", "show", {
          intercept = function() router.redirect("Plain", "show", { n = 8 }) end,
          build = function() return router.screen "Away" end,
        })
        router.register("Wrong", "show", { info = { id = "integer" }, build = function() end })
        router.register("Failing", "show", function() error("failing") end)
        router.register("Picker", "ask", {
          build = function() return router.screen "Asking" end,
          after = function()
            local ok, value = router.navigate("Plain", "show", { n = 3 }):result { timeout = 60 }
            print("result", ok, value)
          end,
        })
        router.registerTask("Work", "load", function(info) return { n = info.n, list = { 1, 2, 3 } } end)
        router.registerTask("Work", "later", function(info, done)
          router.delay(0.5, function() done(true, { n = info.n }) end)
        end)
        router.registerTask("Work", "slow", function(info)
          router.sleep(1)
          return ("y"):rep(info.n * 50)
        end)
        router.registerTask("Work", "host", function(info, done)
          router.doTask("Camera", "shoot", info, function(ok, photo) done(ok, photo) end)
        end)
        router.fallback { screen = function(service) return nil end }
        router.on("done", function(event) router.state.last = event.navigation end)
        router.export("ask", function(info)
          local list = {}
          for i, item in ipairs(info.list) do list[i] = item .. "!" end
          return { list = list, top = router.topmost(), n = #router.services() }
        end)
        """,
        "names.lua": """
        return { of = function(id) return ("name %d"):format(id) end }
        """,
    ]
}
