// SPDX-License-Identifier: MIT

internal import LuaVM

/// Checks the capabilities of a bundle when its scripts use them.
extension Router {
    /// Whether the timers and listeners of the scripts are suspended, because the scripts have
    /// repeatedly exceeded their capabilities.
    ///
    /// Scripts are suspended after 10 reported breaches within a minute, until other scripts become
    /// active. Each capability is reported at most once in a second.
    /// See ``Configuration/capabilities``.
    public var isSuspended: Bool {
        checkThread()
        return serving.breaches.areSuspending
    }

    /// Checks the change that a navigation is about to make.
    ///
    /// Scripts decide how a route gets on screen, so routes that the host requests are checked too,
    /// unless the host chooses the action with `via`. Other requests by the host, such as going
    /// back, are not checked. If the host restores a snapshot, only the classes of new screens are
    /// checked.
    func checkCapabilities(
        of difference: Difference,
        _ navigation: Navigation
    ) throws(RouteError) {
        let isByScript = navigation.options.isByScript
        do throws(RouteError) {
            switch navigation.request {
            case .route, .url, .start, .restore: break
            default: if !isByScript { return }
            }
            try checkClasses(of: difference.created)
            if navigation.request.isRestoring {
                // Scripts that may restore snapshots can build any tree from screens of the allowed
                // classes.
                if isByScript { try checkWindows(in: difference) }
                return
            }
            if !isByScript, navigation.options.via != nil { return }
            var isStart = false
            if case .start = navigation.request { isStart = !isByScript }
            try checkOperations(of: difference, isStart: isStart)
            try checkWindows(in: difference)
            let presents = presentCount(in: difference)
            guard presents > 0 else { return }
            try checkRight(to: .present)
            // The presented screens are counted when the change is committed.
            let limit = capabilities.rates.presents
            if let limit, trace == nil,
                !contents.capabilityAccount.covers(.presentRate, presents, limit: limit, at: now)
            {
                let what = "too many presented screens in a second"
                throw generation.breach(.presentRate, what: what, limit: limit)
            }
        } catch {
            throw error.at(navigation.journey.definition?.location)
        }
    }

    /// Counts the screens that a committed change presents.
    func countPresents(in difference: Difference) {
        guard isRestricted, capabilities.rates.presents != nil else { return }
        let count = presentCount(in: difference)
        if count > 0 {
            _ = contents.capabilityAccount.use(.presentRate, count, limit: .max, at: now)
        }
    }

    private func checkClasses(of created: [ScreenID]) throws(RouteError) {
        guard let screens = capabilities.screens else { return }
        for id in created {
            let screen = tree[id]
            let isPlain = screen.kind != .leaf && screen.class == screen.kind.rawValue
            guard !isPlain, !screens.contains(screen.class) else { continue }
            throw generation.breach(.screens, what: "screen '\(screen.class)' is not allowed")
        }
    }

    private func checkOperations(
        of difference: Difference,
        isStart: Bool
    ) throws(RouteError) {
        for operation in difference.operations {
            switch operation {
            case .push: try checkRight(to: .push)
            case .children(let children, _):
                let created = Set(difference.created)
                if children.contains(where: created.contains) { try checkRight(to: .push) }
            case .root, .closeWindow: if !isStart { try checkRight(to: .replaceRoot) }
            case .present, .openWindow, .dismiss, .pop, .select, .update: break
            }
        }
    }

    private func checkWindows(in difference: Difference) throws(RouteError) {
        guard let limit = capabilities.windows, tree.windows.count > limit else { return }
        for case .openWindow in difference.operations {
            throw generation.breach(.windows, what: "too many windows", limit: limit)
        }
    }

    private func checkRight(to change: Capabilities.TreeChange) throws(RouteError) {
        guard !capabilities.tree.contains(change) else { return }
        throw generation.breach(Capability(change), what: "'\(change.rawValue)' is not allowed")
    }

    /// Returns the number of screens that a change presents, including the modals above new roots.
    private func presentCount(in difference: Difference) -> Int {
        var count = 0
        for operation in difference.operations {
            switch operation {
            case .present: count += 1
            case .root(_, let screen), .openWindow(_, let screen):
                var level = screen
                while let modal = tree.screen(level)?.modal {
                    count += 1
                    level = modal
                }
            default: break
            }
        }
        return count
    }

    /// Counts uses of a capability that is limited per second.
    ///
    /// - Throws: `budget` if the limit is exceeded.
    func use(
        _ capability: Capability,
        amount: Int,
        of limit: Int?,
        what: String
    ) throws(RouteError) {
        guard let limit, trace == nil,
            !contents.capabilityAccount.use(capability, amount, limit: limit, at: now)
        else { return }
        throw generation.breach(capability, what: "too many \(what) in a second", limit: limit)
    }

    /// Counts an event that scripts cause.
    ///
    /// If the limit is exceeded, the scripts' next call that has an effect fails.
    func countEvent(of navigation: Navigation?) {
        guard let limit = capabilities.rates.events,
            isRunningScript || navigation?.options.isByScript == true
        else { return }
        // The count may exceed the limit by one, so that the next call detects that the limit was
        // exceeded.
        _ = contents.capabilityAccount.use(.eventRate, 1, limit: limit + 1, at: now)
    }

    /// Checks that scripts may begin another navigation or task.
    ///
    /// The parameter `count` is the number of pending navigations or tasks of scripts.
    func checkPending(_ count: Int, _ what: String) throws(RouteError) {
        guard let limit = capabilities.pending, count >= limit else { return }
        throw generation.breach(.pending, what: "too many \(what)", limit: limit)
    }

    /// Ends the sleeps of suspended scripts, because the timers of these scripts no longer run.
    fileprivate func endSleeps(of generation: Generation) {
        for activity in generation.lease.activities where activity.wait?.isSleep == true {
            guard let wait = activity.wait else { continue }
            lending.calling(for: generation) { give(up: wait, .scriptsSuspended()) }
        }
        pump()
    }
}

extension Generation {
    /// Reports a breach of a capability.
    ///
    /// Each capability is reported at most once in a second for the scripts, and once for the host.
    /// A breach is by a script, and then counts toward a suspension, if a script is running or has
    /// requested the current navigation, or if the capability limits memory or processor time. While
    /// scripts load, a breach rejects the bundle.
    ///
    /// - Parameters:
    ///   - capability: The capability that is missing or exceeded.
    ///   - what: A description of the breach, for the message.
    ///   - limit: The limit that is exceeded; nil if the capability is not a limit.
    /// - Returns: The error to throw.
    func breach(_ capability: Capability, what: String, limit: Int? = nil) -> RouteError {
        let most = limit.map { " (at most \($0))" } ?? ""
        let error = RouteError(
            capability.isLimit ? .budget : .forbidden,
            "\(what)\(most) (capability '\(capability.rawValue)')"
        )
        let isByScript =
            router.isRunningScript || router.currentNavigation?.options.isByScript == true
            || [.memory, .turnTime, .secondTime].contains(capability)
        guard !runtime.isLoading, router.trace == nil,
            state.breaches.isNews(of: capability, isByScript: isByScript, at: router.now)
        else { return error }
        let suspends = isByScript && state.breaches.count(at: router.now)
        router.emit(
            .breach,
            of: router.currentNavigation,
            fields: [
                ("capability", Value(capability.rawValue)), ("code", Value(error.code.rawValue)),
                ("message", Value(error.message)), ("suspended", .boolean(suspends)),
            ]
        )
        if suspends {
            router.timers.removeAll(of: number, .timer)
            listeners = [:]
            // The sleeps are ended by a timer, because a script is still running.
            _ = router.timers.add(at: router.now, .deadline) { [unowned self] in
                router.endSleeps(of: self)
            }
        }
        return error
    }

    /// Reports a breach if an entry was ended by a limit on time or memory that a capability sets.
    ///
    /// - Parameters:
    ///   - limit: The kind of the limit.
    ///   - notes: The notes of the entry's budget, which identify the capability.
    func report(breachOf limit: ScriptError.Kind, _ notes: BudgetNotes) {
        let note: StaticString?
        switch limit {
        case .memory: note = notes.bytes
        case .deadline: note = notes.time
        default: return
        }
        for capability in [Capability.memory, .turnTime, .secondTime]
        where note?.description == capability.note?.description {
            _ = breach(capability, what: "a call into the scripts was ended by its limit")
        }
    }

    /// Throws `forbidden` if the timers and listeners of the scripts are suspended.
    func checkSuspension() throws(RouteError) {
        if state.breaches.areSuspending { throw .scriptsSuspended() }
    }

    /// Checks that a script may add a timer or a sleep.
    func checkTimer(in seconds: Double) throws(RouteError) {
        try checkSuspension()
        if let limit = router.capabilities.timers.count, router.timers.count(of: number) >= limit {
            throw breach(.timerCount, what: "too many timers", limit: limit)
        }
        try checkPeriod(seconds, "timer")
    }

    private func checkPeriod(_ seconds: Double, _ what: String) throws(RouteError) {
        guard let period = router.capabilities.timers.period, seconds < period else { return }
        throw breach(
            .timerPeriod,
            what: "the \(what) is too short (at least \(Value.number(period)) seconds expected)"
        )
    }

    /// Checks that scripts have not exceeded the limit of events per second.
    func checkEvents() throws(RouteError) {
        guard !runtime.isLoading else { return }
        try router.use(.eventRate, amount: 0, of: router.capabilities.rates.events, what: "events")
    }

    /// Checks that a script may begin a navigation, and limits the timeout of the navigation.
    func checkCapabilities(
        of request: Act<ScreenID>,
        _ options: inout NavigationOptions
    ) throws(RouteError) {
        let capabilities = router.capabilities
        let isForced = options.isForced || request.isForced && !request.isRestoring
        if isForced, !capabilities.tree.contains(.force) {
            throw breach(.force, what: "'force' is not allowed")
        }
        if request.isRestoring, !capabilities.tree.contains(.restore) {
            throw breach(.restore, what: "'router.restore' is not allowed")
        }
        if capabilities.pending != nil {
            let pending = router.pending.count { $0.options.isByScript }
            try router.checkPending(pending, "pending navigations")
        }
        try router.use(
            .navigationRate,
            amount: 1,
            of: capabilities.rates.navigations,
            what: "navigations"
        )
        options.timeout = bounded(options.timeout)
    }

    /// Returns the timeout for a wait, limited by the capabilities.
    ///
    /// If the wait declares no timeout, the result is the limit, or nil if there is no limit.
    func bounded(_ timeout: Double?) -> Double? {
        guard let longest = router.capabilities.timeout else { return timeout }
        return timeout.map { min($0, longest) } ?? longest
    }

    /// Throws an error if scripts lack the capability for a declaration: `leaving`, or interceptors
    /// for all routes.
    func checkCapability(_ capability: Capability, isAllowed: Bool) throws(RouteError) {
        if !isAllowed { throw breach(capability, what: "'\(capability.rawValue)' is not allowed") }
    }

    /// Returns the timeout in a table of options, in seconds: infinity for `math.huge`, and nil if
    /// the table contains no timeout.
    ///
    /// - Throws: `badInfo` if the number is not positive; `forbidden` if the timeout is longer or
    ///   shorter than allowed.
    func timeout(in options: InfoTable) throws(RouteError) -> Double? {
        guard let timeout = options["timeout"].double else { return nil }
        guard timeout > 0 else { throw .notATimeout(timeout) }
        declarations.neededTimeout = max(declarations.neededTimeout, timeout)
        if let longest = router.capabilities.timeout, !(timeout <= longest) {
            throw breach(
                .timeout,
                what: "the timeout is too long (at most \(Value.number(longest)) seconds expected)"
            )
        }
        try checkPeriod(timeout, "timeout")
        return timeout
    }
}

extension RouteError {
    static func scriptsSuspended() -> RouteError {
        RouteError(
            .forbidden,
            "the timers and listeners of the scripts are suspended, because the scripts have exceeded their capabilities \(Breaches.limit) times (activate other scripts)"
        )
    }
}
