// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// The commands `luaroute events`, `run --events` and `run --failed`.
struct EventsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("a recorded run can be printed, and converted to a scenario that passes")
    func recording() throws {
        let scenarios = "scripts/podcast/podcast.scenario"
        let file = "\(folder.path)/events.jsonl"
        #expect(try CommandProcess(["run", "--events", file, scenarios]).code == 0)
        let list = try CommandProcess(shell: "\"$LUAROUTE\" events - < '\(file)' | head -n 2")
        #expect(list.output.hasPrefix(scenarios) && list.errors.isEmpty)
        let trace = try CommandProcess(["events", file, "--trace"])
        #expect(trace.code == 0 && trace.output.contains("\n        done\n"))
        let scenario = try CommandProcess(["events", file, "--scenario"])
        #expect(scenario.code == 0 && scenario.output.contains("\nuse scripts/podcast/"))
        try folder.write("again.scenario", scenario.output)
        let again = try CommandProcess(
            ["run", "--script", "scripts/podcast", "\(folder.path)/again.scenario"]
        )
        #expect(again.code == 0, "\(again.output)")
    }

    @Test(
        "conflicting options are usage errors",
        arguments: [
            ["run", "--events", "-", "--json"], ["run", "--events", "-", "--list"],
            ["run", "--failed", "--list"], ["events", "F", "--trace", "--scenario"],
            ["events", "F", "--script", "a.lua"], ["events"],
        ]
    )
    func usage(_ arguments: [String]) throws {
        #expect(try CommandProcess(arguments).code == 64)
    }

    @Test("a filter that selects no recording and a missing file have different exit codes")
    func codes() throws {
        try folder.write("e.jsonl", "{\"schema\":\"luaroute.events/1\",\"scenario\":\"a\"}\n")
        let file = "\(folder.path)/e.jsonl"
        for option in ["--trace", "--scenario"] {
            #expect(try CommandProcess(["events", file, option, "--filter", "b"]).code == 4)
        }
        #expect(try CommandProcess(["events", "\(folder.path)/nothing"]).code == 66)
        #expect(try CommandProcess(["run", "--events", folder.path, "scripts/podcast"]).code == 74)
    }

    @Test("'--failed' runs the scenarios that failed in the previous run, except in CI")
    func failed() throws {
        let path = "Tests/Scenarios/fail/pending.scenario"
        let cache = ["XDG_CACHE_HOME": "\(folder.path)/cache"]
        func count(_ arguments: [String], _ environment: [String: String]) throws -> Int {
            try CommandProcess(["run", path] + arguments, environment: environment)
                .output.split(separator: "\n").count { $0.hasPrefix("✘") || $0.hasPrefix("✔") }
        }
        let all = try count([], cache)
        let failed = try count(["--failed"], cache)
        #expect(failed > 0 && failed < all)
        #expect(try count(["--failed"], cache.merging(["CI": "1"]) { $1 }) == all)
    }
}
