// SPDX-License-Identifier: MIT

public import Foundation
public import LuaRouting

extension Router {
    /// Opens a URL, such as a universal link; see ``open(_:origin:options:completion:)``.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - origin: The origin: `external` for a deep link from outside of the app. If nil, the
    ///     origin in `options`, or `url` by default.
    ///   - options: The options.
    ///   - completion: Called once, when the navigation has ended.
    /// - Returns: The navigation; its `status` contains the outcome, or the reason why it waits.
    @discardableResult
    public func open(
        _ url: URL,
        origin: Origin? = nil,
        options: NavigationOptions = NavigationOptions(),
        completion: ((Navigation) -> Void)? = nil
    ) -> Navigation {
        open(url.absoluteString, origin: origin, options: options, completion: completion)
    }

    /// Opens a URL, such as a universal link, and waits until the navigation has ended.
    ///
    /// ```swift
    /// try await router.open(url, origin: .external)
    /// ```
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - origin: The origin: `external` for a deep link from outside of the app. If nil, the
    ///     origin in `options`, or `url` by default.
    ///   - options: The options.
    /// - Returns: The screen reached, or the reason why the navigation stayed.
    /// - Throws: The error of a navigation that failed or was cancelled; the tree is unchanged.
    @discardableResult
    nonisolated(nonsending)
        public func open(
            _ url: URL,
            origin: Origin? = nil,
            options: NavigationOptions = NavigationOptions()
        ) async throws(RouteError) -> Arrival
    {
        try await open(url.absoluteString, origin: origin, options: options)
    }
}
