// SPDX-License-Identifier: MIT

internal import LuaVM

/// The link between a route and a screen of the tree that it led to.
struct ShownRoute {
    /// The step that the screen belongs to.
    let step: Step
    /// The navigation that showed it.
    let navigation: Navigation

    /// - Returns: Nil for a step that has nothing to do with its screen.
    init?(_ step: Step, _ navigation: Navigation) {
        guard step.closed != nil || step.vanishes else { return nil }
        self.step = step
        self.navigation = navigation
    }
}

extension Router {
    /// The function to call when a screen of a route has left; that of the active scripts, even if
    /// earlier ones showed the screen.
    func closed(of route: ShownRoute) -> ScriptFunction? {
        if route.navigation.generationNumber == serving.number { return route.step.closed }
        return route.step.target.flatMap(serving.declarations.routes.route)?.closed
    }

    /// Removes the screens of routes that are gone and that are declared to vanish with their
    /// route.
    ///
    /// The screens above such a screen in its stack stay. A screen that presents one which stays
    /// also stays. If the screen is alone in its container, the container is closed too. A window
    /// keeps its root.
    func removeVanished(by new: Generation) {
        let vanished = screens.routes.filter { _, route in
            guard route.step.vanishes, let target = route.step.target else { return false }
            guard new.declarations.routes.route(to: target) != nil else { return true }
            return false
        }
        // The newest first: what stands on another one goes before it.
        for screen in vanished.keys.sorted(by: { $0.serial > $1.serial })
        where tree.isAlive(screen) && mayVanish(screen) {
            _ = begin(.vanish(screen), NavigationOptions(force: true))
        }
    }

    /// Whether something is left of its window when a screen has gone.
    private func mayVanish(_ id: ScreenID) -> Bool {
        let screen = tree[id]
        if screen.presenter != nil { return true }
        guard let parent = screen.parent else { return false }
        return tree[parent].leaves(with: id) ? mayVanish(parent) : true
    }
}
