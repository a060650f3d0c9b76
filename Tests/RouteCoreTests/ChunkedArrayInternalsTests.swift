// SPDX-License-Identifier: MIT

import RandomNumbers
import Testing

@testable import RouteCore

struct ChunkedArrayInternalsTests {
    @Test("a chunked array behaves like a plain array", arguments: [UInt64](1...4))
    func model(_ seed: UInt64) throws {
        var random = RandomNumbers(seed: seed)
        var plain: [Int] = []
        var chunked: ChunkedArray<Int> = []
        // Copies, which later edits must not change.
        var copies: [(plain: [Int], chunked: ChunkedArray<Int>)] = []
        for step in 0..<60 {
            let comment: Comment = "seed \(seed), step \(step)"
            switch random.below(5) {
            case 0, 1:
                for _ in 0..<random.below(random.isTrue(oneIn: 8) ? 2_000 : 40) {
                    plain.append(step)
                    chunked.append(step)
                }
            case 2:
                let count = plain.count - min(plain.count, random.below(80))
                plain.removeSubrange(count...)
                chunked.truncate(to: count)
            case 3:
                let start = random.below(plain.count + 1)
                let range = start..<min(plain.count, start + random.below(100))
                let new = Array(repeating: step, count: random.below(60))
                plain.replaceSubrange(range, with: new)
                chunked.replaceSubrange(range, with: new)
            default:
                copies.append((plain, chunked))
            }
            try #require(chunked.count == plain.count, comment)
            try #require(Array(chunked) == plain, comment)
            try #require(chunked == ChunkedArray(plain), comment)
            for (plainCopy, copy) in copies.suffix(4) {
                try #require(Array(copy) == plainCopy, comment)
                let common = zip(plain, plainCopy).prefix { $0 == $1 }.count
                try #require(chunked.commonPrefixCount(with: copy) == common, comment)
                try #require(copy.commonPrefixCount(with: chunked) == common, comment)
            }
        }
    }
}
