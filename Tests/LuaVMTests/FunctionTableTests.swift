// SPDX-License-Identifier: MIT

import LuaVM
import TestSupport
import Testing

/// Tables of functions that one closure serves.
@Suite struct FunctionTableTests {
    private func install(
        _ names: [String],
        in script: Script,
        _ body: @escaping (Int, inout CallFrame) throws -> Void
    ) throws {
        let table = try script.state.makeFunctions(names: names, body)
        try script.state.setGlobal("f", in: script.environment) { $0.write(table) }
    }

    @Test("the closure gets the position of the name and the arguments of the call")
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

    @Test("a message about a wrong argument names the called function")
    func mismatch() throws {
        let script = try Script()
        try install(["first", "second"], in: script) { _, frame in
            throw frame.mismatch(at: 0, "integer")
        }
        #expect(
            script.error("f.second('a')")?.message
                == "bad argument #1 to 'second' (expected integer, got string)"
        )
    }

    @Test("the closure lives until the last of its functions is collected")
    func lifetime() throws {
        let tracker = LifetimeTracker()
        let script = try Script()
        try {
            let token = tracker.track()
            try install(["first", "second"], in: script) { _, _ in _ = token }
        }()
        _ = try script.run("f = f.second")
        _ = script.state.liveHandles
        script.state.collectGarbage()
        #expect(tracker.liveCount == 1)
        _ = try script.run("f = nil")
        script.state.collectGarbage()
        #expect(tracker.liveCount == 0)
    }
}
