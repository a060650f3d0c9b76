// SPDX-License-Identifier: MIT

import Foundation
import ScenarioKit
import TestSupport
import Testing

/// Tests of the folder to which the paths in scenario files are limited.
struct FileRootTests {
    private static let script = "router.start(function() return router.screen \"Main\" end)"
    private static let scenario = "scenario \"Begins\"\n  start\n"

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("secret.txt", "password | hunter2\n")
        try folder.write("outside.lua", Self.script)
        try folder.write("project/luaroute.json", "{}")
        try folder.write("project/app.lua", Self.script)
        try folder.write("project/macros.inc", "macro begin\n  start\n")
        try folder.write("project/rows.csv", "n\n1\n")
    }

    private func run(
        _ text: String,
        at path: String = "project/tests/a.scenario",
        _ change: (inout RunCommand) -> Void = { _ in }
    ) throws -> (code: ExitCode, text: String) {
        try folder.write(path, text)
        return runPath(path, change)
    }

    private func runPath(
        _ path: String,
        _ change: (inout RunCommand) -> Void = { _ in }
    ) -> (code: ExitCode, text: String) {
        var text = ""
        var command = RunCommand(paths: ["\(folder.path)/\(path)"])
        change(&command)
        let report = command.run(Console { text += $0 })
        return (report.exitCode, text)
    }

    private func link(_ name: String, to path: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/\(name)",
            withDestinationPath: path
        )
    }

    @Test(
        "paths within the project are read from any folder in the project",
        arguments: [
            "use ../app.lua\n" + scenario,
            "use ../app.lua\ninclude ../macros.inc\nscenario \"Begins\"\n  do begin\n",
            "use ../app.lua\nscenario \"<n>\"\n  start\n  note \"<n>\"\n  each from ../rows.csv\n",
            "use ../app.lua\nscenario \"Reloads\"\n  start\n  reload ../app.lua\n",
        ]
    )
    func inside(_ text: String) throws {
        let (code, output) = try run(text)
        #expect(code == .success, "\(output)")
    }

    @Test(
        "a path that leads out of the project is an error at its location, without the content of the file",
        arguments: [
            ("use ../../outside.lua\n" + scenario, "1:5", "../../outside.lua"),
            ("use ../app.lua\ninclude ../../secret.txt\n" + scenario, "2:9", "../../secret.txt"),
            ("use ../app.lua\ninclude ../linked.txt\n" + scenario, "2:9", "../linked.txt"),
            (
                "use ../app.lua\ninclude ../linked/secret.txt\n" + scenario, "2:9",
                "../linked/secret.txt"
            ),
            ("use ../linked.lua\n" + scenario, "1:5", "../linked.lua"),
            ("use /etc/hostname\n" + scenario, "1:5", "/etc/hostname"),
            ("use ../app.lua\ninclude /etc/nothing/here\n" + scenario, "2:9", "/etc/nothing/here"),
            (
                "use ../app.lua\nscenario \"<n>\"\n  note \"<n>\"\n  each from ../../secret.txt\n",
                "4:13",
                "../../secret.txt"
            ),
            (
                "use ../app.lua\nscenario \"Reloads\"\n  start\n  reload ../../outside.lua\n",
                "4:3",
                "../../outside.lua"
            ),
            (
                "use ../app.lua\nbackground\n  reload ../../outside.lua\n" + scenario, "3:3",
                "../../outside.lua"
            ),
            (
                "use ../app.lua\nmacro again\n  reload failing ../../outside.lua\n" + scenario,
                "3:3",
                "../../outside.lua"
            ),
        ]
    )
    func outside(_ text: String, _ place: String, _ path: String) throws {
        try link("project/linked.txt", to: "../secret.txt")
        try link("project/linked.lua", to: "../outside.lua")
        try link("project/linked", to: "..")
        let (code, output) = try run(text)
        #expect(code == .scenarioInvalid)
        #expect(output.contains("error[S0204]: '\(path)' is outside of '"))
        #expect(output.contains("/project'\n"))
        #expect(output.contains("a.scenario:\(place)\n"))
        #expect(output.contains("'--file-root DIR'"))
        #expect(!output.contains("hunter2"))
    }

    @Test("'--file-root' sets another root, which does not limit '--script'")
    func option() throws {
        let text = "use ../../outside.lua\n" + Self.scenario
        #expect(try run(text) { $0.options.fileRoot = folder.path }.code == .success)
        #expect(try run(text) { $0.options.script = "\(folder.path)/outside.lua" }.code == .success)
        let narrow = try run("use ../app.lua\n" + Self.scenario) {
            $0.options.fileRoot = "\(folder.path)/project/tests"
        }
        #expect(narrow.code == .scenarioInvalid)
        let missing = try run(text) { $0.options.fileRoot = "\(folder.path)/nowhere" }
        #expect(missing.code == .inputMissing)
        #expect(missing.text.contains("no file or folder"))
    }

    @Test("a scenario file that is a symbolic link out of the project is not read")
    func linkedScenario() throws {
        try folder.write("project/real/a.scenario", "use ../app.lua\n" + Self.scenario)
        try link("project/real/evil.scenario", to: "../../secret.txt")
        let (code, output) = runPath("project/real")
        #expect(code == .scenarioInvalid)
        #expect(output.contains("evil.scenario' is a symbolic link to a file outside of '"))
        #expect(output.contains("1 passed"))
        #expect(!output.contains("hunter2"))
    }

    @Test("without a project, the folder given on the command line is the root")
    func noProject() throws {
        let text = "use ../other.lua\n" + Self.scenario
        try folder.write("loose/other.lua", Self.script)
        #expect(try run(text, at: "loose/tests/a.scenario").code == .scenarioInvalid)
        #expect(runPath("loose").code == .success)
    }
}
