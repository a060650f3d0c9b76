// SPDX-License-Identifier: MIT

/// Whether every way has a beginning.
extension Generation {
    /// The circles in which no navigation would get anywhere.
    func wayFindings() -> [Finding] {
        let steps = declarations.registeredSteps
        let endless = endless(among: steps)
        return circles(among: endless) { behind($0).steps }.map { circle in
            Finding(.endlessWay, RouteError.endlessWay(closed(circle)).at(circle[0].place))
        }
            + circles(among: steps, leaves).map { circle in
                Finding(.endlessTree, RouteError.endlessTree(closed(circle)).at(circle[0].place))
            }
    }

    /// The titles of a circle's steps, and the first again.
    private func closed(_ circle: [Step]) -> [String] {
        (circle + circle.prefix(1)).map(\.title)
    }

    /// The steps from which the way leads from one to the next for ever.
    ///
    /// A way begins where a step may find its screen, or where its action needs no other step;
    /// one case of a switch is enough. So each step is endless that leads to none of these.
    private func endless(among steps: [Step]) -> [Step] {
        var before: [ObjectIdentifier: [Step]] = [:]
        var beginning: [Step] = []
        for step in steps {
            let (behind, mayBegin) = behind(step)
            if mayBegin || step.mayFind { beginning.append(step) }
            for next in behind { before[ObjectIdentifier(next), default: []].append(step) }
        }
        var begins = Set(beginning.map(ObjectIdentifier.init))
        while let step = beginning.popLast() {
            for step in before[ObjectIdentifier(step)] ?? []
            where begins.insert(ObjectIdentifier(step)).inserted {
                beginning.append(step)
            }
        }
        return steps.filter { !begins.contains(ObjectIdentifier($0)) }
    }

    /// The steps that may stand behind one, and whether something else may, which begins the way.
    private func behind(_ step: Step) -> (steps: [Step], mayBegin: Bool) {
        guard let from = step.from else { return ([], true) }
        var steps: [Step] = []
        let mayBegin = addBehind(from, to: &steps)
        return (steps, mayBegin)
    }

    private func addBehind(_ from: From, to steps: inout [Step]) -> Bool {
        switch from {
        case .current, .root, .finder: return true
        case .step(let step):
            steps.append(step)
            return false
        case .route(let target):
            // Where it is no route, that is the mistake.
            guard case .screen(let step)? = declarations.routes[target] else { return true }
            steps.append(step)
            return false
        case .choice(let choice):
            var mayBegin = choice.choices.isEmpty
            for choice in choice.choices {
                switch choice {
                case .function: mayBegin = true
                case .fixed(let from): if addBehind(from, to: &steps) { mayBegin = true }
                }
            }
            return mayBegin
        }
    }

    /// The routes that may be switched off and say nothing of what is taken then, and the circles of
    /// routes each of which is taken where the one before it is switched off: with all of them off
    /// no navigation gets anywhere.
    func fallbackFindings() -> [Finding] {
        declarations.registeredSteps.filter { $0.enabled != nil && $0.fallback == nil }.map {
            step in
            Finding(
                .missingFallback,
                "'\(step.title)' can be switched off, and has no 'fallback' then",
                at: step.place
            )
        }
            + fallbackCircles()
    }

    private func fallbackCircles() -> [Finding] {
        circles(among: declarations.registeredSteps, fallback).map { circle in
            let titles = closed(circle).joined(separator: " → ")
            return Finding(
                .fallbackCircle,
                "the fallbacks lead in a circle: \(titles)",
                at: circle[0].place
            )
        }
    }

    /// The step that is taken where one is switched off.
    private func fallback(of step: Step) -> [Step] {
        guard let target = step.fallback, case .screen(let next)? = declarations.routes[target]
        else {
            return []
        }
        return [next]
    }

    /// The steps whose screens stand in the tree that a step builds.
    private func leaves(of step: Step) -> [Step] {
        guard case .blueprint(let blueprint) = step.build else { return [] }
        return blueprint.leaves.compactMap { leaf in
            if case .screen(let step)? = declarations.routes[leaf.target] { step } else { nil }
        }
    }
}

/// The circles in which steps lead to each other, no step in two of them.
///
/// - Parameters:
///   - steps: The steps to begin with, in order.
///   - next: The steps to which one leads, each time the same.
/// - Returns: The steps of each circle, from the one on to which the search came first.
/// - Complexity: O(*n*) in the number of steps and of what leads from one to the next.
private func circles(among steps: [Step], _ next: (Step) -> [Step]) -> [[Step]] {
    var circles: [[Step]] = []
    var isDone: Set<ObjectIdentifier> = []
    for start in steps where !isDone.contains(ObjectIdentifier(start)) {
        // The way down to a step, and what is left to try at each of its steps: ways of any
        // length take no stack. From a step on which a circle closes, back to the lowest step of
        // it, all are in a circle: `closing` has the places of such steps, in order.
        var way = [(step: start, rest: next(start)[...], lowest: Int.max)]
        var depths = [ObjectIdentifier(start): 0]
        var closing: [Int] = []
        func close(_ place: Int, _ lowest: Int) {
            way[place].lowest = min(way[place].lowest, lowest)
            if closing.last != place { closing.append(place) }
        }
        while let (step, rest, lowest) = way.last {
            let place = way.count - 1
            guard let following = rest.first else {
                isDone.insert(ObjectIdentifier(step))
                depths[ObjectIdentifier(step)] = nil
                way.removeLast()
                if closing.last == place { closing.removeLast() }
                if lowest < place { close(place - 1, lowest) }
                continue
            }
            way[place].rest = rest.dropFirst()
            if let depth = depths[ObjectIdentifier(following)] {
                if closing.last ?? -1 < depth { circles.append(way[depth...].map(\.step)) }
                close(place, depth)
            } else if !isDone.contains(ObjectIdentifier(following)) {
                depths[ObjectIdentifier(following)] = way.count
                way.append((following, next(following)[...], .max))
            }
        }
    }
    return circles
}

extension Step {
    /// Whether the way may begin at the step itself, before anything behind it is asked.
    fileprivate var mayFind: Bool {
        if let find { return !find.isNever }
        return reuse.search != nil
    }
}
