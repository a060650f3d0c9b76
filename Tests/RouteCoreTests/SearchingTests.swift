// SPDX-License-Identifier: MIT

import RandomNumbers
import RouteCore
import Testing

/// Tests that compare text searches with those of the standard library.
struct SearchingTests {
    @Test("text searches find the same parts as the standard library", arguments: [UInt64](1...4))
    func parts(_ seed: UInt64) {
        var random = RandomNumbers(seed: seed)
        func text(_ longest: Int) -> String {
            let count = Int.random(in: 0...longest, using: &random)
            return String((0..<count).compactMap { _ in "aab/é".randomElement(using: &random) })
        }
        for _ in 0..<500 {
            let (whole, part) = (text(8), text(3))
            #expect(whole.contains(part: part) == whole.contains(part), "\(part) in \(whole)")
            guard !part.isEmpty else { continue }
            #expect(whole.firstRange(ofPart: part) == whole.firstRange(of: part))
            #expect(
                whole.replacing(part: part, with: "-") == whole.replacing(part, with: "-"),
                "\(part) in \(whole)"
            )
        }
    }

    @Test("a combining mark after a match does not hide the match")
    func marks() {
        #expect(
            "a'\u{301}b".replacing(part: "'", with: "''").utf8.elementsEqual("a''\u{301}b".utf8)
        )
        #expect(
            "---\u{301}".replacing(part: "--", with: "- -").utf8.elementsEqual("- --\u{301}".utf8)
        )
    }

    @Test("a path is split at the byte of the slash, and paths are compared byte by byte")
    func paths() {
        let path = "/a/\u{301}b//c/"
        #expect(
            path.pathNames.map { Array($0.utf8) } == ["a", "\u{301}b", "c"].map { Array($0.utf8) }
        )
        #expect("a/\u{301}b".lastSlash.map { "a/\u{301}b"[..<$0] } == "a")
        #expect("/\u{301}b".isAbsolutePath && !"a/b".isAbsolutePath)
        #expect("/\u{301}b".hasBytePrefix("/") && "b/\u{301}".hasByteSuffix("\u{301}"))
        #expect(!"e\u{301}.lua".hasBytePrefix("\u{E9}") && !"e\u{301}".hasByteSuffix("\u{E9}"))
    }
}
