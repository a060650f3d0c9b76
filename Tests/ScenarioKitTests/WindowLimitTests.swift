// SPDX-License-Identifier: MIT

import ScenarioKit
import TestSupport
import Testing

/// Tests of the maximum number of windows, which steps cannot exceed either.
struct WindowLimitTests {
    private func run(_ text: String) throws -> (output: String, code: ExitCode) {
        let folder = try TemporaryFolder()
        try folder.write("main.lua", "router.start(function() return router.screen 'A' end)")
        try folder.write("a.scenario", "use main.lua\n" + text)
        var output = ""
        let report = RunCommand(paths: ["\(folder.path)/a.scenario"])
            .run(Console { output += $0 })
        return (output, report.exitCode)
    }

    @Test(
        "a step that opens the 65th window fails",
        arguments: ["given window", "user opens window"]
    )
    func steps(_ step: String) throws {
        let windows = (2...64).map { "  \(step) w\($0) nav[A]\n" }.joined()
        let text = "scenario \"s\"\n  start\n" + windows + "  given window w2 nav[A, A]\n"
        #expect(try run(text).code == .success)
        let (output, code) = try run(text + "  \(step) w65 nav[A]\n  \(step) w66 nav[A]\n")
        #expect(code == .failed)
        #expect(output.contains("a.scenario:68:3"), "\(output)")
        #expect(output.contains("budget: too many windows (at most 64 at the same time)"))
    }

    @Test("a 'windows' setting with more than 64 windows is an error")
    func setting() throws {
        let names = ["main"] + (2...64).map { "w\($0)" }
        let scenario = "scenario \"s\"\n  note \"x\"\n"
        let text = "set windows = " + names.joined(separator: ", ")
        #expect(try run("\(text)\n\(scenario)").code == .success)
        let (output, code) = try run("\(text), w65\n\(scenario)")
        #expect(code == .scenarioInvalid)
        #expect(output.contains("too many windows (at most 64 at the same time)"), "\(output)")
    }
}
