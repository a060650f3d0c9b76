// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import ScenarioKit

/// The reports of a run for other programs.
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
        let report = RunCommand(paths: paths).run(output: { _ in }, errors: { _ in })
        return file.text(of: report)
            .replacing(/time="[\d.]+"/, with: "time=\"0.000\"")
            .replacing(folder.path, with: "FOLDER")
            // In properties of GitHub's commands.
            .replacing(folder.path.replacing(":", with: "%3A"), with: "FOLDER")
    }

    @Test("the reports have each failure with its location", arguments: ["junit=F", "github"])
    func golden(_ option: String) throws {
        let name = option == "github" ? "report.github.txt" : "report.junit.xml"
        let file = packageFolder.appending(path: "Tests/Listings/\(name)")
        try expectGolden(try text(option), file)
    }

    @Test("the JSON report is that of 'run --json'")
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
        "an option names a format and a file; only GitHub's annotations need none",
        arguments: [
            ("junit=a.xml", "a.xml"), ("json=-", "-"), ("github", "-"), ("github=a=b", "a=b"),
            ("junit", nil), ("junit=", nil), ("html", nil), ("xml=a", nil), ("", nil),
        ]
    )
    func options(_ option: String, _ path: String?) {
        #expect((try? ReportFile(option))?.path == path)
    }

    @Test("a report that cannot be written is an error, and the others are written")
    func unwritable() throws {
        let command = RunCommand(paths: ["\(folder.path)/a.scenario"])
        let report = command.run(output: { _ in }, errors: { _ in })
        var (errors, saved) = ("", [String]())
        let code = command.write(
            try ["junit=a", "json=b"].map { try ReportFile($0) },
            of: report,
            output: { _ in },
            errors: { errors += $0 },
            save: { _, path in
                saved.append(path)
                return path == "a" ? "no space" : nil
            }
        )
        #expect(code == .outputFailed)
        #expect(errors.contains("'a' cannot be written: no space"))
        #expect(saved == ["a", "b"])
    }
}
