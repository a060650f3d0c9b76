// SPDX-License-Identifier: MIT

import Testing

/// The command lines of `luaroute explore`.
struct ExploreTests {
    @Test(
        "the options are validated, and the results are printed",
        arguments: [
            (["explore", "Tests/Listings/graph.lua", "--depth", "0"], 0, "complete to depth 0"),
            (
                ["explore", "Tests/Listings/graph.lua", "--depth", "0", "--json"], 0,
                #""schema":"luaroute.explore/1""#
            ),
            (
                ["explore", "Tests/Listings/graph.lua", "--depth", "1", "--states", "1"], 5,
                "inconcl"
            ),
            (["explore", "Tests/Listings/graph.lua", "--depth", "-1"], 64, ""),
            (["explore", "Tests/Listings/graph.lua", "--states", "0"], 64, ""),
            (["explore", "Tests/Listings/graph.lua", "--time", "0s"], 64, ""),
            (["explore", "Tests/Listings/graph.lua", "--time", "5"], 64, ""),
            (
                ["explore", "Tests/Listings/graph.lua", "--depth", "0", "--time", "5m"], 0,
                "complete to depth 0"
            ),
            (["explore", "Tests/Listings/graph.lua", "--jobs", "0"], 64, ""),
            (["explore", "Tests/Listings/none.lua"], 66, ""),
            (["explore", "Tests/Listings/graph.lua", "--tags", "nightly"], 4, ""),
            (["explore", "Tests/Listings/graph.lua", "--tags", "a b"], 64, ""),
            (["explore", "Tests/Listings/graph.lua", "--filter", "none"], 4, ""),
            (
                ["explore", "Tests/Listings/graph.lua", "--filter", "graph", "--depth", "0"], 0,
                "complete to depth 0"
            ),
            (
                [
                    "explore", "Tests/Listings/graph.lua", "--depth", "0", "--require-examples",
                ], 5, "inconclusive: not all routes were explored"
            ),
            (["explore", "Tests/Listings/broken.lua"], 3, ""),
        ] as [([String], Int32, String)]
    )
    func options(_ arguments: [String], _ code: Int32, _ output: String) throws {
        let process = try CommandProcess(arguments)
        #expect(process.code == code, "\(process.errors)")
        #expect(output.isEmpty ? process.output.isEmpty : process.output.contains(output))
    }
}
