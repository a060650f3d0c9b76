// SPDX-License-Identifier: MIT

import Foundation
import LuaVM
import Testing

/// Tests of the budgets, the depth and the memory of coroutines.
@Suite struct ThreadLimitTests {
    private static func limited(
        _ instructions: Int64 = 20_000,
        duration: Duration = .seconds(10)
    ) throws -> Waiting {
        var configuration = LuaState.Configuration.patient
        configuration.budget = Budget(instructions: instructions, duration: duration)
        configuration.loadBudget = configuration.budget
        return try Waiting(configuration)
    }

    private static func kind(_ body: () throws -> Void) -> ScriptError.Kind? {
        do {
            try body()
            return nil
        } catch {
            return (error as? ScriptError)?.kind
        }
    }

    @Test(
        "code that never returns is stopped, both initially and after each wait",
        arguments: [
            "while true do end", "while true do pcall(function() while true do end end) end",
            "local function f() return f() end f()",
            "for x in function() return 1 end do while true do end end",
            "setmetatable({}, {__index = function() while true do end end}).x()",
            "table.sort({3, 2, 1}, function() while true do end end)",
            "pcall(function() wait() while true do end end)",
            "while true do pcall(function() wait() while true do end end) end",
            "enter(function() while true do end end)",
            "start('b', function() while true do end end)",
            "start('b', function() wait() end) go('b') start('b', function() wait() while true do end end) go('b')",
        ]
    )
    func endless(_ chunk: String) throws {
        let waiting = try Self.limited()
        for waits in ["", "wait(); ", "pcall(wait); wait(); "] {
            #expect(waiting.error(waits + chunk)?.kind == .instructions)
            waiting.threads = [:]
            #expect(waiting.state.liveThreads == 0)
            #expect(try waiting.script.text("return 1") == "1")
        }
    }

    @Test("each resumption has a separate budget")
    func fresh() throws {
        let waiting = try Self.limited()
        let thread = try waiting.thread(
            "local n = 0 while n < 20 do n = n + 1 for i = 1, 15000 do end wait() end return n"
        )
        for _ in 1..<20 { #expect(try waiting.resume(thread) == "waits") }
        #expect(try waiting.resume(thread) == "20")
        let deadline = try Self.limited(.max, duration: .milliseconds(20))
        let late = try deadline.thread("wait() while true do end")
        Thread.sleep(forTimeInterval: 0.05)
        #expect(Self.kind { _ = try deadline.resume(late) } == .deadline)
    }

    @Test("nested calls into Lua share the budget of the outer call, however short each of them is")
    func shared() throws {
        let short = "function() for i = 1, 200 do end end"
        let chunks = [
            "while true do start('b', \(short)) end",
            "while true do start('b' .. 1, function() for i = 1, 200 do end wait() end) end",
            "local n = 0 while true do n = n + 1 start('b' .. n, function() for i = 1, 200 do end wait() end) end",
            "start('b', function() while true do for i = 1, 100 do end wait() end end) while true do go('b') end",
            "while true do enter(function() start('b', \(short)) end) end",
            "many(\(short))", "many(function() for i = 1, 200 do end wait() end)",
        ]
        for chunk in chunks {
            let waiting = try Self.limited(200_000)
            var begun = 0
            var held: [LuaThread] = []
            try waiting.script.define("many") { frame in
                guard let function = frame.function(at: 0) else { return }
                for _ in 0..<100_000 {
                    begun += 1
                    if case .waits(let thread) = try frame.state.begin(function) {
                        held.append(thread)
                    }
                }
            }
            #expect(waiting.error(chunk)?.kind == .instructions)
            #expect(begun < 2000)
            held = []
            waiting.threads = [:]
            #expect(try waiting.script.text("return 1") == "1")
        }
    }

    @Test(
        "after a coroutine runs inside a call into Lua, the call continues with its remaining budget"
    )
    func goesOn() throws {
        let waiting = try Self.limited(400_000)
        // Large requests are followed by an early look, which costs an interval: a hook that
        // stayed early would use up the budget in 400 instructions.
        try waiting.script.define("large") { frame in
            frame.returnString(String(repeating: "x", count: 100_000))
            guard let function = frame.function(at: 0) else { return }
            _ = try frame.state.begin(function)
        }
        let inner = "function() local s = ('x'):rep(70000) s = s .. s wait(s) end"
        for chunk in [
            "start('b', \(inner)) for i = 1, 5000 do end return 1",
            "local s = large(\(inner)) for i = 1, 5000 do end return 1",
            "local s = large(function() for i = 1, 3000 do end end) for i = 1, 5000 do end return 1",
            "start('b', \(inner)) go('b') for i = 1, 5000 do end return 1",
            "start('b', function() wait() for i = 1, 5000 do end end) local s = large() go('b') return 1",
        ] {
            #expect(try waiting.script.text(chunk) == "1")
            #expect(Waiting.text(try waiting.begin(chunk)) == "1")
            let thread = try waiting.thread("wait(); " + chunk)
            #expect(try waiting.resume(thread) == "1")
            #expect(
                waiting.error(chunk + "1, (function() while true do end end)()")?.kind
                    == .instructions
            )
            waiting.threads = [:]
        }
    }

    @Test("a budget that is set between two waits applies from the next resumption")
    func changedBudget() throws {
        let waiting = try Self.limited()
        let thread = try waiting.thread("wait() for i = 1, 100000 do end wait() while true do end")
        waiting.state.setBudget(.unlimited)
        #expect(try waiting.resume(thread) == "waits")
        #expect(waiting.error("local t = {} while true do t[#t + 1] = {} end")?.kind == .memory)
        waiting.state.setBudget(Budget(instructions: 5000))
        #expect(Self.kind { _ = try waiting.resume(thread) } == .instructions)
    }

    @Test("a canceller ends a running coroutine, but not a waiting coroutine")
    func canceller() throws {
        let waiting = try Waiting()
        let canceller = waiting.state.canceller
        try waiting.script.define("halt") { _ in canceller.cancel() }
        #expect(waiting.error("wait() halt() while true do end")?.kind == .cancelled)
        let thread = try waiting.thread("return wait()")
        canceller.cancel()
        #expect(Self.kind { _ = try waiting.resume(thread) } == .cancelled)
        #expect(waiting.state.isWaiting(thread))
        #expect(try waiting.resume(thread, 3) == "3")
    }

    @Test(
        "a coroutine that allocates endlessly is stopped, both initially and after each wait",
        arguments: [
            "local s = 'x' while true do s = s .. s end",
            "local t = {} for i = 1, 1e9 do t[i] = {} end",
            "while true do pcall(function() wait() local s = 'x' while true do s = s .. s end end) end",
            "local function f(n) return 1 + f(n + 1) end f(1)",
            "local n = 0 while true do n = n + 1 start('b' .. n, function() local s = ('x'):rep(10000) .. n wait() return s end) end",
            "local function f(n) if n == 0 then wait() end f(n - 1) end local n = 0 while true do n = n + 1 start('b' .. n, function() f(100) end) end",
        ]
    )
    func memory(_ chunk: String) throws {
        var configuration = LuaState.Configuration.patient
        configuration.budget.instructions = 50_000_000
        let waiting = try Waiting(configuration)
        for waits in ["", "wait(); "] {
            #expect(waiting.error(waits + chunk)?.kind == .memory)
            waiting.threads = [:]
            #expect(waiting.state.liveThreads == 0)
            waiting.state.collectGarbage()
            #expect(waiting.state.memoryUsed < 1024 * 1024)
            #expect(try waiting.script.text("return 1") == "1")
        }
    }

    // MARK: Depth

    private static func nest(_ begin: String) throws {
        let waiting = try Waiting()
        var deepest = 0
        try waiting.script.define("deepest") { frame in
            deepest = max(deepest, Int(frame.integer(at: 0) ?? 0))
        }
        let chunk = "local function f(n) deepest(n) \(begin) end f(1)"
        let expected = "calls between host and script are nested more than 32 levels deep"
        for waits in ["", "wait(); "] {
            deepest = 0
            let error = waiting.error(waits + chunk)
            #expect(deepest == 32)
            #expect(error?.kind == .runtime)
            #expect(error?.message == expected)
            #expect(waiting.state.liveThreads == 0)
        }
    }

    /// Expressions that each add one level of nesting.
    private static let deeper = [
        "start('b', function() f(n + 1) end)",
        "start('b' .. n, function() wait() f(n + 1) end) go('b' .. n)",
        "if n % 2 == 0 then enter(function() f(n + 1) end) else start('b', function() f(n + 1) end) end",
        "start('b', function() ('x'):gsub('x', function() f(n + 1) end) end)",
        "start('b', function() ('x'):gsub('x', function() table.sort({1, 2}, function() f(n + 1) end) end) end)",
    ]

    @Test("coroutines may nest 32 levels deep", arguments: deeper)
    func nesting(_ begin: String) throws {
        try Self.nest(begin)
    }

    @Test("the depth limits are safe on a thread with a stack of 1 MiB")
    func smallStack() async {
        await withCheckedContinuation { continuation in
            let thread = Thread {
                do {
                    for begin in Self.deeper { try Self.nest(begin) }
                    try Self.overflow()
                } catch {
                    Issue.record(error)
                }
                continuation.resume()
            }
            thread.stackSize = 1024 * 1024
            thread.start()
        }
    }

    /// Recurses up to the limit of C calls, with coroutines that are begun and resumed near the
    /// limit.
    private static func overflow() throws {
        let waiting = try Waiting()
        let inner =
            "start('b', function() start('c', function() start('d', function() end) end) end)"
        for depth in 150...230 {
            for call in ["pcall(f, n - 1)", "('x'):gsub('x', function() f(n - 1) end)"] {
                let chunk = """
                    local function f(n)
                      if n > 0 then \(call) return end
                      local ok, e = pcall(function() \(inner) end)
                      if not ok then note(e) end
                      ok, e = pcall(go, 'w')
                      if not ok then note(e) end
                    end
                    f(\(depth))
                    """
                waiting.threads["w"] = try waiting.thread("while true do wait() end")
                if let error = waiting.error(chunk) {
                    #expect(error.kind == .runtime || error.kind == .handler)
                }
                waiting.threads = [:]
                #expect(waiting.state.liveThreads == 0)
            }
        }
        let notes = Set(waiting.notes)
        #expect(notes.allSatisfy { $0.contains("stack") || $0.contains("32 calls") })
        #expect(!notes.isEmpty)
        #expect(try waiting.script.text("return 1") == "1")
    }
}
