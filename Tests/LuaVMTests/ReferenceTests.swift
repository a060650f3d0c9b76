// SPDX-License-Identifier: MIT

import LuaVM
import Testing

/// Tests of Lua values that Swift can reference but not read.
struct ReferenceTests {
    /// A script with the functions `keep`, which stores its argument, and `give`, which returns
    /// that argument.
    private final class Keeper {
        let script: Script
        var kept: LuaReference?

        init() throws {
            script = try Script()
            try script.define("keep") { [unowned self] frame in kept = frame.reference(at: 0) }
            try script.define("give") { [unowned self] frame in
                guard let kept else { return }
                try frame.returnValues { writer in writer.write(kept) }
            }
        }
    }

    @Test(
        "a value of any kind is unchanged after a round trip",
        arguments: [
            "setmetatable({ 1, f = give }, { __index = { x = 1 } })", "string.rep",
            "function() end", "'text'", "('x'):rep(100)", "7", "1.5", "true", "false", "give",
        ]
    )
    func identity(_ value: String) throws {
        let keeper = try Keeper()
        #expect(
            try keeper.script.text(
                "local value = \(value)  keep(value)  return rawequal(give(), value)"
            ) == "true"
        )
        #expect(keeper.kept != nil)
    }

    @Test("creating a reference to a table does not copy the table")
    func shared() throws {
        let keeper = try Keeper()
        _ = try keeper.script.run(
            "keep({ n = 1, next = function(t) t.n = t.n + 1 return t.n end })"
        )
        keeper.script.state.collectGarbage()
        #expect(try keeper.script.text("return give():next()") == "2")
        #expect(try keeper.script.text("return give():next()") == "3")
    }

    @Test("a reference to nil cannot be created", arguments: ["keep(nil)", "keep()"])
    func none(_ call: String) throws {
        let keeper = try Keeper()
        _ = try keeper.script.run("keep(1)")
        _ = try keeper.script.run(call)
        #expect(keeper.kept == nil)
    }

    @Test("a value is released with its reference, and no handle leaks")
    func lifetime() throws {
        let keeper = try Keeper()
        let state = keeper.script.state
        // Handles that were released before are freed at a use of the state.
        _ = try keeper.script.run("keep(nil)")
        _ = state.liveHandles
        state.collectGarbage()
        let (handles, memory) = (state.liveHandles, state.memoryUsed)
        _ = try keeper.script.run("keep({ ('x'):rep(1000000) })")
        state.collectGarbage()
        #expect(state.liveHandles == handles + 1)
        #expect(state.memoryUsed > memory + 1_000_000)
        keeper.kept = nil
        _ = state.liveHandles
        state.collectGarbage()
        #expect(state.liveHandles == handles)
        #expect(state.memoryUsed < memory + 100_000)
    }

    @Test("a value of another state is rejected")
    func otherState() throws {
        let keeper = try Keeper()
        let other = try Keeper()
        _ = try other.script.run("keep({})")
        keeper.kept = other.kept
        #expect(keeper.script.error("return give()")?.kind == .conversion)
    }
}
