// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import ScenarioKit

/// Tests of the reports of a run that other programs read.
struct ReportFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(
            "main.lua",
            """
            router.start(function() return router.nav { router.screen "Home" } end)
            router.register("Page", "show", function() return router.screen "Page" end)
            """
        )
        try folder.write(
            "a.scenario",
            """
            use main.lua

            background
              start

            scenario "A page"
              note "a < b & \\u{7}"
              navigate Page/show

            scenario "100%, \\"and\\" <more>"
              navigate Page/show
              expect tree nav[Home]

            skip "Later"
              navigate Page/show
            """
        )
        try folder.write("b.scenario", "use main.lua\n\nscenario \"Typo\"\n  navigat Page/show\n")
    }

    private func text(_ option: String) throws -> String {
        let file = try ReportFile(option)
        let paths = ["a", "b"].map { "\(folder.path)/\($0).scenario" }
        var command = RunCommand(paths: paths)
        command.timeOfDay = { 1_767_225_600.7 }
        let report = command.run(.silent)
        return file.text(of: report)
            .replacing(/time="[\d.]+"/, with: "time=\"0.000\"")
            .replacing(folder.path, with: "FOLDER")
            // In the names of classes.
            .replacing(
                folder.path.dropFirst().replacing(".", with: "_").replacing("/", with: "."),
                with: "FOLDER"
            )
            // In properties of GitHub's commands.
            .replacing(folder.path.replacing(":", with: "%3A"), with: "FOLDER")
    }

    @Test(
        "a JUnit report and GitHub annotations have each failure with its location",
        arguments: ["junit=F", "github"]
    )
    func golden(_ option: String) throws {
        let name = option == "github" ? "report.github.txt" : "report.junit.xml"
        let file = packageFolder.appending(path: "Tests/Listings/\(name)")
        try expectGolden(try text(option), file)
    }

    @Test("a GitHub annotation is at the line of the script's error, and names the scenarios")
    func annotations() throws {
        try folder.write(".git/HEAD", "ref")
        try folder.write(
            "app/main.lua",
            """
            router.start(function() return router.nav { router.screen "Home" } end)
            router.register("Page", "show", function(info)
              return router.screen(info.name:upper())
            end)
            """
        )
        try folder.write(
            "app/a.scenario",
            """
            use main.lua
            background
              start
            macro page
              expect top Page
            scenario "One"
              navigate Page/show
            scenario "Two"
              navigate Page/show as go
              expect go done
            scenario "Row"
              navigate Page/show(id=<id>)
              each
                | id |
                | 1  |
                | 2  |
            scenario "Three"
              do page
            scenario "Four"
              do page
            scenario "Five"
              expect top Other
            """
        )
        let report = RunCommand(paths: ["\(folder.path)/app/a.scenario"]).run(.silent)
        let lines = try ReportFile("github").text(of: report)
            .replacing(folder.path, with: "FOLDER").split(separator: "\n")
        let error = "attempt to index a nil value (field 'name')"
        let failure = """
            expect top does not hold%0Athe tree has Home here%0Aactual: Home%0A\
            because: line 3 start → built nav → openWindow
            """
        #expect(
            lines == [
                "::error file=app/main.lua,line=3,endLine=3,col=29,endColumn=33,title=4 scenarios::navigate failed%0Ascript: \(error)%0Ascenarios: One (FOLDER/app/a.scenario:6), Two (FOLDER/app/a.scenario:8), Row (FOLDER/app/a.scenario:15), and 1 more",
                "::error file=app/a.scenario,line=5,endLine=5,col=14,endColumn=18,title=2 scenarios::\(failure)%0Ascenarios: Three (FOLDER/app/a.scenario:17), Four (FOLDER/app/a.scenario:19)",
                "::error file=app/a.scenario,line=22,endLine=22,col=14,endColumn=19,title=Five::\(failure)",
            ]
        )
    }

    /// Returns the attributes of the elements with the given name.
    private func elements(_ name: String, _ xml: String) throws -> [[String: String]] {
        let element = try Regex(
            "<\(name)((?: \\w+=\"[^\"]*\")*)/?>",
            as: (Substring, Substring).self
        )
        return xml.matches(of: element).map { match in
            let attributes = match.output.1.matches(of: /(\w+)="([^"]*)"/)
            return Dictionary(uniqueKeysWithValues: attributes.map { (String($0.1), String($0.2)) })
        }
    }

    @Test("each case of a JUnit report has a name, a class, a file, a line and one failure")
    func junit() throws {
        try folder.write(".git/HEAD", "ref")
        try folder.write("other.lua", "router.start(")
        try folder.write(
            "v1.2/t.scenario",
            """
            use ../main.lua
            background
              start
            scenario "Row"
              navigate Page/show
              expect depth <n>
              each
                | n |
                | 1 |
                | 2 |
            scenario "Row <n>"
              navigate Page/show
              expect not top Page
              expect depth 7
              each
                | n |
                | 1 |
            """
        )
        try folder.write("c.scenario", "use other.lua\nscenario \"C\"\n  start\n")
        let paths = ["v1.2/t", "c"].map { "\(folder.path)/\($0).scenario" }
        var command = RunCommand(paths: paths)
        command.timeOfDay = { 1_767_225_600.7 }
        let report = command.run(.silent)
        let xml = try ReportFile("junit=F").text(of: report)
        let cases = try elements("testcase", xml)
        #expect(cases.map { $0["name"] } == ["Row #1", "Row #2", "Row 1", "file"])
        #expect(cases.map { $0["line"] } == ["9", "10", "17", "1"])
        #expect(
            cases.allSatisfy { $0["time"] != nil && $0["file"]?.hasSuffix(".scenario") == true }
        )
        let classes = cases.compactMap { $0["classname"]?.split(separator: ".").last }
        #expect(classes == ["t", "t", "t", "c"], "\(cases)")
        #expect(cases.first?["classname"]?.hasSuffix(".v1_2.t") == true)
        #expect(try elements("failure", xml).count == report.count(of: .failed))
        let suites = try elements("testsuite", xml)
        #expect(suites.map { $0["timestamp"] } == Array(repeating: "2026-01-01T00:00:00", count: 2))
    }

    @Test("an error that occurs in several files is printed once, with one annotation")
    func repeatedErrors() throws {
        try folder.write("other.lua", "router.start(")
        for name in ["c", "d", "e"] {
            try folder.write("\(name).scenario", "use other.lua\nscenario \"C\"\n  start\n")
        }
        let paths = ["c", "a", "d", "e"].map { "\(folder.path)/\($0).scenario" }
        var errors = ""
        let report = RunCommand(paths: paths).run(
            Console(output: { _ in }, errors: { errors += $0.text })
        )
        #expect(errors.components(separatedBy: "error[").count == 2, "\(errors)")
        #expect(errors.contains("= used    by 3 files"), "\(errors)")
        #expect(report.filesNotRun == 3)
        let commands = try ReportFile("github").text(of: report).split(separator: "\n")
        let own = commands.filter { $0.contains("other.lua") }
        #expect(own.count == 1 && own[0].contains("title=L0301::"), "\(commands)")
    }

    @Test("the JSON report has the same schema as the output of 'run --json'")
    func json() throws {
        let text = try text("json=F")
        let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        #expect(document?["schema"] as? String == "luaroute.run/1")
    }

    @Test("an XML report is well-formed whatever the texts contain")
    func characters() throws {
        let scalars = (0...0x2FFF).compactMap(Unicode.Scalar.init) + ["\u{FFFE}", "\u{FFFF}", "🎉"]
        for scalar in scalars where scalar != "\n" && scalar != "\r" && scalar != "\"" {
            #expect(
                XML.escaped(String(scalar)).unicodeScalars.allSatisfy { scalar in
                    scalar == "\t" || scalar >= " " && ![0xFFFE, 0xFFFF].contains(scalar.value)
                }
            )
        }
    }

    @Test(
        "the option names a format and a file; only the format 'github' needs no file",
        arguments: [
            ("junit=a.xml", "a.xml"), ("json=-", "-"), ("github", "-"), ("github=a=b", "a=b"),
            ("junit", nil), ("junit=", nil), ("html", nil), ("xml=a", nil), ("", nil),
        ]
    )
    func options(_ option: String, _ path: String?) {
        #expect((try? ReportFile(option))?.path == path)
    }

    @Test("a report that cannot be written is an error, and the other reports are still written")
    func unwritable() throws {
        let command = RunCommand(paths: ["\(folder.path)/a.scenario"])
        let report = command.run(.silent)
        var (errors, saved) = ("", [String]())
        let code = command.write(
            try ["junit=a", "json=b"].map { try ReportFile($0) },
            of: report,
            to: Console(
                output: { _ in },
                errors: { errors += $0 },
                save: { _, path in
                    saved.append(path)
                    return path == "a" ? "no space" : nil
                }
            )
        )
        #expect(code == .outputFailed)
        #expect(errors.contains("'a' cannot be written: no space"))
        #expect(saved == ["a", "b"])
    }
}
