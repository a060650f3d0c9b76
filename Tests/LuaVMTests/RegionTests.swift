// SPDX-License-Identifier: MIT

import CLuaProbes
import Testing

@testable import LuaVM

/// Tests of the memory that a state takes from the system and returns.
@Suite struct RegionTests {
    private static let count = 1_000

    /// Functions that stay, each created between tables that soon become garbage, as in
    /// definitions of routes.
    private static let definitions = """
        kept = {}
        for i = 1, \(count) do
          local definition = { info = { id = i }, build = function() return i end }
          kept[i] = definition.build
        end
        """

    /// Returns a script that has run ``definitions`` while it loaded.
    private func loaded() throws -> Script {
        let script = try Script()
        script.state.setLoading(true)
        _ = try script.run(Self.definitions, results: 0)
        script.state.setLoading(false)
        return script
    }

    private func bytes(_ state: LuaState) -> Int {
        region_probe(UnsafeRawPointer(state.context))
    }

    @Test("tables that become garbage while scripts load are returned to the system")
    func definitions() throws {
        let script = try loaded()
        let state = script.state
        state.collectGarbage()
        state.trimMemory()
        // If the definitions were between the functions, the heap would take 1.8 times this memory.
        #expect(bytes(state) < state.memoryUsed * 7 / 5)
        #expect(try script.text("return kept[1](), kept[\(Self.count)]()", results: 2) == "1 1000")
    }

    @Test("memory that was returned can be taken again, and a rewind restores it")
    func rewind() throws {
        let script = try loaded()
        let state = script.state
        let checkpoint = try state.checkpoint()
        _ = try script.run("kept = nil", results: 0)
        state.collectGarbage()
        state.trimMemory()
        _ = try script.run(Self.definitions, results: 0)
        _ = try script.run("kept[1] = nil", results: 0)
        try state.rewind(to: checkpoint)
        state.trimMemory()
        #expect(try script.text("return kept[1](), kept[\(Self.count)]()", results: 2) == "1 1000")
    }
}
