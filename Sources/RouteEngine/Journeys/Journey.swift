// SPDX-License-Identifier: MIT

package import RouteCore
internal import RouteURLs

/// How far one navigation is: what it asks for, the plan, and what its phases have learned.
package struct Journey {
    /// The next phase of a navigation.
    package enum Phase {
        /// Its route is found, and its parameters are checked.
        case resolving
        /// The interceptors for all routes that come before the search are asked.
        case searching
        case planning
        /// The interceptors of the plan are asked.
        case asking
        /// The planned screens are built and placed.
        case staging
        /// Screens that only the stage showed to leave are asked.
        case leaving([ScreenID])
    }

    package var phase: Phase
    /// The origin of the request.
    package let origin: Origin
    /// Whether it waits for the first tree.
    package var waitsForTree = false
    /// The request; a redirect replaces it.
    package private(set) var request: NavigationRequest
    package private(set) var options: NavigationOptions
    /// The match of the URL that it was asked to open.
    package private(set) var opened: OpenedURL?
    /// The route string that it was asked to open, and where its handler leads.
    package private(set) var handled: HandledRoute?
    /// Whether an interceptor has redirected it away from the URL or the route string.
    package private(set) var isRedirected = false
    /// The targets that it was redirected from, with their parameters.
    package private(set) var redirects: [(target: Target, info: InfoTable)] = []

    /// The parameters, as checked and converted once its route is resolved.
    package var info: InfoTable
    /// The route, once it is resolved.
    package var definition: Step?
    /// The plan made last.
    package var plan: Plan?
    /// The screens that would leave by reaching the plan's first screen alone, and that are to be
    /// asked.
    package var leaving: [ScreenID] = []

    /// The interceptors that have let it pass.
    package var passed: Set<Interception> = []
    /// The gates that it has passed.
    package var passedGates: Set<String> = []
    /// The gates of the leaves of trees that it builds, as far as it is planned.
    package var leafGates: [String] = []
    /// The number of plans made.
    package var plans = 0
    /// The number of plans made beyond ``planLimit``: after a wait at a gate, and after the stage
    /// learned the class of a step.
    package var freePlans = 0
    /// The value of ``World/edits`` when it was planned.
    package var planEdits = 0
    /// Whether an interceptor has waited since it was planned.
    package var hasWaited = false
    /// The interceptor that changed the tree or the state last.
    package var changer: Interception?
    /// The number of children of the trees that it plans and builds.
    package var leaves = 0

    /// Whether it has visited the screen where its plan begins, and that screen is in the tree.
    package private(set) var hasVisitedStart = false
    /// The screens of its steps that it has visited, in order.
    package private(set) var stepVisits: [Visit] = []
    /// The screen that it leads to, once it is staged.
    package var reached: ScreenID?
    /// The existing screen that is its target.
    package var reused: ScreenID?
    /// The state before it was staged, and as its stage left it.
    package var stagedState: (before: InfoTable, after: InfoTable)?
    /// The parts of a snapshot that cannot be restored.
    package var losses: [RestorationLoss] = []

    /// The largest number of plans of one target, but for those that are free.
    package static let planLimit = 8

    /// Creates the journey of a request.
    package init(_ request: consuming NavigationRequest, _ options: consuming NavigationOptions) {
        switch request {
        case .route(_, let info), .start(let info): self.info = info
        default: info = InfoTable()
        }
        phase = request.isRoute ? .resolving : .staging
        if case .url = request {
            origin = options.origin ?? .url
        } else {
            origin = options.origin ?? .host
        }
        self.request = request
        self.options = options
    }

    /// The parameters as they were asked for.
    package var originalInfo: InfoTable {
        switch request {
        case .route(_, let info), .start(let info): info
        default: InfoTable()
        }
    }

    /// The service and task that it asks for; nil for other requests.
    package var target: Target? {
        if case .route(let target, _) = request { target } else { nil }
    }

    /// The route that it takes: its target, or the fallback of that.
    package var route: Target? { definition?.target ?? target }

    // MARK: Visits

    /// Begins the visits with the screen where the plan begins.
    package mutating func beginVisits() {
        hasVisitedStart = true
        if !stepVisits.isEmpty { stepVisits = [] }
    }

    /// Visits the screen of a step.
    package mutating func visit(_ visit: Visit) { stepVisits.append(visit) }

    /// The visit of the screen where the plan begins.
    private var startVisit: Visit? { hasVisitedStart ? plan?.startVisit : nil }

    /// The screens that it has visited: the one where the plan begins, then those of the steps.
    package var visits: [Visit] {
        startVisit.map { [$0] + stepVisits } ?? stepVisits
    }

    /// Drops the visits of screens that are not in the tree, and learns the classes of the others.
    ///
    /// An action may have replaced a screen, or a step after it removed it.
    ///
    /// - Returns: Whether a step has work to do now that its screen is shown.
    package mutating func settleVisits(in world: inout World) -> Bool {
        var hasWork = false
        if hasVisitedStart, let plan {
            hasVisitedStart = world.tree.isAlive(plan.found)
            if hasVisitedStart, let step = plan.finding?.step {
                // A policy that goes by the class has found a class that is known.
                let isKnown = step.reuse.goesByClass && step.find == nil
                if !isKnown { world.learn(plan.found, of: step) }
                hasWork = step.hasWorkWhenShown
            }
        }
        guard !stepVisits.isEmpty else { return hasWork }
        stepVisits.removeAll { !$0.isDetached && !world.tree.isAlive($0.screen) }
        for visit in stepVisits {
            guard let step = visit.step else { continue }
            world.learn(visit.screen, of: step)
            if step.hasWorkWhenShown { hasWork = true }
        }
        return hasWork
    }

    /// The screens that it visits, each once.
    package var stack: [ScreenID] {
        var stack: [ScreenID] = []
        for visit in visits where !stack.contains(visit.screen) { stack.append(visit.screen) }
        return stack
    }

    /// Whether its parameters were written without knowledge of what the route declares.
    package var isAskedFromOutside: Bool {
        !isRedirected && (opened != nil || handled?.passesPayload == true)
    }

    /// Replaces the value with which the navigation closes a screen by the one that is checked.
    package mutating func close(_ screen: ScreenID, with value: Value) {
        request = .close(screen, value: value)
    }

    // MARK: Another target

    /// Asks for another target, for the redirect of an interceptor.
    ///
    /// - Parameters:
    ///   - target: The target.
    ///   - info: The parameters.
    ///   - window: The window that it was in.
    package mutating func redirect(to target: Target, info: InfoTable, in window: String) {
        isRedirected = true
        options.via = nil
        options.from = nil
        options.window = window
        ask(for: target, info)
    }

    /// Goes to the route of a URL's match.
    package mutating func follow(_ opened: OpenedURL) {
        self.opened = opened
        ask(for: opened.link.target, opened.match.parameters)
    }

    /// Goes where the handler of a route string leads.
    package mutating func follow(_ handled: HandledRoute) {
        self.handled = handled
        ask(for: handled.target, handled.info)
    }

    private mutating func ask(for target: Target, _ info: InfoTable) {
        if let old = self.target { redirects.append((old, originalInfo)) }
        request = .route(target, info: info)
        self.info = info
        definition = nil
        plan = nil
        plans = 0
        freePlans = 0
        passed = []
        passedGates = []
        phase = .resolving
    }

    /// The redirect of one navigation that is one too many.
    private static let redirectLimit = 16

    /// Checks that a redirect leads to a new target, and that there were not too many.
    ///
    /// - Throws: `redirectLoop`.
    package func checkRedirect(to target: Target, _ info: InfoTable) throws(RouteError) {
        // A verb that leaves is no target.
        let earlier = redirects + (self.target.map { [($0, originalInfo)] } ?? [])
        guard earlier.count < Self.redirectLimit,
            !(earlier.contains { $0.target == target && $0.info == info })
        else {
            throw .redirectLoop(earlier.map { "\($0.target)" } + ["\(target)"])
        }
    }
}

/// A screen that a navigation led to or started from, and the step that it belongs to.
package struct Visit {
    package let screen: ScreenID
    /// Nil for the screen where the plan begins, unless a step found it.
    package let step: Step?
    /// Nil for the place of an action without `from`, to which nothing is done.
    package let info: InfoTable?
    /// Whether its step built it and put it nowhere, by `none`.
    package var isDetached = false
}
