// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import ScenarioKit

/// Tests of inputs without an end: a command reads no more bytes than a file of the same kind can
/// have.
struct InputLimitTests {
    /// An input that returns the same bytes again and again, and only ends so that a failing test
    /// ends.
    private final class Endless {
        let piece: [UInt8]
        private(set) var count = 0
        private let limit: Int

        init(_ byte: UInt8, size: Int = 1 << 20, limit: Int = 10) {
            (piece, self.limit) = ([UInt8](repeating: byte, count: size), limit)
        }

        func next() throws(InputError) -> [UInt8]? {
            count += 1
            return count > limit ? nil : piece
        }
    }

    @Test(
        "'fmt -' stops reading when the input exceeds the maximum size of a file",
        arguments: [UInt8(0), 10]
    )
    func format(_ byte: UInt8) {
        let input = Endless(byte)
        var errors = ""
        let code = FormatCommand(paths: ["-"]).run(
            input: { () throws(InputError) in try input.next() },
            Console(
                output: { _ in Issue.record("no output expected") },
                errors: { errors += $0 },
                save: { _, _ in nil }
            )
        )
        #expect(input.count == 2)
        #expect(code == .scenarioInvalid)
        #expect(errors.hasPrefix("error[S0102]: '-' is too large (at most 1024 KiB expected)\n"))
    }

    @Test("'events -' stops reading when the input exceeds the maximum size of a recording")
    func events() {
        let input = Endless(0, size: EventFile.sizeLimit / 4)
        var errors = ""
        let code = EventsCommand(file: "-").run(
            input: { () throws(InputError) in try input.next() },
            Console(output: { _ in Issue.record("no output expected") }, errors: { errors += $0 })
        )
        #expect(input.count == 5)
        #expect(code == .inputMissing)
        #expect(errors.hasPrefix("error[C0103]: '-' is too large (at most 262144 KiB expected)\n"))
    }

    @Test("an input of exactly the maximum size is read")
    func largest() throws {
        let input = Endless(10, limit: 2)
        let text = try SourceText(input: "-", limit: 2 << 20) { () throws(InputError) in
            try input.next()
        }
        #expect(text.bytes.count == 2 << 20)
    }

    @Test("a line that never ends is an error")
    func line() throws {
        let input = Endless(0x20, size: 1 << 10, limit: 1_000)
        let lines = InputLines(read: input.next)
        #expect {
            _ = try lines.next()
        } throws: {
            ($0 as? InputError)?.reason == "a line is longer than 65536 bytes"
        }
        #expect(input.count == 65)
    }

    @Test("'repl' and 'explain' end with an error if a line never ends")
    func commands() throws {
        let folder = try TemporaryFolder()
        try folder.write("main.lua", "router.start(function() return router.screen 'A' end)")
        let path = folder.path + "/main.lua"
        func run(
            _ body: (_ input: () throws(InputError) -> [UInt8]?, _ console: Console) -> ExitCode
        ) {
            let lines = InputLines(read: Endless(0x20).next)
            var errors = ""
            let console = Console(output: { _ in }, errors: { errors += $0 })
            let code = body({ () throws(InputError) in try lines.next() }, console)
            #expect(code == .inputMissing)
            #expect(errors.contains("cannot read the input (a line is longer than 65536 bytes)\n"))
        }
        run { ReplCommand(script: path).run(input: $0, $1) }
        run { ExplainCommand(script: path, targets: ["-"]).run(input: $0, $1) }
    }

    @Test("input is split into the same lines, wherever its chunks end")
    func pieces() throws {
        let text = Array("one\n\ntwo\r\n\nthree".utf8)
        for size in 1...text.count {
            var rest = text[...]
            let lines = InputLines {
                defer { rest = rest.dropFirst(size) }
                return rest.isEmpty ? nil : Array(rest.prefix(size))
            }
            var result: [String] = []
            while let line = try lines.next() {
                result.append(String(decoding: line, as: UTF8.self))
            }
            #expect(result == ["one", "", "two\r", "", "three"])
        }
    }

    @Test("a text has the same lines and columns if a megabyte of text follows")
    func largeText() {
        let part = "a\n\nbc\r\n" + String(repeating: "\n", count: 100)
        let padding = String(repeating: "x", count: 1 << 20)
        for end in ["", "\n", "z", "z\n"] {
            let text = String(repeating: part, count: 20) + end
            let small = SourceText(name: "a", content: Array(text.utf8))
            let large = SourceText(name: "a", content: Array((text + "\n" + padding).utf8))
            #expect(large.lineCount == text.utf8.count { $0 == 10 } + 2)
            for number in 1...small.lineCount { #expect(large.line(number) == small.line(number)) }
            for offset in small.bytes.indices {
                #expect(large.lineNumber(at: offset) == small.lineNumber(at: offset))
                #expect(large.column(at: offset) == small.column(at: offset))
            }
        }
    }
}
