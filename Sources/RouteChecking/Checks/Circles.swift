// SPDX-License-Identifier: MIT

internal import RouteCore
internal import RouteEngine

extension DeclarationCheck {
    /// Returns a finding for each cycle of parent routes, of trees that contain each other, and of
    /// constant redirects.
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

    /// Returns a finding for each route that can be disabled but has no fallback, and for each
    /// cycle of fallbacks.
    func fallbackFindings() -> [Finding] {
        steps.filter { $0.enabled != nil && $0.fallback == nil }.map { step in
            let what = "'\(step.title)' can be disabled but has no 'fallback'"
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

    /// Returns the titles of the steps of a cycle, with the title of the first step repeated at the
    /// end.
    private func closed(_ circle: [Step]) -> [String] {
        (circle + circle.prefix(1)).map(\.title)
    }

    /// The steps whose chain of parents has no start.
    ///
    /// A chain can start at a step that may find its screen or that needs no parent. For a step
    /// whose `from` is a switch, a single case that can start a chain is enough.
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

    /// Returns the possible parents of a step, and whether the chain can also start at the step
    /// itself, because `from` is missing or may name something other than a parent step.
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

/// Returns the cycles in which steps lead to each other.
///
/// No step is in more than one of the returned cycles.
///
/// - Parameters:
///   - steps: The steps from which the search starts, in order.
///   - next: A closure that returns the steps to which a step leads. It must return the same result
///     on each call.
/// - Returns: The steps of each cycle, starting with the step of the cycle that the search reached
///   first.
/// - Complexity: O(*n*) in the number of steps and of the edges between them.
private func circles(among steps: [Step], _ next: (Step) -> [Step]) -> [[Step]] {
    var circles: [[Step]] = []
    var isDone: Set<ObjectIdentifier> = []
    for start in steps where !isDone.contains(ObjectIdentifier(start)) {
        let first = next(start)
        // Most steps lead to no other step.
        if first.isEmpty { continue }
        // `way` is the path to the current step, with the branches that remain at each step of the
        // path. The path is an explicit stack, so that long paths need no recursion. If an edge
        // leads back to a step of the path, all steps from that step to the end of the path form a
        // cycle. `closing` contains the indices of the steps of the path that are already in a
        // cycle, in ascending order. A cycle that contains such a step is not added.
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
    /// Whether the step may find an existing screen.
    ///
    /// If so, the step's parents are not needed.
    fileprivate var mayFind: Bool {
        if let find { return !find.isNever }
        return reuse.search != nil
    }
}
