// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting
import SystemGaps
import TestSupport
import Testing

@testable import ScenarioKit

/// Tests of `--format short`, and of the reports `github` and `sarif`, with all commands that
/// report findings.
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
        return findings
    }

    /// Runs a command in its short format, and returns the output.
    private func output(
        of command: Command,
        _ report: String? = nil,
        errors: ((PrintedText) -> Void)? = nil
    ) throws -> (String, ExitCode) {
        let scenarios = "\(folder.path)/a b.scenario"
        var text = ""
        var console = Console { text += $0.text }
        if let errors { console.errors = errors }
        console.save = TemporaryFolder.save
        let findings = try findings(report)
        let code: ExitCode
        switch command {
        case .run:
            var run = RunCommand(paths: [scenarios])
            run.isShort = true
            let report = run.run(console)
            let written = run.write(findings.reports, of: report, to: console)
            code = max(report.exitCode, written)
        case .check:
            var check = CheckCommand(paths: ["\(folder.path)/unused.lua"])
            check.findings = findings
            code = check.run(console)
        case .fmt:
            var format = FormatCommand(paths: [scenarios])
            format.isChecking = true
            format.findings = findings
            code = format.run(input: { nil }, console)
        case .explore:
            var explore = ExploreCommand(paths: [scenarios])
            explore.findings = findings
            explore.folder = folder.path
            code = explore.run(console)
        }
        return (text.replacingOccurrences(of: folder.path + "/", with: ""), code)
    }

    @Test(
        "the short format prints one line for each finding and no other output",
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
            (.explore, "main.lua:3:1: error[X005]: script: no page"),
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
        let uri = self.file(of: command).replacing(" ", with: "%20")
        #expect(text.contains("\"uri\":\"\(uri)\""), "\(text)")
    }

    @Test(
        "the short format also includes findings about the syntax of a file",
        arguments: Command.allCases
    )
    func stream(_ command: Command) throws {
        try folder.write("a b.scenario", "a\n")
        try folder.write("unused.lua", "router.start(")
        var text = ""
        _ = try output(of: command, errors: { text += $0.text })
        #expect(text.isEmpty)
    }

    @Test(
        "each SARIF result has a location with a path",
        arguments: [("C0101", "app/main.lua"), ("C0106", "main.lua"), ("C0112", "a%20b.scenario")]
    )
    func located(_ code: String, _ uri: String) throws {
        try folder.write("app/main.lua", "")
        var run = RunCommand(paths: ["\(folder.path)/\(code == "C0101" ? "app" : "a b.scenario")"])
        if code == "C0106" {
            run.options.measuresCoverage = true
            run.minimumCoverage = 100
        }
        let ended = Lock(false)
        if code == "C0112" { run.interruption = { ended.withLock { $0 } ? .terminated : nil } }
        let report = run.run(
            Console(output: { _ in ended.withLock { $0 = true } }, errors: { _ in })
        )
        let sarif = try ReportFile("sarif=x").text(of: report)
        #expect(!sarif.contains("\"locations\":[]") && !sarif.contains("\"uri\":\"\""), "\(sarif)")
        let rule = try #require(sarif.range(of: "\"ruleId\":\"\(code)\""))
        #expect(sarif[rule.upperBound...].contains("\"uri\":\"\(uri)\""), "\(sarif)")
        #expect(sarif.contains("\"executionSuccessful\":\(code != "C0112")"))
    }

    /// Returns the file in which a command has its finding.
    private func file(of command: Command) -> String {
        switch command {
        case .check: "unused.lua"
        case .explore: "main.lua"
        case .run, .fmt: "a b.scenario"
        }
    }

    @Test(
        "GitHub annotations have paths relative to the repository, and the whole range",
        arguments: Command.allCases
    )
    func github(_ command: Command) throws {
        let (output, _) = try output(of: command, "github")
        let commands = output.split(separator: "\n").filter { $0.hasPrefix("::") }
        #expect(commands.count == 1)
        let file = self.file(of: command)
        let name = NSRegularExpression.escapedPattern(for: "file=\(file),line=")
        let form = try Regex(
            "^::(error|warning) \(name)\\d+,endLine=\\d+,col=\\d+,endColumn=\\d+,title="
        )
        #expect(commands.first?.firstMatch(of: form) != nil, "\(output)")
    }
}
