// SPDX-License-Identifier: MIT

internal import LuaVM

/// Finding screens, on the tree that stands or on the stage.
extension Router {
    /// The first screen that a finder accepts.
    ///
    /// - Parameters:
    ///   - finder: What to look for, and where.
    ///   - info: What it is compared with.
    ///   - navigation: For which navigation, if for one.
    ///   - window: Where to begin.
    /// - Returns: The screen, nil where there is none.
    /// - Throws: What a function of the finder raises.
    func find(
        _ finder: Finder,
        _ info: Table,
        for navigation: Navigation?,
        in window: Window
    ) throws(RouteError) -> ScreenID? {
        if finder.isNever {
            explaining?.notes(finder, info, navigation, from: nil, nil)
            return nil
        }
        if let screen = finder.screen {
            let found = tree.isAlive(screen) ? screen : nil
            explaining?.notes(finder, info, navigation, from: nil, found)
            return found
        }
        let topmost = tree.topmost(of: window)
        if finder.isPresenter {
            let found = tree[topmost].presenter
            explaining?.notes(finder, info, navigation, from: nil, found)
            return found
        }
        let start: ScreenID
        switch finder.start {
        case .topmost: start = topmost
        case .root: start = window.root
        case .function(let function):
            switch try generation.call(function, info, navigation) {
            case .screen(let screen) where tree.isAlive(screen): start = screen
            case .nil, .screen:
                explaining?.notes(finder, info, navigation, from: nil, nil)
                return nil
            case let other: throw .startGave(other.scriptKind, instead: "of a finder")
            }
        }
        let found = try find(finder, info, for: navigation, from: start)
        explaining?.notes(finder, info, navigation, from: start, found)
        return found
    }

    /// The first screen that a finder accepts, from a screen on.
    private func find(
        _ finder: Finder,
        _ info: Table,
        for navigation: Navigation?,
        from start: ScreenID
    ) throws(RouteError) -> ScreenID? {
        guard let match = finder.match else {
            return tree.first(from: start, finder.scope, topDown: finder.isTopDown) { screen in
                finder.accepts(screen, info)
            }
        }
        var candidates: [ScreenID] = []
        _ = tree.first(from: start, finder.scope, topDown: finder.isTopDown) { screen in
            if finder.accepts(screen, info) { candidates.append(screen.id) }
            return false
        }
        return try generation.first(of: candidates, where: match, info, navigation)
    }

    /// The first screen that a finder accepts in any window.
    func find(_ finder: Finder, _ info: Table) throws(RouteError) -> ScreenID? {
        for window in tree.windows {
            if let found = try find(finder, info, for: nil, in: window) { return found }
        }
        return nil
    }

    /// The screen that `popTo` means: the nearest from the top of the visible stack, else the
    /// nearest elsewhere in the window.
    ///
    /// - Throws: `notFound` where there is none.
    func screenToPopTo(_ finder: Finder, in window: Window) throws(RouteError) -> ScreenID {
        if let screen = finder.screen { return screen }
        var finder = finder
        finder.isTopDown = true
        if let nav = tree.nearest(.nav, from: tree.visibleLeaf(of: window)) {
            let candidates = tree[nav].children.reversed().filter {
                finder.accepts(tree[$0], Table())
            }
            if let match = finder.match {
                if let id = try generation.first(of: candidates, where: match, Table()) {
                    return id
                }
            } else if let id = candidates.first {
                return id
            }
        }
        if let found = try find(finder, Table(), for: nil, in: window) { return found }
        throw .noScreenToPopTo(finder.class)
    }

    // MARK: Recycling

    /// The screen that a route's policy goes back to, if there is one.
    ///
    /// - Parameters:
    ///   - step: The route.
    ///   - info: What it is asked for.
    ///   - stack: The stack on which its action would push, if it is one that stands.
    ///   - navigation: For which navigation.
    ///   - window: Where a policy that searches begins.
    /// - Returns: The screen, nil where the policy has none.
    /// - Throws: What a function of the policy raises.
    func recycle(
        _ step: Step,
        _ info: Table,
        in stack: ScreenID?,
        for navigation: Navigation,
        _ window: Window
    ) throws(RouteError) -> ScreenID? {
        if step.reuse.search != nil {
            guard let finder = step.reuse.finder(among: step.screenClasses) else { return nil }
            explaining?.purpose = .reuse
            return try find(finder, info, for: navigation, in: window)
        }
        let found = try recycle(step, info, in: stack, for: navigation)
        explaining?.notes(step.reuse, of: step, info, in: stack, found)
        return found
    }

    private func recycle(
        _ step: Step,
        _ info: Table,
        in stack: ScreenID?,
        for navigation: Navigation
    ) throws(RouteError) -> ScreenID? {
        guard let stack, let screens = tree.children(of: stack) else { return nil }
        func isOfRoute(_ screen: ScreenID) -> Bool {
            tree.class(of: screen).map(step.screenClasses.contains) ?? false
        }
        switch step.reuse.kind {
        case .never: return nil
        case .sameClass: return screens.last(where: isOfRoute)
        case .top: return screens.last.flatMap { isOfRoute($0) ? $0 : nil }
        case .fields(let fields):
            return screens.last { id in
                guard isOfRoute(id) else { return false }
                let screen = tree[id]
                return fields.allSatisfy { screen.fields[$0].isEqual(to: info[$0]) }
            }
        case .function(let predicate):
            return try generation.first(of: screens.reversed(), where: predicate, info, navigation)
        }
    }
}
