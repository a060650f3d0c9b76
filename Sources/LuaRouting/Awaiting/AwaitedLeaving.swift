// SPDX-License-Identifier: MIT

/// Leaving verbs that the caller awaits.
///
/// Each has the same outcome as the verb of the same name with a completion: it throws the error of
/// a navigation that failed or was cancelled, and the tree is then unchanged. Cancelling the Swift
/// task cancels the navigation, unless the host applies its change already.
extension Router {
    /// Goes back, and waits for the end; see ``back(_:options:completion:)``.
    @discardableResult
    nonisolated(nonsending)
        public func back(
            _ count: Int = 1,
            options: NavigationOptions = NavigationOptions()
        ) async throws(RouteError) -> Arrival
    {
        try await arrive(by: .back(count), options)
    }

    /// Pops to a screen, and waits for the end; see ``pop(to:options:completion:)``.
    @discardableResult
    nonisolated(nonsending)
        public func pop(
            to screen: ScreenID,
            options: NavigationOptions = NavigationOptions()
        ) async throws(RouteError) -> Arrival
    {
        try await arrive(by: .pop(to: Finder(.screen(screen))), options)
    }

    /// Pops the visible stack to its first screen, and waits for the end; see
    /// ``popToRoot(options:completion:)``.
    @discardableResult
    nonisolated(nonsending)
        public func popToRoot(
            options: NavigationOptions = NavigationOptions()
        ) async throws(RouteError) -> Arrival
    {
        try await arrive(by: .popToRoot, options)
    }

    /// Dismisses the topmost level, and waits for the end; see ``dismiss(options:completion:)``.
    @discardableResult
    nonisolated(nonsending)
        public func dismiss(
            options: NavigationOptions = NavigationOptions()
        ) async throws(RouteError) -> Arrival
    {
        try await arrive(by: .dismiss, options)
    }

    /// Dismisses all levels above the root, and waits for the end; see
    /// ``dismissAll(options:completion:)``.
    @discardableResult
    nonisolated(nonsending)
        public func dismissAll(
            options: NavigationOptions = NavigationOptions()
        ) async throws(RouteError) -> Arrival
    {
        try await arrive(by: .dismissAll, options)
    }

    /// Closes a screen, and waits for the end; see ``close(_:value:options:completion:)``.
    @discardableResult
    nonisolated(nonsending)
        public func close(
            _ screen: ScreenID,
            value: Value = .nil,
            options: NavigationOptions = NavigationOptions()
        ) async throws(RouteError) -> Arrival
    {
        try await arrive(by: .close(screen, value: value), options)
    }

    /// Makes a screen visible, and waits for the end.
    @discardableResult
    nonisolated(nonsending)
        public func select(
            _ tab: ScreenID,
            options: NavigationOptions = NavigationOptions()
        ) async throws(RouteError) -> Arrival
    {
        try await arrive(by: .select(tab), options)
    }

    /// Selects a tab by its number, and waits for the end.
    @discardableResult
    nonisolated(nonsending)
        public func select(
            _ number: Int,
            options: NavigationOptions = NavigationOptions()
        ) async throws(RouteError) -> Arrival
    {
        try await arrive(by: .selectTab(number), options)
    }

    /// Replaces a screen by a new one, and waits for the end; see
    /// ``replace(_:with:value:options:completion:)``.
    @discardableResult
    nonisolated(nonsending)
        public func replace(
            _ screen: ScreenID,
            with other: ScreenID,
            value: Value = .nil,
            options: NavigationOptions = NavigationOptions()
        ) async throws(RouteError) -> Arrival
    {
        try await arrive(by: .replace(screen, with: other, value: value), options)
    }

    /// Opens a window, and waits for the end; see ``openWindow(_:_:options:completion:)``.
    @discardableResult
    nonisolated(nonsending)
        public func openWindow(
            _ name: String,
            _ screen: ScreenID,
            options: NavigationOptions = NavigationOptions()
        ) async throws(RouteError) -> Arrival
    {
        try await arrive(by: .openWindow(name, screen), options.inWindow(name))
    }

    /// Closes a window, and waits for the end; see ``closeWindow(_:options:completion:)``.
    @discardableResult
    nonisolated(nonsending)
        public func closeWindow(
            _ name: String,
            options: NavigationOptions = NavigationOptions()
        ) async throws(RouteError) -> Arrival
    {
        try await arrive(by: .closeWindow(name), options.inWindow(name))
    }

    /// Closes a gate, removes the screens that routes with it have built, and waits for the end; see
    /// ``unreadyLeaving(_:options:completion:)``.
    @discardableResult
    nonisolated(nonsending)
        public func unreadyLeaving(
            _ gate: String,
            options: NavigationOptions = NavigationOptions()
        ) async throws(RouteError) -> Arrival
    {
        enter()
        try closeGateAgain(gate)
        return try await arrive(by: .unready(gate), options)
    }
}
