// SPDX-License-Identifier: MIT

import RouteCore
import RouteEngine
import Testing

/// Tests of properties of random requests in random worlds.
///
/// ``Engine/resume(_:)`` also checks that each phase before the commit changes nothing.
struct PropertyTests {
    private static let seeds = 0..<UInt64(200)

    /// Calls a closure with random requests, each in the world that the previous requests left.
    private func withRequests(
        _ body: (inout Engine, Act<ScreenID>, NavigationOptions, Comment) throws -> Void
    ) throws {
        for seed in Self.seeds {
            var random = RandomRouting(seed: seed)
            var engine = try random.engine()
            for number in 1...4 {
                let request = try random.request(in: &engine)
                let options = random.options(in: engine)
                let name: Comment = "request \(number), '\(request.title)', of seed \(seed)"
                try body(&engine, request, options, name)
            }
        }
    }

    @Test("an explanation predicts the operations, trees and error of the navigation itself")
    func explanations() throws {
        var outcomes: [String: Int] = [:]
        try withRequests { engine, request, options, name in
            let image = WorldImage(engine.world)
            let explained = engine.explain(request, options)
            #expect(WorldImage(engine.world) == image, name)
            let run = engine.runThroughGates(request, options)
            outcomes[run.error == nil && !run.isDone ? "stayed" : run.outcome, default: 0] += 1
            #expect(explained.operations == run.operations, name)
            #expect(explained.failure?.error.code == run.error?.code, name)
            #expect(explained.failure?.error.message == run.error?.message, name)
            #expect(explained.failure?.error.step == run.error?.step, name)
            #expect(explained.failure?.error.location == run.error?.location, name)
            guard run.isDone else { return }
            let trees = engine.world.tree.windows.map { engine.tree($0.name) }
            #expect(explained.windows.map(\.after) == trees, name)
            #expect(explained.leaving.count == run.difference.removed.count, name)
        }
        // The requests have different outcomes.
        for outcome in [
            "done", "stayed", "notDismissible", "composition", "typeMismatch", "script",
        ] {
            #expect(outcomes[outcome, default: 0] > 10, "\(outcome)")
        }
    }

    @Test("staging is skipped for a visible screen only if staging would change nothing")
    func visibleScreens() throws {
        var count = 0
        try withRequests { engine, request, options, name in
            var before = engine
            let run = engine.runThroughGates(request, options)
            guard run.isDone, run.journey.target != nil, let plan = run.journey.plan,
                plan.links.isEmpty, run.operations.isEmpty
            else { return }
            count += 1
            var journey = run.journey
            let difference = try before.onStage(of: &journey) { stage in
                stage.open()
                _ = try stage.arrange()
                return stage.tree.draftDifference()
            }
            #expect(difference.isEmpty, name)
            #expect(journey.stack == run.journey.stack, name)
            #expect(journey.reused == run.journey.reused, name)
        }
        #expect(count > 10)
    }
}

extension Engine {
    /// Runs a request, and opens each gate at which it waits.
    fileprivate mutating func runThroughGates(
        _ request: Act<ScreenID>,
        _ options: NavigationOptions
    ) -> Run {
        var run = run(request, options)
        while let gate = run.gate {
            world.shared.openGates.insert(gate)
            resume(&run)
        }
        return run
    }
}
