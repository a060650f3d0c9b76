// SPDX-License-Identifier: MIT

/// Verbs that leave screens.
///
/// Each verb starts a navigation. A navigation has either its complete effect or none.
extension Router {
    // MARK: The verbs of the host

    /// Goes back: pops the visible stack or, if only one screen is left in it, dismisses the level.
    ///
    /// If there is no screen to leave, the navigation ends `stayed`.
    ///
    /// - Parameters:
    ///   - count: The number of steps, at least 1. The navigation takes fewer steps if there are no
    ///     more screens to leave.
    ///   - options: The options; `via` and `from` are ignored.
    ///   - completion: Called once, when the navigation has ended.
    /// - Returns: The navigation. Its `status` contains the outcome.
    @discardableResult
    public func back(
        _ count: Int = 1,
        options: NavigationOptions = NavigationOptions(),
        completion: ((Navigation) -> Void)? = nil
    ) -> Navigation {
        begin(.back(count), options, completion: completion)
    }

    /// Makes a screen visible: pops the stacks around it, and dismisses the levels that cover it.
    @discardableResult
    public func pop(
        to screen: ScreenID,
        options: NavigationOptions = NavigationOptions(),
        completion: ((Navigation) -> Void)? = nil
    ) -> Navigation {
        begin(.pop(to: Finder(.screen(screen))), options, completion: completion)
    }

    /// Pops the visible stack to its first screen.
    ///
    /// If that screen is already visible, the outcome is `stayed`.
    @discardableResult
    public func popToRoot(
        options: NavigationOptions = NavigationOptions(),
        completion: ((Navigation) -> Void)? = nil
    ) -> Navigation {
        begin(.popToRoot, options, completion: completion)
    }

    /// Dismisses the topmost level; ends `stayed` if there is no level above the root.
    @discardableResult
    public func dismiss(
        options: NavigationOptions = NavigationOptions(),
        completion: ((Navigation) -> Void)? = nil
    ) -> Navigation {
        begin(.dismiss, options, completion: completion)
    }

    /// Dismisses all levels above the root; ends `stayed` if there are none.
    @discardableResult
    public func dismissAll(
        options: NavigationOptions = NavigationOptions(),
        completion: ((Navigation) -> Void)? = nil
    ) -> Navigation {
        begin(.dismissAll, options, completion: completion)
    }

    /// Closes a screen, regardless of how it was opened.
    ///
    /// The screens above the closed screen in its stack are closed too. If the screen is the first
    /// one of a stack, the whole stack is closed; if it is the root of a level, the level is
    /// closed. If the screen is a tab or a detail, only this screen is closed. The root of a window
    /// cannot be closed: the navigation fails with `composition`.
    ///
    /// - Parameters:
    ///   - screen: The screen.
    ///   - value: The result for the navigation that opened the screen.
    ///   - options: The options; `via` and `from` are ignored.
    ///   - completion: Called once, when the navigation has ended.
    /// - Returns: The navigation. Its `status` contains the outcome.
    @discardableResult
    public func close(
        _ screen: ScreenID,
        value: Value = .nil,
        options: NavigationOptions = NavigationOptions(),
        completion: ((Navigation) -> Void)? = nil
    ) -> Navigation {
        begin(.close(screen, value: value), options, completion: completion)
    }

    /// Makes a screen visible, such as a screen in a tab: dismisses the levels that cover it,
    /// selects the tabs and pops the stacks around it.
    @discardableResult
    public func select(
        _ tab: ScreenID,
        options: NavigationOptions = NavigationOptions(),
        completion: ((Navigation) -> Void)? = nil
    ) -> Navigation {
        begin(.select(tab), options, completion: completion)
    }

    /// Selects a tab by its number, starting at 1, in the innermost tabs around the visible screen
    /// or around the screens that it covers.
    ///
    /// The navigation fails with `typeMismatch` if there are no tabs, and with `composition` if
    /// there is no tab with this number.
    @discardableResult
    public func select(
        _ number: Int,
        options: NavigationOptions = NavigationOptions(),
        completion: ((Navigation) -> Void)? = nil
    ) -> Navigation {
        begin(.selectTab(number), options, completion: completion)
    }

    /// Replaces a screen with a new one, at any position.
    ///
    /// The screens above the old screen in its stack stay above the new one. The screens that the
    /// old screen presents are removed with it.
    ///
    /// - Parameters:
    ///   - screen: The screen. It may be the root of a window.
    ///   - other: A detached screen, with its children.
    ///   - value: The result for the navigation that opened the old screen; nil for no result, as
    ///     if the user had left the screen.
    ///   - options: The options; `via` and `from` are ignored.
    ///   - completion: Called once, when the navigation has ended.
    /// - Returns: The navigation. Its `status` contains the outcome.
    @discardableResult
    public func replace(
        _ screen: ScreenID,
        with other: ScreenID,
        value: Value = .nil,
        options: NavigationOptions = NavigationOptions(),
        completion: ((Navigation) -> Void)? = nil
    ) -> Navigation {
        begin(.replace(screen, with: other, value: value), options, completion: completion)
    }

    /// Returns the screen in a tab of the innermost tabs around the visible screen of a window or
    /// around the screens that it covers.
    ///
    /// - Throws: `typeMismatch` if there are no tabs; `composition` if there is no tab with this
    ///   number.
    package func tab(
        _ number: Int,
        window: String = RouterWindow.main
    ) throws(RouteError) -> ScreenID {
        try tree.tab(number, in: window)
    }
}

/// Async forms of the verbs that leave screens.
///
/// Each function behaves like the verb of the same name with a completion handler. The function
/// throws the error of a navigation that failed or was cancelled; the tree is then unchanged.
/// Cancelling the Swift task cancels the navigation, unless the host is already applying its
/// change.
extension Router {
    /// Goes back, and waits until the navigation has ended; see ``back(_:options:completion:)``.
    @discardableResult
    nonisolated(nonsending)
        public func back(
            _ count: Int = 1,
            options: NavigationOptions = NavigationOptions()
        ) async throws(RouteError) -> Arrival
    {
        try await arrive(by: .back(count), options)
    }

    /// Pops to a screen, and waits until the navigation has ended; see
    /// ``pop(to:options:completion:)``.
    @discardableResult
    nonisolated(nonsending)
        public func pop(
            to screen: ScreenID,
            options: NavigationOptions = NavigationOptions()
        ) async throws(RouteError) -> Arrival
    {
        try await arrive(by: .pop(to: Finder(.screen(screen))), options)
    }

    /// Pops the visible stack to its first screen, and waits until the navigation has ended; see
    /// ``popToRoot(options:completion:)``.
    @discardableResult
    nonisolated(nonsending)
        public func popToRoot(
            options: NavigationOptions = NavigationOptions()
        ) async throws(RouteError) -> Arrival
    {
        try await arrive(by: .popToRoot, options)
    }

    /// Dismisses the topmost level, and waits until the navigation has ended; see
    /// ``dismiss(options:completion:)``.
    @discardableResult
    nonisolated(nonsending)
        public func dismiss(
            options: NavigationOptions = NavigationOptions()
        ) async throws(RouteError) -> Arrival
    {
        try await arrive(by: .dismiss, options)
    }

    /// Dismisses all levels above the root, and waits until the navigation has ended; see
    /// ``dismissAll(options:completion:)``.
    @discardableResult
    nonisolated(nonsending)
        public func dismissAll(
            options: NavigationOptions = NavigationOptions()
        ) async throws(RouteError) -> Arrival
    {
        try await arrive(by: .dismissAll, options)
    }

    /// Closes a screen, and waits until the navigation has ended; see
    /// ``close(_:value:options:completion:)``.
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

    /// Makes a screen visible, and waits until the navigation has ended.
    @discardableResult
    nonisolated(nonsending)
        public func select(
            _ tab: ScreenID,
            options: NavigationOptions = NavigationOptions()
        ) async throws(RouteError) -> Arrival
    {
        try await arrive(by: .select(tab), options)
    }

    /// Selects a tab by its number, and waits until the navigation has ended.
    @discardableResult
    nonisolated(nonsending)
        public func select(
            _ number: Int,
            options: NavigationOptions = NavigationOptions()
        ) async throws(RouteError) -> Arrival
    {
        try await arrive(by: .selectTab(number), options)
    }

    /// Replaces a screen with a new one, and waits until the navigation has ended; see
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
}
