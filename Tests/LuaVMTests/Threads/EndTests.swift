// SPDX-License-Identifier: MIT

import LuaVM
import TestSupport
import Testing

@Suite struct EndTests {
    final class Stop: ScriptEnd {
        let token: LifetimeTracker.Token?

        init(token: LifetimeTracker.Token? = nil) {
            self.token = token
        }
    }

    struct Named: ScriptEnd, ScriptMessage {
        let scriptMessage: String
    }

    struct Failure: Error {}

    /// A script with functions that end an entry.
    ///
    /// `stop` ends the entry, and `note` records that the script continued. `enter` calls a
    /// function in its own entry, and returns the kind of the error that ended the entry.
    private final class Ending {
        let script: Script
        let stop = Stop()
        var notes: [String] = []

        init(_ configuration: LuaState.Configuration = .patient) throws {
            script = try Script(configuration)
            let stop = stop
            try script.define("stop") { _ in throw stop }
            try script.define("note") { [unowned self] frame in
                notes.append(frame.string(at: 0) ?? "")
            }
            try script.define("enter") { frame in
                guard let function = frame.function(at: 0) else { return }
                do {
                    try frame.state.call(function)
                } catch {
                    frame.returnString((error as? ScriptError)?.kind.rawValue ?? "")
                }
            }
        }
    }

    @Test(
        "a 'ScriptEnd' is thrown as the same error instance, with the line of the call that raised it"
    )
    func instance() throws {
        let ending = try Ending()
        let error = ending.script.error("\n\nlocal function f()\n stop() end\nf() note('on')")
        #expect(error?.kind == .ended)
        #expect(error?.underlying as? Stop === ending.stop)
        #expect(error?.message == "ended")
        #expect(error?.chunk == "test.lua")
        #expect(error?.line == 4)
        #expect(error?.traceback == "")
        #expect(ending.notes == [])
    }

    @Test("the message of a 'ScriptEnd' is the text of the error, whatever its bytes")
    func message() throws {
        let script = try Script()
        let text = "stopped: \0 %s " + String(repeating: "x", count: 5000)
        try script.define("stop") { _ in throw Named(scriptMessage: text) }
        #expect(script.error("stop()")?.message == String(text.prefix(4096)))
        #expect(script.error("stop()")?.underlying is Named)
    }

    @Test(
        "a script cannot catch a 'ScriptEnd', and stops running",
        arguments: [
            "pcall(stop) note('on')",
            "\npcall(pcall, stop) note('on')",
            "pcall(function() pcall(function() stop() end) note('on') end) note('on')",
            "while true do pcall(stop) note('on') end",
            "pcall(function() local x <close> = nil stop() end) note('on')",
            "for k in function() stop() end, nil, nil, nil do note('on') end",
            "local t = setmetatable({}, {__index = stop}) pcall(function() return t.x end) note('on')",
            "local t = setmetatable({}, {__newindex = stop}) pcall(rawlen, {}) t.x = 1 note('on')",
            "local t = setmetatable({}, {__eq = stop}) local _ = t == setmetatable({}, {}) note('on')",
            "local t = setmetatable({}, {__sub = stop}) local _ = t - 'x' note('on')",
            "local t = setmetatable({}, {__call = stop}) pcall(t) note('on')",
            "pcall(tostring, setmetatable({}, {__tostring = stop})) note('on')",
            "pcall(string.format, '%s', setmetatable({}, {__tostring = stop})) note('on')",
            "pcall(pairs, setmetatable({}, {__pairs = stop})) note('on')",
            "pcall(error, setmetatable({}, {__tostring = stop})) note('1') stop()",
            "pcall(table.sort, {3, 2, 1}, function() stop() end) note('on')",
            "pcall(string.gsub, 'x', 'x', stop) note('on')",
            "('xxx'):gsub('x', function() pcall(stop) note('on') end) note('on')",
            "('x'):gsub('x', setmetatable({}, {__index = stop})) note('on')",
            "local function f() return pcall(f) end local function g() stop() end pcall(g) note('on')",
            "local function f(n) if n == 0 then stop() end pcall(f, n - 1) note('on') end f(150)",
        ]
    )
    func uncaught(_ chunk: String) throws {
        let ending = try Ending()
        let error = ending.script.error(chunk)
        #expect(error?.kind == .ended)
        #expect(error?.underlying as? Stop === ending.stop)
        #expect(error?.chunk == "test.lua")
        #expect(error?.line == (chunk.hasPrefix("\n") ? 2 : 1))
        #expect(ending.notes.filter { $0 == "on" } == [])
        #expect(try ending.script.text("return 1") == "1")
    }

    @Test("`__tostring` of an uncaught error can also raise a 'ScriptEnd'")
    func endInHandler() throws {
        let ending = try Ending()
        let error = ending.script.error("\nerror(setmetatable({}, {__tostring = stop}))")
        #expect(error?.kind == .ended)
        #expect(error?.message == "ended")
        #expect(error?.underlying as? Stop === ending.stop)
        #expect(try ending.script.text("return 1") == "1")
    }

    @Test("a 'ScriptEnd' affects only the innermost call into Lua")
    func nested() throws {
        let ending = try Ending()
        #expect(
            try ending.script.text(
                """
                local inner = enter(function() pcall(stop) note('on') end)
                local caught = pcall(error, 'x')
                return inner, caught, pcall(type, 1)
                """,
                results: 3
            ) == "\"ended\" false true"
        )
        #expect(ending.notes == [])
        let error = ending.script.error(
            "enter(function() enter(stop) note('middle') stop() note('on') end)\nnote('outer') stop()"
        )
        #expect(error?.kind == .ended)
        #expect(error?.line == 2)
        #expect(ending.notes == ["middle", "outer"])
    }

    @Test(
        "a host function may rethrow a 'ScriptEnd', or convert it to an error that a script can catch"
    )
    func passedOn() throws {
        let ending = try Ending()
        try ending.script.define("through") { frame in
            guard let function = frame.function(at: 0) else { return }
            try frame.state.call(function)
        }
        try ending.script.define("on") { frame in
            guard let function = frame.function(at: 0) else { return }
            do {
                try frame.state.call(function)
            } catch {
                throw (error as? ScriptError)?.underlying ?? error
            }
        }
        #expect(
            try ending.script.text("local ok, e = pcall(through, stop) return ok, e", results: 2)
                == "false \"test.lua:1: ended\""
        )
        let error = ending.script.error("\nthrough(function()\nstop() end)")
        #expect(error?.kind == .runtime)
        #expect(error?.line == 3)
        #expect((error?.underlying as? ScriptError)?.kind == .ended)
        #expect(ending.script.error("pcall(on, stop) note('on')")?.kind == .ended)
        #expect(ending.notes == [])
    }

    @Test(
        "after a 'ScriptEnd' in a nested call into Lua, the outer call continues with its remaining budget"
    )
    func budget() throws {
        var configuration = LuaState.Configuration.patient
        configuration.loadBudget.instructions = 20_000
        configuration.budget.instructions = 20_000
        let ending = try Ending(configuration)
        // A hook that looked after each instruction would use up the budget in twenty of them.
        #expect(try ending.script.text("enter(stop) for i = 1, 5000 do end return 1") == "1")
        #expect(
            ending.script.error("while true do enter(stop) end")?.kind == .instructions
        )
        #expect(
            ending.script.error("enter(stop) while true do end")?.kind == .instructions
        )
        #expect(try ending.script.text("return 1") == "1")
    }

    @Test("a 'ScriptEnd' does not affect errors that a script has already caught")
    func caughtBefore() throws {
        let ending = try Ending()
        try ending.script.define("fail") { _ in throw Failure() }
        let error = ending.script.error(
            "local ok, e = pcall(function() fail() end)\nenter(stop)\nerror(e, 0)"
        )
        #expect(error?.kind == .runtime)
        #expect(error?.underlying is Failure)
        #expect(error?.line == 1)
    }

    @Test("the error for an exceeded budget takes precedence over a 'ScriptEnd'")
    func broken() throws {
        var configuration = LuaState.Configuration.patient
        configuration.loadBudget = Budget(instructions: 2000, duration: .seconds(10))
        let script = try Script(configuration)
        let canceller = script.state.canceller
        try script.define("cancelled") { _ in
            canceller.cancel()
            throw Stop()
        }
        #expect(script.error("cancelled()")?.kind == .cancelled)
        #expect(script.error("cancelled()")?.underlying == nil)
        try script.define("spent") { frame in
            for _ in 0..<3 { _ = try frame.read(at: 0) }
            throw Stop()
        }
        let list = "{" + (1...700).map(String.init).joined(separator: ",") + "}"
        #expect(script.error("spent(\(list))")?.kind == .instructions)
        #expect(try script.text("return 1") == "1")
    }

    @Test("10,000 'ScriptEnd' errors leak nothing, and their underlying errors are released")
    func noLeak() throws {
        let tracker = LifetimeTracker()
        let script = try Script()
        try script.define("stop") { _ in
            let token = tracker.track()
            throw Stop(token: token)
        }
        let function = try script.function("return function() pcall(stop) end")
        let used = script.state.memoryUsed
        for _ in 0..<10_000 {
            let error = #expect(throws: ScriptError.self) { try script.state.call(function) }
            guard error?.kind == .ended else { break }
        }
        #expect(tracker.liveCount == 0)
        script.state.collectGarbage()
        #expect(script.state.memoryUsed <= used)
    }

    @Test("a 'ScriptEnd' works with an unlimited budget")
    func unlimited() throws {
        var configuration = LuaState.Configuration()
        configuration.loadBudget = .unlimited
        let ending = try Ending(configuration)
        #expect(ending.script.error("pcall(stop) note('on')")?.kind == .ended)
        #expect(ending.notes == [])
    }

    @Test("if any allocation fails before a 'ScriptEnd', the next call into Lua works")
    func refusedMemory() throws {
        var failures = 0
        for request in 1...200 {
            let ending = try Ending()
            ending.script.state.refuse(.only(request))
            let error = ending.script.error(
                "local t = {} for i = 1, 9 do t[i] = {i} end pcall(enter, stop) pcall(stop) note('on')"
            )
            let isOver = ending.script.state.requests < request
            ending.script.state.refuse(.none)
            if error?.kind == .memory { failures += 1 } else { #expect(error?.kind == .ended) }
            #expect(ending.notes == [])
            #expect(try ending.script.text("return enter(stop)") == "\"ended\"")
            if isOver { break }
        }
        #expect(failures > 10)
    }
}
