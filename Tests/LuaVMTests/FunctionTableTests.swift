// SPDX-License-Identifier: MIT

import LuaVM
import TestSupport
import Testing

/// Tests of tables whose functions are all implemented by one closure.
@Suite struct FunctionTableTests {
    /// Defines the table of functions as `f`, and the view of the table as `view`.
    private func install(
        _ names: [String],
        in script: Script,
        _ body: @escaping (Int, inout CallFrame) throws -> Void
    ) throws {
        let table = try script.state.makeFunctions(
            FunctionNames(names),
            unknown: { throw UnknownName(name: $0.string(at: 1) ?? $0.kind(at: 1).rawValue) },
            body
        )
        try script.state.setGlobal("f", in: script.environment) { $0.write(table) }
        let freezer = try script.state.makeFreezer()
        try script.state.setGlobal("freeze", in: script.environment, to: freezer)
        _ = try script.run("view = freeze(f, 'f is read only')")
    }

    private struct UnknownName: ScriptMessage {
        let name: String
        var scriptMessage: String { "no '\(name)'" }
    }

    @Test("the closure of a function table receives the function's index and the arguments")
    func positions() throws {
        let script = try Script()
        try install(["first", "second"], in: script) { position, frame in
            frame.returnInteger(Int64(position))
            frame.returnString(frame.string(at: 0) ?? "")
        }
        #expect(try script.text("return f.second('a')", results: 2) == "1 \"a\"")
        #expect(try script.text("local g = f.first  return g('b')", results: 2) == "0 \"b\"")
        #expect(
            try script.text("return f.first == f.first, f.first == f.second", results: 2)
                == "true false"
        )
    }

    @Test("the error for a wrong argument names the called function")
    func mismatch() throws {
        let script = try Script()
        try install(["first", "second"], in: script) { _, frame in
            throw frame.mismatch(at: 0, "integer")
        }
        #expect(
            script.error("f.second('a')")?.message
                == "bad argument #1 to 'second' (integer expected, got string)"
        )
    }

    @Test(
        "a view shows all functions, regardless of which were read before",
        arguments: [
            ("pairs", "for name in pairs(view) do names = names .. name end"),
            (
                "next",
                "local name  repeat name = next(view, name)  names = names .. (name or '') until not name"
            ),
            ("rawget", "names = rawget(view, 'c') == view.c and 'abc' or 'none'"),
        ]
    )
    func view(_ row: (name: String, body: String)) throws {
        for first in ["", "local _ = view.b"] {
            let script = try Script()
            try install(["b", "c", "a"], in: script) { _, _ in }
            let text = "\(first)  local names = ''  \(row.body)  return names, view.a == view.a"
            #expect(try script.text(text, results: 2) == "\"abc\" true", "\(first)")
        }
    }

    @Test("reading a key that the table does not contain is an error with the line of the script")
    func unknown() throws {
        let script = try Script()
        try install(["first"], in: script) { _, _ in }
        for (read, name) in [("view.second", "second"), ("f[1]", "integer"), ("view[{}]", "table")]
        {
            let error = script.error("\nlocal _ = \(read)")
            #expect(error?.message == "no '\(name)'")
            #expect(error?.line == 2)
        }
        #expect(try script.text("return rawget(view, 'second')") == "nil")
    }

    @Test(
        "a function is created when it is first read, even if the script has reached its memory limit"
    )
    func exempt() throws {
        let script = try Script()
        try install(["first"], in: script) { _, frame in frame.returnInteger(7) }
        let chunk = try script.state.load(
            "return view.first()",
            chunkName: "test.lua",
            environment: script.environment
        )
        script.state.limitMemory(to: 0)
        defer { script.state.limitMemory(to: .max) }
        var reader = try script.state.run(chunk, results: 1)
        #expect(reader.next().map { Script.text($0, &reader) } == "7")
    }

    @Test("the closure of a function table lives until the last of its functions is collected")
    func lifetime() throws {
        let tracker = LifetimeTracker()
        let script = try Script()
        try {
            let token = tracker.track()
            try install(["first", "second"], in: script) { _, _ in _ = token }
        }()
        _ = try script.run("f, view = f.second, nil")
        _ = script.state.liveHandles
        script.state.collectGarbage()
        #expect(tracker.liveCount == 1)
        _ = try script.run("f = nil")
        script.state.collectGarbage()
        #expect(tracker.liveCount == 0)
    }
}
