// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteEngine

/// Replaying a scenario, to explain one of its steps.
extension Session {
    /// The maximum number of replays per scenario.
    ///
    /// Each replay repeats all steps before the explained one.
    private static let replayLimit = 8
    /// The maximum total number of replayed steps.
    private static let replayedStepLimit = 4_000

    /// Returns the plan of a step's navigation, explained by the router in the state before the
    /// step.
    ///
    /// That state no longer exists. To reproduce it, the same steps are run in another router with
    /// the same seed, without reports.
    ///
    /// - Parameter act: A step that was run.
    /// - Returns: The explanation; `nil` for a step that is not a navigation, or if a limit of
    ///   replays is reached.
    func plan(of act: ActingStep) -> Explanation? {
        switch act.step.action {
        case .act(.route, _), .act(.url, _): break
        default: return nil
        }
        if let known = log.plans[act.index] { return known }
        let count = log.plans.keys.reduce(act.index, +)
        guard log.plans.count < Self.replayLimit, count <= Self.replayedStepLimit,
            let replay = try? again()
        else { return nil }
        let plan = replay.plan(before: act.index)
        note(plan, of: act)
        return plan
    }

    private func plan(before index: Int) -> Explanation? {
        do throws(Diagnostic) {
            try doSteps(before: index)
        } catch {
            return nil
        }
        return explanation(of: cursor.steps[index])
    }
}
