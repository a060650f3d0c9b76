// SPDX-License-Identifier: MIT

import Foundation
import ScenarioKit
import ScenarioTesting
import Testing

/// Tests of failures of scenarios, which become issues of Swift tests.
struct FailingScenarioTests {
    @Test("a failure is recorded at its line in the scenario file, with the runner's text")
    func location() async throws {
        let folder = try ScenarioFolder([
            "a.scenario": """
            use app.lua
            scenario "Opens a page"
              start
              navigate Page/open(id=1)
              expect tree nav[Home, Page(id=2)]
            """
        ])
        let scenario = try #require(Scenarios(in: folder.url).first)
        let issues = try await issues { try await scenario.run() }
        let issue = try #require(issues.first)
        #expect(issues.count == 1)
        #expect(issue.file == folder.path("a.scenario"))
        #expect((issue.line, issue.column) == (5, 30))
        #expect(!issue.isWarning)
        // All but the title of the scenario and the summary.
        var printed = ""
        RunCommand(paths: [folder.path("a.scenario")]).run(
            Console(output: { printed += $0 }, errors: { _ in })
        )
        let block = printed.split(separator: "\n", omittingEmptySubsequences: false)
            .dropFirst().dropLast(3).joined(separator: "\n")
        #expect("  " + issue.text == block)
    }

    @Test("each check that fails is a separate issue")
    func checks() async throws {
        let folder = try ScenarioFolder([
            "a.scenario": """
            use app.lua
            scenario "Checks"
              start
              check depth 2
              check top Page
              expect modal Home
            """
        ])
        let scenario = try #require(Scenarios(in: folder.url).first)
        let issues = try await issues { try await scenario.run() }
        #expect(issues.map(\.line) == [4, 5, 6])
    }

    @Test("a warning of a scenario is recorded as a warning")
    func warning() async throws {
        let folder = try ScenarioFolder([
            "a.scenario": "use app.lua\nscenario \"Warns\"\n  start\n  call alone\n"
        ])
        let scenario = try #require(Scenarios(in: folder.url).first)
        let issues = try await issues { try await scenario.run() }
        #expect(issues.map(\.isWarning) == [true])
        #expect(issues.map(\.line) == [4])
    }

    @Test(
        "a file that does not parse is a failing test case at the line of its error; other files still run"
    )
    func syntax() async throws {
        let folder = try ScenarioFolder([
            "bad.scenario": "use app.lua\nscenario \"Bad\"\n  navigat Page/open(id=1)\n",
            "good.scenario": "use app.lua\nscenario \"Good\"\n  start\n",
        ])
        let scenarios = Scenarios(in: folder.url)
        try #require(scenarios.count == 2)
        let issues = try await issues { for scenario in scenarios { try await scenario.run() } }
        #expect(issues.map(\.file) == [folder.path("bad.scenario")])
        #expect(issues.map(\.line) == [3])
        #expect(issues.first?.title.contains("did you mean 'navigate'?") == true)
        #expect(scenarios[0].sourceLocation.line == 3)
    }

    @Test("if scripts do not load, each scenario that uses them fails at the line of the error")
    func scripts() async throws {
        let folder = try ScenarioFolder([
            "app.lua": "router.start(function()\nend",
            "a.scenario": "use app.lua\nscenario \"A\"\n  start\n",
            "b.scenario": "use none.lua\nscenario \"B\"\n  start\n",
        ])
        let issues = try await issues {
            for scenario in Scenarios(in: folder.url) { try await scenario.run() }
        }
        #expect(issues.map(\.file) == [folder.path("app.lua"), folder.path("b.scenario")])
        #expect(issues.map(\.line) == [2, 1])
    }

    /// A selection that contains no scenario, or that contains a mistake.
    struct Selection: Sendable, CustomTestStringConvertible {
        let path: String
        var tags: [String] = []
        var isUnattended = false
        let text: String

        var testDescription: String { text }

        static let all = [
            Selection(path: "nowhere", text: "no file or folder"),
            Selection(path: "empty", text: "there is no '*.scenario' file"),
            Selection(path: "one", tags: ["aut"], text: "did you mean 'auth'?"),
            Selection(path: "one", tags: ["a b"], text: "tags such as 'auth,!slow' expected"),
            Selection(path: "app.lua", text: "is a script (scenario file expected)"),
            Selection(path: "only", isUnattended: true, text: "'only' excludes 1 scenario"),
        ]
    }

    @Test("an invalid selection is a separate test case that fails", arguments: Selection.all)
    func selection(_ selection: Selection) async throws {
        let folder = try ScenarioFolder([
            "empty/readme.txt": "",
            "one/a.scenario": "use ../app.lua\nscenario \"A\" @auth\n  start\n",
            "only/a.scenario": "use ../app.lua\nonly \"A\"\n  start\nscenario \"B\"\n  start\n",
        ])
        var options = RunOptions()
        options.fileRoot = folder.path(".")
        options.isUnattended = selection.isUnattended
        let url = folder.url.appending(path: selection.path)
        let line = #line + 1
        let scenarios = Scenarios(in: url, tags: selection.tags, options: options)
        let first = try #require(scenarios.first)
        let issues = try await issues { try await first.run() }
        #expect(issues.count == 1)
        let issue = try #require(issues.first)
        #expect(issue.text.contains(selection.text), "\(issue.text)")
        #expect(!issue.isWarning)
        if issue.file.hasSuffix(".swift") { #expect(issue.line == line) }
    }

    @Test("a stub in a background that no scenario of the file uses fails the last scenario")
    func background() async throws {
        let folder = try ScenarioFolder([
            "a.scenario": """
            use app.lua
            background
              start
              stub App/work
            scenario "A"
              expect depth 1
            scenario "B"
              expect depth 1
            """
        ])
        let scenarios = Scenarios(in: folder.url)
        let first = try await issues { try await scenarios[0].run() }
        let second = try await issues { try await scenarios[1].run() }
        #expect(first.isEmpty)
        #expect(second.map(\.line) == [4])
    }
}
