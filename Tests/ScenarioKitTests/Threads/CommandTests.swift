// SPDX-License-Identifier: MIT

import Foundation
import ScenarioKit
import Testing

/// Tests of the selection of scenarios, the number of threads, and the output.
struct CommandTests {
    private static let scenarios = """
        use app.lua
        scenario "Signing in"  @auth @fast
          start
        scenario "Signing out"  @auth @slow
          start
        skip "Paying"  @slow
          start
        scenario "The Basket is empty"
          start
          expect tree Basket
        scenario "Ende: ÄRGER"  @fast
          note "a \\"note\\""
          start

        """

    private let folder = FileManager.default.temporaryDirectory
        .appending(path: "luaroute-\(UUID().uuidString)")

    /// Runs a command with the scenarios above, and with the scenarios `more` in a second file.
    private func withCommand(
        _ more: String = "",
        _ body: (inout RunCommand) throws -> Void
    ) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in [
            ("app.lua", "router.start(function() return router.screen('Main') end)"),
            ("broken.lua", "error('no')"),
            ("a.scenario", Self.scenarios), ("b.scenario", more),
        ] where !text.isEmpty {
            let url = folder.appending(path: name)
            try text.write(to: url, atomically: true, encoding: .utf8)
        }
        var command = RunCommand(paths: [folder.path()])
        try body(&command)
    }

    private func run(
        _ command: RunCommand,
        isColored: Bool = false
    ) -> (report: RunReport, output: String, errors: String) {
        var output = ""
        var errors = ""
        var console = Console(output: { output += $0 }, errors: { errors += $0 })
        (console.style.isColored, console.errorStyle.isColored) = (isColored, isColored)
        let report = command.run(console)
        return (report, relative(output), relative(errors))
    }

    private func relative(_ text: String) -> String {
        text.replacingOccurrences(of: folder.path() + "/", with: "")
    }

    private func names(_ report: RunReport) -> [String] {
        report.files.flatMap { $0.scenarios.map(\.name) }
    }

    // MARK: Selecting

    @Test(
        "a part of the name selects scenarios, ignoring case",
        arguments: [
            ("signing", ["Signing in", "Signing out"]),
            ("BASKET is", ["The Basket is empty"]),
            ("ärger", ["Ende: ÄRGER"]),
            ("", ["Signing in", "Signing out", "Paying", "The Basket is empty", "Ende: ÄRGER"]),
            ("nowhere", []),
        ]
    )
    func filter(_ text: String, _ expected: [String]) throws {
        try withCommand { command in
            command.filter.names = [text]
            #expect(names(run(command).report) == expected)
        }
    }

    @Test(
        "in tag conditions, a comma means 'and' and '!' means 'not'; several conditions mean 'or'",
        arguments: [
            (["auth"], ["Signing in", "Signing out"]),
            (["@auth,!slow"], ["Signing in"]),
            (["auth, slow"], ["Signing out"]),
            (["!auth,!slow"], ["The Basket is empty", "Ende: ÄRGER"]),
            (["auth,slow", "fast"], ["Signing in", "Signing out", "Ende: ÄRGER"]),
            (["Auth"], []),
        ]
    )
    func tags(_ conditions: [String], _ expected: [String]) throws {
        try withCommand { command in
            command.filter.tags = try conditions.map { try TagCondition($0) }
            #expect(names(run(command).report) == expected)
        }
    }

    @Test("an invalid tag is an error", arguments: ["", ",", "a,", "!", "a b", "1", "!!a"])
    func badTags(_ text: String) {
        #expect(throws: UsageError.self) { try TagCondition(text) }
    }

    @Test("a scenario is selected only if its name, its tags and its line all match")
    func together() throws {
        try withCommand { command in
            command.filter.names = ["nowhere", "sign"]
            command.filter.tags = [try TagCondition("slow")]
            #expect(names(run(command).report) == ["Signing out"])
            command.paths = ["\(folder.path())/a.scenario:3"]
            #expect(run(command).report.exitCode == .nothingSelected)
        }
    }

    // MARK: Listing

    @Test("each row of a table is listed with the row's line number")
    func listRows() throws {
        let rows = """
            use app.lua
            scenario "Row <n>"
              note "<n>"
              each
                | n |
                | 1 |
                | 2 |

            """
        try withCommand(rows) { command in
            command.filter.names = ["Row"]
            var output = ""
            _ = command.list(Console(output: { output += $0 }, errors: { _ in }))
            #expect(relative(output) == "b.scenario:6  Row 1\nb.scenario:7  Row 2\n")
        }
    }

    @Test("a list has the location, the name and the tags of each scenario")
    func list() throws {
        try withCommand("use broken.lua\nscenario \"Two\\nlines\"\n  start") { command in
            var output = ""
            var errors = ""
            let code = command.list(Console(output: { output += $0 }, errors: { errors += $0 }))
            #expect(
                relative(output) == """
                    a.scenario:2  Signing in  @auth @fast
                    a.scenario:4  Signing out  @auth @slow
                    a.scenario:8  The Basket is empty
                    a.scenario:11  Ende: ÄRGER  @fast
                    b.scenario:2  Two lines

                    """
            )
            #expect(errors.isEmpty)
            #expect(code == .success)
        }
    }

    @Test("listing fails if no scenario is selected, or if a file does not parse")
    func emptyList() throws {
        try withCommand("scenari \"x\"") { command in
            var errors = ""
            #expect(
                command.list(Console(output: { _ in }, errors: { errors += $0 }))
                    == .scenarioInvalid
            )
            #expect(errors.hasPrefix("error[S0105]"))
            command.paths = ["\(folder.path())/a.scenario"]
            command.filter.names = ["nowhere"]
            #expect(command.list(.silent) == .nothingSelected)
        }
    }

    // MARK: Running

    @Test(
        "a run that stops at the first failure counts the scenarios that were not run",
        arguments: [1, 4]
    )
    func failFast(_ jobs: Int) throws {
        try withCommand(Self.scenarios) { command in
            command.stopsAtFailure = true
            command.jobs = jobs
            let (report, output, _) = run(command)
            #expect(
                names(report)
                    == ["Signing in", "Signing out", "Paying", "The Basket is empty"]
            )
            #expect(output.hasSuffix("\n2 passed, 1 failed, 1 skipped, 6 not run\n"))
            #expect(report.exitCode == .failed)
        }
    }

    @Test(
        "a script that does not load is reported once, whatever the number of threads",
        arguments: [1, 8]
    )
    func loadFailure(_ jobs: Int) throws {
        let scenarios = (1...99).map { "scenario \"\($0)\"\n  start\n" }
        let broken = "use broken.lua\n" + scenarios.joined()
        try withCommand(broken) { command in
            command.jobs = jobs
            let (report, output, errors) = run(command)
            #expect(errors.split(separator: "\n").count { $0.hasPrefix("error") } == 1)
            #expect(output.hasSuffix("\n3 passed, 1 failed, 1 skipped, 1 file not run\n"))
            #expect(report.exitCode == .scriptFailed)
            command.stopsAtFailure = true
            command.paths.insert("\(folder.path())/b.scenario", at: 0)
            #expect(run(command).output == "0 passed, 0 failed, 5 not run, 1 file not run\n")
        }
    }

    @Test("results are in the order of the files, whichever thread finishes first")
    func order() throws {
        let more = (0..<200).map { "scenario \"\($0)\"\n  start\n" }.joined()
        try withCommand("use app.lua\n\(more)") { command in
            command.jobs = 1
            let one = run(command)
            command.jobs = 7
            let seven = run(command)
            #expect(one.output == seven.output)
            #expect(names(seven.report).count == 205)
        }
    }

    // MARK: JSON

    @Test("the JSON output has the content of the text output, with locations")
    func json() throws {
        try withCommand("use broken.lua\nscenario \"b\"\n  start") { command in
            command.format = .json
            let (_, output, errors) = run(command)
            let value = try JSONSerialization.jsonObject(with: Data(output.utf8))
            let document = try #require(value as? [String: Any])
            #expect(document["schema"] as? String == "luaroute.run/1")
            #expect(document["exitCode"] as? Int == 3)
            #expect(
                document["counts"] as? [String: Int]
                    == [
                        "passed": 3, "failed": 1, "skipped": 1, "known": 0, "notRun": 0,
                        "filesNotRun": 1, "filesFailed": 0, "warnings": 0,
                    ]
            )
            let files = try #require(document["files"] as? [[String: Any]])
            #expect(files.map { $0["file"] as? String } == ["a.scenario", "b.scenario"])
            let scenarios = try #require(document["scenarios"] as? [[String: Any]])
            let outcomes = scenarios.map { $0["outcome"] as? String }
            #expect(outcomes == ["passed", "passed", "skipped", "failed", "passed"])
            #expect(scenarios[0]["tags"] as? [String] == ["auth", "fast"])
            #expect(scenarios[4]["notes"] as? [String] == ["a \"note\""])
            let failed = scenarios[3]
            #expect(failed["line"] as? Int == 8)
            let failure = try #require((failed["failures"] as? [[String: Any]])?.first)
            #expect(failure["code"] as? String == "S0301")
            #expect(failure["message"] as? String == "expect tree does not hold")
            let place = try #require(failure["location"] as? [String: Any])
            #expect(place["file"] as? String == "a.scenario")
            #expect(place["line"] as? Int == 10)
            #expect(place["column"] as? Int == 15)
            #expect(place["length"] as? Int == 6)
            #expect(errors.hasPrefix("error[L0301]"))
        }
    }

    // MARK: Colours

    struct ColorCase: Sendable {
        let choice: ColorChoice
        let isTerminal: Bool
        let environment: [String: String]
        let isColored: Bool
    }

    static let colorCases: [ColorCase] = [
        (.auto, true, [:], true),
        (.auto, false, [:], false),
        (.auto, true, ["TERM": "xterm"], true),
        (.auto, true, ["TERM": "dumb"], false),
        (.auto, true, ["NO_COLOR": "1"], false),
        (.auto, true, ["NO_COLOR": ""], true),
        (.auto, false, ["CLICOLOR_FORCE": "1"], true),
        (.auto, false, ["CLICOLOR_FORCE": "0"], false),
        (.auto, false, ["FORCE_COLOR": "1"], true),
        (.auto, false, ["FORCE_COLOR": "3", "TERM": "dumb"], true),
        (.auto, false, ["FORCE_COLOR": "0"], false),
        (.auto, false, ["FORCE_COLOR": ""], false),
        (.auto, false, ["FORCE_COLOR": "0", "CLICOLOR_FORCE": "1"], true),
        (.auto, true, ["FORCE_COLOR": "1", "NO_COLOR": "1"], false),
        (.never, true, ["FORCE_COLOR": "1"], false),
        (.auto, false, ["CLICOLOR_FORCE": ""], false),
        (.auto, false, ["CLICOLOR_FORCE": "1", "TERM": "dumb"], true),
        (.auto, true, ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], false),
        (.always, false, ["NO_COLOR": "1", "TERM": "dumb"], true),
        (.never, true, ["CLICOLOR_FORCE": "1"], false),
    ].map { ColorCase(choice: $0, isTerminal: $1, environment: $2, isColored: $3) }

    @Test(
        "the command line and the environment determine whether the output has colours",
        arguments: colorCases
    )
    func colors(_ color: ColorCase) {
        let isColored = color.choice.isColored(isTerminal: color.isTerminal) {
            color.environment[$0]
        }
        #expect(isColored == color.isColored)
    }

    @Test("only marks and error codes are coloured")
    func coloredText() throws {
        try withCommand("scenari \"x\"") { command in
            let plain = run(command)
            let colored = run(command, isColored: true)
            let strip = { (text: String) in text.replacing(/\u{1B}\[\d+m/, with: "") }
            #expect(colored.output != plain.output)
            #expect(strip(colored.output) == plain.output)
            #expect(strip(colored.errors) == plain.errors)
            #expect(colored.output.contains("\u{1B}[31m✘\u{1B}[0m The Basket"))
            #expect(colored.output.contains("\u{1B}[33m○\u{1B}[0m Paying"))
        }
    }
}
