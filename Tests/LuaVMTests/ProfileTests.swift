// SPDX-License-Identifier: MIT

import LuaVM
import Testing

/// Tests of the additional functions in the profile for an app's own scripts, and of their limits.
@Suite struct ProfileTests {
    private func script(_ budget: Budget = Budget(duration: .seconds(10))) throws -> Script {
        var configuration = LuaState.Configuration()
        configuration.profile = .trusted
        configuration.budget = budget
        configuration.loadBudget = budget
        return try Script(configuration)
    }

    @Test(
        "the trusted profile has coroutines, and all 'string' functions except 'dump'",
        arguments: [
            ("string.unpack('<i4', string.pack('<i4', 7))", "7 5"),
            ("string.packsize('i4i8'), string.pack('z', 'a') == 'a\\0'", "12 true"),
            ("string.dump, load", "nil nil"), ("coroutine.close, debug", "nil nil"),
            ("('x').pack ~= nil, io", "true nil"),
            ("coroutine.running(), coroutine.isyieldable()", "nil false"),
            ("coroutine.wrap(function(a) return coroutine.yield(a + 1) end)(1), 0", "2 0"),
            (
                "coroutine.resume(coroutine.create(function() error('x', 0) end))",
                "false \"x\""
            ),
            (
                "coroutine.resume(coroutine.create(type))",
                "false \"bad argument #1 to '?' (value expected)\""
            ),
            ("coroutine.status(coroutine.create(print or type)), 0", "\"suspended\" 0"),
            ("pcall(coroutine.yield)", "false \"attempt to yield from outside a coroutine\""),
            (
                "coroutine.wrap(function() return pcall(function() coroutine.yield(1) error('e', 0) end) end)(), 0",
                "1 0"
            ),
            (
                "tostring(coroutine.create(type)), type(coroutine.create(type))",
                "\"thread\" \"thread\""
            ),
        ]
    )
    func members(_ expression: String, _ expected: String) throws {
        #expect(try script().text("return \(expression)", results: 2) == expected)
    }

    @Test("coroutines created by scripts behave as described in the manual")
    func coroutines() throws {
        #expect(
            try script().text(
                """
                local seen = {}
                local co
                co = coroutine.create(function(a, b)
                  seen[#seen + 1] = coroutine.status(co) .. a .. b
                  local c = coroutine.yield(a + b)
                  local running, isMain = coroutine.running()
                  seen[#seen + 1] = tostring(running == co) .. tostring(isMain)
                  seen[#seen + 1] = tostring(coroutine.isyieldable())
                  seen[#seen + 1] = select(2, coroutine.resume(co))
                  local ok, e = pcall(function() coroutine.yield(c) error("late", 0) end)
                  return e
                end)
                for i = 1, 4 do
                  local ok, value = coroutine.resume(co, i, 2)
                  seen[#seen + 1] = tostring(ok) .. ":" .. tostring(value)
                end
                seen[#seen + 1] = coroutine.status(co)
                local words = {}
                for word in coroutine.wrap(function() for w in ("a b"):gmatch("%a") do coroutine.yield(w) end end) do
                  words[#words + 1] = word
                end
                local keys = {}
                keys[coroutine.create(type)] = 1 keys[co] = 2 keys[coroutine.create(type)] = 3
                for _, value in pairs(keys) do words[#words + 1] = value end
                return table.concat(seen, " ") .. " " .. table.concat(words)
                """
            )
                == "\"running12 true:3 truefalse true cannot resume non-suspended coroutine true:2 true:late false:cannot resume dead coroutine dead ab213\""
        )
    }

    @Test(
        "a budget includes coroutines, and scripts cannot catch the error when it is exceeded",
        arguments: [
            "coroutine.wrap(function() while true do end end)()",
            "while true do coroutine.resume(coroutine.create(function() while true do end end)) end",
            "while true do coroutine.wrap(function() for i = 1, 900 do end end)() end",
            "local co = coroutine.wrap(function() while true do coroutine.yield() end end) while true do co() end",
            "local function l(d) if d == 0 then for j = 1, 150 do end return end for i = 1, 40 do coroutine.wrap(l)(d - 1) end end l(5)",
            "local co = coroutine.create(function() pcall(function() while true do end end) end) coroutine.resume(co) return 1",
        ]
    )
    func budget(_ chunk: String) throws {
        let script = try script()
        let error = script.error(chunk)
        #expect(error?.kind == .instructions)
        #expect(error?.line == 1)
        #expect(try script.text("return coroutine.wrap(function() return 1 end)()") == "1")
    }

    @Test("coroutines that scripts retain are limited by the budget of the next call into Lua")
    func kept() throws {
        let script = try script()
        _ = try script.run(
            "co = coroutine.wrap(function() coroutine.yield() while true do end end) co()"
        )
        #expect(script.error("co()")?.kind == .instructions)
        #expect(try script.text("return 1") == "1")
    }

    @Test("a deadline and a memory limit also apply inside coroutines")
    func others() throws {
        let timed = try script(Budget(instructions: .max, duration: .milliseconds(20)))
        #expect(
            timed.error("coroutine.wrap(function() while true do end end)()")?.kind == .deadline
        )
        let script = try script()
        for chunk in [
            "coroutine.wrap(function() local t = {} while true do t[#t + 1] = {} end end)()",
            "local t = {} while true do t[#t + 1] = coroutine.create(type) end",
        ] {
            let kind = script.error(chunk)?.kind
            #expect(kind == .memory || kind == .instructions)
        }
        #expect(try script.text("return 1") == "1")
    }

    @Test(
        "functions whose running time cannot be bounded are not available",
        arguments: [
            (
                "local function f() return coroutine.wrap(f)() end return f()",
                "coroutines are nested too deeply"
            ),
            ("return #string.pack('c2147483647', '')", "resulting string too large"),
            ("return #string.pack(('c1000000'):rep(2), '', '')", "resulting string too large"),
        ]
    )
    func refused(_ chunk: String, _ message: String) throws {
        let script = try script()
        #expect(script.error(chunk)?.message.hasSuffix(message) == true)
        #expect(try script.text("return 1") == "1")
    }

    @Test("only the host can resume a host function that waits")
    func waiting() throws {
        let script = try script()
        try script.define("wait") { frame in frame.wait() }
        try script.define("mayWait") { frame in frame.returnBoolean(frame.canWait) }
        let function = try script.function(
            """
            return function()
              local inside = coroutine.wrap(function() return mayWait() end)()
              local ok, why = coroutine.resume(coroutine.create(wait))
              local own = pcall(coroutine.yield, 1)
              wait()
              return tostring(mayWait()) .. tostring(inside) .. tostring(ok) .. why .. tostring(own)
            end
            """
        )
        guard case .waits(let thread) = try script.state.begin(function, results: 1) else {
            Issue.record("it did not wait")
            return
        }
        guard case .returned(var reader) = try script.state.resume(thread, results: 1),
            let item = reader.next()
        else {
            Issue.record("it did not return")
            return
        }
        #expect(Script.text(item, &reader) == "\"truefalsefalsecannot wait herefalse\"")
    }
}
