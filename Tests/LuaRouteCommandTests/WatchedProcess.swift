// SPDX-License-Identifier: MIT

import Foundation
import SystemGaps
import TestSupport
import Testing

/// The command `watch` as a process, with its own folder of files.
final class WatchedProcess: Sendable {
    private struct Text {
        var output = ""
        var errors = ""
        var isRead = [false, false]
    }

    /// The time after which a test fails; only failing tests wait that long.
    private static let timeout = 60.0

    let folder: URL
    private let process: ProcessBox
    private let text: Lock<Text>
    private let changed = DispatchSemaphore(value: 0)
    private let input = Pipe()

    /// Process is not sendable; only the test uses it.
    private struct ProcessBox: @unchecked Sendable { let process: Process }

    /// Writes files to a folder, and starts a watch or another command in the folder.
    convenience init(
        _ arguments: [String],
        _ files: [String: String],
        command: String = "watch"
    ) throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "luaroute-watch-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in files {
            try Data(text.utf8).write(to: folder.appending(path: name))
        }
        try self.init(CommandProcess.url, [command] + arguments, folder)
    }

    /// Runs a shell command line in a folder that this object then owns.
    ///
    /// In the line, `$LUAROUTE` is `luaroute`, and `$LUAROUTE_BUNDLE` is `luaroute-bundle`.
    convenience init(shell line: String, in folder: URL) throws {
        try self.init(URL(filePath: "/bin/sh"), ["-c", line], folder)
    }

    private init(_ executable: URL, _ arguments: [String], _ folder: URL) throws {
        self.folder = folder
        process = ProcessBox(process: Process())
        text = Lock(Text())

        let process = process.process
        process.executableURL = executable
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardInput = input
        let pipes = [Pipe(), Pipe()]
        process.standardOutput = pipes[0]
        process.standardError = pipes[1]
        var variables = ProcessInfo.processInfo.environment
        for name in ["NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "TERM", "CI"] {
            variables[name] = nil
        }
        variables["LUAROUTE"] = CommandProcess.url.path()
        variables["LUAROUTE_BUNDLE"] = builtProduct("luaroute-bundle").path()
        process.environment = variables
        try process.run()
        for (index, pipe) in pipes.enumerated() { read(pipe.fileHandleForReading, index) }
    }

    deinit {
        if process.process.isRunning { kill(process.process.processIdentifier, SIGKILL) }
        try? FileManager.default.removeItem(at: folder)
    }

    private func read(_ handle: FileHandle, _ index: Int) {
        Thread.detachNewThread { [weak self, changed] in
            while true {
                let data = handle.availableData
                self?.text.withLock { text in
                    let part = String(decoding: data, as: UTF8.self)
                    if index == 0 { text.output += part } else { text.errors += part }
                    text.isRead[index] = data.isEmpty
                }
                changed.signal()
                if data.isEmpty { return }
            }
        }
    }

    var output: String { text.withLock { $0.output } }
    var errors: String { text.withLock { $0.errors } }

    /// Waits until a condition is true.
    ///
    /// The condition is checked after each output of the command, and a last time after the command
    /// has ended.
    private func wait(for what: String, until holds: () -> Bool) throws {
        let end = Date.now.addingTimeInterval(Self.timeout)
        while true {
            let hasEnded = hasEnded
            if holds() { return }
            guard !hasEnded, Date.now < end else {
                try #require(Bool(false), "\(what) never came; \(output) \(errors)")
                return
            }
            _ = changed.wait(timeout: .now() + 0.25)
        }
    }

    /// Waits until the process has used the processor for some time, as an endless script does.
    func waitUntilBusy() throws {
        guard let start = processorTime else { return Thread.sleep(forTimeInterval: 1) }
        try wait(for: "a busy script") { (processorTime ?? 0) > start + 0.2 }
    }

    /// Waits until the command has printed that it watches.
    func waitUntilReady() throws {
        try wait(for: "the watch") {
            errors.contains("watching ") || output.contains("\"watching\"")
        }
    }

    /// Waits until the given number of lines of stdout contain a text.
    func wait(for text: String, times: Int = 1) throws {
        try wait(for: "'\(text)'") {
            output.split(separator: "\n").count { $0.contains(text) } >= times
        }
    }

    /// Waits until the output after a number of characters is complete, and returns that part.
    func output(after count: Int, until isComplete: (String) -> Bool) throws -> String {
        try wait(for: "the rest of the output") { isComplete(String(output.dropFirst(count))) }
        return String(output.dropFirst(count))
    }

    /// Waits until a line of stderr contains a text.
    func wait(forError text: String) throws {
        try wait(for: "'\(text)'") { errors.contains(text) }
    }

    var isRunning: Bool { process.process.isRunning }

    /// Writes text to the standard input of the process.
    func type(_ text: String) { input.fileHandleForWriting.write(Data(text.utf8)) }

    func send(_ signal: Int32) { kill(process.process.processIdentifier, signal) }

    /// Whether the process has ended, and all of its output has been read.
    private var hasEnded: Bool {
        text.withLock { $0.isRead == [true, true] } && !process.process.isRunning
    }

    /// Waits for the end of the process.
    func end() throws -> Int32 {
        try wait(for: "the end") { hasEnded }
        return process.process.terminationStatus
    }

    /// The processor time that the process has used, in seconds.
    var processorTime: Double? {
        let path = "/proc/\(process.process.processIdentifier)/stat"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8),
            let fields = text.split(separator: ")").last?.split(separator: " "), fields.count > 12,
            let user = Double(fields[11]), let system = Double(fields[12])
        else { return nil }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    // MARK: Files

    func url(_ name: String) -> URL { folder.appending(path: name) }

    /// Overwrites the existing file in place.
    func write(_ name: String, _ text: String) throws { try Data(text.utf8).write(to: url(name)) }

    /// Writes a temporary file and renames it to the given name, as editors do.
    func replace(_ name: String, _ text: String) throws {
        let other = url(".\(name).swp")
        try Data(text.utf8).write(to: other)
        try #require(rename(other.path(), url(name).path()) == 0)
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(at: url(name)) }
}
