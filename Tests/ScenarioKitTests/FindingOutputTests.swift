// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting
import TestSupport
import Testing

@testable import ScenarioKit

/// `--format short`, and the reports `github` and `sarif`, of all commands that report findings.
struct FindingOutputTests {
    private static let files = [
        "main.lua": """
        router.start(function() return router.nav { router.screen "Home" } end)
        router.register("Page", "show", { build = router.screen "Page" })
        router.register("Broken", "show", function() error("no page") end)
        """,
        "unused.lua": """
        router.start(function() return router.nav { router.screen "Home" } end)
        router.interceptor("never", function() end)
        """,
        "a b.scenario": """
        use main.lua

        scenario "Passes"
          start

        scenario "Fails"
          start
          navigate   Page/show
          expect top Home

        explore "Breaks"
          start
          bound depth 1
        """,
    ]

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for (name, text) in Self.files { try folder.write(name, text + "\n") }
        try folder.write(".git/HEAD", "ref")
    }

    enum Command: String, CaseIterable {
        case run, check, fmt, explore
    }

    private func findings(_ report: String?) throws -> FindingOutput {
        var findings = FindingOutput()
        findings.isShort = true
        findings.reports = try report.map { [try ReportFile($0)] } ?? []
        findings.save = {
            (try? $0.write(toFile: $1, atomically: true, encoding: .utf8)) == nil ? "no" : nil
        }
        return findings
    }

    /// Runs a command in its short format, and returns what it prints.
    private func output(of command: Command, _ report: String? = nil) throws -> (String, ExitCode) {
        let scenarios = "\(folder.path)/a b.scenario"
        var text = ""
        let output: (PrintedText) -> Void = { text += $0.text }
        let findings = try findings(report)
        let code: ExitCode
        switch command {
        case .run:
            var run = RunCommand(paths: [scenarios])
            run.isShort = true
            let report = run.run(output: output, errors: output)
            let written = run.write(
                findings.reports,
                of: report,
                output: output,
                errors: output,
                save: findings.save
            )
            code = max(report.exitCode, written)
        case .check:
            var check = CheckCommand(paths: ["\(folder.path)/unused.lua"])
            check.findings = findings
            code = check.run(output: output, errors: output)
        case .fmt:
            var format = FormatCommand(paths: [scenarios])
            format.isChecking = true
            format.findings = findings
            code = format.run(
                input: { nil },
                output: output,
                errors: output,
                save: { _, _ in nil }
            )
        case .explore:
            var explore = ExploreCommand(paths: [scenarios])
            explore.findings = findings
            code = explore.run(output: output, errors: output, save: { _, _ in nil })
        }
        return (text.replacingOccurrences(of: folder.path + "/", with: ""), code)
    }

    @Test(
        "the short format is one line for each finding, and nothing else",
        arguments: [
            (
                Command.run,
                "a b.scenario:9:14: error[S0301]: expect top does not hold: the tree has Page here"
            ),
            (
                .check,
                "unused.lua:2:21: warning[L0102]: interceptor 'never' is declared but never used"
            ),
            (
                .fmt,
                "a b.scenario:8:1: error[C0111]: the file is not formatted: "
                    + "the first line that would change"
            ),
            (.explore, "a b.scenario:11:1: error[X005]: script: no page"),
        ]
    )
    func short(_ command: Command, _ line: String) throws {
        let (output, code) = try output(of: command)
        #expect(code == .failed)
        #expect(output == line + "\n")
    }

    @Test("a SARIF report has each finding with its rule and range", arguments: Command.allCases)
    func sarif(_ command: Command) throws {
        let file = "\(folder.path)/report.sarif"
        let (output, code) = try output(of: command, "sarif=\(file)")
        #expect(code == .failed)
        let data = try Data(contentsOf: URL(filePath: file))
        let document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(document["version"] as? String == "2.1.0")
        let run = try #require((document["runs"] as? [[String: Any]])?.first)
        let results = try #require(run["results"] as? [[String: Any]])
        #expect(results.count == 1)
        let code2 = try #require(output.firstMatch(of: /\[(\w+)\]/)).1
        #expect(results.first?["ruleId"] as? String == String(code2))
        let driver = (run["tool"] as? [String: Any])?["driver"] as? [String: Any]
        let rules = driver?["rules"] as? [[String: Any]]
        #expect(rules?.map { $0["id"] as? String } == [String(code2)])
        let text = String(decoding: data, as: UTF8.self)
        let uri = command == .check ? "unused.lua" : "a%20b.scenario"
        #expect(text.contains("\"uri\":\"\(uri)\""), "\(text)")
    }

    @Test(
        "annotations for GitHub have paths in the repository and both ends",
        arguments: Command.allCases
    )
    func github(_ command: Command) throws {
        let (output, _) = try output(of: command, "github")
        let commands = output.split(separator: "\n").filter { $0.hasPrefix("::") }
        #expect(commands.count == 1)
        let file = command == .check ? "unused.lua" : "a b.scenario"
        let name = NSRegularExpression.escapedPattern(for: "file=\(file),line=")
        let form = try Regex(
            "^::(error|warning) \(name)\\d+,endLine=\\d+,col=\\d+,endColumn=\\d+,title="
        )
        #expect(commands.first?.firstMatch(of: form) != nil, "\(output)")
    }
}
