// SPDX-License-Identifier: MIT

internal import LuaVM

/// Putting screens into the tree: actions, and trees whose leaves are routes.
extension Router {
    /// Performs an action.
    ///
    /// - Parameters:
    ///   - action: The action.
    ///   - screen: What is put into the tree.
    ///   - place: The container that the action needs, or the place itself.
    ///   - info: The parameters, for finders of the action.
    ///   - navigation: For which navigation.
    /// - Throws: `composition` or `typeMismatch` where a rule of the tree is in the way, or what
    ///   a script raises.
    func perform(
        _ action: Action,
        _ screen: ScreenID,
        at place: ScreenID,
        _ info: Table,
        _ navigation: Navigation
    ) throws(RouteError) {
        switch action.kind {
        case .push: try tree.push(screen, onto: place)
        case .pushAsRoot: try tree.pushAsRoot(screen, onto: place)
        case .pushReplacingLast: try tree.pushReplacingLast(screen, onto: place)
        case .replaceLast: try tree.replaceLast(screen, in: place)
        case .addTab(let index, let isReplacing):
            try tree.addTab(screen, to: place, at: index, replacing: isReplacing)
        case .setAsPrimary: try tree.setAsPrimary(screen, in: place)
        case .pushToDetails: try tree.pushToDetails(screen, in: place)
        case .pushOnToDetails: try tree.pushOnToDetails(screen, in: place)
        case .present(let options):
            let start = try start(of: options, at: place, info, navigation)
            try tree.present(screen, from: start, options.presentation)
        case .presentWithNav(let options):
            try tree.checkInsertable(screen)
            let start = try start(of: options, at: place, info, navigation)
            let nav = try tree.makeScreen(classes["nav"], children: [screen])
            try tree.present(nav, from: start, options.presentation)
        case .replaceRoot:
            try tree.replaceRoot(place, with: screen)
        case .none: break
        case .declared(let name):
            let outer = navigation.isActing
            navigation.isActing = true
            defer { navigation.isActing = outer }
            try generation.perform(try generation.action(name), screen, at: place, navigation)
        }
    }

    /// The screen from which one is presented.
    private func start(
        of options: PresentOptions,
        at place: ScreenID,
        _ info: Table,
        _ navigation: Navigation
    ) throws(RouteError) -> ScreenID {
        switch options.start {
        case .current: return place
        case .topmostParent: return tree.levelRoot(of: place)
        case .finder(let finder):
            let window = try window(of: navigation)
            explaining?.purpose = .present
            let start = try whilePlanning(navigation) { () throws(RouteError) in
                try find(finder, info, for: navigation, in: window)
            }
            guard let start else { throw .nowhereToPresentFrom(finder) }
            return start
        }
    }

    /// Performs an action for a function of a script: on the container at or above a place.
    func act(
        _ action: Action,
        _ screen: ScreenID,
        at place: ScreenID,
        _ navigation: Navigation
    ) throws(RouteError) {
        try checkActing(navigation, "act")
        for id in [place, screen] where tree.screen(id) == nil { throw .isNotInTree(nil) }
        let place = try self.place(of: action, at: place)
        try perform(action, screen, at: place, navigation.info, navigation)
    }

    /// Sets the children of a container, for a function of a script.
    func setChildren(
        _ children: [ScreenID],
        of container: ScreenID,
        _ navigation: Navigation
    ) throws(RouteError) {
        try checkActing(navigation, "setChildren")
        try tree.setChildren(children, of: container)
    }

    private func checkActing(_ navigation: Navigation, _ name: String) throws(RouteError) {
        guard navigation.isActing, case .staging = turn else { throw .actsOutsideAction(name) }
    }

    // MARK: Trees of routes

    /// Checks what the leaves of a tree are asked for, and lets them refuse.
    func prepareLeaves(
        of blueprint: Blueprint,
        _ info: Table,
        _ navigation: Navigation,
        depth: Int = 1
    ) throws(RouteError) {
        guard depth <= Self.stepLimit else { throw .treeInsideItself(blueprint.class.name) }
        for child in blueprint.children {
            try count(navigation)
            switch child {
            case .template: break
            case .blueprint(let inner):
                try prepareLeaves(of: inner, info, navigation, depth: depth + 1)
            case .route(let leaf):
                let (step, info) = try resolve(leaf, info, navigation, tells: true)
                navigation.leafGates += step.ready
                let outer = navigation.step
                navigation.step = step
                defer { navigation.step = outer }
                do throws(RouteError) {
                    if let prepare = step.prepare {
                        let arguments: [ScriptValue] = [
                            .value(.table(info)), .navigation(navigation),
                        ]
                        try generation.prepare(prepare, arguments, step)
                    }
                    if case .blueprint(let inner) = step.build {
                        try prepareLeaves(of: inner, info, navigation, depth: depth + 1)
                    }
                } catch {
                    throw error.blaming(step)
                }
            }
        }
    }

    /// How many children the trees that a navigation plans and builds may have.
    static let leafLimit = 10_000

    /// How many children a script may give to a container that it makes.
    static let childLimit = 1_000

    /// Counts a child of a tree: where routes lead to trees of routes, few lines say many.
    private func count(_ navigation: Navigation) throws(RouteError) {
        navigation.leaves += 1
        guard navigation.leaves <= Self.leafLimit else { throw .tooManyLeaves() }
    }

    /// The route of a leaf, and what it is asked for.
    private func resolve(
        _ leaf: Blueprint.Leaf,
        _ info: Table,
        _ navigation: Navigation,
        tells: Bool = false
    ) throws(RouteError) -> (Step, Table) {
        var step = try generation.route(to: leaf.target)
        do throws(RouteError) {
            var info = info
            if let adapt = leaf.adapt { info = try generation.adapt(adapt, info, navigation) }
            step = try taken(step, info, for: navigation, tells: tells)
            return (step, try step.view(of: info, convert: generation.convert))
        } catch {
            throw error.blaming(step)
        }
    }

    /// Builds a tree: a container, then its children in order, each put into it by its action.
    func make(
        _ blueprint: Blueprint,
        _ info: Table,
        _ navigation: Navigation
    ) throws(RouteError) -> ScreenID {
        navigation.makingDepth += 1
        defer { navigation.makingDepth -= 1 }
        guard navigation.makingDepth <= Self.stepLimit else {
            throw .treeInsideItself(blueprint.class.name)
        }
        let container = try tree.makeScreen(blueprint.class)
        for child in blueprint.children {
            try count(navigation)
            switch child {
            case .template(let template):
                try append(try template.make(in: &tree), to: container)
            case .blueprint(let inner):
                try append(try make(inner, info, navigation), to: container)
            case .route(let leaf):
                try embed(leaf, info, in: container, navigation)
            }
        }
        if blueprint.class.shows == .selected, let children = tree.screen(container)?.children,
            blueprint.selection < children.count
        {
            try tree.select(children[blueprint.selection])
        }
        return container
    }

    private func embed(
        _ leaf: Blueprint.Leaf,
        _ info: Table,
        in container: ScreenID,
        _ navigation: Navigation
    ) throws(RouteError) {
        let (step, info) = try whilePlanning(navigation) { () throws(RouteError) in
            try resolve(leaf, info, navigation)
        }
        let screen: ScreenID
        do throws(RouteError) {
            guard let build = step.build else { throw .leafBuildsNothing(leaf.target) }
            let outer = (navigation.standingNav, navigation.step)
            // Nothing of a tree that is new can be recycled.
            (navigation.standingNav, navigation.step) = (nil, step)
            defer { (navigation.standingNav, navigation.step) = outer }
            screen = try make(build, step, info, navigation)
            emit(.build, navigation, at: step.place, fields(about: screen))
            try update(screen, step, info, navigation)
        } catch {
            throw error.blaming(step)
        }
        if let via = leaf.via {
            guard let need = try need(of: via), need.fits(tree[container]) else {
                throw .cannotEmbed(via, notation(of: container))
            }
            try perform(via, screen, at: container, info, navigation)
        } else {
            try append(screen, to: container)
        }
        navigation.trail.append(Stop(screen: screen, step: step, info: info))
    }

    private func append(_ screen: ScreenID, to container: ScreenID) throws(RouteError) {
        try tree.setChildren(tree[container].children + [screen], of: container)
    }
}

extension Step {
    /// The parameters as a step behind another sees them: those that it declares, checked; all
    /// where it declares none.
    func view(
        of info: Table,
        convert: (LuaFunction, Value) throws(RouteError) -> Value
    ) throws(RouteError) -> Table {
        guard let declaration = self.info else { return info }
        return try declaration.check(declaration.part(of: info), convert: convert)
    }

    /// Checks what the target of a navigation is asked for.
    func check(
        _ info: Table,
        convert: (LuaFunction, Value) throws(RouteError) -> Value
    ) throws(RouteError) -> Table {
        try self.info?.check(info, convert: convert) ?? info
    }
}
