// SPDX-License-Identifier: MIT

import Foundation
import LuaVM
import TestSupport
import Testing

/// Tests of the defects of Lua 5.4 releases, each of which is worked around only if the linked
/// release has it.
@Suite struct DefectTests {
    private static func has(_ defect: LuaDefect) -> Bool { LuaState.defects.contains(defect) }

    /// Returns the part of a message that names the required release and the linked release.
    private static func need(_ defect: LuaDefect) -> String {
        let number = LuaState.release.dropFirst("Lua ".count)
        let owner = has(.concatenation) && number == "5.4.4" ? "Debian's " : ""
        return "needs Lua \(defect.fixedIn) or newer; this is \(owner)\(number)"
    }

    @Test("Lua 5.4.8 and newer have no known defect, and Debian's 5.4.4 has three")
    func releases() throws {
        let patch = try #require(Int(LuaState.release.split(separator: ".").last ?? ""))
        if patch >= 8 { #expect(LuaState.defects == []) }
        if patch < 8 { #expect(Self.has(.comparedKey)) }
        if Self.has(.concatenation) {
            #expect(LuaState.defects == [.concatenation, .comparedKey, .lateOperand])
        }
    }

    @Test(
        "constructs that some release of Lua executes wrongly are detected with every release",
        arguments: [
            ("return t[a < b]", [.comparedKey]), ("return t[not (a < b)]", [.comparedKey]),
            ("return t[(a == b)]", [.comparedKey]), ("t[((not (a >= b)))] = 1", [.comparedKey]),
            ("return t[x][b ~= c]", [.comparedKey]), ("t[#t > 0] = 1", [.comparedKey]),
            ("return t[true and a < b]", [.comparedKey]),
            ("return t[x and false or a < b]", [.comparedKey]),
            ("return t[a == (b or c)]", [.comparedKey]),
            ("return t[(x or 1) and a < b]", [.comparedKey]),
            ("local K <const> = 1 return t[K and a < b]", [.comparedKey]),
            ("return t[a < b and 1 or 2]", []), ("return t[i % 2 == 0 and 'x']", []),
            ("return t[x and a < b]", []), ("return t[x or a < b]", []),
            ("return { [a < b] = 1 }", []), ("return t[f(a < b)]", []),
            ("return t[(a < b)(1)]", []), ("return t[(a < b).x]", []),
            ("return t[function() return a < b end]", []), ("return t[x] < y", []),
            ("local _ENV <const> = 1", [.constantEnvironment]),
            ("local x, _ENV <const> = 1, 2", [.constantEnvironment]),
            ("local _ENV = { _ENV }", []), ("local a <const> = _ENV", []),
            ("m.__concat = f", [.concatenation]), ("m['__concat'] = f", [.concatenation]),
            ("return { __concat = f }", [.concatenation]), ("return 'a' .. concat", []),
            ("return 1 | (a or 2)", []), (many + "return 1 | (a or 2)", [.lateOperand]),
            (many + "return 1 ~ not (a and 2)", [.lateOperand]),
            (many + "return 1 & (2 < 3)", [.lateOperand]), (many + "return 1 | (a + 2)", []),
            (many + "return a or 1 | 2", []),
            (many + "return function() return 1 | (a or 2) end", []),
        ] as [(String, [LuaDefect])]
    )
    func constructs(_ source: String, _ expected: [LuaDefect]) {
        #expect(LuaConstruct.all(in: Array(source.utf8)).map(\.defect) == expected)
    }

    private static let many = "local l = {" + (0..<260).map { "\($0).5," }.joined() + "} "

    @Test(
        "a source that the linked Lua would compile wrongly does not load; the same source loads with any other Lua",
        arguments: [
            (
                "local up = { [true] = 5 } return (function(a, b) return up[a < b] end)(1, 2)",
                .comparedKey
            ),
            (
                "local up = { [false] = 5 } return (function(a, b) return up[not (a < b)] end)(1, 2)",
                .comparedKey
            ),
            ("local _ENV <const> = 'text' return #rep('x', 5)", .constantEnvironment),
            (
                "return (function(a) " + many + "return 1 | (a or 2) end)(4)", .lateOperand
            ),
        ] as [(String, LuaDefect)]
    )
    func refused(_ chunk: String, _ defect: LuaDefect) throws {
        let script = try Script()
        guard Self.has(defect) else {
            if defect != .constantEnvironment { #expect(try script.text(chunk) == "5") }
            return
        }
        let error = try #require(script.error("\n" + chunk))
        #expect(error.kind == .syntax)
        #expect(error.line == 2)
        #expect(error.message.contains(Self.need(defect)), "\(error.message)")
    }

    @Test("a library that declares '__concat' loads, and only calling it may fail")
    func concatenation() throws {
        let script = try Script()
        _ = try script.run(
            """
            Path = {}
            Path.__index = Path
            Path.__concat = function(a, b) return tostring(a) .. tostring(b) end
            Path.__tostring = function(path) return path.name end
            function path(name) return setmetatable({ name = name }, Path) end
            """,
            results: 0
        )
        #expect(try script.text("return path('a').name") == "\"a\"")
        let chunk = "return path('a') .. '/' .. path('b')"
        guard Self.has(.concatenation) else {
            #expect(try script.text(chunk) == "\"a/b\"")
            return
        }
        let error = try #require(script.error(chunk))
        #expect(error.kind == .runtime)
        #expect(error.line == 1)
        #expect(
            error.message.contains("'__concat' \(Self.need(.concatenation))"),
            "\(error.message)"
        )
        #expect(try script.text("return pcall(function() return path('a') .. 'x' end)") == "false")
        #expect(try script.text("return 'a' .. 1 .. 'b'") == "\"a1b\"")
    }

    @Test(
        "scripts that crash some release of Lua cannot crash the process",
        arguments: [
            // The stack grows in '__concat'.
            """
            local function depth(n) if n == 0 then return 0 end return 1 + depth(n - 1) end
            for _, size in ipairs({ 1, 60, 400, 4000 }) do
              local m = { __concat = function() depth(size) return 'p' end }
              local p = setmetatable({}, m)
              pcall(function() return 'a' .. 'b' .. p .. 'c' .. 'd' .. p .. p end)
            end
            """,
            // A value that an earlier call left behind is indexed.
            """
            local function leave(...) return select('#', ...) end
            leave({}, 'x', leave, 1, 2, 3)
            local up = {}
            local read = pcall(function(a, b) local c, d = up, b; up[c] = d return up[c] end, 1, 2)
            """,
            // A chain of coroutines that close each other; a message about a long chain of indices.
            "local c = coroutine return c == nil or c.close == nil",
            "local x = {} pcall(function() return " + "x" + String(repeating: ".y", count: 190)
                + " end)",
            // A weak metatable, when an allocation is refused.
            "pcall(setmetatable, {}, setmetatable({ __newindex = {} }, { __mode = 'v' }))",
            "for i = 1, 50 do local t = setmetatable({}, { __newindex = {} }) for j = 1, 99 do t[j] = j end end",
            // Errors in the handling of errors.
            "local function f() return pcall(f) or error(setmetatable({}, { __tostring = f })) end pcall(f)",
            "local t = setmetatable({}, { __index = function(t, k) return t[k .. 'x'] end }) pcall(function() return t.a end)",
            "local s = ('x'):rep(200) for i = 1, 190 do local function f(n) local r = s:rep(20) if n > 0 then return f(n - 1) .. '' end return r end f(i) end",
        ],
        [LuaState.Configuration.patient.profile, .trusted]
    )
    func reproducers(_ chunk: String, _ profile: ScriptProfile) throws {
        var configuration = LuaState.Configuration.patient
        configuration.profile = profile
        let script = try Script(configuration)
        for _ in 0..<3 {
            _ = try? script.run(chunk, results: 0)
            script.state.collectGarbage()
            #expect(try script.text("return 1 + 1") == "2")
        }
    }

    // MARK: Chains

    /// Returns a script that links `count` tables, `t[i]` to `t[i - 1]`, in the given order, and
    /// reads through all of them.
    private static func chain(_ count: Int, _ order: String, by field: String = "__index") -> String
    {
        """
        local t = {}
        for i = 0, \(count) do t[i] = {} end
        t[0].found = 'yes'
        local function link(i) setmetatable(t[i], { \(field) = t[i - 1] }) end
        \(order)
        return t[\(count)].found or 'linked'
        """
    }

    private static let orders = [
        "for i = 1, #t do link(i) end", "for i = #t, 1, -1 do link(i) end",
        "for i = 1, #t, 2 do link(i) end for i = 2, #t, 2 do link(i) end",
        "for i = 1, #t do setmetatable(t[i], { __index = t[i - 1], __newindex = t[i - 1] }) end",
    ]

    @Test(
        "a chain of '__index' may have at most 100 tables, whatever the order in which they are linked",
        arguments: orders
    )
    func chains(_ order: String) throws {
        #expect(try Script().text(Self.chain(100, order)) == "\"yes\"")
        let error = try #require(Script().error(Self.chain(101, order)))
        #expect(error.kind == .memory)
        #expect(error.message == "chain of '__index' exceeded (at most 100 tables)")
        #expect(try Script().error(Self.chain(5_000, order))?.kind == .memory)
    }

    @Test("a chain of '__newindex' may have at most 100 tables")
    func newIndexChains() throws {
        let order = "for i = 1, #t do link(i) end"
        #expect(try Script().text(Self.chain(100, order, by: "__newindex")) == "\"linked\"")
        let error = try #require(Script().error(Self.chain(101, order, by: "__newindex")))
        #expect(error.message == "chain of '__newindex' exceeded (at most 100 tables)")
    }

    @Test("a metatable shared by many tables and linked later counts for each of the tables")
    func sharedChains() throws {
        let chunk = """
            local classes = { {} }
            for i = 2, 101 do
              classes[i] = setmetatable({}, classes[i - 1])
              classes[i - 1].__index = classes[i - 1]
            end
            return 'linked'
            """
        // An assignment after `setmetatable` takes effect when the chunk has run.
        func load(_ count: Int) throws {
            let script = try Script()
            _ = try script.run(
                chunk.replacingOccurrences(of: "101", with: "\(count)"),
                results: 0
            )
            try script.state.call(script.state.makeMetatableReader())
        }
        try load(101)
        #expect(throws: ScriptError.self) { try load(102) }
    }

    @Test("a table may be its own '__index', and may be the '__index' of others")
    func circles() throws {
        let script = try Script()
        #expect(
            try script.text(
                """
                local M = { x = 1 }
                M.__index = M
                setmetatable(M, M)
                local o = setmetatable({}, M)
                local isRead, message = pcall(function() return o.missing end)
                return { o.x, isRead, message:match('loop') }
                """
            ) == "{1, false, \"loop\"}"
        )
        let error = try #require(
            script.error(
                "local a, b = {}, {} setmetatable(a, { __index = b }) setmetatable(b, { __index = a })"
            )
        )
        #expect(error.message.contains("a chain of '__index' leads back to the table itself"))
    }
}
