// SPDX-License-Identifier: MIT

/// The checks for work that stays pending forever, and for equal states that behave differently.
extension StateSearch {
    /// The number of steps below the maximum depth at which pending work may be reported.
    ///
    /// If a state is nearer to the maximum depth, the state's pending work is reported only if all
    /// states that can be reached from the state were expanded.
    private static var waitLimit: Int { 4 }
    /// The maximum number of states in which steps of the host, the clock and the user are tried to
    /// end the pending work of one state.
    private static var outsideLimit: Int { 200 }

    /// Checks that all pending work can end.
    mutating func checkPending(_ expander: Expander, _ app: App) throws(LoadedScripts.Failure) {
        guard ending == .complete else { return }
        let works = Set(graph.inner.flatMap { graph[$0].view.pending }).sorted()
        for work in works {
            var isCut = [Bool](repeating: false, count: graph.states.count)
            let distances = graph.distances {
                $0.edges ?? []
            } to: {
                !$0.view.pending.contains(work)
            }
            // Near the bound, the search may not have reached the step that ends the work.
            for index in graph.inner {
                isCut[index] = graph[index].depth + Self.waitLimit > limits.depth
            }
            let stuck = graph.inner.filter {
                distances[$0] == nil && (!isCut[$0] || isClosed(from: $0))
            }
            for index in stuck where ending == .complete {
                guard try !endsByOutside(work, from: index, expander: expander, in: app) else {
                    continue
                }
                add(
                    ExplorationFinding(
                        .pendingForEver,
                        "\(work), and no steps complete this work",
                        key: work,
                        path: graph.path(to: index),
                        shownBy: .notPending(work)
                    )
                )
                try replayFindings()
                break
            }
        }
    }

    /// Returns whether all states that can be reached from a state were expanded.
    private func isClosed(from index: Int) -> Bool {
        var known: Set = [index]
        var queue = [index]
        while let next = queue.popLast() {
            guard let edges = graph[next].edges else { return false }
            for edge in edges where known.insert(edge.target).inserted {
                queue.append(edge.target)
            }
        }
        return true
    }

    /// Returns whether steps of the host, the clock or the user can end pending work, including
    /// steps beyond the bound.
    private mutating func endsByOutside(
        _ work: String,
        from index: Int,
        expander: Expander,
        in app: App
    ) throws(LoadedScripts.Failure) -> Bool {
        var known: Set = [index]
        var queue = [index]
        while let next = queue.popLast() {
            guard graph[next].view.pending.contains(work) else { return true }
            guard known.count < Self.outsideLimit, outsideCount < limits.extraOutside else {
                noteCut("states in which the search tried to end pending work", limits.extraOutside)
                return true
            }
            outsideCount += 1
            let result = expander.expansion(at: graph[next].mark, of: .success(app)) {
                expander.userSteps(in: $0) + OfferedSteps.outsideSteps(in: $0)
            }
            if isOver { return true }
            let edges = try edges(of: next, result)
            for edge in edges where known.insert(edge.target).inserted {
                queue.append(edge.target)
            }
        }
        return false
    }

    // MARK: Equal states with different effects

    /// Expands states again after a second path, and checks that the steps have the same effects.
    mutating func checkDoubles(_ expander: Expander, _ app: App) throws(LoadedScripts.Failure) {
        for (parent, step, target) in doubles {
            guard !isOver, let edges = graph[target].edges else { continue }
            try app.go(to: graph[parent].mark)
            guard let effects = app.take(step) else { continue }
            _ = expander.arrival(in: app, effects, by: step)
            let result = expander.expansion(at: app.mark(isNew: true), of: .success(app))
            if isOver { return }
            let first = edges.map { ($0.step.text, graph[$0.target].fingerprint) }
            let second = try result.get().map { ($0.0.step.text, $0.0.fingerprint) }
            guard let differing = Expander.difference(first, second) else { continue }
            let arrival = try result.get().first { $0.0.step.text == differing }?.0
            let tree = arrival.flatMap { arrival in
                (arrival.view ?? graph.index(of: arrival.fingerprint).map { graph[$0].view })?.tree
            }
            let edge = edges.first { $0.step.text == differing }
            var finding = ExplorationFinding(
                .doubleState,
                "the effect of '\(differing)' depends on the path by which the search reached the state",
                key: "\(graph[target].view.leaf ?? "") \(differing)",
                path: graph.path(to: parent) + [step] + (edge.map { [$0.step] } ?? []),
                shownBy: edge.map { .condition("tree \(graph[$0.target].view.tree)") }
            )
            // Equal trees do not show the difference.
            if tree == edge.map({ graph[$0.target].view.tree }) { finding.expectation = nil }
            let path = graph.path(to: target)
            finding.sides = (path, graph.path(to: parent) + [step])
            let other = path.map(\.text).joined(separator: " · ")
            finding.details = ["the other path: \(other.isEmpty ? "the start" : other)"]
            add(finding)
            try replayFindings()
        }
    }
}
