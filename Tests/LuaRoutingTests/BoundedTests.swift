// SPDX-License-Identifier: MIT

import LuaRouting
import RandomNumbers
import Testing

struct BoundedTests {
    /// A queue implemented as an array, for comparison.
    private struct Naive {
        var elements: [(number: Int, bytes: Int)] = []
        var dropped = 0
        var bytes: Int { elements.reduce(0) { $0 + $1.bytes } }
    }

    @Test("a full queue drops and counts new elements, and keeps the order of queued elements")
    func model() {
        var random = RandomNumbers(seed: 7)
        for limit in [0, 1, 3, 200] {
            var (queue, naive) = (Bounded<Int>(limit: limit, bytes: 500), Naive())
            for number in 0..<5_000 {
                switch Int.random(in: 0..<10, using: &random) {
                case 0...4:
                    let bytes = Int.random(in: 0..<10, using: &random)
                    let fits = naive.elements.count < limit && naive.bytes + bytes <= 500
                    let isAdded = queue.append(number, bytes: bytes)
                    #expect(isAdded == fits)
                    if fits { naive.elements.append((number, bytes)) } else { naive.dropped += 1 }
                case 5...7 where !naive.elements.isEmpty:
                    let (first, other) = (queue.removeFirst(), naive.elements.removeFirst())
                    #expect(first == other.number)
                case 8 where !naive.elements.isEmpty:
                    queue.updateFirst { $0 += 1 }
                    naive.elements[0].number += 1
                case 9 where number % 50 == 0:
                    queue.prepend(number)
                    naive.elements.insert((number, 0), at: 0)
                default:
                    let dropped = queue.takeDropped()
                    #expect(dropped == naive.dropped)
                    naive.dropped = 0
                }
                #expect(queue.elements == naive.elements.map(\.number))
                #expect(queue.first == naive.elements.first?.number)
                #expect(queue.count == naive.elements.count)
                #expect(queue.bytes == naive.bytes)
            }
        }
    }

    @Test("adding bytes fails if the sum would overflow")
    func overflow() {
        var queue = Bounded<Int>()
        queue.append(1, bytes: .max)
        queue.append(2, bytes: 1)
        #expect(queue.elements == [1])
        queue.removeAll()
        queue.append(3, bytes: 1)
        #expect(queue.elements == [3])
    }
}
