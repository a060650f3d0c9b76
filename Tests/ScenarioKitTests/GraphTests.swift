// SPDX-License-Identifier: MIT

import Foundation
import ScenarioKit
import TestSupport
import Testing

/// The command `luaroute graph`.
struct GraphTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs the command.
    private func run(
        _ script: String,
        _ format: GraphCommand.Format
    ) -> (code: ExitCode, output: String, errors: String) {
        var command = GraphCommand(script: script)
        command.format = format
        var (output, errors) = ("", "")
        let code = command.run(Console(output: { output += $0 }, errors: { errors += $0 }))
        return (code, output, errors)
    }

    /// Writes a script, and returns the graph of the script.
    private func graph(_ lua: String, _ format: GraphCommand.Format) throws -> String {
        try folder.write("main.lua", lua)
        let result = run("\(folder.path)/main.lua", format)
        #expect(result.code == .success, "\(result.errors)")
        return result.output
    }

    @Test(
        "the graph in each format matches the recorded graph",
        arguments: [
            ("mermaid.txt", GraphCommand.Format.mermaid), ("dot.txt", .dot), ("json", .json),
        ]
    )
    func golden(_ name: String, _ format: GraphCommand.Format) throws {
        let path = packageFolder.appending(path: "Tests/Listings/graph.lua").path()
        let result = run(path, format)
        #expect(result.code == .success)
        #expect(result.errors.isEmpty)
        var text = result.output.replacing(packageFolder.path(), with: "")
        if format == .json {
            let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
            let data = try JSONSerialization.data(
                withJSONObject: value,
                options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            )
            text = String(decoding: data, as: UTF8.self) + "\n"
        }
        try expectGolden(text, packageFolder.appending(path: "Tests/Listings/graph.\(name)"))
    }

    @Test(
        "special characters of Mermaid and HTML are escaped in labels",
        arguments: [
            ("/a\\\"b", "/a#34;b", "/a&quot;b"),
            ("/:tab(a|b)", "/:tab(a#124;b)", "/:tab(a|b)"),
            ("/[x]", "/[x]", "/[x]"),
            ("/it's", "/it's", "/it's"),
            ("/größe", "/größe", "/größe"),
            ("/a&b", "/a#38;b", "/a&amp;b"),
            ("/*x_y", "/#42;x#95;y", "/*x_y"),
            ("/a`b~", "/a#96;b#126;", "/a`b~"),
            ("/a;b", "/a#59;b", "/a;b"),
        ]
    )
    func escaping(_ pattern: String, _ mermaid: String, _ dot: String) throws {
        let lua = """
            router.register("A", "show", { url = "\(pattern)", build = router.screen "A" })
            """
        let chart = try graph(lua, .mermaid)
        #expect(chart.contains("[\"A/show<br/>\(mermaid)\"]"), "\(chart)")
        let drawing = try graph(lua, .dot)
        #expect(drawing.contains(">\(dot)</font>"), "\(drawing)")
    }

    @Test("a line break, a quote or a bracket in a file name cannot end the label")
    func fileNames() throws {
        let name = "a\"]\n<b>"
        try folder.write("\(name).lua", "return function() end")
        try folder.write("main.lua", "router.start(function() return router.screen 'A' end)")
        let result = run("\(folder.path)/main.lua", .mermaid)
        #expect(result.code == .success)
        #expect(result.output.contains("n0[\"A\"]:::screen"), "\(result.output)")
    }

    @Test("scripts without routes produce a graph of their screens, or an empty graph")
    func withoutRoutes() throws {
        let lua = "router.start(function() return router.nav { router.screen 'A' } end)"
        let chart = try graph(lua, .mermaid)
        let group = "    subgraph g0[\"nav\"]\n        n0[\"A\"]:::screen\n"
        #expect(chart.hasPrefix("flowchart LR\n" + group))
        let empty = try graph("router.export('a', function() end)", .mermaid)
        #expect(empty.hasPrefix("flowchart LR\n    classDef "))
        #expect(try graph("router.export('a', function() end)", .json).contains("\"nodes\":[]"))
    }

    @Test(
        "a filter keeps the nodes with a text, their neighbours, and the edges and groups of these nodes",
        arguments: [(["/ORDERS"], 3), (["no such"], 0), (["tabs", "/ORDERS"], 4)]
    )
    func filter(_ texts: [String], _ least: Int) throws {
        var command = GraphCommand(
            script: packageFolder.appending(path: "Tests/Listings/graph.lua").path()
        )
        func document() throws -> (nodes: [String: [String: Any]], edges: [[String: Any]], Int) {
            var output = ""
            let code = command.run(Console(output: { output += $0 }, errors: { _ in }))
            #expect(code == (least == 0 && !command.filter.isEmpty ? .nothingSelected : .success))
            let value = try JSONSerialization.jsonObject(with: Data(output.utf8))
            let object = try #require(value as? [String: Any])
            let nodes = try #require(object["nodes"] as? [[String: Any]])
            let groups = try #require(object["groups"] as? [[String: Any]])
            for node in nodes {
                if let group = node["group"] as? Int { #expect(groups.indices.contains(group)) }
            }
            let named = nodes.map { ($0["id"] as? String ?? "", $0) }
            return (
                Dictionary(uniqueKeysWithValues: named),
                try #require(object["edges"] as? [[String: Any]]), groups.count
            )
        }
        command.format = .json
        let whole = try document()
        command.filter = texts
        let part = try document()
        func isFound(_ node: [String: Any]) -> Bool {
            let patterns = (node["patterns"] as? [[String: Any]] ?? []).compactMap { $0["pattern"] }
            let cells = [node["title"], node["screens"], patterns].map { "\($0 ?? "")" }
            return cells.contains { cell in
                texts.contains { cell.lowercased().contains($0.lowercased()) }
            }
        }
        let found = Set(whole.nodes.filter { isFound($0.value) }.keys)
        let edges = whole.edges.filter { edge in
            [edge["from"], edge["to"]].contains { found.contains($0 as? String ?? "") }
        }
        let ends = edges.flatMap { [$0["from"], $0["to"]] }.compactMap { $0 as? String }
        #expect(Set(part.nodes.keys) == found.union(ends))
        #expect(part.edges as [NSDictionary] == edges as [NSDictionary])
        #expect(part.nodes.count >= least && part.nodes.count < whole.nodes.count)
        #expect(part.2 < whole.2)
    }

    @Test("boxes set a text colour, so that they are legible in a dark theme")
    func dark() throws {
        let chart = try graph("router.export('a', function() end)", .mermaid)
        let classes = chart.split(separator: "\n").filter { $0.contains("classDef") }
        #expect(classes.count == 5)
        #expect(classes.allSatisfy { $0.hasSuffix(",color:#1a1a1a") })
    }

    @Test(
        "a chart that is too large for Mermaid is printed with a warning",
        arguments: [
            (400, ""), (501, "edges ('maxEdges' is 500)"), (1200, "('maxTextSize' is 50,000)"),
        ]
    )
    func limits(_ count: Int, _ warning: String) throws {
        try folder.write(
            "main.lua",
            """
            router.register("Home", "show", { build = router.screen "Home" })
            for n = 1, \(count) do
              router.register("P" .. n, "show", {
                from = { "Home", "show" }, build = router.screen("P" .. n),
              })
            end
            """
        )
        let result = run("\(folder.path)/main.lua", .mermaid)
        #expect(result.code == .success, "\(result.errors)")
        #expect(result.output.hasPrefix("flowchart LR\n"))
        let isAsExpected =
            warning.isEmpty ? result.errors.isEmpty : result.errors.contains(warning)
        #expect(isAsExpected, "\(result.errors)")
        #expect(run("\(folder.path)/main.lua", .dot).errors.isEmpty)
    }

    @Test(
        "an error determines the exit code; with JSON, an empty document is printed",
        arguments: [
            ("router.register(", ExitCode.scriptFailed, "error["),
            (nil, .inputMissing, "has no 'main.lua'"),
            ("router.start(function() error('x') end)", .failed, "'router.start' failed"),
        ] as [(String?, ExitCode, String)]
    )
    func failures(_ lua: String?, _ code: ExitCode, _ message: String) throws {
        if let lua { try folder.write("main.lua", lua) }
        let text = run(folder.path, .mermaid)
        #expect(text.code == code)
        #expect(text.errors.contains(message), "\(text.errors)")
        #expect(text.output.isEmpty == (code != .failed))
        let json = run(folder.path, .json)
        #expect(json.code == code)
        #expect(json.output.contains("\"exitCode\":\(code.rawValue)}"), "\(json.output)")
    }

    @Test(
        "steps declared on one line are separate nodes, and a class 'root' is not the tree's root"
    )
    func equalTitles() throws {
        let json = try graph(
            """
            local function sheet(p) return router.newNav { via = "present", from = p } end
            local shared = sheet "root"
            router.register("A", "show", { build = router.screen "A" })
            router.register("B", "show", { build = router.screen "B" })
            router.register("C", "show", { from = sheet { "A", "show" }, build = router.screen "C" })
            router.register("D", "show", { from = sheet { "B", "show" }, build = router.screen "D" })
            router.register("E", "show", { from = shared, build = router.screen "E" })
            router.register("F", "show", { from = shared, build = router.screen "F" })
            router.start(function() return router.nav { router.screen "root" } end)
            """,
            .json
        )
        let value = try JSONSerialization.jsonObject(with: Data(json.utf8))
        let object = try #require(value as? [String: Any])
        let nodes = try #require(object["nodes"] as? [[String: Any]]).compactMap { $0["id"] }
        let ids = nodes.compactMap { $0 as? String }
        #expect(Set(ids).count == ids.count)
        #expect(ids.count { $0.hasPrefix("step ") } == 3, "\(ids)")
        #expect(ids.contains("screen root") && ids.contains("root"), "\(ids)")
        var parents: [String: [String]] = [:]
        for edge in try #require(object["edges"] as? [[String: Any]]) {
            let (from, to) = (edge["from"] as? String, edge["to"] as? String)
            parents[try #require(to), default: []].append(try #require(from))
        }
        for (name, expected) in [("C", "route A/show"), ("D", "route B/show"), ("E", "root")] {
            let steps = try #require(parents["route \(name)/show"])
            #expect(steps.count == 1)
            #expect(parents[steps[0]] == [expected], "\(json)")
        }
        #expect(parents["route E/show"] == parents["route F/show"])
    }

    /// The script of an app with 50 routes in 5 tabs, with chains of parents, modal routes and
    /// fallbacks.
    private static let large = """
        local areas = { "Shop", "Account", "Feed", "Chat", "Media" }
        router.start(function()
          local stacks = {}
          for i, a in ipairs(areas) do stacks[i] = router.nav { router.screen(a .. "Home") } end
          return router.tabs(stacks)
        end)
        router.interceptor("login", function() router.redirect("Login", "show") end)
        router.register("Login", "show", { build = router.screen "Login" })
        for _, a in ipairs(areas) do
          local before = a .. "Home"
          router.register(before, "show", { build = router.screen(before) })
          for n = 1, 9 do
            local name = a .. "Page" .. n
            router.register(name, "show", {
              url = "/" .. a .. "/" .. n .. "/:id(int)",
              info = { id = "integer" },
              build = router.screen(name),
              intercept = n % 4 == 0 and "login" or nil,
              via = n % 5 == 0 and "present" or nil,
              from = n % 3 ~= 0 and { before, "show" } or nil,
              enabled = n == 7 and function() return true end or nil,
              fallback = n == 7 and { a .. "Home", "show" } or nil,
            })
            if n % 2 == 0 then before = name end
          end
        end
        """

    @Test(
        "a graph of 51 routes is always the same, and arranges unconnected routes in several columns"
    )
    func largeGraph() throws {
        let drawing = try graph(Self.large, .dot)
        #expect(try graph(Self.large, .dot) == drawing)
        #expect(drawing.components(separatedBy: "fillcolor=\"#e8f0fe\"").count == 52)
        #expect(drawing.components(separatedBy: "[style=invis]").count == 6)
    }

    #if os(Linux)
    @Test(
        "Graphviz accepts the graph",
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/dot"))
    )
    func graphviz() throws {
        let listing = packageFolder.appending(path: "Tests/Listings/graph.lua").path()
        for text in [run(listing, .dot).output, try graph(Self.large, .dot)] {
            try folder.write("a.dot", text)
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/dot")
            process.arguments = ["-Tsvg", "-o", "\(folder.path)/a.svg", "\(folder.path)/a.dot"]
            let errors = Pipe()
            process.standardError = errors
            try process.run()
            let printed = try errors.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
            #expect(String(decoding: printed, as: UTF8.self).isEmpty)
        }
    }
    #endif
}
