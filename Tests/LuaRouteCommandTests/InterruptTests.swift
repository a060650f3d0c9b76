// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// What becomes of a run that somebody interrupts.
struct InterruptTests {
    /// Far more than any machine runs before a signal comes.
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
        "a run that is interrupted tells of what has ended",
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

    @Test("a forgotten 'only' fails where CI is set to something", arguments: [("", 0), ("1", 1)])
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
