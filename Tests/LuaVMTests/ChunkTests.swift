// SPDX-License-Identifier: MIT

import LuaVM
import Testing

@Suite struct ChunkTests {
    private func load(_ text: String) throws -> LuaFunction {
        let script = try Script()
        return try script.state.load(text, chunkName: "a.lua", environment: script.environment)
    }

    @Test("compiled chunks are refused")
    func binary() throws {
        let error = #expect(throws: ScriptError.self) { try load("\u{1b}LuaT") }
        #expect(error?.kind == .syntax)
    }

    @Test("a chunk has at most 256 KiB")
    func size() throws {
        let line = "--" + String(repeating: "x", count: 62)
        let text = String(repeating: line, count: 4096)
        #expect(throws: Never.self) { try load(text) }
        let error = #expect(throws: ScriptError.self) { try load(text + " ") }
        #expect(error?.kind == .syntax)
    }

    @Test(
        "200 index suffixes in a row are enough",
        arguments: [".x", "['x']", ".x['y']", "[a.b]", " . x --c\n", "[ [[x]] ]"]
    )
    func suffixes(_ suffix: String) throws {
        let each = suffix == ".x['y']" ? 2 : 1
        let fine = "local a = ... return a" + String(repeating: suffix, count: 200 / each)
        #expect(throws: Never.self) { try load(fine) }
        let error = #expect(throws: ScriptError.self) { try load(fine + suffix) }
        #expect(error?.message == "more than 200 index suffixes in a row")
    }

    @Test("parentheses do not end a chain; calls, operators and strings do")
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

    /// The compiler takes seconds for each of these where nothing stops it before.
    @Test("a chunk whose names are looked for in many functions is refused", arguments: [30, 180])
    func lookups(_ functions: Int) throws {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        let locals = letters.flatMap { first in letters.prefix(7).map { "\(first)\($0)" } }
        let begin = "local function f() local \(locals.joined(separator: ",")) "
        let names = String(repeating: "a=a ", count: 30_000)
        let ends = String(repeating: " end", count: functions)
        func nested(_ names: String) -> String {
            String(repeating: begin, count: functions) + names + ends
        }
        if functions == 30 { #expect(throws: Never.self) { try load(nested("a=a ")) } }
        let error = #expect(throws: ScriptError.self) { try load(nested(names)) }
        #expect(error?.message == "too many names in blocks within each other")
        #expect(throws: Never.self) { try load("do if a then while a do \(names) end end end") }
    }

    @Test("environments do not reach each other")
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
