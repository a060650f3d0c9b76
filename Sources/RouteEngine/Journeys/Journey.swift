// SPDX-License-Identifier: MIT

package import RouteCore
internal import RouteURLs

/// The progress of a navigation: its request, its plan, and the results of its phases.
package struct Journey {
    /// The next phase of a navigation.
    package enum Phase {
        /// The route is found, and its parameters are checked.
        case resolving
        /// Calls the interceptors for all routes that run before the search.
        case searching
        case planning
        /// The interceptors of the plan are called.
        case asking
        /// The planned screens are built and placed.
        case staging
        /// Screens whose removal only the stage has shown are asked.
        case leaving([ScreenID])
    }

    package var phase: Phase {
        didSet { if !unasked.isEmpty { unasked = [] } }
    }
    /// The origin of the request.
    package private(set) var origin: Origin
    // Stored, because the journey is large to pass to a getter.

    /// Whether the navigation is a link: a request for a route from outside of the app.
    package private(set) var isLink: Bool
    /// Whether the navigation waits for the first tree.
    package var waitsForTree = false
    /// The request; a redirect replaces it.
    package private(set) var request: Act<ScreenID>
    package private(set) var options: NavigationOptions
    /// The match of the URL that the navigation opens.
    package private(set) var opened: OpenedURL?
    /// The route string that the navigation opens, and the result of its handler.
    package private(set) var handled: HandledRoute?
    /// Whether an interceptor has redirected it away from the URL or the route string.
    package private(set) var isRedirected = false
    /// The targets from which the navigation was redirected, with their parameters and the caller's
    /// `from`.
    package private(set) var redirects: [(target: Target, info: InfoTable, from: ScreenID?)] = []

    /// The call or declaration that asked for the present target; nil for the host, a URL and a
    /// route string.
    package var asker: Asker?

    /// The parameters, checked and converted once the route is resolved.
    package var info: InfoTable
    /// The route, once it is resolved.
    package var definition: Step?
    /// The plan made last.
    package var plan: Plan?
    /// The screens to ask that reaching the plan's first screen would already remove.
    package var leaving: [ScreenID] = []
    /// The screens whose removal is asked for.
    package var removing: [ScreenID] = []
    /// The screens of dialogs that the navigation leaves.
    package var dialogs: [ScreenID] = []

    /// The interceptors that have let the navigation proceed.
    package var passed: Set<Interception> = []
    /// The interceptors of the phase that have not been called, as far as they are known.
    package var unasked: ArraySlice<Interception> = []
    /// The gates that the navigation has passed.
    package var passedGates: Set<String> = []
    /// The gates of the leaves in the trees that the navigation builds; only of the trees that are
    /// planned so far.
    package var leafGates: [String] = []
    /// The number of plans made.
    package var plans = 0
    /// The number of plans made beyond ``planLimit``: after a wait at a gate, and after the stage
    /// learned the class of a step.
    package var freePlans = 0
    /// The value of ``World/Shared/edits`` at the time of planning.
    package var planEdits = 0
    /// Whether an interceptor has waited since planning.
    package var hasWaited = false
    /// The interceptor that changed the tree or the state last.
    package var changer: Interception?
    /// The number of children of the trees that the navigation plans and builds.
    package var leaves = 0

    /// Whether the navigation has visited the screen where its plan starts, and that screen is in
    /// the tree.
    package private(set) var hasVisitedStart = false
    /// The visited screens of the plan's steps, in order.
    package private(set) var stepVisits: [Visit] = []
    /// The screen that the navigation reaches; set when it is staged.
    package var reached: ScreenID?
    /// The existing screen that is the navigation's target.
    package var reused: ScreenID?
    /// The script state before staging, and after it.
    package var stagedState: (before: InfoTable, after: InfoTable)?
    /// The parts of a snapshot that cannot be restored.
    package var losses: [RestorationLoss] = []

    /// The maximum number of plans for one target, without ``freePlans``.
    package static let planLimit = 8

    /// Creates the journey of a request.
    package init(_ request: Act<ScreenID>, _ options: consuming NavigationOptions) {
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
        isLink = request.isRoute && (origin == .url || origin == .external)
        self.request = request
        self.options = options
    }

    /// The parameters as requested.
    package var originalInfo: InfoTable {
        switch request {
        case .route(_, let info), .start(let info): info
        default: InfoTable()
        }
    }

    /// The removal of screens that the navigation is about to request.
    package var removal: Precedence.Removal {
        Precedence.Removal(
            Set(removing),
            reaches: request.onlyRemoves ? reached : nil,
            value: request.closing?.value ?? .nil
        )
    }

    /// Makes the navigation plan again, after a wait that does not count as a plan.
    package mutating func planAgain() {
        phase = request.isRoute ? .planning : .staging
        freePlans += 1
    }

    /// The requested service and task; nil for other requests.
    package var target: Target? {
        if case .route(let target, _) = request { target } else { nil }
    }

    /// The route that the navigation uses: its target, or the target's fallback.
    package var route: Target? { definition?.target ?? target }

    // MARK: Visits

    /// Records a visit of the screen where the plan starts.
    package mutating func beginVisits() {
        hasVisitedStart = true
        if !stepVisits.isEmpty { stepVisits = [] }
    }

    /// Records a visit of the screen of a step.
    package mutating func visit(_ visit: Visit) { stepVisits.append(visit) }

    /// The visit of the screen where the plan starts.
    private var startVisit: Visit? { hasVisitedStart ? plan?.startVisit : nil }

    /// The visited screens: the screen where the plan starts, then the screens of the steps.
    package var visits: [Visit] {
        startVisit.map { [$0] + stepVisits } ?? stepVisits
    }

    /// Removes the visits of screens that are not in the tree, and records the classes of the
    /// others.
    ///
    /// An action may have replaced a screen, or a step after it removed it.
    ///
    /// - Returns: Whether a step has functions to run after its screen is shown.
    package mutating func settleVisits(in world: inout World) -> Bool {
        var hasWork = false
        if hasVisitedStart, let plan {
            hasVisitedStart = world.tree.isAlive(plan.found)
            if hasVisitedStart, let step = plan.finding?.step {
                // A policy by class can only find a known class.
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

    /// The visited screens, each once.
    package var stack: [ScreenID] {
        var stack: [ScreenID] = []
        for visit in visits where !stack.contains(visit.screen) { stack.append(visit.screen) }
        return stack
    }

    /// Whether the parameters may contain more than the route declares, because the caller does not
    /// know the declaration.
    package var isAskedFromOutside: Bool {
        !isRedirected && (opened != nil || handled?.passesPayload == true)
    }

    /// Replaces the result with which the navigation closes a screen with the checked result.
    package mutating func close(with value: Value) { request.close(with: value) }

    // MARK: Another target

    /// Changes the request to another target, for a redirect of an interceptor.
    ///
    /// - Parameters:
    ///   - target: The target.
    ///   - info: The parameters.
    ///   - window: The window of the navigation before.
    package mutating func redirect(to target: Target, info: InfoTable, in window: String) {
        isRedirected = true
        let from = options.from
        options.via = nil
        options.from = nil
        options.window = window
        ask(for: target, info, insteadFrom: from)
    }

    /// Continues with the route of a URL's match.
    package mutating func follow(_ opened: OpenedURL) {
        self.opened = opened
        ask(for: opened.link.target, opened.match.parameters, insteadFrom: options.from)
    }

    /// Continues with the destination that the handler of a route string returned.
    package mutating func follow(_ handled: HandledRoute) {
        self.handled = handled
        ask(for: handled.target, handled.info, insteadFrom: options.from)
    }

    /// Continues with the target of a route that only redirects; the caller's `via` and `from`
    /// apply to it if it `keepsPlace`.
    package mutating func follow(_ target: Target, _ info: InfoTable, keepsPlace: Bool) {
        let from = options.from
        if !keepsPlace { (options.via, options.from) = (nil, nil) }
        ask(for: target, info, insteadFrom: from)
    }

    /// Restarts with another target; keeps only the source of the request.
    private mutating func ask(
        for target: Target,
        _ info: InfoTable,
        insteadFrom from: ScreenID?
    ) {
        var next = Journey(.route(target, info: info), options)
        (next.origin, next.isLink, next.waitsForTree) = (origin, isLink, waitsForTree)
        (next.opened, next.handled, next.isRedirected) = (opened, handled, isRedirected)
        next.redirects = redirects
        if let old = self.target { next.redirects.append((old, originalInfo, from)) }
        self = next
    }

    /// The number of redirects of one navigation that is too high.
    static let redirectLimit = 16

    /// Checks that a redirect has a new target, and that the redirect chain is not too long.
    ///
    /// - Throws: `redirectLoop`.
    package func checkRedirect(to target: Target, _ info: InfoTable) throws(RouteError) {
        // Leaving verbs have no target.
        let earlier = redirects + (self.target.map { [($0, originalInfo, nil)] } ?? [])
        guard earlier.count < Self.redirectLimit,
            !(earlier.contains { $0.target == target && $0.info == info })
        else {
            throw .redirectLoop(earlier.map { "\($0.target)" } + ["\(target)"])
        }
    }
}

/// The source of parameters that a route gets: a call, or the declaration of another route.
package enum Asker {
    /// A call of a script, such as `navigate` or `redirect`.
    case call(RouteError.Location)
    /// A route that redirects to the target.
    case redirect(of: Step)
    /// A step that has this one as its parent.
    case child(Step)
    /// A step whose tree contains the target's screen.
    case tree(of: Step)
}

/// A screen that a navigation reached or started from, with its step.
package struct Visit {
    package let screen: ScreenID
    /// The step; nil for the screen where the plan starts, unless a step found it.
    package let step: Step?
    /// The parameters; nil for the place of an action without `from`, which is not updated.
    package let info: InfoTable?
    /// Whether the step built the screen with the action `none`, which does not insert it into the
    /// tree.
    package var isDetached = false
}
