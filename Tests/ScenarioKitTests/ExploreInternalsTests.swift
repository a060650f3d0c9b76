// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting
import RandomNumbers
import TestSupport
import Testing

@testable import ScenarioKit

/// The search of states.
struct ExploreInternalsTests {
    /// Returns the file of an `explore` block, in a folder with its script.
    private func write(_ defect: PlantedDefect, to folder: TemporaryFolder) throws -> String {
        try folder.write("main.lua", defect.script)
        let lines = defect.lines.map { "  \($0)\n" }.joined()
        try folder.write("app.scenario", "use main.lua\n\nexplore \"All\"\n  start\n\(lines)")
        return "\(folder.path)/app.scenario"
    }

    private func explorer(_ defect: PlantedDefect, _ folder: TemporaryFolder) throws -> Explorer {
        let path = try write(defect, to: folder)
        let plan = ExplorePlan([path], RunOptions())
        #expect(plan.diagnostics.isEmpty)
        var explorer = try #require(plan.explorers.first)
        explorer.doublesPerMille = 1_000
        explorer.includesScripts = defect.includesScripts
        if defect.lines.isEmpty { explorer.depth = 3 }
        return explorer
    }

    @Test("each planted defect is found by a shortest path", arguments: PlantedDefect.all)
    func planted(_ defect: PlantedDefect) throws {
        let folder = try TemporaryFolder()
        let report = try explorer(defect, folder).explore()
        let found = report.findings.filter { $0.code.description == defect.code }
        let all = report.findings.map { "\($0.code) \($0.title): \($0.steps)" }
        try #require(found.count == 1, "\(all)")
        #expect(found[0].title.hasPrefix(defect.title), "\(found[0].title)")
        #expect(found[0].steps == defect.path, "\(found[0].steps)")
        #expect(report.findings.allSatisfy { $0.code.description == defect.code }, "\(all)")
        #expect(report.ending == .complete)
    }

    @Test("a script without defects has no findings", arguments: PlantedDefect.clean)
    func clean(_ script: PlantedDefect) throws {
        let folder = try TemporaryFolder()
        let report = try explorer(script, folder).explore()
        let all = report.findings.map { "\($0.code) \($0.title): \($0.steps)" }
        #expect(all == [])
        #expect(report.ending == .complete)
        #expect(report.stateCount > 1)
    }

    @Test(
        "the scenario of a finding is formatted, and fails at its last line",
        arguments: PlantedDefect.all
    )
    func scenarios(_ defect: PlantedDefect) throws {
        let folder = try TemporaryFolder()
        let search = try explorer(defect, folder).search()
        let finding = try #require(search.report.findings.first)
        let files = FindingFiles(folder: "\(folder.path)/explore", save: Self.save)
        guard case .written(let path) = try files.write(finding, from: search.start) else {
            Issue.record("no file is written")
            return
        }
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let source = SourceText(name: path, content: Array(text.utf8))
        #expect(ScenarioFormatter.format(source).isUnchanged, "\(text)")
        var command = RunCommand(paths: [path])
        command.options.fileRoot = folder.path
        var output = ""
        let report = command.run(output: { output += $0 }, errors: { output += $0 })
        #expect(report.exitCode == .failed, "\(text)\n\(output)")
        let failures = report.files.flatMap(\.scenarios).flatMap(\.failures)
        #expect(failures.count == 1)
        let last = text.split(separator: "\n").count + 1
        #expect(failures.first?.span?.line == last, "\(text)\n\(output)")
        // Found again, it writes no second file.
        guard case .known(path) = try files.write(finding, from: search.start) else {
            Issue.record("another file is written")
            return
        }
    }

    /// Writes a file, and creates its folder.
    private static func save(_ text: String, _ path: String) -> String? {
        let folder = URL(filePath: path).deletingLastPathComponent()
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return TemporaryFolder.save(text, to: path)
    }

    @Test("the offered steps are those of routes, the user, the host and the clock")
    func offered() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "main.lua",
            """
            router.links { "app" }
            router.expects { tasks = { "Session/refresh" } }
            router.start(function()
              return router.tabs { router.nav { router.screen "Home" }, router.nav { router.screen "News" } }
            end)
            router.register("Show", "open", {
              info = { id = "integer" },
              url = "/shows/:id(int)",
              examples = { { id = 1 }, { id = 2 } },
              build = function(info) return router.screen("Show", { id = info.id }) end,
            })
            router.register("Sort", "show", {
              info = { by = { "name", "date" }, down = "boolean", page = "integer?" },
              build = router.screen "Sort",
            })
            router.register("Page", "show", { info = { id = "integer" }, build = router.screen "Page" })
            router.register("Plain", "show", function() return router.screen "Plain" end)
            router.register("Unknown", "show", function(info) return router.screen "Unknown" end)
            router.register("Login", "show", { info = {}, build = router.screen "Login", via = "present" })
            router.registerTask("Orders", "ask", function()
              router.delay(5, function() end)
              router.navigate("Login", "show"):result()
            end)
            """
        )
        let router = try Router(
            scripts: ScriptBundle(path: "\(folder.path)/main.lua"),
            host: HeadlessHost()
        )
        let offered = OfferedSteps(router)
        #expect(
            offered.unexplored.map { "\($0.target) \($0.reason)" } == [
                "Page/show no examples for 'id'", "Unknown/show no examples",
            ]
        )
        let explorer = Explorer(bundle: try ScriptBundle(path: "\(folder.path)/main.lua"))
        var short = explorer
        short.depth = 0
        let app = try ReplayedApp(try short.search().start)
        let routes = [
            "navigate Login/show", "navigate Plain/show", "navigate Show/open(id=1)",
            "navigate Show/open(id=2)", "navigate Sort/show(by=\"name\", down=true)",
            "navigate Sort/show(by=\"name\", down=false)",
            "navigate Sort/show(by=\"date\", down=true)",
            "navigate Sort/show(by=\"date\", down=false)", "open \"/shows/1\"",
            "open \"/shows/2\"",
        ]
        func texts() -> [String] { offered.steps(in: app.session).map(\.text) }
        #expect(texts() == routes + ["user selects 2"])
        for step in ["doTask Session/refresh", "doTask Orders/ask"] {
            let parsed = try #require(OfferedSteps.step(step))
            _ = app.take(ExploredStep(parsed))
        }
        let further = [
            "user back", "user dismisses", "close Login true", "close Login",
            "complete Session/refresh finished", "complete Session/refresh failed", "advance 5s",
        ]
        #expect(texts() == routes + further)
    }

    // MARK: A naive search

    /// Walks depth first, merges no states, and replays each path from the start.
    private func naiveStates(_ search: FinishedSearch, _ expander: Expander, depth: Int) throws
        -> Set<StateFingerprint>
    {
        var found: Set<StateFingerprint> = []
        func visit(_ path: [ExploredStep]) throws {
            let app = try ReplayedApp(search.start)
            for step in path { _ = app.take(step) }
            found.insert(SessionState(app.session).fingerprint)
            guard path.count < depth else { return }
            for step in expander.steps(in: app.session) {
                let trial = try ReplayedApp(search.start)
                for step in path { _ = trial.take(step) }
                guard trial.take(step) != nil else { continue }
                try visit(path + [step])
            }
        }
        try visit([])
        return found
    }

    /// Changes of what only a script can see.
    private static let changes = [
        "count = (count + 1) % 3", "list = #list > 1 and {} or { count, table.unpack(list) }",
        "last = router.visible()", "rawset(_G, \"x\", rawget(_G, \"y\")) rawset(_G, \"y\", list)",
        "math.random(2)",
        "if timer then timer:cancel() end timer = router.delay(1 + count, function() list = {} end)",
        "last = router.navigate(\"R0\", \"show\", { id = 1 })",
        "list.self = list list = { list.self }",
    ]

    /// Calls that wait.
    private static let waits = [
        "router.sleep(2)", "router.sleep(1) router.sleep(1)",
        "last = router.navigate(\"R0\", \"show\", { id = 1 }) last:result()",
    ]

    /// Returns a script with routes of random policies and, if it has variables, functions that
    /// change them and wait.
    private func generatedScript(_ numbers: inout RandomNumbers, hasVariables: Bool) -> String {
        var lua = """
            router.start(function() return router.nav { router.screen "Home" } end)
            router.interceptor("ask", function()
              if not router.navigate("R0", "show"):result() then router.stop("no") end
            end)

            """
        let policies = ["\"class\"", "\"never\"", "\"top\"", "{ by = \"id\" }"]
        let actions = ["push", "present", "presentWithNav", "pushAsRoot", "pushReplacingLast"]
        for route in 0..<3 {
            let intercept = route > 0 && numbers.below(3) == 0 ? "intercept = \"ask\"," : ""
            lua += """
                router.register("R\(route)", "show", {
                  info = { id = { 1, 2 } },
                  reuse = \(numbers.pick(policies)), via = "\(numbers.pick(actions))", \(intercept)
                  build = function(info) return router.screen("S\(route)", { id = info.id }) end,
                })

                """
        }
        if hasVariables {
            lua += """
                local count, list, last, timer = 0, {}, nil, nil
                router.export("change", function()
                  \(numbers.pick(Self.changes))
                end)
                router.export("wait", function()
                  \(numbers.pick(Self.changes))
                  for key, value in pairs { a = 1, b = \(numbers.below(3)) } do
                    local seen = { key }
                    \(numbers.pick(Self.waits))
                    list[1 + value % 2] = seen
                  end
                end)

                """
        }
        return lua.replacing(
            "router.navigate(\"R0\", \"show\")",
            with: "router.navigate(\"R0\", \"show\", { id = 1 })"
        )
    }

    /// `EXPLORE_SCRIPTS` sets the number of scripts.
    @Test("the states are those of a naive search that never merges", .tags(.sweep))
    func naive() throws {
        let count = ProcessInfo.processInfo.environment["EXPLORE_SCRIPTS"].flatMap { Int($0) } ?? 4
        var numbers = RandomNumbers(seed: 5)
        let folder = try TemporaryFolder()
        for number in 0..<count {
            let hasVariables = number % 2 == 0
            let depth = hasVariables ? 3 : 4
            let script = generatedScript(&numbers, hasVariables: hasVariables)
            let lines =
                [
                    "can navigate R\(number % 3)/show(id=1)", "can navigate R1/show(id=2)",
                    "can user back", "can close S0 true | nothing from S0", "bound depth \(depth)",
                ] + (hasVariables ? ["can call change", "can call wait", "can advance 1s"] : [])
            let defect = PlantedDefect(
                name: "generated",
                code: "",
                title: "",
                path: [],
                script: script,
                lines: lines
            )
            let explorer = try explorer(defect, folder)
            let search = try explorer.search()
            let router = try Router(scripts: explorer.bundle, host: HeadlessHost())
            let expander = Expander(
                exploration: explorer.exploration,
                offered: OfferedSteps(router)
            )
            let states = Set(search.graph.inner.map { search.graph[$0].fingerprint })
            #expect(states == (try naiveStates(search, expander, depth: depth)), "\(script)")
            #expect(states.count > 2, "\(script)")
            let defects = search.report.findings.filter {
                $0.code.description == "X008" || $0.title.hasPrefix("script: ")
            }
            #expect(defects.map(\.title) == [], "\(script)")
            let parallel = explorer.with(jobs: 2)
            let other = try parallel.search()
            #expect(
                other.graph.inner.map { other.graph[$0].fingerprint }
                    == search.graph.inner.map { search.graph[$0].fingerprint }
            )
        }
    }
}

extension Explorer {
    fileprivate func with(jobs: Int) -> Explorer {
        var explorer = self
        explorer.jobs = jobs
        return explorer
    }
}
