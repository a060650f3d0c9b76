// SPDX-License-Identifier: MIT

/// Variants of the verbs for parameters in a dictionary literal that contains Swift variables.
///
/// A dictionary literal of literals is an ``InfoTable``. A literal with variables is a dictionary
/// of ``ValueConvertible`` values, in which an optional that is nil is left out.
///
/// ```swift
/// let (id, name): (Int, String?) = (7, nil)
/// router.navigate(Target("Page", "show"), info: ["id": id, "name": name])
/// ```
extension Router {
    /// Builds the first tree; see ``start(_:completion:)``.
    @_disfavoredOverload
    @discardableResult
    public func start(
        _ info: [String: (any ValueConvertible)?],
        completion: ((Navigation) -> Void)? = nil
    ) -> Navigation {
        start(InfoTable(info), completion: completion)
    }

    /// Builds the first tree, and waits until the navigation has ended; see ``start(_:)``.
    @_disfavoredOverload
    @discardableResult
    nonisolated(nonsending)
        public func start(
            _ info: [String: (any ValueConvertible)?]
        ) async throws(RouteError) -> Arrival
    {
        try await start(InfoTable(info))
    }

    /// Navigates to the screen of a target; see ``navigate(_:info:options:completion:)``.
    @_disfavoredOverload
    @discardableResult
    public func navigate(
        _ target: Target,
        info: [String: (any ValueConvertible)?],
        options: NavigationOptions = NavigationOptions(),
        completion: ((Navigation) -> Void)? = nil
    ) -> Navigation {
        navigate(target, info: InfoTable(info), options: options, completion: completion)
    }

    /// Navigates to the screen of a target, and waits until the navigation has ended; see
    /// ``navigate(_:info:options:)``.
    @_disfavoredOverload
    @discardableResult
    nonisolated(nonsending)
        public func navigate(
            _ target: Target,
            info: [String: (any ValueConvertible)?],
            options: NavigationOptions = NavigationOptions()
        ) async throws(RouteError) -> Arrival
    {
        try await navigate(target, info: InfoTable(info), options: options)
    }

    /// Navigates to the screen of a target without reporting the outcome; see
    /// ``go(_:info:options:)``.
    @_disfavoredOverload
    public func go(
        _ target: Target,
        info: [String: (any ValueConvertible)?],
        options: NavigationOptions = NavigationOptions()
    ) {
        go(target, info: InfoTable(info), options: options)
    }

    /// Navigates to a screen, and waits until the screen is left; see ``result(of:info:options:)``.
    @_disfavoredOverload
    @discardableResult
    nonisolated(nonsending)
        public func result(
            of target: Target,
            info: [String: (any ValueConvertible)?],
            options: NavigationOptions = NavigationOptions()
        ) async throws(RouteError) -> Value?
    {
        try await result(of: target, info: InfoTable(info), options: options)
    }

    /// Runs a task; see ``doTask(_:info:timeout:completion:)``.
    @_disfavoredOverload
    @discardableResult
    public func doTask(
        _ target: Target,
        info: [String: (any ValueConvertible)?],
        timeout: Double? = nil,
        completion: ((RouteTask) -> Void)? = nil
    ) -> RouteTask {
        doTask(target, info: InfoTable(info), timeout: timeout, completion: completion)
    }

    /// Runs a task, and waits until it has ended; see ``doTask(_:info:timeout:)``.
    @_disfavoredOverload
    @discardableResult
    nonisolated(nonsending)
        public func doTask(
            _ target: Target,
            info: [String: (any ValueConvertible)?],
            timeout: Double? = nil
        ) async throws(RouteError) -> Value
    {
        try await doTask(target, info: InfoTable(info), timeout: timeout)
    }

    /// Calls an exported function that may wait, and waits for its result; see ``call(_:_:)``.
    @_disfavoredOverload
    @discardableResult
    nonisolated(nonsending)
        public func call(
            _ name: String,
            _ argument: [String: (any ValueConvertible)?]
        ) async throws(RouteError) -> Value
    {
        try await call(name, InfoTable(argument))
    }

    /// Calls an exported function that may wait; see ``call(_:_:completion:)``.
    @_disfavoredOverload
    @discardableResult
    public func call(
        _ name: String,
        _ argument: [String: (any ValueConvertible)?],
        completion: @escaping (Result<Value, RouteError>) -> Void
    ) -> ExportedCall {
        call(name, InfoTable(argument), completion: completion)
    }

    /// Calls an exported function that does not wait; see ``call(_:_:)``.
    @_disfavoredOverload
    @discardableResult
    public func call(
        _ name: String,
        _ argument: [String: (any ValueConvertible)?]
    ) throws(RouteError) -> Value {
        try call(name, InfoTable(argument))
    }
}
