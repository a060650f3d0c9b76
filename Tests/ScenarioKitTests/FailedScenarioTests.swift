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

    /// Returns a store in the folder.
    private func store(
        save: @escaping @Sendable (String, String) -> String? = TemporaryFolder.save
    ) -> FailureStore {
        FailureStore(folder: "\(folder.path)/cache") { path in
            try? FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true
            )
            return nil
        } save: {
            save($0, $1)
        }
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
        if keeps {
            command.failures = store { text, path in
                reason ?? TemporaryFolder.save(text, to: path)
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
        command.failures = store { _, _ in
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

    @Test("a run of some scenarios of a file that did not parse keeps the others in the record")
    func partOfFile() throws {
        try folder.write("b.scenario", "use main.lua\n\nscenario \"typo\"\n  strt\n")
        _ = run(failed: false)
        try write("b", ["one": "Home", "two": "Home"])
        var command = RunCommand(paths: ["\(folder.path)/b.scenario:3"])
        command.failures = store()
        #expect(command.run(.silent).files.flatMap(\.scenarios).map(\.name) == ["one"])
        #expect(run().names == ["bad", "two"])
    }

    /// Runs each shard of the folder, either one after the other or all at the same time.
    private func runShards(_ count: Int, isParallel: Bool) {
        let (path, store) = (folder.path, store())
        @Sendable func run(_ number: Int) {
            var command = RunCommand(paths: [path])
            command.filter.shard = try? Shard("\(number)/\(count)")
            command.failures = store
            command.run(.silent)
        }
        if isParallel {
            DispatchQueue.concurrentPerform(iterations: count) { run($0 + 1) }
        } else {
            for number in 1...count { run(number) }
        }
    }

    @Test(
        "the failures of shards add up, one after the other and at once",
        arguments: [false, true]
    )
    func shards(_ isParallel: Bool) throws {
        let names = (0..<14).map { "f\($0)" }
        for name in names { try write(name, [name: "Other", "fine": "Home"]) }
        runShards(16, isParallel: isParallel)
        #expect(run().names.sorted() == (["bad"] + names).sorted())
    }

    @Test("the failures of shards add up in the records of several projects")
    func projects() throws {
        for name in ["p", "q"] {
            try folder.write("\(name)/luaroute.json", "{}")
            try folder.write("\(name)/main.lua", try folder.read("main.lua"))
            for file in ["x", "y"] {
                try write("\(name)/\(file)", ["\(name)\(file)": "Other", "fine": "Home"])
            }
        }
        runShards(6, isParallel: false)
        #expect(run().names.sorted() == ["bad", "px", "py", "qx", "qy"])
        var command = RunCommand(paths: ["\(folder.path)/q"])
        (command.failures, command.runsOnlyFailed) = (store(), true)
        #expect(command.run(.silent).files.flatMap(\.scenarios).map(\.name) == ["qx", "qy"])
    }
}
