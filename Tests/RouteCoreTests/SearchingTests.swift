// SPDX-License-Identifier: MIT

import RandomNumbers
import RouteCore
import Testing

/// A comparison of text searches with those of the standard library.
struct SearchingTests {
    @Test("searches find the same parts as the standard library", arguments: [UInt64](1...4))
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
}
