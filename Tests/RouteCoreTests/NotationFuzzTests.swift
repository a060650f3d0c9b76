// SPDX-License-Identifier: MIT

import RandomNumbers
import RouteCore
import Testing

struct NotationFuzzTests {
    static let seeds = [
        "nav[Main, Show(showId=1), Player(trackId=7)]",
        "tabs[A, *nav:nav(a=\"x\\n\\x41\\u{20AC}\\z  y\", b=-0x1.8p3)[..., _] ^ M] ^ L # end",
        "A(t={1, -2.5e3, name, [7]=nil, [\"two words\"]={true}, x.y-z='its'}, u=00FF00)",
    ]

    @Test(
        "parsing arbitrary bytes terminates, and every range is inside the text",
        arguments: [UInt64](1...8)
    )
    func mutated(_ seed: UInt64) throws {
        var random = RandomNumbers(seed: seed)
        let alphabet = Array("[](){}*^:=,._-#\"'\\ \nnAx07\u{E9}".utf8)
        for _ in 0..<500 {
            var bytes = Array(random.element(of: Self.seeds).utf8)
            for _ in 0...random.below(4) {
                let place = random.below(bytes.count)
                switch random.below(4) {
                case 0: bytes.remove(at: place)
                case 1: bytes.insert(random.element(of: alphabet), at: place)
                case 2: bytes[place] = random.element(of: alphabet)
                default: bytes[place] = UInt8(truncatingIfNeeded: random.next())
                }
            }
            var parser = NotationParser(bytes)
            parser.skipsComments = random.isTrue(oneIn: 2)
            let comment: Comment = "seed \(seed): \(String(decoding: bytes, as: UTF8.self))"
            do {
                let tree = try parser.parseTree(.pattern)
                try #require(tree.range == 0..<parser.position, comment)
                try parser.expectEnd()
                try #require(parser.position == bytes.count, comment)
            } catch let error as NotationError {
                try #require(error.range.upperBound <= bytes.count, comment)
                try #require(!error.message.isEmpty, comment)
            }
        }
    }

    @Test(
        "parsing a text of one megabyte succeeds or fails with an error",
        arguments: [
            "nav[\(long("A(id=1), "))A]", "A(\(long("a={}, "))b=1)", "A(t={\(long("[1]=1, "))})",
            "A(t={nil, \(long("1, "))[-1]=1, [-2]=1})", "A(s='\(long("\\65"))')",
            "A(n=\(long("1")))",
            long("n["), long("A ^ "),
        ]
    )
    func large(_ text: String) {
        var parser = NotationParser(Array(text.utf8))
        // A quadratic parser would take minutes.
        do throws(NotationError) {
            _ = try parser.parseTree(.tree)
            #expect(parser.position == text.utf8.count)
        } catch {
            #expect(error.range.upperBound <= text.utf8.count)
        }
    }

    static func long(_ text: String) -> String {
        String(repeating: text, count: 1_000_000 / text.utf8.count)
    }
}
