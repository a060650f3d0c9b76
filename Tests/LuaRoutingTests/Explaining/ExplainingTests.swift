// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// Tests of `Router.explain`, and of `router.explain` in scripts.
@Suite(.failureReports)
struct ExplainingTests {
    /// A script, a request, and the expected lines of the explanation.
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        var target = Target("A", "show")
        var info: InfoTable = [:]
        var options = NavigationOptions()
        /// The declarations of the script.
        let script: String
        /// The expected lines of ``summary(_:)``, in order; other lines may come between them.
        let says: [String]

        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case(
            name: "a screen that is built",
            script:
                #"router.register("A", "show", { build = function() return router.screen "A" end })"#,
            says: [
                "outcome done", "route A/show", "start nav[]", "step A/show built A push on nav",
                "built A", "does push(A)", "then nav[Main, A]",
            ]
        ),
        Case(
            name: "a finder that finds nothing says why",
            info: ["id": 2],
            script: """
                router.register("A", "show", {
                  info = { id = "integer" }, find = { class = "A", by = "id" },
                  build = function(i) return router.screen("A", { id = i.id }) end,
                })
                router.export("tree", function() end)
                given = "nav[Main, A(id=1), A]"
                """,
            says: [
                "find screen 'A': -", "nav: its class is not A", "A: the screen has no 'id'",
                "Main: its class is not A", "A(id=1): 'id' is 1, not 2", "does push(A(id=2))",
            ]
        ),
        Case(
            name: "a parent that is found, and a screen above it that is reused",
            info: ["id": 1],
            script: """
                router.register("P", "show", { find = "P", from = "root" })
                router.register("A", "show", {
                  info = { id = "integer" }, from = { "P", "show" }, reuse = { by = "id" },
                  build = router.screen "A",
                })
                given = "nav[P, A(id=1), A(id=2)]"
                """,
            says: [
                "step A/show found A(id=1) by reuse", "step P/show found P by find",
                "find screen 'P': P", "does pop(A(id=1))", "then nav[P, A(id=1)]",
            ]
        ),
        Case(
            name: "a finder with a function says that it says no",
            script: """
                router.register("A", "show", {
                  find = { class = "A", match = function(s) return s.id == 1 end },
                  build = function() return router.screen "A" end,
                })
                given = "nav[A(id=1), A(id=2)]"
                """,
            says: [
                "step A/show found A(id=1) by find", "find screen 'A': A(id=1)",
                "A(id=2): the function rejects the screen", "A(id=1): !", "gone A(id=2)",
                "does pop(A(id=1))", "then nav[A(id=1)]",
            ]
        ),
        Case(
            name: "a finder by kind says why it passes over what is foreign",
            script: """
                router.register("A", "show", {
                  find = { kind = "foreign" }, build = router.screen "A",
                })
                given = "nav[Main] ^ Camera:foreign"
                """,
            says: [
                "find a foreign: -",
                "Camera:foreign: foreign screens are found only by their class",
                "Main: its kind is leaf, not foreign",
            ]
        ),
        Case(
            name: "a screen that is recycled",
            info: ["id": 1],
            script: """
                router.register("A", "show", {
                  info = { id = "integer" }, reuse = { by = "id" },
                  build = function(i) return router.screen("A", { id = i.id }) end,
                })
                given = "nav[A(id=1), A(id=2)]"
                """,
            says: [
                "step A/show found A(id=1) by reuse", "reuse by id: A(id=1)",
                "A(id=2): 'id' is 2, not 1", "does pop(A(id=1))",
            ]
        ),
        Case(
            name: "a provider that recycles",
            script: """
                router.register("A", "show", function()
                  return router.reuse(function(s) return s.class == "A" end) or router.screen "A"
                end)
                given = "nav[A, B]"
                """,
            says: [
                "step A/show reused A push on nav", "provider router.reuse at main.lua:3: A",
                "B: the function rejects the screen", "does pop(A)",
            ]
        ),
        Case(
            name: "a policy with a function is asked about a foreign screen too",
            script: """
                router.register("A", "show", {
                  reuse = function() return false end, build = router.screen "A",
                })
                given = "nav[Camera:foreign, B]"
                """,
            says: [
                "reuse the screen that a function accepts: -", "B: the function rejects the screen",
                "Camera:foreign: the function rejects the screen",
            ]
        ),
        Case(
            name: "a policy with a search names the class that it searches for",
            script: """
                router.register("A", "show", {
                  reuse = { search = "fullStack" }, build = router.screen "A", via = "present",
                })
                given = "nav[B] ^ nav[A]"
                """,
            says: ["reuse screen 'A': A", "nav: its class is not A", "does -"]
        ),
        Case(
            name: "a finder without a class names the fields that it compares",
            info: ["id": 1],
            script: """
                router.register("A", "show", { find = { by = "id" }, build = router.screen "A" })
                given = "nav[B, A(id=1)]"
                """,
            says: ["find a screen with the same 'id': A(id=1)", "does -"]
        ),
        Case(
            name: "'router.reuse' asks about a foreign screen too",
            script: """
                router.register("A", "show", function()
                  return router.reuse(function() return false end) or router.screen "A"
                end)
                given = "nav[Camera:foreign, B]"
                """,
            says: [
                "provider router.reuse at main.lua:3: -", "B: the function rejects the screen",
                "Camera:foreign: the function rejects the screen",
            ]
        ),
        Case(
            name: "steps behind, from the target backwards",
            script: """
                router.register("A", "show", {
                  build = router.screen "A",
                  from = router.newNav{ via = router.present{ style = "sheet" }, from = { "B", "show" } },
                })
                router.register("B", "show", { find = "B", build = router.screen "B" })
                """,
            says: [
                "step A/show built A push on nav",
                "step nav at main.lua:4 built nav present(style=\"sheet\") on B",
                "step B/show built B push on nav", "find screen 'B': -", "built B", "built nav",
                "built A", "does push(B), present(nav, style=\"sheet\")",
                "then nav[Main, B] ^ nav[A]",
            ]
        ),
        Case(
            name: "a switch says which case it took",
            script: """
                router.register("A", "show", {
                  build = router.screen "A",
                  from = router.switch{
                    { when = "C", from = "current" },
                    { when = function() return true end, from = "root" },
                    default = "current",
                  },
                })
                """,
            says: ["case 1 screen 'C': -", "choice 2", "does push(A)"]
        ),
        Case(
            name: "leaves of a tree",
            script: """
                router.register("A", "show", {
                  build = router.tabs{ router.nav{ { "B", "show" } }, { "C", "show" } },
                  via = "present",
                })
                router.register("B", "show", { build = router.screen "B", ready = { "b" } })
                router.register("C", "show", { build = router.screen "C", after = function() end })
                """,
            says: [
                "outcome pending", "waits b", "gate b closed", "built B", "built C",
                "then nav[Main] ^ tabs[*nav[B], C]", "after C",
            ]
        ),
        Case(
            name: "gates of the target and of steps behind, open and closed",
            script: """
                router.register("A", "show", {
                  build = router.screen "A", ready = { "one", "two" }, from = { "B", "show" },
                })
                router.register("B", "show", { build = router.screen "B", ready = { "three" } })
                opens = { "two" }
                """,
            says: [
                "outcome pending", "waits one", "gate one closed A/show", "gate two open A/show",
                "gate three closed B/show", "does children(Main, B, A)",
            ]
        ),
        Case(
            name: "flags and the chain of fallbacks",
            script: """
                local function off() return false end
                router.register("A", "show", { build = router.screen "A", enabled = off, fallback = { "B", "show" } })
                router.register("B", "show", { build = router.screen "B", enabled = off, fallback = { "C", "show" } })
                router.register("C", "show", { build = router.screen "C" })
                """,
            says: [
                "route C/show", "detour disabled A/show → B/show",
                "detour disabled B/show → C/show",
                "does push(C)",
            ]
        ),
        Case(
            name: "a flag without a fallback",
            script: """
                router.register("A", "show", {
                  build = router.screen "A", enabled = function() return false end,
                })
                """,
            says: ["outcome failed", "fails resolve disabled"]
        ),
        Case(
            name: "what is not registered goes to the fallback",
            target: Target("Nothing", "here"),
            script: """
                router.fallback{ screen = function(service) return router.screen(service) end }
                """,
            says: ["route Nothing/here", "detour unknown Nothing/here", "does push(Nothing)"]
        ),
        Case(
            name: "what is not registered",
            target: Target("A", "shwo"),
            script: #"router.register("A", "show", { build = router.screen "A" })"#,
            says: ["outcome failed", "fails resolve notFound"]
        ),
        Case(
            name: "a task is not a screen",
            target: Target("T", "do"),
            script: #"router.registerTask("T", "do", function() return 1 end)"#,
            says: ["outcome failed", "fails resolve wrongKind"]
        ),
        Case(
            name: "parameters, as they are converted",
            info: ["id": 7.0],
            script: """
                router.register("A", "show", {
                  info = { id = "integer" }, build = function(i) return router.screen("A", i) end,
                })
                """,
            says: ["info {id=7}", "does push(A(id=7))"]
        ),
        Case(
            name: "parameters that are wrong",
            info: ["idd": 7],
            script: """
                router.register("A", "show", { info = { id = "integer" }, build = router.screen "A" })
                """,
            says: ["outcome failed", "fails resolve badInfo"]
        ),
        Case(
            name: "an origin that may not ask",
            script: """
                router.register("A", "show", { origin = { "script" }, build = router.screen "A" })
                """,
            says: ["fails resolve forbidden"]
        ),
        Case(
            name: "dependencies, there, made, of a step behind",
            script: """
                router.provide("api", function() return { 1 } end)
                router.provide("store", function() return { 2 } end)
                router.register("A", "show", {
                  build = router.screen "A", needs = { "api" }, from = { "B", "show" },
                })
                router.register("B", "show", { build = router.screen "B", needs = { "store" } })
                """,
            says: ["need api made A/show", "need store made B/show", "does children(Main, B, A)"]
        ),
        Case(
            name: "a dependency that is missing",
            script: """
                router.expects{ dependencies = { "api" } }
                router.register("A", "show", { build = router.screen "A", needs = { "api" } })
                """,
            says: ["outcome failed", "need api host", "fails resolve missingDependency"]
        ),
        Case(
            name: "interceptors in their order, none of which runs",
            script: """
                local function never() error "asked" end
                router.interceptor("early", { timeout = 5 }, never)
                router.interceptor("wide", never)
                router.interceptor("own", never)
                router.interceptAll("wide")
                router.interceptAll("early", { before = "search" })
                router.class("Draft", { leaving = never })
                router.register("A", "show", {
                  build = router.screen "A", intercept = { "own", never }, via = "pushAsRoot",
                  from = { "B", "show" },
                })
                router.register("B", "show", { find = "Main", intercept = { "own" } })
                given = "nav[Main, Draft]"
                """,
            says: [
                "outcome done", "asks search early 5.0", "asks every wide", "asks step own A/show",
                "asks step intercept A/show", "asks leaving leaving Draft", "gone Draft",
                "then nav[A]",
            ]
        ),
        Case(
            name: "a screen that only the stage shows to go is asked too",
            script: """
                router.class("Draft", { leaving = function() end })
                router.register("A", "show", { build = router.screen "A", via = "pushAsRoot" })
                given = "nav[Main, Draft]"
                """,
            says: ["asks leaving leaving Draft", "gone Draft", "gone Main", "then nav[A]"]
        ),
        Case(
            name: "a screen that may not go",
            script: """
                router.class("Stuck", { dismissible = function() return false end })
                router.register("A", "show", { build = router.screen "A", via = "pushAsRoot" })
                given = "nav[Main, Stuck]"
                """,
            says: [
                "outcome failed", "step A/show built A pushAsRoot on nav", "gone Stuck",
                "fails dismissible notDismissible",
            ]
        ),
        Case(
            name: "a prepare that stops",
            script: """
                router.register("A", "show", {
                  build = router.screen "A", from = { "B", "show" },
                })
                router.register("B", "show", {
                  build = router.screen "B", prepare = function() router.stop "no" end,
                })
                """,
            says: [
                "outcome failed", "step A/show ? push", "step B/show ? push", "fails plan stopped",
            ]
        ),
        Case(
            name: "a way of more than forty steps",
            script: """
                router.register("A", "show", {
                  info = { n = "integer?" }, build = router.screen "A",
                  adapt = function(i) return { n = (i.n or 0) + 1 } end, from = { "B", "show" },
                })
                router.register("B", "show", {
                  info = { n = "integer?" }, build = router.screen "B",
                  from = router.switch{ { from = function(i) return { "A", "show" } end } },
                })
                """,
            says: ["outcome failed", "step A/show ? push", "fails plan startNotFound"]
        ),
        Case(
            name: "a build that raises",
            script: """
                router.register("A", "show", { build = function() error "broken" end })
                """,
            says: ["outcome failed", "step A/show built push", "fails stage script"]
        ),
        Case(
            name: "tasks, navigations, timers and the log are listed",
            script: """
                router.registerTask("Log", "write", function() error "run" end)
                router.register("B", "show", { build = router.screen "B" })
                router.register("A", "show", { build = function()
                  local value, task = router.doTask("Log", "write", { n = 1 })
                  local n = router.navigate("B", "show")
                  router.delay(1, function() error "late" end):cancel()
                  router.ready("gate")
                  router.register("New", "one", { build = router.screen "C" })
                  router.log.info("built")
                  router.state.count = 1
                  local a = router.screen("A", { value = tostring(value), status = n.status .. task.status })
                  return a
                end })
                """,
            says: [
                "does push(A(status=\"cancelledcancelled\", value=\"nil\"))",
                "call task router.doTask(\"Log\", \"write\", {n=1})",
                "call navigation router.navigate(\"B\", \"show\")", "call timer router.delay(1",
                "call other cancel()", "call other router.ready(\"gate\")",
                "call other router.register(\"New\"", "log info built",
            ]
        ),
        Case(
            name: "a build that wants the value of a task is not certain to fail",
            script: """
                router.registerTask("T", "load", function() return { n = 1 } end)
                router.register("A", "show", { build = function()
                  return router.screen("A", { n = router.doTask("T", "load").n })
                end })
                """,
            says: ["outcome failed", "fails stage script perhaps"]
        ),
        Case(
            name: "what is shown already",
            script: """
                router.register("A", "show", { find = "A" })
                given = "nav[A]"
                """,
            says: ["outcome done", "step A/show found A by find", "does -", "then nav[A]"]
        ),
    ]

    @Test("an explanation describes the effect that the navigation would have", arguments: cases)
    func says(_ test: Case) throws {
        let fixture = try Self.fixture(test)
        let explanation = try fixture.router.explain(
            test.target,
            info: test.info,
            options: test.options
        )
        let lines = Self.summary(explanation)
        var rest = lines[...]
        for expected in test.says {
            guard let index = rest.firstIndex(where: { $0.hasPrefix(expected) }) else {
                Issue.record("no '\(expected)' in order in:\n\(lines.joined(separator: "\n"))")
                return
            }
            rest = rest[(index + 1)...]
        }
    }

    @Test(
        "the explanation of a navigation that fails contains no operations and no resulting tree",
        arguments: [
            """
            router.class("Stuck", { dismissible = function() return false end })
            router.register("A", "show", { build = router.screen "A", via = "pushAsRoot" })
            given = "nav[Main, Stuck]"
            """,
            #"router.register("A", "show", { build = function() error "broken" end })"#,
            #"router.register("A", "show", { build = router.screen "A", origin = { "script" } })"#,
            #"router.register("B", "show", { build = router.screen "B" })"#,
        ]
    )
    func fails(_ script: String) throws {
        let fixture = try Self.fixture(Case(name: "", script: script, says: []))
        let explanation = try fixture.router.explain(Target("A", "show"))
        #expect(explanation.failure != nil)
        #expect(explanation.operations.isEmpty)
        #expect(explanation.after == nil)
        #expect(explanation.windows.map(\.before) == [fixture.tree])
        #expect(explanation.windows.map(\.after) == [nil])
        #expect(explanation.table["after"] == .nil)
    }

    @Test("the explanation of a URL lists matching routings and near misses")
    func routings() throws {
        let script = """
            local letter = router.routing "/letter/:number(int)"
            letter:setAction(function() error "run" end)
            router.routing "/letter/:name"
            router.register("A", "show", { build = router.screen "A", url = "/a/:id(int)" })
            """
        let fixture = try Self.fixture(Case(name: "", script: script, says: []))
        func explain(_ url: String) throws -> Explanation { try fixture.router.explain(url: url) }
        let letter = try explain("/letter/7")
        #expect(
            letter.routings.map(\.routing.pattern) == ["/letter/:number(int)", "/letter/:name"]
        )
        #expect(letter.routings.map(\.routing.location?.line) == [2, 4])
        #expect(letter.routings[0].parameters == ["number": 7])
        #expect(letter.routings.map(\.routing.hasAction) == [true, false])
        // 'router.open' goes by routes alone.
        #expect(letter.failure?.error.code == .notFound)
        let missed = try explain("/letter/7/8")
        #expect(missed.routings.isEmpty)
        #expect(missed.routingMisses.map(\.segment) == [3, 3])
        #expect(missed.table["routingMisses"] != .nil)
        #expect(try explain("/a/7").routings.isEmpty)
    }

    @Test("a navigation has the effect that its explanation described", arguments: cases)
    func holds(_ test: Case) throws {
        let (explained, plain) = (try Self.fixture(test), try Self.fixture(test))
        let explanation = try explained.router.explain(
            test.target,
            info: test.info,
            options: test.options
        )
        #expect(explained.events.isEmpty)
        #expect(explained.tree == plain.tree)
        #expect(explained.brokenRules.isEmpty)
        let navigations = [explained, plain].map {
            $0.router.navigate(test.target, info: test.info, options: test.options)
        }
        #expect(explained.events.map(\.json) == plain.events.map(\.json))
        #expect(explained.router.treeWithSerials == plain.router.treeWithSerials)
        // No explanation knows the effect of a task's value.
        guard case .done = navigations[1].status, explanation.failure?.isCertain != false else {
            return
        }
        #expect(explanation.after == plain.tree)
        #expect(explanation.failure == nil)
    }

    // MARK: Support

    private static func fixture(_ test: Case) throws -> RouterFixture {
        var script = """
            router.start(function() return router.nav{ router.screen "Main" } end)

            """
        var (given, opens): (String?, [String]) = (nil, [])
        for line in test.script.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("given = ") {
                given = String(line.dropFirst(9).dropLast())
            } else if line.hasPrefix("opens = ") {
                opens = ["two"]
            } else {
                script += line + "\n"
            }
        }
        let fixture = try RouterFixture(script)
        if let given { try fixture.router.setTree(TreeNotation(given)) }
        for gate in opens { try fixture.router.ready(gate) }
        fixture.forgetEvents()
        return fixture
    }

    /// Returns the content of an explanation, with one line for each property.
    static func summary(_ explanation: Explanation) -> [String] {
        var lines = ["outcome \(explanation.outcome.rawValue)"]
        if let gate = explanation.waitsFor { lines.append("waits \(gate)") }
        lines.append("info \(NotationPrinter().value(.table(explanation.info)))")
        if let route = explanation.route { lines.append("route \(route)") }
        lines += explanation.detours.map {
            "detour \($0.reason.rawValue) \($0.route) → \($0.taken)"
        }
        lines += explanation.gates.map {
            "gate \($0.name) \($0.isOpen ? "open" : "closed") \($0.route ?? "")"
        }
        lines += explanation.dependencies.map {
            "need \($0.name) \($0.state.rawValue) \($0.route ?? "")"
        }
        lines += explanation.interceptors.map {
            "asks \($0.kind.rawValue) \($0.name) \($0.of ?? "\($0.timeout)")"
        }
        if let start = explanation.start { lines.append("start \(start)[]") }
        for step in explanation.steps {
            let parts: [String?] = [
                step.outcome?.rawValue ?? "?", step.screen,
                step.by.map { "by \($0)" } ?? step.action,
                step.container.map { "on \($0)" },
            ]
            lines.append(
                "step \(step.route) \(parts.compactMap(\.self).joined(separator: " "))"
            )
            for search in step.searches {
                lines.append("\(search.purpose) \(search.finder): \(search.found ?? "-")")
                lines += search.visits.map { "\($0.screen): \($0.reason ?? "!")" }
                if search.more > 0 { lines.append("more \(search.more)") }
            }
            lines += step.choices.map { "choice \($0.number.map(String.init) ?? "default")" }
        }
        lines += explanation.built.map { "built \($0.screen)" }
        lines += explanation.leaving.map { "gone \($0.screen)" }
        let operations = explanation.operations.joined(separator: ", ")
        lines.append("does \(operations.isEmpty ? "-" : operations)")
        if let after = explanation.after { lines.append("then \(after)") }
        lines += explanation.afterRuns.map { "after \($0.screen)" }
        lines += explanation.calls.map { "call \($0.kind.rawValue) \($0.text)" }
        lines += explanation.log.map { "log \($0.level) \($0.message)" }
        if let failure = explanation.failure {
            let certainty = failure.isCertain ? "" : " perhaps"
            lines.append(
                "fails \(failure.phase.rawValue) \(failure.error.code.rawValue)\(certainty)"
            )
        }
        return lines
    }
}

extension Router {
    /// The trees of all windows with the serials of the screens.
    var treeWithSerials: [String] {
        tree.windows.map { window in
            var serials: [Int32] = []
            for level in tree.levels(of: window) {
                serials += tree.search(from: level).map(\.serial)
            }
            return "\(treeNotation(window: window.name)) \(serials)"
        }
    }
}
