// SPDX-License-Identifier: MIT

import Foundation
import LuaVM
import TestSupport
import Testing

@testable import ScenarioKit

/// Tests of `run --coverage`, which reports the parts and lines of scripts that scenarios reach.
struct CoverageTests {
    private static let script = """
        local pages = require "pages"
        router.start(function() return router.nav { router.screen "Home" } end)
        router.register("Page", "show", {
          find = { class = "Page", by = "id" },
          info = { id = "integer" },
          build = router.screen "Page",
          intercept = "login",
          from = router.switch {
            { when = function(info) return info.id == 9 end, from = "current" },
            default = "root",
          },
        })
        router.register("Old", "show", {
          enabled = function() return router.state.old end,
          fallback = { "Page", "show" },
          build = router.screen "Old",
        })
        router.interceptor("login", function()
          if not router.state.user then
            router.log.info("nobody")
          end
        end)
        router.interceptor("never", function() end)
        router.registerTask("Cart", "total", function(info)
          if info.count > 10 then
            return 0
          end
          return info.count
        end)
        pages.use()
        """
    private static let pages = """
        local pages = {}
        function pages.use()
          return 1
        end
        function pages.unused()
          local a = 1

          return a
        end
        return pages
        """

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("main.lua", Self.script)
        try folder.write("pages.lua", Self.pages)
    }

    private func run(_ steps: [String], minimum: Int? = nil) throws -> (RunReport, String) {
        let text = steps.map { "  \($0)\n" }.joined()
        try folder.write("a.scenario", "use main.lua\nscenario \"S\"\n" + text)
        var command = RunCommand(paths: ["\(folder.path)/a.scenario"])
        command.options.measuresCoverage = true
        command.minimumCoverage = minimum
        var output = ""
        let report = command.run(Console { output += $0 })
        return (report, output.replacingOccurrences(of: folder.path + "/", with: ""))
    }

    private func missed(_ report: RunReport) -> [String] {
        report.coverage?.parts.filter { $0.count == 0 }.map { "\($0.kind) \($0.name)" } ?? []
    }

    private static let all = [
        "task Cart/total", "route Old/show", "route Page/show", "interceptor login",
        "interceptor never", "case main.lua:8 case 1", "case main.lua:8 default",
        "fallback Old/show", "reuse Page/show found", "reuse Page/show built",
    ]

    @Test(
        "using a part of the scripts marks only that part as reached",
        arguments: [
            ([], []),
            (["doTask Cart/total(count=1)"], ["task Cart/total"]),
            (
                ["navigate Page/show(id=1)"],
                [
                    "route Page/show", "interceptor login", "case main.lua:8 default",
                    "reuse Page/show built",
                ]
            ),
            (
                ["given nav[Home, Page(id=9)]", "navigate Page/show(id=9)"],
                ["route Page/show", "interceptor login", "reuse Page/show found"]
            ),
            (
                ["navigate Page/show(id=9)"],
                [
                    "route Page/show", "interceptor login", "case main.lua:8 case 1",
                    "reuse Page/show built",
                ]
            ),
            (
                ["set state.old = true", "navigate Old/show"],
                ["route Old/show"]
            ),
            (
                ["navigate Old/show(id=1)"],
                [
                    "fallback Old/show", "route Page/show", "interceptor login",
                    "case main.lua:8 default", "reuse Page/show built",
                ]
            ),
            (["navigate Page/show", "expect error badInfo"], []),
        ] as [([String], [String])]
    )
    func parts(_ steps: [String], _ reached: [String]) throws {
        let (report, output) = try run(["start"] + steps)
        #expect(report.exitCode == .success, "\(output)")
        #expect(missed(report) == Self.all.filter { !reached.contains($0) })
    }

    @Test(
        "a parent step reaches the two parts of its reuse policy, as the target does",
        arguments: [
            ([], []), (["navigate C/show"], ["A built", "B built", "C built"]),
            (
                ["given nav[Home, A]", "navigate C/show"],
                ["A found", "B built", "C built"]
            ),
            (
                ["navigate B/show", "navigate C/show", "navigate C/show"],
                ["A built", "B found", "B built", "C found", "C built"]
            ),
            (["given nav[Home, A]", "navigate D/show", "expect error badInfo"], []),
        ] as [([String], [String])]
    )
    func parents(_ steps: [String], _ reached: [String]) throws {
        // A loop declares several routes at the same location. 'D/show' builds nothing.
        try folder.write(
            "main.lua",
            """
            local register, screen = router.register, router.screen
            router.start(function() return router.nav { screen "Home" } end)
            for name, from in pairs { A = "root", B = { "A", "show" } } do
              register(name, "show", { find = name, build = screen(name), from = from })
            end
            register("C", "show", { find = "C", build = screen "C", from = { "B", "show" } })
            register("D", "show", { build = function() return nil end, from = { "C", "show" } })
            """
        )
        let (report, output) = try run(["start"] + steps)
        #expect(report.exitCode == .success, "\(output)")
        let parts = ["A", "B", "C"].flatMap { ["\($0) found", "\($0) built"] }
        let missed = parts.filter { !reached.contains($0) }.map { "reuse \($0)" }
        #expect(
            self.missed(report).filter { $0.hasPrefix("reuse") }
                .map { $0.replacing("/show", with: "") } == missed,
            "\(output)"
        )
    }

    @Test("lines with code that did not run are listed by file")
    func lines() throws {
        let (report, output) = try run(["start", "navigate Page/show(id=1)"])
        let files = try #require(report.coverage?.files)
        #expect(files.map(\.missedRanges) == [["25–28"], ["6–8"]], "\(output)")
        #expect(files.map(\.path.last) == ["a", "a"])
        #expect(output.contains("pages.lua") && output.contains("not 6–8"), "\(output)")
    }

    @Test("lines in coroutines and in functions that are called later are counted")
    func later() throws {
        try folder.write(
            "main.lua",
            """
            router.start(function() return router.nav { router.screen "Home" } end)
            router.export("wait", function()
              router.sleep(5)
              router.log.info("later")
            end)
            router.export("delay", function()
              router.delay(5, function()
                router.log.info("due")
              end)
            end)
            """
        )
        func ranges(_ steps: [String]) throws -> [String] {
            try run(["start"] + steps).0.coverage?.files.first?.missedRanges ?? ["none"]
        }
        #expect(try ranges([]) == ["3–4", "7–9"])
        #expect(try ranges(["call wait", "call delay", "cancel links"]) == ["4", "8"])
        #expect(try ranges(["call wait", "call delay", "advance 5s"]) == [])
    }

    @Test("lines that ran before a reload are counted for the file that contained them")
    func reloads() throws {
        try folder.write("main.lua", "router.export('ok', function()\n  return 1\nend)\n")
        try folder.write("new/main.lua", "router.export('no', function()\n  return 1\nend)\n")
        let (report, output) = try run(["call ok", "reload new/main.lua"])
        let files = try #require(report.coverage?.files)
        #expect(files.map(\.missedRanges) == [[], ["2"]], "\(output)")
    }

    @Test("scripts that are named in two ways are loaded only once")
    func spellings() throws {
        try folder.write("main.lua", "router.export('ok', function()\n  return 1\nend)\n")
        try folder.write("a.scenario", "use main.lua\nscenario \"A\"\n  call ok\n")
        try folder.write("b.scenario", "use ./main.lua\nscenario \"B\"\n  advance 1s\n")
        var command = RunCommand(paths: [folder.path])
        command.options.measuresCoverage = true
        let report = command.run(.silent)
        #expect(report.coverage?.files.map(\.missedRanges) == [[]])
    }

    @Test("counting lines does not prevent a script from exceeding its budget")
    func budget() throws {
        try folder.write("main.lua", "router.export('spin', function() while true do end end)")
        let (_, output) = try run(["call spin"])
        #expect(output.contains("instruction budget exceeded"), "\(output)")
    }

    @Test(
        "the run fails if the line or part coverage is below the minimum, and reports both percentages",
        arguments: [(0, ExitCode.success, 0), (50, .failed, 1), (99, .failed, 2)]
    )
    func minimum(_ minimum: Int, _ code: ExitCode, _ count: Int) throws {
        let (report, output) = try run(["start"], minimum: minimum)
        #expect(report.exitCode == code, "\(output)")
        #expect(
            report.diagnostics.map(\.code.description) == Array(repeating: "C0106", count: count)
        )
    }

    @Test("a tracefile contains each line, the parts as functions, and the cases as branches")
    func lcov() throws {
        let (report, _) = try run(["start", "navigate Page/show(id=1)"])
        let text = try ReportFile("lcov=-").text(of: report)
        let records = text.components(separatedBy: "end_of_record\n")
        #expect(records.count == 3 && records[2].isEmpty)
        for line in [
            "SF:\(folder.path)/main.lua", "FN:3,route Page/show", "FNDA:1,route Page/show",
            "FNDA:0,interceptor never", "BRDA:8,0,0,0", "BRDA:8,0,1,1", "BRF:2", "BRH:1", "DA:2,1",
            "DA:26,0",
        ] {
            #expect(records[0].contains(line + "\n"), "\(line) is not in\n\(text)")
        }
        #expect(records[1].contains("LF:9\nLH:7\n"), "\(text)")
    }

    @Test(
        "the lines with code are those with executable statements",
        arguments: [
            ("", []), ("-- a comment\n\n", []), ("return 1", [1]), ("local a", [1]),
            ("f(1,\n  2,\n  3)", [1, 2, 3]), ("local t = {\n  a = 1,\n  b = f(),\n}", [1, 2, 3]),
            ("function f()\nend", [1, 2]), ("function f()\n  return 1\nend", [1, 2, 3]),
            ("local f = function()\n  g()\nend\nf()", [2, 3, 4]),
            ("if a then\n  b()\nelse\n  c()\nend\nd()", [1, 2, 4, 6]),
            ("for i = 1, 2 do\n  f(i)\nend", [1, 2]), ("goto x\n::x::\nf()", [1, 3]),
        ] as [(String, [Int])]
    )
    func code(_ source: String, _ lines: [Int]) throws {
        #expect(try #require(LineSet(codeOf: Array(source.utf8))).lines == lines)
    }

    @Test("a script with a syntax error has no lines with code")
    func broken() {
        #expect(LineSet(codeOf: Array("if".utf8)) == nil)
    }

    @Test("lines are found in functions far apart and in functions with thousands of constants")
    func large() throws {
        let gap = String(repeating: "\n", count: 500)
        let calls = (1...2_000).map { "f('\($0)', \($0), \($0).5)" }.joined(separator: "\n")
        let source = "local a = 1\(gap)a = 2\(gap)function f()\(gap)a = 3 end\n" + calls
        let lines = try #require(LineSet(codeOf: Array(source.utf8))).lines
        #expect(Array(lines.prefix(4)) == [1, 501, 1_001, 1_501])
        #expect(lines.count == 4 + 2_000 && lines.last == 3_501)
    }
}
