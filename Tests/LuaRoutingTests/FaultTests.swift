// SPDX-License-Identifier: MIT

import LuaVM
import TestSupport
import Testing

/// Whichever request for memory of a script is refused, a router goes on.
///
/// What is hit fails with `budget`; every navigation and task ends once; the tree keeps its rules;
/// what comes next works; and nothing leaks. That its closed state has freed all it took, each close
/// of a state asserts.
@Suite(.tags(.sweep), .unlessQuick) struct FaultTests {
    private let tracker = LifetimeTracker()

    @Test("a run without faults has none")
    func none() {
        let faults = Faults(tracker)
        #expect(faults.faults == [])
        #expect(!faults.isRefused, "\(faults.outcomes)")
        #expect(tracker.liveCount == 0)
    }

    @Test("a refused request ends the loading of scripts, or harms nothing")
    func loading() {
        sweep("loading, one request refused") { Faults(loading: .only($0), tracker) }
        sweep("loading, all requests refused from one on") {
            Faults(loading: .from($0), tracker)
        }
    }

    @Test("one refused request fails what it hits and nothing else")
    func one() {
        sweep("router, one request refused") { Faults(running: .only($0), tracker) }
    }

    @Test("requests that are all refused fail all, until there is memory again")
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
