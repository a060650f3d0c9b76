// SPDX-License-Identifier: MIT

package import RouteCore
package import RouteURLs

/// Records what happens in each phase of a navigation.
extension Trace {
    /// Records the route that is used.
    package func notes(route definition: Step) {
        explanation.route = definition.target
        explanation.location = definition.location
        guard case .fallback = definition.build, let target = definition.target else { return }
        explanation.detours.append(
            Explanation.Detour(
                reason: .unknown,
                route: target.description,
                location: definition.location,
                taken: target
            )
        )
    }

    /// Records gates, each at most once.
    package func notes(gates names: [String], of route: String?, in world: World) {
        for name in names where !explanation.gates.contains(where: { $0.name == name }) {
            explanation.gates.append(
                Explanation.Gate(name: name, isOpen: world.isOpen(name), route: route)
            )
        }
    }

    /// Records a plan.
    package func notes(_ plan: Plan, in stage: borrowing Stage) {
        explanation.start = stage.notation(of: plan.found)
        explanation.startedBy = plan.by
        for link in plan.links {
            let outcome: Explanation.Step.Outcome =
                link.step.build != nil ? .built : link.step.find != nil ? .foundAfter : .passes
            edit(link.step) { $0.outcome = outcome }
        }
    }

    /// Records the screen that a step found.
    ///
    /// The plan starts there, unless a later step reuses a screen above it.
    package func notesFinding(of plan: Plan, in stage: borrowing Stage) {
        let screen = stage.notation(of: plan.found)
        edit(plan.finding?.step) { step in
            step.outcome = .found
            step.by = plan.by
            step.screen = screen
        }
    }

    /// Records the route that is used, and its gates.
    package func notesResolution(in stage: borrowing Stage) {
        explanation.info = stage.journey.info
        guard let definition = stage.journey.definition else { return }
        notes(route: definition)
        notes(gates: definition.ready, of: definition.title, in: stage.world)
    }

    /// Records a plan, its interceptors and its gates.
    package func notesApproval(of plan: Plan, in stage: borrowing Stage) {
        notes(plan, in: stage)
        notes(stage.interceptorsForAll(before: .stage), .every, in: stage)
        for link in plan.visited {
            notes(gates: link.step.ready, of: link.step.title, in: stage.world)
            notes(link.interceptions, .step, in: stage)
        }
        notes(stage.journey.leaving.map(Interception.leaving), .leaving, in: stage)
        notes(gates: stage.journey.leafGates, of: stage.journey.definition?.title, in: stage.world)
    }

    /// Records interceptors, each at most once.
    package func notes(
        _ interceptions: [Interception],
        _ kind: Explanation.Interceptor.Kind,
        in stage: borrowing Stage
    ) {
        let declarations = stage.declarations
        for interception in interceptions where asked.insert(interception).inserted {
            let name: String
            let step = interception.link?.step
            var (of, location, timeout) = (step?.title, step?.location, declarations.timeout)
            switch interception.interceptor {
            case .named(let word):
                let declared = declarations.interceptors[word]
                name = word
                location = declared?.location
                timeout = declared?.timeout ?? timeout
            case .inline: name = "intercept"
            case .leaving(let id):
                name = "leaving"
                of = stage.notation(of: id)
                location = declarations.location(of: interception, in: stage.tree)
            }
            explanation.interceptors.append(
                Explanation.Interceptor(
                    kind: kind,
                    name: name,
                    of: of,
                    location: location,
                    timeout: timeout
                )
            )
        }
    }

    /// Records the changes that a stage makes.
    package func notes(_ difference: Difference, in stage: borrowing Stage) {
        let declarations = stage.declarations
        let isForced = stage.journey.options.isForced
        explanation.leaving = difference.removed.map { id in
            let its = declarations.classDeclarations[stage.tree.screen(id)?.class ?? ""]
            return Explanation.Leaving(
                screen: stage.notation(of: id),
                isAsked: !isForced && (its?.dismissal != nil || its?.leaving != nil)
            )
        }
        let printer = NotationPrinter(classes: declarations.classes)
        explanation.operations = difference.operations.map { operation in
            printer.call(
                operation.name,
                of: operation.screens.map { stage.notation(of: $0) },
                with: operation.presentation?.attributes ?? []
            )
        }
        var windows = explanation.windows
        for (index, window) in windows.enumerated() {
            windows[index].after = stage.treeNotation(window: window.name)
        }
        for window in stage.tree.windows where !windows.contains(where: { $0.name == window.name })
        {
            let text = stage.treeNotation(window: window.name)
            windows.append(Explanation.WindowTree(name: window.name, before: "", after: text))
        }
        explanation.windows = windows
    }

    /// Records the functions that would run after the commit.
    package func notesEnd(in stage: borrowing Stage) {
        for visit in stage.journey.visits {
            guard stage.tree.screen(visit.screen) != nil else { continue }
            let screen = stage.notation(of: visit.screen)
            if let step = visit.step {
                edit(step) { noted in
                    if noted.route == step.title, noted.screen == nil { noted.screen = screen }
                }
            }
            guard visit.isDetached || stage.tree.isAlive(visit.screen),
                !stage.declarations.functionsAfter(visit).isEmpty
            else { continue }
            explanation.afterRuns.append(
                Explanation.Made(screen: screen, location: visit.step?.location)
            )
        }
    }
}

extension Explanation {
    /// Hides the values of private parameters.
    package mutating func hidePrivate(by classes: ScreenClasses) {
        if classes.privateNames.isEmpty { return }
        info = classes.hidingPrivate(info)
        for index in steps.indices { steps[index].info = classes.hidingPrivate(steps[index].info) }
    }

    package init(_ journey: Journey, in window: String) {
        let text: String
        let kind: Kind
        switch journey.request {
        case .url(let url):
            kind = url.isRouteString ? .routeString : .url
            text = url.limited.displayText
        default:
            kind = .target
            text = journey.request.title
        }
        self.init(kind: kind, text: text, origin: journey.origin, window: window)
        target = journey.target
        info = journey.info
    }

    /// Adds the route patterns that a URL matches or nearly matches.
    package mutating func add(_ result: URLExplanation, of links: URLRouteTable) {
        matches = result.matches.map { match in
            let link = links.entries[match.route]
            return Match(
                target: link.target,
                pattern: link.pattern,
                location: link.location,
                parameters: match.parameters,
                index: match.route,
                matched: match.pattern
            )
        }
        misses = result.misses.map { miss in
            let link = links.entries[miss.route]
            return Miss(
                target: link.target,
                pattern: link.pattern,
                location: link.location,
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

    /// Adds the routing patterns that a URL matches or nearly matches.
    package mutating func add(_ result: URLExplanation, of routings: [RoutingDescription]) {
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
