// SPDX-License-Identifier: MIT

internal import LuaVM
package import RouteURLs

/// Saying how a navigation would go, without going there.
extension Router {
    /// Says how a navigation to a target would go, and why.
    ///
    /// All that a navigation does until its screens are placed is done, on a copy of the tree that
    /// is dropped; interceptors are not asked, but listed as if they let pass. The functions that
    /// plan, build and update run. What they call for, such as tasks, navigations and timers, is listed and not
    /// done: a script that asks for the value of a task gets nil. Then the router is as it was before: its
    /// tree, its state, its numbers, what `math.random` gives next, what its scripts hold of it. The
    /// host hears nothing, but is asked for dependencies that it provides; no event is told. Only what
    /// scripts keep in variables of their own stays.
    ///
    /// - Parameters:
    ///   - target: Where to go.
    ///   - info: The parameters.
    ///   - options: What the caller has to say about it.
    /// - Returns: How it would go; an error that would end it is a part of that.
    /// - Throws: `script` while a navigation is planned or makes its screens, when there is no tree that
    ///   stands.
    public func explain(
        _ target: Target,
        info: Table = Table(),
        options: NavigationOptions = NavigationOptions()
    ) throws(RouteError) -> Explanation {
        try explain(.route(target, info: info), options)
    }

    /// Says how the navigation of a URL, or of a route string, would go, and why.
    ///
    /// As ``explain(_:info:options:)``; which patterns the URL matches, and which it comes near, is
    /// told too.
    ///
    /// - Parameters:
    ///   - url: The URL, a bare path, or a route string.
    ///   - options: What the caller has to say about it.
    ///   - limit: How many patterns that do not match are told.
    /// - Returns: How it would go.
    /// - Throws: As ``explain(_:info:options:)``.
    public func explain(
        url: String,
        options: NavigationOptions = NavigationOptions(),
        limit: Int = 5
    ) throws(RouteError) -> Explanation {
        try explain(bytes: ByteString(url), options: options, limit: limit)
    }

    /// Says how the navigation of a URL, which need not be valid UTF-8, would go.
    ///
    /// - Parameters:
    ///   - url: The URL, a bare path, or a route string.
    ///   - options: What the caller has to say about it.
    ///   - limit: How many patterns that do not match are told.
    ///   - explainers: ``urlExplainers``, to use them for many URLs.
    /// - Returns: How it would go.
    /// - Throws: As ``explain(_:info:options:)``.
    package func explain(
        bytes url: ByteString,
        options: NavigationOptions = NavigationOptions(),
        limit: Int = 5,
        by explainers: (routes: URLExplainer, routings: URLExplainer)? = nil
    ) throws(RouteError) -> Explanation {
        try explain(.url(url), options) { explaining throws(RouteError) in
            guard !url.isRouteString else { return }
            let (links, routings) = (generation.links, routings)
            let explainers = explainers ?? urlExplainers
            let kind = generation.value(ofKind:_:)
            try whilePlanning(nil) { () throws(RouteError) in
                let ofRoutes = try explainers.routes.explain(url, limit: limit, asking: kind)
                explaining.explanation.add(ofRoutes, of: links)
                let ofRoutings = try explainers.routings.explain(url, limit: limit, asking: kind)
                explaining.explanation.add(ofRoutings, of: routings)
            }
        }
    }

    /// The explainers of the patterns of routes and of routings.
    package var urlExplainers: (routes: URLExplainer, routings: URLExplainer) {
        (URLExplainer(generation.links.table), URLExplainer(generation.routings.table))
    }

    /// Takes a navigation as far as it goes without anybody noticing, and back.
    func explain(
        _ request: Navigation.Request,
        _ options: NavigationOptions,
        match: (Explaining) throws(RouteError) -> Void = { _ throws(RouteError) in }
    ) throws(RouteError) -> Explanation {
        enter()
        switch turn {
        case .planning, .staging: throw .explainsWithinTurn()
        case .idle, .applying: break
        }
        defer {
            for (step, name) in explainedClasses { step.forgetClass(name) }
            explainedClasses = []
        }
        // Each time a step has learned one more of the classes that stand.
        while true {
            if let told = explainOnce(request, options, match: match) { return told }
        }
    }

    /// Explains a navigation; nil where something was learned on the way that asks for another plan.
    private func explainOnce(
        _ request: Navigation.Request,
        _ options: NavigationOptions,
        match: (Explaining) throws(RouteError) -> Void
    ) -> Explanation? {
        acting(for: generationForNew) {
            lastExplained -= 1
            var request = request
            let isTooDeep = request.isTooDeep
            if isTooDeep { request.dropTables() }
            let navigation = Navigation(
                id: lastExplained,
                request: request,
                options: options,
                parent: currentNavigation,
                chain: chain + 1,
                place: nil,
                generation: generationForNew,
                completion: nil
            )
            navigation.waitsForTree =
                navigation.origin != .script || currentActivity?.followsLink == true
            let before = Checkpoint(self)
            let explaining = Explaining(
                self,
                Explanation(navigation, in: windowName(of: navigation)),
                living: generation.dependencies.living
            )
            explaining.explanation.windows = windowTrees
            self.explaining = explaining
            onEvent = { explaining.hear($0) }
            isPumping = true
            openCopy()
            defer { self.explaining = nil }
            var isLast = true
            do throws(RouteError) {
                if isTooDeep { throw .tooDeep() }
                try match(explaining)
                isLast = try explain(navigation, explaining)
            } catch {
                explaining.fails(error)
            }
            explaining.noteDependencies(of: navigation)
            navigation.status = .cancelled(.wasExplained())
            navigation.dependencies = [:]
            navigation.generation = nil
            before.restore(self)
            return isLast ? explaining.explanation : nil
        }
    }

    /// What every window shows.
    fileprivate var windowTrees: [Explanation.WindowTree] {
        tree.windows.map {
            let text = treeNotation(window: $0.name)
            return Explanation.WindowTree(name: $0.name, before: text, after: text)
        }
    }

    /// Goes on with a copy of the tree, on which a draft is opened: what the host applies now has
    /// been applied there.
    private func openCopy() {
        if tree.hasDraft { tree.closeDraft(tree.draftDifference()) }
        tree.lastSerial = lastExplainedSerial
        turn = .idle
        staged = []
    }

    // MARK: The phases

    /// Takes a navigation through the phases up to its commit.
    ///
    /// - Returns: False if a plan turned out to be outdated, so that all is to be explained again.
    private func explain(
        _ navigation: Navigation,
        _ explaining: Explaining
    ) throws(RouteError) -> Bool {
        if let mismatch = matchURL(of: navigation) { throw mismatch }
        explaining.explanation.target = navigation.target
        explaining.phase = .queue
        try explainTurn(of: navigation, explaining)
        while true {
            do throws(RouteError) {
                return try explainRoute(of: navigation, explaining)
            } catch {
                guard error.asksForNextMatch else { throw error }
                tree.dropDraft()
                turn = .idle
                let passed = navigation.definition
                try goOn(navigation, error)
                explaining.startOver()
                explaining.explanation.target = navigation.target
                if let passed, let target = navigation.target {
                    explaining.explanation.detours.append(
                        Explanation.Detour(
                            reason: .next,
                            route: passed.title,
                            place: error.location ?? passed.place,
                            taken: target
                        )
                    )
                }
            }
        }
    }

    /// Says what others that are pending mean for a navigation.
    private func explainTurn(
        of navigation: Navigation,
        _ explaining: Explaining
    ) throws(RouteError) {
        func title(_ other: Navigation) -> String { "#\(other.id) \(other.title)" }
        if let leader = leader(for: navigation) {
            explaining.explanation.turn = Explanation.Turn(
                state: .joins,
                others: [title(leader)]
            )
            return
        }
        guard !isChild(navigation) else { return }
        let others = (underWay + ready).filter(holdsQueue)
        switch policy(of: navigation) {
        case .parallel: break
        case .queue where !mayRun(navigation):
            explaining.explanation.turn = Explanation.Turn(state: .waits, others: others.map(title))
        case .latest where others.contains { !isChild($0) }:
            let superseded = others.filter { !isChild($0) }
            explaining.explanation.turn = Explanation.Turn(
                state: .supersedes,
                others: superseded.map(title)
            )
        case .reject where !others.isEmpty:
            explaining.explanation.turn = Explanation.Turn(
                state: .busy,
                others: [title(others[0])]
            )
            throw .busy(with: others[0])
        case .queue, .latest, .reject: break
        }
    }

    private func explainRoute(
        of navigation: Navigation,
        _ explaining: Explaining
    ) throws(RouteError) -> Bool {
        explaining.phase = .resolve
        let isClosed = navigation.waitsForTree && tree.windows.isEmpty
        if isClosed { explaining.note(gates: [Gates.started], of: nil) }
        do throws(RouteError) {
            try resolve(navigation)
        } catch {
            explaining.explanation.info = navigation.info
            throw error
        }
        explaining.explanation.info = navigation.info
        guard let definition = navigation.definition else { return true }
        explaining.noteRoute(definition)
        explaining.note(gates: definition.ready, of: definition.title)
        explaining.note(interceptorsForAll(before: .search, navigation), .search)
        if isClosed {
            explaining.note(interceptorsForAll(before: .stage, navigation), .every)
            return true
        }
        explaining.phase = .plan
        try plan(navigation)
        guard let plan = navigation.plan else { return true }
        explaining.note(plan)
        explaining.note(interceptorsForAll(before: .stage, navigation), .every)
        for link in plan.visited {
            explaining.note(gates: link.step.ready, of: link.step.title)
            explaining.note(link.interceptions, .step)
        }
        explaining.note(interceptions(askingToLeave: plan.leaving), .leaving)
        explaining.note(gates: navigation.leafGates, of: definition.title)
        explaining.phase = .stage
        if !reachesWhatIsShown(navigation) {
            turn = .staging(navigation)
            tree.openNewDraft()
            let isUpToDate = try onBehalf(of: navigation, chain: navigation.chain) {
                () throws(RouteError) in
                try explainStage(of: navigation, explaining)
            }
            guard isUpToDate else { return false }
        }
        explaining.noteEnd(of: navigation)
        return true
    }

    private func explainStage(
        of navigation: Navigation,
        _ explaining: Explaining
    ) throws(RouteError) -> Bool {
        // Only routes are explained, and a route always has something to do.
        guard case .reached(let screen) = try arrange(navigation) else { return false }
        navigation.reached = screen
        explaining.note(gates: navigation.leafGates, of: navigation.definition?.title)
        let difference = tree.draftDifference()
        explaining.note(difference, navigation)
        try checkDismissibility(of: difference.removed, navigation)
        try checkCapabilities(of: difference, navigation)
        let unasked = screensToAsk(among: difference.removed, navigation)
        explaining.note(interceptions(askingToLeave: unasked), .leaving)
        return true
    }
}

/// What a router is before it explains, and is again after it.
private struct Checkpoint {
    private let tree: ScreenTree
    private let state: Table
    private let turn: Router.Turn
    private let staged: [ScreenID]
    private let undelivered: [Router.Delivery]
    private let onEvent: ((Event) -> Void)?
    private let numbers: (event: Int, edits: Int)
    private let isPumping: Bool
    private let scripts: [(generation: Generation, random: [UInt64], logged: (Int, Int))]

    init(_ router: Router) {
        tree = router.tree
        state = router.state
        turn = router.turn
        staged = router.staged
        undelivered = router.undelivered
        onEvent = router.onEvent
        numbers = (router.lastEvent, router.edits)
        isPumping = router.isPumping
        scripts = router.generations.map { generation in
            (
                generation, generation.lua.randomState,
                (generation.logged.lines, generation.logged.bytes)
            )
        }
    }

    func restore(_ router: Router) {
        router.forgetFields(of: router.staged + router.tree.draftedScreens)
        router.lastExplainedSerial = router.tree.lastSerial
        router.tree = tree
        router.state = state
        router.stateBytes = state.size
        router.turn = turn
        router.staged = staged
        router.undelivered = undelivered
        router.onEvent = onEvent
        (router.lastEvent, router.edits) = numbers
        router.isPumping = isPumping
        for (generation, random, logged) in scripts {
            generation.lua.randomState = random
            generation.logged = (logged.0, logged.1)
        }
    }
}
