// SPDX-License-Identifier: MIT

/// The rules about states that a user must be able to leave without help: `always reach`, and the
/// rules for traps and for modals that cannot be closed.
extension StateSearch {
    /// Checks the `always reach` rules, and that the user can return to the first screen.
    mutating func checkUsers(_ expander: Expander, _ app: App) throws(LoadedScripts.Failure) {
        guard ending == .complete else { return }
        try addUserSteps(expander, app)
        for (index, rule) in exploration.rules.enumerated() {
            if case .always(let step, let count) = rule.property {
                checkReach(index, rule: rule, of: step, count: count)
            }
        }
        checkTraps()
    }

    /// Takes the user's steps from all states, even beyond the bound, until there are no new
    /// states.
    ///
    /// Offered controls may lead to new states without end. Beyond the bound, the controls are
    /// tried only in a limited number of states, and only if the user needs them to return to the
    /// first screen.
    private mutating func addUserSteps(
        _ expander: Expander,
        _ app: App
    ) throws(LoadedScripts.Failure) {
        let end = graph.states.count + limits.extraStates
        var first = 0
        while true {
            let batch = first..<graph.states.count
            first = batch.upperBound
            let rest = batch.filter { index in
                guard exploration.choices.isEmpty, let edges = graph[index].edges else {
                    return true
                }
                graph.setUserEdges(edges.filter { $0.step.actor == .user }, of: index)
                graph.addControls(edges.filter { $0.step.actor == .control }, of: index)
                return false
            }
            let isDone = try expand(rest, expander: expander, in: app, end: end) {
                expander.userSteps(in: $0).filter { $0.actor == .user }
            } edges: { search, edges, index in
                search.graph.setUserEdges(edges, of: index)
            }
            guard isDone else { return }
            if first < graph.states.count { continue }
            let waiting = needingControls
            let tried = Array(waiting.prefix(max(0, limits.extraControls - controlCount)))
            controlCount += tried.count
            if tried.count < waiting.count {
                noteCut("states whose controls were tried", limits.extraControls)
                // It is unknown whether the user can leave these states.
                for index in waiting.dropFirst(tried.count) { graph.setUserEdges(nil, of: index) }
            }
            guard !tried.isEmpty else { return }
            let isWhole = try expand(tried, expander: expander, in: app, end: end) {
                expander.userSteps(in: $0).filter { $0.actor == .control }
            } edges: { search, edges, index in
                search.graph.addControls(edges, of: index)
            }
            guard isWhole else { return }
        }
    }

    /// The states from which a user may be able to return to the first screen, but only with
    /// offered controls.
    private var needingControls: [Int] {
        let stuck = stuckStates
        return stuck.isEmpty ? [] : graph.reachable(from: stuck).filter { !graph[$0].hasControls }
    }

    /// The states within the bound from which no known steps of the user lead to the first screen.
    private var stuckStates: [Int] {
        guard let home = graph[0].view.leaf else { return [] }
        let distances = graph.distances {
            $0.userEdges
        } to: {
            $0.view.leaf == home
        }
        return graph.inner.filter { distances[$0] == nil }
    }

    /// Takes steps from the given states.
    ///
    /// - Returns: Whether all steps were taken. If not, the search has ended.
    private mutating func expand(
        _ indices: [Int],
        expander: Expander,
        in app: App,
        end: Int,
        steps: @escaping @Sendable (Session) -> [ExploredStep],
        edges add: (inout StateSearch, [Graph.Edge], Int) -> Void
    ) throws(LoadedScripts.Failure) -> Bool {
        let marks = indices.map { graph[$0].mark }
        let expansions = Expansions(of: marks, for: self, expander, app, steps: steps)
        for (number, index) in indices.enumerated() {
            guard graph.states.count < end else {
                noteCut("states", limits.extraStates)
                ending = .states
                return false
            }
            let expansion = expansions.result(of: number)
            if isOver { return false }
            add(&self, try edges(of: index, expansion), index)
        }
        return true
    }

    /// Returns the edges for the steps that were taken from a state.
    ///
    /// New states to which the steps lead are added as states beyond the bound.
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
        rule: Exploration.Rule,
        of step: ScenarioStep,
        count: Int
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
            distances[failed].map { "the user needs \($0) steps to make the condition true" }
                ?? "no steps of the user make the condition true"
        ]
        add(finding)
    }

    private mutating func checkTraps() {
        guard let home = graph[0].view.leaf else { return }
        var reported: Set<Int> = []
        for index in stuckStates {
            let state = graph[index]
            // Only the first state of each trap is reported.
            let inside = Set(graph.reachable(from: [index]))
            defer { reported.formUnion(inside) }
            guard reported.isDisjoint(with: inside) else { continue }
            let path = graph.path(to: index)
            if let modal = state.view.modal,
                inside.allSatisfy({
                    graph[$0].view.levels.count >= state.view.levels.count
                })
            {
                let finding = ExplorationFinding(
                    .lastingModal,
                    "no step of the user removes the modal with '\(modal)'",
                    key: modal,
                    path: path,
                    shownBy: .wayOut(
                        "user dismisses",
                        state.view.levels.count > 2 ? "not modal \(modal)" : "modal none"
                    )
                )
                add(finding)
            } else {
                let leaf = state.view.leaf ?? "nothing"
                var finding = ExplorationFinding(
                    .trap,
                    "no steps of the user lead from '\(leaf)' back to '\(home)'",
                    key: leaf,
                    path: path,
                    shownBy: .wayOut("user back", "top \(home)")
                )
                finding.epilogue = backSteps(from: index)
                add(finding)
            }
        }
    }

    /// Returns the back steps of a user from a state until there is no screen to go back to; empty
    /// if the steps lead back to an earlier state.
    private func backSteps(from index: Int) -> [String] {
        var steps: [String] = []
        var known: Set<Int> = []
        var current = index
        while known.insert(current).inserted {
            let back = graph[current].userEdges?.first { $0.step.text == "user back" }
            guard let back, back.target != current else { return steps }
            steps.append(back.step.text)
            current = back.target
        }
        return []
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
            // A step that does not change the state may have failed.
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
