// SPDX-License-Identifier: MIT

import Foundation
import TestSupport

/// The command, run as a process in the package's folder.
struct CommandProcess {
    let code: Int32
    let output: String
    let errors: String

    /// The executable that the environment variable `LUAROUTE_EXECUTABLE` names, or otherwise the
    /// one that was built together with the tests.
    static let url =
        ProcessInfo.processInfo.environment["LUAROUTE_EXECUTABLE"].map { URL(filePath: $0) }
        ?? builtProduct("luaroute")

    /// Runs the command.
    init(_ arguments: [String], environment: [String: String] = [:]) throws {
        try self.init(Self.url, arguments, environment)
    }

    /// Runs a shell command line, in which `$LUAROUTE` is `luaroute` and `$LUAROUTE_BUNDLE` is
    /// `luaroute-bundle`.
    init(shell line: String, environment: [String: String] = [:]) throws {
        try self.init(URL(filePath: "/bin/sh"), ["-c", line], environment)
    }

    private init(_ url: URL, _ arguments: [String], _ environment: [String: String]) throws {
        // Files take output of any size, while a pipe blocks until somebody reads it.
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "luaroute-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = ["out", "err"].map { folder.appending(path: $0) }
        for file in files { try Data().write(to: file) }

        let process = Process()
        process.executableURL = url
        process.arguments = arguments
        process.currentDirectoryURL = packageFolder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])
        // The environment of the test machine must not affect colours or CI behaviour.
        var variables = ProcessInfo.processInfo.environment
        for name in ["NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "TERM", "CI"] {
            variables[name] = nil
        }
        variables["LUAROUTE"] = Self.url.path()
        variables["LUAROUTE_BUNDLE"] = builtProduct("luaroute-bundle").path()
        // Runs must not keep anything in the home directory.
        variables["XDG_CACHE_HOME"] = folder.path()
        process.environment = variables.merging(environment) { $1 }
        try process.run()
        process.waitUntilExit()
        code = process.terminationStatus
        output = String(decoding: try Data(contentsOf: files[0]), as: UTF8.self)
        errors = String(decoding: try Data(contentsOf: files[1]), as: UTF8.self)
    }
}
