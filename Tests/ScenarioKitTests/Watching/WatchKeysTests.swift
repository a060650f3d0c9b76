// SPDX-License-Identifier: MIT

import ScenarioKit
import Testing

/// Tests of the keys of a watch: typed bytes, requests, and the last line of the terminal.
@Suite("Keys of a watch")
struct WatchKeysTests {
    private static let commands = "a all  f failed  n name  t tags  u update  q quit "

    /// Pieces of input, each of which arrives at once, with the expected requests and the line
    /// after them.
    private static let rows: [([String], [WatchKeys.Request], String)] = [
        ([], [], commands),
        (["a"], [.all], commands),
        (["f", "u"], [.failed, .update], commands),
        (["fuq"], [.failed, .update, .quit], commands),
        (["\u{04}"], [.quit], commands),
        (["x", "A", "\n", " ", "é"], [], commands),
        // Lines.
        (["n"], [], "name: "),
        (["n", "lo", "g"], [], "name: log"),
        (["nafq"], [], "name: afq"),
        (["nlog\r"], [.name("log")], "a all  f failed  n name 'log'  t tags  u update  q quit "),
        (
            ["n", "l", "\n", "f"], [.name("l"), .failed],
            "a all  f failed  n name 'l'  t tags  u update  q quit "
        ),
        (
            ["na\n", "tb,!c\n"], [.name("a"), .tags("b,!c")],
            "a all  f failed  n name 'a'  t tags 'b,!c'  u update  q quit "
        ),
        (["na\n", "a"], [.name("a"), .all], commands),
        (["na\n", "n\n"], [.name("a"), .name("")], commands),
        (["t\n"], [.tags("")], commands),
        (["tx y\n"], [], "tags such as 'auth,!slow' expected, got 'x y'  tags: x y"),
        (["tx y\n", "z"], [], "tags: x yz"),
        (
            ["tx y\n", "\u{7F}\u{7F}\n"], [.tags("x")],
            "a all  f failed  n name  t tags 'x'  u update  q quit "
        ),
        // Editing.
        (["nab\u{7F}c\u{08}"], [], "name: a"),
        (["n\u{7F}\u{7F}a"], [], "name: a"),
        (["naé\u{7F}"], [], "name: a"),
        (["na🙂\u{7F}b"], [], "name: ab"),
        (["nabc\u{15}d"], [], "name: d"),
        (["na\tb\u{01}"], [], "name: ab"),
        (["nab", "\u{1B}"], [], commands),
        (["nab\u{04}"], [], commands),
        (["nab", "\u{1B}", "nc"], [], "name: c"),
        // The sequences of other keys.
        (["\u{1B}"], [], commands),
        (["\u{1B}[A", "\u{1B}OP", "\u{1B}[15~", "\u{1B}[1;5C", "\u{1B}a"], [], commands),
        (["n\u{1B}[Da\u{1B}[3~b\u{1B}OCc\u{1B}fd"], [], "name: abcd"),
        (["\u{1B}[Aa\u{1B}[", "f"], [.all, .failed], commands),
        // Foreign text.
        (["na\u{9B}b"], [], "name: a\\u{9B}b"),
    ]

    @Test(
        "keys create requests, and the status line shows typed text and the current selection",
        arguments: rows
    )
    func keys(_ pieces: [String], _ requests: [WatchKeys.Request], _ line: String) {
        var keys = WatchKeys()
        #expect(pieces.flatMap { keys.take(Array($0.utf8)) } == requests)
        #expect(keys.line.text == line)
    }

    @Test("a typed line has a maximum length")
    func limit() {
        var keys = WatchKeys()
        _ = keys.take(Array("n".utf8) + Array(repeating: UInt8(ascii: "x"), count: 100_000))
        #expect(keys.line.text.utf8.count < 1100)
    }
}
