// SPDX-License-Identifier: MIT

internal import LuaVM

/// Guards decide whether the user may remove screens without a call to `leaving`.
extension Router {
    /// Returns the strictest guard of the given screens and of all screens that would be removed
    /// with them: their content, the screens above them in their stack, and the modals over all of
    /// these screens.
    ///
    /// The guard of a screen depends on its class. It is `never` while the `dismissible` of the
    /// class is false, and otherwise `asks` while `guarded` is true. For a class without `guarded`,
    /// the guard is `asks` if the class declares `leaving`. If one of these functions raises an
    /// error, the guard is `asks`, and the request that follows fails with the error. The guard of
    /// a screen that is not in the tree is `free`.
    ///
    /// A host calls this function when a gesture begins:
    ///
    /// ```swift
    /// let options = NavigationOptions(origin: .person)
    /// switch router.guard(of: [page]) {
    /// case .free: print("begin the gesture, then report what it removed")
    /// case .asks: router.back(options: options)
    /// case .never: break
    /// }
    /// ```
    ///
    /// - Complexity: O(*n*) in the number of screens that would be removed.
    public func `guard`(of screens: [ScreenID]) -> Guard {
        enter()
        var known: [ScreenID: Guard] = [:]
        return screens.map { strictestGuard(of: $0, &known) }.max() ?? .free
    }

    /// Returns the screens that a report removes from their stack, container or presenter.
    func screens(removedBy report: Report) -> [ScreenID] {
        switch report {
        case .children(let children, let container):
            let all = tree.screen(container)?.children ?? []
            return all.filter { !children.contains($0) }
        case .dismissed(let presenter):
            guard tree.isAlive(presenter) else { return [] }
            return holder(ofModalOver: presenter).flatMap { tree[$0].modal }.map { [$0] } ?? []
        case .selected, .reselected, .presented, .pushed, .opened, .closed: return []
        }
    }

    /// Returns the guard of the screens that a report would remove.
    package func `guard`(of report: Report) -> Guard {
        self.guard(of: screens(removedBy: report))
    }

    /// Logs a warning, once for each class, about guarded screens that the host has removed.
    func warnAboutGuarded(removedBy reports: [Report]) {
        let declarations = serving.declarations
        guard declarations.guardsScreens else { return }
        for removed in reports.flatMap(screens(removedBy:)) {
            for screen in tree.screens(under: removed).map({ tree[$0] }) {
                let rules = declarations.guardingDeclaration(ofClass: screen.class)
                let guarded = rules.map { self.guard(of: screen, by: $0) } ?? .free
                guard guarded != .free, world.warnedClasses.insert(screen.class).inserted else {
                    continue
                }
                log(
                    "warn",
                    "the host removed '\(screen.class)', whose guard is '\(guarded)' (check "
                        + "'Router.guard(of:)' first, and call 'back' or 'dismiss' with the origin "
                        + "'person' instead of removing the screen)"
                )
            }
        }
    }

    /// The guards of the visible screens, except guards that are `free`.
    var visibleGuards: [ScreenID: Guard] {
        guard !queue.isShutDown, serving.declarations.guardsScreens else { return [:] }
        var known: [ScreenID: Guard] = [:]
        var guards: [ScreenID: Guard] = [:]
        for window in tree.windows {
            let top = tree.topmost(of: window)
            // Whatever is removed with a visible screen is in or above the topmost level.
            if strictestGuard(of: top, &known) == .free { continue }
            for id in tree.screens(under: top) where tree.isVisible(id) {
                let strictest = strictestGuard(of: id, &known)
                if strictest != .free { guards[id] = strictest }
            }
        }
        return guards
    }

    /// Whether the guards of the visible screens differ from the guards that the host last
    /// received.
    var mustReportGuards: Bool {
        queue.eventBeforeChange != world.lastEvent && !queue.isOutOfSync
            && visibleGuards != world.guards
    }

    private func strictestGuard(of id: ScreenID, _ known: inout [ScreenID: Guard]) -> Guard {
        guard !queue.isShutDown, serving.declarations.guardsScreens, tree.isAlive(id) else {
            return .free
        }
        var removed = [id][...]
        if let parent = tree[id].parent, tree[parent].kind == .nav {
            removed = tree[parent].children.drop { $0 != id }
        }
        var strictest = Guard.free
        let declarations = serving.declarations
        for root in removed {
            tree.visit(root) { screen in
                // Most classes have no rules, so their screens are not stored.
                guard let rules = declarations.guardingDeclaration(ofClass: screen.class) else {
                    return
                }
                let own = known[screen.id] ?? self.guard(of: screen, by: rules)
                known[screen.id] = own
                strictest = max(strictest, own)
            }
        }
        return strictest
    }

    /// Returns the guard of a screen, regardless of the screens that are removed with it.
    private func `guard`(of screen: Screen, by rules: ClassDeclaration) -> Guard {
        if case .always(false)? = rules.dismissal { return .never }
        func isTrue(_ function: ScriptFunction) throws(RouteError) -> Bool {
            try lending.calling(for: serving) { () throws(RouteError) in
                try withoutEffects { () throws(RouteError) in
                    try generation.runtime.call(function.lua, arguments: [.screen(screen.id)])
                        .isTrue
                }
            }
        }
        do throws(RouteError) {
            if case .function(let function)? = rules.dismissal, try !isTrue(function) {
                return .never
            }
            let isAsked = try rules.guarded.map(isTrue) ?? (rules.leaving != nil)
            return isAsked ? .asks : .free
        } catch {
            return .asks
        }
    }
}
