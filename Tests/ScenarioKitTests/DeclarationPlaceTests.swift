// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting
import TestSupport
import Testing

@testable import ScenarioKit

/// Tests of the lines of declarations that are made by helper functions and loops.
struct DeclarationPlaceTests {
    private static let files = [
        "main.lua": """
        local page = require "helpers.page"
        require "more"
        page("A")
        page("B")
        for _, name in ipairs { "C", "D" } do
          router.register(name, "show", { build = router.screen "Page", url = "/" .. name })
        end
        local function deep(name, depth)
          if depth > 0 then deep(name, depth - 1) else page(name) end
          return nil
        end
        deep("E", 30)
        router.start(function()
          return router.nav { { "A", "show" }, { "C", "show" } }
        end)
        router.log.info("loaded")
        """,
        "helpers/page.lua": """
        return function(name)
          router.interceptor("of" .. name, function() end)
          router.register(name, "show", { build = router.screen "Page", intercept = "of" .. name })
          router.log.info("page " .. name)
        end
        """,
        "more.lua": """
        local page = require "helpers.page"
        page("F")
        """,
    ]

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for (name, text) in Self.files { try folder.write(name, text) }
    }

    @Test("the location of a declaration is the top-level line that caused the declaration")
    func places() throws {
        var logged: [String] = []
        let router = try Router(
            scripts: ScriptBundle(path: folder.path),
            host: HeadlessHost(),
            onEvent: { if $0.kind == .log { logged.append($0.location?.description ?? "") } }
        )
        let places = router.scriptParts.map { part in
            "\(part.key.kind) \(part.key.name) \(part.location?.description ?? "")"
        }
        for place in [
            "route A/show main.lua:3", "route B/show main.lua:4", "route C/show main.lua:6",
            "route D/show main.lua:6", "route E/show main.lua:12", "route F/show more.lua:2",
            "interceptor ofA main.lua:3",
        ] { #expect(places.contains(place), "\(places)") }
        // A message is where it is logged.
        #expect(Set(logged) == ["helpers/page.lua:4", "main.lua:16"])
    }

    private func run(_ steps: [String]) throws -> (RunReport, String) {
        let text = steps.map { "  \($0)\n" }.joined()
        try folder.write("a.scenario", "use main.lua\nscenario \"S\"\n" + text)
        var command = RunCommand(paths: ["\(folder.path)/a.scenario"])
        command.options.measuresCoverage = true
        var output = ""
        let report = command.run(Console { output += $0.text })
        return (report, output)
    }

    @Test(
        "coverage counts only routes that were planned, built in a tree or redirected",
        arguments: [
            (["start"], ["A/show", "C/show"]),
            (["given nav[]", "navigate D/show"], ["D/show"]),
            (["given nav[]", "navigate B/show", "open /C"], ["B/show", "C/show"]),
        ]
    )
    func coverage(_ steps: [String], _ routes: [String]) throws {
        let (report, _) = try run(steps)
        let reached = report.coverage?.parts.filter { $0.kind == .route && $0.count > 0 }
        #expect(reached?.map(\.name) == routes)
    }

    @Test("a finding lists all routes that its line declares, unless the message names a route")
    func findings() throws {
        try folder.write(
            "loop.lua",
            """
            router.start(function() return router.nav { router.screen "Home" } end)
            router.class("Page", { fields = {} })
            for _, name in ipairs { "1", "2" } do
              local info = { id = "integer" }
              router.register("P" .. name, "show", { url = "/" .. name, info = info, build = router.screen "Page" })
            end
            """
        )
        var text = ""
        let command = CheckCommand(paths: ["\(folder.path)/loop.lua"])
        _ = command.run(Console { text += $0.text })
        let findings = text.components(separatedBy: "\n\n").filter { $0.hasPrefix("warning") }
        let notes = findings.map { finding in
            let code = finding.split(separator: "[").dropFirst().first?.prefix(5) ?? ""
            return "\(code) \(finding.contains("= routes  P1/show, P2/show"))"
        }
        #expect(notes == ["L0104 true", "L0104 true", "L0116 false", "L0116 false"], "\(text)")
        #expect(!text.contains("= route  "), "\(text)")
    }

    @Test("'because' names the relevant route if a line declares several routes")
    func because() throws {
        let (_, output) = try run(["given nav[]", "open /D", "expect top Home"])
        #expect(output.contains("open /D → D/show at main.lua:6 → built Page"), "\(output)")
        let (_, named) = try run(["given nav[]", "navigate D/show", "expect top Home"])
        #expect(named.contains("navigate D/show → main.lua:6 → built Page"), "\(named)")
    }
}
