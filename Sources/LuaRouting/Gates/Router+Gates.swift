// SPDX-License-Identifier: MIT

/// Gates: navigations to routes that name one in `ready` wait until it is open.
extension Router {
    /// Opens a gate: the navigations that wait at it go on, in the order in which they came.
    ///
    /// A gate that is open stays so, over a reload too, until ``unready(_:)`` closes it.
    ///
    /// - Parameter gate: The name, as definitions have it in `ready`.
    /// - Throws: `badInfo` for what is no name, and for `started`, which the first tree opens.
    public func ready(_ gate: String) throws(RouteError) {
        enter()
        try openGate(gate)
        pump()
    }

    /// Closes a gate; what has passed it goes on.
    ///
    /// - Parameter gate: The name, as definitions have it in `ready`.
    /// - Throws: `badInfo` for what is no name, and for `started`, which the first tree opens.
    public func unready(_ gate: String) throws(RouteError) {
        enter()
        try closeGate(gate)
    }

    /// The names of the gates that stand open, sorted, but for `started`.
    public var openGates: [String] { gates.open.sorted() }

    /// The names of the gates that the registered routes name.
    package var namedGates: Set<String> { Set(generation.standingSteps.flatMap(\.ready)) }

    func openGate(_ name: String) throws(RouteError) {
        try checkGate(name)
        gates.open.insert(name)
        letPass(name)
    }

    func closeGate(_ name: String) throws(RouteError) {
        try checkGate(name)
        gates.open.remove(name)
    }

    private func checkGate(_ name: String) throws(RouteError) {
        guard Name.isValid(name) else { throw .notAName(name) }
        guard name != Gates.started else { throw .reservedGate() }
    }

    func isOpen(_ gate: String) -> Bool {
        gate == Gates.started ? !tree.windows.isEmpty : gates.open.contains(gate)
    }

    /// Has what waits at a gate go on.
    func letPass(_ gate: String) {
        guard !gates.waiting.isEmpty else { return }
        let released = gates.takeWaiting(at: gate)
        for navigation in released {
            navigation.gate = nil
            // It has no place in the queue that it could have kept.
            navigation.status = .pending(waitingFor: "turn")
        }
        ready += released
    }

    /// Checks that a navigation may pass some gates: those that it has not passed are open, all
    /// at once.
    ///
    /// - Throws: What has it wait.
    func checkGates(_ names: [String], of navigation: Navigation) throws(RouteError) {
        guard !names.isEmpty, explaining == nil else { return }
        let left = names.filter { !navigation.passedGates.contains($0) }
        if let closed = left.first(where: { !isOpen($0) }) { throw .closedGate(closed) }
        navigation.passedGates.formUnion(left)
    }

    /// Checks the gates of a navigation's target.
    func checkGatesOfTarget(of navigation: Navigation) throws(RouteError) {
        if navigation.waitsForTree, tree.windows.isEmpty { throw .closedGate(Gates.started) }
        if let definition = navigation.definition, !definition.ready.isEmpty {
            try checkGates(definition.ready, of: navigation)
        }
    }

    /// Checks the gates of the steps of a plan, and of the leaves of trees that it builds.
    func checkGatesOfPlan(of navigation: Navigation) throws(RouteError) {
        guard let plan = navigation.plan else { return }
        // In the order of interceptors: from the target backwards.
        var names: [String] = []
        for link in plan.links.reversed() where !link.step.ready.isEmpty {
            names += link.step.ready
        }
        if let found = plan.finding?.step, !found.ready.isEmpty { names += found.ready }
        if !navigation.leafGates.isEmpty { names += navigation.leafGates }
        try checkGates(names, of: navigation)
    }

    /// Has a navigation wait at a gate: it keeps nobody waiting there.
    ///
    /// What is staged has been dropped; it is planned again then.
    func wait(_ navigation: Navigation, at gate: String) {
        if navigation.isRoute, navigation.phase == .stage { navigation.phase = .plan }
        if navigation.phase == .plan { navigation.gateWaits += 1 }
        navigation.gate = gate
        gates.waiting.append(navigation)
        underWay.removeAll { $0 === navigation }
        wait(navigation, for: gate, .gate)
    }
}
