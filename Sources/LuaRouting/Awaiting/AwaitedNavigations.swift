// SPDX-License-Identifier: MIT

/// Async forms of the verbs that navigate.
///
/// Each function behaves like the verb of the same name with a completion handler. Cancelling the
/// Swift task cancels the navigation, unless the host is already applying the navigation's change.
extension Router {
    /// Navigates to the screen of a target, and waits until the navigation has ended.
    ///
    /// ```swift
    /// let arrival = try await router.navigate(Target("Page", "show"), info: ["id": 7])
    /// print(arrival.class ?? arrival.stayReason ?? "")
    /// ```
    ///
    /// If the Swift task is cancelled, the navigation is cancelled too, unless the host is already
    /// applying the navigation's change.
    ///
    /// - Parameters:
    ///   - target: The route.
    ///   - info: The parameters.
    ///   - options: The options.
    /// - Returns: The screen that the navigation reached, or the reason why the navigation stayed.
    /// - Throws: The error of a navigation that failed or was cancelled; the tree is unchanged.
    @discardableResult
    nonisolated(nonsending)
        public func navigate(
            _ target: Target,
            info: InfoTable = InfoTable(),
            options: NavigationOptions = NavigationOptions()
        ) async throws(RouteError) -> Arrival
    {
        try await arrive(by: .route(target, info: info), options)
    }

    /// Opens a URL or a route string, and waits until the navigation has ended; see
    /// ``open(_:origin:options:completion:)``.
    ///
    /// - Parameters:
    ///   - url: The URL, a bare path, or a route string.
    ///   - origin: The origin; if nil, the origin in `options`, or `url` by default.
    ///   - options: The options.
    /// - Returns: The screen that the navigation reached, or the reason why the navigation stayed.
    /// - Throws: The error of a navigation that failed or was cancelled; the tree is unchanged.
    @discardableResult
    nonisolated(nonsending)
        public func open(
            _ url: String,
            origin: Origin? = nil,
            options: NavigationOptions = NavigationOptions()
        ) async throws(RouteError) -> Arrival
    {
        try await arrive(by: .url(ByteString(url)), options.of(origin))
    }

    /// Builds the first tree, and waits until the navigation has ended; see
    /// ``start(_:completion:)-(InfoTable,_)``.
    ///
    /// - Parameter info: The table that the function of `router.start` receives.
    /// - Returns: The root screen.
    /// - Throws: The error of a navigation that failed or was cancelled; the tree is unchanged.
    @discardableResult
    nonisolated(nonsending)
        public func start(_ info: InfoTable = InfoTable()) async throws(RouteError) -> Arrival
    {
        try await arrive(by: .start(info: info), NavigationOptions())
    }

    /// Navigates to the screen of a target.
    ///
    /// Use this function for buttons and other callers that do not need the outcome.
    ///
    /// A failure is logged: an event `log` with the level `warn` contains the code, the target and
    /// the message.
    ///
    /// ```swift
    /// router.go(Target("Page", "show"), info: ["id": 7])
    /// ```
    ///
    /// - Parameters:
    ///   - target: The route.
    ///   - info: The parameters.
    ///   - options: The options.
    public func go(
        _ target: Target,
        info: InfoTable = InfoTable(),
        options: NavigationOptions = NavigationOptions()
    ) {
        navigate(target, info: info, options: options)
    }
}

extension NavigationOptions {
    /// Returns the options with another origin, or the same options if the origin is nil.
    func of(_ origin: Origin?) -> NavigationOptions {
        var options = self
        options.origin = origin ?? options.origin
        return options
    }
}
