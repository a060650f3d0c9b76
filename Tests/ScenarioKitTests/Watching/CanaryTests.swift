// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting
import ScenarioKit
import TestSupport
import Testing

/// Tests of scenarios that must pass before scripts become active in an app.
@Suite("Canary")
struct CanaryTests {
    private static func script(_ screen: String) -> String {
        """
        router.start(function() return router.nav { router.screen "Main" } end)
        router.register("Show", "open", function() return router.screen "\(screen)" end)
        """
    }

    private static let smoke = """
        scenario "Opens a show"
          start
          navigate Show/open
          expect tree nav[Main, Show]
        scenario "Starts"
          start
        skip "Is left out"
          navigate No/where

        """

    private static func bundle(_ screen: String) -> LuaRouting.ScriptBundle {
        ScriptBundle(files: ["main.lua": script(screen)])
    }

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("smoke.scenario", Self.smoke)
    }

    private var path: String { "\(folder.path)/smoke.scenario" }

    @MainActor
    @Test("an app's router rejects scripts that fail the scenarios, and keeps the active scripts")
    func router() async throws {
        let canary = try Canary(paths: [path])
        var configuration = Router.Configuration()
        configuration.canary = canary.check
        let host = HeadlessHost()
        let router = try Router(
            scripts: Self.bundle("Show"),
            host: host,
            configuration: configuration
        )
        try await router.start()
        try await router.navigate(Target("Show", "open"))
        let tree = router.treeNotation()
        host.forgetChanges()

        let error = await #expect(throws: RouteError.self) {
            try await router.reload(Self.bundle("Other"))
        }
        let findings = try #require(error?.findings)
        #expect(findings.count == 1)
        let finding = try #require(findings.first)
        #expect(finding.location == RouteError.Location(file: path, line: 4))
        #expect(finding.message.hasPrefix("scenario 'Opens a show': expect tree does not hold"))
        #expect(finding.message.contains("nav[Main, Other]"))
        #expect(router.treeNotation() == tree)
        #expect(host.changes.isEmpty)

        let good = LuaRouting.ScriptBundle(files: ["main.lua": Self.script("Show") + "\n-- more"])
        #expect(try await router.reload(good)?.generation == 2)
    }

    /// Returns the locations of the canary's failures with a bundle.
    private func places(_ canary: Canary, _ bundle: ScriptBundle) async -> [RouteError.Location] {
        do throws(RouteError) {
            try await canary.check(bundle)
            return []
        } catch {
            return error.findings.compactMap(\.location)
        }
    }

    @Test("each failure is a finding at its line, and so is an error while the scripts load")
    func failures() async throws {
        let canary = try Canary(paths: [folder.path])
        #expect(await places(canary, Self.bundle("Show")).isEmpty)
        let none = LuaRouting.ScriptBundle(files: [
            "main.lua": "router.register('A', 'b', function() return router.screen 'A' end)"
        ])
        let failures = await places(canary, none)
        #expect(failures.map(\.line) == [2, 6])
        #expect(failures.allSatisfy { $0.file.hasSuffix("smoke.scenario") })
        let broken = LuaRouting.ScriptBundle(files: ["main.lua": "no Lua"])
        #expect(await places(canary, broken).map(\.file) == ["main.lua"])
    }

    @Test("a canary without scenarios, with invalid scenarios or with 'only' is an error")
    func refused() throws {
        try folder.write("broken.scenario", "scenario \"A\"\n  bogus\n")
        try folder.write("only.scenario", "only \"A\"\n  start\n")
        try folder.write("empty.scenario", "# nothing\n")
        let cases: [([String], String)] = [
            ([], "C0101"), (["nowhere.scenario"], "S0203"), (["broken.scenario"], "S0107"),
            (["only.scenario"], "C0102"), (["empty.scenario"], "C0101"),
        ]
        for (names, code) in cases {
            do {
                _ = try Canary(paths: names.map { "\(folder.path)/\($0)" })
                Issue.record("\(names) is taken")
            } catch {
                #expect(error.list.map(\.code.description) == [code], "\(names)")
            }
        }
    }

    @Test("a canary can consist of files in memory")
    func memory() async throws {
        let source = SourceText(name: "smoke.scenario", content: Array(Self.smoke.utf8))
        let canary = Canary([try ScenarioParser.parse(source).get()])
        #expect(await places(canary, Self.bundle("Show")).isEmpty)
        #expect(await places(canary, Self.bundle("Other")).map(\.line) == [4])
    }
}
