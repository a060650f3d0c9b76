// SPDX-License-Identifier: MIT

import Foundation
import LuaVM
import RandomNumbers
import TestSupport
import Testing

/// Tests with random programs, whose results must be the same with every release of Lua.
///
/// The results are recorded. Run the tests with the sources of another release to compare both
/// releases. `RECORD=1` writes the results.
@Suite struct ReleaseTests {
    private static let count = 1000

    @Test("random programs have the same results in every release of Lua")
    func programs() throws {
        let file = packageFolder.appending(path: "Tests/LuaVMTests/Golden/programs.txt")
        var text = ""
        for seed in 0..<UInt64(Self.count) {
            var program = RandomSource.program(seed)
            var retry: UInt64 = 0
            // These are refused with some releases.
            while !LuaConstruct.all(in: Array(program.utf8)).isEmpty {
                retry += 1
                program = RandomSource.program(seed &+ retry &* 1_000_003)
            }
            text += "\(seed) \(try Self.result(of: program))\n"
        }
        if ProcessInfo.processInfo.environment["RECORD"] != nil {
            try text.write(to: file, atomically: true, encoding: .utf8)
            Issue.record("recorded")
        }
        let recorded = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        for (result, expected) in zip(text.split(separator: "\n"), recorded) {
            #expect(result == expected)
        }
        #expect(recorded.count == Self.count)
        // A program that fails at once says little.
        #expect(
            text.split(separator: "\n").filter { $0.hasSuffix(" error") }.count < Self.count / 5
        )
    }

    /// Returns a digest of the results of a program, without error messages, which differ between
    /// releases.
    private static func result(of program: String) throws -> String {
        let script = try Script()
        do {
            let result = try script.text(program)
            var hash: UInt64 = 0xcbf2_9ce4_8422_2325
            for byte in result.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
            return String(hash, radix: 16)
        } catch is ScriptError {
            // Of a runtime, or of texts that double too often.
            return "error"
        }
    }
}

/// A generator of programs that terminate, with all statements and operators.
private struct RandomSource {
    private var numbers: RandomNumbers
    private var depth = 0

    private init(seed: UInt64) { numbers = RandomNumbers(seed: seed) }

    /// Returns the program for a seed.
    static func program(_ seed: UInt64) -> String {
        var source = RandomSource(seed: seed)
        return source.program()
    }

    private mutating func program() -> String {
        """
        local a, b, c, d = 1, 2.5, 'x', nil
        local K <const> = \(numbers.pick(["3", "'k'", "true", "nil", "0.5"]))
        local t = { 1, 2, 'three', x = 3, [true] = 4, [false] = 5 }
        local m = setmetatable({ own = 1 }, {
          __index = t, __add = function(l, r) return 7 end, __lt = function(l, r) return true end,
          __le = function(l, r) return false end, __call = function(self, v) return v end,
          __eq = function(l, r) return true end, __len = function() return 9 end,
          __unm = function() return 'minus' end, __bor = function() return 'or' end,
        })
        local out, ticks = {}, 0
        local function tick() ticks = ticks + 1 return ticks < 200 end
        local function add(v) if #out < 300 then out[#out + 1] = tostring(v) end return v end
        local function f(x, ...)
          local up = x
          \(statements(2))
          local function g(y) \(statements(1)) up = y return up end
          return tick() and g(x), ...
        end
        \(statements(6))
        for i = 1, 3 do add(pcall(f, i, a)) end
        return table.concat(out, ' ')
        """
    }

    private mutating func statements(_ count: Int) -> String {
        (0..<count).map { _ in "pcall(function() \(statement()) end)" }.joined(separator: "\n")
    }

    private mutating func statement() -> String {
        depth += 1
        defer { depth -= 1 }
        guard depth < 4 else { return "add(\(expression(2)))" }
        switch numbers.below(14) {
        case 0: return "\(name()), \(name()) = \(expression(2)), \(expression(2))"
        case 1: return "t[\(expression(1)) or 1] = \(expression(2))"
        case 2: return "if \(expression(2)) then \(statements(2)) else \(statements(1)) end"
        case 3: return "for i = \(numbers.below(3)), \(numbers.below(6)) do \(statements(1)) end"
        case 4: return "while tick() and \(expression(2)) do \(statements(1)) end"
        case 5: return "repeat local z = \(expression(1)) \(statements(1)) until not tick() or z"
        case 6: return "for k, v in ipairs(t) do add(v) if \(expression(1)) then break end end"
        case 7: return "do local \(name()) = \(expression(2)) \(statements(2)) end"
        case 8: return "add(select('#', f))\nadd(pcall(function() return \(expression(3)) end))"
        case 9: return "do local h = function() \(name()) = \(expression(1)) end h() end"
        case 10:
            return
                "for i = 1, 3 do if i == \(numbers.below(4)) then goto next end add(i) ::next:: end"
        case 11: return "\(name()) = m(\(expression(2)))"
        default: return "add(pcall(function() add(\(expression(3))) end))"
        }
    }

    private mutating func name() -> String { numbers.pick(["a", "b", "c", "d"]) }

    private mutating func expression(_ depth: Int) -> String {
        guard depth > 0, !numbers.happens(25) else {
            return numbers.pick([
                "1", "2", "0x7f", "2.5", "-3", "1e3", "'x'", "'10'", "nil", "true", "false", "a",
                "b",
                "c", "d", "t.x", "t[1]", "m.x", "m.none", "#t", "K", "t[true]", "(a)", "#'four'",
            ])
        }
        let (left, right) = (expression(depth - 1), expression(depth - 1))
        switch numbers.below(9) {
        case 0, 1:
            let comparison = numbers.pick(["<", "<=", "==", "~=", ">", ">="])
            return "\(left) \(comparison) \(right)"
        case 2, 3: return "\(left) \(numbers.pick(["and", "or"])) \(right)"
        case 4: return "(\(left))"
        case 5: return "not \(left)"
        case 6: return "t[\(left) or \(right)]"
        default:
            let operation = numbers.pick(["+", "-", "*", "//", "%", "..", "&", "|", "~", "<<"])
            return "\(left) \(operation) \(right)"
        }
    }
}
