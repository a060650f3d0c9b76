// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// Returns the message for a value that cannot be an alternative.
private func notAlternative(_ got: String) -> String {
    "bad type of parameter 'x': a list of values may contain only strings, numbers, booleans and tables of these, got \(got)"
}

/// The types, as messages list them.
private let types =
    "any, boolean, function, host, integer, number, screen, string, table, a list of values, a table of fields or a function"

/// Tests of the types of parameters, results and fields that scripts declare.
@Suite(.failureReports)
struct DeclaredTypeTests {
    /// Navigates to a route that declares one parameter `x`, and returns the error.
    private func error(_ type: String, _ value: Value) throws -> String? {
        let fixture = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Home" } end)
            router.register("Page", "show", {
              info = { x = \(type) },
              build = function(info) router.state.x = info.x return router.screen "Page" end,
            })
            """
        )
        return fixture.navigate("Page", "show", ["x": value]).error?.message
    }

    @Test(
        "a value of the declared type is accepted",
        arguments: [
            ("'[integer]'", [1, 2]), ("'[integer]'", []), ("'[string]?'", nil),
            ("'[[number]]'", [[1, 2.5], []]),
            ("{ street = 'string', zip = 'string?' }", ["street": "A"]),
            ("{ { id = 'integer', tags = '[string]' } }", [["id": 1, "tags": ["x"]]]),
            ("{ { 'a', 'b' } }", ["b", "a", "b"]),
            ("{ 'a', 'b', optional = true }", nil),
            ("{ { id = 'integer' }, optional = true }", nil),
            ("{ street = 'string', optional = true }", nil),
            ("{ optional = 'string' }", ["optional": "x"]),
            ("{ { 1, 2 }, { 3, 4 } }", [3, 4]),
        ] as [(String, Value)]
    )
    func accepted(_ type: String, _ value: Value) throws {
        #expect(try error(type, value) == nil)
    }

    @Test(
        "a value of another type causes 'badInfo', and the error names the offending part",
        arguments: [
            ("'[integer]'", [1, "x"], "bad field 'x[2]' (integer expected, got string)"),
            ("'[integer]'", nil, "bad field 'x' (list expected, got nil)"),
            ("'[integer]'", ["a": 1], "bad field 'x' (list expected, got table)"),
            ("'[[number]]'", [[1], [true]], "bad field 'x[2][1]' (number expected, got boolean)"),
            (
                "{ street = 'string', zip = 'string?' }", ["zip": "1"],
                "bad field 'x.street' (string expected, got nil)"
            ),
            (
                "{ street = 'string' }", ["street": "A", "zpi": 1],
                "unknown field 'x.zpi'"
            ),
            (
                "{ street = 'string', zip = 'string?' }", ["stret": "A"],
                "unknown field 'x.stret', did you mean 'street'?"
            ),
            (
                "{ { id = 'integer' } }", [["id": 1], ["id": "2"]],
                "bad field 'x[2].id' (integer expected, got string)"
            ),
            ("{ { 'a', 'b' } }", ["a", "c"], #"bad field 'x[2]' ("a" or "b" expected, got "c")"#),
            ("{ street = 'string' }", ["A"], "unknown field 'x[1]'"),
        ] as [(String, Value, String)]
    )
    func refused(_ type: String, _ value: Value, _ message: String) throws {
        #expect(try error(type, value) == message)
    }

    @Test("an error message lists at most 20 alternatives")
    func alternatives() throws {
        let type = "(function() local t = {} for i = 1, 1000 do t[i] = i end return t end)()"
        let message = try #require(try error(type, 0))
        #expect(
            message.hasSuffix(" or 19 or one of 981 other values expected, got 0)"),
            "\(message)"
        )
    }

    @Test(
        "a malformed type declaration is a script error",
        arguments: [
            (
                "'[intger]'",
                "bad type 'intger' of parameter 'x' (\(types) expected), did you mean 'integer'?"
            ),
            (
                "'int?'",
                "bad type 'int' of parameter 'x' (\(types) expected), did you mean 'integer'?"
            ),
            (
                "'Bool'",
                "bad type 'Bool' of parameter 'x' (\(types) expected), did you mean 'boolean'?"
            ),
            (
                "'strings'",
                "bad type 'strings' of parameter 'x' (\(types) expected), did you mean 'string'?"
            ),
            ("'date'", "bad type 'date' of parameter 'x' (\(types) expected)"),
            ("7", "bad type of parameter 'x' (\(types) expected, got integer)"),
            (
                "'[integer?]'",
                "bad type of parameter 'x': the elements of a list cannot be optional (put the '?' after the list)"
            ),
            (
                "{ a = 'strin' }",
                "bad type 'strin' of parameter 'x.a' (\(types) expected), did you mean 'string'?"
            ),
            (
                "{ ['a b'] = 'string' }",
                #"bad parameter name '["a b"]' (must begin with an ASCII letter, followed by ASCII letters, digits, '_', '-', or '.' before a letter)"#
            ),
            (
                "('['):rep(100000) .. 'integer' .. (']'):rep(100000)",
                "bad type of parameter 'x': at most 32 nested lists are allowed"
            ),
            ("{ print, 'a' }", notAlternative("function")),
            ("{ 1, 0/0 }", notAlternative("NaN")),
            ("{ { 1, 2 }, { 3, { print } } }", notAlternative("table")),
            (
                "{}",
                "bad type of parameter 'x' (\(types) expected, got table)"
            ),
            (
                "{ 'a', b = 'string' }",
                "bad type of parameter 'x' (\(types) expected, got table)"
            ),
        ]
    )
    func unreadable(_ type: String, _ message: String) throws {
        let error = #expect(throws: RouteError.self) { try self.error(type, nil) }
        #expect(error?.message == message)
    }

    @Test("whole numbers become integers inside lists and tables")
    func conversion() throws {
        let fixture = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Home" } end)
            router.register("Page", "show", {
              info = { ids = "[integer]", at = { line = "integer" } },
              build = function(info) return router.screen("Page", { ids = info.ids, at = info.at }) end,
            })
            """
        )
        fixture.navigate("Page", "show", ["ids": [1.0, 2], "at": ["line": 3.0]])
        #expect(fixture.tree == "nav[Home, Page(at={line=3}, ids={1, 2})]")
    }

    // MARK: Fields

    private static let classes = """
        router.class("Show", { fields = { "title", id = "integer", tags = "[string]?" } })
        router.start(function() return router.nav { router.screen("Show", { id = 1.0 }) } end)
        router.register("Show", "open", {
          info = { id = "any", title = "string?" },
          build = router.screen "Show",
        })
        router.export("set", function(new)
          local screen = router.visible()
          for name, value in pairs(new) do screen[name] = value end
        end)
        router.export("make", function(new) router.screen("Show", new) end)
        """

    @Test("typed fields follow listed fields in order, are converted, and may be omitted")
    func fields() throws {
        let fixture = try RouterFixture(Self.classes)
        #expect(fixture.tree == "nav[Show(id=1)]")
        try fixture.call("set", ["tags": ["a"], "id": 7.0, "title": true])
        #expect(fixture.tree == #"nav[Show(title=true, id=7, tags={"a"})]"#)
        fixture.navigate("Show", "open", ["id": 8])
        #expect(fixture.tree.hasSuffix("Show(id=8)]"))
    }

    @Test("setting a field to a value of another type is always 'badInfo', and changes nothing")
    func badFields() throws {
        let fixture = try RouterFixture(Self.classes)
        let tree = fixture.tree
        let message = "bad field 'id' (integer expected, got string)"
        for name in ["set", "make"] {
            let error = #expect(throws: RouteError.self) { try fixture.call(name, ["id": "x"]) }
            #expect(error?.code == .badInfo)
            #expect(error?.message == message)
        }
        let error = #expect(throws: RouteError.self) {
            try fixture.call("set", ["tags": ["a", 1]])
        }
        #expect(error?.message == "bad field 'tags[2]' (string expected, got integer)")
        let navigation = fixture.navigate("Show", "open", ["id": "x"])
        #expect(navigation.error?.message == message)
        #expect(throws: RouteError.self) { try fixture.router.screen("Show", ["id": "x"]) }
        let notation = #expect(throws: NotationError.self) {
            try fixture.router.setTree(TreeNotation("nav[Show(title=1, id=x)]"))
        }
        #expect(notation?.message == message)
        #expect(fixture.tree == tree)
    }

    @Test(
        "a field cannot be declared with a reference type",
        arguments: ["'screen'", "'[function]'", "{ a = 'host' }", "function() end"]
    )
    func references(_ type: String) throws {
        let error = #expect(throws: RouteError.self) {
            try RouterFixture("router.class('Show', { fields = { x = \(type) } })")
        }
        #expect(error?.message.contains("(plain data expected)") == true)
    }

    // MARK: Results

    private static let results = """
        router.start(function() return router.nav { router.screen "Main" } end)
        router.register("Picker", "show", {
          result = { "S", "M" }, via = "present",
          build = function() return router.nav { router.screen "Picker" } end,
        })
        router.register("Sum", "show", {
          result = function(value) return value * 2 end, build = router.screen "Sum",
        })
        router.export("close", function(new) router.close(router.visible(), new.value) end)
        router.export("pick", function()
          local _, value = router.navigate("Picker", "show"):result()
          router.state.picked = value
        end)
        """

    @Test("a screen is closed with a value of the declared result type, or without a value")
    func result() throws {
        let fixture = try RouterFixture(Self.results)
        fixture.router.call("pick") { _ in }
        let screen = fixture.router.tree.visibleLeaf(of: fixture.router.tree.windows[0])
        let refused = fixture.router.close(screen, value: "XL")
        #expect(refused.error?.code == .badInfo)
        #expect(
            refused.error?.message == #"bad field 'result' ("S" or "M" expected, got "XL")"#
        )
        #expect(fixture.tree == "nav[Main] ^ nav[Picker]")
        fixture.router.close(screen, value: "M")
        #expect(fixture.tree == "nav[Main]")
        #expect(fixture.router.state["picked"] == "M")
        fixture.navigate("Picker", "show")
        try fixture.call("close")
        #expect(fixture.tree == "nav[Main]")
    }

    @Test("a script function can validate and convert a result")
    func checkedResult() throws {
        let fixture = try RouterFixture(Self.results)
        let navigation = fixture.navigate("Sum", "show")
        var result: Value?
        fixture.router.result(of: navigation) { result = try? $0.get() }
        try fixture.call("close", ["value": 4])
        #expect(result == 8)
    }

    @Test("a result is checked against the declaration in the active generation")
    func reloadedResult() throws {
        let fixture = try RouterFixture(Self.results)
        fixture.navigate("Picker", "show")
        let script = Self.results.replacing(#"{ "S", "M" }"#, with: "'integer'")
        fixture.router.reload(ScriptBundle(files: ["main.lua": script]))
        let screen = fixture.router.tree.visibleLeaf(of: fixture.router.tree.windows[0])
        #expect(fixture.router.close(screen, value: "M").error?.code == .badInfo)
        #expect(fixture.router.close(screen, value: 3).error == nil)
    }

    // MARK: Tasks

    private static let tasks = """
        router.start(function() return router.nav { router.screen "Main" } end)
        router.registerTask("Sum", "add", function(info, done)
          if info.later then router.delay(1, function() done(true, info.wrong and "x" or 3) end) return end
          if info.wrong then return "x" end
          local sum = 0
          for _, n in ipairs(info.numbers) do sum = sum + n end
          return sum
        end, { info = { numbers = "[integer]", later = "boolean?", wrong = "boolean?" }, result = "integer" })
        """

    @Test("the parameters and the result of a task are checked and converted")
    func task() throws {
        let fixture = try RouterFixture(Self.tasks)
        #expect(fixture.doTask("Sum", "add", ["numbers": [1.0, 2]]).value == 3)
        let refused = fixture.doTask("Sum", "add", ["numbers": ["x"]])
        #expect(refused.error?.message == "bad field 'numbers[1]' (integer expected, got string)")
        let wrong = fixture.doTask("Sum", "add", ["numbers": [], "wrong": true])
        #expect(wrong.error?.message == "bad field 'result' (integer expected, got string)")
        #expect(wrong.error?.location?.line == 2)
        #expect(wrong.value.isNil)
        let late = fixture.doTask("Sum", "add", ["numbers": [], "wrong": true, "later": true])
        fixture.router.advance(to: 1)
        #expect(late.error?.message == "bad field 'result' (integer expected, got string)")
    }

    @Test("a task that declares a function as a type is an error")
    func taskFunction() {
        #expect(throws: RouteError.self) {
            try RouterFixture(
                "router.registerTask('A', 'b', function() end, { info = { x = function() end } })"
            )
        }
    }
}
