// SPDX-License-Identifier: MIT

import CLuaProbes
import Testing

@testable import LuaVM

/// Tests of the part of a script's stack above its top, which scripts could read if a defect of Lua
/// was not worked around.
@Suite struct StackTests {
    /// A script with a frozen table, an object that keeps members, and a function that reads values
    /// above the top of the stack.
    private final class Probed {
        let script: Script
        var found: [String] = []

        init(_ profile: ScriptProfile = .strict) throws {
            var configuration = LuaState.Configuration.patient
            configuration.profile = profile
            script = try Script(configuration)
            let state = script.state
            try state.setGlobal("freeze", in: script.environment, to: state.makeFreezer())
            let type = try state.defineType(
                name: "Screen",
                index: { frame in
                    if frame.string(at: 1) == "none" {
                        frame.returnNil()
                    } else {
                        frame.returnString("x")
                    }
                    frame.keepResult()
                },
                newIndex: { frame in
                    guard let object = frame.object(at: 0) else { return }
                    frame.state.forgetMembers(of: object.type, object.identifier)
                },
                description: { $0.returnString("a screen") },
                names: { frame in
                    try frame.returnValues {
                        $0.beginTable(list: 1, entries: 0); $0.write("name")
                    }
                }
            )
            try script.define("look") { [unowned self] in look($0.string(at: 0) ?? "") }
            try script.define("screen") { $0.returnObject(type, $0.integer(at: 0) ?? 7) }
            _ = try script.run(
                """
                frozen = freeze({ ["of a frozen table"] = 1, 2, 3 }, "no")
                class = { __index = { x = 1 }, __tostring = function() return 'c' end }
                class.__add = function(a, b) return 1 end
                class.__lt = function(a, b) return false end
                plain = setmetatable({ 3, 1, 2 }, class)
                values = { frozen, plain, screen(), 'x%d', 3, {}, function(...) return ... end }
                libraries = { string = string, table = table, math = math, utf8 = utf8 }
                libraries.coroutine = coroutine
                base = {
                  assert = assert, select = select, type = type, rawequal = rawequal,
                  tonumber = tonumber, tostring = tostring, error = error, pcall = pcall,
                  rawget = rawget, rawset = rawset, rawlen = rawlen, next = next, pairs = pairs,
                  ipairs = ipairs, getmetatable = getmetatable, setmetatable = setmetatable,
                  collectgarbage = collectgarbage,
                }
                libraries.base = base
                """,
                results: 0
            )
        }

        func look(_ what: String) {
            guard let found = stack_probe(UnsafeMutableRawPointer(script.state.context)) else {
                return
            }
            self.found.append("\(what): \(String(cString: found))")
        }
    }

    @Test(
        "no library function leaves a private value on the stack above the frame of its caller",
        arguments: [ScriptProfile.strict, .trusted]
    )
    func libraries(_ profile: ScriptProfile) throws {
        let probed = try Probed(profile)
        _ = try probed.script.run(
            """
            for library, functions in pairs(libraries) do
              for name, f in pairs(functions) do
                if type(f) == 'function' and name ~= 'yield' then
                  local what = library .. '.' .. name
                  for i = 1, #values do
                    pcall(f, values[i])
                    look(what .. ' ' .. i)
                    for j = 1, #values do
                      pcall(f, values[i], values[j])
                      look(what .. ' ' .. i .. ' ' .. j)
                      pcall(f, values[i], values[j], values[2])
                      look(what .. ' ' .. i .. ' ' .. j .. ' 2')
                    end
                  end
                end
              end
            end
            """,
            results: 0
        )
        #expect(probed.found == [])
    }

    @Test(
        "no operation leaves a private value on the stack above the frame of its caller",
        arguments: [
            "frozen[1]", "#frozen", "pcall(function() frozen.x = 1 end)", "frozen.x",
            "screen().name", "screen().none", "screen(8).name == screen(9).name",
            "tostring(screen())",
            "pcall(function() screen().name = 1 end)", "pcall(function() return screen() + 1 end)",
            "plain.x", "plain.none", "plain + 1", "plain < plain", "'10' + 1",
            "pcall(function() return '10' + {} end)", "pcall(function() return '10' + plain end)",
            "pcall(function() return plain .. 'x' end)", "pcall(plain)", "('x'):rep(9000)",
            "pcall(setmetatable, {}, { __gc = 1 })", "pcall(setmetatable, frozen, class)",
            "setmetatable({}, class)", "setmetatable({}, { __index = plain })",
            "getmetatable(plain)", "getmetatable('')", "getmetatable(frozen)",
            "(function() for k, v in pairs(frozen) do end end)()",
            "(function() for k, v in ipairs(frozen) do end end)()", "next(frozen)",
            "table.concat(frozen, ',')", "table.unpack(frozen)", "pcall(table.sort, frozen)",
            "table.sort(plain, function(a, b) look('inside') return a < b end)",
            "tostring(setmetatable({}, { __tostring = function() look('inside') return '' end }))",
            "(function() local c = {} local t = setmetatable({}, c) c.__call = function() look('inside') end t() end)()",
            "pcall(error, setmetatable({}, { __tostring = function() look('inside') return '' end }))",
            "freeze({ 1 }, 'no')", "pcall(function() return nosuch.x end)",
        ]
    )
    func operations(_ expression: String) throws {
        let probed = try Probed()
        _ = try probed.script.run("local _ = \(expression) look('after')", results: 0)
        probed.look("after the entry")
        #expect(probed.found == [])
    }

    @Test(
        "a call into Lua leaves no private value behind, whether the call fails or returns results",
        arguments: [
            "return frozen, plain, screen()", "return setmetatable({}, { __gc = 1 })",
            "return table.concat(frozen, {})", "return '10' + plain.none",
            "error(setmetatable({}, class))", "return setmetatable(frozen, class)",
            "local c = {} setmetatable({}, c) c.__index = c",
        ]
    )
    func entries(_ chunk: String) throws {
        let probed = try Probed()
        _ = try? probed.script.run(chunk, results: 3)
        probed.look(chunk)
        #expect(probed.found == [])
    }
}
