// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// A script that does not load, and the expected message.
struct BadScript: Sendable, CustomTestStringConvertible {
    let name: String
    let script: String
    let error: String
    var code = RouteError.Code.script

    var testDescription: String { name }

    static let all: [BadScript] = [
        BadScript(
            name: "a syntax error",
            script: "router.register(\nlocal x",
            error: "main.lua:2: unexpected symbol near 'local'"
        ),
        BadScript(
            name: "nothing registered",
            script: "local x = 1",
            error:
                "main.lua:1: nothing is registered (call router.register, router.registerTask or router.start, for example)"
        ),
        BadScript(
            name: "an undefined global",
            script: "\nprint(roter)",
            error: "main.lua:2: undefined global 'roter', did you mean 'router'?"
        ),
        BadScript(
            name: "a defined global",
            script: "shows = {}",
            error: "main.lua:1: undefined global 'shows' is assigned (use 'local')"
        ),
        BadScript(
            name: "an unknown member of router",
            script: "router.regster('A', 'b', print)",
            error: "main.lua:1: there is no 'regster' in router, did you mean 'register'?"
        ),
        BadScript(
            name: "a member of router that is a number",
            script: "local _ = router[1.5]",
            error: "main.lua:1: there is no '1.5' in router"
        ),
        BadScript(
            name: "a member of router that is a boolean",
            script: "local _ = router[true]",
            error: "main.lua:1: there is no 'true' in router"
        ),
        BadScript(
            name: "a member of router that is a table",
            script: "local _ = router[{}]",
            error: "main.lua:1: there is no 'table' in router"
        ),
        BadScript(
            name: "arguments of too many bytes together",
            script: """
                local text, all = ("x"):rep(1000000), {}
                for i = 1, 20 do all[i] = text end
                router.register(table.unpack(all))
                """,
            error:
                "main.lua:3: a value with too many parts cannot be passed between scripts and host",
            code: .badInfo
        ),
        BadScript(
            name: "a write to router",
            script: "router.register = nil",
            error: "main.lua:1: router is read only"
        ),
        BadScript(
            name: "a provider of the wrong type",
            script: "router.register('A', 'b', 7)",
            error:
                "main.lua:1: bad argument #3 to 'register' (function or table expected, got integer)"
        ),
        BadScript(
            name: "an invalid service name",
            script: "router.register('a b', 'c', print)",
            error: "main.lua:1: bad argument #1 to 'register' (name expected, got 'a b')",
            code: .badInfo
        ),
        BadScript(
            name: "a group that is called without a colon",
            script: "router.group({ url = '/a' }).register('A', 'b', {})",
            error: "main.lua:1: 'register' must be called with ':' (group:register(…) expected)"
        ),
        BadScript(
            name: "an unknown member of a group",
            script: "router.group({}):regster('A', 'b', {})",
            error: "main.lua:1: there is no 'regster' in group, did you mean 'register'?"
        ),
        BadScript(
            name: "a provider of a group",
            script: "router.group({}):register('A', 'b', print)",
            error: "main.lua:1: bad argument #3 to 'register' (table expected, got function)"
        ),
        BadScript(
            name: "an unknown key of a group",
            script: "router.group { urls = '/a' }",
            error:
                "main.lua:1: bad argument #1 to 'group' (unknown field 'urls', did you mean 'url'?)"
        ),
        BadScript(
            name: "a group whose URL cannot be read",
            script: "router.group { url = '/a/:' }",
            error:
                "main.lua:1: bad url '/a/:' at column 4: a name expected after ':', got the end (a literal ':' is written '%3A')",
            code: .badInfo
        ),
        BadScript(
            name: "a group whose URL has a query",
            script: "router.group { url = '/a?b=:c' }",
            error:
                "main.lua:1: the url '/a?b=:c' of a group has a query or a fragment (only a path is expected, because the patterns of the group's routes are appended to it)"
        ),
        BadScript(
            name: "a group in a group whose URL has a fragment",
            script: "router.group({ url = '/a' }):group { url = '#/b' }",
            error:
                "main.lua:1: the url '/a#/b' of a group has a query or a fragment (only a path is expected, because the patterns of the group's routes are appended to it)"
        ),
        BadScript(
            name: "a pattern that only marks the URL of its group",
            script: "router.group({ url = '/:a' }):register('A', 'b', { url = '?' })",
            error:
                "main.lua:1: the url '?' cannot be appended to the 'url' of the group (write a query after '?', as in '?page=:page')"
        ),
        BadScript(
            name: "an exclusive group without an origin",
            script: "router.group { url = '/a', exclusive = true }",
            error:
                "main.lua:1: 'exclusive' needs an origin in the 'url' of the group, such as 'https://admin.example'; URLs of this origin then match only routes of the group"
        ),
        BadScript(
            name: "two exclusive groups of one origin, with another name of its parameter",
            script: """
                router.group { url = 'https://:a.example.com', exclusive = true }
                router.group { url = 'https://:b.example.com/x', exclusive = true }
                """,
            error:
                "main.lua:2: two groups are exclusive for 'https://*.example.com' (the first at main.lua:1): register the routes of both in one group"
        ),
        BadScript(
            name: "too many exclusive groups in each other",
            script: """
                local g = router.group { url = 'a0://a', exclusive = true }
                for n = 1, 100 do g = g:group { url = 'a' .. n .. '://a', exclusive = true } end
                """,
            error:
                "main.lua:2: exclusive groups are nested too deeply (at most 100 expected)"
        ),
        BadScript(
            name: "an exclusive group in one of the same origin",
            script: """
                local g = router.group { url = 'app://a', exclusive = true }
                g:group { url = 'b', exclusive = true }
                """,
            error:
                "main.lua:2: two groups are exclusive for 'app' (the first at main.lua:1): register the routes of both in one group"
        ),
        BadScript(
            name: "a parameter with two types in a group",
            script: """
                local g = router.group { info = { id = 'integer' } }
                g:register('A', 'b', { info = { id = 'string' }, build = print })
                """,
            error:
                "main.lua:2: parameter 'id' has a different type in 'info' of the group (declare the same type, or declare the parameter only once)"
        ),
        BadScript(
            name: "a group in a group with another type",
            script: """
                router.group({ info = { id = 'integer' } }):group { info = { id = 'integer?' } }
                """,
            error:
                "main.lua:1: parameter 'id' has a different type in 'info' of the group (declare the same type, or declare the parameter only once)"
        ),
        BadScript(
            name: "a group whose parameters are a list",
            script: "router.group { info = { 'id' } }",
            error: "main.lua:1: bad field 'info' (a table of names and types expected, got a list)"
        ),
        BadScript(
            name: "a pattern of a group in a list that conflicts",
            script: """
                local g = router.group { url = '/a' }
                g:register('A', 'b', { url = { ':x', 'c' }, build = print })
                router.register('A', 'c', { url = '/a/:y', build = print })
                """,
            error:
                "main.lua:3: url '/a/:y' (main.lua:3) matches the same URLs as '/a/:x' (main.lua:2)"
        ),
        BadScript(
            name: "a pattern of a routing that cannot be read",
            script: "router.routing('/a/:')",
            error: """
                main.lua:1: bad url '/a/:' at column 4: a name expected after ':', got the end \
                (a literal ':' is written '%3A')
                """,
            code: .badInfo
        ),
        BadScript(
            name: "two routings of one shape",
            script: "router.routing('/a/:b')\nrouter.routing('/a/:c')",
            error:
                "main.lua:2: url '/a/:c' (main.lua:2) matches the same URLs as '/a/:b' (main.lua:1)"
        ),
        BadScript(
            name: "an action that is none",
            script: "router.routing('/a'):setAction(nil)",
            error: "main.lua:1: bad argument #1 to 'setAction' (function expected, got nil)"
        ),
        BadScript(
            name: "an action of no routing",
            script: "router.routing('/a').setAction(print)",
            error: "main.lua:1: 'setAction' must be called with ':' (routing:setAction(…) expected)"
        ),
        BadScript(
            name: "an action of a function",
            script: "router.routing('/a').setAction(router.now, print)",
            error: "main.lua:1: 'setAction' must be called with ':' (routing:setAction(…) expected)"
        ),
        BadScript(
            name: "a link while the scripts load",
            script: "router.dispatch('/a')",
            error: "main.lua:1: 'router.dispatch' cannot be called while the scripts load"
        ),
        BadScript(
            name: "a gate that is opened while the scripts load",
            script: "router.ready('session')",
            error: "main.lua:1: 'router.ready' cannot be called while the scripts load"
        ),
        BadScript(
            name: "an unknown member of a routing",
            script: "router.routing('/a'):setActoin(print)",
            error: "main.lua:1: there is no 'setActoin' in routing, did you mean 'setAction'?"
        ),
        BadScript(
            name: "a gate that the first tree opens",
            script:
                "router.register('A', 'b', { build = print, ready = { 'session', 'started' } })",
            error:
                "main.lua:1: the gate 'started' is reserved: only the first tree opens it (another gate expected)",
            code: .badInfo
        ),
        BadScript(
            name: "an invalid gate name",
            script: "router.register('A', 'b', { build = print, ready = 'a b' })",
            error:
                "main.lua:1: bad argument #3 to 'register' (bad field 'ready': name expected, got 'a b')",
            code: .badInfo
        ),
        BadScript(
            name: "a gate of a link between routes",
            script: "router.link{ build = print, ready = 'session' }",
            error:
                "main.lua:1: bad argument #1 to 'link' (unknown field 'ready'; known fields: find, prepare, build, via, from, intercept, update, after, adapt)"
        ),
        BadScript(
            name: "a missing task",
            script: "router.register('A')",
            error: "main.lua:1: bad argument #2 to 'register' (name expected, got nil)"
        ),
        BadScript(
            name: "an unknown key of a definition",
            script: "router.register('A', 'b', { bild = print })",
            error:
                "main.lua:1: bad argument #3 to 'register' (unknown field 'bild', did you mean 'build'?)"
        ),
        BadScript(
            name: "an unknown action",
            script: "router.register('A', 'b', { build = print, via = 'pusch' })",
            error:
                "main.lua:1: no action 'pusch' is declared, did you mean 'push'?"
        ),
        BadScript(
            name: "a definition without a build",
            script: "router.register('A', 'b', {})",
            error:
                "main.lua:1: 'A/b' has no 'build', 'find' or 'from' (at least one of them expected)"
        ),
        BadScript(
            name: "an origin that nobody has",
            script: "router.register('A', 'b', { origin = {}, build = print })",
            error: "main.lua:1: 'A/b' has an empty 'origin' (an origin or 'any' expected)"
        ),
        BadScript(
            name: "a finder that looks for nothing",
            script: "router.register('A', 'b', { find = {}, build = print })",
            error:
                "main.lua:1: 'A/b' has an empty 'find' (a class, kind, 'by' or 'match' expected)"
        ),
        BadScript(
            name: "an unknown type of a parameter",
            script: "router.register('A', 'b', { info = { x = 'intger' }, build = print })",
            error:
                "main.lua:1: bad type 'intger' of parameter 'x' (any, boolean, function, host, integer, number, screen, string, table, a list of values, a table of fields or a function expected), did you mean 'integer'?"
        ),
        BadScript(
            name: "an unknown policy",
            script: "router.register('A', 'b', { reuse = 'clas', build = print })",
            error:
                "main.lua:1: bad field 'reuse' ('never', 'class', 'top', a list of fields, { by = … } or a function expected, got 'clas')"
        ),
        BadScript(
            name: "a target registered twice",
            script: "router.register('A', 'b', print)\nrouter.registerTask('A', 'b', print)",
            error: "main.lua:2: 'A/b' is registered twice (first at main.lua:1)"
        ),
        BadScript(
            name: "a navigation while loading",
            script: "router.navigate('A', 'b')",
            error: "main.lua:1: 'router.navigate' cannot be called while the scripts load"
        ),
        BadScript(
            name: "an error of the script",
            script: "error('broken')",
            error: "main.lua:1: broken"
        ),
        BadScript(
            name: "a loop without end",
            script: "\nwhile true do end",
            error: "main.lua:2: instruction budget exceeded (at most 5000000 instructions)",
            code: .budget
        ),
        BadScript(
            name: "a missing module",
            script: "require 'a.b'",
            error: "main.lua:1: module 'a.b' not found (no file 'a/b.lua' in the bundle)"
        ),
        BadScript(
            name: "a module outside the bundle",
            script: "require '..secret'",
            error:
                "main.lua:1: bad module name '..secret' (names joined by '.' expected, as in 'a.b', "
                + "at most 255 bytes)"
        ),
        BadScript(
            name: "a split of three",
            script: "local s = router.screen  router.split { s 'A', s 'B', s 'C' }",
            error:
                "main.lua:1: split 'split' can have only a primary and one detail (got 3 children)",
            code: .composition
        ),
        BadScript(
            name: "a screen inserted twice",
            script: "local a = router.screen 'A'  router.nav { a, a }",
            error: "main.lua:1: screen 'A' is inserted twice",
            code: .composition
        ),
        BadScript(
            name: "a field that holds a function",
            script: "router.screen('A', { items = { {}, { action = print } } })",
            error:
                "main.lua:1: bad field 'items[2].action' (plain data expected, got a function, screen or host object)",
            code: .badInfo
        ),
        BadScript(
            name: "a property set as a field",
            script: "router.screen('A', { kind = 'nav' })",
            error: "main.lua:1: 'kind' is read only"
        ),
    ]
}

/// A navigation that must fail, and the expected message.
struct BadNavigation: Sendable, CustomTestStringConvertible {
    let target: Target
    let info: InfoTable
    let code: RouteError.Code
    let error: String

    init(_ target: Target, _ info: InfoTable, _ code: RouteError.Code, _ error: String) {
        self.target = target
        self.info = info
        self.code = code
        self.error = error
    }

    var testDescription: String { "\(target): \(error)" }
}

@Suite(.failureReports)
struct BadInputTests {
    @Test(
        "a script that does not load is reported with its location and the reason",
        arguments: BadScript.all
    )
    func load(_ bad: BadScript) throws {
        let error = #expect(throws: RouteError.self) {
            try Router(
                scripts: ScriptBundle(files: ["main.lua": bad.script]),
                host: HeadlessHost(),
                configuration: .patient
            )
        }
        #expect(error?.description == bad.error)
        #expect(error?.code == bad.code)
    }

    @Test("an error in a module has the line in the module")
    func module() throws {
        let error = #expect(throws: RouteError.self) {
            try RouterFixture("require 'shows.list'", modules: ["shows/list.lua": "\n\nerror 'no'"])
        }
        #expect(error?.description == "shows/list.lua:3: no")
    }

    @Test("modules that require each other are an error that shows the cycle")
    func circle() throws {
        let modules = ["a.lua": "require 'b'", "b.lua": "require 'a'"]
        let error = #expect(throws: RouteError.self) {
            try RouterFixture("require 'a'", modules: modules)
        }
        #expect(error?.description == "b.lua:1: modules require each other: a → b → a")
    }

    static let script = """
        local screen = router.screen
        router.start(function() return router.nav { screen "Main" } end)
        router.register("Nil", "show", function() return nil end)
        router.register("Table", "show", function() return {} end)
        router.register("Loop", "show", function() while true do end end)
        router.register("Raise", "show", function() error("no such show") end)
        router.register("Table", "raise", function() error({}) end)
        router.register("Root", "again", function() return router.regster end)
        router.register("Half", "built", function(info, nav)
          local page = screen("Page")
          page.done = true
          router.navigate("Nil", "show")
          error("late")
        end)
        router.register("Show", "open", {
          info = { id = "integer", kind = { "a", "b" }, title = "string?" },
          build = function(info) return screen("Show", { id = info.id }) end,
        })
        router.registerTask("Work", "do", function() return 7 end)
        router.register("Page", "show", function() return screen "Page" end)
        router.register("Prepare", "false", {
          prepare = function() return false, "not today" end,
          build = function() return screen "Page" end,
        })
        """

    static let navigations: [BadNavigation] = [
        BadNavigation(Target("Nl", "show"), [:], .notFound, "no service 'Nl', did you mean 'Nil'?"),
        BadNavigation(
            Target("Nil", "shwo"),
            [:],
            .notFound,
            "no task 'shwo' in service 'Nil', did you mean 'show'?"
        ),
        BadNavigation(
            Target("Nil", "x"),
            [:],
            .notFound,
            "no task 'x' in service 'Nil' ('show' expected)"
        ),
        BadNavigation(
            Target("Nil", "show"),
            [:],
            .badInfo,
            "main.lua:3: 'Nil/show' cannot be built from this info (its provider returned nil)"
        ),
        BadNavigation(
            Target("Table", "show"),
            [:],
            .script,
            "main.lua:4: bad result of the provider of 'Table/show' (screen expected, got table)"
        ),
        BadNavigation(
            Target("Loop", "show"),
            [:],
            .budget,
            "main.lua:5: instruction budget exceeded (at most 5000000 instructions)"
        ),
        BadNavigation(Target("Raise", "show"), [:], .script, "main.lua:6: no such show"),
        BadNavigation(
            Target("Table", "raise"),
            [:],
            .script,
            "main.lua:7: error object is a table value"
        ),
        BadNavigation(
            Target("Root", "again"),
            [:],
            .script,
            "main.lua:8: there is no 'regster' in router, did you mean 'register'?"
        ),
        BadNavigation(Target("Half", "built"), [:], .script, "main.lua:13: late"),
        BadNavigation(
            Target("Prepare", "false"),
            [:],
            .script,
            "main.lua:21: bad result of 'prepare' (no result expected, got boolean; call router.stop to stop the navigation)"
        ),
        BadNavigation(
            Target("Show", "open"),
            ["id": "x", "kind": "a"],
            .badInfo,
            "main.lua:15: bad field 'id' (integer expected, got string)"
        ),
        BadNavigation(
            Target("Show", "open"),
            ["kind": "a"],
            .badInfo,
            "main.lua:15: bad field 'id' (integer expected, got nil)"
        ),
        BadNavigation(
            Target("Show", "open"),
            ["id": 1.5, "kind": "a"],
            .badInfo,
            "main.lua:15: bad field 'id' (integer expected, got number)"
        ),
        BadNavigation(
            Target("Show", "open"),
            ["id": 1, "kind": "c"],
            .badInfo,
            #"main.lua:15: bad field 'kind' ("a" or "b" expected, got "c")"#
        ),
        BadNavigation(
            Target("Show", "open"),
            ["id": 1, "kind": "a", "titel": "x"],
            .badInfo,
            "main.lua:15: unknown field 'titel', did you mean 'title'?"
        ),
        BadNavigation(
            Target("Work", "do"),
            [:],
            .wrongKind,
            "'Work/do' is a task and has no screen (use router.doTask)"
        ),
    ]

    @Test(
        "a navigation that cannot be performed fails with a reason, and changes nothing",
        arguments: navigations
    )
    func navigate(_ row: BadNavigation) throws {
        let fixture = try RouterFixture(Self.script)
        let before = fixture.router.tree.heldCount
        let navigation = fixture.router.navigate(row.target, info: row.info)
        #expect(navigation.error?.description == row.error)
        #expect(navigation.error?.code == row.code)
        #expect(navigation.completions == 1)
        #expect(fixture.tree == "nav[Main]")
        #expect(fixture.operations == [])
        #expect(fixture.router.pending.isEmpty)
        // The next one is unharmed, and nothing of the failed one stays.
        fixture.navigate("Page", "show")
        #expect(fixture.tree == "nav[Main, Page]")
        fixture.router.back()
        fixture.router.collectGarbage()
        #expect(fixture.router.tree.heldCount == before)
    }

    @Test("rolling back a transaction cancels its deferred navigations")
    func deferred() throws {
        let fixture = try RouterFixture(Self.script)
        fixture.navigate("Half", "built")
        let ends = fixture.events.filter { [.failed, .cancelled].contains($0.kind) }
        #expect(ends.map(\.kind) == [.cancelled, .failed])
        #expect(ends.first?["code"] == "cancelled")
    }

    /// Calls with arguments that are not values, and the expected messages.
    static let handles = [
        (
            "router.state.n = n",
            "bad field 'n' of router.state (plain data expected, got a function, screen or host object)"
        ),
        (
            "router.state.deep = { a = { 1, n } }",
            "bad field 'deep.a[2]' of router.state (plain data expected, got a function, screen or host object)"
        ),
        (
            "router.state.t = { task = t }",
            "bad field 't.task' of router.state (plain data expected, got a function, screen or host object)"
        ),
        (
            "router.navigate('Page', 'show', { n = n })",
            "bad argument #3 to 'navigate' (plain data, a function or a screen expected at n, got a navigation)"
        ),
        (
            "router.doTask('Work', 'do', { list = { 1, { task = t } } })",
            "bad argument #3 to 'doTask' (plain data, a function or a screen expected at list[2].task, got a task)"
        ),
        (
            "router.close(router.visible(), { n = n })",
            "bad argument #2 to 'close' (plain data, a function or a screen expected at n, got a navigation)"
        ),
        (
            "router.root().n = { n }",
            "bad field 'n[1]' (plain data expected, got a function, screen or host object)"
        ),
        (
            "router.screen('Page', { t = t })",
            "bad argument #2 to 'screen' (plain data, a function or a screen expected at t, got a task)"
        ),
    ]

    @Test("a navigation or a task cannot be used as a value", arguments: handles)
    func handle(_ call: String, _ message: String) throws {
        let fixture = try RouterFixture(
            Self.script + """

                router.export("test", function()
                  local n = router.navigate("Page", "show")
                  local _, t = router.doTask("Work", "do")
                  \(call)
                end)
                """
        )
        let error = #expect(throws: RouteError.self) { try fixture.call("test") }
        #expect(error?.code == .badInfo)
        #expect(error?.message == message)
        #expect(fixture.router.state == [:])
        #expect(fixture.tree == "nav[Main, Page]")
    }

    /// Functions of a script that return a navigation where a value is expected.
    static let given = [
        "router.registerTask('Test', 'go', function() return go() end)",
        "router.registerTask('Test', 'go', function(_, done) done(true, { list = { go() } }) end)",
        "router.export('test', function() return { go() } end)",
        """
        router.register("Test", "go", {
          build = page, adapt = function(_, nav) return { nav = nav } end, from = { "Page", "show" },
        })
        """,
    ]

    @Test(
        "a navigation that a function returns cannot be used as a value",
        arguments: given
    )
    func givenHandle(_ function: String) throws {
        let fixture = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Main" } end)
            local function page() return router.screen "Page" end
            router.register("Page", "show", page)
            local function go() return router.navigate("Page", "show") end
            \(function)
            """
        )
        var error: RouteError?
        if function.contains("export") {
            error = #expect(throws: RouteError.self) { try fixture.call("test") }
        } else if function.contains("registerTask") {
            error = fixture.doTask("Test", "go").error
        } else {
            error = fixture.navigate("Test", "go").error
        }
        #expect(error?.code == .badInfo)
        #expect(error?.message.contains("navigation") == true)
    }
}
