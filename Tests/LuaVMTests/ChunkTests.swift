// SPDX-License-Identifier: MIT

import LuaVM
import TestSupport
import Testing

@Suite struct ChunkTests {
    private func load(_ text: String) throws -> LuaFunction {
        let script = try Script()
        return try script.state.load(text, chunkName: "a.lua", environment: script.environment)
    }

    @Test("precompiled chunks are rejected")
    func binary() throws {
        let error = #expect(throws: ScriptError.self) { try load("\u{1b}LuaT") }
        #expect(error?.kind == .syntax)
    }

    @Test("a chunk that the host compiled once runs in any state, with the globals of that state")
    func compiledOnce() throws {
        let chunk = CompiledChunk(
            Array("count = (count or 0) + 1  return count".utf8),
            chunkName: "=a"
        )
        for _ in 1...2 {
            let script = try Script()
            let function = try script.state.load(chunk, environment: script.environment)
            for number in 1...2 {
                var reader = try script.state.run(function, results: 1)
                #expect(reader.next().map { Script.text($0, &reader) } == "\(number)")
            }
        }
    }

    @Test("the error and the traceback of a host chunk contain no line numbers")
    func compiledError() throws {
        let script = try Script()
        let chunk = CompiledChunk(Array("return function() error('no') end".utf8), chunkName: "=a")
        let function = try script.state.load(chunk, environment: script.environment)
        var reader = try script.state.run(function, results: 1)
        let item = reader.next()
        guard case .function(let fails) = item else {
            Issue.record("the chunk returns no function")
            return
        }
        try script.state.setGlobal("fails", in: script.environment, to: fails)
        let error = script.error("\nfails()")
        #expect(error?.message == "no")
        #expect(error?.line == 2)
        #expect(error?.traceback == "test.lua:2: in the main chunk")
    }

    @Test("a chunk may have at most 256 KiB")
    func size() throws {
        let line = "--" + String(repeating: "x", count: 62)
        let text = String(repeating: line, count: 4096)
        #expect(throws: Never.self) { try load(text) }
        let error = #expect(throws: ScriptError.self) { try load(text + " ") }
        #expect(error?.kind == .syntax)
    }

    @Test(
        "200 consecutive index suffixes are allowed",
        arguments: [".x", "['x']", ".x['y']", "[a.b]", " . x --c\n", "[ [[x]] ]"]
    )
    func suffixes(_ suffix: String) throws {
        let each = suffix == ".x['y']" ? 2 : 1
        let fine = "local a = ... return a" + String(repeating: suffix, count: 200 / each)
        #expect(throws: Never.self) { try load(fine) }
        let error = #expect(throws: ScriptError.self) { try load(fine + suffix) }
        #expect(error?.message == "more than 200 index suffixes in a row")
    }

    @Test("parentheses do not end a chain of suffixes; calls, operators and strings do")
    func chains() throws {
        let part = String(repeating: ".x", count: 150)
        #expect(throws: ScriptError.self) { try load("local a return ((a\(part))\(part))") }
        for text in [
            "return a\(part) + a\(part)", "a\(part)() a\(part)()", "return a\(part)()\(part)",
            "return {a\(part), a\(part)}", "return a\(part)[a\(part)]",
            "return '\(part)' .. [[\(part)\(part)]]",
            "a\(part):m()\(part):m()", "return a\(part) -- \(part)\n", "return 1.5 .. a\(part)",
        ] {
            #expect(throws: Never.self, "\(text.prefix(20))") { try load(text) }
        }
    }

    @Test("index suffixes inside a key also count for the indexed value")
    func nested() throws {
        let part = String(repeating: ".x", count: 50)
        func chain(_ levels: Int) -> String {
            (0..<levels).reduce("a") { value, _ in "a[\(value)]\(part)" }
        }
        #expect(throws: Never.self) { try load("local a return \(chain(3))") }
        let error = #expect(throws: ScriptError.self) { try load("local a return \(chain(4))") }
        #expect(error?.message == "more than 200 index suffixes in a row")
    }

    @Test("a statement begins a new chain of suffixes only where Lua begins a statement")
    func statements() throws {
        let part = String(repeating: ".x", count: 150)
        for text in [
            "local a, b local c (a\(part))\(part)()", "local a goto l (a\(part))\(part)() ::l::",
            "local a function f(b) (a\(part))\(part)() end",
        ] {
            let error = #expect(throws: ScriptError.self, "\(text.prefix(20))") { try load(text) }
            #expect(error?.message == "more than 200 index suffixes in a row")
        }
        #expect(throws: Never.self) { try load("local a a\(part)() a\(part)()") }
    }

    @Test("a chain that is too long is found even at the end of a long function")
    func far() throws {
        let body = String(repeating: "a=b ", count: 30_000)
        let chain = "return a" + String(repeating: ".x", count: 150)
        #expect(throws: Never.self) { try load(chain + " ") }
        #expect(throws: Never.self) { try load("function f() \(body) end \(chain)") }
        let error = #expect(throws: ScriptError.self) { try load(body + chain) }
        #expect(
            error?.message
                == "an index chain is too long for a function of this length: assign a part of the chain to a local variable"
        )
    }

    struct Slow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String

        init(_ name: String, _ text: String) {
            testDescription = name
            self.text = text
        }

        init(_ name: String, _ before: String, _ part: String, _ count: Int, _ after: String) {
            self.init(name, before + String(repeating: part, count: count) + after)
        }

        static let all = [
            Slow("or", "local x return ", "x or ", 50_000, "x"),
            Slow("and", "local x return ", "x and ", 40_000, "x"),
            Slow("both", "local x return ", "x and x or ", 20_000, "x"),
            Slow("or with calls", "local x return ", "x(x, x) or ", 20_000, "x"),
            Slow("elseif", "local x if x then ", "elseif x then ", 18_000, "end"),
            Slow("goto", "do ", "goto a ", 32_000, "::a:: end"),
            Slow("break", "local x while x do ", "if x then break end ", 12_000, "end"),
            Slow("labels", (0..<18_000).map { "::a\(String($0, radix: 16)):: x()" }.joined()),
            Slow(
                "numerals",
                "return {\((1..<23_000).map { "\(131_071 * $0)" }.joined(separator: ","))}"
            ),
            names(in: 30), names(in: 90),
        ]

        private static func names(in functions: Int) -> Slow {
            let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
            let locals = letters.flatMap { first in letters.prefix(7).map { "\(first)\($0)" } }
            let begin = "local function f() local \(locals.joined(separator: ",")) "
            return Slow(
                "names in \(functions) functions",
                String(repeating: begin, count: functions),
                "a=a ",
                30_000 - functions * 150,
                String(repeating: " end", count: functions)
            )
        }
    }

    @Test(
        "compiling code that takes quadratic time stops at the instruction limit",
        arguments: Slow.all
    )
    func slow(_ slow: Slow) throws {
        let script = try Script()
        let start = ContinuousClock.now
        let error = #expect(throws: ScriptError.self) {
            try script.state.load(slow.text, chunkName: "a.lua", environment: script.environment)
        }
        #expect(error?.kind == .instructions, "\(error?.message ?? "")")
        #expect(error?.chunk == "a.lua")
        #expect(error?.line == 1)
        // Generous: it measures only that compiling ends.
        #expect(ContinuousClock.now - start < .seconds(30))
        #expect(try script.text("return 1") == "1")
    }

    /// Constructs that can be nested as deeply as the compiler allows, or more deeply.
    static let deep: [(before: String, inside: String, after: String)] = [
        ("(", "1", ")"), ("{", "", "}"), ("-", "x", ""), ("not ", "x", ""), ("x..", "x", ""),
        ("x^", "x", ""), ("function() return ", "1", " end"), ("x(", "", ")"), ("x[", "x", "]"),
        ("{x=", "1", "}"), ("x{", "", "}"), ("(function(...) return ", "1", " end)()"),
        ("x and (", "x", ")"), ("x.y[", "x", "].z"),
    ]

    @Test(
        "deeply nested code is either compiled or rejected on a stack of 1 MiB",
        arguments: [80, 195, 20_000]
    )
    func depth(_ levels: Int) throws {
        try onThread {
            for (before, inside, after) in Self.deep {
                let script = try Script()
                let text =
                    "local x return " + String(repeating: before, count: levels) + inside
                    + String(repeating: after, count: levels)
                let error = script.error(text)
                #expect(error == nil || error?.message.isEmpty == false)
                #expect(try script.text("return 1") == "1", "\(before)")
            }
            // A message names a value whose index chain is as long as it may be.
            let script = try Script()
            let key = "a" + String(repeating: ".x", count: 190)
            let error = script.error("local a = {} return \(key).y.z[a[a.x].y]()")
            #expect(error?.message.contains("nil value (field 'x')") == true)
        }
    }

    @Test("compiling stops at the deadline")
    func deadline() throws {
        var configuration = LuaState.Configuration()
        configuration.loadBudget = Budget(instructions: .max / 2, duration: .milliseconds(5))
        let script = try Script(configuration)
        let error = #expect(throws: ScriptError.self) {
            try script.state.load(
                Slow.all[0].text,
                chunkName: "a.lua",
                environment: script.environment
            )
        }
        #expect(error?.kind == .deadline)
        #expect(try script.text("return 1") == "1")
    }

    @Test("compiling a chunk during a call into Lua is charged to that call")
    func within() throws {
        let script = try Script()
        // The state keeps the closure, which must not keep the state.
        try script.define("load") { [unowned script] frame in
            _ = try script.state.load(
                Slow.all[0].text,
                chunkName: "b.lua",
                environment: script.environment
            )
        }
        let error = script.error("pcall(load) return 1")
        #expect(error?.kind == .instructions)
        #expect(error?.chunk == "b.lua")
        #expect(try script.text("return 1") == "1")
    }

    @Test("environments are isolated from each other")
    func environments() throws {
        let state = try LuaState(.patient)
        let first = try state.makeEnvironment(strict: false)
        let second = try state.makeEnvironment(strict: false)
        try state.run(
            state.load(
                "leak = 1 string.upper = nil table.leak = 1",
                chunkName: "a",
                environment: first
            )
        )
        var reader = try state.run(
            state.load(
                "return leak, string.upper('x'), table.leak, ('y'):upper()",
                chunkName: "b",
                environment: second
            ),
            results: 4
        )
        var texts: [String] = []
        while let item = reader.next() { texts.append(Script.text(item, &reader)) }
        #expect(texts == ["nil", "\"X\"", "nil", "\"Y\""])
    }
}
