// SPDX-License-Identifier: MIT

package import RouteCore

/// Executes the plan of a navigation to a route in the open draft.
extension Stage {
    /// The result of arranging a request.
    package enum Arrangement {
        case reached(ScreenID)
        case stops(Stop)
    }

    /// The reason why arranging a request stopped without an error.
    package enum Stop {
        /// There is nothing to do.
        case nothing(String)
        /// The plan is outdated, because a step has built a screen of a class that was unknown
        /// during planning, and an existing screen of this class could have been reused.
        case outdatedPlan
        case closedGate(String)
        case asksForNextMatch(RouteError.Location?)
    }

    // MARK: The plan

    /// Executes the plan.
    mutating func arrangeRoute() throws(RouteError) -> Arrangement {
        guard let plan = journey.plan else {
            preconditionFailure("a navigation must be planned before it is staged")
        }
        let context = staging
        journey.beginVisits()
        var place = plan.found
        do throws(RouteError) {
            try reach(plan)
            if let info = plan.start { try updateForAll(place, with: info, in: context) }
            if let link = plan.finding {
                try update(place, of: link.step, with: link.info, in: context)
                if plan.links.isEmpty { journey.reused = place }
            }
        } catch {
            throw error.blaming(plan.target?.step)
        }
        for link in plan.links {
            do throws(RouteError) {
                switch try arrange(link, at: place, context) {
                case .reached(let screen): place = screen
                case .stops(let stop): return .stops(stop)
                }
            } catch {
                throw error.blaming(link.step)
            }
        }
        return .reached(place)
    }

    /// Executes one step of the plan.
    private mutating func arrange(
        _ link: Plan.Link,
        at place: ScreenID,
        _ context: CallContext
    ) throws(RouteError) -> Arrangement {
        var context = context.of(link.step)
        guard let build = link.step.build else {
            return .reached(try findAgain(link, at: place, context))
        }
        context.existingNav = link.via.pushes ? tree.container(.nav, at: place) : nil
        let screen: ScreenID
        switch try make(build, of: link.step, with: link.info, in: context) {
        case .reached(let made): screen = made
        case .stops(let stop): return .stops(stop)
        }
        // A provider that returns a screen of the tree has found that screen, with `router.reuse`
        // or in another way.
        let exists = tree.isAlive(screen)
        if exists {
            journey.reused = screen
        } else if try couldReuse(link, built: screen, in: context) {
            return .stops(.outdatedPlan)
        } else if link.step.target != nil {
            tree.setRoute(link.step.title, of: screen)
        }
        emit(
            exists ? .find : .build,
            at: link.step.location
        ) { stage in (exists ? [("by", "provider")] : []) + stage.fields(about: screen) }
        try update(screen, of: link.step, with: link.info, in: context)
        let container = try container(of: link.via, at: place)
        trace?.performs(link, screen, at: container, exists: exists, in: self)
        try perform(link.via, on: screen, at: container, with: link.info, in: context)
        var visit = Visit(screen: screen, step: link.step, info: link.info)
        if case .none = link.via.kind { visit.isDetached = !exists }
        journey.visit(visit)
        uncover(screen)
        // A screen that an action has placed below the top of a stack stays there, and the screens
        // above it are not removed.
        try tree.makeVisible(screen, popping: exists)
        return .reached(screen)
    }

    /// Whether an existing screen could have been reused if the class of the route's screens had
    /// been known.
    ///
    /// A class that differs from the name of the service becomes known only when the route has
    /// built a screen. This check makes the result of a navigation independent of whether the route
    /// has built a screen before.
    private mutating func couldReuse(
        _ link: Plan.Link,
        built: ScreenID,
        in context: CallContext
    ) throws(RouteError) -> Bool {
        let step = link.step
        guard step.reuse.goesByClass, let name = tree.class(of: built),
            !world.learnedClasses.contains(name, of: step)
        else { return false }
        world.learnedClasses.note(name, of: step)
        // A screen that was removed during this staging existed when the navigation was planned.
        let difference = tree.draftDifference()
        if difference.removed.contains(where: { tree.class(of: $0) == name }) { return true }
        var planning = planning
        planning.step = step
        let found = try recycle(
            step,
            with: link.info,
            in: context.existingNav,
            window: try window(),
            context: planning,
            purpose: nil
        )
        return found.map { !changedScreens.contains($0) && !difference.created.contains($0) }
            ?? false
    }

    /// Executes a step that builds nothing.
    ///
    /// If the step has a `find`, this finder must match a screen that the parent routes have built.
    private mutating func findAgain(
        _ link: Plan.Link,
        at place: ScreenID,
        _ context: CallContext
    ) throws(RouteError) -> ScreenID {
        guard let find = link.step.find else { return place }
        let window = try window()
        let found = try self.find(
            find,
            with: link.info,
            purpose: .again,
            in: window,
            context: planning.of(link.step)
        )
        guard let screen = found else { throw .isAbsent(link.step) }
        emit(.find, at: link.step.location) { [("by", "find")] + $0.fields(about: screen) }
        uncover(screen)
        try tree.makeVisible(screen)
        try update(screen, of: link.step, with: link.info, in: context)
        journey.visit(Visit(screen: screen, step: link.step, info: link.info))
        return screen
    }

    // MARK: Updates

    /// Sets the step's parameters as fields of its screen, and calls the update functions.
    package mutating func update(
        _ screen: ScreenID,
        of step: Step,
        with info: InfoTable,
        in context: CallContext
    ) throws(RouteError) {
        // A missing parameter does not clear a field of a screen that this navigation built. It
        // also does not clear a field of a screen other than the target, because the request does
        // not contain the parameters of that screen.
        let isNew = screen.serial > context.planningSerial || !tree.isAlive(screen)
        let clears = !isNew && step === journey.definition
        for (field, value) in tree.fields(
            of: screen,
            step: step,
            with: info,
            classes: declarations.classes
        )
        where clears || !value.isNil {
            try setField(field, to: value, of: screen)
        }
        guard step.update != nil || !declarations.updates.isEmpty else { return }
        emit(.update, at: step.location) { $0.fields(about: screen) }
        let context = context.of(step)
        try callUpdates(screen, with: info, in: context)
        if let update = step.update { try call(update, on: screen, with: info, in: context) }
    }

    /// Updates the screen where a plan starts, using the functions that run for every step.
    private mutating func updateForAll(
        _ screen: ScreenID,
        with info: InfoTable,
        in context: CallContext
    ) throws(RouteError) {
        guard !declarations.updates.isEmpty else { return }
        emit(.update) { $0.fields(about: screen) }
        try callUpdates(screen, with: info, in: context)
    }

    private mutating func callUpdates(
        _ screen: ScreenID,
        with info: InfoTable,
        in context: CallContext
    ) throws(RouteError) {
        for update in declarations.updates { try call(update, on: screen, with: info, in: context) }
    }

    private mutating func call(
        _ function: ScriptFunction,
        on screen: ScreenID,
        with info: InfoTable,
        in context: CallContext
    ) throws(RouteError) {
        _ = try scripts.call(
            function,
            arguments: [.screen(screen), .table(info)],
            takesNavigation: true,
            in: context,
            lending: &self
        )
    }

    /// Whether the declared fields of a screen have the values that a step would set.
    package func isFilled(_ screen: ScreenID, of step: Step, with info: InfoTable) -> Bool {
        tree.fields(of: screen, step: step, with: info, classes: declarations.classes).allSatisfy {
            tree[screen].fields[$0] == $1
        }
    }

    // MARK: The first tree

    mutating func arrangeStart(_ info: InfoTable) throws(RouteError) -> Arrangement {
        guard let first = declarations.firstTree else { throw .noStart() }
        (journey.leaves, journey.leafGates) = (0, [])
        let context = staging
        let built: Built
        switch first.build {
        case .blueprint(let blueprint): built = .blueprint(blueprint)
        case .function(let function):
            let result = try scripts.result(
                of: function,
                [.table(info)],
                false,
                in: context,
                lending: &self
            )
            guard let result else {
                throw .returnedNothing("'router.start'").at(first.location)
            }
            guard let given = Built(result) else {
                throw .startGave(result.scriptKind).at(first.location)
            }
            built = given
        }
        let made = try make(built, with: info, in: context)
        guard case .reached(let root) = made else { return made }
        emit(.build, at: first.location) { $0.fields(about: root) }
        try tree.setRoot(root, of: RouterWindow.main)
        return .reached(root)
    }
}

extension ScreenTree {
    /// Returns the fields that a step sets on an existing screen.
    ///
    /// A nil value removes the field.
    ///
    /// If the step declares no `info`, its parameters are not checked. In this case, a value that
    /// cannot be a field is ignored, and so is a missing parameter that every pattern requires.
    fileprivate func fields(
        of screen: ScreenID,
        step: Step,
        with info: InfoTable,
        classes: borrowing ScreenClasses
    ) -> [(name: String, value: Value)] {
        guard !step.parameters.parameters.isEmpty, let name = self.class(of: screen) else {
            return []
        }
        return step.fields(of: classes[name]).compactMap { parameter in
            let value = info[parameter.name]
            let isSet = value.isNil ? parameter.isOptional : value.pathToReference == nil
            return isSet ? (parameter.name, value) : nil
        }
    }
}
