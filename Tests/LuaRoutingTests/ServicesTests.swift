// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// Tests of fallbacks, tasks of the host, exports, listeners, and registrations.
@Suite(.failureReports)
struct ServicesTests {
    @Test("if a fallback provider returns a screen, the navigation shows this screen and ends once")
    func fallbackScreen() throws {
        let fixture = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Main" } end)
            router.fallback {
              screen = function(service, task, info)
                if service == "No" then return nil end
                return router.screen("Missing", { what = service .. "/" .. task, id = info.id })
              end,
            }
            """
        )
        let navigation = fixture.navigate("Gone", "show", ["id": 7])
        #expect(navigation.completions == 1)
        #expect(fixture.tree == #"nav[Main, Missing(id=7, what="Gone/show")]"#)
        let refused = fixture.navigate("No", "show")
        #expect(refused.error?.code == .notFound)
    }

    @Test("a fallback task is called for tasks that are not registered")
    func fallbackTask() throws {
        let fixture = try RouterFixture(
            """
            router.registerTask("Some", "task", print)
            router.fallback { task = function(service, task, info, done)
              if info.later then done(true, "later") return end
              return service .. "/" .. task
            end }
            """,
            starts: false
        )
        #expect(fixture.doTask("No", "such").value == "No/such")
        guard case .done(true, "later") = fixture.doTask("No", "such", ["later": true]).status
        else {
            Issue.record("expected the fallback's end")
            return
        }
    }

    @Test(
        "a task that scripts expect from the host is passed to the host, and has the host's result"
    )
    func hostTask() throws {
        let fixture = try RouterFixture(
            """
            router.expects { tasks = { "Camera/shoot" } }
            router.registerTask("Photo", "take", function(info, done)
              router.doTask("Camera", "shoot", info, function(ok, photo) done(ok, photo) end)
            end)
            """,
            starts: false
        )
        let task = fixture.doTask("Photo", "take", ["flash": true])
        #expect(task.isPending)
        let asked = try #require(fixture.host.takeTask { $0.task == "shoot" })
        #expect(asked.info == ["flash": true])
        asked.end(true, "photo.jpg")
        guard case .done(true, "photo.jpg") = task.status else {
            Issue.record("expected the host's answer, got \(task.status)")
            return
        }
        #expect(fixture.doTask("Camera", "shot").error?.code == .notFound)
    }

    @Test("a task that the host ends after its cancellation is logged")
    func endedAfterCancellation() throws {
        let fixture = try RouterFixture(
            """
            router.expects { tasks = { "Alert/ask" } }
            router.start(function() return router.screen "Home" end)
            """
        )
        let task = fixture.doTask("Alert", "ask")
        let asked = try #require(fixture.host.takeTask { $0.task == "ask" })
        #expect(fixture.router.cancel(task))
        asked.end(true, true)
        #expect(
            fixture.log == [
                "warn task 'Alert/ask' was ended twice, by its cancellation and by the host"
            ]
        )
    }

    @Test("the parameters and the result of a host task are checked against the declared types")
    func typedHostTask() throws {
        let fixture = try RouterFixture(
            """
            router.expects { tasks = {
              "Camera/open",
              ["Camera/shoot"] = { info = { flash = "boolean", zoom = "integer?" }, result = "string" },
            } }
            router.start(function() return router.screen "Home" end)
            """,
            starts: false
        )
        let wrong = fixture.doTask("Camera", "shoot", ["flash": "on"])
        #expect(wrong.error?.message == "bad field 'flash' (boolean expected, got string)")
        #expect(fixture.host.takeTask { $0.task == "shoot" } == nil)
        // A float with an integer value becomes an integer.
        let right = fixture.doTask("Camera", "shoot", ["flash": true, "zoom": 2.0])
        let asked = try #require(fixture.host.takeTask { $0.task == "shoot" })
        #expect(asked.info == ["flash": true, "zoom": 2])
        asked.end(true, 7)
        #expect(right.error?.message == "bad field 'result' (string expected, got integer)")
        let refused = fixture.doTask("Camera", "shoot", ["flash": false])
        try #require(fixture.host.takeTask { $0.task == "shoot" }).end(false, 7)
        guard case .done(false, 7) = refused.status else {
            Issue.record("expected the host's refusal, got \(refused.status)")
            return
        }
        // One without types takes and gives anything.
        let open = fixture.doTask("Camera", "open", ["any": [1, 2]])
        try #require(fixture.host.takeTask { $0.task == "open" }).end(true, 7)
        guard case .done(true, 7) = open.status else {
            Issue.record("expected the host's answer, got \(open.status)")
            return
        }
    }

    @Test(
        "scripts with invalid types for a host task are rejected, and the error has the line",
        arguments: [
            (#"["Camera/shoot"] = 7"#, "bad types of task 'Camera/shoot' in 'router.expects'"),
            (#"["Camera/shoot"] = { "x" }"#, "bad types of task 'Camera/shoot'"),
            (#"["Camera/shoot"] = { inof = {} }"#, "{ info = { name = type, … }, result = type }"),
            (#"["Camera/shoot"] = { info = "x" }"#, "{ info = { name = type, … }, result = type }"),
            (#"["Camera/shoot"] = { info = { zoom = "int" } }"#, "did you mean 'integer'?"),
            (#"["Camera/shoot"] = { result = print }"#, "declares a function in 'info'"),
            (#"Camera = {}"#, "bad route or task name 'Camera' (Service/task expected)"),
            (#"[7] = {}"#, "bad route or task name '[7]'"),
        ]
    )
    func badTaskTypes(task: String, reason: String) throws {
        let error = try #require(throws: RouteError.self) {
            try RouterFixture("\nrouter.expects { tasks = { \(task) } }")
        }
        #expect(error.findings.first?.location?.line == 2)
        #expect(error.description.contains(reason), "\(error)")
    }

    @Test("declaring the types of a host task twice is an error")
    func taskTypesTwice() throws {
        let error = try #require(throws: RouteError.self) {
            try RouterFixture(
                """
                router.expects { tasks = { ["Camera/shoot"] = { result = "string" } } }
                router.expects { tasks = { "Camera/shoot", ["Camera/shoot"] = { result = "integer" } } }
                """
            )
        }
        #expect(
            error.description.contains(
                "task 'Camera/shoot' of 'router.expects' is declared twice (first at main.lua:1)"
            ),
            "\(error)"
        )
    }

    @Test("a typed function receives a host task, or the task fails if its parameters do not match")
    func performedTask() throws {
        let fixture = try RouterFixture(
            """
            router.expects { tasks = { "Camera/zoom" } }
            router.start(function() return router.screen "Home" end)
            """,
            starts: false
        )
        var zooms: [[Int]] = []
        func zoom(_ task: TypedHostTask<ZoomInfo, String>) {
            zooms.append(task.info.steps)
            if task.info.steps.isEmpty { return task.fail("no steps") }
            task.finish("zoomed")
        }
        func end(of info: InfoTable) throws -> String {
            let task = fixture.doTask("Camera", "zoom", info)
            try #require(fixture.host.takeTask { _ in true }).perform(zoom)
            return "\(task.status)"
        }
        #expect(try end(of: ["steps": [1, 2]]) == #"done(finished: true, info: "zoomed")"#)
        #expect(try end(of: ["steps": []]) == #"done(finished: false, info: "no steps")"#)
        #expect(
            try end(of: ["steps": 7])
                == #"done(finished: false, info: "bad field 'steps' (list expected, got integer)")"#
        )
        #expect(zooms == [[1, 2], []])
    }

    private struct ZoomInfo: ValueRepresentable {
        let steps: [Int]

        init(routeValue value: Value) throws(ValueMismatch) {
            steps = try InfoTable(routeValue: value).read("steps")
        }

        var routeValue: Value { .table(InfoTable(["steps": steps])) }
    }

    @Test("'router.expects' with a task that the manifest lacks is also an error after loading")
    func lateExpectation() throws {
        var configuration = Router.Configuration.patient
        configuration.manifest = HostManifest(tasks: [Target("Camera", "shoot")])
        let script = """
            router.export("pay", function()
              local _, why = pcall(function()
                router.expects { tasks = { "Camera/shoot", "Wallet/pay" } }
              end)
              return { why, select(2, router.doTask("Wallet", "pay")).status }
            end)
            router.export("shoot", function()
              router.expects { tasks = { "Camera/shoot" } }
              return select(2, router.doTask("Camera", "shoot")).status
            end)
            """
        let router = try Router(
            scripts: ScriptBundle(files: ["main.lua": script]),
            host: TestHost(),
            configuration: configuration
        )
        let answer = try router.call("pay")
        #expect(answer == ["main.lua:3: the host has no task 'Wallet/pay'", "failed"], "\(answer)")
        #expect(try router.call("shoot") == "pending")
    }

    @Test("a script that declares expected classes cannot create screens of other classes")
    func expectedScreens() throws {
        let fixture = try RouterFixture(
            """
            router.expects { screens = { "Main", "Show" } }
            router.start(function() return router.nav { router.screen "Main" } end)
            router.register("Show", "open", function() return router.screen "Shwo" end)
            """
        )
        let navigation = fixture.navigate("Show", "open")
        #expect(
            navigation.error?.description
                == "main.lua:3: 'router.expects' (main.lua:1) does not list the screen 'Shwo', did you mean 'Show'?"
        )
    }

    @Test(
        "a template of an undeclared class is an error, before and after the classes are declared",
        arguments: [true, false]
    )
    func unexpectedTemplate(isFirst: Bool) throws {
        let expects = #"router.expects { screens = { "Main", "Show" } }"#
        let register = #"router.register("Show", "open", { build = router.screen "Shwo" })"#
        let script = (isFirst ? [expects, register] : [register, expects]).joined(separator: "\n")
        let error = #expect(throws: RouteError.self) { try RouterFixture(script) }
        #expect(
            error?.description
                == "main.lua:\(isFirst ? 2 : 1): 'router.expects' (main.lua:\(isFirst ? 1 : 2)) does not list the screen 'Shwo', did you mean 'Show'?"
        )
    }

    @Test("registrations can be listed, removed, and overridden with 'override'")
    func table() throws {
        let fixture = try RouterFixture(
            """
            router.registerTask("B", "two", function() return 1 end)
            router.registerTask("B", "one", function() return 1 end)
            router.registerTask("A", "one", function() return 1 end)
            router.registerTask("A", "one", function() return 2 end, { override = true })
            router.registerTask("C", "one", function() return 1 end)
            router.remove("C")
            router.remove("B", "two")
            router.registerTask("All", "services", function() return router.services() end)
            """,
            starts: false
        )
        #expect(
            fixture.doTask("All", "services").value
                == ["A": ["one"], "B": ["one"], "All": ["services"]]
        )
        #expect(fixture.doTask("A", "one").value == 2)
        #expect(fixture.doTask("B", "two").error?.code == .notFound)
    }

    @Test("the host can call a function that a script exports")
    func export() throws {
        let fixture = try RouterFixture(
            """
            router.export("sum", function(t) return t[1] + t[2] end)
            router.registerTask("A", "b", print)
            """,
            starts: false
        )
        #expect(try fixture.router.call("sum", [1: 2, 2: 3]) == 5)
        let error = #expect(throws: RouteError.self) { try fixture.router.call("sun") }
        #expect(error?.message == "nothing is exported as 'sun', did you mean 'sum'?")
        let raised = #expect(throws: RouteError.self) { try fixture.router.call("sum") }
        #expect(raised?.code == .script)
    }

    @Test("a listener receives events after the turn in which they occur, and may navigate")
    func listener() throws {
        let fixture = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Main" } end)
            router.register("Page", "show", function() return router.screen "Page" end)
            router.register("Hint", "show", { build = router.screen "Hint", via = "present" })
            local hinted
            router.on("shown", function(event)
              if event.screen == "Page" and not hinted then
                hinted = true
                router.state.status = router.navigate("Hint", "show").status
              end
            end)
            router.on("done", function() error("no matter") end)
            """
        )
        fixture.navigate("Page", "show")
        #expect(fixture.tree == "nav[Main, Page] ^ Hint")
        #expect(fixture.router.state["status"] == "done")
        #expect(fixture.log.contains("error no matter"))
    }

    @Test("functions and screens can be passed in the info, and keep their identity")
    func identity() throws {
        let fixture = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Main" } end)
            local made
            local function succeed(page) return page == made end
            router.registerTask("Login", "create", function(info)
              made = router.screen("Login")
              return { screen = made, same = info.succeed == succeed }
            end)
            router.register("Any", "show", {
              info = { screen = "screen", succeed = "function" },
              build = function(info)
                router.state.kept = info.succeed == succeed and info.succeed(info.screen)
                return info.screen
              end,
            })
            router.registerTask("App", "login", function()
              local answer = router.doTask("Login", "create", { succeed = succeed })
              local n = router.navigate("Any", "show", { screen = answer.screen, succeed = succeed },
                { via = "presentWithNav" })
              return answer.same and n.status
            end)
            """
        )
        #expect(fixture.doTask("App", "login").value == "done")
        #expect(fixture.router.state["kept"] == true)
        #expect(fixture.tree == "nav[Main] ^ nav[Login]")
    }

    @Test("scripts can read the screen tree")
    func reading() throws {
        let fixture = try RouterFixture(
            """
            local screen = router.screen
            router.start(function()
              return router.tabs {
                router.nav { screen("A", { n = 1 }), screen("A", { n = 2 }), screen "B" },
                router.nav { screen("A", { n = 3 }) },
              }
            end)
            router.registerTask("Look", "at", function()
              local function n(finder, info) local s = router.find(finder, info) return s and s.n end
              return {
                router.root().kind, router.topmost().kind, router.visible().class,
                n("A"), n({ class = "A", direction = "topDown" }), n({ class = "A", by = "n" }, { n = 3 }),
                n(function(s) return s.n == 2 end), router.find({ kind = "nav" }).children[3].class,
                router.find("C") == nil, router.root("other") == nil, router.windows()[1],
              }
            end)
            """
        )
        #expect(
            fixture.doTask("Look", "at").value
                == ["tabs", "tabs", "B", 1, 2, 3, 2, "B", true, true, "main"]
        )
    }

    @Test("a script can lower its budget, but not raise it")
    func options() throws {
        let fixture = try RouterFixture(
            """
            router.options { budget = { instructions = 1000 } }
            router.registerTask("Work", "little", function() for i = 1, 100 do end return 1 end)
            router.registerTask("Work", "much", function() for i = 1, 100000 do end return 1 end)
            """,
            starts: false
        )
        #expect(fixture.doTask("Work", "little").value == 1)
        #expect(fixture.doTask("Work", "much").error?.code == .budget)
    }

    @Test("a task fails if the host ends it with a screen of another router")
    func foreignScreen() throws {
        let other = try RouterFixture(NavigatingTests.script)
        let foreign = try #require(other.router.tree.windows.first?.root)
        let fixture = try RouterFixture(
            """
            router.expects { tasks = { "Camera/shoot" } }
            router.start(function() return router.nav { router.screen "Main" } end)
            router.export("shoot", function()
              router.doTask("Camera", "shoot", {}, function(finished, why)
                print(finished, why.code)
              end)
            end)
            """
        )
        for info: Value in [.screen(foreign), ["shots": [.screen(foreign)]]] {
            let task = fixture.doTask("Camera", "shoot")
            try #require(fixture.host.takeTask { _ in true }).end(true, info)
            #expect(task.error?.code == .composition)
            #expect(task.completions == 1)
        }
        try fixture.call("shoot")
        try #require(fixture.host.takeTask { _ in true }).end(true, .screen(foreign))
        #expect(fixture.log == ["info false\tcomposition"])
    }

    @Test("a task handler cannot stop the navigation whose interceptor requested the task")
    func stopInWorker() throws {
        let fixture = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Main" } end)
            router.registerTask("Work", "do", function() router.stop("no") end)
            router.register("Page", "show", {
              build = function() return router.screen "Page" end,
              intercept = function()
                router.doTask("Work", "do", {}, function(finished, why)
                  print(finished, why.code, why.location, why.message)
                end)
              end,
            })
            """
        )
        let navigation = fixture.navigate("Page", "show")
        #expect(navigation.status.name == "done")
        #expect(
            fixture.log == [
                "info false\tscript\tmain.lua:2\t'router.stop' can be called only in an interceptor or 'prepare'"
            ]
        )
        #expect(fixture.tree == "nav[Main, Page]")
    }
}

/// Tests of scripts that would run forever, or nest too deeply.
@Suite(.failureReports)
struct BoundsTests {
    static let bounds: [(name: String, script: String)] = [
        (
            "a listener that navigates at each end",
            "router.on('done', function() router.navigate('Page', 'show') end)"
        ),
        ("a listener to the log that logs", "router.on('log', function() print 'again' end)"),
        (
            "a completion that navigates",
            "local function go() router.navigate('Page', 'show', {}, { completion = go }) end  router.export('go', go)"
        ),
        (
            "an 'after' that navigates",
            "router.register('Next', 'show', { build = router.screen 'Next', after = function() router.navigate('Next', 'show') end })"
        ),
        (
            "a task that does itself",
            "router.registerTask('Self', 'do', function() return router.doTask('Self', 'do') end)"
        ),
    ]

    @Test("a script that never returns is stopped, and the router keeps working", arguments: bounds)
    func ends(_ bound: (name: String, script: String)) throws {
        let fixture = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Main" } end)
            router.register("Page", "show", function() return router.screen "Page" end)
            \(bound.script)
            """
        )
        fixture.navigate("Page", "show")
        fixture.navigate("Next", "show")
        fixture.doTask("Self", "do")
        fixture.router.doTask(Target("Self", "do"))
        _ = try? fixture.router.call("go")
        fixture.router.popToRoot()
        #expect(fixture.router.pending.isEmpty)
        #expect(fixture.navigate("Page", "show").status.name == "done")
    }

    @Test("the depth of a tree is limited so that a traversal cannot overflow the stack")
    func depth() throws {
        let fixture = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Main" } end)
            router.register("Deep", "show", function(info)
              local screen = router.screen "Page"
              for i = 1, info.depth do screen = router.nav { screen } end
              return screen
            end)
            """
        )
        #expect(fixture.navigate("Deep", "show", ["depth": 98]).status.name == "done")
        let deep = fixture.navigate("Deep", "show", ["depth": 99])
        #expect(deep.error?.code == .composition)
        #expect(fixture.navigate("Deep", "show", ["depth": 100_000]).error?.code == .composition)
        for _ in 0..<200 {
            fixture.router.navigate(
                Target("Deep", "show"),
                info: ["depth": 0],
                options: NavigationOptions(via: .present)
            )
        }
        fixture.router.dismissAll()
        #expect(fixture.router.treeNotation().hasPrefix("nav[Main, "))
    }
}
