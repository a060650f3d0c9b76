// SPDX-License-Identifier: MIT

import LuaVM
import TestSupport
import Testing

/// Tests that any failed memory allocation causes a correct error and no leak.
///
/// Each state asserts when it is closed that all of its memory was freed.
@Suite(.tags(.sweep), .unlessQuick) struct FaultTests {
    @Test("if any single allocation fails, the error is correct and nothing leaks")
    func one() {
        sweep("border, one request refused") { .only($0) }
    }

    @Test("if all allocations fail from any point on, the errors are correct and nothing leaks")
    func all() {
        sweep("border, all requests refused from one on") { .from($0) }
    }

    private func sweep(
        _ name: String,
        _ refusal: (Int) -> LuaState.Refusal
    ) {
        let tracker = LifetimeTracker()
        let expected = Faults(.none, tracker)
        #expect(!expected.isRefused && expected.isClean, "\(expected.outcomes)")
        var sweep = FaultSweep()
        sweep.run(name) { number in
            let faults = Faults(refusal(number), tracker)
            check(faults, expected, tracker, number)
            return (number <= faults.requests || faults.requests == 0, faults.isRefused)
        }
        #expect(sweep.failures * 10 > sweep.count * 9)
    }

    private func check(
        _ faults: Faults,
        _ expected: Faults,
        _ tracker: LifetimeTracker,
        _ number: Int
    ) {
        #expect(faults.isClean, "fault \(number): \(faults.outcomes)")
        #expect(tracker.liveCount == 0, "fault \(number)")
        // Each part either went as ever, or was refused memory.
        let others = faults.outcomes.filter { $0 != "memory" && !expected.outcomes.contains($0) }
        #expect(others == [], "fault \(number)")
    }

    @Test("with any memory limit, however small, the error is correct and nothing leaks")
    func bytes() {
        let tracker = LifetimeTracker()
        let expected = Faults(.none, tracker)
        func run(_ bytes: Int) -> (isMade: Bool, hasFailed: Bool) {
            let faults = Faults(.none, limit: bytes, tracker)
            check(faults, expected, tracker, bytes)
            return (true, faults.isRefused)
        }
        // The least that is enough, by halves.
        var low = 0, high = 1 << 22
        while high - low > 1 {
            let middle = (low + high) / 2
            if run(middle).hasFailed { low = middle } else { high = middle }
        }
        #expect(low > 0 && high < 1 << 22)
        var sweep = FaultSweep()
        sweep.run("border, bytes limited", from: max(0, high - 600), through: high, run)
        sweep = FaultSweep(step: 97)
        sweep.run("border, bytes limited", from: 0, through: high, run)
        #expect(sweep.failures * 10 > sweep.count * 9)
    }
}
