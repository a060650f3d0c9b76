// SPDX-License-Identifier: MIT

internal import LuaVM

/// Activates other scripts while the app is running.
extension Router {
    /// Replaces the active scripts with a bundle, if the bundle loads and is consistent.
    ///
    /// Unless the reload ends `accepted`, the active scripts stay active and nothing has changed.
    /// Pending work continues with the scripts that began it; new work uses the new scripts. The
    /// screens, ``state`` and the open gates are kept. Queued deep links are matched again. If
    /// `router.start` has failed and there are no screens, it is called again with the same
    /// parameters. The reload is pending until the current turn of the router has ended, and while
    /// the ``Configuration/canary`` is running. Only the newest of several pending reloads is
    /// carried out.
    ///
    /// - Parameters:
    ///   - bundle: The scripts. To load the same files again, see ``ScriptBundle/reread()``.
    ///   - completion: Called once, when the reload has ended.
    /// - Returns: The reload. Its `status` contains the outcome.
    @discardableResult
    public func reload(_ bundle: ScriptBundle, completion: ((Reload) -> Void)? = nil) -> Reload {
        enter()
        return attempt(Reload(bundle, completion: completion))
    }

    /// Activates a bundle, even if the active bundle has the same bytes.
    @discardableResult
    package func reload(evenIfSame bundle: ScriptBundle) -> Reload {
        enter()
        return attempt(Reload(bundle, isForced: true, completion: nil))
    }

    /// Activates a bundle after a canary, which runs on the router's thread before this call
    /// returns.
    ///
    /// - Parameters:
    ///   - canary: The canary to run instead of the canary of the configuration.
    ///   - bundle: The scripts.
    /// - Returns: The reload.
    package func reload(
        testedBy canary: @escaping (ScriptBundle) throws(RouteError) -> Void,
        _ bundle: ScriptBundle
    ) -> Reload {
        enter()
        let immediate = { (bundle: ScriptBundle) -> Result<Void, RouteError> in
            do throws(RouteError) {
                return .success(try canary(bundle))
            } catch {
                return .failure(error)
            }
        }
        return attempt(Reload(bundle, immediateCanary: immediate, completion: nil))
    }

    /// Reports an unreadable bundle as rejected, like any other rejection.
    ///
    /// - Returns: The rejection, with the reason of the error.
    @discardableResult
    package func reject(unreadable error: BundleError) -> Reload.Rejection {
        enter()
        let rejection = Reload.Rejection(
            reason: Reload.Rejection.Reason(error),
            findings: RouteError(.script, error.message, cause: error).findings
        )
        emit(rejection)
        pump()
        return rejection
    }

    /// The levels of the Lua API that this version supports.
    ///
    /// Scripts name their level with `router.api`.
    public static let apiLevels = 1...1

    /// The API level that the active scripts need; 1 if they do not call `router.api`.
    public var apiLevel: Int {
        checkThread()
        return serving.apiLevel
    }

    /// Whether the active scripts declare their API level.
    package var namesLevel: Bool { serving.namedLevel != nil }

    /// The bundle of the active scripts.
    public var bundle: ScriptBundle {
        checkThread()
        return serving.bundle
    }

    /// Rolls back to the bundle that was active before, and pins the router to it until
    /// ``unpin()``.
    ///
    /// - Returns: The reload; nil if no other bundle has been active, or if the router has already
    ///   rolled back to the last three bundles.
    @discardableResult
    public func rollback(completion: ((Reload) -> Void)? = nil) -> Reload? {
        enter()
        guard let bundle = contents.history.last else { return nil }
        return attempt(Reload(bundle, isRollback: true, completion: completion))
    }

    /// Allows reloads again after ``rollback(completion:)``.
    ///
    /// - Returns: The reload of the latest bundle that was offered in the meantime; nil if no
    ///   bundle was offered.
    @discardableResult
    public func unpin() -> Reload? {
        enter()
        contents.isPinned = false
        guard let bundle = contents.offered else { return nil }
        contents.offered = nil
        return attempt(Reload(bundle, completion: nil))
    }

    /// Begins a reload for a caller whose Swift task may already be cancelled.
    func begin(_ reload: Reload, isCancelled: Bool) {
        enter()
        guard isCancelled else {
            _ = attempt(reload)
            return
        }
        end(reload, .cancelled)
        pump()
    }

    /// Cancels a reload that waits for the end of a turn, or whose canary is running.
    ///
    /// - Returns: Whether the reload was pending.
    @discardableResult
    public func cancel(_ reload: Reload) -> Bool {
        enter()
        if queue.reload === reload {
            queue.reload = nil
        } else {
            guard queue.trial?.reload === reload else { return false }
            _ = takeTrial()
        }
        end(reload, .cancelled)
        pump()
        return true
    }

    private func attempt(_ reload: Reload) -> Reload {
        if queue.isShutDown {
            end(reload, .cancelled)
            pump()
            return reload
        }
        let older = queue.reload ?? queue.trial?.reload
        if let older, older.isRollback, !reload.isRollback {
            contents.offered = reload.bundle
            end(
                reload,
                .rejected(Reload.Rejection(reason: .pinned, findings: RouteError.pinned().findings))
            )
            pump()
            return reload
        }
        let path = reload.bundle.root.map { "\($0)/\(reload.bundle.entry)" }
        emitCall(.reload(path: path))
        queue.reload = reload
        _ = takeTrial()
        if let older { end(older, .superseded) }
        pump()
        return reload
    }

    /// Carries out the reload that waited for the end of a turn.
    func makeReload() {
        guard let reload = queue.reload else { return }
        queue.reload = nil
        let start = pacemaker?.time()
        guard reload.immediateCanary == nil, let canary = configuration.canary else {
            complete(reload, start: start)
            return
        }
        let before = world.shared
        defer { world.shared = before }
        do throws(Refusal) {
            drop(try build(reload, migrates: false))
            beginTrial(of: reload, canary, start: start)
        } catch {
            end(reload, by: error)
        }
    }

    /// Completes the reload whose canary has ended.
    func completeTrial() {
        guard let trial = queue.trial, let outcome = trial.outcome else { return }
        queue.trial = nil
        do {
            try outcome.get()
            complete(trial.reload, start: trial.start)
        } catch {
            end(trial.reload, by: Refusal(.canary, RouteError.canaryFailed(error).findings))
        }
    }

    /// Loads the scripts of a reload, and activates them.
    private func complete(_ reload: Reload, start: Double?) {
        let before = world.shared
        do throws(Refusal) {
            let (old, new) = (serving, try build(reload, migrates: true))
            let milliseconds = start.flatMap { start in
                pacemaker.map { ($0.time() - start) * 1_000 }
            }
            let differences = new.routeDifferences(from: old)
            let commitTime = ContinuousClock().measure {
                commit(new, isRollback: reload.isRollback)
            }
            let acceptance = Reload.Acceptance(
                generation: new.number,
                digest: reload.bundle.digest,
                milliseconds: milliseconds ?? 0,
                commitTime: commitTime,
                added: differences.added,
                changed: differences.changed,
                removed: differences.removed
            )
            lending.calling(for: new) {
                emit(acceptance)
                activate(new, after: old.number)
                rematchLinks()
                removeVanished(by: new)
                if hasFailedToStart, let failed = contents.failedStart {
                    _ = begin(.start(info: failed.info), NavigationOptions())
                }
                logMissingFirstTree(of: new, after: old)
            }
            end(reload, .accepted(acceptance))
            if old.lease.isOverdue { supersede(old) }
        } catch {
            world.shared = before
            end(reload, by: error)
        }
    }

    /// Logs a warning if new scripts do not declare a first tree, which the old scripts declared.
    ///
    /// A host that adopts its windows needs no first tree, so such scripts are accepted.
    private func logMissingFirstTree(of new: Generation, after old: Generation) {
        guard let location = old.declarations.firstTree?.location,
            new.declarations.firstTree == nil
        else { return }
        log(
            "warn",
            "the new scripts declare no first tree, which the old scripts declare at \(location), so the next start of the app would fail (declare it with 'router.start')"
        )
    }

    private func end(_ reload: Reload, by refusal: Refusal) {
        switch refusal {
        case .unchanged: end(reload, .unchanged)
        case .rejected(let rejection):
            emit(rejection)
            end(reload, .rejected(rejection))
        }
    }

    /// The reason why the scripts are not activated.
    private enum Refusal: Error {
        case unchanged
        case rejected(Reload.Rejection)

        init(_ reason: Reload.Rejection.Reason, _ findings: [Finding]) {
            self = .rejected(Reload.Rejection(reason: reason, findings: findings))
        }
    }

    /// Creates a generation from a bundle, and checks the generation.
    private func build(_ reload: Reload, migrates: Bool) throws(Refusal) -> Generation {
        let bundle = reload.bundle
        guard !contents.isPinned || reload.isRollback else {
            contents.offered = bundle
            throw Refusal(.pinned, RouteError.pinned().findings)
        }
        if !reload.isRollback, !reload.isForced, bundle.isSame(as: serving.bundle) {
            throw .unchanged
        }
        let generation: Generation
        do throws(RouteError) {
            generation = try Generation(number: serving.number + 1, bundle: bundle, router: self)
        } catch {
            throw Refusal(error.code == .budget ? .budget : .script, error.findings)
        }
        do throws(Refusal) {
            try lending.calling(for: generation) { () throws(Refusal) in
                try test(generation)
                if case .failure(let error) = reload.immediateCanary?(bundle) {
                    throw Refusal(.canary, error.findings)
                }
                if migrates { try migrate(generation) }
            }
        } catch {
            drop(generation)
            throw error
        }
        return generation
    }

    /// Releases a generation that did not become active.
    private func drop(_ generation: Generation) {
        timers.removeAll(of: generation.number)
        letGo(of: generation)
    }

    private func test(_ generation: Generation) throws(Refusal) {
        do throws(RouteError) {
            try generation.load()
        } catch {
            throw Refusal(Reload.Rejection.Reason(error, generation), error.findings)
        }
        guard generation.isComplete || !contents.mustBeComplete else {
            throw Refusal(.check, RouteError.incomplete(generation.bundle.entry).findings)
        }
    }

    private func migrate(_ generation: Generation) throws(Refusal) {
        do throws(RouteError) {
            try migrateState(generation)
        } catch {
            throw Refusal(.migrate, error.findings)
        }
    }

    /// Calls the function with which the scripts migrate the state.
    private func migrateState(_ generation: Generation) throws(RouteError) {
        guard let migration = generation.migration else { return }
        let result = try withoutEffects { () throws(RouteError) in
            try generation.migrate(state, by: migration.function)
        }
        guard case .table(let table) = result, table.list.isEmpty else {
            throw RouteError.migrationGave(result.scriptKind).at(migration.location)
        }
        for (key, value) in table.entries {
            guard case .string(let string) = key, let name = string.text, Name.isValid(name) else {
                throw RouteError.notAName(key.pathComponent).at(migration.location)
            }
            guard !value.isTooDeep else { throw RouteError.tooDeep().at(migration.location) }
            if let path = value.pathToReference {
                throw RouteError.stateHoldsReference(name, path: path).at(migration.location)
            }
        }
        guard table.size <= World.stateLimit else {
            throw RouteError.stateTooLarge().at(migration.location)
        }
        state = table
        world.shared.stateBytes = table.size
        world.shared.edits += 1
    }

    /// Activates a generation.
    ///
    /// The activation cannot fail.
    private func commit(_ generation: Generation, isRollback: Bool) {
        let old = serving
        serving = generation
        contents.mustBeComplete = contents.mustBeComplete || generation.isComplete
        if isRollback {
            contents.history.removeLast()
            contents.isPinned = true
        } else {
            contents.history.append(old.bundle)
            if contents.history.count > Self.historyLimit { contents.history.removeFirst() }
        }
        retire(old)
    }

    /// The maximum number of former bundles to which the router can roll back.
    static let historyLimit = 3

    func end(_ reload: Reload, _ status: Reload.Status) {
        reload.state.status = status
        let completion = reload.completion
        reload.completion = nil
        if let completion { queue.endings.append(.reload(reload, completion)) }
    }

    // MARK: Events

    private func emit(_ acceptance: Reload.Acceptance) {
        counters.count(reload: true)
        emit(
            .reload,
            of: nil,
            fields: [
                ("status", "accepted"), ("digest", Value(acceptance.digest)),
                ("milliseconds", .number(acceptance.milliseconds)),
                ("added", names(acceptance.added)), ("changed", names(acceptance.changed)),
                ("removed", names(acceptance.removed)),
            ]
        )
    }

    private func emit(_ rejection: Reload.Rejection) {
        counters.count(reload: false)
        emit(
            .reload,
            of: nil,
            at: rejection.findings.first?.location,
            fields: [
                ("status", "rejected"), ("reason", Value(rejection.reason.rawValue)),
                ("errors", names(rejection.findings.map(\.description))),
            ]
        )
    }

    private func names(_ list: [String]) -> Value {
        .table(InfoTable(list: list.map { Value($0) }))
    }
}

extension Reload.Rejection.Reason {
    /// Creates the reason that corresponds to an error in reading a file.
    fileprivate init(_ error: BundleError) {
        self = Self(rawValue: error.reason.rawValue) ?? .unreadable
    }

    /// Creates the reason that corresponds to an error in loading the scripts.
    fileprivate init(_ error: RouteError, _ generation: Generation) {
        switch error.cause {
        case let bundleError as BundleError:
            self = Self(bundleError)
        case _ where error.code == .budget: self = .budget
        case _ where !generation.speaksAPI: self = .api
        case _ where generation.runtime.state.hasSyntaxError: self = .syntax
        default: self = generation.runtime.state.hasRun ? .check : .script
        }
    }
}
