// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// The coverage of the generator, as seen by the naive planner.
struct CoverageTests {
    /// The features to cover, each with the minimum number of deeds per ten thousand that must use
    /// the feature.
    static let wanted: [(share: Int, words: [String])] = [
        (
            20,
            [
                "end badInfo", "end composition", "end notFound", "end notDismissible",
                "end script", "end startNotFound", "end stayed", "end stopped", "end typeMismatch",
                "deed back", "deed close", "deed dismiss", "deed dismissAll", "deed popTo",
                "deed popToRoot", "deed select", "build nil", "prepare", "redirect",
                "end redirectLoop", "intercept all before search", "intercept all before stage",
                "interceptor prepare",
            ]
        ),
        (
            10,
            [
                "find class", "find function", "find table", "find presenting", "find behind",
                "found on stage", "update", "adapt", "caller from", "from default",
                "from current", "from root", "from finder", "from route", "from link",
                "from container", "from switch", "switch default", "switch predicate",
                "switch finder", "switch from", "build function", "build template",
                "build routes", "build empty", "reuse class", "reuse by", "reuse function",
                "action push", "action pushAsRoot", "action pushReplacingLast",
                "action present", "action presentWithNav", "action replaceRoot",
                "action replaceLast", "action addTab", "action setAsPrimary",
                "action pushToDetails", "action pushOnToDetails", "action stack",
                "action front", "action sheet", "redirect", "leaf via",
                "intercept all before search", "intercept all before stage", "build recycling",
            ].map { "\($0), done" }
        ),
        (
            4,
            [
                "reuse top, done", "reuse by move, done", "action none, done", "recycled, done",
                "reuse from, done", "reuse widened, done", "start for all, done",
                "after none, done", "interceptor behind adapt, done", "action below, done",
                "found, unprepared, done", "link adapt, done", "link prepare",
                "find combined, done",
                "container find, done", "container intercept, done", "container update, done",
                "container after, done",
            ]
        ),
    ]

    @Test("the generator covers every feature of the language")
    func reachesAll() {
        let coverage = Batch.rehearse(1...300)
        let deeds = coverage.counts.filter { $0.key.hasPrefix("deed ") }.values.reduce(0, +)
        for (share, words) in Self.wanted {
            for word in words {
                let count = coverage[word]
                #expect(count * 10_000 >= share * deeds, "\(word): \(count) of \(deeds) deeds")
            }
        }
        let share = Double(coverage["end done"]) / Double(coverage["deed navigate"])
        #expect((0.4...0.6).contains(share))
        if ProcessInfo.processInfo.environment["PLANNER_COVERAGE"] != nil {
            print(coverage.table)
        }
    }
}
