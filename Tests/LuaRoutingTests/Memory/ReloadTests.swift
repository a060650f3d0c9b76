// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import LuaRouting

@Suite("Reloading", .failureReports)
struct ReloadTests {
    private static let first = """
        router.start(function() return router.nav { router.screen "Main" } end)
        router.register("Show", "open", {
          build = function() return router.screen("Show", { by = "first" }) end,
        })
        router.register("Old", "show", function() return router.screen "Old" end)
        """
    private static let second = """
        router.start(function() return router.nav { router.screen "Main" } end)
        router.register("Show", "open", {
          build = function() return router.screen("Show", { by = "second" }) end,
        })
        router.register("New", "show", function() return router.screen "New" end)
        """

    private func bundle(_ script: String) -> ScriptBundle {
        ScriptBundle(files: ["main.lua": script])
    }

    // MARK: The active generation

    @Test("valid scripts become active, and the changes are reported")
    func accepted() throws {
        let fixture = try RouterFixture(Self.first)
        fixture.navigate("Show", "open")
        let reload = fixture.router.reload(bundle(Self.second))
        guard case .accepted(let acceptance) = reload.status else {
            Issue.record("\(reload.status)")
            return
        }
        #expect(acceptance.generation == 2)
        #expect(acceptance.added == ["New/show"])
        #expect(acceptance.changed == ["Show/open"])
        #expect(acceptance.removed == ["Old/show"])
        fixture.navigate("Show", "open")
        #expect(fixture.tree == #"nav[Main, Show(by="first"), Show(by="second")]"#)
        let error = fixture.navigate("Old", "show").error
        #expect(error?.code == .notFound)
        let told = try #require(fixture.events.first { $0.kind == .reload })
        #expect(told["status"].text == "accepted")
        #expect(fixture.events.last?.generation == 2)
    }

    @Test(
        "a route is reported as changed if the tokens of its statement differ",
        arguments: [
            (#"local text = [[\nleft margin\n]] return router.screen "B""#, ["Show/open"]),
            (#"local text = [[\nother text\n]] return router.screen "A""#, ["Show/open"]),
            ("--[[\nleft margin\n]] local text return router.screen 'B'", ["Show/open"]),
            (#"local text = [[\nleft margin\n]] return router.screen "A" -- a comment"#, []),
        ]
    )
    func statements(_ body: String, _ changed: [String]) throws {
        func script(_ body: String) -> String {
            """
            router.start(function() return router.nav{ router.screen "Main" } end)
            router.register("Show", "open", function()
              \(body.replacing("\\n", with: "\n"))
            end)
            local another = 1
            """
        }
        let before = #"local text = [[\nleft margin\n]] return router.screen "A""#
        let fixture = try RouterFixture(script(before))
        let reload = fixture.router.reload(bundle(script(body)))
        guard case .accepted(let acceptance) = reload.status else {
            Issue.record("\(reload.status)")
            return
        }
        #expect(acceptance.changed == changed)
    }

    @Test("a reload of identical files changes nothing, and is not reported")
    func unchanged() throws {
        let fixture = try RouterFixture(Self.first)
        #expect(fixture.router.reload(bundle(Self.first)).status.name == "unchanged")
        #expect(fixture.events.map(\.kind) == [.host])
    }

    @Test("an unreadable bundle is rejected and reported like any other rejection")
    func unreadable() throws {
        let fixture = try RouterFixture(Self.first)
        #expect(throws: BundleError.self) {
            do throws(BundleError) {
                _ = try ScriptBundle(path: "Tests/no/such.lua")
            } catch {
                let rejection = fixture.router.reject(unreadable: error)
                #expect(rejection.reason == .missing)
                #expect(rejection.findings.map(\.message) == [error.message])
                throw error
            }
        }
        let told = try #require(fixture.events.last)
        #expect(told.kind == .reload)
        #expect(told["status"].text == "rejected")
        #expect(told["reason"].text == "missing")
        #expect(fixture.navigate("Show", "open").error == nil)
    }

    static let broken: [(script: String, reason: Reload.Rejection.Reason, message: String)] = [
        ("router.register('Show'", .syntax, "')' expected"),
        ("error('no')", .script, "no"),
        ("while true do end", .budget, "budget"),
        ("local x = 1", .check, "nothing"),
        (first + "\nrequire 'gone'", .script, "module 'gone' not found"),
        (first + "\nrequire 'halfway'", .syntax, "halfway.lua:1"),
        (first + "\nrouter.register('A', 'b', { from = { 'No', 'where' } })", .check, "No"),
        (first + "\nrouter.navigate('Show', 'open')", .script, "load"),
        (first + "\nrouter.migrate(function(state) error('cannot') end)", .migrate, "cannot"),
        (first + "\nrouter.migrate(function() return 7 end)", .migrate, "integer"),
        (first + "\nrouter.migrate(function() return { a = print } end)", .migrate, "function"),
    ]

    @Test("invalid scripts are rejected, and nothing changes", arguments: broken)
    func rejected(_ script: String, _ reason: Reload.Rejection.Reason, _ message: String) throws {
        let fixture = try RouterFixture(Self.first)
        fixture.navigate("Show", "open")
        try fixture.router.setState("count", to: 3)
        let (tree, screens) = (fixture.tree, fixture.router.tree.heldCount)
        let reload = fixture.router.reload(
            ScriptBundle(files: [
                "main.lua":
                    "router.state.count = 4 local made = router.nav{ router.screen 'X' }\n"
                    + script,
                "halfway.lua": "return {",
            ])
        )
        let rejection = try #require(reload.rejection)
        #expect(rejection.reason == reason)
        #expect(rejection.findings.first?.description.contains(message) == true, "\(rejection)")
        #expect(fixture.events.last { $0.kind == .reload }?["status"].text == "rejected")
        #expect(fixture.tree == tree)
        #expect(fixture.router.state["count"] == 3)
        fixture.router.collectGarbage()
        #expect(fixture.router.tree.heldCount == screens)
        #expect(fixture.router.generations.count == 1)
        fixture.navigate("Show", "open")
        #expect(fixture.tree == #"nav[Main, Show(by="first"), Show(by="first")]"#)
    }

    @Test("if the active scripts call 'router.complete()', scripts without this call are rejected")
    func complete() throws {
        let fixture = try RouterFixture(Self.first + "\nrouter.complete()")
        #expect(fixture.router.reload(bundle(Self.second)).rejection?.reason == .check)
        #expect(fixture.router.reload(bundle(Self.second + "\nrouter.complete()")).isAccepted)
    }

    @Test(
        "scripts that expect tasks or screens that the host lacks are rejected with all their names"
    )
    func manifest() throws {
        var configuration = Router.Configuration.patient
        configuration.manifest = HostManifest(
            tasks: [],
            screens: ["Main": .init(), "Show": .init()]
        )
        let first = """
            router.expects { screens = { "Main", "Show" } }
            router.register("Show", "open", function() return router.screen "Show" end)
            """
        let router = try Router(
            scripts: bundle(first),
            host: TestHost(),
            configuration: configuration
        )
        let more = first.replacing(
            "\"Show\" }",
            with: "\"Show\", \"Web\" }, tasks = { \"Ads/load\" }"
        )
        let rejection = router.reload(bundle(more)).rejection
        #expect(rejection?.reason == .check)
        #expect(rejection?.findings.count == 2, "\(rejection?.findings ?? [])")
    }

    // MARK: State and screens

    @Test("a reload keeps the state, and the new scripts may migrate it")
    func migration() throws {
        let fixture = try RouterFixture(Self.first)
        try fixture.router.setState("users", to: .table(InfoTable(list: ["ann", "bob"])))
        let script =
            Self.second + """

                router.migrate(function(state)
                  state.userCount = #state.users
                  state.users = nil
                end)
                """
        #expect(fixture.router.reload(bundle(script)).isAccepted)
        #expect(fixture.router.state["userCount"] == 2)
        #expect(fixture.router.state["users"] == .nil)
    }

    @Test("a screen whose route was removed stays on screen, unless the route declared 'vanished'")
    func vanished() throws {
        let script = """
            router.start(function() return router.nav { router.screen "Main" } end)
            router.register("Keep", "it", function() return router.screen "Keep" end)
            router.register("Pop", "it", {
              build = function() return router.screen "Pop" end, vanished = "pop",
            })
            router.register("Sheet", "it", {
              build = function() return router.screen "Sheet" end, vanished = "pop",
              via = "presentWithNav",
            })
            """
        let fixture = try RouterFixture(script)
        for name in ["Pop", "Keep", "Sheet"] { fixture.navigate(name, "it") }
        #expect(fixture.tree == "nav[Main, Pop, Keep] ^ nav[Sheet]")
        fixture.host.forgetChanges()
        #expect(fixture.router.reload(bundle(Self.first)).isAccepted)
        #expect(fixture.tree == "nav[Main, Keep]")
        #expect(fixture.operations == ["dismiss", "children"])
        #expect(fixture.brokenRules == [])
    }

    @Test("a window keeps its root screen even if the route was removed")
    func rootStays() throws {
        let script = """
            router.start { "Pop", "it" }
            router.register("Pop", "it", {
              build = function() return router.screen "Pop" end, vanished = "pop",
            })
            """
        let fixture = try RouterFixture(script)
        #expect(fixture.router.reload(bundle(Self.first)).isAccepted)
        #expect(fixture.tree == "nav[Pop]")
    }

    @Test("the functions of the new scripts are called for screens of the previous generation")
    func closed() throws {
        func script(_ word: String) -> String {
            """
            router.start(function() return router.nav { router.screen "Main" } end)
            router.register("Show", "open", {
              build = function() return router.screen "Show" end,
              reuse = "\(word == "old" ? "never" : "class")",
              closed = function() router.log.info("closed by the \(word) ones") end,
            })
            """
        }
        let fixture = try RouterFixture(script("old"))
        fixture.navigate("Show", "open")
        fixture.router.reload(bundle(script("new")))
        fixture.navigate("Show", "open")
        #expect(fixture.tree == "nav[Main, Show]")
        fixture.router.back()
        #expect(fixture.log == ["info closed by the new ones"])
    }

    // MARK: In flight

    private static func waiting(_ word: String) -> String {
        """
        router.start(function() return router.nav { router.screen "Main" } end)
        router.register("Slow", "show", {
          build = function() return router.screen("Slow", { by = "\(word)" }) end,
          intercept = function()
            router.sleep(10)
            router.log.info("slept in the \(word) ones")
          end,
          after = function() router.log.info("after of the \(word) ones") end,
        })
        router.register("Quick", "show", function() return router.screen("Quick") end)
        router.registerTask("Work", "do", function(info, done)
          router.delay(5, function() done(true, "\(word)") end)
        end)
        router.register("Login", "show", function() return router.screen("Login") end)
        router.register("Orders", "show", {
          build = function() return router.screen("Orders", { by = "\(word)" }) end,
          intercept = function()
            local login = router.navigate("Login", "show", {}, { via = "presentWithNav" })
            if not login:result() then router.stop() end
          end,
        })
        """
    }

    @Test("an active navigation finishes in its own generation, and new work uses the new scripts")
    func inFlight() throws {
        let fixture = try RouterFixture(Self.waiting("old"))
        let slow = fixture.navigate("Slow", "show")
        let work = fixture.doTask("Work", "do")
        #expect(fixture.router.reload(bundle(Self.waiting("new"))).isAccepted)
        let newer = fixture.doTask("Work", "do")
        fixture.router.advance(to: fixture.router.now + 10)
        guard case .done = slow.status else {
            Issue.record("\(slow.status)")
            return
        }
        #expect(work.results == [true, "old"])
        #expect(newer.results == [true, "new"])
        #expect(fixture.tree == #"nav[Main, Slow(by="old")]"#)
        #expect(fixture.log == ["info slept in the old ones", "info after of the old ones"])
        #expect(fixture.router.generations.map(\.number) == [2])
        // Each event of the navigation has the number of its scripts.
        #expect(Set(fixture.events.filter { $0.navigation == slow.id }.map(\.generation)) == [1])
    }

    @Test(
        "a login that is open during a reload still resumes the navigation that waits for the login"
    )
    func login() throws {
        let fixture = try RouterFixture(Self.waiting("old"))
        let orders = fixture.navigate("Orders", "show")
        #expect(fixture.tree == "nav[Main] ^ nav[Login]")
        #expect(fixture.router.reload(bundle(Self.waiting("new"))).isAccepted)
        let login = try #require(
            fixture.router.tree.windows.first.map(fixture.router.tree.visibleLeaf)
        )
        fixture.router.close(login, value: "ann")
        #expect(orders.isPending == false)
        #expect(fixture.tree == #"nav[Main, Orders(by="old")]"#)
        #expect(fixture.router.retired.isEmpty)
    }

    @Test("a navigation is superseded when the drain time of its generation ends")
    func drained() throws {
        let fixture = try RouterFixture(
            Self.waiting("old") + "\nrouter.options { drain = 4 }"
        )
        let slow = fixture.navigate("Slow", "show")
        let work = fixture.doTask("Work", "do")
        weak let old = fixture.router.generations.first
        fixture.router.reload(bundle(Self.waiting("new")))
        fixture.router.advance(to: fixture.router.now + 3.9)
        #expect(slow.isPending && work.isPending && old != nil)
        fixture.router.advance(to: fixture.router.now + 0.2)
        #expect(slow.error?.code == .superseded)
        #expect(!work.isPending)
        #expect(old == nil)
        #expect(fixture.router.nextDeadline == nil)
        #expect(fixture.tree == "nav[Main]")
        #expect(slow.completions == 1)
    }

    @Test("without a drain time, pending navigations are superseded immediately")
    func drainedAtOnce() throws {
        let fixture = try RouterFixture(
            Self.waiting("old") + "\nrouter.options { drain = 0 }"
        )
        let slow = fixture.navigate("Slow", "show")
        let work = fixture.doTask("Work", "do")
        weak let old = fixture.router.generations.first
        fixture.router.reload(bundle(Self.waiting("new")))
        #expect(slow.error?.code == .superseded)
        #expect(slow.completions == 1)
        #expect(!work.isPending)
        #expect(old == nil)
        #expect(fixture.router.nextDeadline == nil)
        #expect(fixture.tree == "nav[Main]")
    }

    @Test(
        "a retired generation without pending work is closed immediately, and released completely"
    )
    func closes() throws {
        let fixture = try RouterFixture(Self.waiting("old"))
        fixture.navigate("Quick", "show")
        let held = fixture.navigate("Quick", "show")
        weak let old = fixture.router.generations.first
        fixture.router.reload(bundle(Self.waiting("new")))
        #expect(old == nil)
        #expect(held.screen != nil)
    }

    @Test(
        "calling a function of a closed generation fails with 'superseded'; other functions still work"
    )
    func crossing() throws {
        let script = """
            router.start(function() return router.nav { router.screen "Main" } end)
            local function greet(name) return "hello " .. name, 2 end
            router.registerTask("Greeter", "get", function(info) return { greet = greet } end)
            router.export("pass", function()
              router.delay(1, function()
                router.navigate("Use", "it", { greet = greet })
              end)
              router.delay(2, function() end)
            end)
            router.register("Use", "it", function(info)
              kept = info.greet
              router.log.info(info.greet("ann"))
              return router.screen "Use"
            end)
            router.export("again", function() return kept("bob") end)
            """.replacing("kept = info.greet", with: "router.log.info('new') keep(info.greet)")
            .replacing("return kept(\"bob\")", with: "return kept()(\"bob\")")
            .replacing(
                "local function greet",
                with: """
                    local it
                    local function keep(value) it = value end
                    local function kept() return it end
                    local function greet
                    """
            )
        let fixture = try RouterFixture(script)
        try fixture.call("pass")
        fixture.router.reload(bundle(script + "\n-- new"))
        fixture.router.advance(to: fixture.router.now + 1)
        #expect(fixture.log == ["info new", "info hello ann"])
        #expect(try fixture.call("again") == "hello bob")
        fixture.router.advance(to: fixture.router.now + 1)
        #expect(fixture.router.retired.isEmpty)
        let error = #expect(throws: RouteError.self) { try fixture.call("again") }
        #expect(error?.code == .superseded)
    }

    @Test("only listeners of the active generation are called")
    func listeners() throws {
        let fixture = try RouterFixture(
            Self.first + "\nrouter.on('done', function() router.log.info('old') end)"
        )
        fixture.router.reload(
            bundle(Self.second + "\nrouter.on('done', function() router.log.info('new') end)")
        )
        fixture.navigate("New", "show")
        #expect(fixture.log == ["info new"])
    }

    // MARK: When

    @Test("if several reloads are requested during a turn, the newest one runs after the turn")
    func later() throws {
        let fixture = try RouterFixture(Self.first)
        fixture.host.holds = true
        fixture.navigate("Show", "open")
        let older = fixture.router.reload(bundle("error('never made')"))
        let newer = fixture.router.reload(bundle(Self.second))
        #expect(older.status.name == "superseded")
        #expect(newer.status.name == "pending")
        fixture.host.holds = false
        fixture.host.answer()
        #expect(newer.isAccepted)
        #expect(fixture.tree == #"nav[Main, Show(by="first")]"#)
    }

    @Test("a reload requested by a completion runs after all completions")
    func fromCompletion() throws {
        let fixture = try RouterFixture(Self.first)
        var reload: Reload?
        fixture.router.navigate(Target("Show", "open")) { [unowned fixture] _ in
            reload = fixture.router.reload(ScriptBundle(files: ["main.lua": Self.second]))
        }
        #expect(reload?.isAccepted == true)
    }

    @Test("the event sequence contains reloads, and ends when the router is released")
    func stream() async throws {
        var router: Router? = try Router(scripts: bundle(Self.first), host: TestHost())
        let events = try #require(router?.events())
        let few = try #require(router?.events(limit: 1))
        _ = router?.events()  // nobody reads
        router?.reload(bundle("error('no')")) { _ in }
        router?.reload(bundle(Self.second)) { _ in }
        _ = try router?.explain(Target("New", "show"))
        router = nil
        var told: [String] = []
        for await event in events { told.append(event["status"].text ?? event.kind.rawValue) }
        #expect(told == ["host", "rejected", "host", "accepted"])
        var last: [String] = []
        for await event in few { last.append(event["status"].text ?? "") }
        #expect(last == ["accepted"])
    }

    // MARK: Lifetimes

    @Test("a completion is called even if it is the only pending work of a retired generation")
    func completionOutlives() throws {
        let script = """
            router.start(function() return router.nav { router.screen "Main" } end)
            router.register("Slow", "open", {
              intercept = function() router.sleep(5) end,
              build = function() return router.screen "Slow" end,
            })
            router.registerTask("Work", "run", function(_, done)
              router.delay(6, function() done(true) end)
            end)
            router.register("Go", "on", {
              build = function() return router.screen "Go" end,
              after = function()
                router.sleep(1)
                local function told() router.log.info "told" end
                router.navigate("Slow", "open", {}, { completion = told })
                router.doTask("Work", "run", {}, told)
              end,
            })
            """
        let fixture = try RouterFixture(script)
        fixture.navigate("Go", "on")
        #expect(fixture.router.reload(bundle(script + "\n-- 2")).isAccepted)
        for _ in 1...4 { fixture.router.advance(to: fixture.router.now + 2) }
        #expect(fixture.tree == "nav[Main, Go, Slow]")
        #expect(fixture.log == ["info told", "info told"])
        #expect(fixture.router.generationCount == 1)
    }

    @Test(
        "a completion after the drain time of its generation is logged, and has no effect"
    )
    func completionTooLate() throws {
        let script = """
            router.options { drain = 2 }
            router.start(function() return router.nav { router.screen "Main" } end)
            router.registerTask("Work", "run", function(_, done)
              router.delay(20, function() done(true) end)
            end)
            router.export("go", function()
              router.delay(1, function()
                router.doTask("Work", "run", {}, function() router.log.info "told" end)
              end)
            end)
            """
        let fixture = try RouterFixture(script)
        try fixture.call("go")
        #expect(fixture.router.reload(bundle(script + "\n-- 2")).isAccepted)
        fixture.router.advance(to: fixture.router.now + 60)
        #expect(fixture.log.count == 1)
        #expect(fixture.log.first?.hasPrefix("warn a completion handler is not called") == true)
    }

    @Test("a URL opened by a navigation's interceptor is matched by the scripts of that navigation")
    func childOpens() throws {
        func script(_ name: String) -> String {
            """
            router.start(function() return router.nav { router.screen "Main" } end)
            router.register("\(name)", "show", {
              url = "/p/:id(int)", build = function() return router.screen "\(name)" end,
            })
            router.register("Slow", "open", {
              intercept = function() router.sleep(1) router.open("/p/7") end,
              build = function() return router.screen "Slow" end,
            })
            router.routing("/x/:id(int)"):setAction(function() router.log.info "\(name)" end)
            router.export("later", function()
              router.delay(1, function() router.dispatch "/x/7" end)
            end)
            """
        }
        let fixture = try RouterFixture(script("Old"))
        fixture.navigate("Slow", "open")
        try fixture.call("later")
        #expect(fixture.router.reload(bundle(script("New"))).isAccepted)
        fixture.router.advance(to: fixture.router.now + 2)
        #expect(fixture.tree == "nav[Main, Old, Slow]")
        // The active generation handles deep links.
        #expect(fixture.log == ["info New"])
    }

    @Test(
        "a retired generation that the host still references cannot start navigations"
    )
    func overdue() throws {
        let script = """
            router.options { drain = 2 }
            router.start(function() return router.nav { router.screen "Main" } end)
            local function tick() router.delay(1, tick) end
            router.register("Go", "on", { build = router.screen "Go", after = tick })
            """
        let fixture = try RouterFixture(script)
        fixture.host.holds = true
        fixture.navigate("Go", "on")
        let reload = fixture.router.reload(bundle(Self.first))
        fixture.host.holds = false
        fixture.host.answer()
        #expect(reload.isAccepted)
        fixture.router.advance(to: fixture.router.now + 10)
        #expect(fixture.router.generationCount == 1)
        #expect(fixture.router.nextDeadline == nil)
    }

    @Test(
        "a sheet whose route was removed is not dismissed if the sheet above it cannot be dismissed"
    )
    func coveredSheet() throws {
        let script = """
            router.start(function() return router.nav { router.screen "Main" } end)
            router.class("Draft", { dismissible = false })
            router.register("Sheet", "it", {
              build = function() return router.screen "Sheet" end, vanished = "pop", via = "present",
            })
            router.register("Show", "open", {
              build = function() return router.screen "Draft" end, via = "present",
            })
            """
        let fixture = try RouterFixture(script)
        fixture.navigate("Sheet", "it")
        fixture.navigate("Show", "open")
        #expect(fixture.router.reload(bundle(Self.first)).isAccepted)
        #expect(fixture.tree == "nav[Main] ^ Sheet ^ Draft")
    }

    @Test("the completion handler of a superseded reload can request another reload")
    func supersededBegins() throws {
        let fixture = try RouterFixture(Self.first)
        fixture.host.holds = true
        fixture.navigate("Show", "open")
        var third: Reload?
        fixture.router.reload(bundle("error('never')")) { [unowned fixture] _ in
            third = fixture.router.reload(ScriptBundle(files: ["main.lua": Self.second + "\n-- c"]))
        }
        let second = fixture.router.reload(bundle(Self.second))
        fixture.host.holds = false
        fixture.host.answer()
        #expect(third?.isAccepted == true)
        #expect(["accepted", "superseded"].contains(second.status.name))
    }

    @Test("a queued rollback is not replaced by a file change")
    func rollbackWaits() throws {
        let fixture = try RouterFixture(Self.first)
        #expect(fixture.router.reload(bundle(Self.second)).isAccepted)
        fixture.host.holds = true
        fixture.navigate("Show", "open")
        let back = try #require(fixture.router.rollback())
        #expect(
            fixture.router.reload(bundle(Self.second + "\n-- hint")).rejection?.reason == .pinned
        )
        fixture.host.holds = false
        fixture.host.answer()
        #expect(back.isAccepted)
        #expect(fixture.router.unpin()?.isAccepted == true)
    }

    @Test("the event of a reload has the number of the active generation")
    func eventNumber() throws {
        let fixture = try RouterFixture(Self.first)
        fixture.host.onPrepare = { [unowned fixture] in
            fixture.router.reload(ScriptBundle(files: ["main.lua": Self.second]))
        }
        fixture.navigate("Show", "open")
        #expect(fixture.events.last { $0.kind == .reload }?.generation == 2)
    }

    @Test(
        "an interceptor that cancels its navigation and then waits does not keep its generation alive"
    )
    func cancelledWhileRunning() throws {
        let script =
            Self.first + """

                router.register("C", "c", {
                  build = function() return router.screen "C" end,
                  intercept = function(nav, proceed) nav:cancel() router.sleep(1) end,
                })
                """
        let fixture = try RouterFixture(script)
        fixture.navigate("C", "c")
        #expect(fixture.router.reload(bundle(Self.second)).isAccepted)
        fixture.router.advance(to: fixture.router.now + 100)
        fixture.router.collectGarbage()
        #expect(fixture.router.generationCount == 1)
    }

    @Test("a delay beyond the range of the clock sets no deadline")
    func farAway() throws {
        let fixture = try RouterFixture(
            Self.first
                + "\nrouter.export('far', function() router.delay(1e300, function() end) end)"
        )
        try fixture.call("far")
        #expect((fixture.router.nextDeadline ?? 0) < 1e12)
    }

    // MARK: Back

    @Test(
        "a router can roll back three times; later bundles then wait until the router is unpinned"
    )
    func rollback() throws {
        func script(_ number: Int) -> String {
            Self.first + "\nrouter.export('number', function() return \(number) end)"
        }
        let fixture = try RouterFixture(script(1))
        let router = fixture.router
        #expect(router.rollback() == nil)
        for number in 2...5 { #expect(router.reload(bundle(script(number))).isAccepted) }
        for number in [4, 3, 2] {
            #expect(router.rollback()?.isAccepted == true)
            #expect(try fixture.call("number") == .integer(Int64(number)))
        }
        #expect(router.rollback() == nil)
        #expect(router.reload(bundle(script(6))).rejection?.reason == .pinned)
        #expect(router.reload(bundle(script(7))).rejection?.reason == .pinned)
        #expect(try fixture.call("number") == 2)
        #expect(router.unpin()?.isAccepted == true)
        #expect(try fixture.call("number") == 7)
        #expect(router.unpin() == nil)
    }
}
