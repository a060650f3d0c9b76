// SPDX-License-Identifier: MIT

package import RouteCore

/// The straight path: a navigation to the visible screen, on which no phase has anything to do.
///
/// Resolving finds a route without conditions, planning a screen without asking a script, and
/// arranging changes nothing. The same functions decide as in the phases; what is left out is the
/// bookkeeping for those who might have a say.
extension World {
    /// The events of a navigation on the straight path, in order.
    package static let eventsOfStraightPath: [Event.Kind] = [
        .navigate, .plan, .find, .stage, .commit, .reused, .done,
    ]

    // It changes nothing: a borrowed world would be copied at the border of the modules.

    /// The visible screen that a navigation of the host reaches without a change.
    ///
    /// - Parameters:
    ///   - step: The route, from ``Declarations/straightRoute(to:)``.
    ///   - info: The parameters as they were asked for.
    ///   - declarations: The declarations of the scripts.
    /// - Returns: The screen, the visible leaf under it, and the checked parameters; nil if a phase
    ///   has something to do, or fails.
    package mutating func standingScreen(
        of step: Step,
        _ info: InfoTable,
        _ declarations: Declarations
    ) -> (screen: ScreenID, leaf: ScreenID, info: InfoTable)? {
        guard let window = tree.windows.first else { return nil }
        var info = info
        if step.info != nil || !info.isEmpty {
            guard let checked = checked(info, step.info) else { return nil }
            info = checked
        }
        let leaf = tree.visibleLeaf(of: window)
        guard let stack = tree.nearest(.nav, from: leaf),
            case .ends(let screen?) = tree.recycled(step, info, in: stack, learnedClasses),
            screen == leaf || tree.isVisible(screen),
            tree.isFilled(screen, step, info, declarations.classes)
        else { return nil }
        return (screen, screen == leaf ? leaf : tree.visibleLeaf(under: screen), info)
    }

    /// The parameters, checked and converted; nil if one is wrong.
    private func checked(_ info: InfoTable, _ declaration: InfoDeclaration?) -> InfoTable? {
        do throws(RouteError) {
            if Value.table(info).isTooDeep { return nil }
            try tree.checkOrigin(of: .table(info))
            return try declaration?.check(info, hiding: []) { _, _ in
                preconditionFailure("a step on the straight path calls no function")
            } ?? info
        } catch {
            return nil
        }
    }
}
