// SPDX-License-Identifier: MIT

package import RouteCore

/// Makes the requested change in the open draft.
///
/// This file contains the leaving verbs, and the changes to windows and to single screens.
extension Stage {
    /// Makes the change that the navigation requests.
    package mutating func arrange() throws(RouteError) -> Arrangement {
        switch journey.request {
        case .url:
            preconditionFailure("a URL must be resolved to a route before the change is made")
        case .route: return try arrangeRoute()
        case .start(let info): return try arrangeStart(info)
        case .back(let count): return try arrangeBack(count)
        case .popToRoot: return try arrangePopToRoot()
        case .dismiss: return try arrangeDismissal()
        case .dismissAll: return try arrangeDismissalOfAll()
        case .vanish(let screen): return try arrangeVanishing(of: screen)
        case .pop(let finder):
            return .reached(try arrangeVisibility(of: try screenToPopTo(finder)))
        case .select(let screen): return .reached(try arrangeVisibility(of: screen))
        case .selectTab(let number):
            return .reached(try arrangeVisibility(of: try tree.tab(number, in: windowName)))
        case .close(let screen, _): return .reached(try arrangeClosing(of: screen))
        case .replace(let screen, let other, _):
            return .reached(try arrangeReplacement(of: screen, by: other))
        case .openWindow(let name, let screen):
            return .reached(try arrangeOpening(of: name, with: screen))
        case .closeWindow(let name): return .reached(try arrangeClosing(ofWindow: name))
        case .unready(let gate): return try arrangeLeaving(ofGate: gate)
        case .restore(let snapshot): return .reached(try arrangeRestoring(of: snapshot))
        }
    }

    package mutating func arrangeBack(_ count: Int) throws(RouteError) -> Arrangement {
        guard count >= 1 else { throw .tooFewScreens(count) }
        var window = try window()
        for step in 0..<count {
            let leaf = tree.visibleLeaf(of: window)
            guard try goBack(from: leaf) else {
                if step == 0 { return .stops(.nothing("there is nothing to go back to")) }
                break
            }
            window = try self.window()
        }
        return .reached(tree.visibleLeaf(of: window))
    }

    /// Pops the innermost stack that contains the given screen and has more than one screen.
    ///
    /// If there is no such stack, dismisses the modal around the screen.
    ///
    /// - Returns: False if neither is possible.
    private mutating func goBack(from leaf: ScreenID) throws(RouteError) -> Bool {
        switch tree.back(from: leaf) {
        case .pop(let screen): try tree.pop(to: screen)
        case .dismiss(let presenter): tree.dismissModal(of: presenter)
        case nil: return false
        }
        return true
    }

    package mutating func arrangeDismissal() throws(RouteError) -> Arrangement {
        let window = try window()
        guard let presenter = tree[tree.topmost(of: window)].presenter else {
            return .stops(.nothing("there is nothing to dismiss"))
        }
        tree.dismissModal(of: presenter)
        return .reached(tree.visibleLeaf(of: window))
    }

    package mutating func arrangeDismissalOfAll() throws(RouteError) -> Arrangement {
        let window = try window()
        guard tree.levels(of: window).count > 1 else {
            return .stops(.nothing("there is nothing to dismiss"))
        }
        tree.dismissModal(of: window.root)
        return .reached(tree.visibleLeaf(of: window))
    }

    package mutating func arrangePopToRoot() throws(RouteError) -> Arrangement {
        let window = try window()
        let leaf = tree.visibleLeaf(of: window)
        guard let nav = tree.nearest(.nav, from: leaf), tree[nav].childCount > 1 else {
            return .stops(.nothing("the first screen is visible already"))
        }
        try tree.pop(to: tree[nav].child(0))
        return .reached(tree.visibleLeaf(of: window))
    }

    package mutating func arrangeVisibility(of screen: ScreenID) throws(RouteError) -> ScreenID {
        try tree.checkAlive(screen)
        tree.uncover(screen)
        try tree.makeVisible(screen)
        return screen
    }

    package mutating func arrangeClosing(of screen: ScreenID) throws(RouteError) -> ScreenID {
        try tree.checkAlive(screen)
        try close(screen, in: tree[screen])
        return tree.visibleLeaf(of: try window())
    }

    private mutating func close(_ id: ScreenID, in screen: Screen) throws(RouteError) {
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
            // A split without a primary counts as empty.
            if container.children.first == id { return try close(parent, in: container) }
            try tree.setChildren(rest, of: parent)
        case .leaf, .foreign:
            break
        }
    }

    package mutating func arrangeReplacement(
        of id: ScreenID,
        by other: ScreenID
    ) throws(RouteError) -> ScreenID {
        try tree.checkAlive(id)
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

    // MARK: Screens of removed routes

    /// Removes a screen from the tree.
    ///
    /// A container that would become empty is also removed.
    package mutating func arrangeVanishing(of id: ScreenID) throws(RouteError) -> Arrangement {
        try tree.checkAlive(id)
        let window = try window()
        var isCovered = false
        tree.visit(id) { screen in
            if screen.modal != nil { isCovered = true }
        }
        if isCovered { return .stops(.nothing("a modal covers the screen")) }
        try vanish(id)
        return .reached(tree.visibleLeaf(of: window))
    }

    private mutating func vanish(_ id: ScreenID) throws(RouteError) {
        let screen = tree[id]
        if let presenter = screen.presenter {
            tree.dismissModal(of: presenter)
        } else if let parent = screen.parent {
            let container = tree[parent]
            guard !container.leaves(with: id) else { return try vanish(parent) }
            try tree.setChildren(container.children.filter { $0 != id }, of: parent)
        }
    }

    // MARK: Windows

    /// The maximum number of windows.
    package static let windowLimit = 64

    package mutating func arrangeOpening(
        of name: String,
        with screen: ScreenID
    ) throws(RouteError) -> ScreenID {
        guard Name.isValid(name) else { throw .notAName(name) }
        guard !tree.windows.isEmpty || name == RouterWindow.main else {
            throw .opensBeforeMain(name)
        }
        guard tree.windows.count < Self.windowLimit else {
            throw .tooManyPending("windows", Self.windowLimit)
        }
        try tree.openWindow(name, root: screen)
        return screen
    }

    package mutating func arrangeClosing(ofWindow name: String) throws(RouteError) -> ScreenID {
        try tree.closeWindow(name)
        guard let other = tree.windows.first else { throw .closesLastWindow(name) }
        return tree.visibleLeaf(of: other)
    }
}

/// Removes the screens of routes whose gate was closed.
extension Stage {
    /// Removes the screens of routes that name the gate in `ready`, together with the screens above
    /// them, in all windows.
    ///
    /// A foreign modal stays on its presenter, unless its policy is ``ForeignPolicy/dismiss``. A
    /// window that would lose its root is closed. Only the window `main` stays open, and shows the
    /// first tree again.
    mutating func arrangeLeaving(ofGate gate: String) throws(RouteError) -> Arrangement {
        let routes = Set(
            declarations.registeredSteps.filter { $0.ready.contains(gate) }.map(\.title)
        )
        var (isEmpty, startsAnew) = (true, false)
        for window in tree.windows {
            var gated: [ScreenID] = []
            var modals: [(presenter: ScreenID, modal: ScreenID)] = []
            tree.visit(window.root) { screen in
                if let route = screen.route, routes.contains(route) { gated.append(screen.id) }
                if let presenter = screen.presenter { modals.append((presenter, screen.id)) }
            }
            if gated.isEmpty { continue }
            isEmpty = false
            let above = modals.filter { tree.isOn($0.modal, Set(gated)) }
            for (presenter, modal) in above where !declarations.keepsForeign(modal, in: tree) {
                tree.dismissModal(of: presenter)
            }
            while let screen = gated.popLast() {
                guard tree.isAlive(screen) else { continue }
                if tree.removedByClosing(screen) != nil {
                    try close(screen, in: tree[screen])
                    continue
                }
                startsAnew = startsAnew || window.name == RouterWindow.main
                if window.name != RouterWindow.main { try tree.closeWindow(window.name) }
                break
            }
        }
        if isEmpty { return .stops(.nothing("no screen needs '\(gate)'")) }
        if startsAnew || tree.windows.isEmpty {
            if case .stops(let stop) = try arrangeStart(InfoTable()) {
                if case .closedGate(let closed) = stop {
                    throw .startNeedsGate(closed, leaving: gate)
                }
                return .stops(stop)
            }
        }
        return .reached(tree.visibleLeaf(of: tree.windows[0]))
    }
}

extension ScreenTree {
    /// Returns the screen that is removed if the given screen is closed.
    ///
    /// This is the screen itself, or a container that would become empty; nil if the root of a
    /// window would have to be removed.
    package func removedByClosing(_ id: ScreenID) -> ScreenID? {
        var current = id
        while let screen = self.screen(current) {
            if screen.presenter != nil { return current }
            guard let parent = screen.parent else { return nil }
            let container = self[parent]
            guard
                container.kind == .nav
                    ? container.children.first == current
                    : container.leaves(with: current)
            else { return current }
            current = parent
        }
        return nil
    }

    /// Whether a screen is one of the given screens, is inside one of them, is above one of them in
    /// a stack, or is presented over one of them.
    package func isOn(_ id: ScreenID, _ others: Set<ScreenID>) -> Bool {
        var current: ScreenID? = id
        while let id = current, let screen = self.screen(id) {
            if others.contains(id) { return true }
            if let parent = screen.parent {
                let container = self[parent]
                if container.kind == .nav,
                    container.children.prefix(while: { $0 != id }).contains(where: others.contains)
                {
                    return true
                }
                current = parent
            } else {
                current = screen.presenter.map {
                    screen.presentation.isContextual ? $0 : visibleLeaf(under: $0)
                }
            }
        }
        return false
    }
}

extension Screen {
    /// Whether the container must be removed if the given child is removed.
    package func leaves(with child: ScreenID) -> Bool {
        // A split without a primary counts as empty.
        children.count == 1 || kind == .split && children.first == child
    }
}

extension ScreenTree {
    /// The effect of a back action on a visible screen.
    package enum Back {
        /// The stack is popped to the given screen.
        case pop(to: ScreenID)
        case dismiss(presenter: ScreenID)
    }

    /// Returns the effect of a back action on a screen.
    ///
    /// The innermost stack that contains the screen and has more than one screen is popped. If
    /// there is no such stack, the modal around the screen is dismissed.
    ///
    /// - Returns: The effect; nil if neither is possible.
    package func back(from leaf: ScreenID) -> Back? {
        var current = leaf
        while let screen = self.screen(current) {
            if let presenter = screen.presenter { return .dismiss(presenter: presenter) }
            guard let parent = screen.parent, let container = self.screen(parent) else { break }
            if container.kind == .nav, container.childCount > 1 {
                return .pop(to: container.child(container.childCount - 2))
            }
            current = parent
        }
        return nil
    }

    /// Returns the tab with the given number, counted from 1, of the innermost tabs around the
    /// visible screen.
    ///
    /// If no tabs surround the visible screen in the topmost level, the levels below are searched.
    ///
    /// - Throws: `typeMismatch` if there are no tabs, `composition` if there is no tab with this
    ///   number.
    package func tab(_ number: Int, in window: String) throws(RouteError) -> ScreenID {
        let levels = self.window(window).map { self.levels(of: $0) } ?? []
        let around = levels.reversed().lazy.compactMap { level in
            nearest(.tabs, from: visibleLeaf(under: level))
        }
        guard let tabs = around.first, let children = screen(tabs)?.children else {
            throw .noTabsAround()
        }
        guard number >= 1, number <= children.count else {
            throw .noSuchTab(Int64(number), children.count)
        }
        return children[number - 1]
    }

    /// Checks that a screen is in the tree.
    ///
    /// - Throws: `composition` if the screen is not in the tree.
    package func checkAlive(_ screen: ScreenID) throws(RouteError) {
        try checkOrigin(of: .screen(screen))
        guard isAlive(screen) else { throw .isNotInTree(self.screen(screen)) }
    }

    /// Returns the name of the window for a navigation with the given options.
    package func windowName(of options: NavigationOptions) -> String {
        options.window ?? windows.first?.name ?? RouterWindow.main
    }
}
