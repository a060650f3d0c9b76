// SPDX-License-Identifier: MIT

/// Shutting down a router: all pending work is cancelled, and every completion is called.
extension Router {
    /// Shuts down the router: cancels its pending work and releases its host.
    ///
    /// Pending navigations, tasks, calls and queued links end with the code `cancelled`. Their
    /// completions are called, and the Swift tasks that await them resume, before this call
    /// returns. If scripts are running, the completions are called and the Swift tasks resume when
    /// the scripts have returned. ``RouterHost/cancelTask(_:)`` is called for each task that the
    /// host does. Work that is begun afterwards ends `cancelled` immediately. The first such
    /// request is logged, unless its caller receives the error. The tree can still be read.
    ///
    /// Call this function if the host owns the router, to break the retain cycle between the two. A
    /// router that is released without this call cancels its work too, on the thread of the last
    /// release.
    ///
    /// ```swift
    /// let page = router.navigate(Target("Page", "show"))
    /// router.shutDown()
    /// print(page.status)  // cancelled, unless it had ended
    /// ```
    public func shutDown() {
        enter()
        guard !queue.isShutDown else { return }
        emitCall(.shutDown)
        queue.isShutDown = true
        queue.mustCancelAll = true
        cancelAllIfDue()
        pump()
    }

    /// Logs, once, that work was requested after the router was shut down, unless the caller
    /// receives the error.
    func logEnded(_ title: String, isAwaited: Bool) {
        guard !isAwaited, !awaitsAllWork, !queue.hasLoggedEnd else { return }
        queue.hasLoggedEnd = true
        log(
            "warn",
            "\(title) and all later requests are ignored, because the router has been shut down (a scene that connects again needs a new router)"
        )
    }

    /// Whether the router has been shut down.
    public var isShutDown: Bool {
        checkThread()
        return queue.isShutDown
    }

    /// Cancels all pending work if the router was shut down and no script is running.
    func cancelAllIfDue() {
        guard queue.mustCancelAll, !isRunningScript, lending.stage == nil else { return }
        queue.mustCancelAll = false
        let error = RouteError.routerHasEnded()
        stopAwaitingAnswer()
        if let navigation = queue.applying {
            undo(navigation)
            end(navigation, .cancelled(error))
        }
        queue.isApplying = false
        for generation in generations { cancelWork(of: generation, error) }
        if !queuedLinks.isEmpty { withdraw(queuedLinks, error) }
        for wait in screens.waits.values.joined() { give(up: wait, error) }
        if let reload = queue.reload.take() { end(reload, .cancelled) }
        if let reload = takeTrial() { end(reload, .cancelled) }
        for ending in queue.reports.compactMap(Ending.ignoring) { queue.endings.append(ending) }
        queue.reports = []
        queue.undelivered.removeAll()
        // There is no later turn in which the completions could be called.
        while !queue.endings.isEmpty {
            turnAccount.begin(at: now)
            outsidePump { deliver(queue.endings.removeFirst()) }
        }
        timers = Timers()
        queue.nextTurn = nil
        for stream in observers.streams { stream.finish() }
        observers.streams = []
        host = AbsentHost()
    }

    /// Ends pending work.
    ///
    /// The router is not used, because it is being released or rewound.
    ///
    /// - Parameters:
    ///   - error: The reason.
    ///   - kept: The objects of the checkpoint to restore. Their work does not end. If nil, all
    ///     work ends.
    /// - Returns: The completions to call, and the tasks of the host whose results are no longer
    ///   needed.
    func abandonWork(
        _ error: RouteError = .routerHasEnded(),
        except kept: ReachedObjects? = nil
    ) -> (endings: [Ending], hostTasks: [HostTask]) {
        func isKept(_ object: AnyObject) -> Bool { kept?.contains(object) ?? false }
        var endings = queue.endings.elements
        if !queue.prepared.isEmpty { host.discard(queue.prepared) }
        func abandon(_ waits: [Wait]) {
            for wait in waits {
                guard !isKept(wait), case .host(let completion) = wait.waiter else { continue }
                endings.append(.wait(wait, .failure(error), completion))
            }
        }
        func abandon(_ navigation: Navigation) {
            let followers = navigation.record.followers + navigation.record.deferred
            navigation.record.followers = []
            navigation.record.deferred = []
            navigation.record.leader = nil
            (navigation.record.waitsFor, navigation.record.waiting) = (nil, [])
            navigation.record.timeout = nil
            cancelQuestion(of: navigation)
            if !isKept(navigation) { navigation.status = .cancelled(error) }
            navigation.generation = nil
            abandon(navigation.record.awaitingResult)
            // These references form retain cycles, so they are removed.
            navigation.record.awaitingResult = []
            navigation.record.awaiting = []
            navigation.record.children = []
            navigation.record.tasks = []
            navigation.record.starter = nil
            if let completion = navigation.record.completion.take(), !isKept(navigation) {
                endings.append(.navigation(navigation, completion))
            }
            for follower in followers { abandon(follower) }
        }
        for navigation in queue.gated + queue.ready + queue.active where navigation.isPending {
            abandon(navigation)
        }
        if let navigation = queue.applying, navigation.isPending { abandon(navigation) }
        abandon(Array(screens.waits.values.joined()))
        for link in queuedLinks + activeLinks where !isKept(link) {
            link.state.status = .cancelled(error)
            link.routing = nil
            link.activity = nil
            if let completion = link.completion.take() {
                endings.append(.link(link, completion))
            }
        }
        for call in pendingCalls where !isKept(call) {
            call.state.status = .cancelled(error)
            (call.activity, call.generation) = (nil, nil)
            endings.append(.call(call, chain: 0))
        }
        var hostTasks: [HostTask] = []
        for task in pendingTasks where !isKept(task) {
            if let hostTask = task.hostTask.take() { hostTasks.append(hostTask) }
            if let activity = task.activity.take() { cancel(activity) }
            task.status = .cancelled(error)
            task.generation = nil
            if let completion = task.completion.take() {
                endings.append(.task(task, completion))
            }
        }
        for reload in [queue.reload, takeTrial()].compactMap(\.self)
        where !isKept(reload) {
            reload.state.status = .cancelled
            guard let completion = reload.completion.take() else { continue }
            endings.append(.reload(reload, completion))
        }
        return (endings + queue.reports.compactMap(Ending.ignoring), hostTasks)
    }
}

/// The host of a router that was shut down.
private final class AbsentHost: RouterHost {
    func show(
        _ tree: ScreenTree,
        _ change: Change,
        done: @escaping (Result<Void, any Error>) -> Void
    ) {
        done(.success(()))
    }
}
