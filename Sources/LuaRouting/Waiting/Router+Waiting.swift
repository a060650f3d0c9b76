// SPDX-License-Identifier: MIT

internal import LuaVM

/// Script functions that wait, and the router's clock.
extension Router {
    // MARK: The clock

    /// The time of the next timer or deadline, in seconds since 1970; nil if there is none.
    ///
    /// The router has no timer of its own. Its driver must call ``advance(to:)`` at that time.
    public var nextDeadline: Double? {
        checkThread()
        return timers.first?.time
    }

    /// The time of the next timer that a script set with a sleep or a delay; nil if there is none.
    public var nextTimer: Double? {
        checkThread()
        return timers.next(.timer)
    }

    /// The time of the next deadline, at which a wait ends with a timeout; nil if there is none.
    public var nextTimeout: Double? {
        checkThread()
        return timers.next(.deadline)
    }

    /// The maximum number of timers and deadlines that one advance of the clock runs.
    ///
    /// A limit is needed because each timer may set another one.
    package static let advanceLimit = 10_000

    /// Advances the clock to a time, and runs the timers and deadlines that are due by then, in
    /// order.
    ///
    /// One call runs at most 10,000 timers and deadlines. If more are due, the clock stops at the
    /// time of the last one that ran, and the next call runs the others.
    ///
    /// - Parameter time: The new time, in seconds since 1970. A time in the past has no effect. A
    ///   time that is not finite or not below 10¹¹ has no effect either, and is logged as a
    ///   warning.
    /// - Returns: False if more timers or deadlines are due at or before this time.
    @discardableResult
    public func advance(to time: Double) -> Bool {
        guard isTime(time, of: "advance(to:)") else { return true }
        let time = Self.inMicroseconds(time)
        guard advance(while: { $0 <= time }) else { return false }
        now = max(now, time)
        return true
    }

    /// Runs timers and deadlines in order, and moves the clock to the time of each.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of timers and deadlines.
    ///   - isDue: Returns whether to run the next timer or deadline, given its time.
    /// - Returns: False if the maximum number ran and another one is due.
    package func advance(limit: Int = advanceLimit, while isDue: (Double) -> Bool) -> Bool {
        generation.runtime.lua.checkThread()
        let outer = isAdvancing
        isAdvancing = true
        defer {
            isAdvancing = outer
            if !outer { pacemaker?.timersChanged() }
        }
        var count = 0
        while let entry = timers.first,
            isDue(entry.time) || (entry.kind == .turn && entry.time <= now)
        {
            guard count < limit else { return false }
            count += 1
            timers.remove(entry.number)
            now = max(now, entry.time)
            if !outer { turnAccount.begin(at: now) }
            entry.action()
            pump()
        }
        return true
    }

    /// Returns whether a time given by the host is valid: finite, and small enough for the clock to
    /// be exact.
    static func isTime(_ seconds: Double) -> Bool { abs(seconds) < 1e11 }

    /// Returns whether a time given by the host is valid.
    ///
    /// An invalid time is logged.
    func isTime(_ seconds: Double, of name: String) -> Bool {
        generation.runtime.lua.checkThread()
        if Self.isTime(seconds) { return true }
        log("warn", "ignored: \(RouteError.notATime(name, seconds).message)")
        return false
    }

    /// Rounds a time to whole microseconds, so that sums of times do not differ by rounding errors.
    static func inMicroseconds(_ time: Double) -> Double {
        time.isFinite ? (time * 1_000_000).rounded() / 1_000_000 : time
    }

    /// Returns the time that is the given number of seconds from now.
    ///
    /// The result is at most some thousands of years from now, because larger numbers would lose
    /// precision.
    func time(in seconds: Double) -> Double {
        Self.inMicroseconds(now + min(max(0, seconds), 1e11))
    }

    // MARK: Activities

    /// Runs a script function that may wait.
    ///
    /// - Parameters:
    ///   - function: The function.
    ///   - activity: The activity. Its completion is called before this call returns, unless the
    ///     function waits.
    ///   - results: The number of results that the completion receives.
    ///   - arguments: Writes the arguments.
    func run(
        _ function: ScriptFunction,
        as activity: Activity,
        results: Int = 1,
        arguments: (inout FlatWriter) -> Void
    ) {
        activity.results = results
        if currentActivity?.followsLink == true { activity.followsLink = true }
        let generation = generation
        activity.generation = generation
        enter(activity, of: generation) { () throws(ScriptError) in
            try generation.runtime.lua.begin(function.lua, results: results, arguments: arguments)
        }
    }

    /// Starts or resumes an activity.
    private func enter(
        _ activity: Activity,
        of generation: Generation,
        _ body: () throws(ScriptError) -> LuaThread.Progress
    ) {
        let result: Result<LuaThread.Progress, ScriptError>
        do throws(ScriptError) {
            generation.runtime.beginEntry()
            result = .success(
                try lending.calling(activity) { () throws(ScriptError) in
                    defer { generation.runtime.endEntry(reportsSlow: !activity.hearsSlow) }
                    return try body()
                }
            )
        } catch {
            result = .failure(error)
        }
        switch result {
        case .success(.waits(let thread)):
            // The wait may already be over, or the activity may have been cancelled while it was
            // running.
            if activity.isPending {
                activity.thread = thread
                generation.lease.add(activity)
            } else {
                if let wait = activity.wait { close(wait) }
                activity.generation = nil
                generation.runtime.lua.cancel(thread)
            }
        case .success(.returned(var reader)):
            generation.runtime.objects.hasMetHandle = false
            var values: [Value] = []
            for _ in 0..<activity.results {
                values.append(Value(from: &reader, generation.runtime.objects) ?? .nil)
            }
            if activity.dropsHandle, values.first?.pathToHandle?.path.isEmpty == true {
                values[0] = .nil
                generation.runtime.objects.hasMetHandle = false
            }
            do throws(RouteError) {
                try generation.runtime.objects.checkCrossing(.table(InfoTable(list: values)))
                conclude(activity, .success(values))
            } catch {
                conclude(activity, .failure(error))
            }
        case .failure(let error):
            conclude(activity, .failure(RouteError(error)))
        }
    }

    private func conclude(_ activity: Activity, _ result: Result<[Value], RouteError>) {
        let completion = activity.completion
        activity.completion = nil
        activity.thread = nil
        activity.generation = nil
        completion?(result)
    }

    /// Ends an activity that is no longer needed, without calling its completion.
    func cancel(_ activity: Activity) {
        activity.completion = nil
        if let wait = activity.wait { close(wait) }
        guard let thread = activity.thread, let generation = activity.generation else { return }
        generation.lease.remove(activity)
        generation.runtime.lua.cancel(thread)
        activity.thread = nil
        activity.generation = nil
    }

    // MARK: Waits

    /// Starts a wait of the running activity.
    ///
    /// - Parameters:
    ///   - activity: The activity.
    ///   - isCounted: Whether the duration counts toward the timeout of the activity. A wait for a
    ///     navigation that the activity began, or for the result of a screen, does not count.
    ///   - limit: The maximum duration of this wait, in seconds.
    ///   - late: Returns the results of the waiting call for the case that `limit` is exceeded.
    /// - Returns: The wait. Call ``end(_:_:)`` to end the wait.
    func beginWait(
        _ activity: Activity,
        isCounted: Bool,
        limit: Double? = nil,
        late: @escaping () -> [Value] = { [] }
    ) -> Wait {
        let wait = Wait(.script(activity), start: now, isCounted: isCounted)
        if !isCounted, limit == nil, let navigation = activity.navigation {
            wait.holdsTimeout = true
            navigation.record.timeoutHolds += 1
            stopTimeout(of: navigation)
        }
        activity.wait = wait
        if isCounted {
            let due = time(in: activity.timeout)
            wait.timers.append(
                timers.add(at: due, .deadline) { [unowned self] in give(up: wait) }
            )
        }
        if let limit {
            let due = time(in: limit)
            wait.timers.append(
                timers.add(at: due, .deadline) { [unowned self] in end(wait, late()) }
            )
        }
        return wait
    }

    /// Ends a wait.
    ///
    /// The activity continues when the turn is over.
    ///
    /// - Parameters:
    ///   - wait: The wait. If the wait has already ended, the call has no effect.
    ///   - values: The results of the waiting call.
    func end(_ wait: Wait, _ values: [Value]) {
        guard !wait.isOver else { return }
        close(wait)
        switch wait.waiter {
        case .script(let activity):
            // The function may change guards without an event.
            queue.eventBeforeChange = nil
            queue.endings.append(.work { router in router.resume(activity, values) })
        case .host(let completion):
            queue.endings.append(.wait(wait, .success(values), completion))
        }
    }

    private func close(_ wait: Wait) {
        wait.isOver = true
        // Waits usually time out in order, so the search usually ends at the first element.
        if let screen = wait.screen,
            let index = screens.waits[screen]?.firstIndex(where: { $0 === wait })
        {
            screens.waits[screen]?.remove(at: index)
            if screens.waits[screen]?.isEmpty == true { screens.waits[screen] = nil }
        }
        wait.navigation?.record.awaitingResult.removeAll { $0 === wait }
        for timer in wait.timers { timers.remove(timer) }
        guard case .script(let activity) = wait.waiter else { return }
        if wait.isCounted { activity.timeout -= now - wait.start }
        if activity.wait === wait { activity.wait = nil }
        if wait.holdsTimeout, let navigation = activity.navigation {
            navigation.record.timeoutHolds -= 1
            startTimeout(of: navigation)
        }
    }

    private func resume(_ activity: Activity, _ values: [Value]) {
        guard activity.isPending, let thread = activity.thread,
            let generation = activity.generation
        else { return }
        activity.thread = nil
        generation.lease.remove(activity)
        lending.calling(for: generation) {
            enter(activity, of: generation) { () throws(ScriptError) in
                try generation.runtime.lua.resume(thread, results: activity.results) { writer in
                    for value in values { value.write(to: &writer, generation.runtime.objects) }
                }
            }
        }
        pump()
    }

    /// Ends a waiting activity, or a wait of the host, with an error.
    ///
    /// - Parameters:
    ///   - wait: The wait.
    ///   - error: The error; nil for `timeout`.
    func give(up wait: Wait, _ error: RouteError? = nil) {
        guard !wait.isOver else { return }
        switch wait.waiter {
        case .script(let activity):
            let completion = activity.completion
            cancel(activity)
            completion?(.failure(error ?? lateness(of: activity)))
        case .host(let completion):
            close(wait)
            queue.endings.append(
                .wait(
                    wait,
                    .failure(error ?? .waitedTooLong("the wait for the result", .call)),
                    completion
                )
            )
        }
    }

    /// Returns the error of an activity whose timeout has expired.
    func lateness(of activity: Activity) -> RouteError {
        .waitedTooLong(activity.title, defaultOwner(hasOwnTimeout: activity.hasOwnTimeout))
    }

    /// Returns the source of a declaration's timeout, for the error message: the declaration, the
    /// router's default or the capabilities.
    func defaultOwner(hasOwnTimeout: Bool) -> RouteError.DeadlineOwner {
        if hasOwnTimeout { return .own }
        return generation.declarations.timeout == capabilities.timeout ? .capabilities : .router
    }

    /// Returns the source of a request's timeout, for the error message: the capabilities if their
    /// maximum applies, and otherwise the call.
    func owner(ofDeadline timeout: Double?) -> RouteError.DeadlineOwner {
        timeout == capabilities.timeout ? .capabilities : .call
    }

    // MARK: Waiting by scripts

    /// The minimum duration of a timer, in seconds.
    ///
    /// Without a minimum, timers that set new timers could keep the clock from advancing.
    private static let shortestTime = 0.001

    /// The maximum number of timers of scripts.
    static let timerLimit = 10_000

    private func due(in seconds: Double) throws(RouteError) -> Double {
        guard timers.timerCount < Self.timerLimit else { throw .tooManyTimers() }
        if isRestricted { try generation.checkTimer(in: seconds) }
        // A time that is NaN or infinite is never reached.
        return seconds.isFinite ? time(in: max(Self.shortestTime, seconds)) : .infinity
    }

    /// Makes the calling script wait for the given number of seconds.
    func sleep(_ seconds: Double, _ arguments: Arguments) throws(RouteError) {
        guard let activity = arguments.waiter else { return }
        let due = try due(in: seconds)
        let wait = beginWait(activity, isCounted: true)
        wait.isSleep = true
        let owner = generation.number
        wait.timers.append(
            timers.add(at: due, .timer, of: owner) { [unowned self] in end(wait, []) }
        )
    }

    /// Calls a script function after the given number of seconds.
    ///
    /// - Returns: The number of the timer.
    func delay(_ seconds: Double, _ function: LuaFunction) throws(RouteError) -> Int {
        let (chain, generation) = (chain, generation)
        let isOwned = timerOwner(of: generation)
        guard generation === serving || isOwned?() ?? false else { throw .retiredTimer() }
        let due = try due(in: seconds)
        return timers.add(at: due, .timer, of: generation.number, calling: function) {
            [unowned self, unowned generation] in
            let outer = generation.lease.isTimerOwned
            generation.lease.isTimerOwned = isOwned
            defer { generation.lease.isTimerOwned = outer }
            lending.calling(for: generation) {
                emit(.timer)
                lending.calling(for: nil, chain: chain) {
                    do throws(RouteError) {
                        _ = try generation.runtime.call(function, arguments: [])
                    } catch {
                        logUnheard(error)
                    }
                }
            }
        }
    }

    /// Returns a closure that checks whether the navigation or task that owns new timers is
    /// pending; nil if new timers have no owner.
    private func timerOwner(of generation: Generation) -> (() -> Bool)? {
        if let navigation = lending.navigation {
            return { [weak navigation] in navigation?.isPending ?? false }
        }
        if let activity = lending.activity,
            let task = pendingTasks.first(where: { $0.activity === activity })
        {
            return { [weak task] in task?.isPending ?? false }
        }
        return generation.lease.isTimerOwned
    }

    /// Makes the calling script wait until a navigation has ended, unless it has already ended.
    func awaitEnd(
        of navigation: Navigation,
        _ arguments: Arguments
    ) throws(RouteError) -> [ScriptValue] {
        guard let activity = arguments.waiter, navigation.isPending else {
            return navigation.results.map(ScriptValue.value)
        }
        guard activity.navigation !== navigation else { throw .awaitsItself("await") }
        let isCounted = !isChild(navigation, of: activity)
        navigation.record.awaiting.append(try begin(activity, arguments, isCounted: isCounted))
        return [.waits]
    }

    /// Makes the calling script wait until the screen that a navigation reached is left.
    func awaitResult(
        of navigation: Navigation,
        _ arguments: Arguments
    ) throws(RouteError) -> [ScriptValue] {
        if let result = result(of: navigation) { return result.map(ScriptValue.value) }
        guard let activity = arguments.waiter else { return [] }
        guard activity.navigation !== navigation || !navigation.isPending else {
            throw .awaitsItself("result")
        }
        let limit = try generation.timeout(in: arguments.table(0))
        let isCounted = navigation.isPending && !isChild(navigation, of: activity)
        let wait = beginWait(activity, isCounted: isCounted && limit == nil, limit: limit) {
            [.boolean(false), "timeout"]
        }
        awaitResult(of: navigation, wait)
        return [.waits]
    }

    /// Makes the calling script wait until a task has ended, unless it has already ended.
    func awaitEnd(
        of task: RouteTask,
        _ arguments: Arguments
    ) throws(RouteError) -> [ScriptValue] {
        guard let activity = arguments.waiter, task.isPending else {
            return task.results.map(ScriptValue.value)
        }
        guard task.activity !== activity else { throw .awaitsItself("await") }
        task.awaiting.append(try begin(activity, arguments, isCounted: true))
        return [.waits]
    }

    /// Returns whether a navigation was begun by an activity or by the activity's navigation.
    ///
    /// A wait for such a navigation does not count toward the timeout of the activity.
    private func isChild(_ navigation: Navigation, of activity: Activity) -> Bool {
        navigation.record.starter === activity
            || activity.navigation.map(navigation.isBelow) ?? false
    }

    /// Begins a wait that may have its own timeout.
    private func begin(
        _ activity: Activity,
        _ arguments: Arguments,
        isCounted: Bool
    ) throws(RouteError) -> Wait {
        let limit = try generation.timeout(in: arguments.table(0))
        return beginWait(activity, isCounted: isCounted && limit == nil, limit: limit) {
            [.boolean(false), Value(why: "failed", RouteError.waitedTooLong("the wait", .call))]
        }
    }
}
