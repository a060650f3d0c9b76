// SPDX-License-Identifier: MIT

import Foundation
import LuaVM
import Testing

@Suite struct BudgetTests {
    private static let endless = [
        "while true do end",
        "while true do pcall(function() while true do end end) end",
        "local function f() return f() end f()",
        "for i = 1, math.maxinteger do end",
        "setmetatable({}, {__index = function() while true do end end}).x()",
        "table.sort({3, 2, 1}, function() while true do end end)",
        "('x'):gsub('x', function() while true do end end)",
    ]

    @Test("an endless loop is stopped, and the next call into Lua works", arguments: endless)
    func instructions(_ chunk: String) throws {
        let script = try Script()
        let error = script.error(chunk)
        #expect(error?.kind == .instructions)
        #expect(error?.message == "instruction budget exceeded (at most 5000000 instructions)")
        #expect(error?.line == 1)
        #expect(error?.chunk == "test.lua")
        #expect(try script.text("return 1") == "1")
    }

    @Test("code within its instruction limit is stopped at the deadline")
    func deadline() throws {
        var configuration = LuaState.Configuration()
        configuration.loadBudget = Budget(instructions: .max, duration: .milliseconds(5))
        let script = try Script(configuration)
        #expect(script.error("while true do end")?.kind == .deadline)
        #expect(try script.text("return 1") == "1")
    }

    @Test(
        "a script that allocates endlessly is stopped",
        arguments: [
            "local s = 'x' while true do s = s .. s end",
            "local t = {} for i = 1, 1e9 do t[i] = {} end",
            "while true do pcall(function() local s = 'x' while true do s = s .. s end end) end",
        ]
    )
    func memory(_ chunk: String) throws {
        let script = try Script()
        #expect(script.error(chunk)?.kind == .memory)
        #expect(script.state.memoryUsed < 1024 * 1024)
        #expect(try script.text("return 1") == "1")
    }

    static let limits: [(budget: Budget, chunk: String, message: String)] = [
        (
            Budget(instructions: 1234, duration: .seconds(10)), "while true do end",
            "instruction budget exceeded (at most 1234 instructions)"
        ),
        (
            Budget(instructions: .max, duration: .milliseconds(7)), "while true do end",
            "deadline exceeded (at most 7 ms)"
        ),
        (
            Budget(instructions: .max, duration: .microseconds(1500)), "while true do end",
            "deadline exceeded (at most 1500 us)"
        ),
        (
            Budget(duration: .seconds(10), bytes: 512 * 1024),
            "local t = {} while true do t[#t + 1] = {} end",
            "memory limit exceeded (at most 512 KiB)"
        ),
        (
            Budget(duration: .seconds(10), bytes: 1_000_000),
            "local s = ('x'):rep(1e6) return #(s .. s)",
            "memory limit exceeded (at most 1000000 bytes)"
        ),
        (
            Budget(duration: .seconds(10), bytes: 3 << 19),
            "local s = ('x'):rep(1e6) return #table.concat({s, s, s, s, s, s, s})",
            "memory limit exceeded (at most 1536 KiB)"
        ),
    ]

    @Test(
        "the error for an exceeded budget names the resource, the limit and the line",
        arguments: limits
    )
    func named(_ limit: (budget: Budget, chunk: String, message: String)) throws {
        let script = try Script()
        let function = try script.function("\n\nreturn function() \(limit.chunk) end")
        script.state.setBudget(limit.budget)
        let error = #expect(throws: ScriptError.self) { try script.state.call(function) }
        #expect(error?.message == limit.message)
        #expect(error?.description == "test.lua:3: \(limit.message)")
        script.state.setBudget(Budget(duration: .seconds(10)))
        #expect(try script.text("return 1") == "1")
    }

    @Test("if a budget is exceeded in a nested call into Lua, the error has the innermost line")
    func innermost() throws {
        let script = try Script()
        try script.define("again") { frame in
            guard let function = frame.function(at: 0) else { return }
            try frame.state.call(function)
        }
        let error = script.error(
            "again(function()\n  again(function()\n while true do end end) end)"
        )
        #expect(error?.kind == .instructions)
        #expect(error?.line == 3)
    }

    @Test(
        "time spent in a host function counts as one tenth of script time",
        arguments: [(150, nil), (1_100, ScriptError.Kind.deadline)]
    )
    func waits(_ milliseconds: Int, _ kind: ScriptError.Kind?) throws {
        var configuration = LuaState.Configuration()
        configuration.loadBudget.duration = .milliseconds(100)
        let script = try Script(configuration)
        try script.define("wait") { _ in usleep(UInt32(milliseconds) * 1000) }
        let text = """
            for i = 1, 2000 do end
            wait()
            for i = 1, 2000 do end
            """
        #expect(script.error(text)?.kind == kind)
    }

    @Test("memory that the host retains for scripts counts toward the limit")
    func kept() throws {
        let script = try Script()
        try script.define("make") { frame in
            let state = frame.state
            try frame.returnFunction(state.makeFunction(name: "made") { _ in })
        }
        #expect(script.error("local t = {} while true do t[#t + 1] = make() end")?.kind == .memory)
        script.state.collectGarbage()
        #expect(script.state.liveBoxes < 200)
        #expect(try script.text("for i = 1, 1e5 do make() end return 1") == "1")
        let before = script.state.memoryUsed
        script.state.countMemory(1 << 24)
        #expect(script.error("local t = {} for i = 1, 1e5 do t[i] = {} end")?.kind == .memory)
        script.state.countMemory(-(1 << 24))
        #expect(script.state.memoryUsed <= before)
        #expect(try script.text("return 1") == "1")
    }

    @Test("garbage does not count toward the limit")
    func garbage() throws {
        let script = try Script()
        #expect(
            try script.text(
                "local s, n = ('x'):rep(1000), 0 for i = 1, 40 do n = n + #s:rep(1000 + i) end return n > 0"
            ) == "true"
        )
    }

    @Test("a nested call into Lua shares the budget of the outer call")
    func shared() throws {
        let script = try Script()
        var inner: ScriptError.Kind?
        try script.define("again") { frame in
            guard let function = frame.function(at: 0) else { return }
            do {
                try frame.state.call(function)
            } catch {
                inner = (error as? ScriptError)?.kind
            }
        }
        let error = script.error("again(function() while true do end end) while true do end")
        #expect(inner == .instructions)
        #expect(error?.kind == .instructions)
    }

    @Test(
        "iterating over an emptied table costs instructions for its slots",
        arguments: [
            "for i = 1, 1e9 do next(list) end", "for i = 1, 1e9 do pairs(list) end",
            "for i = 1, 1e9 do next(keys) end", "for i = 1, 1e9 do pairs(keys) end",
            "setmetatable(list, { __index = pairs }) return #{ table.unpack(list, 1, 9e5) }",
            "for i = 1, 1e9 do take(list) end", "for i = 1, 1e9 do take { keys, keys } end",
            "local all = {} for i = 1, 9e4 do all[i] = keys end take(all)",
        ]
    )
    func emptied(_ body: String) throws {
        var configuration = LuaState.Configuration()
        configuration.loadBudget.duration = .seconds(10)
        let script = try Script(configuration)
        try script.define("take") { frame in _ = try frame.read(at: 0) }
        let error = script.error(
            """
            local list, keys = {}, {}
            for i = 1, 3e5 do list[i] = i end for i = 1, 3e5 do list[i] = nil end
            for i = 1, 2e4 do keys["k" .. i] = i end for i = 1, 2e4 do keys["k" .. i] = nil end
            \(body)
            """
        )
        #expect(error?.kind == .instructions)
        #expect(try script.text("return 1") == "1")
    }

    @Test(
        "a long string that a host function returns costs instructions",
        arguments: ["give", "giveTable"]
    )
    func longResults(_ function: String) throws {
        var configuration = LuaState.Configuration()
        configuration.loadBudget.duration = .seconds(10)
        let script = try Script(configuration)
        let text = String(repeating: "x", count: 1 << 20)
        try script.define("give") { frame in frame.returnString(text) }
        try script.define("giveTable") { frame in
            try frame.returnValues { writer in
                writer.beginTable(list: 1, entries: 0)
                writer.write(text)
            }
        }
        let error = script.error("for i = 1, 1e9 do \(function)() end")
        #expect(error?.kind == .instructions)
        #expect(try script.text("for i = 1, 20 do \(function)() end return 1") == "1")
    }

    @Test("a canceller ends only the call into Lua that is running")
    func cancel() throws {
        let script = try Script()
        let canceller = script.state.canceller
        try script.define("cancel") { _ in canceller.cancel() }
        #expect(script.error("cancel() while true do end")?.kind == .cancelled)
        #expect(try script.text("return 1") == "1")
        canceller.cancel()
        #expect(script.error("return 1")?.kind == .cancelled)
        #expect(try script.text("return 1") == "1")
    }

    @Test("a script without other limits still has a memory limit")
    func unlimited() throws {
        var configuration = LuaState.Configuration()
        configuration.budget = .unlimited
        configuration.loadBudget = .unlimited
        let script = try Script(configuration)
        #expect(
            try script.text("local n = 0 for i = 1, 6000000 do n = n + 1 end return n") == "6000000"
        )
        #expect(script.error("local t = {} while true do t[#t + 1] = {} end")?.kind == .memory)
        #expect(try script.text("return 1") == "1")
    }

    @Test("after any budget is exceeded, garbage is collected before the next call into Lua")
    func collects() throws {
        var configuration = LuaState.Configuration.patient
        configuration.loadBudget = Budget(
            instructions: 200_000,
            duration: .seconds(10),
            bytes: 2 << 20
        )
        let script = try Script(configuration)
        // One call of C goes over both limits.
        let text = """
            local s = ('x'):rep(1000):rep(400)
            s = s:gsub('.', ('%0'):rep(60))
            """
        #expect(script.error(text)?.kind == .instructions)
        #expect(script.state.memoryUsed < 1 << 20)
        #expect(try script.text("local t = {} for i = 1, 100 do t[i] = {} end return #t") == "100")
        #expect(script.state.instructionsSpent < 10_000)
    }
}
