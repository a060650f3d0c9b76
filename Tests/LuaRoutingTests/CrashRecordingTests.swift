// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting
import TestSupport
import Testing

/// Tests of flight recordings in the format for crash handlers.
@Suite(.failureReports)
struct CrashRecordingTests {
    fileprivate static let script = """
        router.start(function() return router.nav { router.screen "Home" } end)
        router.register("Page", "show", {
          info = { id = "integer" },
          build = function(info) return router.screen("Page", { id = info.id }) end,
        })
        """

    private let app: RouterFixture

    init() throws { app = try RouterFixture(Self.script) }

    private func lines(of recording: CrashRecording) throws -> [[String: Any]] {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/crash.jsonl"
        try folder.write("crash.jsonl", "")
        let file = try #require(FileHandle(forWritingAtPath: path))
        recording.write(to: file.fileDescriptor)
        try file.close()
        return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
            line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    fileprivate func events(of text: String) throws -> [[String: Any]] {
        try text.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    /// Returns the values that both formats of a recording contain.
    private func shape(_ events: [[String: Any]]) -> [String] {
        events.dropFirst().map { event in
            ["seq", "time", "navigation", "parent", "generation", "kind"].map { key in
                "\(key)=\(event[key] ?? "")"
            }.joined(separator: " ")
        }
    }

    @Test(
        "a crash recording has the same events, numbers, times and kinds as the flight recording"
    )
    func same() throws {
        let recording = app.router.crashRecording()
        for id in 1...3 { app.navigate("Page", "show", ["id": .integer(Int64(id))]) }
        app.router.advance(to: 12.25)
        app.router.back()
        app.navigate("Page", "missing")
        let crash = try lines(of: recording)
        #expect(crash.first?["schema"] as? String == "luaroute.events/1")
        #expect(shape(crash) == shape(try events(of: app.router.flightRecording())))
        #expect(
            crash.contains { $0["service"] as? String == "Page" && $0["task"] as? String == "show" }
        )
        #expect(crash.contains { $0["verb"] as? String == "back" })
        #expect(!crash.contains { $0["info"] != nil || $0["message"] != nil })
    }

    @Test(
        "a crash recording keeps the newest events when its ring is full, and prints names as plain text"
    )
    func ring() throws {
        app.navigate("Odd \"name\" \u{1B}[31m", "show")
        let recording = app.router.crashRecording()
        #expect(
            try lines(of: recording).contains { $0["service"] as? String == "Odd ?name? ?[31m" }
        )
        for id in 1...400 { app.navigate("Page", "show", ["id": .integer(Int64(id))]) }
        let crash = try lines(of: recording)
        #expect(shape(crash) == shape(try events(of: app.router.flightRecording())))
        #expect(crash.count > 500)
        app.router.shutDown()
        #expect(try lines(of: recording).count > 500)
    }

    @Test(
        "another thread may write a crash recording while the router works, and after the router is released"
    )
    func threads() throws {
        var app: RouterFixture? = try RouterFixture(Self.script)
        let recording = try #require(app?.router.crashRecording())
        let isDone = Flag()
        let reader = Thread {
            let sink = FileHandle.nullDevice.fileDescriptor
            while !isDone.isSet { recording.write(to: sink) }
        }
        reader.stackSize = 1 << 20
        reader.start()
        for id in 1...2_000 { app?.navigate("Page", "show", ["id": .integer(Int64(id % 7))]) }
        app = nil
        #expect(try lines(of: recording).count > 400)
        isDone.set()
    }
}

/// The signal handler of a test, which writes the recording.
private enum Crash {
    nonisolated(unsafe) static var recording: CrashRecording?
    nonisolated(unsafe) static var file: Int32 = -1

    /// Writes the recording in a handler of crash signals, which then end the process.
    static func handle(_ router: Router, writingTo path: String) {
        recording = router.crashRecording()
        file = open(path, O_WRONLY | O_CREAT, 0o600)
        for number in [SIGSEGV, SIGABRT] {
            signal(number) { number in
                Crash.recording?.write(to: Crash.file)
                signal(number, SIG_DFL)
            }
        }
    }
}

extension CrashRecordingTests {
    @Test(
        "a signal handler writes only complete lines, whatever the router does at the time of the crash"
    )
    func handler() async throws {
        for isAbort in [false, true] {
            let folder = try TemporaryFolder()
            let path = "\(folder.path)/crash.jsonl"
            let number = isAbort ? SIGABRT : SIGSEGV
            await #expect(processExitsWith: .signal(number)) {
                [path = path as String, isAbort = isAbort as Bool] in
                let app = try RouterFixture(Self.script)
                Crash.handle(app.router, writingTo: path)
                for id in 1...300 { app.navigate("Page", "show", ["id": .integer(Int64(id))]) }
                app.router.onEvent = { event in
                    guard event.kind == .commit else { return }
                    if isAbort { abort() }
                    UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
                }
                app.navigate("Page", "show", ["id": 301])
            }
            let lines = try events(of: folder.read("crash.jsonl"))
            #expect(lines.count > 500)
            #expect(lines.first?["schema"] as? String == "luaroute.events/1")
        }
    }
}

/// A flag that one thread sets and another reads.
private final class Flag: @unchecked Sendable {
    private let lock = NSLock()
    private var value = false

    var isSet: Bool { lock.withLock { value } }

    func set() { lock.withLock { value = true } }
}
