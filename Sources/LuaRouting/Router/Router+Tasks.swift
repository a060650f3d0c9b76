// SPDX-License-Identifier: MIT

internal import LuaVM

extension Router {
    /// Runs a task, which is work without a screen.
    ///
    /// - Parameters:
    ///   - target: The task.
    ///   - info: The parameters.
    ///   - timeout: The time after which the task fails with the code `timeout`, in seconds. If
    ///     nil, or not above 0, only the worker's own timeout applies. If the host does the task,
    ///     ``RouterHost/cancelTask(_:)`` is then called.
    ///   - completion: Called once, when the task has ended.
    /// - Returns: The task. Its ``RouteTask/value`` is the immediate result of the worker.
    @discardableResult
    public func doTask(
        _ target: Target,
        info: InfoTable = InfoTable(),
        timeout: Double? = nil,
        completion: ((RouteTask) -> Void)? = nil
    ) -> RouteTask {
        let task = doTask(target, info: info, at: nil, timeout: timeout, completion: completion)
        setDeadline(of: task, in: timeout)
        return task
    }

    /// Sets the deadline of a pending task.
    ///
    /// If `seconds` is nil or not above 0, there is no deadline.
    func setDeadline(of task: RouteTask, in seconds: Double?) {
        guard let seconds, seconds > 0, task.isPending else { return }
        task.deadline = timers.add(at: time(in: seconds), .deadline) {
            [unowned self, weak task] in
            guard let task else { return }
            task.deadline = nil
            task.hasExpired = true
            stopHostTask(of: task)
            end(task, .failed(.waitedTooLong("task '\(task.target)'", .call)), at: nil)
            pump()
        }
    }

    /// Notifies the host that the result of a task is no longer needed.
    private func stopHostTask(of task: RouteTask) {
        guard let hostTask = task.hostTask.take() else { return }
        host.cancelTask(hostTask)
    }

    func doTask(
        _ target: Target,
        info: InfoTable,
        at location: RouteError.Location?,
        isByScript: Bool = false,
        timeout: Double? = nil,
        isCancelled: Bool = false,
        completion: ((RouteTask) -> Void)?
    ) -> RouteTask {
        enter()
        world.lastTask += 1
        let isTooDeep = Value.table(info).isTooDeep
        let info = isTooDeep ? InfoTable() : info
        let parent = currentNavigation?.isPending == true ? currentNavigation : nil
        let task = RouteTask(
            id: world.lastTask,
            target: target,
            size: info.size,
            navigation: parent,
            location: location,
            isByScript: isByScript,
            generation: generationForNew,
            completion: completion
        )
        var refusal = isTooDeep ? RouteError.tooDeep() : nil
        // Scripts use 'math.huge' to wait without a limit.
        if let timeout, !isByScript, !Self.isTime(timeout) {
            refusal = .notATime("timeout", timeout)
        }
        parent?.record.tasks.append(task)
        lending.calling(for: generationForNew) {
            let deadline = refusal == nil ? timeout : nil
            emit(
                .task,
                of: currentNavigation,
                at: location,
                fields: opening(of: task, info, deadline)
            )
            begin(task, with: info, refusal: refusal, isCancelled: isCancelled)
        }
        return task
    }

    private func begin(
        _ task: RouteTask,
        with info: InfoTable,
        refusal: RouteError?,
        isCancelled: Bool
    ) {
        do throws(RouteError) {
            if let refusal { throw refusal }
            guard pendingTasks.count < Self.taskLimit else {
                throw .tooManyPending("pending tasks", Self.taskLimit)
            }
            if isRestricted, task.isByScript {
                try checkPending(pendingTasks.count { $0.isByScript }, "pending tasks")
            }
            guard !isCancelled, !queue.isShutDown else {
                let error: RouteError =
                    queue.isShutDown ? .routerHasEnded() : .cancelledByCaller()
                if queue.isShutDown {
                    logEnded("task '\(task.target)'", isAwaited: task.isAwaited)
                }
                end(task, .cancelled(error), at: nil)
                pump()
                return
            }
            try run(task, info)
        } catch {
            end(task, .failed(error), at: error.location)
        }
        pump()
    }

    /// Calls the worker of a task, or the host if the host does the task.
    private func run(_ task: RouteTask, _ info: InfoTable) throws(RouteError) {
        let worker: Worker
        do throws(RouteError) {
            guard case .task(let found) = try generation.declarations.routes.find(task.target)
            else {
                throw .isScreen(task.target)
            }
            worker = found
        } catch {
            guard error.code == .notFound else { throw error }
            if generation.declarations.expectations.tasks.contains(task.target) {
                if task.isByScript, capabilities.tasks?.contains(task.target) == false {
                    throw generation.breach(.tasks, what: "task '\(task.target)' is not allowed")
                }
                let types = generation.declarations.expectations.taskTypes[task.target]
                let privateNames = generation.declarations.classes.privateNames
                let info =
                    try types?.info?.check(info, hiding: privateNames) { _, value in value } ?? info
                task.result = types?.result
                pendingTasks.append(task)
                let hostTask = HostTask(
                    id: task.id,
                    service: task.target.service,
                    task: task.target.task,
                    info: info
                ) { [weak self] finished, info in
                    self?.hostEnds(task, finished: finished, with: info)
                }
                task.hostTask = hostTask
                host.doTask(hostTask)
                return
            }
            guard let fallback = generation.declarations.fallback?.task else {
                let expected = generation.declarations.expectations.tasks
                throw generation.declarations.routes.unknown(task.target, beside: expected)
            }
            worker = Worker(
                task.target,
                at: generation.declarations.fallback?.location,
                function: fallback,
                isFallback: true
            )
        }
        try tree.checkOrigin(of: .table(info))
        let privateNames = generation.declarations.classes.privateNames
        let info = try worker.info?.check(info, hiding: privateNames) { _, value in value } ?? info
        task.result = worker.result
        pendingTasks.append(task)
        let done = try generation.makeDone(for: task)
        let activity = Activity(
            "task '\(task.target)'",
            for: task.navigation,
            chain: chain,
            timeout: worker.timeout ?? generation.declarations.timeout,
            hasOwnTimeout: worker.timeout != nil
        ) { [unowned self] result in heard(result, of: task, worker: worker) }
        task.activity = activity
        run(worker.function, as: activity, results: 2) { writer in
            if worker.isFallback {
                writer.write(worker.target.service)
                writer.write(worker.target.task)
            }
            Value.table(info).write(to: &writer, generation.runtime.objects)
            writer.write(done)
        }
    }

    /// Handles the result of a worker.
    private func heard(
        _ result: Result<[Value], RouteError>,
        of task: RouteTask,
        worker: Worker
    ) {
        let timeout = task.activity?.timeout ?? generation.declarations.timeout
        task.activity = nil
        switch result {
        case .failure(let error):
            end(task, .failed(error), at: error.location)
        case .success(let values):
            let endsLater = values[0].isNil || values[1].isLater
            // Only a worker that has not waited can return a value to the caller of the task.
            task.value = values[0]
            guard task.isPending else { return }
            guard endsLater else {
                end(task, .done(finished: true, info: values[0]), at: worker.location)
                return
            }
            // A worker that declares that its task ends later may wait for the user, without the
            // default timeout.
            guard !values[1].isLater || worker.timeout != nil || capabilities.timeout != nil else {
                return
            }
            task.timer = timers.add(at: time(in: timeout), .deadline) {
                [unowned self, weak task] in
                guard let task else { return }
                task.timer = nil
                let owner = defaultOwner(hasOwnTimeout: worker.timeout != nil)
                end(task, .failed(.waitedTooLong("task '\(task.target)'", owner)), at: nil)
                pump()
            }
        }
    }

    /// Cancels a task.
    ///
    /// If the host does the task, the host is notified.
    ///
    /// - Returns: Whether the task was pending.
    @discardableResult
    public func cancel(_ task: RouteTask) -> Bool {
        enter()
        if task.isPending { emitCall(.cancel(.task, task.id)) }
        let isCancelled = cancel(task, .cancelledByCaller())
        pump()
        return isCancelled
    }

    @discardableResult
    func cancel(_ task: RouteTask, _ error: RouteError) -> Bool {
        guard task.isPending else { return false }
        // The host is notified first, before any listener that may end the task in response.
        stopHostTask(of: task)
        guard task.isPending else { return false }
        end(task, .cancelled(error), at: nil)
        return true
    }

    private func hostEnds(_ task: RouteTask, finished: Bool, with info: Value) {
        enter()
        // A host may still end a task that it was asked to cancel.
        if task.hasExpired, task.isPending { return }
        emitCall(.complete(task.id, task.target, isFinished: finished, info: info))
        do throws(RouteError) {
            guard !info.isTooDeep else { throw .tooDeep() }
            try tree.checkOrigin(of: info)
            end(task, .done(finished: finished, info: info), at: nil)
        } catch {
            end(task, .failed(error), at: nil)
        }
        pump()
    }

    /// Ends a pending task.
    ///
    /// If the task has already ended, the call has no effect. It is logged with both locations,
    /// unless a script ends a task that was cancelled, because the script may not know of it.
    func end(_ task: RouteTask, _ status: RouteTask.Status, at location: RouteError.Location?) {
        guard task.isPending else {
            if case .cancelled = task.status, location != nil { return }
            log(
                "warn",
                RouteError.endedTwice(task, second: status, at: location).message,
                at: location
            )
            return
        }
        let status = task.checked(status, at: location)
        task.status = status
        task.endPlace = location
        task.hostTask = nil
        pendingTasks.removeAll { $0 === task }
        task.navigation?.record.tasks.removeAll { $0 === task }
        task.generation = nil
        for timer in [task.timer, task.deadline] {
            if let timer { timers.remove(timer) }
        }
        (task.timer, task.deadline) = (nil, nil)
        // A worker that ended its task by calling `done` may continue. A worker whose task was
        // cancelled or timed out may not.
        if case .done = status {} else if let activity = task.activity { cancel(activity) }
        task.activity = nil
        emit(
            .task,
            of: task.navigation ?? currentNavigation,
            at: location,
            fields: ending(of: task)
        )
        if case .failed(let error) = status {
            counters.count(error)
            if task.location != nil { onScriptFailure?(.task(task)) }
            logUnawaited(task, error)
        }
        for wait in task.awaiting { end(wait, task.results) }
        task.awaiting = []
        let completion = task.completion
        task.state.completions = completion == nil ? 1 : task.completions + 1
        task.completion = nil
        // Navigations that the completion begins are children of the navigation that began the
        // task.
        lending.calling(for: task.navigation ?? currentNavigation, chain: chain) {
            completion?(task)
        }
    }

    private func opening(
        of task: RouteTask,
        _ info: InfoTable,
        _ timeout: Double?
    ) -> [(name: String, value: Value)] {
        [
            ("id", .integer(Int64(task.id))), ("service", Value(task.target.service)),
            ("task", Value(task.target.task)),
            ("phase", "started"), ("info", .table(info)),
        ] + (timeout.map { [("timeout", .number($0))] } ?? [])
            + (task.isByScript ? [] : nesting)
    }

    private func ending(of task: RouteTask) -> [(name: String, value: Value)] {
        let target: [(name: String, value: Value)] = [
            ("id", .integer(Int64(task.id))), ("service", Value(task.target.service)),
            ("task", Value(task.target.task)),
        ]
        switch task.status {
        case .pending: return target
        case .done(let finished, _):
            return target + [("phase", "done"), ("finished", .boolean(finished))]
        case .failed(let error): return target + [("phase", "failed")] + fields(about: error)
        case .cancelled(let error):
            return target + [("phase", "cancelled")] + fields(about: error)
        }
    }
}
