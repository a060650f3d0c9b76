// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// The command as a process: what it prints where, and what it ends with.
struct ExitCodeTests {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The command that was built beside the tests.
    static let command: URL = {
        #if os(macOS)
            Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
                .deletingLastPathComponent().appending(path: "luaroute")
                ?? URL(filePath: "luaroute")
        #else
            URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
                .appending(path: "luaroute")
        #endif
    }()

    struct Invocation: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let code: Int32
        /// What the results and the other stream hold, as a part.
        let output: String
        let errors: String

        init(_ arguments: [String], _ code: Int32, output: String = "", errors: String = "") {
            self.arguments = arguments
            self.code = code
            self.output = output
            self.errors = errors
        }

        var testDescription: String { arguments.joined(separator: " ") }
    }

    static let invocations: [Invocation] = [
        Invocation(["scripts/podcast"], 0, output: "0 failed"),
        Invocation(
            ["run", "scripts/podcast/podcast.scenario:12"],
            0,
            output: "1 passed, 0 failed"
        ),
        Invocation(["version"], 0, output: "luaroute 0.1.0 (Lua 5.4"),
        Invocation(["Tests/Scenarios/fail/contract.scenario"], 1, output: "1 failed"),
        Invocation(["Tests/Scenarios/invalid/bracket.scenario"], 2, errors: "--> Tests/Scenarios"),
        Invocation(["Tests/Scenarios/invalid/script-syntax.scenario"], 3, errors: "error[L0"),
        Invocation(["scripts/podcast/podcast.scenario:5"], 4, errors: "no scenario is selected"),
        Invocation(["--frob"], 64, errors: "--frob"),
        Invocation(["scripts/podcst"], 66, errors: "did you mean 'scripts/podcast'?"),
    ]

    @Test("the command ends with the code of what came of it", arguments: invocations)
    func codes(_ invocation: Invocation) throws {
        let process = Process()
        process.executableURL = Self.command
        process.arguments = invocation.arguments
        process.currentDirectoryURL = Self.root
        let output = Pipe()
        let errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let printed = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(),
            as: UTF8.self
        )
        let told = String(
            decoding: errors.fileHandleForReading.readDataToEndOfFile(),
            as: UTF8.self
        )
        process.waitUntilExit()
        #expect(process.terminationStatus == invocation.code, "\(printed)\(told)")
        #expect(invocation.output.isEmpty || printed.contains(invocation.output), "\(printed)")
        #expect(invocation.errors.isEmpty || told.contains(invocation.errors), "\(told)")
        #expect(invocation.code == 0 || invocation.code == 1 || !told.isEmpty)
    }
}
