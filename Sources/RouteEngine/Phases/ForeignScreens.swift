// SPDX-License-Identifier: MIT

package import RouteCore

/// The treatment of foreign screens by a navigation to a route: alerts, cameras or sheets that the
/// host shows without the router.
extension Stage {
    /// Whether the navigation has to wait until a foreign screen on top of its window is gone.
    package func waitsForForeign(in window: RouterWindow) -> Bool {
        tree.hasForeign(treatedBy: .wait, on: window, from: journey.options.from, declarations)
    }

    /// Returns the topmost level of a window without the foreign levels that the navigation
    /// dismisses.
    ///
    /// Finding a screen there, or performing an action there, dismisses the foreign levels above
    /// it.
    package func topmost(of window: RouterWindow) -> ScreenID {
        let levels = tree.foreignLevels(of: window)
        let dismissed = levels.last {
            let policy = declarations.foreignPolicy(of: $0, in: tree, from: journey.options.from)
            // A dry run continues as if it were gone.
            return policy == .dismiss || policy == .wait && trace != nil
        }
        guard let presenter = dismissed.flatMap({ tree[$0].presenter }) else {
            return levels.first ?? tree.topmost(of: window)
        }
        return tree.levelRoot(of: presenter)
    }

    /// Dismisses the modals that cover a screen, except a foreign one that stays on top.
    package mutating func uncover(_ screen: ScreenID) {
        let (declarations, from) = (declarations, journey.options.from)
        tree.uncover(screen) { covering, tree in
            covering.kind == .foreign
                && declarations.foreignPolicy(of: covering.id, in: tree, from: from) == .cover
        }
    }

    /// Returns the screen at or below a foreign one from which a container may be searched.
    package func belowForeign(_ place: ScreenID) -> ScreenID {
        var place = place
        while let screen = tree.screen(place), screen.kind == .foreign,
            let presenter = screen.presenter
        {
            place = presenter
        }
        return place
    }
}

extension ScreenTree {
    /// Whether a foreign screen with a policy, for a navigation from a place, is on top of a window.
    package func hasForeign(
        treatedBy policy: ForeignPolicy,
        on window: RouterWindow,
        from place: ScreenID?,
        _ declarations: Declarations
    ) -> Bool {
        foreignLevels(of: window).contains {
            declarations.foreignPolicy(of: $0, in: self, from: place) == policy
        }
    }
}

extension Declarations {
    /// Whether a screen is a foreign one that navigations do not dismiss.
    package func keepsForeign(_ screen: ScreenID, in tree: ScreenTree) -> Bool {
        tree[screen].kind == .foreign && foreignPolicy(of: screen, in: tree, from: nil) != .dismiss
    }

    /// Returns the policy for a foreign screen: a navigation that began in the screen or above it
    /// continues above it; for other navigations, the policy of the screen's class, or otherwise
    /// the common policy.
    fileprivate func foreignPolicy(
        of screen: ScreenID,
        in tree: ScreenTree,
        from place: ScreenID?
    ) -> ForeignPolicy {
        var level = place.flatMap { tree.isAlive($0) ? tree.levelRoot(of: $0) : nil }
        while let current = level {
            if current == screen { return .cover }
            level = tree[current].presenter.map(tree.levelRoot)
        }
        return tree.class(of: screen).flatMap { state.classDeclarations[$0]?.foreignPolicy }
            ?? state.foreignPolicy
    }
}
