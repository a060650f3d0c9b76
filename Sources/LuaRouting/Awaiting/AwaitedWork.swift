// SPDX-License-Identifier: MIT

private import RouteChecking

/// Async forms of tasks, calls, deep links, restorations and reloads.
///
/// Cancelling the Swift task cancels the work, if the work can still be cancelled.
extension Router {
    /// Runs a task, and waits until it has ended; see
    /// ``doTask(_:info:timeout:completion:)-(_,InfoTable,_,_)``.
    ///
    /// ```swift
    /// let settings = try await router.doTask(Target("Settings", "load"), info: ["user": 7])
    /// ```
    ///
    /// - Parameters:
    ///   - target: The task.
    ///   - info: The parameters.
    ///   - timeout: The time after which the task fails with the code `timeout`, in seconds. If
    ///     nil, only the worker's own deadline applies.
    /// - Returns: The value with which the worker ended the task.
    /// - Throws: The error of a task that failed or was cancelled; `stopped` if the worker called
    ///   `done(false, …)` to report that it did not complete the task. The cause of this error is a
    ///   ``RouteTask/Unfinished`` with the worker's value.
    @discardableResult
    nonisolated(nonsending)
        public func doTask(
            _ target: Target,
            info: InfoTable = InfoTable(),
            timeout: Double? = nil
        ) async throws(RouteError) -> Value
    {
        try await awaitEnd { isCancelled, end in
            let task = doTask(
                target,
                info: info,
                at: nil,
                timeout: timeout,
                isCancelled: isCancelled
            ) { end($0.outcome) }
            setDeadline(of: task, in: timeout)
            return task
        } cancel: {
            cancel($0)
        }
    }

    /// Calls an exported function that may wait, and waits for its result; see
    /// ``call(_:_:completion:)-(_,InfoTable,_)``.
    ///
    /// - Parameters:
    ///   - name: The name under which the function is exported.
    ///   - argument: The table that the function receives.
    /// - Returns: The first result of the function.
    /// - Throws: `notFound`, with the most similar name; `timeout`, `cancelled` or `superseded`; or
    ///   the error that the function raises.
    @discardableResult
    nonisolated(nonsending)
        public func call(
            _ name: String,
            _ argument: InfoTable = InfoTable()
        ) async throws(RouteError) -> Value
    {
        try await awaitEnd { isCancelled, end in
            begin(name, argument, isCancelled: isCancelled, completion: end)
        } cancel: {
            cancel($0)
        }
    }

    /// Dispatches a URL, and waits until the action of its routing has ended; see
    /// ``dispatch(_:options:completion:)``.
    ///
    /// - Parameters:
    ///   - url: The URL, or a bare path.
    ///   - options: The options.
    /// - Returns: The result of the action.
    /// - Throws: The error of a deep link that failed or was cancelled.
    @discardableResult
    nonisolated(nonsending)
        public func dispatch(
            _ url: String,
            options: DispatchOptions = DispatchOptions()
        ) async throws(RouteError) -> Value
    {
        try await awaitEnd { isCancelled, end in
            let link = begin(ByteString(url), options, at: nil, isByHost: true) { end($0.outcome) }
            if isCancelled { _ = withdraw(link) }
            pump()
            return link
        } cancel: {
            cancel($0)
        }
    }

    /// Restores a snapshot, and waits until the restoration has ended; see
    /// ``restore(_:options:completion:)``.
    ///
    /// - Parameters:
    ///   - snapshot: The snapshot to restore.
    ///   - options: The options; only `isAnimated` has an effect.
    /// - Returns: The screens and deep links that were not restored.
    /// - Throws: The error of a restoration that failed or was cancelled; the tree is unchanged.
    @discardableResult
    nonisolated(nonsending)
        public func restore(
            _ snapshot: Snapshot,
            options: NavigationOptions = NavigationOptions()
        ) async throws(RouteError) -> [Restoration.Loss]
    {
        try await awaitEnd { isCancelled, end in
            begin(.restore(snapshot), options, isCancelled: isCancelled) {
                [unowned self] navigation in
                let losses = Restoration(navigation: navigation).losses
                end(navigation.outcome(in: tree).map { _ in losses })
            }
        } cancel: {
            cancel($0)
        }
    }

    /// Replaces the active scripts, and waits until the reload has ended; see
    /// ``reload(_:completion:)``.
    ///
    /// The caller's actor is not blocked while the ``Configuration/canary`` runs.
    ///
    /// - Parameter bundle: The scripts.
    /// - Returns: The result of the accepted reload; nil if the active scripts have the same bytes.
    /// - Throws: The reason for the rejection, with all findings in ``RouteError/findings``;
    ///   `superseded` if a newer reload replaced this one; or `cancelled`. If an error is thrown,
    ///   the active scripts stay active.
    @discardableResult
    nonisolated(nonsending)
        public func reload(_ bundle: ScriptBundle) async throws(RouteError) -> Reload.Acceptance?
    {
        let end = AwaitedEnd<Result<Reload.Acceptance?, RouteError>>()
        return try await awaitEnd(end) { isCancelled in
            let reload = Reload(bundle, wake: { end.wake() }) { end.set($0.outcome) }
            begin(reload, isCancelled: isCancelled)
            return reload
        } cancel: {
            cancel($0)
        }
    }
}

extension RouteTask {
    /// The cause of the error of a task whose worker called `done(false, …)`.
    public struct Unfinished: Error {
        /// The value that the worker passed to `done`.
        public let info: Value
    }

    fileprivate var outcome: Result<Value, RouteError> {
        switch status {
        case .pending: preconditionFailure("the task has not ended")
        case .done(finished: true, let info): .success(info)
        case .done(finished: false, let info): .failure(.unfinished(target, info))
        case .failed(let error), .cancelled(let error): .failure(error)
        }
    }
}

extension QueuedLink {
    fileprivate var outcome: Result<Value, RouteError> {
        switch status {
        case .pending: preconditionFailure("the deep link has not ended")
        case .done: .success(result)
        case .failed(let error), .cancelled(let error): .failure(error)
        }
    }
}

extension Reload {
    fileprivate var outcome: Result<Acceptance?, RouteError> {
        switch status {
        case .pending: preconditionFailure("the reload has not ended")
        case .accepted(let acceptance): .success(acceptance)
        case .unchanged: .success(nil)
        case .superseded: .failure(.supersededByAttempt())
        case .cancelled: .failure(.cancelledByCaller())
        case .rejected(let rejection): .failure(RouteError(rejection.findings))
        }
    }
}

extension RouteError {
    fileprivate static func unfinished(_ target: Target, _ info: Value) -> RouteError {
        let why = info.text.map { ": \(shortened($0))" } ?? ""
        return RouteError(
            .stopped,
            "the worker of task '\(target)' reported that the task did not finish\(why)",
            cause: RouteTask.Unfinished(info: info)
        )
    }

    fileprivate static func supersededByAttempt() -> RouteError {
        RouteError(.superseded, "a newer reload replaced this reload")
    }

    /// Creates the error of a rejected reload, which has at least one finding.
    fileprivate init(_ findings: [Finding]) {
        do throws(RouteError) {
            try RouteError.reject(findings: findings)
            preconditionFailure("a rejected reload has no findings")
        } catch {
            self = error
        }
    }
}
