// SPDX-License-Identifier: MIT

import Foundation
import LuaRouteWatching
import Testing

/// A folder that is deleted when its last reference is released.
final class WatchedFolder: Sendable {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory
            .appending(path: "luaroute-watching-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path().hasSuffix("/") ? String(url.path().dropLast()) : url.path()
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes to a file in place, as `echo > file` does.
    func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: file(name)))
    }

    func text(_ name: String) -> String? {
        try? String(contentsOf: URL(filePath: file(name)), encoding: .utf8)
    }

    /// Runs commands in this folder.
    func run(_ commands: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-ec", commands]
        process.currentDirectoryURL = URL(filePath: path)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        let text = String(
            decoding: errors.fileHandleForReading.readDataToEndOfFile(),
            as: UTF8.self
        )
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(commands): \(text)")
    }
}

/// The mechanism that reports changes to a watcher.
enum Backend: CaseIterable {
    case events
    case polling

    var settings: WatchSettings {
        var settings = WatchSettings()
        settings.usesEvents = self == .events
        settings.quiet = .milliseconds(20)
        settings.pollInterval = .milliseconds(20)
        return settings
    }

    /// The mechanisms that this system supports.
    static var here: [Backend] {
        #if os(Linux) || canImport(Darwin)
        allCases
        #else
        [.polling]
        #endif
    }
}

extension FileWatcher {
    /// Waits for changes until a condition is true.
    ///
    /// Only a failing test waits for a long time.
    ///
    /// - Returns: The number of reported changes until then; nil if the condition has not become
    ///   true.
    func changes(until isDone: () -> Bool) -> Int? {
        var count = 0
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end {
            guard changes(timeout: .seconds(60)) != nil else { return nil }
            count += 1
            if isDone() { return count }
        }
        return nil
    }
}
