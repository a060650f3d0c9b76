// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// The commands `luaroute check` and `luaroute explain-error`.
struct CheckTests {
    private static let folder = "Tests/Listings/check"
    private static let script = "\(folder)/suspicious.lua"

    @Test("the findings printed to stdout match the recorded output")
    func text() throws {
        let process = try CommandProcess(["check", Self.script])
        #expect(process.code == 1)
        #expect(process.errors.isEmpty)
        try expectGolden(process.output, listings.appending(path: "check/suspicious.txt"))
    }

    @Test("'--json' prints one document that matches the recorded output")
    func json() throws {
        let process = try CommandProcess(["check", Self.script, "--json", "--color", "always"])
        #expect(process.code == 1)
        #expect(process.errors.isEmpty)
        let file = listings.appending(path: "check/suspicious.json")
        try expectGolden(try readable(process.output), file)
    }

    @Test(
        "an unreadable scenario file in a folder is an error",
        arguments: [
            (
                "ln -s ../secret b.scenario",
                "'b.scenario' is a symbolic link to a file outside of '"
            ),
            ("ln -s nothing b.scenario", "cannot read 'b.scenario' (a broken symbolic link)"),
            ("printf x > \"$(printf 'b\\377.scenario')\"", "(its name is not UTF-8)"),
        ]
    )
    func found(_ make: String, _ error: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("secret", "hunter2\n")
        try folder.write("a/luaroute.json", "{}")
        try folder.write("a/main.lua", "router.start(function() return router.screen 'A' end)")
        let process = try CommandProcess(
            shell: "cd '\(folder.path)/a' && \(make) && \"$LUAROUTE\" check ."
        )
        let text = process.output + process.errors
        #expect(process.code != 0 && text.contains(error), "\(process.code) \(text)")
        #expect(!text.contains("hunter2"))
    }

    @Test(
        "the shipped examples have no findings",
        arguments: [
            "scripts/features", "scripts/links", "scripts/podcast", "scripts/shapes",
        ]
    )
    func examples(_ path: String) throws {
        let process = try CommandProcess(["check", path])
        #expect(process.code == 0, "\(process.output)\(process.errors)")
        #expect(process.output.hasSuffix(": nothing found\n"))
    }

    @Test(
        "'--fix' adds a missing API level after the first comments, and otherwise changes nothing",
        arguments: [
            ("", "router.api(1)\n"),
            ("-- A\n-- B\n\nlocal a\n", "-- A\n-- B\nrouter.api(1)\n\nlocal a\n"),
            ("--[[ A\n]]\n", "router.api(1)\n--[[ A\n]]\n"),
            ("-- A\r\nlocal a\r\n", "-- A\r\nrouter.api(1)\r\nlocal a\r\n"),
            ("-- A\n", "-- A\nrouter.api(1)\n"),
            ("router.api(1)\n", "router.api(1)\n"),
            ("if true then router.api(1) end\n", "if true then router.api(1) end\n"),
        ]
    )
    func fix(_ old: String, _ new: String) throws {
        let folder = try TemporaryFolder()
        let rest = "router.start(function() return router.screen \"A\" end)\n"
        try folder.write("main.lua", old + rest)
        for isFixed in [old == new, true] {
            let process = try CommandProcess(["check", "\(folder.path)/main.lua", "--fix"])
            #expect(process.code == 0)
            #expect(try folder.read("main.lua") == new + rest)
            #expect(process.output.contains("added 'router.api(1)'") != isFixed)
        }
    }

    @Test("'--fix' leaves scripts that do not load unchanged")
    func fixBroken() throws {
        let folder = try TemporaryFolder()
        try folder.write("main.lua", "local a =\n")
        let process = try CommandProcess(["check", "\(folder.path)/main.lua", "--fix"])
        #expect(process.code == 3)
        #expect(try folder.read("main.lua") == "local a =\n")
    }

    @Test(
        "an error in a script that only a scenario file names is reported at the line that names the script",
        arguments: [
            ("use nope.lua\n", 66, "a.scenario:1:5"), ("use broken.lua\n", 3, "used here"),
        ]
    )
    func use(_ text: String, _ code: Int32, _ place: String) throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "check-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let scenario = folder.appending(path: "a.scenario")
        let script = folder.appending(path: "broken.lua")
        try (text + "scenario \"A\"\n  start\n").write(
            to: scenario,
            atomically: true,
            encoding: .utf8
        )
        try "router.start(".write(to: script, atomically: true, encoding: .utf8)
        let process = try CommandProcess(["check", scenario.path()])
        #expect(process.code == code, "\(process.output)\(process.errors)")
        #expect(process.output.contains(place), "\(process.output)")
        #expect(process.output.contains("a.scenario:1"), "\(process.output)")
        let named = try CommandProcess(["check", script.path(), scenario.path()])
        #expect(!named.output.contains("used here"), "\(named.output)")
    }

    @Test(
        "the exit code depends on the findings",
        arguments: [
            ([], 66, " scenario files: ", "info loading"),
            (
                ["Tests/Scenarios/scripts/loading.lua"], 0, "1 script: nothing",
                "info loading  loading.lua:2"
            ),
            (["nowhere.lua"], 66, "", "no file or folder 'nowhere.lua'"),
            (["nowhere.lua", "--json"], 66, "\"exitCode\":66", "no file or folder"),
            (["Tests/Listings/broken.lua"], 3, "error[L0208]", ""),
            (["Tests/Scenarios/scripts/broken/syntax.lua"], 3, "error[L0301]", ""),
            (["Tests/Listings/broken.lua", script], 3, "warning[L0102]", ""),
            ([folder], 2, "error[S0107]", ""),
            (["\(folder)/wrong.scenario"], 2, "1 scenario file: 1 error", ""),
            (["scripts/podcast/podcast.scenario"], 0, "1 script, 1 scenario file: nothing", ""),
            (["scripts/podcast/app.scenario", "--script", script], 1, "warning[L0102]", ""),
            (["--script", script], 1, "warning[L0102]", ""),
            (
                ["Tests/Scenarios/pass/settings-profile.scenario"], 0,
                "1 script, 1 scenario file: nothing found", ""
            ),
            (["Tests/Scenarios/scripts/trusted.lua"], 3, "error[L0", ""),
            (["Tests/Scenarios/scripts/trusted.lua", "--trusted"], 0, "nothing found", ""),
            (["scripts/podcast", "scripts/podcast/main.lua"], 0, "1 script,", ""),
            ([script, "--host", "\(folder)/broken.json"], 66, "error[C0104]", ""),
            ([script, "--host", "\(folder)/hots.json"], 66, "did you mean", ""),
            (["scripts/podcast", "--host", "\(folder)/host.json"], 1, "error[L0232]", ""),
            ([script, "--budget", "instructions=50"], 3, "error[L0401]", ""),
            (["--help"], 0, "luaroute explain-error L0203", ""),
        ] as [([String], Int32, String, String)]
    )
    func codes(
        _ arguments: [String],
        _ code: Int32,
        _ output: String,
        _ errors: String
    ) throws {
        let process = try CommandProcess(["check"] + arguments)
        #expect(process.code == code, "\(process.output)\(process.errors)")
        #expect(process.output.contains(output) || output.isEmpty, "\(process.output)")
        #expect(errors.isEmpty ? process.errors.isEmpty : process.errors.contains(errors))
    }

    @Test("an error code is explained with an example, and the case of its letter is ignored")
    func explains() throws {
        for code in ["L0203", "l0203"] {
            let process = try CommandProcess(["explain-error", code])
            #expect(process.code == 0)
            #expect(process.output.hasPrefix("L0203: an interceptor that nothing declares\n"))
            #expect(process.output.contains("intercept = \"lgoin\""))
        }
        let all = try CommandProcess(["explain-error"])
        #expect(all.code == 0)
        #expect(all.output.contains("S0107              no step starts with this word\n"))
        #expect(all.output.contains("redirectLoop       redirects form a cycle\n"))
        let error = try CommandProcess(["explain-error", "notfound"])
        #expect(error.code == 0)
        #expect(error.output.hasPrefix("notFound: nothing matches the request\n"))
        for (code, message) in [
            ("L0999", "there is no code 'L0999'"),
            ("notFuond", "there is no code 'notFuond', did you mean 'notFound'?"),
        ] {
            let unknown = try CommandProcess(["explain-error", code])
            #expect(unknown.code == 64)
            #expect(unknown.errors.contains(message))
        }
    }
}
