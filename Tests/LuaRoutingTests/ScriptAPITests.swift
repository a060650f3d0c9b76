// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// A script and its expected answer, which is the value of its task.
struct ScriptAnswer: Sendable, CustomTestStringConvertible {
    let name: String
    let body: String
    let value: Value

    init(_ name: String, _ body: String, _ value: Value) {
        self.name = name
        self.body = body
        self.value = value
    }

    var testDescription: String { name }

    static let all: [ScriptAnswer] = [
        ScriptAnswer(
            "the kind and class of a screen",
            "local s = router.screen 'A' return s.kind .. s.class",
            "leafA"
        ),
        ScriptAnswer(
            "a field that was set",
            "local s = router.screen('A', { x = 1 }) s.y = 's' return { s.x, s.y }",
            [1, "s"]
        ),
        ScriptAnswer(
            "a field of a table keeps its form",
            "return router.screen('A', { t = { 1, 2, k = { true } } }).t",
            .table(mixed)
        ),
        ScriptAnswer(
            "a field that was unset",
            "local s = router.screen('A', { x = 1 }) s.x = nil return s.x == nil",
            true
        ),
        ScriptAnswer(
            "a detached screen is in no window",
            "local s = router.screen 'A' return { s.isAlive, s.isVisible, s.window == nil }",
            [false, false, true]
        ),
        ScriptAnswer(
            "a screen's children and parent",
            "local a = router.screen 'A' local n = router.nav { a } return n.children[1] == a and a.parent == n",
            true
        ),
        ScriptAnswer(
            "a screen as a key",
            "local a = router.screen 'A' local n = router.nav { a } local t = { [a] = 7 } return t[n.children[1]]",
            7
        ),
        ScriptAnswer(
            "a container of another class",
            "local n = router.nav { class = 'exnav' } return n.class .. n.kind",
            "exnavnav"
        ),
        ScriptAnswer(
            "the selected tab",
            "return router.tabs { router.screen 'A', router.screen 'B', selected = 2 }.kind",
            "tabs"
        ),
        ScriptAnswer(
            "text of a screen",
            "return tostring(router.screen('A', { x = 1 }))",
            "A(x=1)"
        ),
        ScriptAnswer("state that was never set", "return router.state.user == nil", true),
        ScriptAnswer(
            "state that was set",
            "router.state.user = { name = 'ann' } return router.state.user.name",
            "ann"
        ),
        ScriptAnswer(
            "a table of the state cannot be changed",
            "router.state.user = { name = 'ann' } local ok, why = pcall(function() router.state.user.name = 'bob' end) return why",
            "main.lua:1: a table read from router.state is read only"
        ),
        ScriptAnswer(
            "nor by the functions of 'table'",
            "router.state.list = { 1 } local why = {} for i, f in ipairs { table.insert, table.remove, table.sort } do local ok ok, why[i] = pcall(function() f(router.state.list, 1) end) end return why",
            [
                "main.lua:1: a table read from router.state is read only",
                "main.lua:1: a table read from router.state is read only",
                "main.lua:1: a table read from router.state is read only",
            ]
        ),
        ScriptAnswer(
            "the state by its names, in their order",
            "router.state.b = 2 router.state.a = { 1 } router.state.B = true local all = {} for name, value in pairs(router.state) do all[#all + 1] = name .. type(value) end return all",
            ["Bboolean", "atable", "bnumber"]
        ),
        ScriptAnswer(
            "the state by 'next'",
            "router.state.b = 2 router.state.a = 1 local k, v = next(router.state) local l = next(router.state, k) return { k, v, l, next(router.state, l) == nil, next(router.state, 'b') == nil, next(router.state, 'a'), #router.state }",
            ["a", 1, "b", true, true, "b", 0]
        ),
        ScriptAnswer(
            "a state that holds nothing",
            "for name in pairs(router.state) do return name end return next(router.state) == nil",
            true
        ),
        ScriptAnswer(
            "a name that the state lacks is none to go on from",
            "local ok, why = pcall(next, router.state, 'a') return why",
            "invalid key to 'next'"
        ),
        ScriptAnswer(
            "what goes while the state is gone through",
            "router.state.a = 1 router.state.b = 2 router.state.c = 3 local all = '' for name in pairs(router.state) do all = all .. name router.state.a, router.state.b, router.state.d = nil, nil, 4 end return all",
            "ac"
        ),
        ScriptAnswer(
            "a table met in the state cannot be changed",
            "router.state.user = { name = 'ann' } local ok, why = pcall(function() for _, user in pairs(router.state) do user.name = 'bob' end end) return why",
            "main.lua:1: a table read from router.state is read only"
        ),
        ScriptAnswer(
            "other objects are not gone through",
            "local ok, why = pcall(pairs, router.screen 'A') return why",
            "bad argument #1 to '?' (table expected, got screen)"
        ),
        ScriptAnswer(
            "state holds no functions",
            "local ok, why = pcall(function() router.state.f = { print } end) return why",
            "main.lua:1: bad field 'f[1]' of router.state (plain data expected, got a function, screen or host object)"
        ),
        ScriptAnswer(
            "integers stay integers, floats stay floats",
            "return math.type(info.i) .. math.type(info.f)",
            "integerfloat"
        ),
        ScriptAnswer("a string of any bytes", "return #info.bytes", 3),
        ScriptAnswer(
            "a screen that is no argument",
            "local ok, why = pcall(function() router.nav { 7 } end) return why",
            "main.lua:1: bad argument #1 to 'nav' (bad element [1]: screen or tree or list of names expected, got integer)"
        ),
        ScriptAnswer(
            "an unknown option",
            "local ok, why = pcall(function() router.navigate('A', 'b', {}, { animted = true }) end) return why",
            "main.lua:1: bad argument #4 to 'navigate' (unknown field 'animted', did you mean 'animated'?)"
        ),
        ScriptAnswer(
            "too many arguments",
            "local ok, why = pcall(function() router.dismiss({}, 1) end) return why",
            "main.lua:1: too many arguments to 'dismiss' (at most 1 expected, got 2)"
        ),
        ScriptAnswer(
            "too many arguments behind many that are nil",
            "local ok, why = pcall(router.log.info, table.unpack({ 'x', [90000] = 1 }, 1, 90000)) return why",
            "too many arguments to 'info' (at most 1 expected, got 90000)"
        ),
        ScriptAnswer(
            "arguments that are nil behind the last one",
            "return router.screen(table.unpack({ 'Page' }, 1, 90000)).class",
            "Page"
        ),
        ScriptAnswer(
            "a navigation that is done at once",
            "return router.navigate('Page', 'show').status",
            "done"
        ),
        ScriptAnswer(
            "a navigation that failed at once",
            "return router.navigate('Pag', 'show').status",
            "failed"
        ),
        ScriptAnswer(
            "the completion of a navigation",
            "local got router.navigate('Page', 'show', {}, { completion = function(ok, why) got = { ok, why == nil } end }) return got",
            [true, true]
        ),
        ScriptAnswer(
            "the completion of one that fails",
            "local got router.navigate('Pag', 'show', {}, { completion = function(ok, why) got = { ok, why.status, why.code, why.message } end }) return got",
            [false, "failed", "notFound", "no service 'Pag', did you mean 'Page'?"]
        ),
        ScriptAnswer(
            "the value of another task",
            "local value, task = router.doTask('Work', 'seven') return { value, task.status }",
            [7, "done"]
        ),
        ScriptAnswer(
            "a task that is done later",
            "local value, task = router.doTask('Work', 'later') return { value == nil, task.status }",
            [true, "pending"]
        ),
        ScriptAnswer(
            "a task that gives a value and ends later",
            "local value, task = router.doTask('Work', 'both') return { value, task.status }",
            [1, "pending"]
        ),
        ScriptAnswer(
            "the completion of a task",
            "local got router.doTask('Work', 'now', { 5 }, function(ok, v) got = { ok, v } end) return got",
            [false, 5]
        ),
        ScriptAnswer(
            "the error of a task",
            "local got local value = router.doTask('Work', 'broken', {}, function(ok, why) got = { ok, why.code, why.message, why.location } end) got[5] = value == nil return got",
            [false, "script", "worker", "main.lua:15", true]
        ),
        ScriptAnswer(
            "a module is run once",
            "return { require 'count', require 'count' }",
            [1, 1]
        ),
        ScriptAnswer(
            "a module under vendor may read undefined globals",
            "return require 'vendor.lenient'",
            "nil"
        ),
        ScriptAnswer(
            "back as a script says it",
            "router.navigate('Page', 'show') router.navigate('Page', 'show') router.back(2) return router.reuse(function() return true end).class",
            "Main"
        ),
    ]

    private static let mixed: InfoTable = [1: 1, 2: 2, "k": [true]]
}

@Suite(.failureReports)
struct ScriptAPITests {
    @Test("a script reads the documented values from the API", arguments: ScriptAnswer.all)
    func answers(_ answer: ScriptAnswer) throws {
        let script = """
            router.registerTask("Test", "run", function(info) \(answer.body) end)
            router.start(function() return router.nav { router.screen "Main" } end)
            router.register("Page", "show", function() return router.screen "Page" end)
            router.registerTask("Work", "seven", function() return 7 end)
            local kept
            router.registerTask("Work", "later", function(info, done) kept = done end)
            router.registerTask("Work", "both", function(info, done)
              kept = done
              return 1, router.later
            end)
            router.registerTask("Work", "now", function(info, done)
              done(false, info[1])
            end)
            router.registerTask("Work", "broken", function()
              error("worker")
            end)
            """
        let fixture = try RouterFixture(
            script,
            modules: [
                "count.lua": "local count = 0  count = count + 1  return count",
                "vendor/lenient.lua": "return tostring(undefined)",
            ]
        )
        let info: InfoTable = [
            "i": 1, "f": 1.0, "bytes": .string(ByteString(bytes: [0, 0xFF, 0x41])),
        ]
        let task = fixture.doTask("Test", "run", info)
        #expect(task.value == answer.value, "\(task.status)")
        #expect(fixture.log == [])
    }

    @Test("a task ends only once, and a second attempt is logged with both locations")
    func endsTwice() throws {
        let fixture = try RouterFixture(
            """
            router.registerTask("Work", "twice", function(info, done)
              done(true, 1)
              done(false, 2)
            end)
            """,
            starts: false
        )
        let task = fixture.doTask("Work", "twice")
        guard case .done(finished: true, info: 1) = task.status else {
            Issue.record("expected the first end, got \(task.status)")
            return
        }
        #expect(task.completions == 1)
        #expect(
            fixture.log == [
                "warn task 'Work/twice' was ended twice, at main.lua:2 and at main.lua:3"
            ]
        )
    }

    @Test("ending a cancelled task has no effect, and is not logged")
    func endsCancelled() throws {
        let fixture = try RouterFixture(
            """
            local finish
            router.registerTask("Work", "later", function(info, done)
              finish = done
              return nil, router.later
            end)
            router.export("finish", function() finish(true, 1) end)
            """,
            starts: false
        )
        let task = fixture.doTask("Work", "later")
        #expect(fixture.router.cancel(task))
        _ = try fixture.router.call("finish")
        guard case .cancelled = task.status else {
            Issue.record("expected a cancelled task, got \(task.status)")
            return
        }
        #expect(fixture.log == [])
    }

    @Test("setting a field outside of a navigation updates the screen on display")
    func updatesOutside() throws {
        let fixture = try RouterFixture(
            """
            local page
            router.start(function() page = router.screen "Main" return page end)
            router.registerTask("Page", "rename", function(info) page.title = info.title return true end)
            """
        )
        fixture.doTask("Page", "rename", ["title": "x"])
        #expect(fixture.tree == #"Main(title="x")"#)
        #expect(fixture.operations == ["update"])
        fixture.doTask("Page", "rename", ["title": "x"])
        #expect(fixture.operations == ["update"])
    }

    @Test("the fields of a removed screen can be read but not changed")
    func goneScreen() throws {
        let fixture = try RouterFixture(
            """
            local page
            router.start(function() return router.nav { router.screen "Main" } end)
            router.register("Page", "show", function(info)
              if info.again then return page end
              page = router.screen("Page", { id = 1 })
              return page
            end)
            router.registerTask("Page", "read", function() return { page.id, page.isAlive } end)
            router.registerTask("Page", "write", function() page.id = 2 return true end)
            """
        )
        fixture.navigate("Page", "show")
        #expect(fixture.doTask("Page", "read").value == [1, true])
        fixture.router.back()
        #expect(fixture.doTask("Page", "read").value == [1, false])
        let write = fixture.doTask("Page", "write")
        #expect(write.error?.description == "main.lua:9: screen 'Page' is gone")
        #expect(write.error?.code == .composition)
        let again = fixture.navigate("Page", "show", ["again": true])
        #expect(again.error?.code == .composition)
        #expect(again.error?.message == "screen 'Page' is gone")
        #expect(fixture.tree == "nav[Main]")
    }

    @Test("'print' and 'router.log' write to the log, with the number of the script line")
    func log() throws {
        let fixture = try RouterFixture(
            """
            router.registerTask("A", "b", function()
              print("x", 1, 2.5, nil)
              router.log.warn("careful")
              router.log.error({ code = 7 })
              return true
            end)
            """,
            starts: false
        )
        fixture.doTask("A", "b")
        #expect(fixture.log == ["info x\t1\t2.5\tnil", "warn careful", "error {code=7}"])
        #expect(fixture.events.filter { $0.kind == .log }.map(\.location?.line) == [2, 3, 4])
    }

    @Test("a router that is released leaves no object alive")
    func lifetime() throws {
        weak var router: Router?
        do {
            let fixture = try RouterFixture(NavigatingTests.script)
            fixture.navigate("Page", "show", ["id": 1])
            router = fixture.router
            #expect(router != nil)
        }
        #expect(router == nil)
    }
}
