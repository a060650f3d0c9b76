// SPDX-License-Identifier: MIT

import CLuaProbes
import LuaVM
import RandomNumbers
import TestSupport
import Testing

/// Tests that tokens, which limit a source, are the same tokens that Lua reads.
struct LexerTests {
    private enum Comparison: Equatable {
        case same, refused, differs

        init(_ source: [UInt8]) {
            switch Int(lexer_probe(source, source.count)) {
            case LEXER_SAME: self = .same
            case LEXER_REFUSED: self = .refused
            default: self = .differs
            }
        }
    }

    @Test(
        "the tokens equal those of Lua's own lexer",
        arguments: [
            "--\rlocal x = 1", "local a = 'x\\\r\ny' return a", "local a = 'x\\\n\ry' return a",
            "return 'a\\z\n \r\t\u{B}\u{C} b'", "return 'a\\z'", "return '\\\\' .. \"\\\"\"",
            "--[==[ ]=] ]==]return 1", "--[==\nreturn 1", "--[=[\r\r\n\n]=]return 1",
            "return [==[\n]]]=]==]", "return [[\r\n\n\r]] , 1", "a=b--c\n\r\n--[[d]]e=f",
            "return 0x.8p-2, 3e+1, .5e-1, 0xA.p1, 3 ..2", "a = 1 -- 2 \r\n b = 2 - - 3",
            "a.b[c]:d'e'{f}[g](...)", "goto l ::l:: ::m:: a::n", "x=1//2>>3<<4~5~=6==7<=8>=9",
            "return '\\x41\\u{1F600}\\065\\0'", "return \"\\\r\\\n\"", "\u{B}return\u{C}1\t",
        ]
    )
    func known(_ text: String) {
        #expect(Comparison(Array(text.utf8)) != .differs)
    }

    @Test(
        "a token has a kind, its bytes and its line numbers",
        arguments: [
            ("local x", ["keyword 1 local", "name 1 x"]),
            (
                "f\r\n.. ...\r0x1p-2",
                ["name 1 f", "symbol 2 ..", "symbol 2 ...", "numeral 3 0x1p-2"]
            ),
            (#"'a\'b' "c""#, [#"string 1 a\'b"#, "string 1 c"]),
            ("[=[a\n]]]=] --[[\n]] y", ["string 1 a\n]]", "name 3 y"]),
            ("[[]] ''", ["string 1 ", "string 1 "]),
            ("x 'y\n z", ["name 1 x"]), ("x [[y z", ["name 1 x"]), ("x --[[ z", ["name 1 x"]),
            ("", []),
        ]
    )
    func tokens(_ text: String, _ expected: [String]) {
        let source = Array(text.utf8)
        let tokens = LuaTokens(source).map { token in
            let content = String(decoding: source[token.content], as: UTF8.self)
            return "\(token.kind) \(token.lines.lowerBound) \(content)"
        }
        #expect(tokens == expected)
    }

    @Test("random sources produce the same tokens as in Lua, or Lua rejects them", arguments: 0..<8)
    func random(_ seed: UInt64) {
        var soup = TokenSoup(seed: seed)
        var accepted = 0
        for _ in 0..<2000 {
            let source = soup.source()
            let comparison = Comparison(source)
            #expect(
                comparison != .differs,
                "\(String(decoding: source, as: UTF8.self).debugDescription)"
            )
            if comparison == .same { accepted += 1 }
        }
        #expect(accepted > 400, "\(accepted)")
    }
}

/// A generator of sources that Lua mostly accepts, with every kind of space and literal between
/// tokens.
struct TokenSoup {
    private var random: RandomNumbers

    init(seed: UInt64) { random = RandomNumbers(seed: seed) }

    mutating func source() -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            bytes += gap() + Array(statement().utf8) + gap()
        }
        // Some sources are broken anywhere.
        if Int.random(in: 0..<4, using: &random) == 0, !bytes.isEmpty {
            bytes[Int.random(in: 0..<bytes.count, using: &random)] =
                pick(Array("\r\n\\z'\"[]=-. \0x0".utf8))
        }
        return bytes
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &random)]
    }

    private mutating func statement() -> String {
        let gaps = (0..<4).map { _ in String(decoding: gap(), as: UTF8.self) }
        return switch Int.random(in: 0..<6, using: &random) {
        case 0: "x\(gaps[0])=\(gaps[1])\(literal())\(gaps[2]);"
        case 1: "f\(gaps[0])\(literal())\(gaps[1]).b\(gaps[2])=\(numeral())\(gaps[3]);"
        case 2: "local \(gaps[0])a\(gaps[1])=\(gaps[2])b.c\(gaps[3]).d;"
        case 3: "f(\(gaps[0])\(literal()),\(gaps[1])\(numeral())\(gaps[2]),\(gaps[3])a);"
        case 4: "x=\(gaps[0])a \(pick(["..", "//", "==", "~=", "<<", ">=", "-", "~"])) \(gaps[1])b;"
        default: "a[\(gaps[0])\(literal())\(gaps[1])]=\(gaps[2])-\(gaps[3])1;"
        }
    }

    private mutating func numeral() -> String {
        pick(["1", ".5", "0x1p4", "3e-2", "0xA.8", "1 ..2", "7.", "0x", "1..2", "3e", "08"])
    }

    private mutating func text() -> String {
        (0..<Int.random(in: 0...4, using: &random)).map { _ in
            pick([
                "a", "]", "=", "]]", "]=]", "--", "[[", "[=[", " ", "\r", "\n", "\r\n", "\n\r", "'",
                "\"", "\\", "\t", "\u{B}", ".b",
            ])
        }.joined()
    }

    private mutating func literal() -> String {
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            let level = String(repeating: "=", count: Int.random(in: 0...2, using: &random))
            return "[\(level)[\(text())]\(level)]"
        default:
            let parts = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                pick([
                    "a", "\\\\", "\\'", "\\\"", "\\\n", "\\\r", "\\\r\n", "\\\n\r", "\\z",
                    "\\z \n\r ",
                    "\\z\r\r\n", "\\x41", "\\u{41}", "\\65", "\\065", "\\n", "--", "[[", "]]", "'",
                    " ",
                    "\\\n\n", "\\",
                ])
            }.joined()
            let quote = pick(["'", "\""])
            return quote + parts + quote
        }
    }

    private mutating func gap() -> [UInt8] {
        (0..<Int.random(in: 0...2, using: &random)).flatMap { _ -> [UInt8] in
            let level = String(repeating: "=", count: Int.random(in: 0...2, using: &random))
            return Array(
                pick([
                    " ", "\n", "\r", "\r\n", "\n\r", "\t\u{B}\u{C}", "--\r", "--\n", "--[\n",
                    "--[=\r",
                    "--]]\n", "--\(text())\n", "--[\(level)[\(text())]\(level)]",
                    "--[\(level)[]\(level)]",
                ]).utf8
            )
        }
    }
}
