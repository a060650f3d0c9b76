// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting
import Testing

/// Generated scripts and schedules: whatever happens when, everything ends once.
struct ScheduleTests {
    /// How many seeds are run; `SCHEDULE_SEEDS=5000` runs more, `SCHEDULE_SEEDS=17...17` one.
    static let seeds: ClosedRange<UInt64> = {
        let text = ProcessInfo.processInfo.environment["SCHEDULE_SEEDS"] ?? "60"
        let bounds = text.components(separatedBy: "...").compactMap { UInt64($0) }
        return bounds.count == 2 ? bounds[0]...bounds[1] : 1...max(1, bounds.first ?? 60)
    }()

    @Test("every navigation ends once, nothing waits for ever, the tree holds")
    func schedules() {
        var counts: [Event.Kind: Int] = [:]
        for seed in Self.seeds {
            let test = ScheduleCase(seed: seed)
            let outcome = Self.run(test)
            counts.merge(outcome.counts, uniquingKeysWith: +)
            guard let fault = outcome.faults.first else { continue }
            let small = ScheduleShrinker { Self.run($0).faults.first }.shrink(test)
            let faults = Self.run(small).faults.joined(separator: "\n")
            Issue.record("seed \(seed): \(fault)\n\(small.text)\n\(faults)")
        }
        guard Self.seeds.count >= 60 else { return }
        // The schedules mean something: every way to end and to wait is met.
        for kind: Event.Kind in [
            .done, .failed, .stayed, .cancelled, .joined, .redirect, .replan, .gate, .reused,
            .removed, .timer,
        ] {
            #expect(counts[kind, default: 0] > 0, "no event '\(kind.rawValue)'")
        }
    }

    @Test("explanations change nothing: all goes as it would without them")
    func explaining() {
        for seed in Self.seeds {
            let test = ScheduleCase(seed: seed)
            guard let fault = Self.faultOfExplaining(test) else { continue }
            let small = ScheduleShrinker(fault: Self.faultOfExplaining).shrink(test)
            Issue.record(
                "seed \(seed): \(fault)\n\(small.text)\n\(Self.faultOfExplaining(small) ?? "")"
            )
        }
    }

    /// What is otherwise where every route is explained all the time.
    private static func faultOfExplaining(_ test: ScheduleCase) -> String? {
        let plain = ScheduleRun.run(test, forgets: true)
        let explained = ScheduleRun.run(test, forgets: true, explains: true)
        if let fault = explained.faults.first(where: { !plain.faults.contains($0) }) {
            return fault
        }
        guard plain.events != explained.events else { return nil }
        let lines = [plain, explained].map { $0.events.split(separator: "\n") }
        let index = zip(lines[0], lines[1]).enumerated().first { $1.0 != $1.1 }?.offset
        guard let index else {
            return "\(lines[0].count) lines, with explanations \(lines[1].count)"
        }
        return "line \(index + 1):\n\(lines[0][index])\n\(lines[1][index])"
    }

    /// Runs a case twice: it has to do the same.
    static func run(_ test: ScheduleCase) -> ScheduleOutcome {
        var outcome = ScheduleRun.run(test)
        guard outcome.faults.isEmpty else { return outcome }
        let again = ScheduleRun.run(test)
        if again.events != outcome.events { outcome.faults.append("another run does otherwise") }
        return outcome
    }
}
