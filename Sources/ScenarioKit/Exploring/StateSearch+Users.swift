// SPDX-License-Identifier: MIT

/// The rules about what a user alone can do: `always reach`, traps, and modals that stay.
extension StateSearch {
    /// The maximum number of the user's steps that a scenario shows.
    private static var walkLimit: Int { 8 }

    /// Checks `always reach`, and that the start's screen can be reached again.
    mutating func checkUsers(_ expander: Expander, _ app: App) throws(LoadedScripts.Failure) {
        guard ending == .complete else { return }
        try addUserSteps(expander, app)
        for (index, rule) in exploration.rules.enumerated() {
            if case .always(let step, let count) = rule.property {
                checkReach(index, rule, step, count)
            }
        }
        checkTraps()
    }

    /// Takes the user's steps from all states, also beyond the bound, until there are no new ones.
    private mutating func addUserSteps(
        _ expander: Expander,
        _ app: App
    ) throws(LoadedScripts.Failure) {
        let end = graph.states.count + limits.extraStates
        var first = 0
        while first < graph.states.count {
            let batch = first..<graph.states.count
            first = batch.upperBound
            var rest: [Int] = []
            for index in batch {
                guard exploration.choices.isEmpty, let edges = graph[index].edges else {
                    rest.append(index)
                    continue
                }
                graph.setUserEdges(
                    edges.filter { $0.step.actor == .user || $0.step.actor == .control },
                    of: index
                )
            }
            let expansions = Expansions(of: rest.map { graph[$0].mark }, for: self, expander, app) {
                expander.userSteps(in: $0)
            }
            for (number, index) in rest.enumerated() {
                if let reason = graph.states.count < end ? limits.ending() : .states {
                    ending = reason
                    return
                }
                graph.setUserEdges(try edges(of: index, expansions.result(of: number)), of: index)
            }
        }
    }

    /// Returns the steps that were taken from a state; states that they alone lead to are added
    /// beyond the bound.
    mutating func edges(
        of index: Int,
        _ result: Expander.Result<App.Mark>
    ) throws(LoadedScripts.Failure) -> [Graph.Edge] {
        let depth = graph[index].depth + 1
        var edges: [Graph.Edge] = []
        for (arrival, mark) in try result.get() {
            let target =
                graph.index(of: arrival.fingerprint)
                ?? add(
                    arrival,
                    mark,
                    from: (index, arrival.step),
                    depth: depth,
                    isBeyond: true
                )
            edges.append(Graph.Edge(step: arrival.step, target: target))
        }
        return edges
    }

    private mutating func checkReach(
        _ index: Int,
        _ rule: Exploration.Rule,
        _ step: Step,
        _ count: Int
    ) {
        let distances = graph.distances {
            $0.userEdges?.filter { $0.step.actor == .user }
        } to: {
            $0.view.conditions[index]
        }
        let failed = graph.inner.first { distances[$0].map { $0 > count } ?? true }
        guard let failed else { return }
        var finding = ExplorationFinding(
            .unreachedCondition,
            rule.text,
            key: rule.text,
            path: graph.path(to: failed),
            shownBy: .condition(String(ExploredStep(step).text.dropFirst("expect ".count)))
        )
        finding.epilogue = walk(from: failed, limit: count) { $0.view.conditions[index] }
        finding.details = [
            distances[failed].map { "the user needs \($0) steps" }
                ?? "no steps of the user lead there"
        ]
        add(finding)
    }

    private mutating func checkTraps() {
        guard let home = graph[0].view.leaf else { return }
        let distances = graph.distances {
            $0.userEdges
        } to: {
            $0.view.leaf == home
        }
        var reported: Set<Int> = []
        for index in graph.inner where distances[index] == nil {
            let state = graph[index]
            // Only the first state of a trap is reported.
            let inside = reachable(from: index)
            defer { reported.formUnion(inside) }
            guard reported.isDisjoint(with: inside) else { continue }
            let path = graph.path(to: index)
            if let modal = state.view.modal,
                inside.allSatisfy({
                    graph[$0].view.levels.count >= state.view.levels.count
                })
            {
                var finding = ExplorationFinding(
                    .lastingModal,
                    "no step of the user removes the modal with '\(modal)'",
                    key: modal,
                    path: path,
                    shownBy: .condition("modal none")
                )
                finding.epilogue = walk(from: index, limit: Self.walkLimit) { _ in false }
                add(finding)
            } else {
                let leaf = state.view.leaf ?? "nothing"
                var finding = ExplorationFinding(
                    .trap,
                    "no steps of the user lead from '\(leaf)' back to '\(home)'",
                    key: leaf,
                    path: path,
                    shownBy: .condition("top \(home)")
                )
                finding.epilogue = walk(from: index, limit: Self.walkLimit) { _ in false }
                add(finding)
            }
        }
    }

    /// Returns the states that a user can reach from a state, with the state itself.
    private func reachable(from index: Int) -> Set<Int> {
        var known: Set = [index]
        var queue = [index]
        while let next = queue.popLast() {
            for edge in graph[next].userEdges ?? [] where known.insert(edge.target).inserted {
                queue.append(edge.target)
            }
        }
        return known
    }

    /// Returns the back steps of a user from a state, until a goal or a known state is reached.
    private func walk(
        from index: Int,
        limit: Int,
        until isGoal: (Graph.State) -> Bool
    ) -> [String] {
        var steps: [String] = []
        var current = index
        var known: Set = [index]
        while steps.count < limit, !isGoal(graph[current]) {
            // A step that leads nowhere may have failed.
            let back = (graph[current].userEdges ?? []).first {
                $0.step.text == "user back" && $0.target != current
            }
            guard let back, !isGoal(graph[back.target]) else { break }
            steps.append(back.step.text)
            guard known.insert(back.target).inserted else { break }
            current = back.target
        }
        return steps
    }
}
