// SPDX-License-Identifier: MIT

package import RouteCore

/// The straight path: a navigation to the visible screen, on which no phase has anything to do.
///
/// Resolution finds a route without conditions, planning finds a screen without calling a script,
/// and arranging changes nothing. The same functions decide as in the phases; only the bookkeeping
/// for interceptors and other participants is left out.
extension World {
    /// The events of a navigation on the fast path, in order.
    package static let eventsOfStraightPath: [Event.Kind] = [
        .navigate, .plan, .find, .stage, .commit, .reused, .done,
    ]

    // Mutating only to avoid a copy of the world at the module boundary.

    /// Returns the visible screen that a navigation of the host reaches without a change.
    ///
    /// - Parameters:
    ///   - step: The route, from ``Declarations/straightRoute(to:)``.
    ///   - info: The parameters as requested.
    ///   - declarations: The declarations of the scripts.
    /// - Returns: The screen, the visible leaf under it, and the checked parameters; nil if a phase
    ///   has something to do, or fails.
    package mutating func existingScreen(
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
            case .ends(let screen?) = tree.recycled(
                step,
                with: info,
                in: stack,
                classes: learnedClasses
            ),
            screen == leaf || tree.isVisible(screen),
            tree.isFilled(screen, of: step, with: info, classes: declarations.classes)
        else { return nil }
        return (screen, screen == leaf ? leaf : tree.visibleLeaf(under: screen), info)
    }

    /// Returns the checked and converted parameters; nil if one is invalid.
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
