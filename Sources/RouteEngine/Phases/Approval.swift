// SPDX-License-Identifier: MIT

package import RouteCore

/// Decides whether screens may be removed, and for which screens `leaving` must be called first.
extension Stage {
    /// Returns the given screens whose `leaving` function must still be called before the screens
    /// are removed.
    ///
    /// - Throws: The error that a `guarded` function raises.
    package mutating func screensToAsk(
        among screens: [ScreenID]
    ) throws(RouteError) -> [ScreenID] {
        guard declarations.classDeclarations.hasLeavings, !journey.options.isForced else {
            return []
        }
        var asked: [ScreenID] = []
        for id in screens where !journey.passed.contains(.leaving(id)) {
            if try asks(id) { asked.append(id) }
        }
        return asked
    }

    /// Whether the `leaving` function of a screen must be called, because the screen's class
    /// declares the function and the screen is currently guarded.
    package mutating func asks(_ id: ScreenID) throws(RouteError) -> Bool {
        guard let name = tree.screen(id)?.class,
            let declaration = declarations.classDeclarations[name], declaration.leaving != nil
        else { return false }
        guard let guarded = declaration.guarded else { return true }
        return try value(of: guarded, [.screen(id)], in: planning).isTrue
    }

    /// Checks that the given screens may be dismissed, beginning with the topmost.
    ///
    /// - Throws: `notDismissible`, naming the first screen that may not be dismissed.
    package mutating func checkDismissibility(of screens: [ScreenID]) throws(RouteError) {
        guard declarations.classDeclarations.hasDismissals, !journey.options.isForced else {
            return
        }
        for id in screens {
            guard let screen = tree.screen(id),
                let dismissal = declarations.classDeclarations[screen.class]?.dismissal
            else { continue }
            let mayLeave =
                switch dismissal {
                case .always(let answer): answer
                case .function(let function):
                    try value(of: function, [.screen(id)], in: planning).isTrue
                }
            guard mayLeave else { throw .notDismissible(notation(of: id)) }
        }
    }

    // MARK: Dialogs

    /// A screen of a dialog, and the screen that would be removed to close the dialog.
    ///
    /// `removed` is nil if the dialog replaced the root of a window.
    typealias Dialog = (screen: ScreenID, removed: ScreenID?)

    /// Returns the verdict for a link whose change would put a screen on a dialog, or remove a
    /// dialog.
    ///
    /// - Parameters:
    ///   - precedence: The other pending navigations.
    ///   - own: The entry of this navigation.
    ///   - dialogs: The screens of dialogs in the navigation's window.
    /// - Returns: The verdict; nil if the link continues.
    mutating func meet(
        _ precedence: Precedence,
        own: Precedence.Entry,
        dialogs: [Dialog]
    ) -> Verdict? {
        var placed = tree.draftDifference().created
        if let plan = journey.plan, plan.moves { placed.append(plan.found) }
        let used = dialogs.filter { dialog in
            guard tree.isAlive(dialog.screen) else { return true }
            let base: Set = [dialog.screen, dialog.removed ?? dialog.screen]
            return placed.contains { tree.isOn($0, base) }
        }
        return meet(precedence, own: own, using: used)
    }

    /// Returns the verdict for a link that failed because it found no suitable container in the
    /// dialogs on top of the window.
    ///
    /// - Throws: The given error, unless a dialog caused the error.
    mutating func meetDialogs(after error: RouteError) throws(RouteError) -> Verdict {
        guard error.code == .typeMismatch, journey.isLink,
            let (precedence, own) = surroundings.precedence(lending: &self)
        else { throw error }
        let leaf = tree.visibleLeaf(of: try window())
        let used = dialogs(precedence, own).filter { tree.isOn(leaf, [$0.removed ?? $0.screen]) }
        guard let verdict = meet(precedence, own: own, using: used) else { throw error }
        return verdict
    }

    private mutating func meet(
        _ precedence: Precedence,
        own: Precedence.Entry,
        using used: [Dialog]
    ) -> Verdict? {
        let answer = precedence.answer(
            for: own,
            using: Set(used.map(\.screen)),
            roots: Set(used.filter { $0.removed == nil }.map(\.screen)),
            journey.definition?.dialogPolicy ?? declarations.dialogPolicy
        )
        notesTurn(answer)
        switch answer {
        case .leavesDialog:
            let others = used.map(\.screen).filter { !journey.dialogs.contains($0) }
            if others.isEmpty { return nil }
            journey.dialogs += others
            journey.planAgain()
            return trace == nil ? .next : .plansAgain
        case .waitsForDialog(let others) where trace == nil:
            journey.planAgain()
            return .waitsFor(others[0])
        default: return nil
        }
    }

    /// Records an answer in the explanation.
    ///
    /// Does nothing unless this is a dry run.
    package mutating func notesTurn(_ answer: Precedence.Answer) {
        guard let trace else { return }
        trace.explanation.turn =
            Explanation.Turn(answer, surroundings.titles)
            ?? trace.explanation.turn
    }

    /// Returns the screens of dialogs in the window of the link.
    func dialogs(
        _ precedence: Precedence,
        _ own: Precedence.Entry
    ) -> [Dialog] {
        let name = windowName
        return precedence.dialogs(beside: own)
            .filter { tree.window(of: $0)?.name == name }
            .map { ($0, tree.removedByClosing($0)) }
    }

    /// In the draft, removes the dialogs that the link leaves.
    mutating func leaveDialogs() throws(RouteError) {
        for screen in journey.dialogs where tree.isAlive(screen) {
            _ = try arrangeClosing(of: screen)
        }
    }

    // MARK: Gates

    /// The gates that must be open before the target is planned.
    package var gatesOfTarget: [String] {
        let gates = journey.definition?.ready ?? []
        return journey.waitsForTree && tree.windows.isEmpty ? [World.startGate] + gates : gates
    }

    /// Returns the gates of a plan's steps, and of the leaves in the trees that the plan builds.
    package func gates(of plan: Plan) -> [String] {
        // The order is the same as for interceptors: from the target backwards.
        var names: [String] = []
        for link in plan.links.reversed() { names += link.step.ready }
        if let found = plan.finding?.step, !found.ready.isEmpty { names += found.ready }
        if !journey.leafGates.isEmpty { names += journey.leafGates }
        return names
    }

    /// Returns the first closed gate.
    ///
    /// If all gates are open, records that the navigation has passed them, and returns nil.
    package mutating func closedGate(among names: [String]) -> String? {
        guard !names.isEmpty, trace == nil else { return nil }
        let left = names.filter { !journey.passedGates.contains($0) }
        if let closed = left.first(where: { !world.isOpen($0) }) { return closed }
        journey.passedGates.formUnion(left)
        return nil
    }
}
