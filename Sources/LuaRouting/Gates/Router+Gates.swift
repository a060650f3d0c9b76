// SPDX-License-Identifier: MIT

/// Gates: a navigation to a route that names a gate in `ready` waits until the gate is open.
extension Router {
    /// Opens a gate.
    ///
    /// The navigations that wait at the gate continue, in the order of their arrival.
    ///
    /// An open gate stays open, even after a reload, until ``unready(_:)`` closes it.
    ///
    /// - Parameter gate: The name of the gate, as written in `ready` of a definition.
    /// - Throws: `badInfo` for an invalid name, and for `started` and `foreign`, which only the
    ///   router opens; `budget` if 1,000 other gates are open.
    public func ready(_ gate: String) throws(RouteError) {
        enter()
        try checkGate(gate)
        emitCall(.ready(gate))
        try openGate(gate)
        pump()
    }

    /// Closes a gate.
    ///
    /// Navigations that have passed the gate continue.
    ///
    /// - Parameter gate: The name of the gate, as written in `ready` of a definition.
    /// - Throws: `badInfo` for an invalid name, and for `started` and `foreign`, which only the
    ///   router opens.
    public func unready(_ gate: String) throws(RouteError) {
        enter()
        try checkGate(gate)
        emitCall(.unready(gate))
        try closeGate(gate)
    }

    /// Closes a gate, and removes the screens that were built by routes with this gate.
    ///
    /// One transaction removes these screens and the screens above them, in all windows and tabs.
    /// `leaving` is not called. A window whose root would be removed is closed. In the window
    /// `main`, `router.start` builds a new tree instead, without parameters. A modal of the host,
    /// such as an alert, stays if its presenting screen stays. Otherwise, the modal is removed too,
    /// and its removal is logged. A pending navigation that has passed the gate waits at the gate
    /// again. If there is nothing to remove, the navigation ends `stayed`.
    ///
    /// - Parameters:
    ///   - gate: The name of the gate, as written in `ready` of a definition.
    ///   - options: The options; only `isAnimated` has an effect.
    ///   - completion: Called once, when the navigation has ended.
    /// - Returns: The navigation. Its `status` contains the outcome. If `router.start` fails, the
    ///   navigation fails: the gate is closed, but no screen is removed.
    /// - Throws: The same errors as ``unready(_:)``.
    /// - Complexity: O(*n*) in the number of screens and routes.
    @discardableResult
    public func unreadyLeaving(
        _ gate: String,
        options: NavigationOptions = NavigationOptions(),
        completion: ((Navigation) -> Void)? = nil
    ) throws(RouteError) -> Navigation {
        enter()
        try closeGateAgain(gate)
        return begin(.unready(gate), options, completion: completion)
    }

    /// Closes a gate, removes the screens that were built by routes with this gate, and waits until
    /// the navigation has ended; see ``unreadyLeaving(_:options:completion:)``.
    @discardableResult
    nonisolated(nonsending)
        public func unreadyLeaving(
            _ gate: String,
            options: NavigationOptions = NavigationOptions()
        ) async throws(RouteError) -> Arrival
    {
        enter()
        try closeGateAgain(gate)
        return try await arrive(by: .unready(gate), options)
    }

    /// The names of the open gates, sorted, without `started`.
    public var openGates: [String] {
        checkThread()
        return world.shared.openGates.sorted()
    }

    /// The names of all gates in the definitions of the registered routes.
    package var namedGates: Set<String> {
        Set(generation.declarations.registeredSteps.flatMap(\.ready))
    }

    func openGate(_ name: String) throws(RouteError) {
        try checkGate(name)
        guard world.shared.openGates.count < Self.gateLimit || world.shared.openGates.contains(name)
        else {
            throw .tooManyPending("open gates", Self.gateLimit)
        }
        world.shared.openGates.insert(name)
        admit(name)
    }

    /// The maximum number of open gates.
    private static let gateLimit = 1_000

    func closeGate(_ name: String) throws(RouteError) {
        try checkGate(name)
        world.shared.openGates.remove(name)
    }

    /// Closes a gate, including for pending navigations that have already passed the gate.
    func closeGateAgain(_ name: String) throws(RouteError) {
        try closeGate(name)
        for navigation in pending where navigation.journey.passedGates.remove(name) != nil {
            navigation.journey.hasWaited = true
        }
    }

    func checkGate(_ name: String) throws(RouteError) {
        guard Name.isValid(name) else { throw .notAName(name) }
        guard !World.reservedGates.contains(name) else { throw .reservedGate(name) }
    }

    /// Resumes the navigations that wait at a gate.
    func admit(_ gate: String, where mayPass: (Navigation) -> Bool = { _ in true }) {
        let released = queue.gated.filter { $0.record.gate == gate && mayPass($0) }
        guard !released.isEmpty else { return }
        queue.gated.removeAll { gated in released.contains { $0 === gated } }
        for navigation in released {
            navigation.record.gate = nil
            // A navigation that waits at a gate keeps no position in the queue.
            navigation.status = .pending(waitingFor: "turn")
        }
        queue.ready += released
    }

    /// Resumes the navigations that waited for the removal of foreign screens, if these screens
    /// have been removed.
    func admitForeign() {
        admit(World.foreignGate) { navigation in
            guard let window = tree.window(tree.windowName(of: navigation.options)),
                let scripts = navigation.generation
            else { return true }
            return !tree.hasForeign(
                treatedBy: .wait,
                on: window,
                from: navigation.options.from,
                scripts.declarations
            )
        }
    }

    /// The time, in seconds, after which the log reports navigations that wait for an action by the
    /// host.
    private static let hostDelay = 3.0

    /// Whether the router has no tree because its last start failed.
    package var hasFailedToStart: Bool { contents.failedStart != nil && tree.windows.isEmpty }

    /// Logs a warning after some seconds if the host has not started the router by then.
    ///
    /// There is no warning if there are screens. If a start failed, the failure was already
    /// reported, so there is no warning either.
    ///
    /// - Parameter fix: The call that is missing in the app, for the message.
    package func checkStart(fix: String) {
        call(in: Self.hostDelay) { [unowned self] in
            guard tree.windows.isEmpty, contents.failedStart == nil, pending.isEmpty else { return }
            log("warn", "nothing is on screen: the host has not started the router (\(fix))")
        }
    }

    private func logWaiting(for gate: String) {
        let waiting = queue.gated.filter { $0.record.gate == gate }
        guard let first = waiting.first else { return }
        let others = waiting.count > 1 ? " and \(waiting.count - 1) more are" : " is"
        var reason = "'router.start()', which the host has not called"
        if hasFailedToStart, let error = contents.failedStart?.error {
            reason =
                "'router.start()', which has failed: \(error) (after the fix, start again, or reload the scripts)"
        }
        if gate == World.foreignGate {
            let foreign = tree.window(tree.windowName(of: first.options))
                .flatMap { tree.foreignLevels(of: $0).first }
            guard let foreign else { return }
            let name = tree[foreign].class
            reason =
                "the removal of '\(name)', which the host shows without the router (to navigate "
                + "without waiting, pass a screen in '\(name)' as 'from', or set 'foreign' in "
                + "'router.options' or 'router.class')"
        }
        let message = "the navigation to '\(first.title)'\(others) waiting for \(reason)"
        emit(.log, of: first, fields: [("level", "warn"), ("message", Value(message))])
    }

    /// Logs the foreign screens that were removed because a gate closed, except those that any
    /// navigation may dismiss.
    func logForeign(among removed: [ScreenID], leavingWith gate: String) {
        for screen in removed where generation.declarations.keepsForeign(screen, in: tree) {
            log(
                "warn",
                "'\(tree[screen].class)', which the host shows without the router, was removed with the screen below it, because the gate '\(gate)' was closed"
            )
        }
    }

    /// Makes a navigation wait at a gate, without blocking other navigations.
    ///
    /// The transaction of the navigation has been rolled back. The navigation is planned again when
    /// the gate opens.
    func wait(_ navigation: Navigation, at gate: String) {
        navigation.record.gate = gate
        if World.reservedGates.contains(gate),
            !queue.gated.contains(where: { $0.record.gate == gate })
        {
            _ = timers.add(at: time(in: Self.hostDelay), .deadline) { [unowned self] in
                logWaiting(for: gate)
            }
        }
        queue.gated.append(navigation)
        queue.active.removeAll { $0 === navigation }
        wait(navigation, for: gate, .gate)
        release(from: navigation)
    }
}
