// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteEngine

/// Replaying a scenario up to a step that is to be explained.
extension Session {
    /// The maximum number of replays per scenario; each repeats all steps before the explained one.
    private static let replayLimit = 8
    /// The maximum total number of replayed steps.
    private static let replayedStepLimit = 4_000

    /// Returns the plan of a step's navigation, explained by the router in the state before the
    /// step.
    ///
    /// That state no longer exists, but the same steps with the same seed reproduce it: they are
    /// run in another router, without reports.
    ///
    /// - Parameter act: A step that was run.
    /// - Returns: The explanation; nil for a step that is not a navigation, or if a limit of
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
