// SPDX-License-Identifier: MIT

package import RouteCore
internal import RouteURLs

/// The progress of a navigation, with its request, its plan, and the results of its phases.
package struct Journey {
    /// The phase that runs next.
    package enum Phase {
        /// Finds the route, and checks the parameters.
        case resolving
        /// Calls the interceptors that run for all routes before the search.
        case searching
        case planning
        /// Calls the interceptors of the plan.
        case asking
        /// Builds and places the planned screens.
        case staging
        /// Calls `leaving` of screens whose removal was not known before staging.
        case leaving([ScreenID])
    }

    package var phase: Phase {
        didSet { if !unasked.isEmpty { unasked = [] } }
    }
    /// The origin of the navigation.
    package private(set) var origin: Origin
    // A stored property, because passing the large journey to a getter would be slow.

    /// Whether the navigation is a link: its origin is `url` or `external`, and it leads to a
    /// route.
    package private(set) var isLink: Bool
    /// Whether the navigation waits for the first tree.
    package var waitsForTree = false
    /// The request, which a redirect replaces.
    package private(set) var request: Act<ScreenID>
    package private(set) var options: NavigationOptions
    /// The URL that the navigation opens, with its match, if any.
    package private(set) var opened: OpenedURL?
    /// The route string that the navigation opens, with the result of its handler, if any.
    package private(set) var handled: HandledRoute?
    /// Whether an interceptor has redirected the navigation away from the URL or the route string.
    package private(set) var isRedirected = false
    /// The targets from which the navigation was redirected, each with its parameters and the
    /// caller's `from`.
    package private(set) var redirects: [(target: Target, info: InfoTable, from: ScreenID?)] = []

    /// The call or declaration that requested the current target; nil if the target was requested
    /// by the host, a URL or a route string.
    package var asker: Asker?

    /// The parameters, which are checked and converted when the route is resolved.
    package var info: InfoTable
    /// The route; nil until it is resolved.
    package var definition: Step?
    /// The latest plan, if any.
    package var plan: Plan?
    /// The screens whose `leaving` must be called because making the first screen of the plan
    /// visible removes them.
    package var leaving: [ScreenID] = []
    /// The screens that will be removed if the called `leaving` functions agree.
    package var removing: [ScreenID] = []
    /// The screens of the dialogs that the navigation removes.
    package var dialogs: [ScreenID] = []

    /// The interceptors that have let the navigation proceed.
    package var passed: Set<Interception> = []
    /// The known interceptors of the current phase that have not been called.
    package var unasked: ArraySlice<Interception> = []
    /// The gates that the navigation has passed.
    package var passedGates: Set<String> = []
    /// The gates of the leaves in the trees that the navigation builds.
    ///
    /// Only the trees that are planned so far are considered.
    package var leafGates: [String] = []
    /// The number of plans that were made for the current target.
    package var plans = 0
    /// The number of plans that are allowed in addition to ``planLimit``, because the navigation
    /// waited at a gate, or because staging revealed the class of a step.
    package var freePlans = 0
    /// The value of ``World/Shared/edits`` at the time of planning.
    package var planEdits = 0
    /// Whether an interceptor has waited since the latest plan was made.
    package var hasWaited = false
    /// The last interceptor that changed the tree or the state.
    package var changer: Interception?
    /// The number of children in the trees that the navigation plans and builds.
    package var leaves = 0

    /// Whether the screen where the plan starts has been visited and is still in the tree.
    package private(set) var hasVisitedStart = false
    /// The visits to the screens of the plan's steps, in order.
    package private(set) var stepVisits: [Visit] = []
    /// The screen that the navigation reaches; nil until the navigation is staged.
    package var reached: ScreenID?
    /// The existing screen that the navigation reuses as its target, if any.
    package var reused: ScreenID?
    /// The script state before and after staging, if staging has made a change.
    package var stagedState: (before: InfoTable, after: InfoTable)?
    /// The parts of a snapshot that could not be restored.
    package var losses: [RestorationLoss] = []

    /// The maximum number of plans for one target, in addition to ``freePlans``.
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

    /// The parameters that were requested, before conversion.
    package var originalInfo: InfoTable {
        switch request {
        case .route(_, let info), .start(let info): info
        default: InfoTable()
        }
    }

    /// The removal on which the called `leaving` functions decide.
    package var removal: Precedence.Removal {
        Precedence.Removal(
            Set(removing),
            reaches: request.onlyRemoves ? reached : nil,
            value: request.closing?.value ?? .nil
        )
    }

    /// Makes the navigation plan again, without counting the new plan.
    package mutating func planAgain() {
        phase = request.isRoute ? .planning : .staging
        freePlans += 1
    }

    /// The requested target; nil for a request that names no target.
    package var target: Target? {
        if case .route(let target, _) = request { target } else { nil }
    }

    /// The target of the route that is used, which may be the fallback of the requested target.
    package var route: Target? { definition?.target ?? target }

    // MARK: Visits

    /// Records a visit to the screen where the plan starts.
    package mutating func beginVisits() {
        hasVisitedStart = true
        if !stepVisits.isEmpty { stepVisits = [] }
    }

    /// Records a visit to a step's screen.
    package mutating func visit(_ visit: Visit) { stepVisits.append(visit) }

    /// The visit to the screen where the plan starts.
    private var startVisit: Visit? { hasVisitedStart ? plan?.startVisit : nil }

    /// The visits to the screen where the plan starts and to the steps' screens, in this order.
    package var visits: [Visit] {
        startVisit.map { [$0] + stepVisits } ?? stepVisits
    }

    /// Removes the visits to screens that are no longer in the tree, and records the classes of the
    /// other screens.
    ///
    /// An action may have replaced a screen, and a later step may have removed it.
    ///
    /// - Returns: Whether a step has work to do after its screen is shown.
    package mutating func settleVisits(in world: inout World) -> Bool {
        var hasWork = false
        if hasVisitedStart, let plan {
            hasVisitedStart = world.tree.isAlive(plan.found)
            if hasVisitedStart, let step = plan.finding?.step {
                // A policy that compares classes can only find a screen of a known class.
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

    /// The visited screens, without duplicates.
    package var stack: [ScreenID] {
        var stack: [ScreenID] = []
        for visit in visits where !stack.contains(visit.screen) { stack.append(visit.screen) }
        return stack
    }

    /// Whether the parameters may include parameters that the route does not declare.
    ///
    /// This is the case if the parameters come from a URL or a payload, whose author does not know
    /// the declaration.
    package var isAskedFromOutside: Bool {
        !isRedirected && (opened != nil || handled?.passesPayload == true)
    }

    /// Sets the checked value as the value with which the navigation closes a screen.
    package mutating func close(with value: Value) { request.close(with: value) }

    // MARK: Other targets

    /// Changes the request to the target of an interceptor's redirect.
    ///
    /// - Parameters:
    ///   - target: The target.
    ///   - info: The parameters.
    ///   - window: The name of the navigation's window before the redirect.
    package mutating func redirect(to target: Target, info: InfoTable, in window: String) {
        isRedirected = true
        let from = options.from
        options.via = nil
        options.from = nil
        options.window = window
        ask(for: target, info, insteadFrom: from)
    }

    /// Continues with the route of the URL's match.
    package mutating func follow(_ opened: OpenedURL) {
        self.opened = opened
        ask(for: opened.link.target, opened.match.parameters, insteadFrom: options.from)
    }

    /// Continues with the destination that the handler of a route string returned.
    package mutating func follow(_ handled: HandledRoute) {
        self.handled = handled
        ask(for: handled.target, handled.info, insteadFrom: options.from)
    }

    /// Continues with the target of a route that only redirects.
    ///
    /// If `keepsPlace` is true, the caller's `via` and `from` apply to the new target.
    package mutating func follow(_ target: Target, _ info: InfoTable, keepsPlace: Bool) {
        let from = options.from
        if !keepsPlace { (options.via, options.from) = (nil, nil) }
        ask(for: target, info, insteadFrom: from)
    }

    /// Restarts the journey with another target, keeping only the options, the source of the
    /// request and the chain of redirects.
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

    /// The number of redirects at which a navigation fails.
    static let redirectLimit = 16

    /// Checks that a redirect leads to a new target, and that the chain of redirects is not too
    /// long.
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

/// The source of the parameters that a route receives: a call, or the declaration of another route.
package enum Asker {
    /// A call by a script, such as `navigate` or `redirect`.
    case call(RouteError.Location)
    /// A route that redirects to this target.
    case redirect(of: Step)
    /// A step whose parent is this target.
    case child(Step)
    /// A step that builds a tree in which this target is a leaf.
    case tree(of: Step)
}

/// A visit to the screen where a navigation started, or to a screen that it reached.
package struct Visit {
    package let screen: ScreenID
    /// The step that built or found the screen; nil if the plan starts at the screen and no step
    /// found the screen.
    package let step: Step?
    /// The parameters with which the screen is updated; nil for the starting screen of an action
    /// without `from`, which is not updated.
    package let info: InfoTable?
    /// Whether the step built the screen with the action `none`, which does not place the screen in
    /// the tree.
    package var isDetached = false
}
