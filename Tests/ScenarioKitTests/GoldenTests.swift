// SPDX-License-Identifier: MIT

import Foundation
import ScenarioKit
import TestSupport
import Testing

/// Tests of the corpus in `Tests/Scenarios`, in which each folder is an expected outcome and each
/// file is a case.
///
/// The files next to a case are its expected output (`.out`, `.err`) and exit code (`.exit`).
/// Without these files, the output must be empty, and the exit code is that of the folder: 0, 1 or
/// 2. `RECORD=1` rewrites the files, and fails.
@Suite(.serialized)
struct GoldenTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let folder: String
        let name: String

        var testDescription: String { "\(folder)/\(name)" }
        var path: String { "Tests/Scenarios/\(folder)/\(name).scenario" }
        var exitCode: Int32 { ["pass": 0, "fail": 1][folder] ?? 2 }

        func file(_ ending: String) -> URL {
            packageFolder.appending(path: "Tests/Scenarios/\(folder)/\(name).\(ending)")
        }

        static let all: [Case] = ["pass", "fail", "invalid"].flatMap { folder in
            let url = packageFolder.appending(path: "Tests/Scenarios/\(folder)")
            let names = try? FileManager.default.contentsOfDirectory(atPath: url.path())
            return (names ?? []).filter { $0.hasSuffix(".scenario") }.sorted().map {
                Case(folder: folder, name: String($0.dropLast(".scenario".count)))
            }
        }
    }

    @Test("each test case prints its recorded output", arguments: Case.all)
    func golden(_ golden: Case) throws {
        // The output contains paths as they were given: relative to the package.
        #expect(FileManager.default.changeCurrentDirectoryPath(packageFolder.path()))
        var output = ""
        var errors = ""
        var command = RunCommand(paths: [golden.path])
        command.showsAllFailures = true
        let report = command.run(
            Console(output: { output += $0 }, errors: { errors += $0 })
        )
        let exit = report.exitCode.rawValue
        try expectGolden(output, golden.file("out"), unless: "")
        try expectGolden(errors, golden.file("err"), unless: "")
        try expectGolden("\(exit)\n", golden.file("exit"), unless: "\(golden.exitCode)\n")
    }

    @Test("running the same scenarios again prints the same bytes", .tags(.sweep), .unlessQuick)
    func sameBytes() {
        #expect(FileManager.default.changeCurrentDirectoryPath(packageFolder.path()))
        let outputs = (0..<2).map { _ in
            var output = ""
            RunCommand(paths: ["Tests/Scenarios"]).run(
                Console { output += $0 }
            )
            return output
        }
        #expect(outputs[0] == outputs[1])
        #expect(outputs[0].count > 1_000)
    }
}
