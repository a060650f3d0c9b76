// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Tests that compare the engine with a planner that is written only from the contract.
struct ComparisonTests {
    /// The seeds to run: the share of this run among 1,050 seeds, or 150 seeds if sweeps are left
    /// out.
    ///
    /// `PLANNER_SEEDS=100000` runs that many seeds, and `PLANNER_SEEDS=17...17` only one.
    static let seeds: [UInt64] = {
        let text = ProcessInfo.processInfo.environment["PLANNER_SEEDS"] ?? ""
        let bounds = text.components(separatedBy: "...").compactMap { UInt64($0) }
        if bounds.count == 2 { return Array(bounds[0]...bounds[1]) }
        if let count = bounds.first { return Array(1...max(1, count)) }
        let share = (UInt64(1)...1_050).sweepShare
        return share.isEmpty ? Array(1...150) : share
    }()

    @Test("the engine has the same outcome as the naive planner")
    func agrees() {
        let batch = Batch(comparison: Comparison(), limit: 3)
        let (findings, coverage) = batch.run(Self.seeds)
        for finding in findings { Issue.record("\(ScenarioWriter.text(finding))") }
        if ProcessInfo.processInfo.environment["PLANNER_COVERAGE"] != nil {
            print(coverage.table)
        }
        // Both successes and failures occur, so the seeds are meaningful.
        let share = Double(coverage["end done"]) / Double(coverage["deed navigate"])
        #expect((0.3...0.85).contains(share))
    }

    @Test(
        "concurrent navigations with links, dialogs and questions end as in the naive queue"
    )
    func queues() throws {
        var met: Set<String> = []
        for seed in Self.seeds {
            let test = QueueCase(seed: seed)
            guard try test.difference(&met) != nil else { continue }
            let small = try test.reduced()
            let difference = try small.difference(&met) ?? ""
            Issue.record("seed \(seed), \(difference)\n\(small.deeds)\n\(small.script)")
        }
        guard Self.seeds.count >= 150 else { return }
        // Some thousand seeds have one in which a navigation waits for its turn.
        if Self.seeds.count < 3_000 { met.insert("turn") }
        #expect(
            met == [
                "login", "question", "turn", "joined", "joined question", "waits for question",
                "leaves dialog", "waits for dialog", "joins dialog", "has no place on dialog",
            ]
        )
    }

    @Test(
        "the comparison detects that the naive queue lacks the rule for a dialog that stops a link"
    )
    func noticesQueueMistake() throws {
        var met: Set<String> = []
        let found = try (1...50).contains { seed in
            try QueueCase(seed: seed).difference(&met) {
                $0.replacing("cancelled", with: "stopped")
            } != nil
        }
        #expect(found)
    }

    // MARK: Planted bugs

    /// Bugs of a planner, each of which must be found.
    static let mistakes: [(String, Comparison)] = [
        (
            "a push on a stack of two is lost",
            mistake { outcome, before, deed in
                guard case .navigate = deed, outcome.features.contains("action push") else {
                    return
                }
                if before.all.contains(where: { $0.kind == .nav && $0.children.count == 2 }) {
                    outcome.tree = before
                }
            }
        ),
        (
            "a tab is selected that was not",
            mistake { outcome, _, deed in
                guard case .back = deed else { return }
                try? outcome.tree.editAll { if $0.kind == .tabs { $0.selected = 0 } }
            }
        ),
        (
            "a refusal has another code",
            mistake { outcome, _, _ in
                if outcome.end == "typeMismatch" { outcome.end = "composition" }
            }
        ),
        (
            "a screen is built where one is reused",
            mistake { outcome, before, _ in
                guard outcome.features.contains("reuse class") else { return }
                outcome.tree = outcome.tree.renumbered
            }
        ),
    ]

    private static func mistake(
        _ change: @escaping @Sendable (inout NaiveOutcome, NaiveScreen, Deed) -> Void
    ) -> Comparison {
        Comparison { outcome, before, deed in
            var outcome = outcome
            change(&outcome, before, deed)
            return outcome
        }
    }

    @Test("a planted bug is found and reported with a small example", arguments: mistakes.indices)
    func noticesMistake(_ index: Int) throws {
        let (title, comparison) = Self.mistakes[index]
        let findings = Batch(comparison: comparison).run(1...300).findings
        let finding = try #require(findings.first, "\(title)")
        let course = try #require(finding.test.courses.first)
        #expect(finding.test.courses.count == 1)
        #expect(course.deeds.count == 1, "\(ScenarioWriter.text(finding))")
        #expect(finding.test.world.routes.count <= 1, "\(ScenarioWriter.text(finding))")
        #expect(course.given.count <= 5)
        // The reduced case still differs, and does not without the bug.
        var coverage = Coverage()
        #expect(comparison.run(finding.test, &coverage) != nil)
        #expect(Comparison().run(finding.test, &coverage) == nil)
    }
}

extension Template {
    /// The number of screens.
    fileprivate var count: Int { 1 + (children + modals).reduce(0) { $0 + $1.count } }
}

extension NaiveScreen {
    fileprivate mutating func editAll(_ change: (inout NaiveScreen) -> Void) throws {
        for screen in all { try edit(screen.serial) { change(&$0) } }
    }

    /// The tree with serials that no other tree uses.
    fileprivate var renumbered: NaiveScreen {
        var copy = NaiveScreen(serial: serial + 1_000_000, name: name, kind: kind)
        copy.fields = fields
        copy.children = children.map(\.renumbered)
        copy.selected = selected
        copy.modals = modals.map(\.renumbered)
        return copy
    }
}
