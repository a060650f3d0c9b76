// SPDX-License-Identifier: MIT

internal import LuaVM

/// Navigation by route strings.
extension Router {
    /// Opens a route string: navigates to the target that the handler of its identifier returns.
    ///
    /// Equivalent to ``open(_:origin:options:completion:)`` with the text of the route string.
    @discardableResult
    public func open(
        _ route: AnyRoute,
        options: NavigationOptions = NavigationOptions(),
        completion: ((Navigation) -> Void)? = nil
    ) -> Navigation {
        begin(.url(ByteString(route.text)), options, completion: completion)
    }

    /// Opens a route string, and waits until the navigation has ended.
    ///
    /// - Returns: The screen that the navigation reached, or the reason why the navigation stayed.
    /// - Throws: The error of a navigation that failed or was cancelled; the tree is unchanged.
    @discardableResult
    nonisolated(nonsending)
        public func open(
            _ route: AnyRoute,
            options: NavigationOptions = NavigationOptions()
        ) async throws(RouteError) -> Arrival
    {
        try await arrive(by: .url(ByteString(route.text)), options)
    }

    /// Checks whether a route string can be opened, without navigating.
    ///
    /// The identifier must have a handler, and the payload must match the handler's declaration.
    ///
    /// The handler itself is not called.
    ///
    /// - Throws: `notFound`, with the most similar identifier if there is one, or `badInfo` with
    ///   the first parameter that is wrong.
    public func check(_ route: AnyRoute) throws(RouteError) {
        enter()
        let handler = try generation.declarations.handler(of: route.identifier)
        do throws(RouteError) {
            _ = try withoutEffects { () throws(RouteError) in
                try handler.info?.check(
                    handler.part(of: route.info),
                    hiding: generation.declarations.classes.privateNames
                ) { (function, value) throws(RouteError) in
                    try generation.runtime.call(function, arguments: [value])
                }
            }
        } catch {
            throw error.at(handler.location)
        }
    }
}
