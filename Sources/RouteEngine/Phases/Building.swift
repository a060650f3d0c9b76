// SPDX-License-Identifier: MIT

package import RouteCore

/// Builds the screens of steps, and the trees whose leaves are routes.
extension Stage {
    /// The result of a function that builds screens.
    package enum Built {
        case screen(ScreenID)
        /// A tree whose leaves have not been built yet.
        case blueprint(Blueprint)

        package init?(_ value: Value) {
            switch value {
            case .screen(let screen): self = .screen(screen)
            case .object(let object):
                guard let blueprint = object.base as? Blueprint else { return nil }
                self = .blueprint(blueprint)
            default: return nil
            }
        }
    }

    /// Builds the screen of a step.
    ///
    /// - Throws: `badInfo` if the provider returns nil, `script` if it returns another value that
    ///   is not a screen, or the error that the provider raises.
    package mutating func make(
        _ build: Step.Build,
        of step: Step,
        with info: InfoTable,
        in context: CallContext
    ) throws(RouteError) -> Arrangement {
        let result: Value
        switch build {
        case .template(let template): return .reached(try template.make(in: &tree))
        case .blueprint(let blueprint): return try make(blueprint, with: info, in: context)
        case .container(let screenClass): return .reached(try tree.makeScreen(screenClass))
        case .function(let provider):
            let given = try scripts.result(
                of: provider,
                [.table(info)],
                true,
                in: context,
                lending: &self
            )
            guard let given else { throw .returnedNothing("'\(step.title)'").at(step.location) }
            result = given
        case .fallback(let provider):
            guard let target = step.target else {
                preconditionFailure("a fallback provider must have a requested target")
            }
            result = try scripts.call(
                provider,
                arguments: [Value(target.service), Value(target.task), .table(journey.info)],
                takesNavigation: true,
                in: context,
                lending: &self
            )
            // The fallback returned nil, which means that the target does not exist.
            if result.isNil { _ = try declarations.routes.find(target) }
        }
        if let built = Built(result) {
            if case (.fallback, .blueprint) = (build, built) {
                throw .providerGave(result.scriptKind, step)
            }
            return try make(built, with: info, in: context)
        }
        if result.isNextMatch { return .stops(.asksForNextMatch(step.location)) }
        throw result.isNil ? .providerGaveNothing(step) : .providerGave(result.scriptKind, step)
    }

    /// Builds the screens that the result of a provider describes.
    package mutating func make(
        _ built: Built,
        with info: InfoTable,
        in context: CallContext
    ) throws(RouteError) -> Arrangement {
        switch built {
        case .screen(let screen): return .reached(screen)
        case .blueprint(let blueprint):
            let planning = planning.of(context.step)
            if case .asksForNextMatch(let place) = try prepareLeaves(of: blueprint, info, planning)
            {
                return .stops(.asksForNextMatch(place))
            }
            if let gate = closedGate(among: journey.leafGates) { return .stops(.closedGate(gate)) }
            return try make(blueprint, with: info, in: context)
        }
    }

    // MARK: Trees of routes

    /// Checks the parameters of the routes in a tree, and calls the `prepare` functions of these
    /// routes.
    package mutating func prepareLeaves(
        of blueprint: Blueprint,
        _ info: InfoTable,
        _ context: CallContext,
        depth: Int = 1
    ) throws(RouteError) -> Preparation {
        guard depth <= Self.stepLimit else { throw .treeInsideItself(blueprint.class.name) }
        for child in blueprint.children {
            try countChild()
            switch child {
            case .template: break
            case .blueprint(let inner):
                let answer = try prepareLeaves(of: inner, info, context, depth: depth + 1)
                if case .asksForNextMatch = answer { return answer }
            case .route(let leaf):
                let (step, info) = try resolve(leaf, with: info, in: context, reports: true)
                journey.leafGates += step.ready
                let context = context.of(step)
                do throws(RouteError) {
                    var answer = try prepare(step, with: info, in: context)
                    if case .asksForNextMatch = answer { return .asksForNextMatch(step.location) }
                    if case .blueprint(let inner) = step.build {
                        answer = try prepareLeaves(of: inner, info, context, depth: depth + 1)
                        if case .asksForNextMatch = answer { return answer }
                    }
                } catch {
                    throw error.blaming(step)
                }
            }
        }
        return .passes
    }

    /// The maximum number of children that a script may give to a new container.
    package static let childLimit = 1_000

    /// The maximum number of children in all trees that a navigation plans and builds.
    package static let leafLimit = 10_000

    /// Counts a child of a tree.
    ///
    /// The number of children is limited, because routes in trees can build further trees, so that
    /// the total number can grow exponentially.
    private mutating func countChild() throws(RouteError) {
        journey.leaves += 1
        guard journey.leaves <= Self.leafLimit else { throw .tooManyLeaves() }
    }

    /// Returns the route of a leaf, and the parameters for that route.
    private mutating func resolve(
        _ leaf: Blueprint.Leaf,
        with info: InfoTable,
        in context: CallContext,
        reports: Bool = false
    ) throws(RouteError) -> (Step, InfoTable) {
        var step = try declarations.route(to: leaf.target)
        do throws(RouteError) {
            var info = info
            if let adapt = leaf.adapt { info = try self.adapt(adapt, with: info, in: context) }
            step = try taken(step, with: info, in: context, reports: reports)
            do throws(RouteError) {
                return (step, try view(of: info, step, context))
            } catch {
                throw error.passed(by: context.step.map { .tree(of: $0) })
            }
        } catch {
            throw error.blaming(step)
        }
    }

    /// Builds a tree: first the container, and then its children in order, each placed by its
    /// action.
    private mutating func make(
        _ blueprint: Blueprint,
        with info: InfoTable,
        in context: CallContext
    ) throws(RouteError) -> Arrangement {
        var context = context
        context.depth += 1
        guard context.depth <= Self.stepLimit else {
            throw .treeInsideItself(blueprint.class.name)
        }
        let container = try tree.makeScreen(blueprint.class)
        for child in blueprint.children {
            try countChild()
            let made: Arrangement
            switch child {
            case .template(let template): made = .reached(try template.make(in: &tree))
            case .blueprint(let inner): made = try make(inner, with: info, in: context)
            case .route(let leaf):
                if let stop = try embed(leaf, with: info, in: container, context: context) {
                    return .stops(stop)
                }
                continue
            }
            guard case .reached(let screen) = made else { return made }
            try tree.append(screen, to: container)
        }
        if blueprint.class.shows == .selected, let children = tree.screen(container)?.children,
            blueprint.selection < children.count
        {
            try tree.select(children[blueprint.selection])
        }
        return .reached(container)
    }

    /// Builds the screen of a route as a leaf of a tree.
    ///
    /// - Returns: The reason why the screen was not built; nil if it was built.
    private mutating func embed(
        _ leaf: Blueprint.Leaf,
        with info: InfoTable,
        in container: ScreenID,
        context: CallContext
    ) throws(RouteError) -> Stop? {
        let (step, info) = try resolve(leaf, with: info, in: planning.of(context.step))
        var context = context.of(step)
        // The tree is new, so no screen in it can be reused.
        context.existingNav = nil
        let screen: ScreenID
        do throws(RouteError) {
            guard let build = step.build else { throw .leafBuildsNothing(leaf.target) }
            switch try make(build, of: step, with: info, in: context) {
            case .reached(let made): screen = made
            case .stops(let stop): return stop
            }
            emit(.build, at: step.location) {
                [("route", Value(step.title))] + $0.fields(about: screen)
            }
            tree.setRoute(step.title, of: screen)
            try update(screen, of: step, with: info, in: context)
        } catch {
            throw error.blaming(step)
        }
        if let via = leaf.via {
            guard let need = try declarations.need(of: via), need.fits(tree[container]) else {
                throw .cannotEmbed(via, notation(of: container))
            }
            try perform(via, on: screen, at: container, with: info, in: context)
        } else {
            try tree.append(screen, to: container)
        }
        journey.visit(Visit(screen: screen, step: step, info: info))
        return nil
    }
}
