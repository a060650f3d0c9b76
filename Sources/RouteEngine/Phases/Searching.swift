// SPDX-License-Identifier: MIT

package import RouteCore

/// Finds the screens that match finders and reuse policies.
extension Stage {
    /// Returns the first screen that matches a finder.
    ///
    /// - Parameters:
    ///   - finder: The finder.
    ///   - info: The parameters with which the finder compares fields.
    ///   - purpose: The purpose of the search; nil if a dry run should not record the search.
    ///   - window: The window in which the search starts.
    ///   - context: The context for functions of the finder.
    /// - Returns: The screen; nil if there is none.
    /// - Throws: The error that a function of the finder raises.
    package mutating func find(
        _ finder: Finder,
        with info: InfoTable,
        purpose: Trace.Purpose?,
        in window: RouterWindow,
        context: CallContext
    ) throws(RouteError) -> ScreenID? {
        var start: ScreenID?
        let found: ScreenID?
        switch finder.lookup(in: tree, window) {
        case .fixed(let screen): found = screen
        case .search(let screen):
            start = screen
            found = try find(finder, with: info, from: screen, in: context)
        case .asks(let function):
            start = try finder.start(try call(function, with: info, in: context), in: tree)
            found =
                try start.map { (start) throws(RouteError) in
                    try find(finder, with: info, from: start, in: context)
                } ?? nil
        }
        if let purpose {
            trace?.notes(
                finder,
                with: info,
                purpose: purpose,
                of: context.step,
                from: start,
                found: found,
                in: self
            )
        }
        return found
    }

    private mutating func find(
        _ finder: Finder,
        with info: InfoTable,
        from start: ScreenID,
        in context: CallContext
    ) throws(RouteError) -> ScreenID? {
        switch tree.search(from: start, finder, info) {
        case .ends(let screen): screen
        case .asks(let match, let candidates):
            try first(of: candidates, where: match, info, context)
        }
    }

    private mutating func first(
        of screens: [ScreenID],
        where predicate: ScriptFunction,
        _ info: InfoTable,
        _ context: CallContext
    ) throws(RouteError) -> ScreenID? {
        try scripts.first(
            of: screens,
            where: predicate,
            info,
            in: context,
            lending: &self
        )
    }

    /// Returns the screen to which `popTo` pops: the matching screen nearest to the top of the
    /// visible stack, or otherwise the nearest matching screen elsewhere in the window.
    ///
    /// - Throws: `notFound` if there is none.
    package mutating func screenToPopTo(_ finder: Finder) throws(RouteError) -> ScreenID {
        let window = try window()
        if let screen = finder.screen { return screen }
        var finder = finder
        finder.isTopDown = true
        // The functions of a leaving verb receive no navigation.
        let context = planning
        if let nav = tree.nearest(.nav, from: tree.visibleLeaf(of: window)) {
            let candidates = tree[nav].children.reversed().filter {
                finder.accepts(tree[$0], InfoTable())
            }
            if let match = finder.match {
                if let id = try first(of: candidates, where: match, InfoTable(), context) {
                    return id
                }
            } else if let id = candidates.first {
                return id
            }
        }
        if let found = try find(
            finder,
            with: InfoTable(),
            purpose: .find,
            in: window,
            context: context
        ) {
            return found
        }
        throw .noScreenToPopTo(finder.class)
    }

    // MARK: Reuse

    /// Returns the existing screen that a step reuses according to its policy.
    ///
    /// - Parameters:
    ///   - step: The step.
    ///   - info: The parameters of the step.
    ///   - stack: The stack on which the step's action would push; nil if there is none yet.
    ///   - window: The window in which the search of the policy starts.
    ///   - context: The context for functions of the policy.
    ///   - purpose: The purpose of the search; nil if a dry run should not record the search.
    /// - Returns: The screen; nil if there is none.
    /// - Throws: The error that a function of the policy raises.
    package mutating func recycle(
        _ step: Step,
        with info: InfoTable,
        in stack: ScreenID?,
        window: RouterWindow,
        context: CallContext,
        purpose: Trace.Purpose? = .reuse
    ) throws(RouteError) -> ScreenID? {
        if step.reuse.search != nil {
            let classes = world.learnedClasses.classes(of: step)
            guard let finder = step.reuse.finder(among: classes) else { return nil }
            return try find(finder, with: info, purpose: purpose, in: window, context: context)
        }
        let found = try recycle(step, with: info, in: stack, context: context)
        if purpose != nil { trace?.notes(step, with: info, in: stack, found: found, stage: self) }
        return found
    }

    private mutating func recycle(
        _ step: Step,
        with info: InfoTable,
        in stack: ScreenID?,
        context: CallContext
    ) throws(RouteError) -> ScreenID? {
        guard let stack else { return nil }
        switch tree.recycled(step, with: info, in: stack, classes: world.learnedClasses) {
        case .ends(let screen): return screen
        case .asks(let predicate, let screens):
            return try first(of: screens, where: predicate, info, context)
        }
    }
}

extension ScreenTree {
    /// Searches a stack for the screen that a step reuses, up to the first call to a Lua function.
    func recycled(
        _ step: Step,
        with info: InfoTable,
        in stack: ScreenID,
        classes: LearnedClasses
    ) -> SearchResult {
        func isOfStep(_ screen: ScreenID) -> Bool {
            self.class(of: screen).map { classes.contains($0, of: step) } ?? false
        }
        switch step.reuse.kind {
        case .never: return .ends(nil)
        case .sameClass: return .ends(lastChild(of: stack, where: isOfStep))
        case .top:
            let top = lastChild(of: stack) { _ in true }
            return .ends(top.flatMap { isOfStep($0) ? $0 : nil })
        case .fields(let fields):
            let screen = lastChild(of: stack) { id in
                guard isOfStep(id) else { return false }
                let screen = self[id]
                return fields.allSatisfy { screen.fields[$0].isEqual(to: info[$0]) }
            }
            return .ends(screen)
        case .function(let predicate):
            guard let screens = self.children(of: stack) else { return .ends(nil) }
            return .asks(predicate, about: screens.reversed())
        }
    }
}

extension Finder {
    /// The beginning of a search, before any Lua function is called.
    package enum Lookup {
        /// The result is known without a search; nil if there is no such screen.
        case fixed(ScreenID?)
        /// The tree is searched, starting at the given screen.
        case search(from: ScreenID)
        /// The function returns the screen at which the search starts.
        case asks(ScriptFunction)
    }

    /// Returns how a search in a window begins.
    package func lookup(in tree: ScreenTree, _ window: RouterWindow) -> Lookup {
        if isNever { return .fixed(nil) }
        if let screen { return .fixed(tree.isAlive(screen) ? screen : nil) }
        if isPresenter { return .fixed(tree[tree.topmost(of: window)].presenter) }
        switch start {
        case .topmost: return .search(from: tree.topmost(of: window))
        case .root: return .search(from: window.root)
        case .function(let function): return .asks(function)
        }
    }

    /// Returns the screen at which a search starts, given the result of the finder's `start`
    /// function; nil if the result is nil or a screen that is not in the tree.
    ///
    /// - Throws: `script` for any other value.
    package func start(_ result: Value, in tree: ScreenTree) throws(RouteError) -> ScreenID? {
        switch result {
        case .screen(let screen): tree.isAlive(screen) ? screen : nil
        case .nil: nil
        case let other: throw .startGave(other.scriptKind, instead: "of a finder")
        }
    }
}

extension ScreenTree {
    /// The result of a search up to the first call to a Lua function.
    package enum SearchResult {
        /// The first screen that matches; nil if there is none.
        case ends(ScreenID?)
        /// The screens for which the function must be called, in order.
        case asks(ScriptFunction, about: [ScreenID])
    }

    /// Searches for the screens that match a finder, in the finder's order.
    ///
    /// If the finder has no function, the search ends at the first matching screen.
    package func search(
        from start: ScreenID,
        _ finder: Finder,
        _ info: InfoTable
    ) -> SearchResult {
        guard let match = finder.match else {
            return .ends(
                first(from: start, finder.scope, topDown: finder.isTopDown) {
                    finder.accepts($0, info)
                }
            )
        }
        var screens: [ScreenID] = []
        _ = first(from: start, finder.scope, topDown: finder.isTopDown) { screen in
            if finder.accepts(screen, info) { screens.append(screen.id) }
            return false
        }
        return .asks(match, about: screens)
    }
}
