// SPDX-License-Identifier: MIT

import LuaVM
import TestSupport
import Testing

/// Tests that a router keeps working, whichever memory allocation of a script fails.
///
/// The operation whose allocation fails ends with `budget`. Every navigation and task ends once,
/// the tree keeps its rules, and the next operation works. Nothing leaks, because closing a state
/// asserts that all of its memory was freed.
@Suite(.tags(.sweep), .unlessQuick) struct FaultTests {
    private let tracker = LifetimeTracker()

    @Test("a run without injected allocation failures has no failures")
    func none() {
        let faults = Faults(tracker)
        #expect(faults.faults == [])
        #expect(!faults.isRefused, "\(faults.outcomes)")
        #expect(tracker.liveCount == 0)
    }

    @Test("a failed allocation either rejects the scripts or has no effect")
    func loading() {
        sweep("loading, one request refused") { Faults(loading: .only($0), tracker) }
        sweep("loading, all requests refused from one on") {
            Faults(loading: .from($0), tracker)
        }
    }

    @Test("a single failed allocation fails at most one operation")
    func one() {
        sweep("router, one request refused") { Faults(running: .only($0), tracker) }
    }

    @Test("operations fail while all allocations fail, and work again afterwards")
    func all() {
        sweep("router, all requests refused from one on") {
            Faults(running: .from($0), tracker)
        }
    }

    private func sweep(_ name: String, _ run: (Int) -> Faults) {
        let expected = Faults(tracker)
        var sweep = FaultSweep()
        sweep.run(name) { number in
            let faults = run(number)
            #expect(faults.faults == [], "fault \(number)")
            #expect(tracker.liveCount == 0, "fault \(number)")
            // A request that was refused without a word is one that nobody needed.
            if !faults.isRefused {
                #expect(faults.outcomes == expected.outcomes, "fault \(number)")
            }
            return (number <= faults.requests || faults.requests == 0, faults.isRefused)
        }
        #expect(sweep.failures * 10 > sweep.count * 9)
    }
}
