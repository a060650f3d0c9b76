// SPDX-License-Identifier: MIT

import Foundation
import ScenarioKit
import SystemGaps
import TestSupport
import Testing

/// Tests of running only the scenarios that failed in the last run.
struct FailedScenarioTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("luaroute.json", "{}")
        try folder.write(
            "main.lua",
            "router.start(function() return router.nav { router.screen \"Home\" } end)\n"
        )
        try write("a", ["good": "Home", "bad": "Other"])
        try write("b", ["fine": "Home"])
    }

    private func write(_ name: String, _ tops: KeyValuePairs<String, String>) throws {
        let scenarios = tops.map { name, top in
            "scenario \"\(name)\"\n  start\n  expect top \(top)\n"
        }
        try folder.write("\(name).scenario", "use main.lua\n\n" + scenarios.joined(separator: "\n"))
    }

    /// Runs the folder, and returns the names of the scenarios that ran, and the rest of the
    /// output.
    private func run(
        failed: Bool = true,
        keeps: Bool = true,
        failFast: Bool = false,
        unwritable reason: String? = nil
    ) -> (names: [String], errors: String) {
        var command = RunCommand(paths: [folder.path])
        command.runsOnlyFailed = failed
        command.stopsAtFailure = failFast
        let cache = "\(folder.path)/cache"
        if keeps {
            command.failures = FailureStore(folder: cache) { text, path in
                if let reason { return reason }
                try? FileManager.default.createDirectory(
                    atPath: cache,
                    withIntermediateDirectories: true
                )
                return (try? text.write(toFile: path, atomically: true, encoding: .utf8)) == nil
                    ? "no space" : nil
            }
        }
        var errors = ""
        let report = command.run(Console(output: { _ in }, errors: { errors += $0 }))
        return (report.files.flatMap(\.scenarios).map(\.name), errors)
    }

    @Test("without an earlier run all scenarios run, and a message says so")
    func first() {
        let all = ["good", "bad", "fine"]
        for keeps in [false, true] {
            let result = run(keeps: keeps)
            #expect(result.names == all)
            #expect(
                result.errors == "no earlier run of this project is known: running all scenarios\n"
            )
        }
        #expect(run(failed: false, keeps: false).errors.isEmpty)
    }

    @Test("a run interrupted while it reads files keeps the record of the last run")
    func interrupted() throws {
        #expect(run(failed: false).names.count == 3)
        var command = RunCommand(paths: [folder.path])
        command.failures = FailureStore(folder: "\(folder.path)/cache") { _, _ in
            Issue.record("the record is written")
            return nil
        }
        let asked = Lock(0)
        command.interruption = {
            asked.withLock { count in
                count += 1
                return count > 4 ? .interrupted : nil
            }
        }
        let report = command.run(.silent)
        #expect(report.exitCode == .interrupted && report.files.isEmpty)
        #expect(run().names == ["bad"])
    }

    @Test("a failed scenario runs again until it passes, wherever it moves in its file")
    func again() throws {
        #expect(run(failed: false).names.count == 3)
        #expect(run().names == ["bad"])
        try write("a", ["new": "Home", "bad": "Home", "good": "Home"])
        let result = run()
        #expect(result.names == ["bad"])
        #expect(result.errors.isEmpty)
        let last = run()
        #expect(last.names.count == 4)
        #expect(
            last.errors == "no selected scenario failed in the last run: running all scenarios\n"
        )
    }

    @Test(
        "a scenario that did not run counts as failed; a scenario that no longer exists is ignored"
    )
    func notRun() throws {
        #expect(run(failed: false, failFast: true).names == ["good", "bad"])
        #expect(run().names == ["bad", "fine"])
        try write("a", ["good": "Home"])
        #expect(run().names == ["good", "fine"], "its only failure is gone")
        try folder.write("b.scenario", "use main.lua\n\nscenario \"typo\"\n  strt\n")
        #expect(run(failed: false).names == ["good"])
        try write("b", ["one": "Home", "two": "Home"])
        #expect(run().names == ["one", "two"])
    }

    @Test("a record that cannot be written or read is not a failure")
    func unwritable() throws {
        #expect(run(failed: false, unwritable: "no space").errors.isEmpty)
        #expect(run(unwritable: "no space").errors.contains("cannot be written (no space)"))
        _ = run(failed: false)
        let cache = "\(folder.path)/cache"
        for name in try FileManager.default.contentsOfDirectory(atPath: cache) {
            try "{}".write(toFile: "\(cache)/\(name)", atomically: true, encoding: .utf8)
        }
        #expect(run().names.count == 3)
        #expect(run().names == ["bad"])
    }
}
