// SPDX-License-Identifier: MIT

import ScenarioKit
import TestSupport
import Testing

/// Tests of the list of failures at the end of a run.
struct FailureListTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("main.lua", "router.start(function() return router.screen 'Home' end)")
    }

    private func run(failures: Int, all: Bool = false) throws -> String {
        let scenarios = (1...max(1, failures)).map { number in
            "scenario \"S\(number)\"\n  start\n  expect top \(failures == 0 ? "Home" : "Other")\n"
        }
        try folder.write("a.scenario", "use main.lua\n" + scenarios.joined())
        var command = RunCommand(paths: ["\(folder.path)/a.scenario"])
        command.showsAllFailures = all
        var output = ""
        command.run(Console { output += $0 })
        return output
    }

    @Test(
        "several failures are listed at the end, each with the command to rerun it",
        arguments: [(0, false), (1, false), (2, true)]
    )
    func list(_ failures: Int, _ isListed: Bool) throws {
        let output = try run(failures: failures)
        #expect(output.contains("\(failures) failed:\n") == isListed, "\(output)")
        let line = "  luaroute run \(folder.path)/a.scenario:5  # S2\n"
        #expect(output.contains(line) == isListed, "\(output)")
    }

    @Test("rows of a table that fail at the same step share one printed description")
    func rows() throws {
        try folder.write(
            "a.scenario",
            """
            use main.lua
            scenario "Row <n>"
              start
              expect depth <n>
              expect top Home
              each
                | n |
                | 7 |
                | 8 |
                | 1 |
            scenario "Other"
              start
              expect depth 9
            """
        )
        var output = ""
        RunCommand(paths: ["\(folder.path)/a.scenario"])
            .run(Console(output: { output += $0 }, errors: { _ in }))
        #expect(output.matches(of: /expect depth does not hold/).count == 2, "\(output)")
        #expect(
            output.contains("  the same failure as on line 8: no stack is visible, actual Home\n"),
            "\(output)"
        )
    }

    @Test("a row is compared with all earlier rows of its table, also after 50 different failures")
    func manyRows() throws {
        let rows = (Array(1...51) + [51]).map { "    | \($0) |\n" }.joined()
        try folder.write(
            "a.scenario",
            """
            use main.lua
            scenario "Row <n>"
              start
              navigate Page<n>/show
              each
                | n |

            """ + rows
        )
        var command = RunCommand(paths: ["\(folder.path)/a.scenario"])
        command.showsAllFailures = true
        var output = ""
        command.run(Console(output: { output += $0 }, errors: { _ in }))
        #expect(output.matches(of: /the same failure as on line/).count == 1, "\(output)")
        #expect(output.contains("  the same failure as on line 57: notFound: "), "\(output)")
    }

    @Test(
        "after 50 failures only the locations of failed scenarios are printed, unless '--all' is used"
    )
    func limit() throws {
        func blocks(_ text: String) -> Int { text.matches(of: /expect top does not hold/).count }
        let output = try run(failures: 52)
        #expect(blocks(output) == 50)
        #expect(output.contains("✘ S52 ") && output.contains("# S52\n"), "\(output)")
        #expect(blocks(try run(failures: 52, all: true)) == 52)
    }
}
