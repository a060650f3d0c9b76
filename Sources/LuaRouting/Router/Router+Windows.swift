// SPDX-License-Identifier: MIT

/// Windows: opening and closing them, and the window of a navigation.
extension Router {
    // MARK: The verbs of the host

    /// Opens a window with a root screen, behind the open windows.
    ///
    /// The first window is `main`. If a window with this name is open, or if the screen is already
    /// in a tree, the navigation fails with the code `composition`.
    ///
    /// - Parameters:
    ///   - name: The name of the window.
    ///   - screen: A detached screen, with its children.
    ///   - options: The options; `window`, `via` and `from` are ignored.
    ///   - completion: Called once, when the navigation has ended.
    /// - Returns: The navigation. Its `status` contains the outcome.
    @discardableResult
    public func openWindow(
        _ name: String,
        _ screen: ScreenID,
        options: NavigationOptions = NavigationOptions(),
        completion: ((Navigation) -> Void)? = nil
    ) -> Navigation {
        begin(.openWindow(name, screen), options.inWindow(name), completion: completion)
    }

    /// Closes a window with all its screens.
    ///
    /// As with every verb that leaves screens, `leaving` of a screen can stop the navigation.
    ///
    /// Pending work in the window is cancelled: its navigations end with the code `cancelled`, and
    /// results of its screens are `false, "left"`. The only open window cannot be closed: the
    /// navigation fails with `composition`.
    ///
    /// - Parameters:
    ///   - name: The name of the window.
    ///   - options: The options; `window`, `via` and `from` are ignored.
    ///   - completion: Called once, when the navigation has ended.
    /// - Returns: The navigation. Its `status` contains the outcome.
    @discardableResult
    public func closeWindow(
        _ name: String,
        options: NavigationOptions = NavigationOptions(),
        completion: ((Navigation) -> Void)? = nil
    ) -> Navigation {
        begin(.closeWindow(name), options.inWindow(name), completion: completion)
    }

    /// Opens a window, and waits until the navigation has ended; see
    /// ``openWindow(_:_:options:completion:)``.
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

    /// Closes a window, and waits until the navigation has ended; see
    /// ``closeWindow(_:options:completion:)``.
    @discardableResult
    nonisolated(nonsending)
        public func closeWindow(
            _ name: String,
            options: NavigationOptions = NavigationOptions()
        ) async throws(RouteError) -> Arrival
    {
        try await arrive(by: .closeWindow(name), options.inWindow(name))
    }

    // MARK: The window of a navigation

    /// Returns the window of a navigation whose options do not name a window; nil before the first
    /// tree exists.
    ///
    /// The window is determined when the navigation begins, because the screen that the request
    /// names may be removed later, and the first window may change.
    func windowName(for request: Act<ScreenID>, from place: ScreenID?) -> String? {
        let windows = tree.windows
        guard windows.count > 1 else { return windows.first?.name }
        if let screen = request.screen ?? place, let window = tree.window(of: screen) {
            return window.name
        }
        // A navigation that another navigation begins, such as to a login page, belongs in the same
        // window.
        return (windowOfNavigation ?? windows.first)?.name
    }

    // MARK: Work of a closed window

    /// Cancels the pending navigations of windows that a change has closed.
    func cancelWhatWaits(afterClosingBy difference: Difference) {
        for operation in difference.operations {
            // Closed windows are the first operations of a change.
            guard case .closeWindow(let name) = operation else { return }
            for navigation in queue.active + queue.ready + queue.gated
            where (navigation.options.window ?? RouterWindow.main) == name {
                cancel(navigation, .windowClosed(name))
            }
        }
    }

    // MARK: Reports

    /// Opens a window that the host has reported.
    ///
    /// - Returns: The screens in the window.
    func openWindow(
        _ name: String,
        reportedAs notation: TreeNotation
    ) throws(RouteError) -> [ScreenID] {
        guard Name.isValid(name) else { throw .notAName(name) }
        guard tree.window(name) == nil else { throw .windowIsOpen(name) }
        let root: ScreenID
        do throws(NotationError) {
            root = try notation.build(into: &tree, classes: classes)
        } catch {
            throw RouteError(.composition, error.message)
        }
        try tree.openWindow(name, root: root)
        return tree.screens(under: root)
    }

    /// Adds a modal that the host presents without the router.
    func present(
        foreign name: String,
        _ fields: Fields,
        over presenter: ScreenID
    ) throws(RouteError) -> ScreenID {
        try tree.checkAlive(presenter)
        // The host may name the presenter although it has already reported a screen over the
        // presenter.
        var level = tree.levelRoot(of: presenter)
        while let modal = tree[level].modal { level = modal }
        let screen = try makeForeign(name, fields)
        try tree.present(screen, from: level)
        return screen
    }

    /// Creates a screen for a view that the host shows without the router.
    func makeForeign(_ name: String, _ fields: Fields) throws(RouteError) -> ScreenID {
        guard Name.isValid(name) else { throw .notAName(name) }
        let declared = classes[name]
        if classes.declares(name) || Screen.Kind(impliedBy: name) != nil {
            guard declared.kind == .foreign else { throw .wrongKind(declared, expected: .foreign) }
        }
        for field in fields.names where fields[field].isTooDeep { throw .tooDeep() }
        return try tree.makeScreen(ScreenClass(name, kind: .foreign), fields: fields)
    }
}

extension NavigationOptions {
    /// Returns the options for opening or closing the window with the given name.
    func inWindow(_ name: String) -> NavigationOptions {
        var options = self
        options.window = name
        return options
    }
}
