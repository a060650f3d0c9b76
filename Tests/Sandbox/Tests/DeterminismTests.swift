// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import SandboxAttempts

/// Tests that everything that a script can read is deterministic.
struct DeterminismTests {
    // All that may differ from process to process: addresses, the seed of hashes, the clock, random
    // numbers, what is collected when, and the order of keys.
    private static let script = """
        local out = {} \
        local function put(...) for i = 1, select('#', ...) do out[#out + 1] = tostring((select(i, ...))) end end \
        local keys = {} \
        for i = 1, 50 do keys[{}] = i keys[function() return i end] = i keys['k' .. i * 7919 % 97] = i keys[i / 3] = i keys[i] = i end \
        keys[print] = 1 keys[true] = 2 keys[router.screen('A')] = 3 keys[string.upper] = 4 \
        for key, value in pairs(keys) do put(key, value) end \
        local key repeat key = next(keys, key) put(key) until key == nil \
        for name in pairs(_G) do put(name) end for name in pairs(router) do put(name) end \
        for name in pairs(string) do put(name) end \
        put(math.random(), math.random(1 << 40), math.random(0), os.time(), os.clock(), os.date('%c')) \
        put(pcall(function() return {} < {} end)) put(pcall(function() return print.x end)) \
        put(pcall(function() return {} .. 'x' end)) put(pcall(error, {})) put(pcall(string.rep)) \
        local garbage = {} for i = 1, 20000 do garbage[i % 100] = { tostring(i), router.screen('G') } end \
        put(collectgarbage('count')) \
        put(tostring(router.screen('B', { z = 1, a = { 3, x = 1, b = 2 } })), string.format('%s %s', print, {})) \
        put(router.services().Next[1], router.now()) \
        local sum = 7 \
        for byte in table.concat(out, ' '):gmatch('.') do sum = (sum * 31 + byte:byte()) % 1000000007 end \
        return sum .. ' ' .. #out .. ' ' .. table.concat(out, ' ', #out - 12)
        """

    @Test("two processes print the same output for a script that searches for differences")
    func same() throws {
        let table = FileManager.default.temporaryDirectory
            .appending(path: "determinism-\(UUID().uuidString).tsv")
        defer { try? FileManager.default.removeItem(at: table) }
        let row = "1\tsame\t\(Self.script)\tdifferences\tok\trun"
        try "id\n\(row)\n".write(to: table, atomically: true, encoding: .utf8)
        let process = AttemptProcess(
            program: builtProduct("SandboxAttempts"),
            seconds: 10
        )
        let attempt = try Attempt(row: row[...])
        let first = try process.sight(attempt, of: table)
        let second = try process.sight(attempt, of: table)
        #expect(first.ending == "ok", "\(first.text)")
        #expect(first.text == second.text)
        #expect(!first.text.contains("0x"))
        #expect(first.text.count > 100)
    }
}
