// SPDX-License-Identifier: MIT

internal import LuaVM
package import RouteURLs

/// Explains, in a dry run, how a navigation would proceed.
extension Router {
    /// Explains how a navigation to a target would proceed, and why.
    ///
    /// All phases of the navigation, up to the placing of its screens, run on a copy of the tree
    /// that is then discarded. Interceptors are not called, but listed as if they let the
    /// navigation proceed. The functions that plan, build and update are called. If these functions
    /// start tasks, navigations or timers, the calls are listed but have no effect: a script that
    /// requests the value of a task receives nil.
    ///
    /// Afterwards, the router is unchanged: its tree, its state, its counters, and the data of its
    /// scripts, including their variables and the next values of `math.random`. The host is called
    /// only for the dependencies that it provides, and no event is reported.
    ///
    /// The time is proportional to the memory of the scripts.
    ///
    /// - Parameters:
    ///   - target: The target.
    ///   - info: The parameters.
    ///   - options: The options.
    /// - Returns: The explanation. It includes the error if the navigation would fail.
    /// - Throws: `script` while a navigation is being planned or is building screens, because there
    ///   is no committed tree then; `budget` if there is not enough memory for a checkpoint of the
    ///   scripts.
    public func explain(
        _ target: Target,
        info: InfoTable = InfoTable(),
        options: NavigationOptions = NavigationOptions()
    ) throws(RouteError) -> Explanation {
        try explain(.route(target, info: info), options)
    }

    /// Explains ``unreadyLeaving(_:options:completion:)`` without performing it.
    ///
    /// - Parameter gate: The name of the gate.
    /// - Returns: The explanation. ``Explanation/leaving`` contains the screens that would be
    ///   removed.
    /// - Throws: `badInfo` for an invalid name; otherwise the same errors as
    ///   ``explain(_:info:options:)``.
    public func explain(unreadyLeaving gate: String) throws(RouteError) -> Explanation {
        try checkGate(gate)
        return try explain(.unready(gate), NavigationOptions(force: true))
    }

    /// Explains the navigation to a URL or to a route string without performing it.
    ///
    /// In addition to the content of ``explain(_:info:options:)``, the explanation contains the
    /// patterns that match the URL, and near misses.
    ///
    /// - Parameters:
    ///   - url: The URL, a bare path, or a route string.
    ///   - options: The options.
    ///   - limit: The maximum number of near misses in the explanation.
    /// - Returns: The explanation.
    /// - Throws: The same errors as ``explain(_:info:options:)``.
    public func explain(
        url: String,
        options: NavigationOptions = NavigationOptions(),
        limit: Int = 5
    ) throws(RouteError) -> Explanation {
        try explain(bytes: ByteString(url), options: options, limit: limit)
    }

    /// Explains the navigation to a URL that may contain any bytes.
    ///
    /// - Parameters:
    ///   - url: The URL, a bare path, or a route string.
    ///   - options: The options.
    ///   - limit: The maximum number of near misses in the explanation.
    ///   - explainers: The value of ``urlExplainers``. A caller that explains many URLs can reuse
    ///     the value. If nil, the function creates it.
    /// - Returns: The explanation.
    /// - Throws: The same errors as ``explain(_:info:options:)``.
    package func explain(
        bytes url: ByteString,
        options: NavigationOptions = NavigationOptions(),
        limit: Int = 5,
        by explainers: (routes: URLExplainer, routings: URLExplainer)? = nil
    ) throws(RouteError) -> Explanation {
        try explain(.url(url), options) { [self] (stage, trace) throws(RouteError) in
            guard let matched = trace.url else { return }
            let (links, routings) = (generation.links, routings)
            let explainers = explainers ?? urlExplainers
            let context = stage.planning
            let scripts = stage.scripts
            if matched != url { trace.explanation.rewritten = matched.limited.displayText }
            let ofRoutes = try explainers.routes.explain(matched, limit: limit) {
                (kind, text) throws(RouteError) in
                try scripts.value(ofKind: kind, text, in: context, lending: &stage)
            }
            trace.explanation.add(ofRoutes, of: links)
            let ofRoutings = try explainers.routings.explain(matched, limit: limit) {
                (kind, text) throws(RouteError) in
                try scripts.value(ofKind: kind, text, in: context, lending: &stage)
            }
            trace.explanation.add(ofRoutings, of: routings)
        }
    }

    /// The explainers for the patterns of routes and of routings.
    package var urlExplainers: (routes: URLExplainer, routings: URLExplainer) {
        (
            URLExplainer(generation.links.table),
            URLExplainer(generation.declarations.routings.table)
        )
    }

    /// Runs the phases of a navigation up to the commit, on a copy of the world.
    func explain(
        _ request: Act<ScreenID>,
        _ options: NavigationOptions,
        match: ((inout Stage, Trace) throws(RouteError) -> Void)? = nil
    ) throws(RouteError) -> Explanation {
        enter()
        switch turn {
        case .planning, .staging: throw .explainedWhilePlanning()
        case .idle, .applying: break
        }
        var world = world
        // The copy must contain the change that the host is applying.
        if world.tree.hasDraft { world.tree.closeDraft(world.tree.draftDifference()) }
        // The explanation is repeated each time a step has learned another class of existing
        // screens, or a deep link leaves another dialog.
        var dialogs: [ScreenID] = []
        while true {
            world.tree.lastSerial = Trace.firstSerial
            let (explanation, outdated) = try undoing(generations[...]) {
                explain(request, options, leaving: dialogs, in: world, match: match)
            }
            guard let outdated,
                outdated.dialogs.count > dialogs.count
                    || outdated.dialogs.isEmpty
            else { return explanation }
            (world.learnedClasses, dialogs) = outdated
        }
    }

    /// Calls the given closure, and undoes all changes that it makes in scripts.
    ///
    /// - Throws: `budget` if there is not enough memory; the closure is then not called.
    private func undoing<Result>(
        _ generations: ArraySlice<Generation>,
        _ body: () -> Result
    ) throws(RouteError) -> Result {
        guard let generation = generations.first else { return body() }
        return try generation.runtime.undoing { () throws(RouteError) in
            try undoing(generations.dropFirst(), body)
        }
    }

    /// Explains a navigation.
    ///
    /// - Returns: The explanation and, if the navigation must be planned again, the classes that
    ///   steps have learned and the dialogs to leave. The next plan must use both.
    // Not inlined, because an app would contain it twice.
    @inline(never)
    private func explain(
        _ request: Act<ScreenID>,
        _ options: NavigationOptions,
        leaving dialogs: [ScreenID],
        in world: World,
        match: ((inout Stage, Trace) throws(RouteError) -> Void)?
    ) -> (Explanation, (learned: LearnedClasses, dialogs: [ScreenID])?) {
        lending.calling(for: generationForNew) {
            var request = request
            let isTooDeep = request.isTooDeep
            if isTooDeep { request.dropTables() }
            let navigation = Navigation(
                id: Trace.firstNumber,
                request: request,
                options: options,
                parent: currentNavigation,
                chain: chain + 1,
                location: nil,
                generation: generation,
                completion: nil
            )
            navigation.journey.waitsForTree =
                navigation.origin != .script || currentActivity?.followsLink == true
            let trace = Trace(
                Explanation(navigation.journey, in: tree.windowName(of: navigation.options)),
                living: generation.dependencies.living
            )
            var world = world
            return withUnsafeMutablePointer(to: &world) { copy in
                var stage = Stage(
                    world: copy,
                    journey: navigation.journeyStorage,
                    handle: navigation,
                    scripts: generation,
                    declarations: generation.declarations,
                    surroundings: self,
                    isHeard: true,
                    trace: trace
                )
                trace.explanation.windows = stage.windowTrees
                var isOutdated = false
                do throws(RouteError) {
                    if isTooDeep { throw .tooDeep() }
                    let matched = Result { () throws(RouteError) in try stage.matchURL() }
                    try match?(&stage, trace)
                    try matched.get()
                    trace.explanation.target = stage.journey.target
                    stage.journey.dialogs = dialogs
                    trace.phase = .queue
                    try lending.lending(&stage, in: stage.planning) { () throws(RouteError) in
                        try explainTurn(of: navigation, trace)
                    }
                    isOutdated = try !stage.explain(trace)
                } catch {
                    trace.fails(error)
                }
                trace.explanation.info = stage.journey.info
                self.world.takeNumbers(of: stage.world)
                trace.notesDependencies(of: navigation, generation)
                navigation.status = .cancelled(.wasExplained())
                navigation.record.dependencies = [:]
                navigation.generation = nil
                trace.explanation.hidePrivate(by: generation.declarations.classes)
                let learned = (stage.world.learnedClasses, stage.journey.dialogs)
                return (trace.explanation, isOutdated ? learned : nil)
            }
        }
    }

    /// Records how other pending navigations affect the navigation.
    private func explainTurn(
        of navigation: Navigation,
        _ trace: Trace
    ) throws(RouteError) {
        let answer = precedence(of: navigation)
        guard let turn = Explanation.Turn(answer, titles) else { return }
        trace.explanation.turn = turn
        if case .busy(let number) = answer, let other = pending([number]).first {
            throw .busy(with: other)
        }
    }
}
