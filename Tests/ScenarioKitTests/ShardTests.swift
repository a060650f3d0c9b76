// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import ScenarioKit

/// Tests of parts of a run, as selected by `luaroute run --shard 2/4`.
struct ShardTests {
    private let folder: TemporaryFolder
    /// The number of scenarios in each file.
    private static let sizes = [
        "a": 1, "b": 7, "c": 2, "d": 2, "e": 1, "sub/f": 3, "sub/g": 1,
    ]

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("luaroute.json", "{}")
        try folder.write("main.lua", "router.start(function() return router.screen 'Home' end)")
        for (name, size) in Self.sizes {
            let use = name.contains("/") ? "../main.lua" : "main.lua"
            let scenarios = (0..<size).map { "scenario \"\(name) \($0)\"\n  start\n" }
            try folder.write("\(name).scenario", "use \(use)\n" + scenarios.joined())
        }
    }

    private func run(
        _ shard: String,
        _ paths: [String] = [""],
        jobs: Int = 1
    ) throws -> (report: RunReport, text: String) {
        var command = RunCommand(paths: paths.map { "\(folder.path)/\($0)" })
        command.filter.shard = try Shard(shard)
        command.jobs = jobs
        var text = ""
        let report = command.run(Console { text += $0 })
        return (report, text)
    }

    private func names(_ report: RunReport) -> [String] {
        report.files.flatMap { $0.scenarios.map(\.name) }
    }

    @Test("each file is in exactly one part, and parts have similar sizes", arguments: 1...9)
    func partition(_ count: Int) throws {
        let parts = try (1...count).map { try names(run("\($0)/\(count)").report) }
        #expect(parts.joined().count == 17)
        #expect(Set(parts.joined()).count == 17)
        for part in parts {
            for file in Set(part.map { $0.split(separator: " ")[0] }) {
                #expect(part.count { $0.hasPrefix("\(file) ") } == Self.sizes[String(file)])
            }
        }
        // The largest file has seven scenarios.
        let sizes = parts.map(\.count)
        #expect((sizes.max() ?? 0) <= max(7, (17 + count - 1) / count + 1), "\(sizes)")
    }

    @Test("a part has the same files for any order of the paths, any folder and any number of jobs")
    func stable() throws {
        let files = Self.sizes.keys.sorted().map { "\($0).scenario" }
        let expected = try Set(names(run("2/3").report))
        #expect(!expected.isEmpty)
        #expect(try Set(names(run("2/3", files.reversed(), jobs: 4).report)) == expected)
        let other = try Self()
        #expect(try Set(names(other.run("2/3").report)) == expected)
    }

    @Test("a file with an error fails only one part, and a part without files is reported")
    func errors() throws {
        try folder.write("bad.scenario", "use main.lua\nscenario \"Bad\"\n  strat\n")
        let runs = try (1...9).map { try run("\($0)/9") }
        #expect(runs.count { $0.report.exitCode == .scenarioInvalid } == 1)
        #expect(runs.count { $0.report.exitCode == .success } == 8)
        #expect(
            runs[8].text == "warning[C0101]: part 9/9 contains none of the 8 selected files\n\n"
        )
    }

    @Test("if no scenario is selected, each part reports that nothing is selected")
    func nothing() throws {
        #expect(try run("2/2", ["a.scenario:99"]).report.exitCode == .nothingSelected)
    }

    @Test(
        "a text that does not name a valid part is an error",
        arguments: ["", "1", "0/2", "3/2", "1/0", "1/2/3", "-1/2", "1/1001", "a/b", "1 / 2"]
    )
    func refused(_ text: String) {
        #expect(throws: UsageError.self) { try Shard(text) }
    }
}
