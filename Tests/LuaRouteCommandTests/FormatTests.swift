// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// The command `luaroute fmt`.
struct FormatTests {
    private static let loose = "scenario \"a\"\n      start   # once\n\n\n  expect  top A\n"
    private static let formatted = "scenario \"a\"\n  start  # once\n\n  expect top A\n"
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func format(_ arguments: String...) throws -> CommandProcess {
        try CommandProcess(["fmt"] + arguments)
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: "\(folder.path)/\(name)", encoding: .utf8)
    }

    @Test("the files of a folder are formatted, and the changed files are listed")
    func folders() throws {
        try folder.write("a.scenario", Self.loose)
        try folder.write("b/b.scenario", Self.formatted)
        try folder.write("b/c.txt", Self.loose)
        let process = try format(folder.path)
        #expect(process.code == 0)
        #expect(process.errors.isEmpty)
        #expect(process.output.hasSuffix("/a.scenario\n"))
        #expect(try text("a.scenario") == Self.formatted)
        #expect(try text("b/c.txt") == Self.loose)
        let again = try format(folder.path)
        #expect(again.code == 0 && again.output.isEmpty)
    }

    @Test(
        "after a signal, the command finishes writing the current file and ends",
        arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)]
    )
    func interrupted(_ signal: Int32, _ code: Int32) throws {
        let count = 10_000
        for number in 0..<count {
            try Data(Self.loose.utf8)
                .write(to: URL(filePath: "\(folder.path)/\(number).scenario"))
        }
        let process = try WatchedProcess([folder.path], [:], command: "fmt")
        try process.wait(for: ".scenario")
        process.send(signal)
        #expect(try process.end() == code)
        let paths = process.output.split(separator: "\n")
        let changed = Set(paths.compactMap { $0.split(separator: "/").last.map(String.init) })
        #expect(changed.count < count)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            #expect(try text(name) == (changed.contains(name) ? Self.formatted : Self.loose))
        }
    }

    @Test("a file with a name of the maximum length is formatted")
    func longName() throws {
        let name = String(repeating: "n", count: 246) + ".scenario"
        try Data(Self.loose.utf8).write(to: URL(filePath: "\(folder.path)/\(name)"))
        let process = try format(folder.path)
        #expect(process.code == 0, "\(process.errors)")
        #expect(try text(name) == Self.formatted)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [name])
    }

    @Test("'--check' prints the differences, and writes no file")
    func check() throws {
        try folder.write("a.scenario", Self.loose)
        try folder.write("b.scenario", Self.formatted)
        let process = try format("--check", folder.path)
        #expect(process.code == 1)
        #expect(process.output.hasSuffix("-  expect  top A\n+  expect top A\n"))
        #expect(process.errors == "1 of 2 files not formatted\n")
        #expect(try text("a.scenario") == Self.loose)
    }

    @Test("a file that does not parse is reported and left unchanged; other files are formatted")
    func broken() throws {
        let broken = Self.loose + "  bakc\n"
        try folder.write("a.scenario", broken)
        try folder.write("b.scenario", Self.loose)
        try Data([0x23, 0xFF, 0x0A]).write(to: URL(filePath: "\(folder.path)/c.scenario"))
        let process = try format(folder.path)
        #expect(process.code == 2)
        #expect(process.errors.contains("error[S0107]"))
        #expect(process.errors.contains("a.scenario:6:3"))
        #expect(process.errors.contains("error[S0101]"))
        #expect(try text("a.scenario") == broken)
        #expect(try text("b.scenario") == Self.formatted)
    }

    @Test("files that only declare macros are formatted")
    func fragments() throws {
        try folder.write("a.scenario", "macro m <a>\n     note \"<a>\"\n")
        #expect(try format("\(folder.path)/a.scenario").code == 0)
        #expect(try text("a.scenario") == "macro m <a>\n  note \"<a>\"\n")
    }

    @Test("'-' formats standard input and prints the result")
    func input() throws {
        try folder.write("a.scenario", Self.loose)
        let path = "\(folder.path)/a.scenario"
        let line = "$LUAROUTE fmt - <'\(path)'"
        #expect(try CommandProcess(shell: line).output == Self.formatted)
        let check = try CommandProcess(shell: "\(line) --check")
        #expect(check.code == 1)
        #expect(check.output.contains("-      start   # once\n"))
        let broken = try CommandProcess(shell: "echo bakc | $LUAROUTE fmt -")
        #expect(broken.code == 2)
        #expect(broken.output.isEmpty)
        #expect(broken.errors.contains("--> -:1:1"))
    }

    @Test("missing files, empty folders and unwritable files have different exit codes")
    func badInput() throws {
        let missing = try format("\(folder.path)/a.scenario")
        #expect(missing.code == 66)
        #expect(missing.errors.contains("no file or folder"))
        let empty = try format(folder.path)
        #expect(empty.code == 4)
        #expect(empty.errors.contains("there is no '*.scenario' file"))
        try folder.write("a.lua", "")
        #expect(try format("\(folder.path)/a.lua").code == 2)
        #expect(try format("-", folder.path).code == 64)
        #expect(try format("/dev/full").code != 0)
    }
}
