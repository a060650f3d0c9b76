// SPDX-License-Identifier: MIT

import RandomNumbers
import Testing

@testable import ScenarioKit

/// Tests of the lists of a session, whose copies share their elements.
struct SharedLogInternalsTests {
    @Test("copies that diverge keep their own elements")
    func copies() {
        var generator = RandomNumbers(seed: 3)
        var logs: [(log: SharedLog<Int>, array: [Int])] = [(SharedLog([1, 2]), [1, 2])]
        for number in 0..<2_000 {
            let index = Int.random(in: logs.indices, using: &generator)
            var (log, array) = logs[index]
            log.append(number)
            array.append(number)
            // Some copies stay as they are, others take the place of the old ones.
            if number % 3 == 0 { logs.append((log, array)) } else { logs[index] = (log, array) }
        }
        for (log, array) in logs {
            #expect(Array(log) == array && log.count == array.count)
            #expect(Array(log[1...]) == Array(array[1...]) && log.last == array.last)
        }
    }

    @Test("two hundred copies of a growing list share the same storage")
    func sharing() {
        final class Element {}
        var log = SharedLog<Element>()
        var copies: [SharedLog<Element>] = []
        for _ in 0..<200 {
            log.append(Element())
            copies.append(log)
        }
        // An array of each copy would have a reference of its own to the first element.
        let base = log.withContiguousStorageIfAvailable { $0.baseAddress }
        #expect(base != nil)
        #expect(
            copies.allSatisfy { copy in
                copy.withContiguousStorageIfAvailable { $0.baseAddress } == base
            }
        )
    }
}
