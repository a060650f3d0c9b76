// SPDX-License-Identifier: MIT

extension Router {
    // MARK: The verbs of the host

    /// Goes to the screen of a target.
    ///
    /// All or nothing: where it does not end `done`, the tree is as it was. A navigation
    /// that begins before the first tree stands waits for it.
    ///
    /// - Parameters:
    ///   - target: Where to go.
    ///   - info: The parameters.
    ///   - options: What the caller has to say about it.
    ///   - completion: Called once, when the navigation has ended.
    /// - Returns: The navigation, which tells how it ended or what it waits for.
    @discardableResult
    public func navigate(
        _ target: Target,
        info: Table = Table(),
        options: consuming NavigationOptions = NavigationOptions(),
        completion: ((Navigation) -> Void)? = nil
    ) -> Navigation {
        begin(.route(target, info: info), options, completion: completion)
    }

    /// Builds the first tree, as the scripts declare it by `router.start`.
    ///
    /// A tree that stands in the main window is replaced.
    @discardableResult
    public func start(
        _ info: Table = Table(),
        completion: ((Navigation) -> Void)? = nil
    ) -> Navigation {
        begin(.start(info: info), NavigationOptions(), completion: completion)
    }

    // MARK: From beginning to end

    /// Begins a navigation; it runs at once unless a turn is under way.
    func begin(
        _ request: consuming Navigation.Request,
        _ options: consuming NavigationOptions,
        at place: RouteError.Location? = nil,
        isCancelled: Bool = false,
        completion: ((Navigation) -> Void)? = nil
    ) -> Navigation {
        enter()
        lastNavigation += 1
        let isTooDeep = request.isTooDeep
        if isTooDeep { request.dropTables() }
        // What stands goes whether it would or not.
        if request.isRestoring { options.isForced = true }
        if !options.namesWindow { options.window = windowName(for: request, from: options.from) }
        let generation = generationForNew
        let navigation = Navigation(
            id: lastNavigation,
            request: request,
            options: options,
            parent: currentNavigation,
            chain: chain + 1,
            place: place,
            generation: generation,
            completion: completion
        )
        pendingCount += 1
        if let currentActivity { navigation.starter = currentActivity }
        navigation.waitsForTree =
            navigation.origin != .script || currentActivity?.followsLink == true
        acting(for: generation) {
            begin(navigation, isTooDeep: isTooDeep, isCancelled: isCancelled)
        }
        return navigation
    }

    private func begin(_ navigation: Navigation, isTooDeep: Bool, isCancelled: Bool) {
        let mismatch = isCancelled ? nil : matchURL(of: navigation)
        emit(.navigate, navigation, at: navigation.place, opening(of: navigation))
        if let parent = currentNavigation, parent.isPending { parent.children.append(navigation) }
        guard !isCancelled, !isTooDeep else {
            end(navigation, isCancelled ? .cancelled(.cancelledByCaller()) : .failed(.tooDeep()))
            pump()
            return
        }
        if let mismatch {
            end(navigation, .failed(mismatch))
            pump()
            return
        }
        do throws(RouteError) {
            if navigation.isRoute { try checkRoom() }
        } catch {
            end(navigation, .failed(error))
            pump()
            return
        }
        if let leader = leader(for: navigation) {
            join(navigation, to: leader)
            return
        }
        do throws(RouteError) {
            try makeRoom(for: navigation)
        } catch {
            end(navigation, .failed(error))
            pump()
            return
        }
        startPatience(of: navigation)
        if case .staging(let current) = turn {
            current.putOff.append(navigation)
            wait(navigation, for: "turn", .wait)
            return
        }
        ready.append(navigation)
        var isWaiting = !mayRun(navigation)
        if case .applying = turn { isWaiting = true }
        if isWaiting { wait(navigation, for: "turn", .wait) }
        pump()
    }

    /// Runs what is ready, and tells the ends, until nothing is left or a turn is under way.
    func pump() {
        guard !isPumping else { return }
        isPumping = true
        // Whoever called: what is done here is done for the scripts that serve, or says for whom.
        let outer = actingGeneration
        actingGeneration = nil
        defer {
            isPumping = false
            actingGeneration = outer
        }
        while case .idle = turn {
            if !reports.isEmpty {
                applyReports()
            } else if !changed.isEmpty, !isRunningScript || !ready.isEmpty {
                tellChanged()
            } else if !mayBeginWork, hasWork {
                postponeWork()
                return
            } else if !undelivered.isEmpty {
                deliverNext()
            } else if !endings.isEmpty {
                // What an end starts runs within its call, so a script sees it ended.
                outsidePump(endings.removeFirst())
            } else if let next = takeReady() {
                acting(for: next.generation ?? serving) { run(next) }
            } else if let link = takeLinkToFollow() {
                follow(link)
            } else if nextReload != nil, nesting == 0, !isRunningScript {
                makeReload()
            } else {
                if nesting == 0 {
                    deliveries = 0
                    releaseScreens()
                    if !retired.isEmpty { closeRetired() }
                    // What it cancelled is told before the router rests.
                    if !endings.isEmpty { continue }
                }
                return
            }
        }
    }

    /// Throws `budget` if there is no room for another navigation.
    private func checkRoom() throws(RouteError) {
        guard pendingCount <= Self.pendingLimit else {
            throw .tooManyPending("pending navigations", Self.pendingLimit)
        }
        try checkMemory()
    }

    /// Whether there may be work that enters scripts.
    private var hasWork: Bool {
        !(undelivered.isEmpty && endings.isEmpty && ready.isEmpty && waitingLinks.isEmpty)
    }

    /// Takes a navigation on its way until it has ended or waits.
    private func run(_ navigation: Navigation) {
        guard navigation.isPending else { return }
        if !underWay.contains(where: { $0 === navigation }) { underWay.append(navigation) }
        if case .pending(_?) = navigation.status { navigation.status = .pending(waitingFor: nil) }
        do throws(RouteError) {
            guard navigation.chain <= Self.chainLimit else { throw .endlessChain() }
            while navigation.isPending, try advance(navigation) {
                // What an interceptor began may be on its way to the host.
                guard case .idle = turn else {
                    // Behind all that it began, before all else.
                    let last = ready.lastIndex { $0.isBelow(navigation) }
                    ready.insert(navigation, at: last.map { $0 + 1 } ?? 0)
                    return
                }
            }
        } catch {
            end(navigation, .failed(error))
        }
    }

    /// Takes a navigation through one phase.
    ///
    /// - Returns: Whether there is a next one now.
    private func advance(_ navigation: Navigation) throws(RouteError) -> Bool {
        do throws(RouteError) {
            return try advanceByOne(navigation)
        } catch {
            if let gate = error.closedGate {
                wait(navigation, at: gate)
                return false
            }
            guard error.asksForNextMatch else { throw error }
            try goOn(navigation, error)
            return true
        }
    }

    private func advanceByOne(_ navigation: Navigation) throws(RouteError) -> Bool {
        switch navigation.phase {
        case .resolve:
            try resolve(navigation)
            try checkGatesOfTarget(of: navigation)
            navigation.phase = .search
        case .search:
            let interceptors = interceptorsForAll(before: .search, navigation)
            return try go(to: .plan, ask(interceptors, navigation), navigation)
        case .plan:
            let allowed = Self.planLimit + navigation.gateWaits + navigation.learnedClasses
            guard navigation.plans <= allowed else {
                throw tooManyPlans(navigation)
            }
            if navigation.plans > 0 { emit(.replan, navigation) }
            try plan(navigation)
            navigation.hasWaited = false
            navigation.planEdits = edits
            navigation.phase = .intercept
        case .intercept:
            return try intercept(navigation)
        case .leave:
            if !navigation.isRoute {
                navigation.plans += 1
                guard navigation.plans <= Self.planLimit else { throw tooManyPlans(navigation) }
            }
            let passage = try ask(interceptions(askingToLeave: navigation.leaving), navigation)
            return go(to: navigation.isRoute ? .plan : .stage, passage, navigation)
        case .stage:
            return try stage(navigation)
        }
        return true
    }

    /// Asks the interceptors of a plan; where they waited or changed something, there is
    /// another plan.
    private func intercept(_ navigation: Navigation) throws(RouteError) -> Bool {
        guard let plan = navigation.plan else {
            preconditionFailure("a navigation is planned before its interceptors are asked")
        }
        let before = navigation.planEdits
        var interceptors = interceptorsForAll(before: .stage, navigation)
        if interceptors.isEmpty {
            interceptors = plan.interceptors
        } else {
            interceptors += plan.interceptors
        }
        if !plan.leaving.isEmpty { interceptors += interceptions(askingToLeave: plan.leaving) }
        let passage = try ask(interceptors, navigation)
        let isStale = navigation.hasWaited || before != edits
        return go(to: isStale ? .plan : .stage, passage, navigation)
    }

    func interceptions(askingToLeave screens: [ScreenID]) -> [Interception] {
        screens.map { Interception(interceptor: .leaving($0)) }
    }

    private func go(
        to phase: Navigation.Phase,
        _ passage: Passage,
        _ navigation: Navigation
    ) -> Bool {
        switch passage {
        case .passed:
            navigation.phase = phase
            return true
        case .waits: return false
        case .turned: return true
        }
    }

    /// How often a navigation is planned again.
    static let planLimit = 8

    /// Finds the route of a navigation and checks its parameters.
    func resolve(_ navigation: Navigation) throws(RouteError) {
        guard let target = navigation.target, navigation.definition == nil else { return }
        var definition: Step
        do throws(RouteError) {
            definition = try route(to: target)
        } catch {
            // What a handler leads to, it is to blame for.
            throw error.at(navigation.goesByRouteString ? navigation.handled?.place : nil)
        }
        var way: [Step] = []
        try check(navigation, against: definition, isFallback: false)
        while let next = try fallback(of: definition, navigation.info, &way, for: navigation) {
            definition = next
            try check(navigation, against: definition, isFallback: true)
        }
        navigation.definition = definition
    }

    /// Checks whether a route may be asked for, and the parameters that it gets.
    private func check(
        _ navigation: Navigation,
        against definition: Step,
        isFallback: Bool
    ) throws(RouteError) {
        guard let target = definition.target else { return }
        do throws(RouteError) {
            let origin = navigation.origin
            if isFallback { navigation.info = navigation.originalInfo }
            if let origins = definition.origins, !origins.contains(origin) {
                throw .forbidden(target, origin)
            }
            if origin != .script, !navigation.info.isEmpty {
                try tree.checkOrigin(of: .table(navigation.info))
            }
            if let via = navigation.options.via { _ = try need(of: via) }
            if let declaration = definition.info {
                // Who writes a URL or a route string, or names another route, does not know what this one declares.
                if isFallback || navigation.isAskedFromOutside {
                    navigation.info = declaration.part(of: navigation.info)
                }
                navigation.info = try whilePlanning(navigation) { () throws(RouteError) in
                    try definition.check(navigation.info, convert: generation.convert)
                }
            }
        } catch {
            throw error.blaming(definition)
        }
    }

    /// The route of a target, or what the script falls back to.
    private func route(to target: Target) throws(RouteError) -> Step {
        do throws(RouteError) {
            return try generation.route(to: target)
        } catch {
            guard error.code == .notFound, let fallback = generation.fallback,
                let provider = fallback.screen
            else { throw error }
            return Step(target, at: fallback.place, provider: provider, isFallback: true)
        }
    }

    /// Runs a closure so that what it begins counts as begun by a navigation, or by none.
    ///
    /// - Parameters:
    ///   - navigation: The parent of what it begins.
    ///   - chain: How many navigations led there.
    ///   - body: What to run.
    /// - Returns: What the closure returns.
    /// - Throws: What the closure throws.
    func onBehalf<Result, Failure: Error>(
        of navigation: Navigation?,
        chain: Int,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outer = (currentNavigation, self.chain)
        (currentNavigation, self.chain) = (navigation, chain)
        defer { (currentNavigation, self.chain) = outer }
        return try body()
    }

    /// How many navigations may begin one another without the app having a say.
    static let chainLimit = 100

    /// Calls a closure so that what it begins runs within the call; where callbacks run within
    /// callbacks already, it runs after it, so that no stack is too small for them.
    func outsidePump(_ body: () -> Void) {
        let wasPumping = isPumping
        nesting += 1
        isPumping = nesting > 8
        body()
        nesting -= 1
        isPumping = wasPumping
    }

    func wait(_ navigation: Navigation, for what: String, _ kind: Event.Kind) {
        navigation.status = .pending(waitingFor: what)
        emit(kind, navigation, [("name", Value(what))])
    }

    private func opening(of navigation: Navigation) -> [(name: String, value: Value)] {
        var fields: [(name: String, value: Value)] = []
        if let url = navigation.handled?.text ?? navigation.opened?.text ?? navigation.unmatchedURL
        {
            fields.append((url.isRouteString ? "route" : "url", .string(url.limited)))
        }
        switch navigation.request {
        case .url: break
        case .route(let target, _):
            fields.append(("service", Value(target.service)))
            fields.append(("task", Value(target.task)))
            if let place = (try? generation.routes.find(target))?.place {
                fields.append(("defined", Value(place.description)))
            }
        default:
            fields.append(("verb", Value(navigation.title)))
        }
        fields.append(("origin", Value(navigation.origin.rawValue)))
        return fields
    }
}
