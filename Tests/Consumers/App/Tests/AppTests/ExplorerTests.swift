// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting
import ScenarioKit
import ScenarioTesting
import Testing

/// Tests as an app would write them: a search of its states, and scenarios.
struct ExplorerTests {
    private static let bundle = ScriptBundle(files: [
        "main.lua": """
        router.start(function() return router.nav { router.screen "Home" } end)
        router.register("Page", "show", function() return router.screen "Page" end)
        router.register("Broken", "show", function() error("no page") end)
        """
    ])

    @Test(
        "a search reports its findings, the steps that lead to each finding, and how much it explored"
    )
    func search() throws {
        var options = RunOptions()
        options.seed = 7
        var explorer = Explorer(bundle: Self.bundle, options: options)
        explorer.depth = 2
        explorer.states = 100
        explorer.time = .seconds(60)
        let report: ExplorationReport = try explorer.explore()
        let finding: ExplorationFinding = try #require(report.findings.first)
        #expect(finding.code.description == "X005")
        #expect(finding.steps.last == "navigate Broken/show")
        #expect(report.ending == .complete && report.stateCount > 1)
    }

    @Test("scripts that do not load are reported as diagnostics with a location")
    func diagnostics() throws {
        let broken = ScriptBundle(files: ["main.lua": "router.register("])
        do throws(Diagnostics) {
            _ = try Explorer(bundle: broken).explore()
            Issue.record("the search ran")
        } catch {
            let diagnostic: Diagnostic = try #require(error.list.first)
            #expect(diagnostic.severity == .error && diagnostic.span?.line == 1)
        }
    }
}
