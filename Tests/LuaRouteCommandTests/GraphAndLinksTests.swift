// SPDX-License-Identifier: MIT

import Testing

/// The command lines of `luaroute graph` and `luaroute links`.
struct GraphAndLinksTests {
    @Test(
        "the options are validated, and select the output format",
        arguments: [
            (["graph", "Tests/Listings/graph.lua"], 0, "flowchart LR"),
            (["graph", "--script", "Tests/Listings/graph.lua", "--dot"], 0, "digraph routes"),
            (["graph", "Tests/Listings/graph.lua", "--json"], 0, #""schema":"luaroute.graph/1""#),
            (["graph", "--dot", "--json"], 64, ""),
            (["graph", "a.lua", "--script", "b.lua"], 64, ""),
            (["graph", "Tests/Listings/none.lua"], 66, ""),
            (["graph", "Tests/Listings/broken.lua"], 3, ""),
            (["links", "--apple", "T.a.b", "Tests/Listings/shop.lua"], 0, #"["T.a.b"]"#),
            (["links", "--android", "a.b", "Tests/Listings/shop.lua"], 0, "<?xml"),
            (["links", "Tests/Listings/shop.lua"], 64, ""),
            (["links", "--apple", "T.a", "--android", "a.b"], 64, ""),
            (["links", "--android", "a b"], 64, ""),
        ] as [([String], Int32, String)]
    )
    func options(_ arguments: [String], _ code: Int32, _ output: String) throws {
        let process = try CommandProcess(arguments)
        #expect(process.code == code, "\(process.errors)")
        #expect(output.isEmpty ? process.output.isEmpty : process.output.contains(output))
        #expect(process.errors.isEmpty == (code == 0) || arguments.contains("T.a.b"))
    }
}
