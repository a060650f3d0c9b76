// SPDX-License-Identifier: MIT

/// Verbs that take typed routes and tasks.
extension Router {
    /// Navigates to a route; see ``navigate(_:info:options:completion:)-(_,InfoTable,_,_)``.
    @discardableResult
    public func navigate<Result>(
        _ route: TypedRoute<Result>,
        options: NavigationOptions = NavigationOptions(),
        completion: ((Navigation) -> Void)? = nil
    ) -> Navigation {
        navigate(route.target, info: route.info, options: options, completion: completion)
    }

    /// Navigates to a route, and waits until the navigation has ended; see
    /// ``navigate(_:info:options:)-(_,InfoTable,_)``.
    @discardableResult
    nonisolated(nonsending)
        public func navigate<Result>(
            _ route: TypedRoute<Result>,
            options: NavigationOptions = NavigationOptions()
        ) async throws(RouteError) -> Arrival
    {
        try await navigate(route.target, info: route.info, options: options)
    }

    /// Navigates to a route without reporting the outcome; see
    /// ``go(_:info:options:)-(_,InfoTable,_)``.
    public func go<Result>(
        _ route: TypedRoute<Result>,
        options: NavigationOptions = NavigationOptions()
    ) {
        go(route.target, info: route.info, options: options)
    }

    /// Navigates to a route, and waits until its screen is left; see
    /// ``result(of:info:options:)-(_,InfoTable,_)``.
    ///
    /// ```swift
    /// let size = try await router.result(of: .sizePicker(sizes: ["S", "M"]))
    /// ```
    ///
    /// - Returns: The value with which the screen was closed; nil if the screen was left without a
    ///   value.
    /// - Throws: The error of a navigation that failed or was cancelled; `badInfo` if the value has
    ///   another type, which cannot happen in a router with a contract.
    @discardableResult
    nonisolated(nonsending)
        public func result<Result>(
            of route: TypedRoute<Result>,
            options: NavigationOptions = NavigationOptions()
        ) async throws(RouteError) -> Result?
    {
        guard let value = try await result(of: route.target, info: route.info, options: options)
        else { return nil }
        return try Result(checking: value, of: route.target)
    }

    /// Runs a task; see ``doTask(_:info:timeout:completion:)-(_,InfoTable,_,_)``.
    @discardableResult
    public func doTask<Result>(
        _ task: TypedTask<Result>,
        timeout: Double? = nil,
        completion: ((RouteTask) -> Void)? = nil
    ) -> RouteTask {
        doTask(task.target, info: task.info, timeout: timeout, completion: completion)
    }

    /// Runs a task, and waits until it has ended; see ``doTask(_:info:timeout:)-(_,InfoTable,_)``.
    ///
    /// - Returns: The value with which the worker ended the task.
    /// - Throws: The error of a task that failed or was cancelled; `badInfo` if the value has
    ///   another type, which cannot happen in a router with a contract.
    @discardableResult
    nonisolated(nonsending)
        public func doTask<Result>(
            _ task: TypedTask<Result>,
            timeout: Double? = nil
        ) async throws(RouteError) -> Result
    {
        let value = try await doTask(task.target, info: task.info, timeout: timeout)
        return try Result(checking: value, of: task.target)
    }

    /// Creates a detached screen; see ``screen(_:_:)``.
    public func screen<Typed: TypedScreen>(_ screen: Typed) throws(RouteError) -> ScreenID {
        guard case .table(let fields) = screen.routeValue else {
            preconditionFailure("the fields of a screen are not a table")
        }
        return try self.screen(Typed.className, fields)
    }
}

extension ValueRepresentable {
    /// Converts the result of a route or task.
    fileprivate init(checking value: Value, of target: Target) throws(RouteError) {
        do throws(ValueMismatch) { self = try Self(routeValue: value) } catch {
            var error = error.routeError
            error.message = "\(error.message) in the result of '\(target)'"
            throw error
        }
    }
}
