// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import ScenarioKit

/// Tests of the output of a run: less output with `--quiet`, times with `--slowest`, and objects
/// with `--json=lines`.
struct RunOutputTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("main.lua", "router.start(function() return router.screen 'Home' end)")
        try folder.write(
            "a.scenario",
            """
            use main.lua
            scenario "Good"
              start
            scenario "Bad"
              start
              expect top Other
            known "#1" "Known"
              expect depth 9
            skip "Later"
              start
            """
        )
        try folder.write("b.scenario", "use gone.lua\nscenario \"None\"\n  start\n")
    }

    private func run(
        jobs: Int = 1,
        _ change: (inout RunCommand) -> Void
    ) -> (report: RunReport, output: String, errors: String) {
        var command = RunCommand(paths: ["a", "b"].map { "\(folder.path)/\($0).scenario" })
        command.jobs = jobs
        change(&command)
        var (output, errors) = ("", "")
        let report = command.run(Console(output: { output += $0 }, errors: { errors += $0 }))
        return (report, output, errors)
    }

    @Test("a quiet run prints the failures and the summary of a full run, and nothing else")
    func quiet() throws {
        let full = run { _ in }
        let quiet = run { $0.isQuiet = true }
        #expect(quiet.errors == full.errors)
        #expect(quiet.report.exitCode == full.report.exitCode)
        let start = try #require(full.output.range(of: "✘ Bad"))
        let end = try #require(full.output.range(of: "◌ Known"))
        let last = try #require(full.output.range(of: "1 passed, 1 failed"))
        #expect(
            quiet.output == full.output[start.lowerBound..<end.lowerBound]
                + full.output[last.lowerBound...]
        )
    }

    @Test(
        "the location of a scenario ends at column 92, or where a narrower terminal ends",
        arguments: [(nil, 92), (200, 92), (92, 92), (80, 80), (20, nil)] as [(Int?, Int?)]
    )
    func width(_ width: Int?, _ column: Int?) throws {
        var report = RunReport()
        var file = FileReport(path: "a")
        file.scenarios = try #require(run { _ in }.report.files.first).scenarios
        report.files = [file]
        let writer = ConsoleReport(width: width)
        let lines = report.files[0].scenarios.filter { $0.outcome == .passed }
            .map { writer.text(of: $0, isShort: false, after: nil).text }
        let location = "\(folder.path)/a.scenario:2"
        let length = "✔ Good".count + 2 + location.count
        #expect(lines.map(\.count) == [max(column ?? 0, length) + 1], "\(lines)")
        #expect(lines[0].hasSuffix(" \(location)\n"))
    }

    @Test("the five slowest scenarios that ran are listed, the slowest first, before the summary")
    func slowest() throws {
        let (report, output, _) = run { $0.showsSlowest = true }
        #expect(
            output.contains(
                /\nslowest:\n(  \d+\.\d{3} s  \S+a\.scenario:\d+  (Good|Bad|Known)\n){3}\n1 passed/
            ),
            "\(output)"
        )
        var scenarios = report.files[0].scenarios
        for (index, time) in [3, 900, 61_004, 99].enumerated() {
            scenarios[index].duration = .milliseconds(time)
        }
        var other = RunReport()
        var file = FileReport(path: "a")
        file.scenarios = scenarios + scenarios
        other.files = [file]
        #expect(other.slowest.map(\.name) == ["Known", "Known", "Bad", "Bad", "Good"])
        let text = ConsoleReport(showsSlowest: true).end(of: other).text
        #expect(text.contains("slowest:\n  61.004 s  "), "\(text)")
        #expect(text.contains("\n  0.900 s  "), "\(text)")
    }

    @Test(
        "'--json=lines' prints the scenarios of '--json' as one object per line, with their times",
        arguments: [1, 4]
    )
    func lines(_ jobs: Int) throws {
        func object(_ text: some StringProtocol) throws -> [String: Any] {
            let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
            return try #require(value as? [String: Any])
        }
        let whole = run(jobs: jobs) { $0.format = .json }
        let lines = run(jobs: jobs) { $0.format = .lines }
        #expect(lines.errors == whole.errors)
        #expect(lines.report.exitCode == whole.report.exitCode)
        var document = try object(whole.output)
        var objects = try lines.output.split(separator: "\n").map { try object($0) }
        let kinds = objects.map { $0["kind"] as? String }
        #expect(kinds == Array(repeating: "scenario", count: 4) + ["end"])
        #expect(objects.allSatisfy { $0["schema"] as? String == "luaroute.lines/1" })
        for index in objects.indices {
            (objects[index]["schema"], objects[index]["kind"]) = (nil, nil)
            let seconds = objects[index].removeValue(forKey: "seconds") as? Double
            #expect((seconds ?? -1 >= 0) == (index < 4))
        }
        let last = objects.removeLast()
        document["schema"] = nil
        let scenarios = try #require(document.removeValue(forKey: "scenarios") as? [NSDictionary])
        #expect(objects as [NSDictionary] == scenarios)
        #expect(last as NSDictionary == document as NSDictionary)
    }
}
