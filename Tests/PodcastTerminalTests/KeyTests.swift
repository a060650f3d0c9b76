// SPDX-License-Identifier: MIT

import ScenarioKit
import Testing

@testable import PodcastTerminal

/// Tests of decoding keys from bytes, and of the command line.
struct KeyTests {
    @Test(
        "terminal input is split into keys correctly, wherever its chunks end",
        arguments: [
            ("a", [Key.text("a")]), ("é夜", [.text("é"), .text("夜")]), ("\r\n", [.enter, .enter]),
            ("\u{1B}[A\u{1B}OB", [.up, .down]), ("\u{1B}[C\u{1B}[D", [.right, .left]),
            ("\u{1B}[1;5A", [.up]), ("\u{1B}[200~x", [.text("x")]),
            ("\u{7F}\u{08}", [.backspace, .backspace]), ("\u{3}", [.interrupt]),
            ("\u{1}\t", [.right]), ("\u{1B}x", [.escape, .text("x")]), ("\u{1B}", [.escape]),
        ]
    )
    func keys(_ text: String, _ expected: [Key]) {
        let bytes = Array(text.utf8)
        for cut in bytes.indices {
            var decoder = KeyDecoder()
            var keys = decoder.keys(Array(bytes[..<cut]))
            keys += decoder.keys(Array(bytes[cut...]))
            #expect(keys + decoder.finish() == expected)
        }
    }

    @Test("bytes that are not UTF-8 are ignored")
    func invalid() {
        var decoder = KeyDecoder()
        #expect(decoder.keys([0xFF, 0xFF, 0xFF, 0xFF, 0x80, 0x61]) == [.text("a")])
    }

    @Test("the command line accepts scripts and a file for the recording")
    @MainActor
    func options() throws {
        let options = try Launch(["a", "--record", "b"])
        #expect(options.scripts == "a")
        #expect(options.record == "b")
    }

    @Test(
        "an invalid command line is a usage error",
        arguments: [
            (["--recrod", "x"], "unknown option '--recrod'"), (["--record"], "needs a file"),
            (["--record", ""], "needs a file"),
            (["a", "b"], "only one path of scripts can be given"),
        ]
    )
    @MainActor
    func wrongOptions(_ arguments: [String], _ message: String) {
        let error = #expect(throws: Launch.End.self) { try Launch(arguments) }
        #expect(error?.code == .usage)
        #expect(error?.message.contains(message) == true)
        #expect(error?.message.contains("usage: scripts/terminal") == true)
    }
}
