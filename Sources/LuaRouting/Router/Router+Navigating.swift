// SPDX-License-Identifier: MIT

extension Router {
    // MARK: The verbs of the host

    /// Navigates to the screen of a target.
    ///
    /// Unless the navigation ends `done`, the tree is unchanged. A navigation that begins before
    /// the first tree exists waits for that tree.
    ///
    /// If a navigation without a completion handler fails, the failure is logged: an event `log` of
    /// the level `warn` contains the code, the target and the message. The same applies to every
    /// other verb.
    ///
    /// - Parameters:
    ///   - target: The target.
    ///   - info: The parameters.
    ///   - options: The options.
    ///   - completion: Called once, when the navigation has ended.
    /// - Returns: The navigation. Its `status` contains the outcome, or what the navigation is
    ///   waiting for.
    @discardableResult
    public func navigate(
        _ target: Target,
        info: InfoTable = InfoTable(),
        options: NavigationOptions = NavigationOptions(),
        completion: ((Navigation) -> Void)? = nil
    ) -> Navigation {
        begin(.route(target, info: info), options, completion: completion)
    }

    /// Builds the first tree, as declared with `router.start`.
    ///
    /// The tree of the main window is replaced. If this navigation fails while there are no
    /// screens, the navigation is repeated with the next scripts that become active by a reload or
    /// a rollback.
    @discardableResult
    public func start(
        _ info: InfoTable = InfoTable(),
        completion: ((Navigation) -> Void)? = nil
    ) -> Navigation {
        begin(.start(info: info), NavigationOptions(), completion: completion)
    }

    /// Performs an act in the same way as the verb of the same name.
    ///
    /// - Throws: `badInfo` if the name of a gate is invalid.
    package func perform(
        _ act: Act<ScreenID>,
        _ options: NavigationOptions
    ) throws(RouteError) -> Navigation {
        switch act {
        case .route(let target, let info): navigate(target, info: info, options: options)
        case .unready(let gate): try unreadyLeaving(gate, options: options)
        case .openWindow(let name, _), .closeWindow(let name): begin(act, options.inWindow(name))
        default: begin(act, options)
        }
    }

    // MARK: From beginning to end

    /// Starts a navigation, which runs immediately unless a turn is running.
    func begin(
        _ request: Act<ScreenID>,
        _ options: consuming NavigationOptions,
        at location: RouteError.Location? = nil,
        isCancelled: Bool = false,
        completion: ((Navigation) -> Void)? = nil
    ) -> Navigation {
        enter()
        world.lastNavigation += 1
        var request = request
        let isTooDeep = request.isTooDeep
        if isTooDeep { request.dropTables() }
        // A forced request removes screens without calling `leaving`.
        if request.isForced { options.isForced = true }
        if !options.namesWindow { options.window = windowName(for: request, from: options.from) }
        let generation = generationForNew
        let navigation = Navigation(
            id: world.lastNavigation,
            request: request,
            options: options,
            parent: currentNavigation,
            chain: chain + 1,
            location: location,
            generation: generation,
            completion: completion
        )
        queue.pendingCount += 1
        if let currentActivity { navigation.record.starter = currentActivity }
        navigation.journey.waitsForTree =
            navigation.origin != .script || currentActivity?.followsLink == true
        lending.calling(for: generation) {
            begin(navigation, isTooDeep: isTooDeep, isCancelled: isCancelled)
        }
        return navigation
    }

    private func begin(_ navigation: Navigation, isTooDeep: Bool, isCancelled: Bool) {
        let mismatch =
            isCancelled || isTooDeep || queue.isShutDown
            ? nil : navigation.opensURL ? matchURL(of: navigation) : checkResult(of: navigation)
        emit(
            .navigate,
            of: navigation,
            at: navigation.location,
            recording: recordBeginning(of: navigation),
            fields: opening(of: navigation)
        )
        if let parent = currentNavigation, parent.isPending {
            parent.record.children.append(navigation)
        }
        guard !isCancelled, !isTooDeep, !queue.isShutDown else {
            let isEnded = queue.isShutDown
            if isEnded {
                logEnded(
                    "navigation to '\(navigation.title)'",
                    isAwaited: navigation.isAwaited || isCancelled
                )
            }
            end(
                navigation,
                isEnded
                    ? .cancelled(.routerHasEnded())
                    : isCancelled ? .cancelled(.cancelledByCaller()) : .failed(.tooDeep())
            )
            pump()
            return
        }
        if let mismatch {
            end(navigation, .failed(mismatch))
            pump()
            return
        }
        do throws(RouteError) {
            if let error = navigation.nestingError { throw logged(error, of: navigation) }
            if navigation.isRoute { try checkRoom() }
            // Scripts use 'math.huge' to wait without a limit.
            if let timeout = navigation.record.timeout, !Self.isTime(timeout),
                timeout.isNaN || navigation.origin != .script
            {
                throw .notATime("timeout", timeout)
            }
        } catch {
            end(navigation, .failed(error))
            pump()
            return
        }
        switch precedence(of: navigation) {
        case .runs, .waits, .waitsForQuestion, .waitsForDialog, .leavesDialog: break
        case .joins(let leader): return pending([leader]).forEach { join(navigation, to: $0) }
        case .supersedes(let others):
            for other in pending(others) { cancel(other, .superseded(by: navigation)) }
        case .busy(let other):
            for other in pending([other]) { end(navigation, .failed(.busy(with: other))) }
            pump()
            return
        }
        startTimeout(of: navigation)
        if case .staging(let current) = turn {
            current.record.deferred.append(navigation)
            wait(navigation, for: "turn", .wait)
            return
        }
        queue.ready.append(navigation)
        var isWaiting = !mayRun(navigation)
        if queue.isApplying { isWaiting = true }
        if isWaiting { wait(navigation, for: "turn", .wait) }
        pump()
    }

    /// Runs the ready work and calls completions, until no work is left or a turn is active.
    func pump() {
        guard !queue.isPumping else { return }
        queue.isPumping = true
        defer { queue.isPumping = false }
        // This work does not depend on the caller. It runs for the active generation, or for a
        // generation that the work itself specifies.
        lending.calling(for: nil as Generation?) {
            cancelAllIfDue()
            work()
        }
    }

    private func work() {
        while isIdle {
            if queue.mustCancelAll, !isRunningScript {
                cancelAllIfDue()
            } else if queue.mustResynchronize, queue.endings.isEmpty || !mayBeginWork {
                queue.mustResynchronize = false
                resynchronize()
            } else if !queue.reports.isEmpty {
                applyReports()
            } else if !world.changed.isEmpty, !isRunningScript || !queue.ready.isEmpty {
                showChangedFields()
            } else if !mayBeginWork, hasWork {
                if queue.nesting == 0 { _ = reportDropped() }
                postponeWork()
                return
            } else if !queue.undelivered.isEmpty {
                deliverNext()
            } else if !queue.endings.isEmpty {
                // Work that the completion starts runs before the completion returns, so that a
                // script can read the outcome immediately.
                outsidePump { deliver(queue.endings.removeFirst()) }
            } else if !queue.unawaited.isEmpty, !isRunningScript {
                queue.unawaited.removeFirst()(self)
            } else if let next = takeReady() {
                lending.calling(for: next.generation ?? serving) { run(next) }
            } else if let link = takeLinkToFollow() {
                follow(link)
            } else if queue.reload != nil, queue.nesting == 0, !isRunningScript {
                makeReload()
            } else if hasEndedTrial, queue.nesting == 0, !isRunningScript {
                completeTrial()
            } else if queue.nesting == 0, !isRunningScript, mayBeginWork, mustReportGuards {
                world.revision += 1
                showOutsideNavigation([])
            } else {
                if queue.nesting == 0 {
                    if reportDropped() { continue }
                    queue.deliveries = 0
                    releaseScreens()
                    if !retired.isEmpty { closeRetired() }
                    // Completions of cancelled work are called before the router is idle.
                    if !queue.endings.isEmpty { continue }
                }
                return
            }
        }
    }

    /// Throws `budget` if there are too many pending navigations, or if the scripts exceed their
    /// memory limit.
    private func checkRoom() throws(RouteError) {
        guard queue.pendingCount <= Self.pendingLimit else {
            throw .tooManyPending("pending navigations", Self.pendingLimit)
        }
        try checkMemory()
    }

    /// Whether there may be work that calls scripts.
    private var hasWork: Bool {
        !(queue.undelivered.isEmpty && queue.endings.isEmpty && queue.ready.isEmpty
            && queuedLinks.isEmpty)
    }

    /// Runs the phases of a navigation until it has ended or waits.
    private func run(_ navigation: Navigation) {
        guard navigation.isPending else { return }
        if !queue.active.contains(where: { $0 === navigation }) {
            queue.active.append(navigation)
        }
        if case .pending(_?) = navigation.status { navigation.status = .pending(waitingFor: nil) }
        do throws(RouteError) {
            guard navigation.chain <= Self.chainLimit else { throw .endlessChain() }
            while navigation.isPending, try advance(navigation) {
                // The host may still be applying a change that an interceptor started.
                guard isIdle else {
                    // The navigation continues after all navigations that it began, and before all
                    // others.
                    let last = queue.ready.lastIndex { $0.isBelow(navigation) }
                    queue.ready.insert(navigation, at: last.map { $0 + 1 } ?? 0)
                    return
                }
            }
        } catch {
            end(navigation, .failed(error))
        }
    }

    /// Runs the phases of a navigation until it needs an answer, and requests that answer.
    ///
    /// - Returns: Whether the navigation can continue immediately.
    private func advance(_ navigation: Navigation) throws(RouteError) -> Bool {
        if queue.mustCancelAll { return false }
        let verdict: Stage.Verdict
        do throws(RouteError) {
            verdict = try onStage(of: navigation) { (stage) throws(RouteError) in
                try stage.advance()
            }
        } catch {
            cancelDeferred(of: navigation)
            throw error
        }
        if case .commits(let difference) = verdict {
            // The host may have shut down the router, or ended the navigation, in `prepare`.
            guard navigation.isPending, !queue.mustCancelAll else {
                queue.prepared = difference.created
                undo(navigation)
                return false
            }
            commit(navigation, difference)
            return false
        }
        if !navigation.record.deferred.isEmpty { cancelDeferred(of: navigation) }
        switch verdict {
        case .next, .plansAgain: return true
        case .commits: return false
        case .asks(let interception): return try ask(interception, navigation)
        case .waits(let gate):
            wait(navigation, at: gate)
            return false
        case .waitsFor(let number):
            for other in pending([number]) { hold(navigation, until: other, "dialog") }
            return false
        case .asksForNextMatch(let location):
            try onStage(of: navigation) { (stage) throws(RouteError) in
                try stage.followNextMatch(at: location)
            }
            return true
        case .stays(let reason):
            end(navigation, .stayed(reason))
            return false
        }
    }

    /// Calls the given closure with the stage of a navigation.
    @inline(__always)
    func onStage<Result, Failure: Error>(
        of navigation: Navigation,
        _ body: (inout Stage) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let scripts = navigation.generation else {
            preconditionFailure("a pending navigation has no scripts")
        }
        var stage = Stage(
            world: lending.world,
            journey: navigation.journeyStorage,
            handle: navigation,
            scripts: scripts,
            declarations: scripts.declarations,
            surroundings: self,
            isHeard: observers.isHeard
        )
        defer {
            withExtendedLifetime(scripts) {}
            if !stage.changedScreens.isEmpty { world.staged = stage.changedScreens }
            if !stage.released.isEmpty { world.toRelease += stage.released }
        }
        return try body(&stage)
    }

    /// Cancels the navigations that scripts began on a stage that was rolled back.
    func cancelDeferred(of navigation: Navigation) {
        let deferred = navigation.record.deferred
        navigation.record.deferred = []
        for child in deferred { cancel(child, .dropped(by: navigation)) }
    }

    /// Finds the route for the URL, or for the route string, of a navigation.
    ///
    /// - Returns: The error if there is no route; nil if there is one or if the navigation has no
    ///   URL.
    func matchURL(of navigation: Navigation) -> RouteError? {
        guard navigation.opensURL else { return nil }
        do throws(RouteError) {
            try onStage(of: navigation) { (stage) throws(RouteError) in try stage.matchURL() }
            return nil
        } catch {
            return error
        }
    }

    /// The maximum length of a chain of navigations in which each navigation was begun, by a script
    /// or in the host's `show`, as a consequence of the previous navigation.
    static let chainLimit = 100

    /// Calls the given closure.
    ///
    /// Work that the closure begins runs within the closure.
    ///
    /// In deeply nested callbacks, the work runs afterwards, to limit the depth of the call stack.
    func outsidePump(_ body: () -> Void) {
        let wasPumping = queue.isPumping
        queue.nesting += 1
        queue.isPumping = queue.nesting > 8
        body()
        queue.nesting -= 1
        queue.isPumping = wasPumping
    }

    func wait(_ navigation: Navigation, for what: String, _ kind: Event.Kind) {
        navigation.status = .pending(waitingFor: what)
        emit(kind, of: navigation, fields: [("name", Value(what))])
    }

    private func opening(of navigation: Navigation) -> [(name: String, value: Value)] {
        var fields: [(name: String, value: Value)] = []
        fields.reserveCapacity(8)
        let journey = navigation.journey
        if let url = journey.handled?.text ?? journey.opened?.text ?? navigation.unmatchedURL {
            let isPrivate = classes.hasPrivate(in: journey.opened?.match.parameters ?? journey.info)
            let pattern = journey.opened?.link.pattern
            fields.append(
                (
                    url.isRouteString ? "route" : "url",
                    isPrivate
                        ? pattern.map { Value($0) } ?? ScreenClasses.hidden
                        : .string(url.limited)
                )
            )
            if let rewritten = journey.opened?.rewritten, rewritten != url, !isPrivate {
                fields.append(("rewritten", .string(rewritten.limited)))
            }
        }
        switch navigation.request {
        case .url: break
        case .route(let target, _):
            fields.append(("service", Value(target.service)))
            fields.append(("task", Value(target.task)))
            if let location = (try? generation.declarations.state.routes.find(target))?.location {
                fields.append(("defined", Value(location.description)))
            }
        default:
            fields.append(("verb", Value(navigation.title)))
        }
        fields.append(("origin", Value(navigation.origin.rawValue)))
        if !navigation.options.isByScript { fields += request(of: navigation) }
        return fields
    }
}
