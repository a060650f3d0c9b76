// SPDX-License-Identifier: MIT

internal import LuaVM

/// A record of a route that led to a screen in the tree.
struct ShownRoute {
    /// The step that led to the screen.
    let step: Step
    /// The navigation that showed the screen.
    let navigation: Navigation

    /// Creates a record; nil if none is needed, because the step declares neither `closed` nor a
    /// result, and its screen does not vanish with the route.
    init?(_ step: Step, _ navigation: Navigation) {
        guard step.closed != nil || step.vanishes || step.result != nil else { return nil }
        self.step = step
        self.navigation = navigation
    }
}

extension Router {
    /// Returns the step of a route as the active scripts declare it, even if earlier scripts showed
    /// the screen; nil if the active scripts do not declare the route.
    func activeStep(of route: ShownRoute) -> Step? {
        if route.navigation.generationNumber == serving.number { return route.step }
        return route.step.target.flatMap(serving.declarations.routes.route)
    }

    /// Checks the value with which a navigation closes a screen, and converts the value.
    ///
    /// The value must match the `result` of the screen's route. A screen may always be closed
    /// without a value.
    ///
    /// - Returns: The error if the value does not match.
    func checkResult(of navigation: Navigation) -> RouteError? {
        if navigation.isRoute || screens.routes.isEmpty { return nil }
        guard let (screen, value) = navigation.request.closing, !value.isNil,
            let route = resultRoute(of: screen), let result = activeStep(of: route)?.result
        else { return nil }
        do throws(RouteError) {
            try onStage(of: navigation) { (stage) throws(RouteError) in
                try stage.checkResult(result)
            }
            return nil
        } catch {
            return error
        }
    }

    /// Returns the route whose result a screen provides: the screen's own route, or the route of
    /// the container in which the screen was the visible leaf when a navigation reached the
    /// container.
    private func resultRoute(of screen: ScreenID) -> ShownRoute? {
        if let route = screens.routes[screen], route.step.result != nil { return route }
        return screens.routes
            .filter { id, route in
                route.navigation.screen == id && route.navigation.resultScreen == screen
            }
            .max { $0.value.navigation.id < $1.value.navigation.id }?.value
    }

    /// Removes the screens that are declared to vanish with their route, if the route no longer
    /// exists.
    ///
    /// The screens above such a screen in its stack stay. A screen that presents a remaining screen
    /// also stays. If the screen is the only one in its container, the container is closed too. The
    /// root of a window always stays.
    func removeVanished(by new: Generation) {
        let vanished = screens.routes.filter { _, route in
            guard route.step.vanishes, let target = route.step.target else { return false }
            guard new.declarations.routes.route(to: target) != nil else { return true }
            return false
        }
        // The newest screens are removed first, so that a screen is removed before the screen below
        // it.
        for screen in vanished.keys.sorted(by: { $0.serial > $1.serial })
        where tree.isAlive(screen) && mayVanish(screen) {
            _ = begin(.vanish(screen), NavigationOptions(force: true))
        }
    }

    /// Returns whether the window would still have screens after the given screen is removed.
    private func mayVanish(_ id: ScreenID) -> Bool {
        let screen = tree[id]
        if screen.presenter != nil { return true }
        guard let parent = screen.parent else { return false }
        return tree[parent].leaves(with: id) ? mayVanish(parent) : true
    }
}
