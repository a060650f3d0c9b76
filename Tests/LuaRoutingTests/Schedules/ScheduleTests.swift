// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting
import TestSupport
import Testing

/// Tests with generated scripts and schedules, in which everything must end once, whatever happens
/// in which order.
struct ScheduleTests {
    /// Returns the seeds of a test.
    ///
    /// `SCHEDULE_SEEDS=5000` runs more seeds, and `SCHEDULE_SEEDS=17...17` only one.
    static func seeds(_ count: UInt64 = 60) -> ClosedRange<UInt64> {
        let text = ProcessInfo.processInfo.environment["SCHEDULE_SEEDS"] ?? ""
        let bounds = text.components(separatedBy: "...").compactMap { UInt64($0) }
        return bounds.count == 2 ? bounds[0]...bounds[1] : 1...max(1, bounds.first ?? count)
    }

    @Test(
        "in any schedule, every navigation ends once, nothing waits forever, and the tree stays valid",
        .tags(.sweep),
        .unlessQuick
    )
    func schedules() {
        var counts: [Event.Kind: Int] = [:]
        let seeds = Self.seeds().sweepShare
        for seed in seeds {
            let test = ScheduleCase(seed: seed)
            let outcome = Self.run(test)
            counts.merge(outcome.counts, uniquingKeysWith: +)
            guard let fault = outcome.faults.first else { continue }
            let small = ScheduleShrinker { Self.run($0).faults.first }.shrink(test)
            let faults = Self.run(small).faults.joined(separator: "\n")
            Issue.record("seed \(seed): \(fault)\n\(small.text)\n\(faults)")
        }
        guard seeds.count >= 60 else { return }
        // The schedules mean something: every way to end and to wait is met.
        for kind: Event.Kind in [
            .done, .failed, .stayed, .cancelled, .joined, .redirect, .replan, .gate, .reused,
            .removed, .timer,
        ] {
            #expect(counts[kind, default: 0] > 0, "no event '\(kind.rawValue)'")
        }
    }

    @Test(
        "adding explanations to a schedule does not change its outcome",
        .tags(.sweep),
        .unlessQuick
    )
    func explaining() {
        for seed in Self.seeds().sweepShare {
            let test = ScheduleCase(seed: seed)
            guard let fault = Self.faultOfExplaining(test) else { continue }
            let small = ScheduleShrinker(fault: Self.faultOfExplaining).shrink(test)
            Issue.record(
                "seed \(seed): \(fault)\n\(small.text)\n\(Self.faultOfExplaining(small) ?? "")"
            )
        }
    }

    @Test(
        "adding rewinds to a schedule does not change its outcome, even with links and dialogs",
        .tags(.sweep),
        .unlessQuick,
        arguments: [false, true]
    )
    func rewinding(_ hasDialogs: Bool) {
        var waits: Set<String> = []
        let seeds = Self.seeds().sweepShare
        for seed in seeds {
            // The checker counts the calls of one generation.
            let hasReloads = seed % 2 == 0
            var test = hasReloads ? ScheduleCase(seedWithReloads: seed) : ScheduleCase(seed: seed)
            if hasDialogs { test.addDialogs(seed) }
            func fault(_ test: ScheduleCase) -> [String]? {
                let listener: ScheduleRun.Listener = hasReloads ? .counter : .checker
                let plain = ScheduleRun.run(test, listener: listener)
                for name in ["login", "question", "dialog"] {
                    let text = "\"name\":\"\(name)\""
                    if plain.transcript.contains(where: { $0.contains(text) }) {
                        waits.insert(name)
                    }
                }
                let rewound = ScheduleRun.run(test, detours: seed, listener: listener)
                if !plain.faults.isEmpty { return plain.faults }
                return Self.difference(between: plain, and: rewound).map {
                    $0.components(separatedBy: "\n")
                }
            }
            guard let first = fault(test) else { continue }
            let small = ScheduleShrinker { fault($0)?.first }.shrink(test)
            let faults = (fault(small) ?? []).joined(separator: "\n")
            Issue.record("seed \(seed): \(first[0])\n\(small.text)\n\(faults)")
        }
        guard hasDialogs, seeds.count >= 60 else { return }
        #expect(waits == ["login", "question", "dialog"])
    }

    // A navigation that nobody observes may take a shorter path through the phases.
    @Test("an observer does not change the trees, outcomes, host calls or event numbers")
    func observing() {
        var counts: [Event.Kind: Int] = [:]
        let seeds = Self.seeds(30)
        for seed in seeds {
            let test = ScheduleCase(seedWithReloads: seed)
            let observed = ScheduleRun.run(test, listener: .counter)
            counts.merge(observed.counts, uniquingKeysWith: +)
            guard let fault = Self.faultOfObserving(test, observed) else { continue }
            let small = ScheduleShrinker { Self.faultOfObserving($0) }.shrink(test)
            Issue.record(
                "seed \(seed): \(fault)\n\(small.text)\n\(Self.faultOfObserving(small) ?? "")"
            )
        }
        guard seeds.count >= 30 else { return }
        for kind: Event.Kind in [
            .find, .reused, .intercept, .redirect, .replan, .gate, .wait, .timer, .reload,
        ] {
            #expect(counts[kind, default: 0] > 0, "no event '\(kind.rawValue)'")
        }
    }

    /// Returns the first fault of an observed run, or the first difference from a run without an
    /// observer.
    private static func faultOfObserving(
        _ test: ScheduleCase,
        _ observed: ScheduleOutcome? = nil
    ) -> String? {
        let observed = observed ?? ScheduleRun.run(test, listener: .counter)
        return observed.faults.first
            ?? difference(between: observed, and: ScheduleRun.run(test, listener: .nobody))
    }

    /// Returns the first difference that is caused by explaining every route before every action.
    private static func faultOfExplaining(_ test: ScheduleCase) -> String? {
        let plain = ScheduleRun.run(test)
        return difference(
            between: plain,
            and: ScheduleRun.run(test, explains: true)
        )
    }

    /// Returns the first difference between two runs that should be equal.
    private static func difference(
        between first: ScheduleOutcome,
        and second: ScheduleOutcome
    ) -> String? {
        let faults = second.faults.filter { !first.faults.contains($0) }
        if !faults.isEmpty { return faults.joined(separator: "\n") }
        let lines = [first.transcript, second.transcript]
        let index = zip(lines[0], lines[1]).enumerated().first { $1.0 != $1.1 }?.offset
        if let index { return "line \(index + 1):\n\(lines[0][index])\n\(lines[1][index])" }
        if lines[0].count == lines[1].count { return nil }
        return "\(lines[0].count) or \(lines[1].count) lines"
    }

    /// Runs a case twice, and checks that both runs are equal.
    static func run(_ test: ScheduleCase) -> ScheduleOutcome {
        var outcome = ScheduleRun.run(test)
        guard outcome.faults.isEmpty else { return outcome }
        let again = ScheduleRun.run(test)
        if again.transcript != outcome.transcript {
            outcome.faults.append("another run does otherwise")
        }
        return outcome
    }
}
