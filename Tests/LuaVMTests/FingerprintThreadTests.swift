// SPDX-License-Identifier: MIT

import LuaVM
import Testing

/// Tests of the fingerprints of waiting coroutines and of random programs.
@Suite struct FingerprintThreadTests {
    /// Returns the fingerprint of a chunk's coroutine after the given number of resumes, each with
    /// the value 1.
    private func waiting(_ chunk: String, _ resumes: Int = 0) throws -> Fingerprint {
        let waiting = try Waiting()
        let thread = try waiting.thread(chunk)
        for _ in 0..<resumes { #expect(try waiting.resume(thread, 1) == "waits") }
        let environment = FingerprintRoot.environment(waiting.script.environment)
        return try waiting.state.fingerprint(of: [.thread(thread), environment])
    }

    @Test(
        "coroutines that wait at different locations or with different data have different fingerprints",
        arguments: [
            // Two waits of one line.
            ("wait() wait() wait()", 0, "wait() wait() wait()", 1),
            ("wait() wait() wait()", 1, "wait() wait() wait()", 2),
            ("wait(wait(), wait())", 0, "wait(wait(), wait())", 1),
            ("for i = 1, 3 do wait() end", 0, "for i = 1, 3 do wait() end", 1),
            ("while true do wait() wait() end", 0, "while true do wait() wait() end", 1),
            ("local x = wait() + wait()", 0, "local x = wait() + wait()", 1),
            // Another line.
            ("wait()\nwait()", 0, "wait()\nwait()", 1), ("wait()", 0, "\nwait()", 0),
            // Another local variable.
            ("local x = 1 wait()", 0, "local x = 2 wait()", 0),
            ("local x = 1 wait()", 0, "local y = 1 wait()", 0),
            ("local x, y = {}, {} wait()", 0, "local x = {} local y = x wait()", 0),
            ("local x = {} t = x wait()", 0, "local x = {} t = {} wait()", 0),
            ("local x = wait() wait()", 1, "local x = wait() and 2 wait()", 1),
            // The values that an expression has computed so far.
            ("local x = ('a'):rep(2) .. wait()", 0, "local x = ('a'):rep(3) .. wait()", 0),
            ("g = {1} local t = {g, wait()}", 0, "g = {1} local t = {{1}, wait()}", 0),
            // Variable arguments.
            (
                "local function f(...) wait() end f(1)", 0, "local function f(...) wait() end f(2)",
                0
            ),
            (
                "local function f(...) wait() end f(1)", 0,
                "local function f(...) wait() end f(1, nil)", 0
            ),
            (
                "local function f(...) wait() end f({})", 0,
                "local function f(...) wait() end g = {} f(g)", 0
            ),
            // Calls within each other.
            (
                "local function f() wait() end f() f()", 0, "local function f() wait() end f() f()",
                1
            ),
            (
                "local function f() wait() end local function g() f() end g()", 0,
                "local function f() wait() end local function g() f() end f()", 0
            ),
            ("local function f() wait() end f()", 0, "local function f() wait() end return f()", 0),
            ("pcall(wait)", 0, "pcall(pcall, wait)", 0),
            // A variable that a closure shares, or a copy of it.
            (
                "local x = 1 f = function() return x end wait()", 0,
                "local x = 1 do local x = 1 f = function() return x end end wait()", 0
            ),
            (
                "local x, y = 1, 1 f = function() return x end wait()", 0,
                "local y, x = 1, 1 f = function() return x end wait()", 0
            ),
            // Traversals.
            (
                "for k in pairs {a = 1, b = 2} do wait() end", 0,
                "for k in pairs {a = 1, b = 2} do wait() end", 1
            ),
            (
                "for w in ('a a a'):gmatch('a') do wait() end", 0,
                "for w in ('a a a'):gmatch('a') do wait() end", 1
            ),
        ] as [(String, Int, String, Int)]
    )
    func different(_ first: String, _ resumes: Int, _ second: String, _ others: Int) throws {
        #expect(try waiting(first, resumes) != waiting(second, others))
    }

    @Test(
        "a coroutine that waits again at the same location with the same data has the same fingerprint",
        arguments: [
            "while true do wait() end", "while true do local x = {1, {2}} wait(x) end",
            "local t while true do t = {} t.t = t wait() end",
            "local function f() wait() end while true do f() end",
            "while true do pcall(wait) end",
            "while true do for i = 1, 1 do wait() end for k in pairs {} do end end",
            "local x = 1 while true do f = function() return x end wait() end",
            "while true do local x = 1 f = function() return x end wait() end",
        ]
    )
    func equal(_ chunk: String) throws {
        #expect(try waiting(chunk) == waiting(chunk, 1))
        #expect(try waiting(chunk) == waiting(chunk, 5))
    }

    @Test("data that a coroutine no longer uses does not affect its fingerprint")
    func deadRegisters() throws {
        let chunk = "local x do local y = made() x = 1 end wait() return x"
        func print(_ made: String) throws -> Fingerprint {
            let waiting = try Waiting()
            _ = try waiting.script.run(
                "local other = function() return \(made) end made = function() return other() end"
            )
            let thread = try waiting.thread(chunk)
            _ = try waiting.script.run("made = nil")
            return try waiting.state.fingerprint(of: [.thread(thread)])
        }
        #expect(try print("{}") == print("'text'"))
        #expect(try print("{}") == print("nil"))
    }

    /// Returns the fingerprint of a coroutine that reads a global before it waits, after the global
    /// is set to nil.
    private func waiting(_ chunk: String, flag: String) throws -> Fingerprint {
        let waiting = try Waiting()
        _ = try waiting.script.run("flag = \(flag)")
        let thread = try waiting.thread(chunk)
        _ = try waiting.script.run("flag = nil")
        let environment = FingerprintRoot.environment(waiting.script.environment)
        return try waiting.state.fingerprint(of: [.thread(thread), environment])
    }

    @Test(
        "the history of a state affects the fingerprint only if a script can observe it",
        arguments: [
            (
                "local x = 1 if flag then local f = function() return x end end wait()", "false",
                "true", true
            ),
            ("local x = 1 if flag then x = 2 end wait()", "false", "true", false),
            // A variable of the coroutine, or an equal one that has ended.
            (
                "local x = 1 local function make(x) return function() return x end end f = make(1) "
                    + "if flag then f = function() return x end end make = nil wait()",
                "false", "true", false
            ),
            (
                "local x = 1 f = function() return x end local x = 1 "
                    + "if flag then f = function() return x end end wait()",
                "false", "true", false
            ),
            // The same values on the stack, as arguments of another call.
            (
                """
                local f
                local function take()
                  local count = flag[1]
                  flag = flag[2]
                  if count == 2 then return f, f end
                  return f
                end
                f = function(...) if flag then f(take()) end wait() end
                f(take())
                """,
                "{1, {2}}", "{2, {1}}", false
            ),
        ]
    )
    func history(_ chunk: String, _ first: String, _ second: String, _ isEqual: Bool) throws {
        #expect(try (waiting(chunk, flag: first) == waiting(chunk, flag: second)) == isEqual)
    }

    @Test(
        "closures that only the garbage collector can reach do not affect the fingerprint of their coroutine"
    )
    func openUpvalues() throws {
        let waiting = try Waiting()
        let thread = try waiting.thread(
            "local x = 1 do local f = function() return x end f = nil end wait() wait()"
        )
        let root = [FingerprintRoot.thread(thread)]
        let before = try waiting.state.fingerprint(of: root)
        waiting.state.collectGarbage()
        #expect(try waiting.state.fingerprint(of: root) == before)
        _ = try waiting.resume(thread)
        #expect(try waiting.state.fingerprint(of: root) != before)
    }

    @Test("ended coroutines have equal fingerprints")
    func ended() throws {
        let waiting = try Waiting()
        let first = try waiting.thread("wait()")
        let second = try waiting.thread("local x = 1 wait()")
        let prints = try [first, second].map { try waiting.state.fingerprint(of: [.thread($0)]) }
        _ = try waiting.resume(first)
        waiting.state.cancel(second)
        let after = try [first, second].map { try waiting.state.fingerprint(of: [.thread($0)]) }
        #expect(prints[0] != prints[1] && after[0] == after[1] && after[0] != prints[0])
        // Another one has the place of those.
        let third = try waiting.thread("wait()")
        let others = try [first, second].map { try waiting.state.fingerprint(of: [.thread($0)]) }
        #expect(others == after)
        #expect(try waiting.state.fingerprint(of: [.thread(third)]) == prints[0])
    }

    @Test(
        "coroutines created by scripts have equal fingerprints if scripts cannot distinguish them",
        arguments: [
            ("c = coroutine.create(f)", "c = coroutine.create(g)", false),
            ("c = coroutine.create(f)", "c = coroutine.create(f) coroutine.resume(c)", false),
            (
                "c = coroutine.create(f) coroutine.resume(c, 1)",
                "c = coroutine.create(f) coroutine.resume(c, 2)", false
            ),
            (
                "c = coroutine.create(f) coroutine.resume(c)",
                "c = coroutine.create(f) coroutine.resume(c) coroutine.resume(c)", false
            ),
            ("c = coroutine.wrap(f)", "c = coroutine.wrap(f) c()", false),
            (
                "c = coroutine.create(f) d = c", "c = coroutine.create(f) d = coroutine.create(f)",
                false
            ),
            (
                "c = coroutine.create(f)",
                "d = coroutine.create(g) c = coroutine.create(f) d = nil", true
            ),
            // One that has ended is like one that failed.
            (
                "c = coroutine.create(function() local x f = function() return x end end) coroutine.resume(c)",
                "c = coroutine.create(function() local x f = function() return x end f.x() end) coroutine.resume(c)",
                true
            ),
            (
                "c = coroutine.create(g) coroutine.resume(c)",
                "c = coroutine.create(function() local x = 1 error('x') end) coroutine.resume(c)",
                true
            ),
            (
                "c = coroutine.create(f) coroutine.resume(c, {})",
                "c = coroutine.create(f) coroutine.resume(c, {}) do local d = coroutine.wrap(f) d() end",
                true
            ),
        ]
    )
    func ownCoroutines(_ first: String, _ second: String, _ isEqual: Bool) throws {
        let functions =
            "f = function(x) coroutine.yield(x) coroutine.yield() end g = function() end "
        let prints = try [first, second].map { text in
            try Heap(functions + text, profile: .trusted).fingerprint()
        }
        #expect((prints[0] == prints[1]) == isEqual)
    }

    // MARK: Random programs

    /// Returns a script that performs an operation on one of a few tables.
    private func operation(_ random: inout SplitMix) -> String {
        let table = "t[\(random.next(below: 6) + 1)]"
        let other = "t[\(random.next(below: 6) + 1)]"
        let name = ".k\(random.next(below: 9))"
        let long = "['\(String(repeating: "long", count: 12))\(random.next(below: 3))']"
        let values = [
            "1", "2", "1.0", "0.5", "-0.0", "true", "false", "'text'",
            "('y'):rep(\(random.next(below: 60)))",
            "{}", other, "function() return \(other) end", "f", "math.random(9)",
        ]
        let value = values[random.next(below: values.count)]
        switch random.next(below: 12) {
        case 0: return "\(table)\(name) = nil"
        case 1: return "table.insert(l, \(value)) if #l > 20 then l = {} end"
        case 2: return "table.remove(l)"
        case 3:
            return
                "setmetatable(\(table), \(random.next(below: 3) == 0 ? "nil" : "m[\(random.next(below: 2) + 1)]"))"
        case 4: return "rawset(\(table), \(other), \(value))"
        case 5: return "\(table)\(long) = \(value)"
        case 6: return "\(table) = {a = \(value), b = \(other)}"
        case 7: return "local x = \(value) f = function(y) if y then x = y end return x end"
        case 8: return "if f then f(\(value)) end"
        case 9:
            return
                "m[\(random.next(below: 2) + 1)].__index = \(value == "{}" || value == "f" ? value : "{}")"
        case 10: return "for k, v in next, \(table) do if k == 'k3' then break end end"
        default: return "rawset(\(table), '\(name)', \(value))"
        }
    }

    /// Returns a script that creates unreachable values, and strings that the other state does not
    /// have.
    private func garbage(_ random: inout SplitMix) -> String {
        """
        local g = {} for i = 1, \(random.next(below: 40)) do g[i] = {x = 'g' .. i, function() return g end} end
        for i = 1, \(random.next(below: 20)) do local s = 'k' .. i .. 'other' end
        """
    }

    @Test(
        "equal random programs have equal fingerprints at each step, until one program changes",
        arguments: 0..<60
    )
    func randomPrograms(_ seed: Int) throws {
        let start = "t, l, m = {}, {}, {{}, {}} for i = 1, 6 do t[i] = {} end"
        let first = try Heap(start)
        let second = try Heap("local s = {} for i = 1, \(seed) do s[i] = 'k' .. i end " + start)
        var random = SplitMix(state: UInt64(seed) &+ 1)
        var noise = SplitMix(state: UInt64(seed) &* 77 &+ 5)
        for step in 0..<80 {
            let text = operation(&random)
            _ = try first.script.run(text)
            if noise.next(below: 3) == 0 { _ = try second.script.run(garbage(&noise)) }
            if noise.next(below: 9) == 0 { second.state.collectGarbage() }
            _ = try second.script.run(text)
            if noise.next(below: 9) == 0 { first.state.collectGarbage() }
            #expect(try first.fingerprint() == second.fingerprint(), "step \(step): \(text)")
        }
        let changes = [
            "rawset(t[2], 'changed', {})", "l[#l + 1] = 'changed'", "m[1].changed = m[2]",
            "math.random()",
            "t[3] = {changed = t[3]}", "changed = function() return t end",
            "rawset(t[1], t[5], 'changed')",
        ]
        let before = try first.fingerprint()
        _ = try second.script.run(changes[seed % changes.count])
        #expect(try second.fingerprint() != before)
    }
}

/// A generator of random numbers that are the same in each run.
private struct SplitMix {
    var state: UInt64

    mutating func next(below limit: Int) -> Int {
        state &+= 0x9e37_79b9_7f4a_7c15
        var word = state
        word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
        return Int((word ^ word >> 31) % UInt64(limit))
    }
}
