// SPDX-License-Identifier: MIT

/// Leaving verbs, which are navigations too: all or nothing.
extension Router {
    // MARK: The verbs of the host

    /// Goes back: pops the visible stack; at its first screen dismisses the level.
    ///
    /// Where there is nothing to leave, the navigation ends `stayed`.
    ///
    /// - Parameters:
    ///   - count: How often, from 1 on; it ends early where there is nothing more to leave.
    ///   - options: What the caller has to say about it; `via` and `from` are of no account.
    ///   - completion: Called once, when the navigation has ended.
    /// - Returns: The navigation, which tells how it ended.
    @discardableResult
    public func back(
        _ count: Int = 1,
        options: NavigationOptions = NavigationOptions(),
        completion: ((Navigation) -> Void)? = nil
    ) -> Navigation {
        begin(.back(count), options, completion: completion)
    }

    /// Makes a screen visible: pops the stacks it is in, dismisses what covers it.
    @discardableResult
    public func pop(
        to screen: ScreenID,
        options: NavigationOptions = NavigationOptions(),
        completion: ((Navigation) -> Void)? = nil
    ) -> Navigation {
        begin(.pop(to: Finder(.screen(screen))), options, completion: completion)
    }

    /// Pops the visible stack to its first screen; where that is visible, ends `stayed`.
    @discardableResult
    public func popToRoot(
        options: NavigationOptions = NavigationOptions(),
        completion: ((Navigation) -> Void)? = nil
    ) -> Navigation {
        begin(.popToRoot, options, completion: completion)
    }

    /// Dismisses the topmost level; where there is none above the root, ends `stayed`.
    @discardableResult
    public func dismiss(
        options: NavigationOptions = NavigationOptions(),
        completion: ((Navigation) -> Void)? = nil
    ) -> Navigation {
        begin(.dismiss, options, completion: completion)
    }

    /// Dismisses all levels above the root; where there are none, ends `stayed`.
    @discardableResult
    public func dismissAll(
        options: NavigationOptions = NavigationOptions(),
        completion: ((Navigation) -> Void)? = nil
    ) -> Navigation {
        begin(.dismissAll, options, completion: completion)
    }

    /// Closes a screen, however it was opened.
    ///
    /// In a stack it goes with what is above it; the first of a stack takes the stack along, a
    /// tab or a detail goes alone, the root of a level takes the level along. The root of a
    /// window cannot be closed: the navigation fails with `composition`.
    ///
    /// - Parameters:
    ///   - screen: The screen.
    ///   - value: What it leaves to whoever opened it.
    ///   - options: What the caller has to say about it; `via` and `from` are of no account.
    ///   - completion: Called once, when the navigation has ended.
    /// - Returns: The navigation, which tells how it ended.
    @discardableResult
    public func close(
        _ screen: ScreenID,
        value: Value = .nil,
        options: NavigationOptions = NavigationOptions(),
        completion: ((Navigation) -> Void)? = nil
    ) -> Navigation {
        begin(.close(screen, value: value), options, completion: completion)
    }

    /// Makes a screen visible, such as one in a tab: dismisses what covers it, selects the tabs and
    /// pops the stacks around it.
    @discardableResult
    public func select(
        _ tab: ScreenID,
        options: NavigationOptions = NavigationOptions(),
        completion: ((Navigation) -> Void)? = nil
    ) -> Navigation {
        begin(.select(tab), options, completion: completion)
    }

    /// Selects a tab by its number, from 1 on: of the innermost tabs around what is shown, or around
    /// what that covers.
    ///
    /// The navigation fails with `typeMismatch` where there are no tabs, with `composition` where
    /// they are fewer.
    @discardableResult
    public func select(
        _ number: Int,
        options: NavigationOptions = NavigationOptions(),
        completion: ((Navigation) -> Void)? = nil
    ) -> Navigation {
        begin(.selectTab(number), options, completion: completion)
    }

    /// Puts a new screen in the place of one, whatever that place is.
    ///
    /// What stands above the old one in its stack stays, and covers the new one; what the old
    /// one presents goes with it.
    @discardableResult
    public func replace(
        _ screen: ScreenID,
        with other: ScreenID,
        options: NavigationOptions = NavigationOptions(),
        completion: ((Navigation) -> Void)? = nil
    ) -> Navigation {
        begin(.replace(screen, with: other), options, completion: completion)
    }

    // MARK: What they do to the tree

    func arrangeBack(_ count: Int, _ navigation: Navigation) throws(RouteError) -> Arrangement {
        guard count >= 1 else { throw .tooFewScreens(count) }
        var window = try window(of: navigation)
        for step in 0..<count {
            let leaf = tree.visibleLeaf(of: window)
            guard try goBack(from: leaf) else {
                if step == 0 { return .nothing("there is nothing to go back to") }
                break
            }
            window = try self.window(of: navigation)
        }
        return .reached(tree.visibleLeaf(of: window))
    }

    /// Pops the innermost stack around a screen that holds more than one, else dismisses the
    /// modal in which it stands; returns false where there is neither.
    private func goBack(from leaf: ScreenID) throws(RouteError) -> Bool {
        var current = leaf
        while true {
            let screen = tree[current]
            if let parent = screen.parent {
                let container = tree[parent]
                if container.kind == .nav, container.children.count > 1 {
                    try tree.pop(to: container.children[container.children.count - 2])
                    return true
                }
                current = parent
            } else if let presenter = screen.presenter {
                tree.dismissModal(of: presenter)
                return true
            } else {
                return false
            }
        }
    }

    func arrangeDismissal(_ navigation: Navigation) throws(RouteError) -> Arrangement {
        let window = try window(of: navigation)
        guard let presenter = tree[tree.topmost(of: window)].presenter else {
            return .nothing("there is nothing to dismiss")
        }
        tree.dismissModal(of: presenter)
        return .reached(tree.visibleLeaf(of: window))
    }

    func arrangeDismissalOfAll(_ navigation: Navigation) throws(RouteError) -> Arrangement {
        let window = try window(of: navigation)
        guard tree.levels(of: window).count > 1 else {
            return .nothing("there is nothing to dismiss")
        }
        tree.dismissModal(of: window.root)
        return .reached(tree.visibleLeaf(of: window))
    }

    func arrangePopToRoot(_ navigation: Navigation) throws(RouteError) -> Arrangement {
        let window = try window(of: navigation)
        let leaf = tree.visibleLeaf(of: window)
        guard let nav = tree.nearest(.nav, from: leaf), let first = tree[nav].children.first,
            tree[nav].children.count > 1
        else { return .nothing("the first screen is visible already") }
        try tree.pop(to: first)
        return .reached(tree.visibleLeaf(of: window))
    }

    /// The screen in a tab of the innermost tabs around what a window shows, or what that covers.
    ///
    /// - Throws: `typeMismatch` where there are none, `composition` where they are fewer.
    package func tab(
        _ number: Int,
        window: String = Router.mainWindow
    ) throws(RouteError) -> ScreenID {
        let levels = tree.window(window).map { tree.levels(of: $0) } ?? []
        let around = levels.reversed().lazy.compactMap { [tree] level in
            tree.nearest(.tabs, from: tree.visibleLeaf(under: level))
        }
        guard let tabs = around.first, let children = tree.screen(tabs)?.children else {
            throw .noTabsAround()
        }
        guard number >= 1, number <= children.count else {
            throw .noSuchTab(Int64(number), children.count)
        }
        return children[number - 1]
    }

    func arrangeVisibility(of screen: ScreenID) throws(RouteError) -> ScreenID {
        try checkAlive(screen)
        tree.uncover(screen)
        try tree.makeVisible(screen)
        return screen
    }

    func arrangeClosing(_ screen: ScreenID, _ navigation: Navigation) throws(RouteError) -> ScreenID
    {
        try checkAlive(screen)
        try close(screen, in: tree[screen])
        let window = try window(of: navigation)
        return tree.visibleLeaf(of: window)
    }

    private func close(_ id: ScreenID, in screen: Screen) throws(RouteError) {
        if let presenter = screen.presenter {
            tree.dismissModal(of: presenter)
            return
        }
        guard let parent = screen.parent else { throw .closesWindow(screen) }
        let container = tree[parent]
        let rest = container.children.filter { $0 != id }
        switch container.kind {
        case .nav:
            let index = container.children.firstIndex(of: id) ?? 0
            if index == 0 { return try close(parent, in: container) }
            try tree.pop(to: container.children[index - 1])
        case .tabs, .container:
            if rest.isEmpty { return try close(parent, in: container) }
            try tree.setChildren(rest, of: parent)
        case .split:
            // Without its primary a split shows nothing.
            if container.children.first == id { return try close(parent, in: container) }
            try tree.setChildren(rest, of: parent)
        case .leaf, .foreign:
            break
        }
    }

    func arrangeReplacement(
        of id: ScreenID,
        by other: ScreenID
    ) throws(RouteError) -> ScreenID {
        try checkAlive(id)
        try tree.checkInsertable(other)
        let screen = tree[id]
        if let parent = screen.parent {
            try tree.setChildren(tree[parent].children.map { $0 == id ? other : $0 }, of: parent)
        } else if let presenter = screen.presenter {
            tree.dismissModal(of: presenter)
            try tree.present(other, from: presenter, screen.presentation)
        } else {
            try tree.replaceRoot(id, with: other)
        }
        return other
    }

    func checkAlive(_ screen: ScreenID) throws(RouteError) {
        try tree.checkOrigin(of: .screen(screen))
        guard tree.isAlive(screen) else { throw .isNotInTree(tree.screen(screen)) }
    }
}
