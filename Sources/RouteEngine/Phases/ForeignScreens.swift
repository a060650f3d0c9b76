// SPDX-License-Identifier: MIT

package import RouteCore

/// The effect of foreign screens on a navigation to a route. Foreign screens, such as alerts,
/// cameras or sheets, are shown by the host without the router.
extension Stage {
    /// Whether the navigation must wait until a foreign screen on top of its window is gone.
    package func waitsForForeign(in window: RouterWindow) -> Bool {
        tree.hasForeign(treatedBy: .wait, on: window, from: journey.options.from, declarations)
    }

    /// Returns the topmost level of a window, ignoring the foreign levels that the navigation
    /// dismisses.
    ///
    /// If a screen is found in this level, or an action is performed there, the foreign levels
    /// above are dismissed.
    package func topmost(of window: RouterWindow) -> ScreenID {
        let levels = tree.foreignLevels(of: window)
        let dismissed = levels.last {
            let policy = declarations.foreignPolicy(of: $0, in: tree, from: journey.options.from)
            // A dry run continues as if the foreign screen were gone.
            return policy == .dismiss || policy == .wait && trace != nil
        }
        guard let presenter = dismissed.flatMap({ tree[$0].presenter }) else {
            return levels.first ?? tree.topmost(of: window)
        }
        return tree.levelRoot(of: presenter)
    }

    /// Dismisses the modals that cover a screen, except foreign screens that stay on top.
    package mutating func uncover(_ screen: ScreenID) {
        let (declarations, from) = (declarations, journey.options.from)
        tree.uncover(screen) { covering, tree in
            covering.kind == .foreign
                && declarations.foreignPolicy(of: covering.id, in: tree, from: from) == .cover
        }
    }

    /// Returns the nearest screen that is not foreign, at or below the given screen.
    ///
    /// The search for a container starts at that screen.
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
    /// Whether a foreign screen on top of a window has the given policy, for a navigation that
    /// starts at `place`.
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
    /// Whether a screen is a foreign screen that navigations do not dismiss.
    package func keepsForeign(_ screen: ScreenID, in tree: ScreenTree) -> Bool {
        tree[screen].kind == .foreign && foreignPolicy(of: screen, in: tree, from: nil) != .dismiss
    }

    /// Returns the policy for a foreign screen.
    ///
    /// The policy is ``ForeignPolicy/cover`` for a navigation that starts in the screen or above
    /// it. Otherwise, it is the policy of the screen's class or, if there is none, the policy that
    /// applies to all classes.
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
