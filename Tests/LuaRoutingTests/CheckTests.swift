// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// Loads a script, and returns the errors that the check of the script found.
private func mistakes(in script: String) -> [Finding] {
    do throws(RouteError) {
        _ = try Router(
            scripts: ScriptBundle(files: ["main.lua": script]),
            host: HeadlessHost(),
            configuration: .patient
        )
        return []
    } catch {
        return error.findings
    }
}

/// Loads a script, and returns all findings of the check.
private func findings(in script: String, host: String? = nil) throws -> [Finding] {
    let router = try Router(
        scripts: ScriptBundle(files: ["main.lua": script]),
        host: HeadlessHost(),
        configuration: .patient
    )
    return router.check(manifest: try host.map { try HostManifest(json: Array($0.utf8)) })
}

/// Tests of errors that reject scripts after they have run, and that are all reported together.
@Suite(.failureReports)
struct CheckTests {
    @Test(
        "if the 'info' of a group drops a field of 'by', the help says to add the field to 'info'"
    )
    func droppedByGroup() throws {
        let script = """
            local group = router.group { url = "/orgs/:org", info = { org = "string" } }
            group:register("Task", "edit", {
              url = ":id(int)/edit", find = { class = "Task", by = "id" }, build = router.screen "Task",
            })
            """
        let found = mistakes(in: script)
        #expect(found.map(\.code.description) == ["L0212"])
        #expect(
            found.first?.help
                == "add 'id' to 'info': parameters of 'url' are dropped unless 'info' of the route or of one of its groups declares them"
        )
    }

    @Test("a check accepts hosts that match declared origins, and the parameters of these origins")
    func origins() throws {
        let script = """
            router.class("P", {}) router.links { "https://*.example.com", "https://:tenant.shop.example" }
            local function page(name, url, info)
              router.register("P", name, { url = url, info = info, build = router.screen "P" })
            end
            page("a", "https://a.example.com/a", {})
            page("b", "https://a.b.example.com/b", {})
            page("c", "https://:own.shop.example/c", { own = "string" })
            page("d", "https://a.example.com:8443/d", {})
            page("e", "/e/:id(bool)", { id = "boolean", tenant = "string" })
            page("f", "/f/:id(bool)", { id = "integer" })
            page("g", "/v:x(1|2)", { x = "string" })
            page("h", "/v1", {})
            page("i", "/v2", {})
            """
        let messages = try findings(in: script).map(\.message)
        let expected = [
            "url 'https://a.b.example.com/b' is never matched: 'router.links' does not list 'https://a.b.example.com'",
            "url 'https://a.example.com:8443/d' is never matched: 'router.links' does not list 'https://a.example.com:8443'",
            "url '/f/:id(bool)' provides 'id' as a boolean, which 'info' never accepts (integer expected)",
            "url '/v:x(1|2)' is never matched: '/v1' (main.lua:12) and '/v2' (main.lua:13) take precedence",
        ]
        for message in expected {
            #expect(messages.contains { $0.hasPrefix(message) }, "\(message) in \(messages)")
        }
        #expect(messages.count == expected.count, "\(messages)")
    }

    @Test("five mistakes are all reported in line order, and the first mistake is the thrown error")
    func many() throws {
        let script = """
            router.register("A", "show", { from = { "Cart", "show" } })
            router.register("C", "show", { from = "current", intercept = { "x", "y" } })
            router.register("D", "show", { build = router.nav{ { "Search", "show" } }, via = "pop" })
            """
        let error = try #require(throws: RouteError.self) {
            _ = try Router(scripts: ScriptBundle(files: ["main.lua": script]), host: HeadlessHost())
        }
        #expect(error.description == "main.lua:1: no service 'Cart'")
        #expect(
            error.findings.map { "\($0.code) \($0)" } == [
                "L0201 main.lua:1: no service 'Cart'",
                "L0203 main.lua:2: no interceptor 'x' is declared",
                "L0203 main.lua:2: no interceptor 'y' is declared",
                "L0204 main.lua:3: no action 'pop' is declared",
                "L0201 main.lua:3: no service 'Search'",
            ]
        )
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let script: String
        var finds: [String] = []

        var testDescription: String { name }
    }

    static let cases = [
        Case(
            name: "parent routes in a link, in a switch, and in a tree inside a tree",
            script: """
                router.register("A", "show", {
                  build = router.tabs{ router.nav{ { "T", "one" } } },
                  from = router.switch{
                    { when = "A", from = router.link{ find = "A", from = { "T", "two" } } },
                    { from = function() return { "T", "dynamic" } end },
                    default = { "T", "three" },
                  },
                })
                router.registerTask("T", "work", function() end)
                """,
            finds: [
                "L0201 main.lua:1: no task 'one' in service 'T' ('work' expected)",
                "L0201 main.lua:3: no task 'three' in service 'T' ('work' expected)",
                "L0201 main.lua:4: no task 'two' in service 'T' ('work' expected)",
            ]
        ),
        Case(
            name: "the routes that a class offers",
            script: """
                router.register("A", "show", { build = router.screen "A" })
                router.registerTask("T", "work", function() end)
                router.class("A", { offers = { "A/show", "B/show", "T/work" } })
                """,
            finds: [
                "L0201 main.lua:3: no service 'B', did you mean 'A'?",
                "L0202 main.lua:3: 'T/work' is a task and has no screen (use router.doTask)",
            ]
        ),
        Case(
            name: "patterns that continue none",
            script: """
                local P = router.screen "P"
                router.register("A", "path", { url = "a/:id", build = P })
                router.register("A", "query", { url = { "/q", "?q=:q" }, build = P })
                router.group {}:register("A", "group", { url = "g", build = P })
                router.group { url = "/h" }:register("A", "member", { url = "h", build = P })
                router.alias("old", "/q")
                router.alias("/new", "q")
                """,
            finds: [
                "L0207 main.lua:2: bad url 'a/:id' at column 1: '/' or a scheme expected (write '/a/:id'; only a pattern in a group with 'url' can begin without '/')",
                "L0207 main.lua:3: bad url '?q=:q' at column 1: '/' or a scheme expected (write '/?q=:q'; only a pattern in a group with 'url' can begin without '/')",
                "L0207 main.lua:4: bad url 'g' at column 1: '/' or a scheme expected (write '/g'; only a pattern in a group with 'url' can begin without '/')",
                "L0207 main.lua:6: bad url 'old' at column 1: '/' or a scheme expected (write '/old'; only a pattern in a group with 'url' can begin without '/')",
                "L0207 main.lua:7: bad url 'q' at column 1: '/' or a scheme expected (write '/q'; only a pattern in a group with 'url' can begin without '/')",
            ]
        ),
        Case(
            name: "the first tree",
            script: #"router.start{ "Home", "show" }"#,
            finds: ["L0201 main.lua:1: no service 'Home'"]
        ),
        Case(
            name: "a field in 'by' that no screen has",
            script: """
                router.class("Listed", { fields = { "id" } })
                local info = { id = "integer", sku = "string" }
                router.register("A", "find", {
                  info = info, find = { class = "Listed", by = { "id", "sku" } }, build = router.screen "Listed",
                })
                router.register("A", "reuse", { info = info, reuse = { by = "idd" }, build = router.screen "Listed" })
                router.register("A", "link", {
                  build = router.screen "B", from = router.link { find = { class = "Listed", by = "sku" } },
                })
                router.register("Open", "none", { info = info, reuse = { by = "title" }, build = router.screen "Open" })
                router.register("C", "url", { url = "/c/:id", find = { class = "C", by = "sku" }, build = router.screen "C" })
                router.register("D", "parameter", { url = "/d/:id", reuse = { by = "id" }, build = router.screen "D" })
                router.register("E", "template", { reuse = { by = "id" }, build = router.screen("E", { id = 1 }) })
                router.register("F", "function", { reuse = { by = "id" }, build = function() return router.screen "F" end })
                router.register("G", "update", { reuse = { by = "id" }, build = router.screen "G", update = function(page) end })
                router.register("H", "elsewhere", { build = router.screen "B", find = { class = "H", by = "id" } })
                """,
            finds: [
                "L0212 main.lua:3: 'by' of 'A/find' names 'sku', which is not a field of class 'Listed'",
                "L0212 main.lua:6: 'by' of 'A/reuse' names 'idd', which is not a field of class 'Listed', did you mean 'id'?",
                "L0212 main.lua:8: 'by' of 'link at main.lua:8' names 'sku', which is not a field of class 'Listed'",
                "L0212 main.lua:10: 'by' of 'Open/none' names 'title', but nothing sets this field of class 'Open'",
                "L0212 main.lua:11: 'by' of 'C/url' names 'sku', but nothing sets this field of class 'C'",
            ]
        ),
        Case(
            name: "what was removed or replaced again names nothing",
            script: """
                local function page() return router.screen("Page") end
                router.register("A", "show", { build = page, intercept = "gone" })
                router.register("A", "show", { build = page }, { override = true })
                router.register("B", "show", { build = page, from = { "Gone", "show" } })
                router.remove("B")
                """
        ),
        Case(
            name: "a cycle is reported once, however many routes lead into it",
            script: """
                local function way(name, from)
                  router.register(name, "show", { from = from })
                end
                way("A", { "B", "show" })
                way("B", { "C", "show" })
                way("C", { "B", "show" })
                way("D", { "C", "show" })
                way("E", router.switch{ { when = "E", from = { "D", "show" } }, default = { "A", "show" } })
                """,
            finds: [
                "L0205 main.lua:5: the chain of parent routes has no start: B/show from C/show from B/show"
            ]
        ),
        Case(
            name: "a circle that a finder, a case or a function may leave is none",
            script: """
                local function way(name, from, find)
                  router.register(name, "show", { from = from, find = find })
                end
                way("A", { "A", "show" }, "A")
                way("B", { "C", "show" })
                way("C", router.switch{ { when = "C", from = { "B", "show" } }, default = "root" })
                way("D", router.switch{ { from = function() return { "D", "show" } end } })
                router.register("E", "show", {
                  url = "/e/:id",
                  build = router.screen("E"),
                  reuse = { "id", search = "fullStack" },
                  from = { "E", "show" },
                })
                """
        ),
        Case(
            name: "'never' finds nothing, and a policy without 'search' looks at the way behind",
            script: """
                router.register("A", "show", { from = { "A", "show" }, find = "never" })
                router.register("B", "show", {
                  build = router.screen("B"),
                  reuse = "class",
                  from = { "B", "show" },
                })
                """,
            finds: [
                "L0205 main.lua:1: the chain of parent routes has no start: A/show from A/show",
                "L0205 main.lua:2: the chain of parent routes has no start: B/show from B/show",
            ]
        ),
        Case(
            name: "all patterns that are wrong, and only they",
            script: """
                local function page(task, url)
                  router.register("Page", task, { url = url, build = router.screen("Page") })
                end
                page("a", "/a/:x")
                page("b", { "/a/:y", "/b/{" })
                page("c", "/a/:z")
                page("d", "/d/:x(knid)")
                router.kind("kind", function(text) return text end)
                router.alias("/e", "/nowhere")
                """,
            finds: [
                "L0207 main.lua:5: bad url '/b/{' at column 4: unexpected '{' (write a parameter as ':name', and a literal '{' as '%7B')",
                "L0208 main.lua:5: url '/a/:y' (main.lua:5) matches the same URLs as '/a/:x' (main.lua:4)",
                "L0208 main.lua:6: url '/a/:z' (main.lua:6) matches the same URLs as '/a/:y' (main.lua:5)",
                "L0207 main.lua:7: bad url '/d/:x(knid)' at column 7: unknown kind 'knid' (did you mean 'kind'? the kinds are bool, date, int, number, slug, uint, uuid, kind and alternatives such as 'a|b|c')",
                "L0209 main.lua:9: bad alias of '/nowhere': no route has this 'url'",
            ]
        ),
        Case(
            name: "aliases that leave open what they stand for, or are of other kinds",
            script: """
                local function page(task, url)
                  router.register("Page", task, { url = url, build = router.screen("Page") })
                end
                page("a", "/n/:id(int)/:x(slug)")
                page("b", "/n/:id(uuid)/:x(slug)")
                page("c", "/n/:id(int)/:x(date)")
                page("d", "/m/:id(int)")
                page("e", "/m/:id(a|b)")
                page("f", "/m/:id(date)")
                page("g", "/m/:id(uuid)")
                page("h", "/t/:id")
                page("i", "/t/:id(int)")
                router.alias("/a/:id/:x", "/n/:id(int)/:x")
                router.alias("/b/:id/:x", "/n/:id(uuid)/:x")
                router.alias("/c/:id/:x", "/n/:id/:x(slug)")
                router.alias("/d/:id/:x", "/n/:id/:x(date)")
                router.alias("/e/:id", "/m/:id")
                router.alias("/f/:id(int)", "/m/:id(uuid)")
                router.alias("/g/:id(int)", "/t/:id")
                router.alias("/h/:id", "/t/:id")
                router.alias("/i/:id", "/m/:id(slug)")
                router.alias("/j/:x/*id", "/m/:id(int)")
                """,
            finds: [
                "L0209 main.lua:13: ambiguous alias of '/n/:id(int)/:x': the route may be '/n/:id(int)/:x(slug)' (main.lua:4) or '/n/:id(int)/:x(date)' (main.lua:6) (write the kinds of the parameters)",
                "L0209 main.lua:15: ambiguous alias of '/n/:id/:x(slug)': the route may be '/n/:id(int)/:x(slug)' (main.lua:4) or '/n/:id(uuid)/:x(slug)' (main.lua:5) (write the kinds of the parameters)",
                "L0209 main.lua:17: ambiguous alias of '/m/:id': the route may be '/m/:id(int)' (main.lua:7) or '/m/:id(a|b)' (main.lua:8) or '/m/:id(date)' (main.lua:9) or 1 more (write the kinds of the parameters)",
                "L0209 main.lua:18: the alias has the parameter 'id' with another kind ('uuid' expected, got 'int')",
                "L0209 main.lua:19: the alias has the parameter 'id' with another kind ('text' expected, got 'int')",
                "L0209 main.lua:21: bad alias of '/m/:id(slug)': no route has this 'url'",
                "L0209 main.lua:22: the alias has the parameter 'id' with another kind ('int' expected, got 'text')",
            ]
        ),
    ]

    @Test("a check finds exactly the errors for which scripts are rejected", arguments: cases)
    func finds(_ test: Case) {
        let found = LuaRoutingTests.mistakes(in: test.script).map { "\($0.code) \($0)" }
        #expect(found == test.finds)
    }

    @Test("a chain of ten thousand parent routes is checked quickly and on a small stack")
    func longWay() {
        let script = """
            for n = 1, 10000 do
              router.register("S" .. n, "show", { from = { "S" .. (n % 10000 + 1), "show" } })
            end
            """
        let found = LuaRoutingTests.mistakes(in: script)
        #expect(found.count == 1)
        #expect(found.first?.code.description == "L0205")
    }

    @Test("routes may be registered in any order while scripts load")
    func later() throws {
        let fixture = try RouterFixture(
            """
            router.start(function() return router.nav{ router.screen("Home") } end)
            router.export("later", function()
              local function page() return router.screen("Page") end
              router.register("B", "show", { build = page, from = { "A", "show" } })
              router.register("A", "show", { build = page })
            end)
            router.export("wrong", function()
              router.register("C", "show", { from = "current", intercept = "nothing" })
            end)
            """
        )
        try fixture.call("later")
        #expect(fixture.navigate("B", "show").error == nil)
        #expect(throws: RouteError.self) { try fixture.call("wrong") }
    }
}

/// Tests of warnings about scripts that load, and of classes or tasks that the host lacks.
struct FindingTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let script: String
        var host: String?
        var finds: [String] = []

        var testDescription: String { name }
    }

    static let cases = [
        Case(
            name: "a name in quotes elsewhere may be used by a function",
            script: """
                router.interceptor("login", function() end)
                router.action("sheet", function() end)
                router.register("A", "show", {
                  build = router.screen("A"),
                  from = router.switch{ { from = function()
                    return router.link{ find = "A", intercept = 'login', via = "sheet" }
                  end } },
                })
                """
        ),
        Case(
            name: "interceptors, actions and kinds that nothing names",
            script: """
                router.interceptor("login", function() end) router.class("A", {})
                router.action("sheet", function() end)
                router.kind("isbn", function(text) return text end)
                router.kind("issn", function(text) return text end)
                router.register("A", "show", {
                  info = { id = "string" },
                  url = "/:id(issn)",
                  build = router.screen("A"),
                })
                """,
            finds: [
                "L0102 main.lua:1: interceptor 'login' is declared but never used",
                "L0102 main.lua:2: action 'sheet' is declared but never used",
                "L0102 main.lua:3: kind 'isbn' is declared but never used",
            ]
        ),
        Case(
            name: "a name in a comment, or in a text with more in it, names nothing",
            script: """
                router.interceptor("login", function() end)  -- not "login" again
                --[==[ "login" ]] 'login' ]==]
                router.register("A", "show", { build = router.screen("A", { text = "say 'login'" }) })
                """,
            finds: ["L0102 main.lua:1: interceptor 'login' is declared but never used"]
        ),
        Case(
            name: "a name in long brackets, and one that is named by a link alone",
            script: """
                router.interceptor("login", function() end)
                router.interceptor("terms", function() end)
                local function later() return { [[login]] } end
                router.register("A", "show", {
                  build = router.screen("A"),
                  from = router.link{ find = "A", intercept = "terms" },
                })
                """
        ),
        Case(
            name: "kinds that routings name, or patterns that functions register",
            script: """
                router.kind("isbn", function(text) return text end)
                router.kind("issn", function(text) return text end)
                router.routing("/books/:id(isbn)")
                router.export("later", function()
                  router.register("A", "show", {
                    url = "/:id(issn)/:kind?",
                    build = function() return router.screen("A") end,
                  })
                end)
                """
        ),
        Case(
            name: "services and dependencies that functions register when they run",
            script: """
                router.interceptor("login", function() end)
                router.interceptAll("login", { only = { "Late", "Soon" }, except = { "Nwe" } })
                router.register("A", "show", { needs = "session", build = router.screen("A") })
                router.export("later", function()
                  router.register("Late", "show", { build = router.screen("Late") })
                  router.provide("session", function() return 1 end)
                  for _, name in ipairs{ "Soon", "New" } do
                    router.register(name, "show", { build = router.screen(name) })
                  end
                end)
                """,
            finds: ["L0101 main.lua:2: no service 'Nwe' is registered"]
        ),
        Case(
            name: "gates that are numbered, or that a script opens, are no misspellings",
            script: """
                local function page(name, gate)
                  router.register(name, "show", { ready = gate, build = router.screen(name) })
                end
                page("A", "tab1")
                page("B", "tab2")
                page("C", "left")
                page("D", "lefts")
                page("E", "ready-a")
                page("F", "ready-b")
                router.export("open", function()
                  router.ready("left")
                  router.ready "lefts"
                  for _, gate in ipairs{ "ready-a", "ready-b" } do router.ready(gate) end
                end)
                """
        ),
        Case(
            name: "a gate that is nearly one that a script opens",
            script: """
                router.register("A", "show", { ready = "sesion", build = router.screen("A") })
                router.export("open", function() router.ready("session") end)
                """,
            finds: [
                "L0112 main.lua:1: gate 'sesion' is named only here, did you mean 'session'?"
            ]
        ),
        Case(
            name: "a gate that a script opens, misspelled",
            script: """
                local function page(name)
                  router.register(name, "show", {
                    ready = { "session", "network" }, build = router.screen(name),
                  })
                end
                page("A")
                page("B")
                router.export("open", function()
                  -- A session is one that stands.
                  router.ready("sesion")
                  router.ready("network")
                end)
                """,
            finds: [
                "L0112 main.lua:10: gate 'sesion' is opened, but no route waits for it, did you mean 'session'?"
            ]
        ),
        Case(
            name: "a class that is declared, and nearly one that is expected",
            script: """
                router.expects{ screens = { "Show", "Other" } }
                router.class("Shwo", { fields = { "id" } })
                router.class("Camera", { fields = { "id" } })
                router.register("A", "show", { build = router.screen("Show") })
                """,
            finds: [
                "L0108 main.lua:2: class 'Shwo' is not listed in 'screens' of 'router.expects', did you mean 'Show'?"
            ]
        ),
        Case(
            name: "a list of values none of which is of the kind of the URL",
            script: """
                router.register("A", "show", {
                  info = { a = { "x", "2026-01-01" }, b = { "x", "y" } },
                  url = "/:a(date)/:b(uuid)",
                  build = function(info) return router.screen("A") end,
                })
                """,
            finds: [
                "L0105 main.lua:1: url '/:a(date)/:b(uuid)' provides 'b' as a string, which 'info' never accepts (\"x\" or \"y\" expected)"
            ]
        ),
        Case(
            name: "a fallback for screens answers for any service of 'only'",
            script: """
                router.interceptor("login", function() end)
                router.interceptAll("login", { only = { "Anything" } })
                router.fallback{ screen = function() return router.screen("Web") end }
                router.start(function() return router.screen("Home") end)
                """
        ),
        Case(
            name: "services of 'only' and 'except', with what was meant",
            script: """
                router.interceptor("login", function() end)
                router.interceptAll("login", { only = { "Ordres" } })
                router.interceptAll("login", { except = { "Login", "Orders" } })
                router.register("Orders", "show", { build = router.screen("Orders") })
                """,
            finds: [
                "L0101 main.lua:2: no service 'Ordres' is registered, did you mean 'Orders'?",
                "L0101 main.lua:3: no service 'Login' is registered",
            ]
        ),
        Case(
            name: "a parameter of a URL that a function of the definition may read",
            script: """
                router.register("A", "show", {
                  info = { id = "integer" },
                  url = "/:id(int)?ref=:ref?",
                  build = function(info, nav) return router.screen("A") end,
                })
                """
        ),
        Case(
            name: "a parameter of a URL that is misspelled, whoever may read it",
            script: """
                router.register("A", "show", {
                  info = { showId = "integer?" },
                  url = "/:showid(int)",
                  build = function(info, nav) return router.screen("A") end,
                })
                """,
            finds: [
                "L0103 main.lua:1: url '/:showid(int)' has a parameter 'showid' that 'info' does not declare, so the value is dropped, did you mean 'showId'?"
            ]
        ),
        Case(
            name: "parameters that are valid, or that only a function can check",
            script: """
                router.kind("isbn", function(text) return text end)
                router.register("A", "show", {
                  info = {
                    a = "integer", b = "number", c = "string", d = { "x", "y", "z" }, e = "any",
                    f = function(value) return value end, g = "table", h = { 1, 2 }, i = "string?",
                    j = function(value) return value or 1 end,
                  },
                  url = "/:a(uint)/:b(int)/:c(date)/:d(x|y)/:e/:f(int)/:g(isbn)/:h(int)/*i?",
                  build = function(info) return router.screen("A") end,
                })
                """
        ),
        Case(
            name: "parameters that never fit",
            script: """
                router.register("A", "show", {
                  info = { a = "string", b = "boolean", c = { "x", "y" }, d = { 1, 2 } },
                  url = "/:a(int)/:b/:c(x|z)/:d",
                  build = function(info) return router.screen("A") end,
                })
                """,
            finds: [
                "L0105 main.lua:1: url '/:a(int)/:b/:c(x|z)/:d' provides 'a' as a number, which 'info' never accepts (string expected)",
                "L0105 main.lua:1: url '/:a(int)/:b/:c(x|z)/:d' provides 'b' as a string, which 'info' never accepts (boolean expected)",
                "L0105 main.lua:1: url '/:a(int)/:b/:c(x|z)/:d' provides 'c' as 'z', which 'info' never accepts (\"x\" or \"y\" expected)",
                "L0105 main.lua:1: url '/:a(int)/:b/:c(x|z)/:d' provides 'd' as a string, which 'info' never accepts (1 or 2 expected)",
            ]
        ),
        Case(
            name: "parameters whose types the fields of the screen never accept",
            script: """
                router.class("T", { fields = {
                  a = "string", b = "number", c = { 1, 2 }, d = "[string]", e = { "x" }, f = "boolean?",
                } })
                local function page(name, info, url)
                  router.register("T", name, { info = info, url = url, build = router.screen "T" })
                end
                page("never", {
                  a = "integer", b = { "x", "y" }, c = "string", d = "boolean?", e = { "y" }, f = "table",
                })
                page("may", {
                  a = { 1, "x" }, b = "integer", c = "integer", d = "table", e = "string", f = "any",
                })
                page("checks", { a = function(value) return value end })
                page("url", nil, "/t/:a(int)/:b(date)")
                router.register("T", "found", { info = { a = "integer" }, find = "T" })
                router.register("T", "built", {
                  info = { a = "integer" },
                  build = function(info) return router.screen("T", { a = tostring(info.a) }) end,
                })
                router.register("U", "open", { info = { a = "integer" }, build = router.screen "U" })
                """,
            finds: [
                "L0105 main.lua:7: parameter 'a' of 'T/never' is of type integer, which the field of class 'T' never accepts (string expected)",
                "L0105 main.lua:7: parameter 'b' of 'T/never' is of type \"x\" or \"y\", which the field of class 'T' never accepts (number expected)",
                "L0105 main.lua:7: parameter 'c' of 'T/never' is of type string, which the field of class 'T' never accepts (1 or 2 expected)",
                "L0105 main.lua:7: parameter 'd' of 'T/never' is of type boolean, which the field of class 'T' never accepts (list expected)",
                "L0105 main.lua:7: parameter 'e' of 'T/never' is of type \"y\", which the field of class 'T' never accepts (\"x\" expected)",
                "L0105 main.lua:7: parameter 'f' of 'T/never' is of type table, which the field of class 'T' never accepts (boolean expected)",
                "L0105 main.lua:14: parameter 'a' of 'T/url' is of type integer, which the field of class 'T' never accepts (string expected)",
                "L0105 main.lua:14: parameter 'b' of 'T/url' is of type string, which the field of class 'T' never accepts (number expected)",
                "L0105 main.lua:15: parameter 'a' of 'T/found' is of type integer, which the field of class 'T' never accepts (string expected)",
            ]
        ),
        Case(
            name: "patterns of other origins, and aliases that others take the URLs of",
            script: """
                router.links{ "podcast" }
                local function page(name, url)
                  router.register(name, "show", { url = url, build = router.screen(name) })
                end
                page("A", "podcats://a")
                page("B", { "/b", "podcast://c", "/*path" })
                page("D", { "/:x(c|d)", "podcast://d" })
                router.alias("/:x/*y?", "/b")
                """,
            finds: [
                "L0109 main.lua:5: url 'podcats://a' is never matched: 'router.links' does not list 'podcats', did you mean 'podcast'?",
                "L0109 main.lua:6: url '/*path' is never matched: '/:x/*y?' (main.lua:8) takes precedence",
            ]
        ),
        Case(
            name: "patterns that an exclusive group keeps from URLs of their origin",
            script: """
                router.links{ "podcast", "https://a.example" }
                local group = router.group { url = "podcast://x", exclusive = true }
                group:register("A", "show", { url = { "", "/y" }, build = router.screen "A" })
                router.register("B", "show", { url = { "/b", "podcast://b" }, build = router.screen "B" })
                router.alias("podcast://c", "/b")
                router.alias("podcast://d", "podcast://x")
                router.routing("podcast://r")
                """,
            finds: [
                "L0109 main.lua:4: url 'podcast://b' is never matched: only the group at main.lua:2 matches URLs of 'podcast'",
                "L0109 main.lua:5: url 'podcast://c' is never matched: only the group at main.lua:2 matches URLs of 'podcast'",
                "L0109 main.lua:7: url 'podcast://r' is never matched: only the group at main.lua:2 matches URLs of 'podcast'",
            ]
        ),
        Case(
            name: "patterns of routings that others take the URLs of, or of other origins",
            script: """
                router.links{ "podcast" }
                router.routing("/:x/*y?")
                router.routing("/*path")
                router.routing("podcats://a")
                """,
            finds: [
                "L0109 main.lua:3: url '/*path' is never matched: '/:x/*y?' (main.lua:2) takes precedence",
                "L0109 main.lua:4: url 'podcats://a' is never matched: 'router.links' does not list 'podcats', did you mean 'podcast'?",
            ]
        ),
        Case(
            name: "a list has a field 'next', and a comment speaks of router.next",
            script: """
                -- router.next
                router.register("A", "show", { url = "/:x/*y?", build = router.screen("A") })
                router.register("B", "show", { url = "/*path", build = router.screen("B") })
                for key in next, {} do print(key, "a.next") end
                """,
            finds: [
                "L0109 main.lua:3: url '/*path' is never matched: '/:x/*y?' (main.lua:2) takes precedence"
            ]
        ),
        Case(
            name: "routings with the shape of a URL, an alias included, whatever the names",
            script: """
                router.register("A", "show", { url = "/a/:x/:y?", build = router.screen("A") })
                router.alias("/b/:x", "/a/:x/:y?")
                router.routing("/a/:z")
                router.routing("/b/:z")
                router.routing("/b/:z(a|b)")
                router.routing("app://a/:z")
                """,
            finds: [
                "L0114 main.lua:3: routing '/a/:z' has the same shape as the url '/a/:x/:y?' (main.lua:1)",
                "L0114 main.lua:4: routing '/b/:z' has the same shape as the url '/b/:x' (main.lua:2)",
            ]
        ),
        Case(
            name: "a pattern whose URLs others may hand on",
            script: """
                local function page(name, url, prepare)
                  router.register(name, "show", {
                    url = url,
                    prepare = prepare,
                    build = router.screen(name),
                  })
                end
                page("A", "/:x/*y?", function() return router.next end)
                page("B", "/*path")
                """
        ),
        Case(
            name: "parameters that no field of a screen keeps, and a misspelled class",
            script: """
                router.class("Account", { fields = { "name" } })
                router.register("P", "lost", { info = { id = "integer" }, build = router.screen "P" })
                router.register("P", "kept", {
                  info = { id = "integer" },
                  build = router.screen "P",
                  update = function(page, info) page.title = info.id end,
                })
                router.register("Home", "show", { info = {}, build = router.screen "Home" })
                router.register("Account", "show", { build = router.screen "Acount" })
                """,
            finds: ["L0118 main.lua:9: class 'Acount' is not declared, did you mean 'Account'?"]
        ),
        Case(
            name: "misspelled classes of finders and templates, beside a class that is used",
            script: """
                router.class("Watchlist", { fields = { id = "integer?" } })
                router.class("Step1", {})
                local watchlist = router.screen "Watchlist"
                router.register("List", "found", { find = "Watchlst", build = watchlist })
                router.register("List", "by", { find = { class = "Wachlist" }, build = watchlist })
                router.register("List", "built", { build = router.nav { router.screen "Watchlits" } })
                router.register("List", "parent", {
                  from = router.switch { { when = "Watclist", from = "current" }, default = "root" },
                  build = watchlist,
                })
                router.register("Watchlists", "show", { build = router.screen "Watchlists" })
                router.register("WatchList", "show", { build = router.screen "WatchList" })
                router.register("List", "again", { find = "Wachlist", build = watchlist })
                router.register("List", "plural", { find = "Watchlists", build = watchlist })
                router.register("List", "far", { find = "Home", build = router.screen "Step2" })
                """,
            finds: [
                "L0118 main.lua:4: class 'Watchlst' is not declared, did you mean 'Watchlist'?",
                "L0118 main.lua:5: class 'Wachlist' is not declared, did you mean 'Watchlist'?",
                "L0118 main.lua:6: class 'Watchlits' is not declared, did you mean 'Watchlist'?",
                "L0118 main.lua:7: class 'Watclist' is not declared, did you mean 'Watchlist'?",
            ]
        ),
        Case(
            name: "a class near a declared one, of which a function may build screens",
            script: """
                router.class("Watchlist", {})
                router.register("List", "found", { find = "Watchlst", build = router.screen "Watchlist" })
                router.register("List", "any", { build = function(info) return router.screen(info.class) end })
                """
        ),
        Case(
            name: "a parameter that reaches no field and no function",
            script: """
                router.class("P", { fields = { "title" } })
                router.class("N", { kind = "nav" })
                router.interceptor("login", function(nav) return true end)
                router.interceptor("audit", function(nav) return nav.info.id end)
                router.interceptAll("login")
                router.updateAll(function(page, info) end)
                local P = router.screen "P"
                local info = { id = "integer" }
                router.register("A", "field", { info = { title = "string" }, build = P })
                router.register("A", "lost", { info = info, build = P })
                router.register("A", "behind", { info = info, build = P, from = router.link { find = "Home" } })
                router.register("A", "asked", { info = info, build = P, intercept = "login" })
                router.register("A", "mentioned", { info = info, build = P, intercept = "audit" })
                router.register("A", "named", { info = info, build = P, examples = { { id = 1 } } })
                router.register("A", "blind", { info = info, build = function() return P end })
                router.register("A", "seen", { info = info, build = function(info) return P end })
                router.register("A", "updated", { info = info, build = P, update = function(page, info) end })
                router.register("A", "quiet", { info = info, build = P, update = function(page) end })
                router.register("A", "stack", { url = "/a/:id(int)", build = router.nav { class = "N", P } })
                router.register("A", "unnamed", { url = "/b/:_/:title", build = P })
                router.register("A", "tree", { info = info, build = router.nav { { "A", "seen" } } })
                router.register("A", "parent", { info = info, build = P, from = { "A", "seen" } })
                router.register("A", "open", { info = info, build = router.screen "Undeclared" })
                router.register("A", "reserved", { info = { parent = "string" }, build = router.screen "Undeclared" })
                """,
            finds: [
                "L0116 main.lua:10: parameter 'id' of 'A/lost' reaches no field and no function",
                "L0116 main.lua:11: parameter 'id' of 'A/behind' reaches no field and no function",
                "L0116 main.lua:12: parameter 'id' of 'A/asked' reaches no field and no function",
                "L0116 main.lua:15: parameter 'id' of 'A/blind' reaches no field and no function",
                "L0116 main.lua:18: parameter 'id' of 'A/quiet' reaches no field and no function",
                "L0116 main.lua:19: parameter 'id' of 'A/stack' reaches no field and no function",
                "L0116 main.lua:24: parameter 'parent' of 'A/reserved' reaches no field and no function",
            ]
        ),
        Case(
            name: "a parameter that a step passes to no parent, redirect, fallback or tree",
            script: """
                local P, id = router.screen "P", { id = "integer" }
                router.register("P", "view", { info = { id = "integer", view = "integer", tab = "string?" }, build = P })
                router.register("P", "from", { info = id, build = P, from = { "P", "view" } })
                router.register("P", "link", { info = id, build = P, from = router.link { build = P, from = { "P", "view" } } })
                router.register("P", "case", { info = id, build = P, from = router.switch { default = { "P", "view" } } })
                router.register("P", "tree", { info = id, build = router.nav { { "P", "view" } } })
                router.register("P", "moved", { info = id, redirect = { "P", "view" } })
                router.register("P", "off", { info = id, build = P, enabled = function() end, fallback = { "P", "view" } })
                local function adapt(info) return { id = info.id, view = 1 } end
                router.register("P", "adapted", { info = id, build = P, from = { "P", "view" }, adapt = adapt })
                router.register("P", "any", { build = P, from = { "P", "view" } })
                router.register("P", "may", { info = { id = "integer", view = "integer?" }, redirect = { "P", "view" } })
                """,
            finds: [
                "L0123 main.lua:3: 'from' of 'P/from' leads to 'P/view', which requires 'view', but 'info' of 'P/from' does not declare the parameter",
                "L0123 main.lua:4: 'from' of 'P/link' leads to 'P/view', which requires 'view', but 'info' of 'P/link' does not declare the parameter",
                "L0123 main.lua:5: 'from' of 'P/case' leads to 'P/view', which requires 'view', but 'info' of 'P/case' does not declare the parameter",
                "L0123 main.lua:6: 'build' of 'P/tree' leads to 'P/view', which requires 'view', but 'info' of 'P/tree' does not declare the parameter",
                "L0123 main.lua:7: 'redirect' of 'P/moved' leads to 'P/view', which requires 'view', but 'info' of 'P/moved' does not declare the parameter",
                "L0123 main.lua:8: 'fallback' of 'P/off' leads to 'P/view', which requires 'view', but 'info' of 'P/off' does not declare the parameter",
            ]
        ),
        Case(
            name: "a parameter that only functions of all routes read",
            script: """
                router.class("P", { fields = {} }) local P = router.screen "P"
                router.interceptor("token", function(nav) router.state.token = nav.info.token end)
                router.interceptor("shop", function(nav) router.state.shop = nav.info["shop"] end)
                router.interceptAll("token")
                router.interceptAll("shop", { only = { "Shop" } })
                router.afterAll(function(page, info) router.state.seen = info.seen end)
                router.updateAll(function(page, info) page.title = info.title end)
                local info = { token = "string", shop = "string", seen = "string", title = "string", lost = "string" }
                router.register("Shop", "show", { info = info, build = P })
                router.register("Home", "show", { info = info, build = P })
                """,
            finds: [
                "L0116 main.lua:9: parameter 'lost' of 'Shop/show' reaches no field and no function",
                "L0116 main.lua:10: parameter 'lost' of 'Home/show' reaches no field and no function",
                "L0116 main.lua:10: parameter 'shop' of 'Home/show' reaches no field and no function",
            ]
        ),
        Case(
            name: "a private parameter is in use",
            script: """
                router.class("P", { fields = {} })
                router.register("P", "show", {
                  info = { pin = "string" }, private = { "pin" }, build = router.screen "P",
                })
                """
        ),
        Case(
            name: "a field that a script writes and the class does not list",
            script: """
                router.class("P", { fields = { "title" } })
                router.class("Typed", { fields = { title = "string" } })
                router.register("A", "made", function() return router.screen("P", { tilte = 1, title = 2 }) end)
                router.register("A", "set", {
                  build = router.screen "P",
                  update = function(page, info)
                    page.tilte = page.title
                    info.tilte = 3
                  end,
                })
                router.register("A", "typed", function() return router.screen("Typed", { title = 1, body = 2 }) end)
                router.register("A", "any", function() return router.screen("Open", { body = 2 }) end)
                """,
            finds: [
                "L0117 main.lua:3: class 'P' does not list the field 'tilte', did you mean 'title'?",
                "L0117 main.lua:7: class 'P' does not list the field 'tilte', did you mean 'title'?",
                "L0117 main.lua:11: class 'Typed' does not list the field 'body'",
            ]
        ),
        Case(
            name: "constant timeouts with which a call always fails",
            script: """
                local own = { timeout = 0, limits = { timeout = "x" } }
                router.interceptor("login", { timeout = 5 }, function()
                  local settings = { timeout = 0 }
                  router.navigate("A", "b", {}, { timeout = -0.5, animated = false }):await { timeout = "5" }
                end)
                router.export("send", function(seconds)
                  own.send(1, { timeout = 0 })
                  router.dispatch("/a", { key = "k", timeout = 0x0; })
                  router.dispatch("/a", { timeout = false })
                  router.dispatch("/a", { timeout = seconds })
                  router.dispatch("/a", { timeout = 0 + seconds })
                  router.dispatch("/a", { timeout = -seconds })
                  router.dispatch("/a", { timeout = math.huge })
                  router.dispatch("/a", { timeout = nil })
                  router.dispatch("/a", { timeout = 1e-3 })
                end)
                router.interceptAll("login", { except = { "A" } })
                router.register("A", "b", { build = router.screen "B" })
                """,
            finds: [
                "L0121 main.lua:4: 'timeout' of 'navigate' is -0.5 (a positive number of seconds expected, or 'math.huge' for no timeout)",
                "L0121 main.lua:4: 'timeout' of 'await' is \"5\" (a positive number of seconds expected, or 'math.huge' for no timeout)",
                "L0121 main.lua:8: 'timeout' of 'dispatch' is 0x0 (a positive number of seconds expected, or 'math.huge' for no timeout)",
                "L0121 main.lua:9: 'timeout' of 'dispatch' is false (a positive number of seconds expected, or 'math.huge' for no timeout)",
            ]
        ),
        Case(
            name: "a host that says nothing of what is asked for lacks nothing",
            script: """
                router.expects{ tasks = { "A/b" }, screens = { "C" }, dependencies = { "d" } }
                router.start(function() return router.screen("C") end)
                """,
            host: #"{ "schema": "luaroute.host/1" }"#
        ),
        Case(
            name:
                "styles and transitions that a host lacks, in actions, trees, links and functions",
            script: """
                local sheet = { style = "sheet", transition = "flip" }
                router.register("A", "one", { build = router.screen "A", via = router.present(sheet) })
                router.register("A", "two", { build = router.screen "A", via = router.present{ style = "shet" } })
                router.register("A", "plain", { build = router.screen "A", via = "present" })
                router.register("A", "behind", {
                  build = router.screen "A", from = router.newNav{
                    via = router.present{ transition = "flop", options = { style = "any" } }, from = "current",
                  },
                })
                router.register("A", "usual", {
                  build = router.screen "A", via = router.present{ style = "fullScreen", transition = "coverVertical" },
                })
                router.export("open", function()
                  router.navigate("A", "one", {}, { via = router.present{ style = "page", size = { width = 1, height = 1 } } })
                  router.navigate("A", "one", {}, { via = router.present{ style = "shet" } })
                end)
                """,
            host:
                #"{ "schema": "luaroute.host/1", "styles": ["sheet"], "transitions": { "flip": {} } }"#,
            finds: [
                "L0237 main.lua:3: the host has no style 'shet', did you mean 'sheet'?",
                "L0237 main.lua:6: the host has no transition 'flop', did you mean 'flip'?",
                "L0237 main.lua:14: the host has no style 'page'",
            ]
        ),
        Case(
            name: "a host that lists no styles and transitions has all of them",
            script: """
                router.register("A", "one", {
                  build = router.screen "A", via = router.present{ style = "sheet", transition = "flip" },
                })
                """,
            host: #"{ "schema": "luaroute.host/1" }"#
        ),
        Case(
            name: "a host that lacks all that is asked for",
            script: """
                router.expects{ tasks = { "A/b" }, screens = { "Cart" }, dependencies = { "d" } }
                router.class("Cart", { fields = { "id" }, kind = "nav" })
                router.register("Cart", "show", { build = router.nav{ class = "Cart" } })
                """,
            host: """
                { "schema": "luaroute.host/1", "tasks": ["A/c"], "dependencies": [],
                  "screens": { "Cart": { "kind": "leaf", "fields": ["Id"] }, "Home": {} } }
                """,
            finds: [
                "L0231 main.lua:1: the host has no task 'A/b', did you mean 'A/c'?",
                "L0234 main.lua:2: class 'Cart' is a nav in the scripts, but a leaf in the host",
                "L0234 main.lua:2: class 'Cart' has no field 'id' in the host, did you mean 'Id'?",
                "L0233 main.lua:1: the host has no dependency 'd'",
            ]
        ),
    ]

    @Test("a check finds suspicious code, and has no false positives", arguments: cases)
    func finds(_ test: Case) throws {
        let found = try findings(in: test.script, host: test.host).map { "\($0.code) \($0)" }
        #expect(found.sorted() == test.finds.sorted())
    }

    static let manifests = [
        ("", "a JSON object expected, got the end of the text at byte 1"),
        (
            #"{ "schema": "luaroute.host/2" }"#,
            "bad field 'schema' (\"luaroute.host/1\" expected, got 'luaroute.host/2')"
        ),
        (
            #"{ "schema": "luaroute.host/1", "task": [] }"#,
            "unknown field 'task', did you mean 'tasks'?"
        ),
        (
            #"{ "schema": "luaroute.host/1", "tasks": ["A"] }"#,
            "bad route or task name 'A' (Service/task expected)"
        ),
        (
            #"{ "schema": "luaroute.host/1", "screens": [7] }"#,
            "bad field 'screens' (a list of names expected, got integer)"
        ),
        (
            #"{ "schema": "luaroute.host/1", "screens": { "A": { "kind": "leef" } } }"#,
            "bad field 'screens.A.kind' (a kind of screen expected, got 'leef')"
        ),
        (
            #"{ "schema": "luaroute.host/1", "screens": { "A": { "feilds": [] } } }"#,
            "unknown field 'screens.A.feilds'"
        ),
        (
            #"{ "schema": "luaroute.host/1", "screens": { "A": { "fields": ["a", 7] } } }"#,
            "bad field 'screens.A.fields' (a list of names expected, got table)"
        ),
        (
            #"{ "schema": "luaroute.host/1", "capabilities": { "timeout": 0 } }"#,
            "bad field 'capabilities.timeout' (a number of seconds above 0 and up to 1e9 expected, got integer)"
        ),
        (
            #"{ "schema": "luaroute.host/1", "styles": "sheet" }"#,
            "bad field 'styles' (a list of names or an object expected, got 'sheet')"
        ),
        (
            #"{ "schema": "luaroute.host/1", "transitions": [7] }"#,
            "bad field 'transitions' (a list of names expected, got integer)"
        ),
    ]

    @Test("an invalid manifest is reported with the reason", arguments: manifests)
    func badManifest(_ json: String, _ message: String) {
        let error = #expect(throws: RouteError.self) { try HostManifest(json: Array(json.utf8)) }
        #expect(error?.message == message)
    }
}

/// Tests of checks of functions, which do not run the functions.
@Suite(.failureReports)
struct FunctionCheckTests {
    private static let script = """
        router.class("Home", { fields = { "id" } })
        router.interceptor("login", function() end)
        router.register("Login", "show", { intercept = "login", ready = "session", build = router.screen "Login" })
        router.register("Home", "show", { build = router.screen "Home" })
        router.registerTask("Cart", "send", function() end)

        """

    private func found(_ line: String, _ more: String = "") throws -> [String] {
        let script = "\(Self.script)router.export('run', function(info)\n\(line)\nend)\n\(more)"
        return try findings(in: script).filter { ["L0122", "L0124"].contains("\($0.code)") }
            .map { "\($0.code) \($0)" }
    }

    @Test(
        "a member that the API lacks, and an undeclared name, are reported",
        arguments: [
            (
                "router.navgate('Login', 'show')",
                "L0124 main.lua:7: there is no 'navgate' in router, did you mean 'navigate'?"
            ),
            (
                "router.stat.user = 1",
                "L0124 main.lua:7: there is no 'stat' in router, did you mean 'start'?"
            ),
            (
                "return router.scren",
                "L0124 main.lua:7: there is no 'scren' in router, did you mean 'screen'?"
            ),
            (
                "router['navgate'] 'x'",
                "L0124 main.lua:7: there is no 'navgate' in router, did you mean 'navigate'?"
            ),
            (
                "router.log.inf('x')",
                "L0124 main.lua:7: there is no 'inf' in router.log, did you mean 'info'?"
            ),
            (
                "router.navigate('Lgin', 'show')",
                "L0122 main.lua:7: no service 'Lgin' is registered, did you mean 'Login'?"
            ),
            (
                "router.navigate('Login', 'shw')",
                "L0122 main.lua:7: no task 'shw' in service 'Login', did you mean 'show'?"
            ),
            ("router.doTask('Nope', 'x')", "L0122 main.lua:7: no service 'Nope' is registered"),
            (
                "if info.x then router.doTask('Crt', 'send') end",
                "L0122 main.lua:7: no service 'Crt' is registered, did you mean 'Cart'?"
            ),
            (
                "local navigate = router.navigate navigate('Lgin', 'show')",
                "L0122 main.lua:7: no service 'Lgin' is registered, did you mean 'Login'?"
            ),
            (
                "return router.find('Hme')",
                "L0122 main.lua:7: no class 'Hme', did you mean 'Home'?"
            ),
            (
                "router.unready('sesion')",
                "L0122 main.lua:7: no gate 'sesion', did you mean 'session'?"
            ),
            (
                "router.interceptAll('logn', {})",
                "L0122 main.lua:7: no interceptor 'logn' is declared, did you mean 'login'?"
            ),
        ]
    )
    func reported(_ line: String, _ finding: String) throws {
        #expect(try found(line) == [finding])
    }

    @Test(
        "names that a function may declare later, and method calls on other objects, are not reported",
        arguments: [
            ("router.navigate('Login', 'show')", ""), ("return router.state.anything.else_", ""),
            ("router.log.info('x') return router.next", ""),
            ("router.navigate('Lo' .. 'gn', 'show')", ""),
            ("router.navigate('Lgin' .. info.x, 'show')", ""),
            ("router.navigate(info.x or 'Lgin', 'show')", ""),
            ("other.navigate('Lgin', 'show')", ""),
            ("other.router.navgate()", ""),
            ("local router = info router.navgate('Lgin', 'show')", ""),
            ("local x router.navigate('Login', 'show')", ""),
            ("router.navigate('Lgin', 'show')", "local function f(a, router) end"),
            ("router.navigate('Lgin', 'show')", "local names = { 'Lgin' }"),
            (
                "router.navigate('Lgin', 'show')",
                "router.export('more', function(name) router.register(name, 'show', {}) end)"
            ),
            (
                "router.navigate('Lgin', 'show')",
                "router.fallback { screen = function() end }"
            ),
            ("return router.find('Other')", ""), ("router.ready('x')", ""),
            ("return router.screen(info.name), router.find('Hme')", ""),
            ("-- router.navgate\nreturn 'router.navgate'", ""),
        ]
    )
    func unreported(_ line: String, _ more: String) throws {
        #expect(try found(line, more) == [])
    }

    @Test(
        "a string next to an operator is part of a computed name, and not listed as a need",
        arguments: [
            "return router.screen('We' .. 'b')", "return router.screen('We' .. info.x)",
            "return router.screen('We' == info.x and 'A' or 'B')",
            "return router.screen(('We'):rep(2))",
            "router.navigate('Home', 'show', {}, { via = 'replace' .. 'Root' })",
            "router.navigate('Home', 'show', {}, { force = true and false })",
        ]
    )
    func computed(_ line: String) throws {
        func needs(_ line: String) throws -> String {
            let script = "\(Self.script)router.export('run', function(info) \(line) end)"
            let router = try Router(
                scripts: ScriptBundle(files: ["main.lua": script]),
                host: HeadlessHost(),
                configuration: .patient
            )
            return BundleNeed.summary(of: router.needs())
        }
        let found = try needs(line)
        #expect(found.hasPrefix("screens Home, Login; tree push"), "\(found)")
        #expect(!found.contains("force") && !found.contains("replaceRoot"))
        for line in ["return router.screen('Web')", "return router.screen 'Web' .. ''"] {
            let found = try needs(line)
            #expect(found.hasPrefix("screens Home, Login, Web;"), "\(found)")
        }
    }
}

/// The parameters that the functions of a definition read.
@Suite(.failureReports)
struct ParameterReadTests {
    private func found(_ definition: String) throws -> [String] {
        let script =
            "router.register('P', 'show', { info = { id = 'integer', title = 'string?' },\n\(definition)\n})"
        return try findings(in: script).filter { "\($0.code)" == "L0125" }.map { "\($0)" }
    }

    @Test(
        "reading an undeclared parameter is reported at the location of the read",
        arguments: [
            ("build = function(info) return router.screen('P', { id = info.ida }) end", "info.ida"),
            ("build = router.screen 'P', update = function(s, i) s.id = i.old end", "i.old"),
            ("build = router.screen 'P', after = function(s, i, nav) print(i.old) end", "i.old"),
            (
                "build = router.screen 'P', prepare = function(info) print(info.old.x) end",
                "info.old"
            ),
            ("build = router.screen 'P', enabled = function(info) return info.on end", "info.on"),
            ("build = router.screen 'P', reuse = function(s, info) return info.on end", "info.on"),
            (
                "build = router.screen 'P', intercept = function(nav) print(nav.info.on) end",
                "nav.info.on"
            ),
        ]
    )
    func undeclared(_ definition: String, _ read: String) throws {
        let found = try found(definition)
        #expect(found.count == 1)
        let name = read.split(separator: ".").last!
        #expect(
            found.first?.contains(
                "main.lua:2: '\(read)' is always nil: 'P/show' has no parameter '\(name)'"
            ) == true,
            "\(found)"
        )
    }

    @Test(
        "reading a declared parameter, an assigned field or another table is not reported",
        arguments: [
            "build = function(info) return router.screen('P', { id = info.id, t = info.title }) end",
            "build = function(info) info.x = 1; return router.screen('P', { x = info.x }) end",
            "build = function(info) return router.screen('P', { x = state.info.x }) end",
            "build = function(info) for _, info in ipairs {} do print(info.x) end return router.screen 'P' end",
            "build = function(info) local function f(info) return info.x end return router.screen 'P' end",
            "build = function(info) return router.screen('P', { s = info.title:upper() }) end",
            "build = router.screen 'P', after = function(s, i, nav) print(nav.info.old) end",
            "build = router.screen 'P', closed = function(s, value) print(value.old) end",
        ]
    )
    func declared(_ definition: String) throws {
        #expect(try found(definition) == [])
    }

    @Test("a function that several routes share may read the parameters of each of these routes")
    func shared() throws {
        let script = """
            local function page(name, info)
              router.register(name, "show", {
                info = info,
                build = function(info)
                  return router.screen(name, { id = info.id, tab = info.tab, none = info.none })
                end,
              })
            end
            page("A", { id = "integer" })
            page("B", { tab = "string" })
            """
        let found = try findings(in: script).filter { "\($0.code)" == "L0125" }.map { "\($0)" }
        #expect(found.count == 1)
        #expect(found.first?.contains("main.lua:5: 'info.none' is always nil") == true, "\(found)")
    }

    @Test("a route without 'info' accepts any parameter")
    func open() throws {
        let script = """
            router.register("A", "show", {
              url = "/a/:id",
              build = function(info) return router.screen("A", { id = info.id, x = info.x }) end,
            })
            """
        #expect(try findings(in: script).filter { "\($0.code)" == "L0125" }.isEmpty)
    }
}
