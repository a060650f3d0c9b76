// SPDX-License-Identifier: MIT

import Soak
import TestSupport
import Testing

@Suite("Reloading over a long time")
struct SoakTests {
    @Test(
        "over many reloads, every navigation ends once in one generation, and memory does not grow",
        .tags(.sweep),
        .unlessQuick,
        arguments: 1...2
    )
    func soak(_ seed: UInt64) throws {
        let report = try Soak(seed: seed).run(navigations: 2_000, reloads: 60, rewinds: 20)
        #expect(report.violations == [])
        #expect(report.reloads["accepted", default: 0] > 20)
        #expect(report.reloads["rejected", default: 0] > 3)
        #expect(report.mostGenerations > 1)
        #expect(report.rewinds > 20)
        #expect(report.explored > 10)
        #expect(report.guards["asks", default: 0] > 0)
        #expect(report.ends["done", default: 0] > 500)
        #expect(report.screens.held == report.screens.shown)
        // The last scripts are the first ones, but for a comment.
        #expect(abs(report.memory.end - report.memory.start) < 8_192, "\(report.memory)")
    }
}
