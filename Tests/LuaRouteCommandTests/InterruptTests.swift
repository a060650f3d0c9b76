// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Tests of runs that a signal interrupts.
struct InterruptTests {
    /// A number of scenarios that no machine can run before a signal arrives.
    private static let count = 20_000

    private static let files = [
        "a.lua": "for i = 1, 200000 do end router.start(function() return router.screen 'A' end)",
        "a.scenario": """
        use a.lua
        scenario "<n>"
          advance <n>s
          each from rows.csv

        """,
        "rows.csv": "n\n" + (1...count).map { "\($0)\n" }.joined(),
    ]

    @Test(
        "an interrupted run reports the scenarios that had already ended",
        arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)]
    )
    func interrupted(_ signal: Int32, _ code: Int32) throws {
        let reports = ["junit=a.xml", "sarif=a.sarif", "json=a.json"].flatMap { ["--report", $0] }
        let process = try WatchedProcess(
            ["--jobs", "2", "a.scenario"] + reports,
            Self.files,
            command: "run"
        )
        try process.wait(for: "✔ 1 ")
        process.send(signal)
        #expect(try process.end() == code)
        for name in ["a.xml", "a.sarif", "a.json"] {
            let report = try String(contentsOf: process.url(name), encoding: .utf8)
            #expect(report.contains("not run, because the run was interrupted"), "\(name)")
        }
        let lines = process.output.split(separator: "\n")
        let passed = lines.count { $0.hasPrefix("✔ ") }
        #expect(passed < Self.count)
        #expect(lines.last == "\(passed) passed, 0 failed, \(Self.count - passed) not run")
    }

    /// Scripts with 10,000 timers, each of which uses more processor time than a test could wait
    /// for.
    private static let endless = [
        "a.lua": """
        router.api(1)
        router.start(function() return router.screen 'A' end)
        local function again()
          for i = 1, 1000000 do end
          router.delay(0.001, again)
        end
        router.export('again', again)
        """,
        "a.scenario": """
        use a.lua
        scenario "First"
          start
        scenario "Endless"
          start
          call again
          <step>

        """,
    ]

    private static func files(_ step: String) -> [String: String] {
        endless.mapValues { $0.replacing("<step>", with: step) }
    }

    @Test(
        "a signal stops a scenario with endless timers, and the run reports the scenarios that had ended",
        arguments: ["advance 8760h", "settle", "at 2030-01-01T00:00"]
    )
    func endless(_ step: String) throws {
        let process = try WatchedProcess(["a.scenario"], Self.files(step), command: "run")
        try process.wait(for: "✔ First")
        process.send(SIGINT)
        #expect(try process.end() == 130)
        #expect(process.output.split(separator: "\n").last == "1 passed, 0 failed, 1 not run")
    }

    /// Function bodies that run for longer than a test waits.
    private static let busy = [
        "while true do end",
        "while true do pcall(function() while true do end end) end",
        "while true do pcall(string.rep, 'x', 1000000) end",
        "while true do pcall(router.navigate, 'No', 'show') end",
        "while true do pcall(router.log.info, 'x') end",
        """
        for kind = 1, 100 do
          router.on('failed', function()
            for j = 1, 900 do router.navigate('No', 'show') end
          end)
        end
        router.navigate('No', 'show')
        """,
    ]

    @Test(
        "one signal ends a run, even if its scripts never return",
        arguments: busy.indices,
        [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)]
    )
    func whatever(_ index: Int, _ signal: (number: Int32, code: Int32)) throws {
        let files = [
            "a.lua": """
            router.start(function() return router.screen 'A' end)
            router.export('busy', function() \(Self.busy[index]) end)
            """,
            "a.scenario": """
            use a.lua
            scenario "First"
              start
            scenario "Endless"
              start
              call busy

            """,
        ]
        let budget = ["--budget", "instructions=100G,seconds=1000"]
        let process = try WatchedProcess(budget + ["a.scenario"], files, command: "run")
        try process.wait(for: "✔ First")
        try process.waitUntilBusy()
        process.send(signal.number)
        #expect(try process.end() == signal.code)
        #expect(process.output.split(separator: "\n").last == "1 passed, 0 failed, 1 not run")
        #expect(!process.output.contains("error"))
    }

    @Test(
        "one signal ends a command that is loading endless scripts",
        arguments: [("run", ["a.scenario"]), ("explore", ["a.scenario"]), ("watch", ["a.lua"])]
    )
    func loading(_ command: String, _ arguments: [String]) throws {
        let files = [
            "a.lua": "while true do end",
            "a.scenario": "use a.lua\nexplore \"All\"\n  start\nscenario \"A\"\n  start\n",
        ]
        let budget = ["--budget", "instructions=100G,seconds=1000"]
        let process = try WatchedProcess(budget + arguments, files, command: command)
        try process.waitUntilBusy()
        process.send(SIGINT)
        #expect(try process.end() == 130)
        #expect(!process.output.contains("error[") && !process.errors.contains("error["))
    }

    @Test("after a signal, a search reports its findings so far and writes its file")
    func explored() throws {
        let files = [
            "a.lua": """
            router.start(function() return router.nav { router.screen "Home" } end)
            local function register(name, build)
              router.register(name, "show", { info = {}, build = build })
            end
            register("End", function() error("no end") end)
            register("Page", function() return router.screen "Page" end)
            register("Loop", function() while true do end end)
            """,
            "a.scenario": """
            use a.lua
            explore "All"
              can navigate End/show from Home
              can navigate Page/show from Home
              can navigate Loop/show from Page
            explore "More"
              start

            """,
        ]
        let budget = ["--budget", "instructions=100G,seconds=1000"]
        let process = try WatchedProcess(
            budget + ["--json", "--report", "sarif=a.sarif", "a.scenario"],
            files,
            command: "explore"
        )
        for _ in 0..<5 { try process.waitUntilBusy() }
        process.send(SIGTERM)
        #expect(try process.end() == 143)
        #expect(process.output.contains(#""title":"script: no end""#), "\(process.output)")
        #expect(process.output.contains(#""file":"explore/X005-end.scenario""#))
        #expect(process.output.contains(#""name":"More""#))
        let text = try String(contentsOf: process.url("explore/X005-end.scenario"), encoding: .utf8)
        #expect(text.contains("navigate End/show"))
        let sarif = try String(contentsOf: process.url("a.sarif"), encoding: .utf8)
        #expect(sarif.contains(#""ruleId":"X005""#))
        #expect(sarif.contains(#""executionSuccessful":false"#), "\(sarif)")
    }

    @Test(
        "a signal ends the run of a bundle, and its unpacked files are removed",
        arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)]
    )
    func bundle(_ signal: Int32, _ code: Int32) throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "luaroute-bundle-run-\(UUID().uuidString)")
        let unpacked = folder.appending(path: "tmp")
        try FileManager.default.createDirectory(at: unpacked, withIntermediateDirectories: true)
        for (name, text) in Self.files("advance 8760h") {
            try Data(text.utf8).write(to: folder.appending(path: name))
        }
        let process = try WatchedProcess(
            shell: """
                "$LUAROUTE_BUNDLE" key -o k && "$LUAROUTE_BUNDLE" make a.lua -o a.lrb --version 1 \
                && "$LUAROUTE_BUNDLE" sign --key k a.lrb && export TMPDIR=tmp \
                && exec "$LUAROUTE_BUNDLE" run --public-key k.pub a.lrb a.scenario
                """,
            in: folder
        )
        try process.wait(for: "✔ First")
        #expect(try FileManager.default.contentsOfDirectory(atPath: unpacked.path()).count == 1)
        process.send(signal)
        #expect(try process.end() == code)
        #expect(try FileManager.default.contentsOfDirectory(atPath: unpacked.path()) == [])
    }

    @Test(
        "a second signal ends the process immediately, even if nobody reads its report",
        arguments: [(SIGINT, SIGINT), (SIGINT, SIGTERM), (SIGTERM, SIGINT)] as [(Int32, Int32)]
    )
    func second(_ first: Int32, _ second: Int32) throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "luaroute-full-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("while true do end".utf8).write(to: folder.appending(path: "a.lua"))
        try Data("use a.lua\nscenario \"A\"\n  start\n".utf8)
            .write(to: folder.appending(path: "a.scenario"))
        // The pipe is full, and nobody reads it: the first signal ends the scripts, but not the report.
        let process = try WatchedProcess(
            shell: """
                mkfifo full && exec 3<>full && dd if=/dev/zero bs=65536 count=1 >&3 2>/dev/null
                exec "$LUAROUTE" run --budget instructions=100G,seconds=1000 a.scenario >&3
                """,
            in: folder
        )
        try process.waitUntilBusy()
        process.send(first)
        // Two signals of one kind count as one until a busy machine has delivered the first.
        for _ in 0..<100 where process.isRunning {
            Thread.sleep(forTimeInterval: 0.2)
            process.send(second)
        }
        // Foundation reports the number of the signal that ended the process. A busy machine may
        // deliver two different ones in the order of their numbers.
        let ending = try process.end()
        #expect([first, second].contains(ending))
    }

    @Test("timers that exceed the time budget of the run fail the current step")
    func late() throws {
        let process = try WatchedProcess(
            ["--budget", "seconds=0.3", "a.scenario"],
            Self.files("advance 8760h"),
            command: "run"
        )
        #expect(try process.end() == 1)
        #expect(
            process.output.contains(
                "the timers used more than 0.3 s of processor time, up to 2026-01-01"
            )
        )
    }

    @Test(
        "an 'only' that remains in a scenario file is an error if the variable CI is set",
        arguments: [("", 0), ("1", 1)]
    )
    func unattended(_ value: String, _ code: Int32) throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "luaroute-only-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("router.start(function() return router.screen 'A' end)".utf8)
            .write(to: folder.appending(path: "a.lua"))
        try Data("use a.lua\nonly \"A\"\n  start\n".utf8)
            .write(to: folder.appending(path: "a.scenario"))
        let process = try CommandProcess([folder.path()], environment: ["CI": value])
        #expect(process.code == code, "\(process.output)\(process.errors)")
    }
}
