// SPDX-License-Identifier: MIT

import LuaRouting
import RouteCore
import Testing

/// Tests that the rights of a bundle are enforced when its scripts use them.
struct CapabilityTests {
    /// A use of a right that is not granted.
    struct Breach: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The capabilities, as the fields of a JSON object.
        let capabilities: String
        /// The declarations of the script.
        var setup = ""
        /// The body of the exported function `try`; nil to navigate to `Try/go` as the host.
        var body: String?
        let error: String
        /// Whether the same operation succeeds with all capabilities granted.
        var isHarmless = true
    }

    static let breaches = [
        Breach(
            testDescription: "a screen of another class",
            capabilities: #""screens": ["Main"]"#,
            setup: "router.register('Try', 'go', { build = router.screen 'Web' })",
            error: "forbidden: screen 'Web' is not allowed (capability 'screens')"
        ),
        Breach(
            testDescription: "a screen of another class inside a container",
            capabilities: #""screens": ["Main"]"#,
            setup: """
                router.register('Try', 'go', {
                  build = function() return router.nav { router.screen 'Web' } end, via = 'present',
                })
                """,
            error: "forbidden: screen 'Web' is not allowed (capability 'screens')"
        ),
        Breach(
            testDescription: "a task of the host",
            capabilities: #""tasks": ["Player/stop"]"#,
            setup: "router.expects { tasks = { 'Player/play', 'Player/stop' } }",
            body:
                "local task = select(2, router.doTask('Player', 'play')) error(select(2, task:await()).message)",
            error: "task 'Player/play' is not allowed (capability 'tasks')",
            isHarmless: false
        ),
        Breach(
            testDescription: "a push",
            capabilities: #""tree": ["present"]"#,
            setup: "router.register('Try', 'go', { build = router.screen 'Page' })",
            error: "forbidden: 'push' is not allowed (capability 'push')"
        ),
        Breach(
            testDescription: "a presented screen",
            capabilities: #""tree": ["push"]"#,
            setup:
                "router.register('Try', 'go', { build = router.screen 'Page', via = 'present' })",
            error: "forbidden: 'present' is not allowed (capability 'present')"
        ),
        Breach(
            testDescription: "another root",
            capabilities: #""tree": ["push"]"#,
            setup: """
                router.register('Try', 'go', {
                  build = router.screen 'Page', via = 'replaceRoot', from = 'root',
                })
                """,
            error: "forbidden: 'replaceRoot' is not allowed (capability 'replaceRoot')"
        ),
        Breach(
            testDescription: "a snapshot that a script restores",
            capabilities: #""tree": ["push", "present", "replaceRoot"]"#,
            body: "router.restore(router.snapshot())",
            error: "forbidden: 'router.restore' is not allowed (capability 'restore')"
        ),
        Breach(
            testDescription: "a navigation with force",
            capabilities: #""tree": ["push"]"#,
            body: "router.navigate('Main', 'show', {}, { force = true })",
            error: "forbidden: 'force' is not allowed (capability 'force')"
        ),
        Breach(
            testDescription: "the end of a session, which asks no screen",
            capabilities: #""tree": ["push"]"#,
            body: "router.unready('session', { leave = true })",
            error: "forbidden: 'force' is not allowed (capability 'force')"
        ),
        Breach(
            testDescription: "a second window",
            capabilities: #""tree": ["windows(1)"]"#,
            body: """
                local _, why = router.openWindow('second', router.screen 'Page'):await()
                if why then error(why.code .. ': ' .. why.message, 0) end
                """,
            error: "budget: too many windows (at most 1) (capability 'windows')"
        ),
        Breach(
            testDescription: "a class that can refuse to leave",
            capabilities: #""leaving": false"#,
            body: "router.class('Page', { leaving = function() end })",
            error: "forbidden: 'leaving' is not allowed (capability 'leaving')"
        ),
        Breach(
            testDescription: "an interceptor for all routes",
            capabilities: #""interceptAll": false"#,
            setup: "router.interceptor('all', function() end)",
            body: "router.interceptAll('all')",
            error: "forbidden: 'interceptAll' is not allowed (capability 'interceptAll')"
        ),
        Breach(
            testDescription: "a timeout of an interceptor that is too long",
            capabilities: #""timeout": 5"#,
            body: "router.interceptor('slow', { timeout = 6 }, function() end)",
            error:
                "forbidden: the timeout is too long (at most 5.0 seconds expected) (capability 'timeout')"
        ),
        Breach(
            testDescription: "a timeout of a wait that is too long",
            capabilities: #""timeout": 5"#,
            setup: "router.registerTask('Slow', 'do', function(_, done) return nil, 'later' end)",
            body: "select(2, router.doTask('Slow', 'do')):await { timeout = 1 / 0 }",
            error:
                "forbidden: the timeout is too long (at most 5.0 seconds expected) (capability 'timeout')",
            isHarmless: false
        ),
        Breach(
            testDescription: "too many timers",
            capabilities: #""timers": { "count": 2 }"#,
            body: "for _ = 1, 3 do router.delay(1, function() end) end",
            error: "budget: too many timers (at most 2) (capability 'timers.count')"
        ),
        Breach(
            testDescription: "a timer that is too short",
            capabilities: #""timers": { "period": 0.5 }"#,
            body: "router.delay(0.4, function() end)",
            error:
                "forbidden: the timer is too short (at least 0.5 seconds expected) (capability 'timers.period')"
        ),
        Breach(
            testDescription: "too many navigations in a second",
            capabilities: #""rates": { "navigations": 3 }"#,
            body: "for _ = 1, 4 do router.navigate('Main', 'show') end",
            error:
                "budget: too many navigations in a second (at most 3) (capability 'rates.navigations')"
        ),
        Breach(
            testDescription: "too many presented screens in a second",
            capabilities: #""rates": { "presents": 1 }"#,
            setup: """
                router.register('Page', 'present', {
                  build = function(info) return router.screen('Page', { n = info.n }) end,
                  via = 'present',
                })
                """,
            body: """
                for n = 1, 2 do
                  local _, why = router.navigate('Page', 'present', { n = n }):await()
                  if why then error(why.code .. ': ' .. why.message, 0) end
                end
                """,
            error:
                "budget: too many presented screens in a second (at most 1) (capability 'rates.presents')"
        ),
        Breach(
            testDescription: "too many bytes in the log",
            capabilities: #""rates": { "logBytes": 100 }"#,
            body: "for _ = 1, 2 do router.log.info(('x'):rep(60)) end",
            error:
                "budget: too many bytes in the log in a second (at most 100) (capability 'rates.logBytes')"
        ),
        Breach(
            testDescription: "too many events",
            capabilities: #""rates": { "events": 20 }"#,
            body: "for _ = 1, 100 do router.log.info 'x' end",
            error: "budget: too many events in a second (at most 20) (capability 'rates.events')"
        ),
        Breach(
            testDescription: "too much memory",
            capabilities: #""memory": 2097152"#,
            body: "local t = {} for n = 1, 3e4 do t[n] = ('x'):rep(100) .. n end",
            error: "budget: memory limit exceeded (at most 2 MiB, capability 'memory')"
        ),
        Breach(
            testDescription: "too many pending navigations",
            capabilities: #""pending": 3"#,
            setup:
                "router.register('Late', 'go', { ready = 'gate', build = router.screen 'Page' })",
            body: "for n = 1, 4 do router.navigate('Late', 'go', { n = n }) end",
            error: "budget: too many pending navigations (at most 3) (capability 'pending')"
        ),
        Breach(
            testDescription: "URLs of another origin",
            capabilities: #""urls": ["podcast"]"#,
            body: "router.links { 'podcast', 'https://bank.example' }",
            error: "forbidden: URLs of 'https://bank.example' are not allowed (capability 'urls')"
        ),
        Breach(
            testDescription: "a pattern for another origin",
            capabilities: #""urls": ["podcast", "https://*.podcasts.example"]"#,
            body: """
                local build = router.screen 'Page'
                router.register('A', 'show', { url = 'https://a.podcasts.example/a', build = build })
                router.register('B', 'show', { url = 'https://bank.example/b', build = build })
                """,
            error: "forbidden: URLs of 'https://bank.example' are not allowed (capability 'urls')"
        ),
        Breach(
            testDescription: "an exclusive group of another origin",
            capabilities: #""urls": ["podcast"]"#,
            body: "router.group { url = 'https://bank.example', exclusive = true }",
            error: "forbidden: URLs of 'https://bank.example' are not allowed (capability 'urls')"
        ),
        Breach(
            testDescription: "a pattern where no URL may be claimed",
            capabilities: #""urls": []"#,
            body: "router.register('A', 'show', { url = '/a', build = router.screen 'Page' })",
            error: "forbidden: URLs are not allowed (capability 'urls')"
        ),
    ]

    private func capabilities(_ fields: String) throws -> Capabilities {
        let schema = #""schema": "luaroute.capabilities/1""#
        return try Capabilities(json: Array("{ \(schema), \(fields) }".utf8))
    }

    private func router(
        _ capabilities: Capabilities,
        setup: String = "",
        body: String = "",
        host: TestHost = TestHost()
    ) throws -> Router {
        var configuration = Router.Configuration.patient
        configuration.capabilities = capabilities
        // Where time is limited, instructions are not to end an entry before.
        if capabilities.time != Capabilities.Time() {
            configuration.budget.instructions = 1_000_000_000
        }
        let main = """
            router.start(function() return router.nav { router.screen 'Main' } end)
            router.register('Main', 'show', { find = 'Main', build = router.screen 'Main' })
            \(setup)
            router.export('try', function() \(body) end)
            """
        let router = try Router(
            scripts: ScriptBundle(files: ["main.lua": main]),
            host: host,
            configuration: configuration
        )
        router.start()
        return router
    }

    /// Returns the error that a breach causes.
    private func outcome(_ router: Router, _ breach: Breach) -> RouteError? {
        if breach.body == nil { return router.navigate(Target("Try", "go")).error }
        var outcome: RouteError?
        router.call("try") { result in
            if case .failure(let error) = result { outcome = error }
        }
        return outcome
    }

    @Test("the error names the capability that is missing", arguments: breaches)
    func refused(_ breach: Breach) throws {
        let router = try router(
            capabilities(breach.capabilities),
            setup: breach.setup,
            body: breach.body ?? ""
        )
        let before = router.treeNotation()
        var events: [Event] = []
        router.onEvent = { events.append($0) }
        let error = outcome(router, breach)
        let text = error.map { "\($0.code): \($0.message)" } ?? "nothing"
        #expect(text.contains(breach.error), "\(text)")
        if breach.body == nil { #expect(router.treeNotation() == before) }
        let name = breach.error.split(separator: "'").dropLast().last.map(String.init)
        let told = events.filter { $0.kind == .breach }.map { $0["capability"].text }
        #expect(told == [name])

        guard breach.isHarmless else { return }
        let free = try self.router(Capabilities(), setup: breach.setup, body: breach.body ?? "")
        #expect(outcome(free, breach) == nil)
    }

    @Test("scripts that exceed their capabilities while loading are rejected")
    func loading() throws {
        let refused = [
            (
                #""urls": []"#,
                "router.register('A', 'b', { url = '/a', build = router.screen 'P' })"
            ),
            (
                #""interceptAll": false"#,
                "router.interceptor('i', function() end) router.interceptAll('i')"
            ),
            (#""leaving": false"#, "router.class('Page', { dismissible = false })"),
            (#""timeout": 1"#, "router.options { timeout = 2 }"),
        ]
        for (fields, setup) in refused {
            let error = #expect(throws: RouteError.self, "\(setup)") {
                try router(capabilities(fields), setup: setup)
            }
            #expect(error?.code == .forbidden, "\(error.map { "\($0)" } ?? "")")
            #expect(error?.location?.file == "main.lua")
        }
    }

    @Test("capabilities stay the same after a reload, and a reload that exceeds them is rejected")
    func reloading() throws {
        let router = try router(capabilities(#""tree": ["push"], "interceptAll": false"#))
        let good = """
            router.register('Try', 'go', { build = router.screen 'Page', via = 'present' })
            """
        #expect(router.reload(ScriptBundle(files: ["main.lua": good])).rejection == nil)
        #expect(router.navigate(Target("Try", "go")).error?.code == .forbidden)
        let bad = "router.interceptor('i', function() end) router.interceptAll('i')"
        let rejection = router.reload(ScriptBundle(files: ["main.lua": good + bad])).rejection
        #expect(rejection?.findings.first?.message.contains("(capability 'interceptAll')") == true)
        #expect(!router.isSuspended)
    }

    @Test(
        "scripts can rewrite a URL only if they may claim both the old and the new URL",
        arguments: [
            ("podcast://old", "done"), ("podcast://bank", "notFound"), ("bank://old", "notFound"),
            ("podcast://plain", "done"),
        ]
    )
    func rewriting(_ url: String, _ outcome: String) throws {
        let router = try router(
            capabilities(#""urls": ["podcast"]"#),
            setup: """
                router.register('Page', 'show', { url = '/plain', build = router.screen 'Page' })
                router.rewrite(function(url)
                  return url:match 'bank$' and 'bank://plain' or 'podcast://plain'
                end)
                """
        )
        router.start()
        let navigation = router.open(url)
        #expect((navigation.error?.code.rawValue ?? navigation.status.name) == outcome)
    }

    @Test("requests by the host need no capabilities")
    func host() throws {
        var none = Capabilities()
        none.tree = []
        none.pending = 0
        none.rates.navigations = 0
        let router = try router(none)
        #expect(router.start().error == nil)
        #expect(router.back().error == nil)
        let snapshot = router.snapshot()
        #expect(router.restore(snapshot).navigation.error == nil)
    }

    @Test("a call without a source line in a script is also subject to the capabilities")
    func withoutLines() throws {
        let cases = [
            "pcall(router.replace, router.root(), router.screen 'Evil')",
            "pcall(router.openWindow, 'second', router.screen 'Evil')",
            "return pcall(router.restore, router.snapshot())",
            "for _ = 1, 5 do pcall(router.doTask, 'Player', 'play') end",
            "for n = 1, 5 do pcall(router.navigate, 'Late', 'go', { n = n }) end",
        ]
        for body in cases {
            let host = TestHost()
            let router = try router(
                capabilities(#""screens": ["Main"], "tasks": [], "tree": [], "pending": 1"#),
                setup: """
                    router.expects { tasks = { 'Player/play' } }
                    router.register('Late', 'go', { ready = 'gate', build = router.screen 'Page' })
                    """,
                body: body,
                host: host
            )
            var breaches = 0
            router.onEvent = { if $0.kind == .breach { breaches += 1 } }
            router.call("try") { _ in }
            #expect(breaches > 0, "\(body)")
            #expect(router.treeNotation() == "nav[Main]", "\(body)")
            #expect(router.tree.windows.count == 1 && router.pendingTasks.isEmpty, "\(body)")
            #expect(router.pending.count <= 1, "\(body)")
        }
    }

    @Test("a capability applies to the kind of a class, not to its name")
    func namesOfKinds() throws {
        for name in ["leaf", "foreign", "tabs"] {
            let router = try router(
                capabilities(#""screens": ["Main"]"#),
                setup: """
                    pcall(router.class, '\(name)', { kind = 'leaf' })
                    router.register('Try', 'go', function() return router.screen '\(name)' end)
                    """
            )
            let navigation = router.navigate(Target("Try", "go"))
            #expect(navigation.error != nil)
            #expect(router.treeNotation() == "nav[Main]")
        }
    }

    @Test(
        "a class that restores a screen from a host snapshot also needs the capability for that screen"
    )
    func restoredClasses() throws {
        let router = try router(
            capabilities(#""screens": ["Main", "Page"]"#),
            setup: """
                router.register('Try', 'go', { build = router.screen 'Page' })
                router.class('Page', { restore = function() return router.screen 'Evil' end })
                """
        )
        router.navigate(Target("Try", "go"))
        #expect(router.restore(router.snapshot()).navigation.error?.code == .forbidden)
        #expect(router.treeNotation() == "nav[Main, Page]")
    }

    @Test("a script without a timeout cannot wait longer than the maximum timeout")
    func boundedWaits() throws {
        let router = try router(
            capabilities(#""timeout": 5"#),
            setup: """
                router.register('Late', 'go', { ready = 'gate', build = router.screen 'Page' })
                router.registerTask('Late', 'do', function(_, done) return nil, router.later end)
                router.register('Held', 'go', {
                  build = router.screen 'Page',
                  intercept = function() router.navigate('Late', 'go', { n = 9 }):await() end,
                })
                router.routing '/later'
                """,
            body: """
                router.navigate('Late', 'go')
                router.navigate('Late', 'go', { n = 1 })
                router.doTask('Late', 'do')
                router.dispatch('/later')
                """
        )
        try router.call("try")
        let held = router.navigate(Target("Held", "go"))
        #expect(held.isPending)
        router.advance(to: router.now + 11)
        #expect(router.pending.isEmpty && router.pendingTasks.isEmpty)
        #expect(router.queuedLinks.isEmpty)
        #expect(!held.isPending)
    }

    @Test("rejected requests by the host do not suspend the scripts")
    func refusedHost() throws {
        let router = try router(
            capabilities(#""tree": []"#),
            setup: "router.register('Try', 'go', { build = router.screen 'Page' })"
        )
        for _ in 0..<20 {
            #expect(router.navigate(Target("Try", "go")).error?.code == .forbidden)
            router.advance(to: router.now + 2)
        }
        #expect(!router.isSuspended)
        // The host may say how itself.
        let options = NavigationOptions(via: .present)
        #expect(router.navigate(Target("Try", "go"), options: options).error == nil)
    }

    @Test("a rejected request by the host does not hide a breach by a script in the same second")
    func hostAndScript() throws {
        let router = try router(
            capabilities(#""tree": []"#),
            setup: "router.register('Try', 'go', { build = router.screen 'Page' })",
            body: "router.navigate('Try', 'go', { n = 1 })"
        )
        var breaches = 0
        router.onEvent = { if $0.kind == .breach { breaches += 1 } }
        for second in 1...10 {
            #expect(!router.isSuspended)
            router.navigate(Target("Try", "go"))
            for _ in 0..<3 { _ = try? router.call("try") }
            #expect(breaches == 2 * second)
            router.advance(to: router.now + 1)
        }
        #expect(router.isSuspended)
    }

    @Test("calling 'leaving' before a screen is presented does not count the screen twice")
    func presentedOnce() throws {
        let router = try router(
            capabilities(#""rates": { "presents": 1 }"#),
            setup: """
                router.class('Form', { leaving = function() end })
                router.register('Form', 'go', { build = router.screen 'Form' })
                router.register('Try', 'go', {
                  build = router.screen 'Page', via = 'present', from = { 'Main', 'show' },
                })
                """
        )
        router.navigate(Target("Form", "go"))
        #expect(router.navigate(Target("Try", "go")).error == nil, "\(router.treeNotation())")
    }

    @Test("an error without a listener counts toward the byte limit of the log")
    func unheard() throws {
        let router = try router(
            capabilities(#""rates": { "logBytes": 100 }"#),
            body: "for n = 1, 50 do router.delay(0.01 * n, function() error(('x'):rep(90)) end) end"
        )
        try router.call("try")
        var lines = 0
        router.onEvent = { if $0.kind == .log { lines += 1 } }
        router.advance(to: router.now + 0.6)
        #expect(lines == 1)
    }

    @Test("scripts that have exceeded the event limit can be reloaded immediately")
    func flood() throws {
        let router = try router(
            capabilities(#""rates": { "events": 20 }"#),
            body: "for _ = 1, 100 do pcall(router.log.info, 'x') end"
        )
        _ = try? router.call("try")
        let good = "router.register('A', 'b', { build = router.screen 'A' }) router.log.info 'new'"
        #expect(router.reload(ScriptBundle(files: ["main.lua": good])).rejection == nil)
    }

    @Test("each second of the clock starts a new count for a rate limit")
    func seconds() throws {
        let router = try router(
            capabilities(#""rates": { "navigations": 2 }"#),
            body: "router.navigate('Main', 'show')"
        )
        for _ in 0..<12 {
            try router.call("try")
            try router.call("try")
            #expect(throws: RouteError.self) { try router.call("try") }
            router.advance(to: router.now + 10)
        }
        #expect(!router.isSuspended)
    }

    @Test("ten violations within a minute suspend timers and listeners until the next load")
    func suspension() throws {
        let main = """
            router.register('Main', 'show', { find = 'Main', build = router.screen 'Main' })
            router.start(function() return router.nav { router.screen 'Main' } end)
            router.state.ticks, router.state.done = 0, 0
            router.on('done', function() router.state.done = router.state.done + 1 end)
            local function tick()
              router.state.ticks = router.state.ticks + 1
              router.delay(1, tick)
            end
            router.export('begin', tick)
            router.export('sleep', function(t) router.sleep(t.seconds) router.state.slept = true end)
            router.export('try', function() router.navigate('Main', 'show', {}, { force = true }) end)
            """
        var configuration = Router.Configuration.patient
        configuration.capabilities.tree.remove(.force)
        let router = try Router(
            scripts: ScriptBundle(files: ["main.lua": main]),
            host: TestHost(),
            configuration: configuration
        )
        router.start()
        try router.call("begin")
        router.advance(to: 5)
        #expect(router.state["ticks"] == 6)
        for _ in 0..<9 {
            _ = try? router.call("try")
            router.advance(to: router.now + 7)
        }
        var error: RouteError?
        // Those of more than a minute ago do not count.
        #expect(!router.isSuspended)
        router.call("sleep", ["seconds": 100]) { result in
            if case .failure(let failure) = result { error = failure }
        }
        var suspensions = 0
        router.onEvent = {
            if $0.kind == .breach, $0["suspended"] == .boolean(true) { suspensions += 1 }
        }
        for second in 0..<9 {
            for _ in 0..<20 { _ = try? router.call("try") }
            // Only the reported breach counts, which is one in a second.
            #expect(second > 0 || !router.isSuspended)
            router.advance(to: router.now + 1)
        }
        #expect(router.isSuspended)
        #expect(suspensions == 1)
        #expect(error?.code == .forbidden, "what slept ended")
        let (ticks, done) = (router.state["ticks"], router.state["done"])
        router.advance(to: router.now + 60)
        #expect(router.navigate(Target("Main", "show")).error == nil)
        #expect(router.state["ticks"] == ticks)
        #expect(router.state["done"] == done)
        #expect(router.state["slept"].isNil)
        let refused = #expect(throws: RouteError.self) { try router.call("begin") }
        #expect(refused?.code == .forbidden)

        #expect(router.reload(ScriptBundle(files: ["main.lua": main + "--"])).rejection == nil)
        #expect(!router.isSuspended)
        try router.call("begin")
        router.advance(to: router.now + 2)
        #expect(router.state["ticks"] != ticks)
    }

    @Test("an explanation reports a missing capability, but does not count it as a violation")
    func explaining() throws {
        let router = try router(
            capabilities(#""tree": ["push"], "rates": { "presents": 0 }"#),
            setup: "router.register('Try', 'go', { build = router.screen 'P', via = 'present' })"
        )
        for _ in 0..<20 {
            let explanation = try router.explain(Target("Try", "go"))
            #expect(explanation.failure?.error.code == .forbidden)
        }
        #expect(!router.isSuspended)
    }

    @Test("URLs that scripts may not claim match no route")
    func origins() throws {
        let router = try router(
            capabilities(#""urls": ["podcast", "https://*.podcasts.example"]"#),
            setup: "router.register('Try', 'go', { url = '/try', build = router.screen 'P' })"
        )
        #expect(router.open("https://bank.example/try").error?.code == .notFound)
        #expect(router.open("https://a.podcasts.example/try").error == nil)
    }

    @Test("scripts that have used up their time for one second can run again in the next second")
    func timePerSecond() throws {
        var limited = Capabilities()
        limited.time.second = .milliseconds(40)
        let router = try router(
            limited,
            setup: """
                local function work() for _ = 1, 1e8 do end end
                for _ = 1, 5 do router.on('timer', function() pcall(work) end) end
                router.export('begin', function() router.delay(1, function() end) end)
                """,
            body: "for _ = 1, 1e8 do end"
        )
        let error = #expect(throws: RouteError.self) { try router.call("try") }
        let message = error?.message ?? ""
        #expect(message.contains("capability 'time.second'"), "\(message)")
        for _ in 0..<3 { _ = try? router.call("try") }
        // The host may still ask; what exceeds the time of this second fails, or waits.
        let navigation = router.navigate(Target("Main", "show"))
        #expect(navigation.isPending)
        let due = try #require(router.nextDeadline)
        #expect(due > router.now && due <= router.now + 1)
        router.advance(to: due)
        #expect(navigation.error == nil && !navigation.isPending)
    }

    @Test("the error for a turn that takes too long names the capability that limits it")
    func timePerTurn() throws {
        var limited = Capabilities()
        limited.time.turn = .milliseconds(20)
        let router = try router(limited, body: "for _ = 1, 1e8 do end")
        let error = #expect(throws: RouteError.self) { try router.call("try") }
        #expect(error?.message.contains("(at most 20 ms, capability 'time.turn')") == true)
        for _ in 0..<9 {
            router.advance(to: router.now + 1)
            _ = try? router.call("try")
        }
        #expect(router.isSuspended)
    }

    // MARK: Documents

    @Test("an invalid capability document is an error that names the field")
    func badDocuments() {
        let cases = [
            (#"{}"#, "bad field 'schema'"),
            (#"{ "schema": "luaroute.capabilities/1", "screen": [] }"#, "did you mean 'screens'?"),
            (#"{ "schema": "luaroute.capabilities/1", "screens": "Main" }"#, "a list of names"),
            (#"{ "schema": "luaroute.capabilities/1", "tree": ["psh"] }"#, "'tree.psh'"),
            (#"{ "schema": "luaroute.capabilities/1", "tree": ["windows(0)"] }"#, "windows(0)"),
            (#"{ "schema": "luaroute.capabilities/1", "tasks": ["play"] }"#, "'play'"),
            (#"{ "schema": "luaroute.capabilities/1", "urls": ["a b"] }"#, "'a b'"),
            (#"{ "schema": "luaroute.capabilities/1", "timeout": 0 }"#, "'timeout'"),
            (#"{ "schema": "luaroute.capabilities/1", "screens": null }"#, "got null"),
            (
                #"{ "schema": "luaroute.capabilities/1", "rates": { "presents": 1.5 } }"#,
                "'rates.presents'"
            ),
            (
                #"{ "schema": "luaroute.capabilities/1", "timers": { "counts": 1 } }"#,
                "'timers.counts'"
            ),
        ]
        for (text, message) in cases {
            let error = #expect(throws: RouteError.self, "\(text)") {
                try Capabilities(json: Array(text.utf8))
            }
            #expect(error?.message.contains(message) == true, "\(error.map { "\($0)" } ?? "")")
        }
    }

    @Test(
        "a document without fields allows everything, and a list of changes limits only the listed fields"
    )
    func emptyDocuments() throws {
        #expect(
            try Capabilities(json: Array(#"{ "schema": "luaroute.capabilities/1" }"#.utf8))
                == Capabilities()
        )
        let push = try capabilities(#""tree": ["push"]"#)
        #expect(push.tree == [.push] && push.windows == 1)
    }

    @Test("the intersection of two sets contains the capabilities that both grant")
    func intersection() throws {
        let left = try capabilities(
            """
            "screens": ["A", "B"], "tree": ["push", "windows(3)"], "timeout": 5, "memory": 10,
            "timers": { "period": 1 }, "rates": { "events": 7 }
            """
        )
        let right = try capabilities(
            """
            "screens": ["B", "C"], "tasks": ["A/b"], "tree": ["push", "force"], "leaving": false,
            "timeout": 9, "timers": { "period": 2, "count": 3 }
            """
        )
        let both = try capabilities(
            """
            "screens": ["B"], "tasks": ["A/b"], "tree": ["push", "windows(1)"], "leaving": false,
            "timeout": 5, "memory": 10, "timers": { "period": 2, "count": 3 },
            "rates": { "events": 7 }
            """
        )
        #expect(left.intersection(right) == both)
        #expect(right.intersection(left) == both)
        #expect(left.intersection(Capabilities()) == left)
    }

    @Test("the host's manifest reduces the capabilities of scripts")
    func manifest() throws {
        let json = #"{ "schema": "luaroute.host/1", "capabilities": { "tree": ["push"] } }"#
        var configuration = Router.Configuration.patient
        configuration.manifest = try HostManifest(json: Array(json.utf8))
        let main =
            "router.register('A', 'b', { build = router.screen 'P', via = 'present' })"
            + " router.start(function() return router.screen 'M' end)"
        let router = try Router(
            scripts: ScriptBundle(files: ["main.lua": main]),
            host: TestHost(),
            configuration: configuration
        )
        router.start()
        #expect(router.navigate(Target("A", "b")).error?.code == .forbidden)
    }
}
