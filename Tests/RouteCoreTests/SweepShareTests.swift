// SPDX-License-Identifier: MIT

import Testing

@testable import TestSupport

/// Tests of the share of a sweep that the environment variable `LUAROUTE_SWEEPS` defines.
struct SweepShareTests {
    @Test("the shards of a test sweep together contain each case exactly once", arguments: 1...8)
    func shares(_ count: Int) {
        let shares = (1...count).map { (1...20).elements(of: SweepShare("\($0)/\(count)")) }
        #expect(shares.joined().sorted() == Array(1...20))
        #expect(shares.allSatisfy { abs($0.count - 20 / count) <= 1 })
    }

    @Test("without the environment variable all cases run, and with the value '0' none run")
    func none() {
        #expect((1...20).elements(of: SweepShare(nil)) == Array(1...20))
        #expect((1...20).elements(of: SweepShare("0")) == [])
    }

    @Test("an invalid share stops the tests")
    func invalid() async {
        await #expect(processExitsWith: .failure) { _ = SweepShare("8/7") }
        await #expect(processExitsWith: .failure) { _ = SweepShare("0/7") }
        await #expect(processExitsWith: .failure) { _ = SweepShare("some") }
        await #expect(processExitsWith: .failure) { _ = SweepShare("") }
    }
}
