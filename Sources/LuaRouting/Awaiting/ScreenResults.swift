// SPDX-License-Identifier: MIT

/// Results of screens: the values with which screens are closed.
extension Router {
    /// Navigates to a screen, waits until the screen is left, and returns the value with which it
    /// was closed.
    ///
    /// Equivalent to `router.navigate(…):result()` in a script. The result of a container is the
    /// result of its visible screen.
    ///
    /// ```swift
    /// let size = try await router.result(of: Target("SizePicker", "show"))
    /// print(size?.text ?? "no size")
    /// ```
    ///
    /// If the Swift task is cancelled, the navigation is cancelled too. If the screen is already
    /// shown, it stays, and the call throws `cancelled`.
    ///
    /// - Parameters:
    ///   - target: The route.
    ///   - info: The parameters.
    ///   - options: The options.
    /// - Returns: The value; nil if the screen was closed without a value, or left in another way,
    ///   or if the navigation stayed.
    /// - Throws: The error of a navigation that failed or was cancelled.
    @discardableResult
    nonisolated(nonsending)
        public func result(
            of target: Target,
            info: InfoTable = InfoTable(),
            options: NavigationOptions = NavigationOptions()
        ) async throws(RouteError) -> Value?
    {
        try await awaitEnd { isCancelled, end in
            // Because of the completion handler, the navigation counts as awaited even if it fails
            // immediately.
            let navigation = begin(
                .route(target, info: info),
                options,
                isCancelled: isCancelled
            ) { _ in }
            return (navigation, awaitResult(of: navigation, timeout: nil, completion: end))
        } cancel: { navigation, wait in
            if !cancel(navigation) { cancel(wait) }
        }
    }

    /// Waits until the screen that a navigation reaches is left, and returns the value with which
    /// the screen was closed.
    ///
    /// If the Swift task is cancelled, the call throws `cancelled`, but the navigation continues.
    ///
    /// - Parameters:
    ///   - navigation: The navigation. It may already have ended.
    ///   - timeout: The maximum time to wait, in seconds of the router's clock; nil for no limit.
    /// - Returns: The value; nil if the screen was closed without a value, or left in another way,
    ///   or if the navigation stayed.
    /// - Throws: The error of a navigation that failed or was cancelled; `timeout` if the maximum
    ///   time is over; or `cancelled`.
    @discardableResult
    nonisolated(nonsending)
        public func result(
            of navigation: Navigation,
            timeout: Double? = nil
        ) async throws(RouteError) -> Value?
    {
        try await awaitEnd { isCancelled, end in
            let wait = awaitResult(of: navigation, timeout: timeout, completion: end)
            if isCancelled { cancel(wait) }
            return wait
        } cancel: {
            cancel($0)
        }
    }

    /// Calls a completion handler when the screen that a navigation reaches is left.
    ///
    /// The handler receives the value with which the screen was closed.
    ///
    /// ```swift
    /// let navigation = router.navigate(Target("SizePicker", "show"))
    /// router.result(of: navigation) { result in
    ///     if case .success(let size?) = result { print(size) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - navigation: The navigation. It may already have ended.
    ///   - timeout: The maximum time to wait, in seconds of the router's clock; nil for no limit.
    ///   - completion: Called once, with the same result as ``result(of:timeout:)``.
    public func result(
        of navigation: Navigation,
        timeout: Double? = nil,
        completion: @escaping (Result<Value?, RouteError>) -> Void
    ) {
        awaitResult(of: navigation, timeout: timeout, completion: completion)
    }

    @discardableResult
    private func awaitResult(
        of navigation: Navigation,
        timeout: Double?,
        completion: @escaping (Result<Value?, RouteError>) -> Void
    ) -> Wait {
        enter()
        navigation.isAwaited = true
        let wait = Wait(
            .host { result in completion(result.flatMap { navigation.result(of: $0) }) },
            start: now,
            isCounted: false
        )
        if let timeout, Self.isTime(timeout) {
            wait.timers.append(
                timers.add(at: time(in: timeout), .deadline) { [unowned self] in give(up: wait) }
            )
        }
        if queue.isShutDown {
            give(up: wait, .routerHasEnded())
        } else if let timeout, !Self.isTime(timeout) {
            give(up: wait, .notATime("timeout", timeout))
        } else {
            awaitResult(of: navigation, wait)
        }
        pump()
        return wait
    }

    private func cancel(_ wait: Wait) {
        enter()
        give(up: wait, .cancelledByCaller())
        pump()
    }
}

extension Navigation {
    /// Returns the result for the host, converted from the values that a waiting script would
    /// receive.
    fileprivate func result(of values: [Value]) -> Result<Value?, RouteError> {
        if values[0] == .boolean(true) { return .success(values[1]) }
        switch status {
        case .failed(let error), .cancelled(let error): return .failure(error)
        case .done, .stayed, .pending: return .success(nil)
        }
    }
}
