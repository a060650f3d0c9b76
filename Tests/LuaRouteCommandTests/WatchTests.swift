// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Tests of the command `watch` with files that are saved on disk.
@Suite("luaroute watch")
struct WatchTests {
    private static let script = """
        router.start(function() return router.nav { router.screen "Main" } end)
        router.register("Show", "open", function() return router.screen "Show" end)

        """
    private static let other = script.replacingOccurrences(
        of: "router.screen \"Show\"",
        with: "router.screen \"Other\""
    )
    private static let scenario = """
        use main.lua
        scenario "Opens a show"
          start
          navigate Show/open
          expect tree nav[Main, Show]

        """

    private func watch(
        _ arguments: [String] = [],
        _ files: [String: String] = ["main.lua": script, "a.scenario": scenario]
    ) throws -> WatchedProcess {
        let process = try WatchedProcess(arguments, files)
        try process.waitUntilReady()
        return process
    }

    @Test("'--trace' prints the steps of each run and the resulting trees")
    func trace() throws {
        let process = try watch(["--trace"])
        try process.wait(for: "before nav[Main]")
        try process.wait(for: "after  nav[Main, +Show]")
    }

    // MARK: Saving

    @Test(
        "a save is reported in one line and runs the scenarios, however the file is saved",
        arguments: [true, false]
    )
    func save(_ isReplaced: Bool) throws {
        let process = try watch()
        try process.wait(for: "accepted .  generation 1: 1 route")
        try process.wait(for: "1 passed, 0 failed")
        let save = isReplaced ? process.replace : process.write
        try save("main.lua", Self.other)
        try process.wait(for: "accepted .  generation 2: changed Show/open")
        try process.wait(for: "0 passed, 1 failed")
        try save("main.lua", Self.script + "-- again\n")
        try process.wait(for: "accepted .  generation 3")
        try process.wait(for: "1 passed, 0 failed", times: 2)
        #expect(process.output.split(separator: "\n").count { $0.contains("accepted") } == 3)
    }

    @Test(
        "a save with an error is rejected with the location of the error, and the corrected file is accepted"
    )
    func broken() throws {
        let process = try watch()
        try process.write("main.lua", Self.script + "router.register(\n")
        try process.wait(for: "rejected .  syntax; generation 1 stays active")
        try process.wait(forError: "error[L0301]")
        try process.replace("main.lua", Self.script)
        try process.wait(for: "accepted .  generation 1: unchanged")
        try process.write("main.lua", Self.other)
        try process.wait(for: "accepted .  generation 2")
    }

    @Test("a file that is deleted and created again is noticed")
    func deleted() throws {
        let process = try watch()
        try process.remove("main.lua")
        try process.wait(for: "rejected .  missing")
        try process.write("main.lua", Self.other)
        try process.wait(for: "accepted .  generation 2")
    }

    @Test("scripts that do not load at first are loaded after they are fixed")
    func firstLoad() throws {
        let files = ["main.lua": Self.script + "require 'gone'\n", "a.scenario": Self.scenario]
        let process = try watch([], files)
        try process.wait(for: "rejected .  script; waiting for a fix")
        try process.wait(forError: "module 'gone' not found")
        try process.write("gone.lua", "local x = 1\n")
        try process.wait(for: "accepted .  generation 1: 1 route")
        try process.wait(for: "1 passed, 0 failed")
    }

    @Test("a changed scenario file runs again, even if it did not parse before")
    func scenario() throws {
        let process = try watch()
        try process.write("a.scenario", Self.scenario + "  bogus\n")
        try process.wait(forError: "error[S0107]: unknown step 'bogus'")
        try process.replace("a.scenario", Self.scenario + "  expect pending none\n")
        try process.wait(for: "1 passed, 0 failed", times: 2)
        #expect(process.output.split(separator: "\n").count { $0.contains("accepted") } == 1)
    }

    @Test("changes to polled files are noticed")
    func polling() throws {
        let process = try watch(["--poll"])
        #expect(process.errors.contains("polling (as requested)"))
        try process.replace("main.lua", Self.other)
        try process.wait(for: "accepted .  generation 2")
    }

    // MARK: Keys

    private static let hasTerminals =
        (try? CommandProcess(shell: "command -v python3"))?.code == 0

    /// Runs a shell command line with a watch in its own terminal, which then prints how the watch
    /// ended and whether the mode of the terminal was restored.
    private func terminal(_ line: String) throws -> WatchedProcess {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "luaroute-keys-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(Self.script.utf8).write(to: folder.appending(path: "main.lua"))
        let more = "scenario \"Fails\"\n  start\n  expect top Show\n"
        try Data((Self.scenario + more).utf8).write(to: folder.appending(path: "a.scenario"))
        let script = """
            export SWIFT_BACKTRACE=enable=no; ulimit -c 0; trap : INT QUIT
            \(line)
            echo code $?; [ "$(stty -g)" = "$before" ] && echo restored
            """
        return try WatchedProcess(
            shell: """
                exec python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' sh -c '
                stty -onlcr; before=$(stty -g)
                \(script)'
                """,
            in: folder
        )
    }

    @Test(
        "on a terminal, keys run scenarios, write expectations and end the watch",
        .enabled(if: hasTerminals, "python3 is not here")
    )
    func keys() throws {
        let process = try terminal("$LUAROUTE watch")
        try process.wait(for: "q quit")
        let steps = [
            ("f", "0 passed, 1 failed", 1), ("nopen\n", "1 passed, 0 failed", 1),
            ("a", "1 passed, 1 failed", 2), ("u", "a.scenario: 1 expectation written", 1),
            ("", "2 passed, 0 failed", 1),
            ("q", "ended after 1 accepted and 0 rejected reloads", 1),
            ("", "code 0", 1), ("", "restored", 1),
        ]
        for (keys, text, times) in steps {
            process.type(keys)
            try process.wait(for: text, times: times)
        }
    }

    @Test(
        "the previous state of the terminal is restored, whatever ends the watch",
        .enabled(if: hasTerminals, "python3 is not here"),
        arguments: [("\u{04}", 0), ("\u{03}", 130), ("\u{1C}", 131)]
    )
    func restoredTerminal(_ key: String, _ code: Int) throws {
        let process = try terminal("$LUAROUTE watch")
        try process.wait(for: "q quit")
        process.type(key)
        try process.wait(for: "code \(code)")
        try process.wait(for: "restored")
    }

    @Test(
        "a watch in the background leaves the terminal unchanged",
        .enabled(if: hasTerminals, "python3 is not here")
    )
    func background() throws {
        let process = try terminal("set -m; $LUAROUTE watch & read line; kill %1; wait %1")
        try process.wait(for: "watching 2 files")
        process.type("f")
        try process.replace("main.lua", Self.other)
        try process.wait(for: "accepted .  generation 2")
        process.type("\n")
        try process.wait(for: "code 143")
        try process.wait(for: "restored")
        #expect(!process.output.contains("q quit"))
    }

    // MARK: The process

    @Test(
        "a signal ends the watch with the signal's exit code and a final line of output",
        arguments: [(SIGINT, 130, "interrupted"), (SIGTERM, 143, "terminated")]
            as [(Int32, Int32, String)]
    )
    func ends(_ signal: Int32, _ code: Int32, _ word: String) throws {
        let process = try watch()
        process.send(signal)
        #expect(try process.end() == code)
        #expect(process.errors.hasSuffix("\(word) after 1 accepted and 0 rejected reloads\n"))
    }

    @Test("SIGHUP rereads the files immediately, and tries rejected scripts again")
    func hangUp() throws {
        let process = try watch([], ["main.lua": "no Lua"])
        try process.wait(for: "rejected")
        process.send(SIGHUP)
        try process.wait(for: "rejected", times: 2)
        try process.write("main.lua", Self.script)
        process.send(SIGHUP)
        try process.wait(for: "accepted .  generation 1")
        process.send(SIGTERM)
        #expect(try process.end() == 143)
    }

    @Test(
        "a missing path ends the watch with exit code 66, and the error names the nearest existing path"
    )
    func missing() throws {
        let files = ["main.lua": Self.script, "a.scenario": Self.scenario]
        let process = try WatchedProcess(["a.scenaro"], files)
        #expect(try process.end() == 66)
        #expect(process.output == "")
        #expect(process.errors.contains("did you mean 'a.scenario'?"))
    }

    @Test("a watch ends when its folder is deleted", arguments: ["app", "."])
    func gone(_ path: String) throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "luaroute-gone-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let place = path == "." ? "mkdir here; cd here" : "mkdir app"
        let line = """
            \(place); echo 'router.start(function() return router.screen "A" end)' > \(path)/main.lua
            exec $LUAROUTE watch \(path)
            """
        let process = try WatchedProcess(shell: line, in: folder)
        try process.waitUntilReady()
        try process.remove(path == "." ? "here" : path)
        #expect(try process.end() == 66)
        #expect(process.errors.contains("error[S0203]: no file or folder '\(path)'"))
    }

    @Test("'--json' prints one object per line for each attempt and run")
    func json() throws {
        let process = try watch(["--json"])
        try process.write("main.lua", "no Lua")
        try process.wait(for: "\"rejected\"")
        process.send(SIGINT)
        #expect(try process.end() == 130)
        let objects = try process.output.split(separator: "\n").map { line in
            try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            )
        }
        #expect(objects.allSatisfy { $0["schema"] as? String == "luaroute.watch/1" })
        #expect(
            objects.map { $0["kind"] as? String } == ["reload", "run", "watching", "reload", "end"]
        )
        #expect(!process.errors.contains("watching"))
    }

    @Test("the watch ends when its reader closes the pipe")
    func closedPipe() throws {
        let folder = packageFolder.appending(path: "scripts/podcast").path()
        let process = try CommandProcess(shell: "\"$LUAROUTE\" watch --json \(folder) | head -c 10")
        #expect(process.output == "{\"schema\":")
    }

    #if os(Linux)
    @Test("writing unrelated files starts no run, and waiting uses no processor time")
    func rest() throws {
        let process = try watch()
        try process.wait(for: "1 passed, 0 failed")
        let before = try #require(process.processorTime)
        let beginning = process.output
        for number in 0..<200 { try process.write("report-\(number % 3).xml", "\(number)") }
        // The last change is reported last.
        try process.write("b.scenario", Self.scenario)
        try process.wait(for: "b.scenario:2")
        #expect(process.output.hasPrefix(beginning))
        #expect(process.output.split(separator: "\n").count { $0.contains("accepted") } == 1)
        let after = try #require(process.processorTime)
        #expect(after - before < 1)
    }
    #endif
}
