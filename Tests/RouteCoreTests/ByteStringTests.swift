// SPDX-License-Identifier: MIT

import RouteCore
import Testing

struct ByteStringTests {
    @Test("a byte string has a text if and only if its bytes are valid UTF-8")
    func text() {
        #expect(ByteString(bytes: Array("é\0".utf8)).text == "é\0")
        let invalid = ByteString(bytes: [0x61, 0xFF])
        #expect(invalid.text == nil)
        #expect(invalid.displayText == "a\u{FFFD}")
        #expect(invalid.count == 2)
        #expect(ByteString(bytes: []).text == "")
    }

    @Test("canonically equivalent texts with different bytes are different strings")
    func spellings() {
        let composed: ByteString = "\u{E9}"
        let decomposed: ByteString = "e\u{301}"
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
    }

    @Test("strings are equal if and only if they have the same bytes")
    func equality() {
        #expect(ByteString("aé") == ByteString(bytes: [0x61, 0xC3, 0xA9]))
        #expect(Set([ByteString("aé"), ByteString(bytes: [0x61, 0xC3, 0xA9])]).count == 1)
        #expect(ByteString(bytes: [0xFF]) == ByteString(bytes: [0xFF]))
        #expect(ByteString(bytes: [0xFF]) != ByteString(bytes: [0xFE]))
    }

    @Test("strings are ordered byte by byte")
    func order() {
        let sorted: [ByteString] = [
            "", "A", "a", "a\0", "ab", "b", "e\u{301}", "\u{E9}", ByteString(bytes: [0xFF]),
        ]
        #expect(sorted.reversed().sorted() == sorted)
    }

    @Test("a closure receives the bytes of the string, and may throw")
    func bytes() throws {
        struct Refused: Error {}
        for string in [ByteString("é"), ByteString(bytes: [0xC3])] {
            #expect(string.withBytes { Array($0) }.first == 0xC3)
            #expect(throws: Refused.self) { try string.withBytes { _ in throw Refused() } }
        }
    }
}
