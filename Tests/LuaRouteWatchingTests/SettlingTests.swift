// SPDX-License-Identifier: MIT

import LuaRouteWatching
import Testing

struct SettlingTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let name: String
        /// The times of the hints, in milliseconds.
        let hints: [Int]
        /// The time at which files count as settled, in milliseconds; nil if they do not.
        let end: Int?

        var testDescription: String { name }
    }

    static let rows = [
        Row(name: "no hint never settles", hints: [], end: nil),
        Row(name: "one hint settles after the quiet time", hints: [0], end: 100),
        Row(name: "a later hint puts it off", hints: [0, 60], end: 160),
        Row(name: "hints at one time are one", hints: [0, 0, 0], end: 100),
        Row(name: "a hint that comes late in time changes nothing", hints: [50, 20], end: 150),
        Row(
            name: "hints without end settle after the longest time",
            hints: Array(stride(from: 0, through: 2000, by: 50)),
            end: 1000
        ),
        Row(name: "the last hint before it counts", hints: [0, 950], end: 1000),
    ]

    @Test(
        "files settle after a quiet period, or at the latest after the maximum time",
        arguments: rows
    )
    func settles(_ row: Row) {
        let start = ContinuousClock.now
        var settling = Settling()
        for hint in row.hints { settling.note(at: start + .milliseconds(hint)) }
        guard let end = row.end else {
            #expect(settling.end == nil)
            #expect(!settling.isSettled(at: start + .seconds(3600)))
            return
        }
        #expect(settling.end == start + .milliseconds(end))
        #expect(!settling.isSettled(at: start + .milliseconds(end - 1)))
        #expect(settling.isSettled(at: start + .milliseconds(end)))
    }

    @Test("the quiet period and the maximum time can be configured")
    func times() {
        let start = ContinuousClock.now
        var settling = Settling(quiet: .milliseconds(5), longest: .milliseconds(8))
        settling.note(at: start)
        #expect(settling.end == start + .milliseconds(5))
        settling.note(at: start + .milliseconds(4))
        #expect(settling.end == start + .milliseconds(8))
    }
}
