// SPDX-License-Identifier: MIT

internal import RouteURLs

/// What is noted of the phases of a navigation.
extension Explaining {
    /// Notes the route that is taken.
    func noteRoute(_ definition: Step) {
        explanation.route = definition.target
        explanation.place = definition.place
        guard case .fallback = definition.build, let target = definition.target else { return }
        explanation.detours.append(
            Explanation.Detour(
                reason: .unknown,
                route: target.description,
                place: definition.place,
                taken: target
            )
        )
    }

    /// Notes gates, each once.
    func note(gates names: [String], of route: String?) {
        for name in names where !explanation.gates.contains(where: { $0.name == name }) {
            explanation.gates.append(
                Explanation.Gate(name: name, isOpen: router.isOpen(name), route: route)
            )
        }
    }

    /// Notes how a way was planned.
    func note(_ plan: Plan) {
        explanation.start = router.notation(of: plan.found)
        explanation.startedBy = plan.by
        if let finding = plan.finding {
            let screen = router.notation(of: plan.found)
            edit(finding.step) { step in
                step.outcome = .found
                step.by = plan.by
                step.screen = screen
            }
        }
        for link in plan.links {
            let outcome: Explanation.Step.Outcome =
                link.step.build != nil ? .built : link.step.find != nil ? .foundAfter : .passes
            edit(link.step) { $0.outcome = outcome }
        }
    }

    /// Notes interceptors, each once.
    func note(_ interceptions: [Interception], _ kind: Explanation.Interceptor.Kind) {
        let generation = router.generation
        for interception in interceptions where asked.insert(interception).inserted {
            let name: String
            let step = interception.link?.step
            var (of, place, timeout) = (step?.title, step?.place, generation.patience)
            switch interception.interceptor {
            case .named(let word):
                let declared = generation.interceptors[word]
                name = word
                place = declared?.place
                timeout = declared?.timeout ?? timeout
            case .inline: name = "intercept"
            case .leaving(let id):
                name = "leaving"
                of = router.notation(of: id)
                place = router.tree.screen(id).flatMap { generation.declarations[$0.class] ?? nil }
            }
            explanation.interceptors.append(
                Explanation.Interceptor(
                    kind: kind,
                    name: name,
                    of: of,
                    place: place,
                    timeout: timeout
                )
            )
        }
    }

    /// Notes what a stage changes.
    func note(_ difference: Difference, _ navigation: Navigation) {
        let generation = router.generation
        let isForced = navigation.options.isForced
        explanation.leaving = difference.removed.map { id in
            let name = router.tree.screen(id)?.class ?? ""
            return Explanation.Leaving(
                screen: router.notation(of: id),
                isAsked: !isForced
                    && (generation.dismissals[name] != nil || generation.leavings[name] != nil)
            )
        }
        explanation.operations = difference.operations.map { operation in
            let screens = operation.screens.map(router.notation).joined(separator: ", ")
            return screens.isEmpty ? operation.name : "\(operation.name)(\(screens))"
        }
        var windows = explanation.windows
        for (index, window) in windows.enumerated() {
            windows[index].after = router.treeNotation(window: window.name)
        }
        for window in router.tree.windows where !windows.contains(where: { $0.name == window.name })
        {
            let text = router.treeNotation(window: window.name)
            windows.append(Explanation.WindowTree(name: window.name, before: "", after: text))
        }
        explanation.windows = windows
    }

    /// Notes what would be done when all is applied.
    func noteEnd(of navigation: Navigation) {
        for stop in navigation.trail {
            guard router.tree.screen(stop.screen) != nil else { continue }
            let screen = router.notation(of: stop.screen)
            if let step = stop.step {
                edit(step) { noted in
                    if noted.route == step.title, noted.screen == nil { noted.screen = screen }
                }
            }
            guard !router.functionsAfter(stop).isEmpty else { continue }
            explanation.afterRuns.append(Explanation.Made(screen: screen, place: stop.step?.place))
        }
    }

    /// Notes what the routes on the way need, and what scripts asked for.
    func noteDependencies(of navigation: Navigation) {
        let generation = router.generation
        var noted: Set<String> = []
        func note(_ names: some Sequence<String>, _ route: String?) {
            for name in names where noted.insert(name).inserted {
                let state: Explanation.Dependency.State =
                    if living.contains(name) {
                        .there
                    } else if generation.dependencies.providers[name] != nil {
                        .made
                    } else if generation.expectations.dependencies.contains(name) {
                        .host
                    } else {
                        .missing
                    }
                explanation.dependencies.append(
                    Explanation.Dependency(name: name, state: state, route: route)
                )
            }
        }
        if let definition = navigation.definition ?? targetStep(of: navigation) {
            note(definition.needs, definition.title)
        }
        for step in steps { note(step.needs, step.title) }
        note(navigation.askedDependencies.sorted(), nil)
        note(navigation.dependencies.keys.sorted(), nil)
    }

    /// The route of the target, where that failed before it was taken.
    private func targetStep(of navigation: Navigation) -> Step? {
        guard let target = navigation.target,
            case .screen(let step)? = try? router.generation.routes.find(target)
        else { return nil }
        return step
    }
}

extension Explanation {
    init(_ navigation: Navigation, in window: String) {
        let text: String
        let kind: Kind
        switch navigation.request {
        case .url(let url):
            kind = url.isRouteString ? .routeString : .url
            text = url.limited.displayText
        default:
            kind = .target
            text = navigation.title
        }
        self.init(kind: kind, text: text, origin: navigation.origin, window: window)
        target = navigation.target
        info = navigation.info
    }

    /// Adds the patterns of routes that a URL matches or nearly matches.
    mutating func add(_ result: URLExplanation, of links: LinkTable) {
        matches = result.matches.map { match in
            let link = links.links[match.route]
            return Match(
                target: link.target,
                pattern: link.pattern,
                place: link.place,
                parameters: match.parameters,
                index: match.route,
                matched: match.pattern
            )
        }
        misses = result.misses.map { miss in
            let link = links.links[miss.route]
            return Miss(
                target: link.target,
                pattern: link.pattern,
                place: link.place,
                segment: miss.segment,
                reason: miss.advice,
                index: miss.route,
                matched: miss.pattern
            )
        }
        missesLeftOut = result.leftOut
        dropped = result.dropped
        problem = result.problem?.description
    }

    /// Adds the patterns of routings that a URL matches or nearly matches.
    mutating func add(_ result: URLExplanation, of routings: [RoutingDescription]) {
        self.routings = result.matches.map { match in
            RoutingMatch(
                routing: routings[match.route],
                parameters: match.parameters,
                index: match.route,
                matched: match.pattern
            )
        }
        routingMisses = result.misses.map { miss in
            RoutingMiss(
                routing: routings[miss.route],
                segment: miss.segment,
                reason: miss.advice,
                index: miss.route,
                matched: miss.pattern
            )
        }
    }
}
