// SPDX-License-Identifier: MIT

import LuaVM
import TestSupport
import Testing

/// Tests of every way in which a script can nest, on a thread with a stack of 1 MiB: deep nesting
/// is an error, and the next entry works.
@Suite(.timeLimit(.minutes(10)))
struct ThreadDepthTests {
    struct Way: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// A depth that must work, and a depth that must fail; nil if no depth has to fail.
        let works: Int
        let fails: Int?
        let chunk: @Sendable (Int) -> String

        init(
            _ name: String,
            works: Int = 10,
            fails: Int? = 20_000,
            _ chunk: @escaping @Sendable (Int) -> String
        ) {
            testDescription = name
            self.works = works
            self.fails = fails
            self.chunk = chunk
        }

        /// Creates a way in which a function calls itself.
        init(_ name: String, by body: String, works: Int = 10, fails: Int? = 20_000) {
            self.init(name, works: works, fails: fails) { depth in
                """
                local f
                function f(n)
                  if n == 0 then return "end" end
                  \(body)
                end
                return f(\(depth)) and 1
                """
            }
        }
    }

    private static func times(_ count: Int, _ text: String) -> String {
        String(repeating: text, count: count)
    }

    static let ways: [Way] = [
        Way("gsub", by: "return (('x'):gsub('x', function() return f(n - 1) end))", works: 150),
        Way(
            "sort",
            by: "table.sort({1, 2}, function(a, b) f(n - 1) return a < b end) return 1",
            works: 150
        ),
        Way(
            "pcall",
            by: "local ok, e = pcall(f, n - 1) if not ok then error(e, 0) end return e",
            works: 150
        ),
        Way("a pcall that goes on", by: "pcall(f, n - 1) return 1", works: 150, fails: nil),
        Way("calls", by: "return f(n - 1) .. ''", works: 10_000, fails: 500_000),
        Way(
            "__index",
            by: "return setmetatable({}, { __index = function() return f(n - 1) end }).x",
            works: 150
        ),
        Way(
            "__newindex",
            by: "setmetatable({}, { __newindex = function() f(n - 1) end }).x = 1 return 1",
            works: 150
        ),
        Way(
            "__call",
            by: "return setmetatable({}, { __call = function() return f(n - 1) end })() .. ''",
            works: 150,
            fails: 500_000
        ),
        Way(
            "__idiv",
            by: "return setmetatable({}, { __idiv = function() return f(n - 1) end }) // 1",
            works: 150
        ),
        Way(
            "__eq",
            by: """
                local t = { __eq = function() f(n - 1) return true end }
                return setmetatable({}, t) == setmetatable({}, t)
                """,
            works: 150
        ),
        Way(
            "__lt",
            by: "return setmetatable({}, { __lt = function() f(n - 1) return true end }) < 1",
            works: 150
        ),
        Way(
            "__len",
            by: "return #setmetatable({}, { __len = function() f(n - 1) return 1 end })",
            works: 150
        ),
        Way(
            "__tostring",
            by: """
                return tostring(setmetatable({}, { __tostring = function()
                  return f(n - 1) and 'x'
                end }))
                """,
            works: 150
        ),
        Way(
            "format",
            by: """
                return ('%s'):format(setmetatable({}, { __tostring = function()
                  return f(n - 1) and 'x'
                end }))
                """,
            works: 150
        ),
        Way(
            "an error whose text is an error",
            works: 0,
            fails: 1
        ) { depth in
            """
            local function f(n)
              if n == 0 then error('inner') end
              error(setmetatable({}, { __tostring = function() f(n - 1) end }))
            end
            if \(depth) > 0 then f(\(depth)) end
            return 1
            """
        },
        Way(
            "loops over the next",
            by: "for _ in pairs({ f(n - 1) }) do end return 1",
            fails: 500_000
        ),
        Way(
            "an iterator",
            by: "for _ in function(_, c) return not c and f(n - 1) or nil end do end return 1",
            works: 150
        ),
        Way("enter", by: "enter(function() f(n - 1) end) return 1", works: 30, fails: 33),
        Way("start", by: "start('t' .. n, function() f(n - 1) end) return 1", works: 30, fails: 33),
        Way(
            "a start within a gsub",
            by: """
                return (('x'):gsub('x', function()
                  start('t' .. n, function() f(n - 1) end)
                  return 'y'
                end))
                """,
            works: 30,
            fails: 33
        ),
        Way("an enter within gsubs within enters", works: 10, fails: 33) { depth in
            """
            local function g(n, done)
              if n == 0 then return done() end
              return (('x'):gsub('x', function() g(n - 1, done) return 'y' end))
            end
            local function f(n)
              if n > 0 then g(4, function() enter(function() f(n - 1) end) end) end
            end
            f(\(depth))
            return 1
            """
        },
        Way("an __index of tables", works: 50, fails: 5_000) { depth in
            """
            local t = { x = 1 }
            for i = 1, \(depth) do t = setmetatable({}, { __index = t }) end
            return t.x
            """
        },
        // The parser.
        Way("parentheses", works: 150) {
            "return " + times($0, "(") + "1" + times($0, ")")
        },
        Way("tables", works: 150) {
            "local t = " + times($0, "{") + "1" + times($0, "}") + " return 1"
        },
        Way("functions", works: 60) {
            times($0, "local f = function() ") + times($0, "end ") + "return 1"
        },
        Way("blocks", works: 150) { times($0, "do ") + times($0, "end ") + "return 1" },
        Way("ifs", works: 150) { times($0, "if x then ") + times($0, "end ") + "return 1" },
        Way("loops", works: 100) {
            times($0, "while false do ") + times($0, "end ") + "return 1"
        },
        Way("elseifs", works: 1_000, fails: nil) {
            "if x == 0 then x = 1 " + times(min($0, 8_000), "elseif x == 1 then x = 2 ")
                + " end return 1"
        },
        Way("nots", works: 150) { "return " + times($0, "not ") + "1" },
        Way("minuses", works: 150) { "return 1 + " + times($0, "- ") + "1" },
        Way("powers", works: 150) { "return 1" + times($0, "^1") },
        Way("concatenations", works: 150) { "return 'a'" + times($0, "..'a'") },
        Way("concatenations of names", works: 150) { "local a = 'a' return a" + times($0, "..a") },
        Way("sums", works: 1_000, fails: nil) { "return 1" + times($0, "+1") },
        Way("ands", works: 1_000, fails: nil) { "return x" + times($0, " and x") + " or 1" },
        Way("assignments", works: 100) { depth in
            "local a = {} " + times(depth, "a.x, ") + "a.x = 1 return 1"
        },
        Way("fields", works: 150, fails: 201) {
            "local a = {} return a and 1 or a" + times($0, ".a")
        },
        Way("indices", works: 150, fails: 201) {
            "local a = {} return a and 1 or a" + times($0, "[1]")
        },
        Way("indices in indices", works: 150) {
            "local a = {} return a and 1 or " + times($0, "a[") + "1" + times($0, "]")
        },
        Way("calls in calls", works: 150) {
            "local a = function() end return " + times($0, "a(") + "1" + times($0, ")") + " or 1"
        },
        Way("calls of calls", works: 150, fails: nil) {
            "local function a() return a end return a" + times(min($0, 10_000), "()") + " and 1"
        },
        Way("fields that are nil", works: 0, fails: 1) {
            "local a = {} return a" + times(min($0, 199), ".a") + ($0 > 0 ? ".b.c" : "")
        },
        // The matcher.
        Way("captures", works: 20, fails: 40) {
            "return ('x'):find('" + times($0, "(") + "x" + times($0, ")") + "') and 1"
        },
        Way("optional parts", works: 100, fails: nil) {
            "return pcall(string.find, 'x', '" + times($0, "a?") + "x') and 1 or 1"
        },
        Way("sets", works: 100, fails: nil) {
            "return pcall(string.find, 'x', '" + times($0, "[ax]?") + "') and 1 or 1"
        },
        Way("a long way of a pattern", works: 1_000, fails: nil) {
            "return pcall(string.find, ('a'):rep(\($0)), '" + "(.-)(.-)b" + "') and 1 or 1"
        },
        Way("captures in captures of a long text", works: 10, fails: nil) {
            "return pcall(string.gsub, ('ab'):rep(\($0)), '((a)(b))', '%1%2%3') and 1 or 1"
        },
    ]

    private static let depths = [
        0, 1, 10, 20, 29, 30, 31, 32, 33, 34, 60, 100, 120, 150, 180, 185, 190, 192, 194, 195, 196,
        197, 198, 199, 200, 201, 202, 210, 250, 400, 1_000, 5_000, 10_000, 20_000,
    ]

    @Test("nesting that is too deep is an error, even on a small stack", arguments: ways)
    func deep(_ way: Way) throws {
        let depths = Self.depths + (way.fails.map { [$0] } ?? [])
        let ends = try onThread {
            let waiting = try Waiting()
            return depths.map { depth in
                var end = "done"
                do {
                    _ = try waiting.script.run(way.chunk(depth))
                } catch {
                    end =
                        (error as? ScriptError).map { "\($0.kind): \($0.message.prefix(80))" }
                        ?? "?"
                }
                waiting.threads = [:]
                if (try? waiting.script.text("return 1 + 1")) != "2" {
                    end += ", then nothing works"
                }
                return end
            }
        }
        for (depth, end) in zip(depths, ends) {
            #expect(!end.contains("nothing works"), "\(depth) \(end)")
            if depth <= way.works { #expect(end == "done", "\(depth)") }
            if let fails = way.fails, depth >= fails { #expect(end != "done", "\(depth)") }
        }
    }
}
