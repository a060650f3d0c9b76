// SPDX-License-Identifier: MIT

extension Router {
    /// Ends a navigation of the host at once, if it takes the fast path.
    ///
    /// - Parameters:
    ///   - target: The route.
    ///   - info: The parameters.
    ///   - origin: Who asks.
    ///   - completion: Called once, when the navigation has ended.
    /// - Returns: The navigation; nil, without any effect, if its phases have something to do.
    func arrive(
        at target: Target,
        with info: InfoTable,
        origin: Origin,
        completion: ((Navigation) -> Void)?
    ) -> Navigation? {
        guard isQuiet else { return nil }
        let scripts = serving
        guard let step = scripts.declarations.straightRoute(to: target),
            let (screen, leaf, info) = world.existingScreen(of: step, info, scripts.declarations),
            hasMemory(scripts.runtime)
        else { return nil }
        world.lastNavigation += 1
        counters.count(.done, of: step)
        let straight = Navigation.StraightRequest(
            target: target,
            info: info,
            window: tree.windows[0].name
        )
        let navigation = Navigation(
            id: world.lastNavigation,
            straight,
            by: origin,
            at: screen,
            result: leaf,
            generation: scripts,
            isAwaited: completion != nil
        )
        if isRecording { recordStraight(navigation, of: step, target: target, with: info) }
        world.lastEvent += World.eventsOfStraightPath.count
        if let completion {
            queue.endings.append(.navigation(navigation, completion))
            pump()
        }
        return navigation
    }

    /// Whether, at the beginning of a turn, no listener and no other work is affected by a
    /// navigation.
    private var isQuiet: Bool {
        !observers.isHeard && queue.isEmpty && isIdle && currentActivity == nil
            && currentNavigation == nil && world.changed.isEmpty
            && contents.queuedLinkRecords.next == nil
            && contents.queuedLinkRecords.waiting.isEmpty && retired.isEmpty
            && world.toRelease.isEmpty && contents.leftObjects.isEmpty
            && !serving.runtime.objects.hasDroppedScreens
    }
}

extension NavigationOptions {
    /// Whether they change the target or the timeout of a navigation.
    @inline(__always)
    var changesWay: Bool {
        via != nil || from != nil || window != nil || timeout != nil || isByScript
            || origin == .person
    }
}
