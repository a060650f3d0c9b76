// SPDX-License-Identifier: MIT

import Foundation
import ScenarioKit
import ScenarioTesting
import Testing

/// Tests of the selection and the identity of scenarios.
struct SelectionTests {
    private static let files = [
        "a.scenario": """
        use app.lua
        scenario "Starts" @auth
          start
        scenario "Starts slowly" @slow @auth
          start
        scenario "Opens <id>"
          start
          navigate Page/open(id=<id>)
          each
            | id |
            | 1  |
            | 2  |
        """,
        "more/b.scenario":
            "use ../app.lua\nscenario \"Starts\"\n  start\nskip \"Waits\"\n  start\n",
    ]

    private let folder: ScenarioFolder
    private let options: RunOptions

    init() throws {
        folder = try ScenarioFolder(Self.files)
        var options = RunOptions()
        options.fileRoot = folder.path(".")
        self.options = options
    }

    @Test("the issue of a missing folder has the absolute path")
    func missing() {
        let scenarios = Scenarios(in: "no/such/folder")
        let folder = FileManager.default.currentDirectoryPath
        let message = "no file or folder '\(folder)/no/such/folder'"
        #expect(scenarios.count == 1 && scenarios[0].name.hasPrefix(message))
    }

    @Test("each scenario and each row has a unique identity, which is the same in each run")
    func identity() {
        let ids = Scenarios(in: folder.url, options: options).map(\.id)
        #expect(
            ids == [
                "a.scenario: Starts", "a.scenario: Starts slowly", "a.scenario: Opens 1",
                "a.scenario: Opens 2", "more/b.scenario: Starts", "more/b.scenario: Waits",
            ]
        )
        #expect(Scenarios(in: folder.url, options: options).map(\.id) == ids)
    }

    @Test("a test argument is encoded as the identity of its scenario")
    func encoding() throws {
        struct Argument: Encodable {
            let scenario: Scenario
            func encode(to encoder: any Encoder) throws {
                try scenario.encodeTestArgument(to: encoder)
            }
        }
        let scenario = try #require(Scenarios(in: folder.url, options: options).last)
        let data = try JSONEncoder().encode(Argument(scenario: scenario))
        #expect(try JSONDecoder().decode(String.self, from: data) == scenario.id)
    }

    @Test("a scenario found by its identity can run without the other scenarios")
    func rerun() async throws {
        let scenarios = Scenarios(in: folder.url, options: options)
        let scenario = try #require(scenarios.first { $0.id == "a.scenario: Opens 2" })
        #expect(scenario.sourceLocation.line == 12)
        try await scenario.run()
    }

    @Test(
        "tags and names select the same scenarios as on the command line",
        arguments: [
            (["auth"], [], ["Starts", "Starts slowly"]), (["auth,!slow"], [], ["Starts"]),
            (["slow", "!auth"], ["opens", "WAIT"], ["Opens 1", "Opens 2", "Waits"]),
            ([], ["opens 2"], ["Opens 2"]),
        ]
    )
    func filter(tags: [String], names: [String], expected: [String]) {
        let scenarios = Scenarios(in: folder.url, tags: tags, names: names, options: options)
        #expect(scenarios.map(\.name) == expected)
    }

    @Test("a path with a line selects one scenario")
    func line() {
        let path = folder.path("a.scenario")
        #expect(Scenarios(in: "\(path):3", options: options).map(\.id) == ["a.scenario: Starts"])
    }

    @Test("a scenario marked 'skip' is shown as skipped", arguments: skipped)
    func skip(_ scenario: Scenario) async throws {
        try await scenario.run()
        Issue.record("a skipped scenario runs")
    }

    @Test("a scenario with a known issue fails as a known issue", arguments: knownScenarios)
    func known(_ scenario: Scenario) async throws { try await scenario.run() }

    private static let knownFolder = try? ScenarioFolder([
        "a.scenario": "use app.lua\nknown \"#1\" \"A\"\n  expect depth 7\n"
    ])
    private static let knownScenarios = knownFolder.map { Array(Scenarios(in: $0.url)) } ?? []

    private static let skippedFolder = try? ScenarioFolder([
        "a.scenario": "use app.lua\nskip \"A\"\n  expect depth 7\n"
    ])
    private static let skipped = skippedFolder.map { Array(Scenarios(in: $0.url)) } ?? []
}
