// SPDX-License-Identifier: MIT

/// What a navigation does to the tree, on the draft that is open.
extension Router {
    /// Thrown where a navigation has nothing to do, which is not an error.
    struct Stays: Error {
        let reason: String
    }

    /// Makes and places the screens of a navigation.
    ///
    /// - Returns: The screen that it reaches.
    /// - Throws: ``RouteError``, or ``Stays``.
    func arrange(_ navigation: Navigation) throws -> ScreenID {
        switch navigation.request {
        case .route: try arrangeRoute(navigation)
        case .start(let info): try arrangeStart(info, navigation)
        case .back(let count): try arrangeBack(count, navigation)
        case .pop(let finder): try arrangeVisibility(of: generation.screenToPopTo(finder))
        case .select(let screen): try arrangeVisibility(of: screen)
        case .popToRoot: try arrangePopToRoot(navigation)
        case .dismiss: try arrangeDismissal(navigation)
        case .dismissAll: try arrangeDismissalOfAll(navigation)
        case .close(let screen, _): try arrangeClosing(screen, navigation)
        }
    }

    // MARK: Routes

    private func arrangeRoute(_ navigation: Navigation) throws -> ScreenID {
        guard let definition = navigation.definition else {
            preconditionFailure("a navigation is resolved before it is staged")
        }
        do {
            let via = navigation.options.via ?? definition.via ?? .push
            let place = try place(for: via, navigation)
            if via == .push { navigation.stack = place }
            tree.uncover(place)
            let screen = try screen(of: definition, navigation)
            try integrate(screen, via, at: place, in: windowName(of: navigation))
            tree.uncover(screen)
            try tree.makeVisible(screen)
            return screen
        } catch let error as RouteError {
            throw error.blaming(definition)
        }
    }

    /// The screen that a route recycles or builds, updated.
    private func screen(of definition: Definition, _ navigation: Navigation) throws -> ScreenID {
        let recycled = try recycle(definition, navigation)
        let screen = try recycled ?? generation.build(definition, for: navigation)
        // A provider that returns a screen that stands has found it, by `reuse` or otherwise.
        let by = recycled != nil || navigation.found == screen ? "reuse" : "provider"
        navigation.found = recycled != nil || tree.isAlive(screen) ? screen : nil
        if navigation.found != nil {
            emit(
                .find,
                navigation,
                at: definition.place,
                [("by", Value(by))] + fields(about: screen)
            )
        } else {
            emit(.build, navigation, at: definition.place, fields(about: screen))
        }
        try fill(screen, definition, navigation.info)
        if let update = definition.update {
            emit(.update, navigation, at: definition.place, fields(about: screen))
            try generation.call(update, screen, navigation)
        }
        return screen
    }

    /// Sets the declared fields of a screen that are named in the declaration of the info.
    ///
    /// An optional one that is absent is unset.
    private func fill(
        _ screen: ScreenID,
        _ definition: Definition,
        _ info: Table
    ) throws(RouteError) {
        guard let declaration = definition.info, let name = tree.screen(screen)?.class else {
            return
        }
        for field in classes[name].fields where declaration.declaresField(field) {
            try tree.setField(field, to: info[field], of: screen)
        }
    }

    // MARK: Recycling

    /// The screen of the stack that a route's policy goes back to, if there is one.
    private func recycle(
        _ definition: Definition,
        _ navigation: Navigation
    ) throws(RouteError) -> ScreenID? {
        guard let nav = navigation.stack, let stack = tree.screen(nav)?.children else { return nil }
        let found: ScreenID?
        switch definition.reuse.kind {
        case .never:
            return nil
        case .sameClass:
            found = stack.last { definition.screenClasses.contains(tree[$0].class) }
        case .top:
            found = stack.last.flatMap {
                definition.screenClasses.contains(tree[$0].class) ? $0 : nil
            }
        case .fields(let fields):
            found = stack.last { id in
                let screen = tree[id]
                return definition.screenClasses.contains(screen.class)
                    && fields.allSatisfy { screen.fields[$0].isEqual(to: navigation.info[$0]) }
            }
        case .function(let predicate):
            found = try firstOf(stack.reversed()) { (id) throws(RouteError) in
                try generation.holds(predicate, for: id, navigation)
            }
        }
        if let found, definition.reuse.moves, stack.last != found {
            try tree.setChildren(stack.filter { $0 != found } + [found], of: nav)
        }
        return found
    }

    private func firstOf(
        _ screens: [ScreenID],
        where holds: (ScreenID) throws(RouteError) -> Bool
    ) throws(RouteError) -> ScreenID? {
        for id in screens where try holds(id) { return id }
        return nil
    }

    /// Where an action is performed: the container that it needs, at or above the place that
    /// the caller names or on its visible path, or else around what the window shows.
    private func place(for via: Via, _ navigation: Navigation) throws(RouteError) -> ScreenID {
        let window = try window(of: navigation)
        let from = navigation.options.from
        if let from { try checkAlive(from) }
        switch via {
        case .push:
            guard let nav = nearestNav(from: from, in: window) else { throw .noPlace(for: via) }
            return nav
        case .present, .presentWithNav:
            return from ?? tree.topmost(of: window)
        case .replaceRoot:
            return window.root
        }
    }

    private func nearestNav(from place: ScreenID?, in window: Window) -> ScreenID? {
        let leaf = tree.visibleLeaf(of: window)
        guard let place else { return tree.nearest(.nav, from: leaf) }
        return tree.nearest(.nav, from: place)
            ?? tree.nearest(.nav, from: tree.visibleLeaf(under: place))
    }

    /// The stack on which a push without a place would push, if there is one.
    var standingNav: ScreenID? {
        if let navigation = currentNavigation, case .staging = turn { return navigation.stack }
        guard let window = tree.windows.first else { return nil }
        return nearestNav(from: nil, in: window)
    }

    private func integrate(
        _ screen: ScreenID,
        _ via: Via,
        at place: ScreenID,
        in window: String
    ) throws(RouteError) {
        switch via {
        case .push:
            try tree.push(screen, onto: place)
        case .present:
            try tree.present(screen, from: place)
        case .presentWithNav:
            try tree.checkInsertable(screen)
            let nav = try tree.makeScreen(classes["nav"], children: [screen])
            try tree.present(nav, from: place)
        case .replaceRoot:
            try tree.setRoot(screen, of: window)
        }
    }

    // MARK: The first tree

    private func arrangeStart(_ info: Table, _ navigation: Navigation) throws -> ScreenID {
        let root = try generation.buildFirstTree(info)
        emit(.build, navigation, at: generation.startPlace, fields(about: root))
        try tree.setRoot(root, of: windowName(of: navigation))
        return root
    }

    // MARK: Windows

    func windowName(of navigation: Navigation) -> String {
        if let name = navigation.options.window { return name }
        if let from = navigation.options.from, let window = tree.window(of: from) {
            return window.name
        }
        return tree.windows.first?.name ?? "main"
    }

    func window(of navigation: Navigation) throws(RouteError) -> Window {
        let name = windowName(of: navigation)
        guard let window = tree.window(name) else {
            throw tree.windows.isEmpty
                ? .noTree(window: name) : .noWindow(name, among: tree.windows.map(\.name))
        }
        return window
    }
}

extension RouteError {
    /// The error with the route's step, and its place where it has none of its own.
    func blaming(_ definition: Definition) -> RouteError {
        var error = self
        error.step = error.step ?? definition.target.description
        error.location = error.location ?? definition.place
        return error
    }
}
