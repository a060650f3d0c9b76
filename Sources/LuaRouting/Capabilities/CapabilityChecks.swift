// SPDX-License-Identifier: MIT

internal import LuaVM

/// Enforcing the rights of a bundle as its scripts use them.
extension Router {
    /// Whether scripts have repeatedly exceeded their rights, so that their timers and listeners are
    /// suspended until other scripts are loaded.
    ///
    /// This happens after 10 breaches within a minute. See ``Configuration/capabilities``.
    public var isSuspended: Bool { serving.breaches.areSuspending }

    /// Checks the change that a navigation is about to make.
    ///
    /// Scripts choose how a route gets on screen, so routes that the host asks for are checked too;
    /// other requests of the host, such as going back, are its own.
    func checkCapabilities(
        of difference: Difference,
        _ navigation: Navigation
    ) throws(RouteError) {
        guard isRestricted else { return }
        let isHost = navigation.place == nil
        var isStart = false
        var isRestoring = false
        switch navigation.request {
        case .route, .url: break
        case .start: isStart = isHost
        case .restore:
            if isHost { return }
            isRestoring = true
        default: if isHost { return }
        }
        if let screens = capabilities.screens {
            for id in difference.created {
                let name = tree[id].class
                guard !screens.contains(name), Screen.Kind(rawValue: name) == nil else { continue }
                throw generation.breach(.screens, "screen '\(name)' is not allowed")
            }
        }
        var presents = 0
        for operation in difference.operations {
            switch operation {
            case .push: try checkRight(to: .push, isRestoring)
            case .children(let children, _):
                let created = Set(difference.created)
                if children.contains(where: created.contains) {
                    try checkRight(to: .push, isRestoring)
                }
            case .present: presents += 1
            case .root(_, let screen):
                if !isStart { try checkRight(to: .replaceRoot, isRestoring) }
                presents += modalCount(over: screen)
            case .openWindow(_, let screen):
                if let limit = capabilities.windows, tree.windows.count > limit {
                    throw generation.breach(.windows, "more than \(limit) windows")
                }
                presents += modalCount(over: screen)
            case .dismiss, .pop, .select, .update, .closeWindow: break
            }
        }
        guard presents > 0 else { return }
        try checkRight(to: .present, isRestoring)
        try use(.presentRate, presents, of: capabilities.rates.presents, "screens presented")
    }

    private func checkRight(
        to change: Capabilities.TreeChange,
        _ isRestoring: Bool
    ) throws(RouteError) {
        guard !isRestoring, !capabilities.tree.contains(change) else { return }
        throw generation.breach(Capability(change), "'\(change.rawValue)' is not allowed")
    }

    private func modalCount(over root: ScreenID) -> Int {
        var count = 0
        var level = root
        while let modal = tree[level].modal {
            count += 1
            level = modal
        }
        return count
    }

    /// Counts uses of what scripts may use so often in a second.
    ///
    /// - Throws: `budget` if that is more than the limit.
    func use(
        _ capability: Capability,
        _ amount: Int,
        of limit: Int?,
        _ what: String
    ) throws(RouteError) {
        guard let limit, explaining == nil,
            !capabilityAccount.use(capability, amount, limit: limit, at: now)
        else { return }
        throw generation.breach(capability, "more than \(limit) \(what) in a second")
    }

    /// Counts an event that scripts cause; the next call by a script notices it.
    func countEvent(of navigation: Navigation?) {
        guard let limit = capabilities.rates.events, explaining == nil,
            isRunningScript || navigation?.place != nil
        else { return }
        // One more than the limit is counted, so that the next call sees it.
        _ = capabilityAccount.use(.eventRate, 1, limit: limit + 1, at: now)
    }

    /// The largest number of navigations, or of tasks, that may be pending.
    func checkPending(_ count: Int, _ what: String) throws(RouteError) {
        guard let limit = capabilities.pending, count >= limit else { return }
        throw generation.breach(.pending, "more than \(limit) \(what)")
    }
}

extension Generation {
    /// Reports a breach of a capability.
    ///
    /// While scripts load, they are refused as a whole, so nothing is reported.
    ///
    /// - Returns: The error to throw.
    func breach(_ capability: Capability, _ message: String) -> RouteError {
        let error = RouteError(
            capability.isLimit ? .budget : .forbidden,
            "\(message) (capability '\(capability.rawValue)')"
        )
        guard !isLoading, router.explaining == nil else { return error }
        let suspends = breaches.count(at: router.now)
        router.emit(
            .breach,
            router.currentNavigation,
            [
                ("capability", Value(capability.rawValue)), ("code", Value(error.code.rawValue)),
                ("message", Value(error.message)), ("suspended", .boolean(suspends)),
            ]
        )
        if suspends {
            router.timers.removeAll(of: number, .timer)
            listeners = [:]
        }
        return error
    }

    /// Counts an entry that a capability's limit of time or memory has ended.
    ///
    /// - Parameter notes: The notes of the entry's budget.
    func countBreach(of notes: BudgetNotes) {
        let note: StaticString?
        switch lua.takeBreach() {
        case .memory: note = notes.bytes
        case .deadline: note = notes.time
        default: return
        }
        for capability in [Capability.memory, .turnTime, .secondTime]
        where note?.description == capability.note?.description {
            _ = breach(capability, "an entry was ended")
        }
    }

    /// Throws `forbidden` if the timers and listeners of the scripts are suspended.
    func checkSuspension() throws(RouteError) {
        if breaches.areSuspending { throw .scriptsSuspended() }
    }

    /// Checks a timer or a sleep that a script asks for.
    func checkTimer(in seconds: Double) throws(RouteError) {
        try checkSuspension()
        let limits = router.capabilities.timers
        if let limit = limits.count, router.timers.timerCount >= limit {
            throw breach(.timerCount, "more than \(limit) timers")
        }
        if let period = limits.period, seconds < period {
            throw breach(.timerPeriod, "at least \(Value.number(period)) seconds expected")
        }
    }

    /// Checks whether scripts have caused as many events as they may.
    func checkEvents() throws(RouteError) {
        try router.use(.eventRate, 0, of: router.capabilities.rates.events, "events")
    }

    /// Checks a navigation that a script asks for.
    func checkCapabilities(
        of request: borrowing Navigation.Request,
        _ options: borrowing NavigationOptions
    ) throws(RouteError) {
        let capabilities = router.capabilities
        if options.isForced, !capabilities.tree.contains(.force) {
            throw breach(.force, "'force' is not allowed")
        }
        if request.isRestoring, !capabilities.tree.contains(.restore) {
            throw breach(.restore, "'router.restore' is not allowed")
        }
        try router.checkPending(router.pendingCount, "pending navigations")
        try router.use(.navigationRate, 1, of: capabilities.rates.navigations, "navigations")
    }

    /// Checks that scripts may declare what keeps screens open, or what every route asks.
    func checkCapability(_ capability: Capability, isAllowed: Bool) throws(RouteError) {
        if !isAllowed { throw breach(capability, "'\(capability.rawValue)' is not allowed") }
    }

    /// The timeout that a table of options has, in seconds; nil if it has none.
    func timeout(in options: Table) throws(RouteError) -> Double? {
        guard let timeout = options["timeout"].double else { return nil }
        if let longest = router.capabilities.timeout, !(timeout <= longest) {
            throw breach(.timeout, "a timeout of at most \(Value.number(longest)) seconds expected")
        }
        return timeout
    }
}

extension RouteError {
    static func scriptsSuspended() -> RouteError {
        RouteError(
            .forbidden,
            "timers and listeners are suspended after \(Breaches.limit) breaches of capabilities"
        )
    }
}
