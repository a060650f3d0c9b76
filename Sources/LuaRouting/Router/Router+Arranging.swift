// SPDX-License-Identifier: MIT

internal import LuaVM

/// What a navigation does to the tree, on the draft that is open.
extension Router {
    /// The result of arranging the screens of a navigation.
    enum Arrangement {
        case reached(ScreenID)
        /// There is nothing to do, with the reason.
        case nothing(String)
        /// The plan is outdated: building a screen has shown that an existing one could be reused.
        case outdatedPlan
    }

    /// Makes and places the screens of a navigation.
    func arrange(_ navigation: Navigation) throws(RouteError) -> Arrangement {
        switch navigation.request {
        case .route:
            guard let screen = try arrangeRoute(navigation) else { return .outdatedPlan }
            return .reached(screen)
        case .back(let count): return try arrangeBack(count, navigation)
        case .popToRoot: return try arrangePopToRoot(navigation)
        case .dismiss: return try arrangeDismissal(navigation)
        case .dismissAll: return try arrangeDismissalOfAll(navigation)
        case .vanish(let screen): return try arrangeVanishing(screen, navigation)
        case .url, .start, .pop, .select, .selectTab, .close, .replace, .openWindow, .closeWindow,
            .restore:
            return .reached(try arrangeScreen(of: navigation))
        }
    }

    /// Carries out a request that always has something to do.
    private func arrangeScreen(of navigation: Navigation) throws(RouteError) -> ScreenID {
        switch navigation.request {
        case .url: preconditionFailure("a URL has led to a route, or its navigation has ended")
        case .start(let info): try arrangeStart(info, navigation)
        case .pop(let finder):
            try arrangeVisibility(of: screenToPopTo(finder, in: window(of: navigation)))
        case .select(let screen): try arrangeVisibility(of: screen)
        case .selectTab(let number):
            try arrangeVisibility(of: tab(number, window: window(of: navigation).name))
        case .close(let screen, _): try arrangeClosing(screen, navigation)
        case .replace(let screen, let other): try arrangeReplacement(of: screen, by: other)
        case .openWindow(let name, let screen): try arrangeOpening(of: name, with: screen)
        case .closeWindow(let name): try arrangeClosing(of: name)
        case .restore(let snapshot): try arrangeRestoring(snapshot, navigation)
        case .route, .back, .popToRoot, .dismiss, .dismissAll, .vanish:
            preconditionFailure("a request that may have nothing to do is arranged by itself")
        }
    }

    // MARK: The way

    /// Stages the planned steps.
    ///
    /// - Returns: The screen of the last one; nil if the plan is outdated.
    private func arrangeRoute(_ navigation: Navigation) throws(RouteError) -> ScreenID? {
        guard let plan = navigation.plan else {
            preconditionFailure("a navigation is planned before it is staged")
        }
        navigation.trail = []
        var place = plan.found
        do throws(RouteError) {
            try reach(plan)
            navigation.trail.reserveCapacity(plan.links.count + 1)
            navigation.trail.append(
                Stop(
                    screen: place,
                    step: plan.finding?.step,
                    info: plan.finding?.info ?? plan.start
                )
            )
            if let info = plan.start { try updateForAll(place, info, navigation) }
            if let link = plan.finding {
                try update(place, link.step, link.info, navigation)
                if plan.links.isEmpty { navigation.reused = place }
            }
        } catch {
            throw error.blaming(plan.target?.step)
        }
        for link in plan.links {
            do throws(RouteError) {
                guard let next = try arrange(link, at: place, navigation) else { return nil }
                place = next
            } catch {
                throw error.blaming(link.step)
            }
        }
        return place
    }

    /// Stages one step.
    ///
    /// - Returns: The screen that it leads to; nil if the plan is outdated.
    private func arrange(
        _ link: Plan.Link,
        at place: ScreenID,
        _ navigation: Navigation
    ) throws(RouteError) -> ScreenID? {
        let outer = navigation.step
        navigation.step = link.step
        defer { navigation.step = outer }
        guard let build = link.step.build else { return try findAgain(link, at: place, navigation) }
        navigation.standingNav =
            link.via.pushes ? tree.container(.nav, at: place) : nil
        let screen = try make(build, link.step, link.info, navigation)
        let stands = tree.isAlive(screen)
        // A provider that returns a screen that stands has found it, by `reuse` or otherwise.
        if stands {
            navigation.reused = screen
        } else if try couldReuse(link, screen, navigation) {
            return nil
        }
        emit(
            stands ? .find : .build,
            navigation,
            at: link.step.place,
            (stands ? [("by", "provider")] : []) + fields(about: screen)
        )
        try update(screen, link.step, link.info, navigation)
        let container = try self.place(of: link.via, at: place)
        explaining?.performs(link, screen, at: container, stands: stands)
        try perform(link.via, screen, at: container, link.info, navigation)
        var stop = Stop(screen: screen, step: link.step, info: link.info)
        if case .none = link.via.kind { stop.isDetached = !stands }
        navigation.trail.append(stop)
        tree.uncover(screen)
        // What an action places below the top of a stack stays there, and removes nothing above.
        try tree.makeVisible(screen, popping: stands)
        return screen
    }

    /// Whether an existing screen could have been reused if the class of the route had been known.
    ///
    /// If the class differs from the name of the service, only the screen that a route builds shows
    /// it. So the result of a navigation does not depend on what a route has built before.
    private func couldReuse(
        _ link: Plan.Link,
        _ built: ScreenID,
        _ navigation: Navigation
    ) throws(RouteError) -> Bool {
        let step = link.step
        guard step.reuse.goesByClass, let name = tree.class(of: built),
            !step.screenClasses.contains(name)
        else { return false }
        step.noteClass(name)
        if explaining != nil { explainedClasses.append((step, name)) }
        // What this stage has removed stood when the way was planned.
        let difference = tree.draftDifference()
        if difference.removed.contains(where: { tree.class(of: $0) == name }) { return true }
        return try standsForReuse(link, navigation, besides: difference.created)
    }

    /// Whether a screen that was there before the stage is one that a step would go back to.
    private func standsForReuse(
        _ link: Plan.Link,
        _ navigation: Navigation,
        besides created: [ScreenID]
    ) throws(RouteError) -> Bool {
        let outer = explaining
        explaining = nil
        defer { explaining = outer }
        let window = try window(of: navigation)
        let found = try whilePlanning(navigation) { () throws(RouteError) in
            try recycle(link.step, link.info, in: navigation.standingNav, for: navigation, window)
        }
        return found.map { !staged.contains($0) && !created.contains($0) } ?? false
    }

    /// Stages a step that builds nothing: what it looks for, the steps behind it have made.
    private func findAgain(
        _ link: Plan.Link,
        at place: ScreenID,
        _ navigation: Navigation
    ) throws(RouteError) -> ScreenID {
        guard let find = link.step.find else { return place }
        explaining?.purpose = .again
        let window = try window(of: navigation)
        let found = try whilePlanning(navigation) { () throws(RouteError) in
            try self.find(find, link.info, for: navigation, in: window)
        }
        guard let screen = found else { throw .isAbsent(link.step) }
        emit(
            .find,
            navigation,
            at: link.step.place,
            [("by", "find")] + fields(about: screen)
        )
        tree.uncover(screen)
        try tree.makeVisible(screen)
        try update(screen, link.step, link.info, navigation)
        navigation.trail.append(Stop(screen: screen, step: link.step, info: link.info))
        return screen
    }

    // MARK: Screens

    /// Makes the screen of a step.
    func make(
        _ build: Step.Build,
        _ step: Step,
        _ info: Table,
        _ navigation: Navigation
    ) throws(RouteError) -> ScreenID {
        switch build {
        case .template(let template):
            return try template.make(in: &tree)
        case .blueprint(let blueprint):
            return try make(blueprint, info, navigation)
        case .container(let screenClass):
            return try tree.makeScreen(screenClass)
        case .function(let function):
            switch try generation.build(by: function, step, info, navigation) {
            case .screen(let screen): return screen
            case .blueprint(let blueprint):
                try whilePlanning(navigation) { () throws(RouteError) in
                    try prepareLeaves(of: blueprint, info, navigation)
                }
                try checkGates(navigation.leafGates, of: navigation)
                return try make(blueprint, info, navigation)
            }
        case .fallback(let function):
            return try generation.build(byFallback: function, step, navigation)
        }
    }

    /// Sets the declared fields of a screen, and has it updated.
    func update(
        _ screen: ScreenID,
        _ step: Step,
        _ info: Table,
        _ navigation: Navigation
    ) throws(RouteError) {
        try fill(screen, step, info)
        guard step.update != nil || !generation.updates.isEmpty else { return }
        emit(.update, navigation, at: step.place, fields(about: screen))
        let outer = navigation.step
        navigation.step = step
        defer { navigation.step = outer }
        try callUpdates(screen, info, navigation)
        if let update = step.update {
            try generation.call(update, screen, .table(info), navigation)
        }
    }

    /// Has the screen where a way begins updated, as the screen of every step is.
    private func updateForAll(
        _ screen: ScreenID,
        _ info: Table,
        _ navigation: Navigation
    ) throws(RouteError) {
        guard !generation.updates.isEmpty else { return }
        emit(.update, navigation, fields(about: screen))
        try callUpdates(screen, info, navigation)
    }

    private func callUpdates(
        _ screen: ScreenID,
        _ info: Table,
        _ navigation: Navigation
    ) throws(RouteError) {
        for update in generation.updates {
            try generation.call(update, screen, .table(info), navigation)
        }
    }

    /// Sets the declared fields of a screen that are named in the declaration of the info.
    ///
    /// An optional one that is absent is unset.
    private func fill(_ screen: ScreenID, _ step: Step, _ info: Table) throws(RouteError) {
        for field in filledFields(of: screen, step) {
            try stageField(field, to: info[field], of: screen)
        }
    }

    /// Whether the declared fields of a screen are as a step would set them.
    func isFilled(_ screen: ScreenID, _ step: Step, _ info: Table) -> Bool {
        filledFields(of: screen, step).allSatisfy { tree[screen].fields[$0] == info[$0] }
    }

    /// The fields of a screen that a step sets.
    private func filledFields(of screen: ScreenID, _ step: Step) -> [String] {
        guard let declaration = step.info, let name = tree.screen(screen)?.class else { return [] }
        return classes[name].fields.filter(declaration.declaresField)
    }

    // MARK: The first tree

    private func arrangeStart(_ info: Table, _ navigation: Navigation) throws(RouteError)
        -> ScreenID
    {
        let root: ScreenID
        navigation.leafGates = []
        switch try generation.buildFirstTree(info) {
        case .screen(let screen): root = screen
        case .blueprint(let blueprint):
            try whilePlanning(navigation) { () throws(RouteError) in
                try prepareLeaves(of: blueprint, info, navigation)
            }
            try checkGates(navigation.leafGates, of: navigation)
            root = try make(blueprint, info, navigation)
        }
        emit(.build, navigation, at: generation.startPlace, fields(about: root))
        try tree.setRoot(root, of: Self.mainWindow)
        return root
    }
}

extension RouteError {
    /// The error with the route's step, and its place where it has none of its own.
    func blaming(_ step: Step?) -> RouteError {
        guard let step else { return self }
        var error = self
        error.step = error.step ?? step.title
        error.location = error.location ?? step.place
        return error
    }

    /// The error with a place where it has none of its own.
    func at(_ place: Location?) -> RouteError {
        var error = self
        error.location = error.location ?? place
        return error
    }
}
