// SPDX-License-Identifier: MIT
// Has four threads want one `Mutex` at once: a thread sanitizer that reports this cannot judge.
import Dispatch
import Synchronization

final class Counter: Sendable {
    let counts = Mutex<[Int]>([])

    func count() {
        for _ in 0..<500 { counts.withLock { $0.append($0.count) } }
    }
}

let counter = Counter()
DispatchQueue.concurrentPerform(iterations: 4) { _ in counter.count() }
precondition(counter.counts.withLock { $0 } == Array(0..<2_000))
