// SPDX-License-Identifier: MIT

internal import RouteCore
internal import RouteEngine

extension DeclarationCheck {
    /// Returns the cycles of parent routes without a start, of trees that contain each other, and
    /// of constant redirects.
    func circleFindings() -> [Finding] {
        circles(among: endlessSteps) { parents(of: $0).steps }.map { circle in
            Finding(.endlessWay, RouteError.endlessWay(closed(circle)).at(circle[0].location))
        }
            + circles(among: steps, leaves).map { circle in
                Finding(.endlessTree, RouteError.endlessTree(closed(circle)).at(circle[0].location))
            }
            + circles(among: steps) {
                ($0.redirect?.constant).flatMap { declarations.routes.route(to: $0) }.map { [$0] }
                    ?? []
            }
            .map { circle in
                let error = RouteError.redirectCircle(closed(circle)).at(circle[0].location)
                return Finding(.redirectCircle, error)
            }
    }

    /// Returns the routes that can be disabled and have no fallback, and the cycles of fallbacks.
    func fallbackFindings() -> [Finding] {
        steps.filter { $0.enabled != nil && $0.fallback == nil }.map { step in
            let what = "'\(step.title)' can be disabled and has no 'fallback'"
            return Finding(.missingFallback, what, at: step.location)
        }
            + circles(among: steps) {
                $0.fallback.flatMap { declarations.routes.route(to: $0) }.map { [$0] } ?? []
            }
            .map { circle in
                let titles = closed(circle).joined(separator: " → ")
                let what = "the fallbacks form a cycle: \(titles)"
                return Finding(.fallbackCircle, what, at: circle[0].location)
            }
    }

    /// Returns the titles of the steps of a cycle, with the first one repeated at the end.
    private func closed(_ circle: [Step]) -> [String] {
        (circle + circle.prefix(1)).map(\.title)
    }

    /// The steps whose chain of parents has no start.
    ///
    /// A chain starts at a step that may find its screen, or that needs no parent; one case of a
    /// switch is enough. A step is endless if its chain reaches no such step.
    private var endlessSteps: [Step] {
        // Most steps have no parents.
        guard steps.contains(where: { $0.from != nil }) else { return [] }
        var children: [ObjectIdentifier: [Step]] = [:]
        var beginning: [Step] = []
        for step in steps {
            let (parents, mayBegin) = parents(of: step)
            if mayBegin || step.mayFind { beginning.append(step) }
            for parent in parents { children[ObjectIdentifier(parent), default: []].append(step) }
        }
        guard beginning.count < steps.count else { return [] }
        var begins = Set(beginning.map(ObjectIdentifier.init))
        while let step = beginning.popLast() {
            for child in children[ObjectIdentifier(step)] ?? []
            where begins.insert(ObjectIdentifier(child)).inserted {
                beginning.append(child)
            }
        }
        return steps.filter { !begins.contains(ObjectIdentifier($0)) }
    }

    /// Returns the possible parents of a step, and whether another form of `from` can start the
    /// chain.
    private func parents(of step: Step) -> (steps: [Step], mayBegin: Bool) {
        guard let from = step.from else { return ([], true) }
        var (steps, mayBegin): ([Step], Bool) = ([], false)
        for (from, _) in from.alternatives(at: nil) {
            switch from {
            case .step(let step): steps.append(step)
            case .route(let target):
                // An unknown route is reported separately.
                if let step = declarations.routes.route(to: target) {
                    steps.append(step)
                } else {
                    mayBegin = true
                }
            case .current, .root, .finder, .choice, nil: mayBegin = true
            }
        }
        return (steps, mayBegin)
    }

    /// Returns the routes whose screens are in the tree that a step builds.
    private func leaves(of step: Step) -> [Step] {
        step.leaves.compactMap { declarations.routes.route(to: $0.target) }
    }
}

/// Returns the cycles in which steps lead to each other; no step is in two of them.
///
/// - Parameters:
///   - steps: The steps from which the search starts, in order.
///   - next: Returns the steps to which a step leads; the result must always be the same.
/// - Returns: The steps of each cycle, starting with the first one that the search reached.
/// - Complexity: O(*n*) in the number of steps and of the edges between them.
private func circles(among steps: [Step], _ next: (Step) -> [Step]) -> [[Step]] {
    var circles: [[Step]] = []
    var isDone: Set<ObjectIdentifier> = []
    for start in steps where !isDone.contains(ObjectIdentifier(start)) {
        let first = next(start)
        // Most steps lead to no other.
        if first.isEmpty { continue }
        // The path to a step, with the remaining branches at each of its steps: an explicit stack,
        // so that long paths need no recursion. When an edge closes a cycle, all steps back to the
        // lowest one on it are in the cycle: `closing` contains the indices of such steps, in
        // order.
        var way = [(step: start, rest: first[...], lowest: Int.max)]
        var depths = [ObjectIdentifier(start): 0]
        var closing: [Int] = []
        func close(_ location: Int, _ lowest: Int) {
            way[location].lowest = min(way[location].lowest, lowest)
            if closing.last != location { closing.append(location) }
        }
        while let (step, rest, lowest) = way.last {
            let location = way.count - 1
            guard let following = rest.first else {
                isDone.insert(ObjectIdentifier(step))
                depths[ObjectIdentifier(step)] = nil
                way.removeLast()
                if closing.last == location { closing.removeLast() }
                if lowest < location { close(location - 1, lowest) }
                continue
            }
            way[location].rest = rest.dropFirst()
            if let depth = depths[ObjectIdentifier(following)] {
                if closing.last ?? -1 < depth { circles.append(way[depth...].map(\.step)) }
                close(location, depth)
            } else if !isDone.contains(ObjectIdentifier(following)) {
                depths[ObjectIdentifier(following)] = way.count
                way.append((following, next(following)[...], .max))
            }
        }
    }
    return circles
}

extension Step {
    /// Whether the step may find its screen before its parents are searched.
    fileprivate var mayFind: Bool {
        if let find { return !find.isNever }
        return reuse.search != nil
    }
}
