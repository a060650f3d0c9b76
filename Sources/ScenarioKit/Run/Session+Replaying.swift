// SPDX-License-Identifier: MIT

internal import LuaRouting

/// Doing a scenario once more, up to a step that is to be explained.
extension Session {
    /// How many steps of one scenario are explained so: each has all steps before it done again.
    private static let replayLimit = 8
    /// How many steps are done again for that, in all.
    private static let replayedStepLimit = 4_000

    /// How the navigation of a step went, as the router explains it in the place of the step.
    ///
    /// What stood then is gone, and the same steps with the same seed lead to it again: they are
    /// done in another router, and nobody is told of it.
    ///
    /// - Parameter act: A step that has been done.
    /// - Returns: The explanation; nil for a step that is no navigation, or where too much has been
    ///   done again already.
    func plan(of act: Act) -> Explanation? {
        switch act.step.action {
        case .navigate, .open: break
        default: return nil
        }
        if let known = plans[act.index] { return known }
        let count = plans.keys.reduce(act.index, +)
        guard plans.count < Self.replayLimit, count <= Self.replayedStepLimit,
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
        return explanation(of: steps[index])
    }
}
