// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Interrupted runs.
struct InterruptTests {
    /// More than any machine runs before a signal arrives.
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
        "an interrupted run reports the scenarios that have ended",
        arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)]
    )
    func interrupted(_ signal: Int32, _ code: Int32) throws {
        let process = try WatchedProcess(["--jobs", "2", "a.scenario"], Self.files, command: "run")
        try process.wait(for: "✔ 1 ")
        process.send(signal)
        #expect(try process.end() == code)
        let lines = process.output.split(separator: "\n")
        let passed = lines.count { $0.hasPrefix("✔ ") }
        #expect(passed < Self.count)
        #expect(lines.last == "\(passed) passed, 0 failed, \(Self.count - passed) not run")
    }

    /// Each of 10,000 timers uses more processor time than a test could wait for all of them.
    private static let endless = [
        "a.lua": """
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
        "a signal ends a scenario with endless timers, and the run reports the scenarios that have ended",
        arguments: ["advance 8760h", "settle", "at 2030-01-01T00:00"]
    )
    func endless(_ step: String) throws {
        let process = try WatchedProcess(["a.scenario"], Self.files(step), command: "run")
        try process.wait(for: "✔ First")
        process.send(SIGINT)
        #expect(try process.end() == 130)
        #expect(process.output.split(separator: "\n").last == "1 passed, 0 failed, 1 not run")
    }

    @Test(
        "a second signal ends the process at once, even while a script runs",
        arguments: [(SIGINT, SIGINT), (SIGINT, SIGTERM), (SIGTERM, SIGINT)] as [(Int32, Int32)]
    )
    func second(_ first: Int32, _ second: Int32) throws {
        var files = Self.endless
        files["a.scenario"] = """
            use a.lua
            scenario "First"
              start
            scenario "Endless"
              call busy

            """
        files["a.lua"]? += "\nrouter.export('busy', function() while true do end end)"
        let budget = ["--budget", "instructions=100G,seconds=1000"]
        let process = try WatchedProcess(budget + ["a.scenario"], files, command: "run")
        try process.wait(for: "✔ First")
        // Before the endless script starts, one signal is enough to end the run.
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

    @Test("timers that exceed the time budget of the run fail their step")
    func late() throws {
        let process = try WatchedProcess(
            ["--budget", "seconds=0.3", "a.scenario"],
            Self.files("advance 8760h"),
            command: "run"
        )
        #expect(try process.end() == 1)
        #expect(process.output.contains("its timers took more than 0.3 s, up to 2026-01-01"))
    }

    @Test("a forgotten 'only' fails where CI is set", arguments: [("", 0), ("1", 1)])
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
