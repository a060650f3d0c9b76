// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting
import RandomNumbers
import SystemGaps
import TestSupport
import Testing

@testable import ScenarioKit

/// The search of states.
struct ExploreInternalsTests {
    /// Writes an `explore` block and its script to a folder, and returns the path of the block's
    /// file.
    private func write(_ defect: PlantedDefect, to folder: TemporaryFolder) throws -> String {
        try folder.write("main.lua", defect.script)
        let lines = defect.lines.map { "  \($0)\n" }.joined()
        try folder.write("app.scenario", "use main.lua\n\nexplore \"All\"\n  start\n\(lines)")
        return "\(folder.path)/app.scenario"
    }

    private func explorer(_ defect: PlantedDefect, _ folder: TemporaryFolder) throws -> Explorer {
        let path = try write(defect, to: folder)
        let plan = ExplorePlan([path], options: RunOptions())
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
        guard case .written(let path) = files.write(finding, from: search.start) else {
            Issue.record("no file is written")
            return
        }
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let source = SourceText(name: path, content: Array(text.utf8))
        #expect(ScenarioFormatter.format(source).isUnchanged, "\(text)")
        var command = RunCommand(paths: [path])
        command.options.fileRoot = folder.path
        var output = ""
        let report = command.run(Console { output += $0 })
        #expect(report.exitCode == .failed, "\(text)\n\(output)")
        let failures = report.files.flatMap(\.scenarios).flatMap(\.failures)
        #expect(failures.count == 1)
        let last = text.split(separator: "\n").count + 1
        #expect(failures.first?.span?.line == last, "\(text)\n\(output)")
        // Found again, it writes no second file.
        guard case .known(path) = files.write(finding, from: search.start) else {
            Issue.record("another file is written")
            return
        }
    }

    @Test(
        "the scenario of a dead end passes once the script is fixed",
        arguments: PlantedDefect.all.filter { ["X004", "X007"].contains($0.code) }
    )
    func fixed(_ defect: PlantedDefect) throws {
        let folder = try TemporaryFolder()
        let search = try explorer(defect, folder).search()
        let finding = try #require(search.report.findings.first)
        let files = FindingFiles(folder: "\(folder.path)/explore", save: Self.save)
        guard case .written(let path) = files.write(finding, from: search.start) else {
            Issue.record("no file is written")
            return
        }
        var script = defect.script
        for (old, new) in [
            ("via = \"replaceRoot\", from = \"root\"", "reuse = \"class\""), ("modal = true", ""),
        ] { script = script.replacing(old, with: new) }
        #expect(script != defect.script)
        try folder.write("main.lua", script)
        var command = RunCommand(paths: [path])
        command.options.fileRoot = folder.path
        var output = ""
        let report = command.run(Console { output += $0 })
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(report.exitCode == .success, "\(text)\n\(output)")
    }

    /// Writes a file, and creates the folder of the file.
    private static func save(_ text: String, _ path: String) -> String? {
        let folder = URL(filePath: path).deletingLastPathComponent()
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return TemporaryFolder.save(text, to: path)
    }

    @Test("a search offers steps for routes, the user, the host and the clock")
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

    @Test("the progress shows the explored states, the queued states, the rate and the depth")
    func progress() throws {
        let progress = SearchProgress(states: 1_284, queue: 12, steps: 9_617, depth: 4)
        let line = "1,284 states, 12 queued, 3,205 steps a second, depth 4"
        #expect(progress.line(after: .seconds(3)) == line)
        #expect(progress.line(after: .zero).contains(" 0 steps a second"))

        let folder = try TemporaryFolder()
        let defect = try #require(PlantedDefect.clean.first)
        var explorer = try explorer(defect, folder)
        let shown = Lock<[SearchProgress]>([])
        explorer.onProgress = { progress in shown.withLock { $0.append(progress) } }
        let report = try explorer.explore()
        let all = shown.withLock { $0 }
        #expect(all.map(\.depth) == all.map(\.depth).sorted())
        #expect(all.allSatisfy { $0.queue <= $0.states && $0.states <= report.stateCount })
        #expect(all.last?.steps == report.stepCount)
    }

    // MARK: Ways to go back to a state

    /// Returns the result of a search as text, with all states and steps.
    private static func text<Mark>(_ graph: SearchGraph<Mark>, _ findings: [ExplorationFinding])
        -> String
    {
        let states = graph.states.enumerated().map { index, state in
            let edges = ((state.edges ?? []) + (state.userEdges ?? []))
                .map { "\($0.step.text) → \($0.target)" }
            return "\(index) \(state.fingerprint) \(state.view.tree): \(edges)"
        }
        let found = findings.map { "\($0.key) \($0.steps) \($0.details)" }.sorted()
        return (states + found).joined(separator: "\n")
    }

    @Test(
        "the result is the same for any number of jobs, with state images or by replay",
        arguments: PlantedDefect.all + PlantedDefect.clean
    )
    func rewinds(_ defect: PlantedDefect) throws {
        let folder = try TemporaryFolder()
        var explorer = try explorer(defect, folder)
        let preparation = try explorer.prepared()
        let start = preparation.start
        var replays = StateSearch(
            preparation.exploration,
            offered: preparation.offered,
            limits: preparation.limits
        ) { () throws(LoadedScripts.Failure) in try ReplayedApp(start) }
        replays.identity = ScriptPlaces(explorer.bundle).identity
        try replays.run()
        let expected = Self.text(replays.graph, replays.findings)
        for (jobs, images) in [(1, 20_000), (1, 1), (1, 0), (2, 20_000)] {
            explorer.jobs = jobs
            explorer.memory.count = images
            let search = try explorer.search()
            var findings = search.report.findings
            for (index, finding) in findings.enumerated() {
                // The search adds the lines of routes.
                findings[index].details = finding.details.map {
                    $0.replacing(/^.*main\.lua:\d+(: )?/, with: "")
                }.filter { !$0.isEmpty && !$0.hasSuffix("/show") && !$0.hasSuffix("/open") }
            }
            let text = Self.text(search.graph, findings)
            #expect(text == expected, "\(jobs) jobs, \(images) images")
        }
    }

    @Test("an explored app restores states from kept images, and reaches other states by replay")
    func images() throws {
        let folder = try TemporaryFolder()
        let defect = try #require(PlantedDefect.all.first { $0.code == "X003" })
        let start = try explorer(defect, folder).prepared().start
        let step = ExploredStep(try #require(OfferedSteps.step("navigate Show/open(id=1)")))
        for count in [1, 2, 100] {
            let app = try RewoundApp(start, RewoundApp.Memory(count: count))
            var marks = [app.mark(isNew: true)]
            var states = [SessionState(app.session).fingerprint]
            for _ in 1...5 {
                _ = app.take(step)
                marks.append(app.mark(isNew: true))
                states.append(SessionState(app.session).fingerprint)
            }
            #expect(Set(states).count == 6)
            #expect(marks.filter(app.keeps).count <= min(count, 5) + 1)
            #expect(app.keeps(marks[0]) && app.keeps(marks[5]))
            for index in [2, 5, 0, 1, 1, 4, 3] {
                try app.go(to: marks[index])
                #expect(SessionState(app.session).fingerprint == states[index], "\(count)")
                #expect(app.keeps(marks[index]))
            }
        }
    }

    @Test(
        "state images are discarded after a step that loads scripts",
        arguments: ["restart", "reload"]
    )
    func reloads(_ text: String) throws {
        let folder = try TemporaryFolder()
        let defect = try #require(PlantedDefect.clean.first)
        let explorer = try explorer(
            PlantedDefect(
                name: text,
                code: "",
                title: "",
                path: [],
                script: defect.script,
                lines: ["can \(text)", "can start", "can navigate A/show", "bound depth 3"]
            ),
            folder
        )
        let states = try [1, 2].map { jobs in
            let search = try explorer.with(jobs: jobs).search()
            return search.graph.states.map(\.fingerprint)
        }
        #expect(states[0] == states[1])
        #expect(states[0].count > 2)
    }

    @Test(
        "a memory limit for scripts applies to each state, not to all explored states",
        arguments: [1, 2]
    )
    func limits(_ jobs: Int) throws {
        let folder = try TemporaryFolder()
        let routes = (1...12).map { number in
            let name = "S\(number)"
            return "router.register(\"\(name)\", \"show\", "
                + "{ find = \"\(name)\", build = router.screen \"\(name)\" })\n"
        }
        let start = "router.start(function() return router.nav { router.screen \"Home\" } end)\n"
        try folder.write("main.lua", start + routes.joined())
        let bundle = try ScriptBundle(path: "\(folder.path)/main.lua")
        var explorer = Explorer(bundle: bundle).with(jobs: jobs)
        (explorer.depth, explorer.doublesPerMille) = (3, 1_000)
        explorer.options.budget = try BudgetLimits("bytes=800K")
        let report = try explorer.explore()
        #expect(report.findings.map(\.title) == [])
        #expect(report.ending == .complete)
        #expect(report.stateCount == 1 + 12 + 12 * 11 + 12 * 11 * 10)
    }

    // MARK: Findings that do not occur again

    /// An app in which a step fails during the search, but not in a separate session.
    private final class FlawedApp: ExploredApp {
        private let app: ReplayedApp

        init(_ start: ReplayedApp.Start) throws(LoadedScripts.Failure) {
            app = try ReplayedApp(start)
        }

        var session: Session { app.session }
        func mark(isNew: Bool) -> ReplayedPath? { app.mark(isNew: isNew) }
        func go(to mark: ReplayedPath?) throws(LoadedScripts.Failure) { try app.go(to: mark) }
        func keeps(_ mark: ReplayedPath?) -> Bool { false }
        func detachFromThread() { app.detachFromThread() }

        func take(_ step: ExploredStep) -> StepEffects? {
            var effects = app.take(step)
            effects?.failures.append(ExploreInternalsTests.falseFailure)
            return effects
        }
    }

    private static let falseFailure = StepEffects.Failure(
        code: "budget",
        message: "a false alarm",
        isLogged: true
    )

    @Test("a defect that cannot be reproduced is not a finding, and makes the search inconclusive")
    func unreproduced() throws {
        let folder = try TemporaryFolder()
        let explorer = try explorer(try #require(PlantedDefect.clean.first), folder)
        let preparation = try explorer.prepared()
        let start = preparation.start
        var search = StateSearch(
            preparation.exploration,
            offered: preparation.offered,
            limits: preparation.limits
        ) { () throws(LoadedScripts.Failure) in try FlawedApp(start) }
        try search.run()
        #expect(search.findings.map(\.title) == ["budget: a false alarm"])
        #expect(search.ending == .complete)
        let report = try explorer.report(of: search, preparation)
        #expect(report.findings.isEmpty)
        #expect(report.ending == .unreproduced)
        let lost = "X005 budget: a false alarm (\(search.findings[0].steps[0]))"
        #expect(report.notReproduced == [lost])

        let files = FindingFiles(folder: "\(folder.path)/explore", save: Self.save)
        var results = ExploreResults()
        let finished = FinishedSearch(report: report, graph: search.graph, start: start)
        let text = ExploreWriter().text(of: results.add(finished, explorer: explorer, files: files))
            .text
        #expect(text.contains("  inconclusive: a defect did not occur again\n"), "\(text)")
        #expect(text.contains("  ? not reproduced: \(lost)\n"), "\(text)")
        #expect(results.code == .inconclusive)
        #expect(results.text.text.contains("\"ending\":\"unreproduced\""))
    }

    @Test(
        "a finding is confirmed only if its scenario fails at the last line",
        arguments: [
            ("navigate A/show", ExplorationFinding.Shown.noFailure(falseFailure)),
            ("navigate A/show", .condition("top A")), ("user dismisses", .condition("top A")),
            ("navigate A/show", .wayOut("user back", "top Home")),
            ("navigate A/show", .notPending("Orders/show waits for 'login'")),
            ("navigate A/show", nil),
        ]
    )
    func unconfirmed(_ text: String, _ expectation: ExplorationFinding.Shown?) throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "main.lua",
            """
            router.start(function() return router.nav { router.screen "Home" } end)
            router.register("A", "show", { find = "A", build = router.screen "A" })
            """
        )
        let explorer = Explorer(bundle: try ScriptBundle(path: "\(folder.path)/main.lua"))
        let preparation = try explorer.prepared()
        let step = ExploredStep(try #require(OfferedSteps.step(text)))
        var finding = ExplorationFinding(
            .doubleState,
            "a false alarm",
            key: "A",
            path: [step],
            shownBy: expectation
        )
        finding.sides = ([step], [step, step])
        let expander = Expander(
            exploration: preparation.exploration,
            offered: preparation.offered
        )
        let scenario = FindingScenario(start: preparation.start, expander: expander)
        #expect(try scenario.confirmed(finding) == nil)
        finding.expectation = .condition("top B")
        let isTaken = text != "user dismisses"
        #expect(try scenario.confirmed(finding)?.scenario?.last == (isTaken ? "expect top B" : nil))
    }

    @Test("a search does not endlessly repeat leaving verbs that wait for an open question")
    func heldVerbs() throws {
        let script = """
            router.start(function()
              return router.nav { router.screen "Home", router.screen "A", router.screen "Draft" }
            end)
            router.class("Draft", { leaving = function() router.sleep(10) end })
            """
        let lines = ["can back", "can pop to root", "can advance 10s", "bound depth 12"]
        let defect = PlantedDefect(
            name: "held verbs",
            code: "",
            title: "",
            path: [],
            script: script,
            lines: lines
        )
        let folder = try TemporaryFolder()
        let report = try explorer(defect, folder).explore()
        #expect(report.isExhausted)
        #expect(report.stateCount < 100, "\(report.stateCount)")
    }

    // MARK: Ways out beyond the depth

    /// A script whose screens offer an unlimited number of further pages.
    private static let offering = """
        router.start(function() return router.nav { router.screen "Home" } end)
        for number = 1, 6 do
          router.register("Page" .. number, "show", {
            info = {}, build = function() return router.screen("Page" .. number) end,
          })
        end
        local all = {}
        for number = 1, 6 do all[number] = "Page" .. number .. "/show" end
        for number = 1, 6 do router.class("Page" .. number, { offers = all }) end

        """

    private func searchOfOffers(_ more: String, home: String = "all") throws -> FinishedSearch {
        let folder = try TemporaryFolder()
        try folder.write(
            "main.lua",
            Self.offering + "router.class(\"Home\", { offers = \(home) })\n" + more
        )
        var explorer = Explorer(bundle: try ScriptBundle(path: "\(folder.path)/main.lua"))
        explorer.depth = 2
        return try explorer.search()
    }

    @Test("beyond the depth limit, controls are not tried in states where the user can go back")
    func controls() throws {
        let search = try searchOfOffers("")
        #expect(search.graph.inner.count == search.graph.states.count)
        #expect(search.report.ending == .complete)
        #expect(search.report.notExplored == [])
        #expect(search.report.findings.contains { $0.code.description == "X003" })
    }

    @Test("a search is inconclusive if it reaches the limit of states whose controls are tried")
    func limitOfControls() throws {
        let search = try searchOfOffers(
            """
            router.register("End", "show", {
              info = {}, build = function() return router.nav { router.screen "End" } end, via = "replaceRoot", from = "root",
            })
            router.class("End", { offers = all })
            """,
            home: "{ \"End/show\" }"
        )
        #expect(
            search.report.notExplored == [
                "ways out beyond depth 2 (limit reached: 300 states whose controls were tried)"
            ]
        )
        #expect(search.report.ending == .states)
        #expect(search.graph.states.count < 3_000)
        #expect(!search.report.findings.contains { $0.code.description == "X004" })
    }

    // MARK: A naive search

    /// Returns the states that a naive search finds.
    ///
    /// The naive search walks depth first, merges no states, and replays each path from the start.
    private func naiveStates(_ search: FinishedSearch, _ expander: Expander, depth: Int) throws
        -> Set<StateFingerprint>
    {
        var found: Set<StateFingerprint> = []
        func visit(_ path: [ExploredStep]) throws {
            let app = try ReplayedApp(search.start)
            for step in path { app.take(again: step) }
            found.insert(SessionState(app.session).fingerprint)
            guard path.count < depth else { return }
            for step in expander.steps(in: app.session) {
                let trial = try ReplayedApp(search.start)
                for step in path { trial.take(again: step) }
                guard trial.take(step) != nil else { continue }
                try visit(path + [step])
            }
        }
        try visit([])
        return found
    }

    /// Statements that change values that only a script can see.
    private static let changes = [
        "count = (count + 1) % 3", "list = #list > 1 and {} or { count, table.unpack(list) }",
        "last = router.visible()", "rawset(_G, \"x\", rawget(_G, \"y\")) rawset(_G, \"y\", list)",
        "math.random(2)",
        "if timer then timer:cancel() end timer = router.delay(1 + count, function() list = {} end)",
        "last = router.navigate(\"R0\", \"show\", { id = 1 })",
        "list.self = list list = { list.self }",
        "local id = count router.navigate(\"R1\", \"show\", { id = 2 }, { completion = function() list = { id } end })",
        "router.on(\"done\", function(event) count = #list end)",
        "last = router.dependency \"thing\" last.uses = last.uses + 1",
        "local old = list router.register(\"Late\", \"show\", { override = true, build = function() return router.screen(\"Late\", { size = #old }) end })",
        "router.state.list = { count }",
    ]

    /// Calls of functions that wait.
    private static let waits = [
        "router.sleep(2)", "router.sleep(1) router.sleep(1)",
        "last = router.navigate(\"R0\", \"show\", { id = 1 }) last:result()",
    ]

    /// Returns a script with routes that have random policies.
    ///
    /// If the script has variables, it also has functions that change them and wait.
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
                router.provide("thing", function() return { uses = 0 } end)
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
    @Test(
        "the search finds the same states as a naive search that never merges states",
        .tags(.sweep)
    )
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
            for images in [0, 1, 5, 20_000] {
                let other = try explorer.with(jobs: 1 + images % 2, images: images).search()
                #expect(
                    other.graph.inner.map { other.graph[$0].fingerprint }
                        == search.graph.inner.map { search.graph[$0].fingerprint },
                    "\(images) images of \(script)"
                )
            }
        }
    }
}

extension Explorer {
    fileprivate func with(jobs: Int, images: Int = 20_000) -> Explorer {
        var explorer = self
        explorer.jobs = jobs
        explorer.memory.count = images
        return explorer
    }
}
