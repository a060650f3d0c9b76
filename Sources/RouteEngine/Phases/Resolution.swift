// SPDX-License-Identifier: MIT

package import RouteCore
internal import RouteURLs

/// Determines the route of a URL or a target, and checks the parameters.
extension Stage {
    // MARK: URLs and route strings

    /// Finds the route for the navigation's URL or route string.
    ///
    /// - Throws: `notFound`, with the nearest pattern; `parse` or `badInfo` for a route string; or
    ///   the error that a Lua function raises.
    package mutating func matchURL() throws(RouteError) {
        guard case .url(let text) = journey.request else { return }
        if text.isRouteString { return try handle(text) }
        let links = declarations.links
        var context = planning
        context.effects = .none
        let url = try declarations.linkDeclarations.rewritten(text, by: links.table) {
            (function, arguments) throws(RouteError) in
            try self.value(of: function, arguments, in: context)
        }
        trace?.url = url
        switch try match(url, links, skipping: 0) {
        case .match(let match):
            journey.follow(
                OpenedURL(text: text, rewritten: url, links: links, rank: 0, match: match)
            )
        case .none(let problem):
            let isRouting =
                problem == .noPattern && surroundings.isRouting(url, lending: &self)
            throw .noMatch(
                text,
                rewrittenTo: url,
                problem,
                nearest: isRouting ? nil : links.table.nearest(to: url, problem),
                isRouting: isRouting
            )
        }
    }

    private mutating func match(
        _ text: ByteString,
        _ links: URLRouteTable,
        skipping rank: Int
    ) throws(RouteError) -> URLAnswer {
        let context = planning
        let answer = try links.table.match(text, skipping: rank) {
            (kind, text) throws(RouteError) in
            try scripts.value(ofKind: kind, text, in: context, lending: &self)
        }
        if case .match(let match) = answer, Value.table(match.parameters).isTooDeep {
            throw .tooDeep()
        }
        return answer
    }

    /// Continues with the next match of the URL, and checks the origin again.
    ///
    /// - Parameter place: The source location that requested the next match.
    /// - Throws: `notFound` if there are no more matches, `redirectLoop` if the redirects repeat or
    ///   if there are too many redirects, `badInfo` if the navigation does not use a match of a
    ///   URL.
    package mutating func followNextMatch(at place: RouteError.Location?) throws(RouteError) {
        guard let opened = journey.opened, !journey.isRedirected else {
            throw RouteError.nextWithoutURL().at(place)
        }
        do throws(RouteError) {
            let rank = opened.rank + 1
            guard case .match(let match) = try match(opened.rewritten, opened.links, skipping: rank)
            else { throw .noFurtherMatch(opened.text) }
            let next = OpenedURL(
                text: opened.text,
                rewritten: opened.rewritten,
                links: opened.links,
                rank: rank,
                match: match
            )
            try journey.checkRedirect(to: next.link.target, match.parameters)
            let passed = journey.definition
            journey.follow(next)
            trace?.goesOn(from: passed, to: next.link.target, at: place)
        } catch {
            throw error.at(place)
        }
        emit(.redirect, at: place) { $0.journey.target?.eventFields ?? [] }
    }

    /// Calls the handler of a route string to get the destination.
    ///
    /// - Throws: `parse`, `notFound` or `badInfo`, in the order of the checks, or the error that
    ///   the handler raises.
    private mutating func handle(_ text: ByteString) throws(RouteError) {
        let route = try RouteString(text)
        let handler = try declarations.handler(of: route.identifier)
        if let flaw = route.flaw { throw flaw.at(handler.location) }
        let from = journey.options.from ?? (try? window()).map { tree.visibleLeaf(of: $0) }
        var context = planning
        let payload: InfoTable
        do throws(RouteError) {
            payload = try check(
                handler.part(of: route.info),
                declaration: handler.info,
                in: context
            )
        } catch {
            throw error.at(handler.location)
        }
        context.effects = .state
        let (target, info) = try scripts.ask(
            handler,
            route: route,
            text: text,
            payload: payload,
            from: from,
            in: context,
            lending: &self
        )
        journey.follow(
            HandledRoute(text, payload: payload, target: target, info: info, at: handler.location)
        )
    }

    // MARK: The route

    /// Finds the route of the navigation, following declared redirects, and checks the parameters.
    package mutating func resolve() throws(RouteError) {
        repeat { try resolveTarget() } while try followRedirect()
    }

    /// Continues with the target of a route that only redirects.
    ///
    /// - Returns: Whether the route redirects.
    /// - Throws: `redirectLoop`, the error that the route's function raises, or an error about the
    ///   result of the function.
    private mutating func followRedirect() throws(RouteError) -> Bool {
        guard let step = journey.definition, let redirect = step.redirect else { return false }
        do throws(RouteError) {
            let (target, info) = try target(of: redirect, journey.info, planning.of(step))
            try journey.checkRedirect(to: target, info)
            journey.follow(target, info, keepsPlace: redirect.pick == nil)
            journey.asker = .redirect(of: step)
        } catch {
            throw error.blaming(step)
        }
        emit(.redirect, at: step.location) { stage in
            [("route", Value(step.title))] + (stage.journey.target?.eventFields ?? [])
        }
        return true
    }

    /// Returns the target of a redirect, with the parameters that the target declares.
    private mutating func target(
        of redirect: DeclaredRedirect,
        _ info: InfoTable,
        _ context: CallContext
    ) throws(RouteError) -> (Target, InfoTable) {
        var target = redirect.targets[0]
        if let pick = redirect.pick {
            var planning = context
            planning.effects = .none
            let value = try call(pick, with: info, in: planning)
            guard case .table(let names) = value, let picked = Target(names.list),
                redirect.targets.contains(picked)
            else { throw .picksOther(value, redirect.targets) }
            target = picked
        }
        return (target, try declarations.route(to: target).info?.part(of: info) ?? info)
    }

    /// Finds the route of the target, and checks its parameters.
    private mutating func resolveTarget() throws(RouteError) {
        guard let target = journey.target, journey.definition == nil else { return }
        var definition: Step
        do throws(RouteError) {
            definition = try route(to: target)
        } catch {
            // The error is located at the handler that returned the unknown route.
            if case .call(let location)? = journey.asker { throw error.at(location) }
            throw error.at(journey.isRedirected ? nil : journey.handled?.location)
        }
        var disabled = DisabledSteps()
        try check(definition, isFallback: false)
        while let next = try fallback(
            of: definition,
            with: journey.info,
            disabled: &disabled,
            in: planning
        ) {
            definition = next
            try check(definition, isFallback: true)
        }
        journey.definition = definition
    }

    /// Returns the route of a target, or a route that uses the fallback of the scripts.
    private func route(to target: Target) throws(RouteError) -> Step {
        do throws(RouteError) {
            return try declarations.route(to: target)
        } catch {
            guard error.code == .notFound, let fallback = declarations.fallback,
                let provider = fallback.screen
            else { throw error }
            return Step(target, at: fallback.location, provider: provider, isFallback: true)
        }
    }

    /// Checks that the origin may navigate to the route, and checks the parameters.
    private mutating func check(_ definition: Step, isFallback: Bool) throws(RouteError) {
        guard definition.target != nil else { return }
        do throws(RouteError) {
            let origin = journey.origin
            if isFallback { journey.info = journey.originalInfo }
            if !(definition.origins?.contains(origin) ?? (origin != .person)),
                let target = definition.target
            {
                throw .forbidden(target.description, origin)
            }
            if origin != .script, !journey.info.isEmpty {
                try tree.checkOrigin(of: .table(journey.info))
            }
            if let via = journey.options.via { _ = try declarations.need(of: via) }
            guard let declaration = definition.info else { return }
            if isFallback || journey.isAskedFromOutside {
                journey.info = declaration.part(of: journey.info)
            }
            do throws(RouteError) {
                journey.info = try check(journey.info, declaration: declaration, in: planning)
            } catch {
                throw error.passed(by: journey.asker)
            }
        } catch {
            throw error.blaming(definition)
        }
    }

    // MARK: Feature flags

    /// Returns the route to use for a target that a step or a tree names.
    package mutating func taken(
        _ target: Target,
        with info: InfoTable,
        in context: CallContext
    ) throws(RouteError) -> Step {
        try taken(try declarations.route(to: target), with: info, in: context, reports: true)
    }

    /// Returns the route to use for a parent of a step or a leaf of a tree, following fallbacks and
    /// redirects.
    ///
    /// - Parameters:
    ///   - step: The route.
    ///   - info: The parameters that are passed to the route.
    ///   - context: The context for functions of the route.
    ///   - reports: Whether to emit an event for each disabled route.
    /// - Returns: The given route, or the enabled route to which its fallbacks and redirects lead.
    /// - Throws: The errors of ``fallback(of:with:disabled:in:reports:)``.
    package mutating func taken(
        _ step: Step,
        with info: InfoTable,
        in context: CallContext,
        reports: Bool
    ) throws(RouteError) -> Step {
        var step = step
        var disabled = DisabledSteps()
        var passed: [Step] = []
        while true {
            var view = info
            if step.enabled != nil || step.redirect != nil {
                do throws(RouteError) {
                    view = try self.view(of: info, step, context)
                } catch {
                    throw error.blaming(step)
                }
            }
            if let next = try fallback(
                of: step,
                with: view,
                disabled: &disabled,
                in: context,
                reports: reports
            ) {
                step = next
                continue
            }
            guard let redirect = step.redirect else { return step }
            passed.append(step)
            do throws(RouteError) {
                step = try declarations.route(
                    to: target(of: redirect, view, context.of(step)).0
                )
                guard passed.count <= Journey.redirectLimit else {
                    throw .redirectCircle((passed + [step]).map(\.title))
                }
            } catch {
                throw error.blaming(passed[passed.count - 1])
            }
        }
    }

    /// Returns the fallback to use if a step is disabled.
    ///
    /// The dependencies of the step are created first.
    ///
    /// - Parameters:
    ///   - step: The step.
    ///   - info: The parameters of the step.
    ///   - disabled: The disabled steps that led to this step.
    ///   - context: The context for functions of the step.
    ///   - reports: Whether to emit an event if the step is disabled.
    /// - Returns: The fallback; nil if the step is enabled.
    /// - Throws: `missingDependency`; `disabled` if there is no fallback; `redirectLoop` if the
    ///   fallbacks form a cycle.
    private mutating func fallback(
        of step: Step,
        with info: InfoTable,
        disabled: inout DisabledSteps,
        in context: CallContext,
        reports: Bool = true
    ) throws(RouteError) -> Step? {
        if step.needs.isEmpty, step.enabled == nil { return nil }
        do throws(RouteError) {
            if !step.needs.isEmpty {
                try scripts.acquire(step.needs, in: context, lending: &self)
            }
            guard let enabled = step.enabled else { return nil }
            var planning = context
            planning.effects = .none
            let isEnabled = try call(enabled, with: info, in: planning.of(step)).isTrue
            if isEnabled { return nil }
            guard let target = step.fallback else { throw .isDisabled(step) }
            disabled.append(step)
            let next = try declarations.route(to: target)
            if let cycle = disabled.cycle(closedBy: next) { throw .fallbackLoop(cycle) }
            if reports {
                emit(.fallback, at: step.location) { _ in
                    [
                        ("route", Value(step.title)), ("service", Value(target.service)),
                        ("task", Value(target.task)),
                    ]
                }
            }
            return next
        } catch {
            throw error.blaming(step)
        }
    }

    // MARK: Calls

    /// Calls a function with the parameters and the navigation as arguments.
    package mutating func call(
        _ function: ScriptFunction,
        with info: InfoTable,
        in context: CallContext
    ) throws(RouteError) -> Value {
        try scripts.call(
            function,
            arguments: [.table(info)],
            takesNavigation: true,
            in: context,
            lending: &self
        )
    }

    /// Returns the part of the given parameters that a step receives.
    ///
    /// If the step declares `info`, the part contains only the declared parameters, which are
    /// checked. Otherwise, the part contains all parameters.
    package mutating func view(
        of info: InfoTable,
        _ step: Step,
        _ context: CallContext
    ) throws(RouteError) -> InfoTable {
        guard let declaration = step.info else { return info }
        return try check(declaration.part(of: info), declaration: declaration, in: context)
    }

    /// Checks the value with which a screen is closed against the result type that the route
    /// declares, and converts the value.
    package mutating func checkResult(_ result: InfoDeclaration.Parameter) throws(RouteError) {
        guard let value = journey.request.closing?.value else { return }
        let context = planning
        let checked = try result.check(value, hiding: declarations.classes.privateNames) {
            (function, value) throws(RouteError) in
            try self.value(of: function, [value], in: context)
        }
        journey.close(with: checked)
    }

    /// Checks parameters against a declaration, and converts them.
    private mutating func check(
        _ info: InfoTable,
        declaration: InfoDeclaration?,
        in context: CallContext
    ) throws(RouteError) -> InfoTable {
        guard let declaration else { return info }
        return try declaration.check(info, hiding: declarations.classes.privateNames) {
            (function, value) throws(RouteError) in
            try self.value(of: function, [value], in: context)
        }
    }
}

extension Target {
    /// The service and the task as fields of events.
    fileprivate var eventFields: [(String, Value)] {
        [("service", Value(service)), ("task", Value(task))]
    }
}

/// A chain of disabled steps, in which each step is the fallback of the previous step.
private struct DisabledSteps {
    private var steps: [Step] = []
    private var known: Set<ObjectIdentifier> = []

    mutating func append(_ step: Step) {
        steps.append(step)
        known.insert(ObjectIdentifier(step))
    }

    /// Returns the cycle of steps that begins and ends with the given step; nil if the step is not
    /// in the chain.
    func cycle(closedBy next: Step) -> [Step]? {
        guard known.contains(ObjectIdentifier(next)) else { return nil }
        return steps.drop { $0 !== next } + [next]
    }
}
