// SPDX-License-Identifier: MIT

internal import LuaRouting

/// A breadth-first search of the states of an app.
///
/// The path to each state is a shortest path.
struct StateSearch<App: ExploredApp> {
    typealias Graph = SearchGraph<App.Mark>

    let exploration: Exploration
    let offered: OfferedSteps
    let limits: SearchLimits
    /// The apps that the threads use.
    let apps: ExploredApps<App>

    var graph = Graph()
    private let visited = VisitedStates()
    var findings: [ExplorationFinding] = []
    var ending = ExplorationReport.Ending.complete
    /// The number of steps that were taken.
    private(set) var stepCount = 0
    /// The parts of the scripts that were reached by any step.
    private(set) var reached: Set<ScriptPart.Key> = []
    /// The objects that scripts can reach, but whose contents no fingerprint contains.
    private(set) var unseen: Set<String> = []
    /// Steps that led to known states.
    ///
    /// After these steps, the states are expanded a second time.
    private(set) var doubles: [(parent: Int, step: ExploredStep, target: Int)] = []
    /// Descriptions of the limits, other than the depth, that were reached.
    private(set) var notExplored: [String] = []
    /// Whether there are no states beyond the maximum depth.
    private(set) var isExhausted = false
    /// The number of states beyond the maximum depth in which offered controls were tried.
    var controlCount = 0
    /// The number of states in which steps of the host, the clock and the user were tried to end
    /// pending work.
    var outsideCount = 0
    private var mergeCount: UInt64 = 0
    private var known: Set<String> = []
    /// The findings whose steps were repeated, by key; `nil` for a finding that did not occur
    /// again.
    private(set) var replays: [String: ExplorationFinding?] = [:]
    /// Repeats the steps of a finding, and returns the finding if it occurs again.
    ///
    /// If this closure is `nil`, findings are not confirmed.
    ///
    /// The closure does not throw, because the metadata of an optional closure with a typed error
    /// requires iOS 18.
    var replay: ((ExplorationFinding) -> Result<ExplorationFinding?, LoadedScripts.Failure>)?
    /// Returns an identifier for a line of the scripts.
    ///
    /// The identifier does not depend on the lines above.
    var identity: (RouteError.Location) -> String = { $0.file }
    /// The growth that was examined: `stack` or `levels`, followed by the classes of the added
    /// screens.
    ///
    /// If the growth was not confirmed, the last element is ``unconfirmed``.
    var knownGrowth: Set<[String]> = []

    init(
        _ exploration: Exploration,
        offered: OfferedSteps,
        limits: SearchLimits,
        makeApp: @escaping @Sendable () throws(LoadedScripts.Failure) -> App
    ) {
        (self.exploration, self.offered, self.limits) = (exploration, offered, limits)
        apps = ExploredApps(makeApp)
    }

    // MARK: Running

    /// Runs the search.
    ///
    /// - Throws: The failure of a step before the search, or of scripts that do not load.
    mutating func run() throws(LoadedScripts.Failure) {
        let app = try apps.make()
        let expander = Expander(
            exploration: exploration,
            offered: offered,
            includesScripts: limits.includesScripts,
            visited: visited
        )
        let start = expander.arrival(in: app, StepEffects())
        noteArrival(start, from: nil)
        var level = [add(start, app.mark(isNew: true), from: nil, depth: 0)]
        var depth = 0
        while !level.isEmpty, depth < limits.depth, ending == .complete {
            level = try expand(level, expander: expander, in: app)
            depth += 1
            showProgress(queue: level.count, depth)
        }
        isExhausted = level.isEmpty
        try checkUsers(expander, app)
        try replayFindings()
        try checkPending(expander, app)
        try checkDoubles(expander, app)
        // Screens that repeat in a growing stack are reported only once.
        let growing = Set(knownGrowth.filter { $0.last != Self.unconfirmed }.flatMap(\.self))
        findings.removeAll { finding in
            finding.isWarning && growing.contains { finding.key.hasSuffix(" \($0)") }
        }
    }

    /// Expands the states of one depth, and returns the states of the next depth.
    private mutating func expand(
        _ level: [Int],
        expander: Expander,
        in app: App
    ) throws(LoadedScripts.Failure) -> [Int] {
        var next: [Int] = []
        let expansions = Expansions(of: level.map { graph[$0].mark }, for: self, expander, app)
        for (number, index) in level.enumerated() {
            let expansion = expansions.result(of: number)
            if isOver { return next }
            var edges: [Graph.Edge] = []
            for (arrival, mark) in try expansion.get() {
                let count = graph.states.count
                guard let target = merge(arrival, mark: mark, from: index, next: &next) else {
                    return next
                }
                edges.append(Graph.Edge(step: arrival.step, target: target))
                if graph.states.count > count { try checkGrowth(target, app) }
            }
            graph.setEdges(edges, of: index)
            try replayFindings()
            if number % 64 == 0 {
                showProgress(queue: level.count - number + next.count, graph[index].depth)
            }
        }
        return next
    }

    /// Whether the search must end now.
    ///
    /// Reading this property also records the reason in ``ending``.
    ///
    /// The property is read after each expansion, because failures of cancelled scripts are not
    /// defects of the app.
    var isOver: Bool {
        mutating get {
            if ending == .complete, let reason = limits.ending() { ending = reason }
            return ending != .complete
        }
    }

    private func showProgress(queue: Int, _ depth: Int) {
        limits.onProgress(
            SearchProgress(
                states: graph.count,
                queue: queue,
                steps: stepCount,
                depth: depth
            )
        )
    }

    /// Records a step from a state, and returns the index of the state to which the step leads;
    /// `nil` if the limit of states is reached.
    private mutating func merge(
        _ arrival: Expander.Arrival,
        mark: App.Mark,
        from index: Int,
        next: inout [Int]
    ) -> Int? {
        stepCount += 1
        noteArrival(arrival, from: index)
        if let target = graph.index(of: arrival.fingerprint) {
            if target != index { noteMerge(index, by: arrival.step, into: target) }
            return target
        }
        guard graph.count < limits.states else {
            ending = .states
            return nil
        }
        let depth = graph[index].depth + 1
        let target = add(arrival, mark, from: (index, arrival.step), depth: depth)
        next.append(target)
        return target
    }

    mutating func add(
        _ arrival: Expander.Arrival,
        _ mark: App.Mark,
        from parent: (state: Int, step: ExploredStep)?,
        depth: Int,
        isBeyond: Bool = false
    ) -> Int {
        guard let view = arrival.view else { preconditionFailure("a new state has a view") }
        visited.insert(arrival.fingerprint)
        return graph.add(
            Graph.State(
                fingerprint: arrival.fingerprint,
                view: view,
                mark: mark,
                depth: depth,
                parent: parent,
                isBeyond: isBeyond
            )
        )
    }

    private mutating func noteMerge(_ parent: Int, by step: ExploredStep, into target: Int) {
        mergeCount += 1
        var number = (mergeCount &+ limits.seed) &* 0x9e37_79b9_7f4a_7c15
        number ^= number >> 32
        guard number % 1_000 < limits.doublesPerMille, doubles.count < 1_000 else { return }
        doubles.append((parent, step, target))
    }

    /// Records that a limit was reached before all paths back were followed to their end.
    mutating func noteCut(_ states: String, _ limit: Int) {
        let text = "ways out beyond depth \(limits.depth) (limit reached: \(limit) \(states))"
        if !notExplored.contains(text) { notExplored.append(text) }
    }

    // MARK: Findings

    /// Adds a finding, unless the same defect was already found.
    mutating func add(_ finding: ExplorationFinding) {
        if known.insert(finding.key).inserted { findings.append(finding) }
    }

    /// Confirms new findings by repeating their steps.
    ///
    /// After a signal, no script is run, and only findings that are already confirmed are reported.
    mutating func replayFindings() throws(LoadedScripts.Failure) {
        guard let replay else { return }
        for finding in findings.dropFirst(replays.count) {
            let replayed = try replay(finding).get()
            guard limits.ending() != .interrupted else { return }
            replays.updateValue(replayed, forKey: finding.key)
        }
    }

    /// Records the effects of a step, and adds a finding for each rule that the step breaks.
    private mutating func noteArrival(
        _ arrival: Expander.Arrival,
        from state: Int?
    ) {
        func path() -> [ExploredStep] {
            state.map { graph.path(to: $0) + [arrival.step] } ?? []
        }
        reached.formUnion(arrival.effects.reached)
        unseen.formUnion(arrival.unseen)
        for index in arrival.broken { add(brokenRule(index, arrival: arrival, path: path())) }
        for failure in arrival.effects.failures where Expander.isDefect(failure) {
            var finding = ExplorationFinding(
                .failureInSearch,
                "\(failure.code): \(failure.message)",
                key: "\(failure.code) \(failure.location.map(identity) ?? failure.message)",
                path: path(),
                shownBy: .noFailure(failure)
            )
            finding.location = failure.location
            add(finding)
        }
        // Findings about a known state were added when the state was first visited.
        guard let view = arrival.view else { return }
        for sentence in arrival.brokenInvariants {
            add(
                ExplorationFinding(
                    .failureInSearch,
                    "the tree breaks an invariant: \(sentence)",
                    key: sentence,
                    path: path(),
                    shownBy: .condition("not tree \(view.tree)")
                )
            )
        }
        if let name = view.twin {
            add(
                ExplorationFinding(
                    .equalScreens,
                    "two screens of class '\(name)' with equal fields are in one stack",
                    key: name,
                    path: path(),
                    shownBy: .condition("not tree \(view.tree)")
                )
            )
        }
    }

    private func brokenRule(
        _ index: Int,
        arrival: Expander.Arrival,
        path: [ExploredStep]
    ) -> ExplorationFinding {
        let rule = exploration.rules[index]
        var shown: ExplorationFinding.Shown?
        var failure: StepEffects.Failure?
        switch rule.property {
        case .never(let step, _):
            // The condition, without the word 'expect'.
            let words = ExploredStep(step).text.dropFirst("expect ".count)
            let isNegated = words.hasPrefix("not ")
            shown = .condition(isNegated ? String(words.dropFirst(4)) : "not \(words)")
        case .neverDeeper: shown = arrival.view.map { .condition("not depth \($0.stack.count)") }
        case .neverError(let code):
            failure = arrival.effects.failures.first { $0.code == code.rawValue }
            shown = failure.map { .noFailure($0) }
        case .always: break
        }
        var finding = ExplorationFinding(
            .brokenRule,
            rule.text,
            key: rule.text,
            path: path,
            shownBy: shown
        )
        finding.location = failure?.location
        finding.details = [failure?.message].compactMap(\.self)
        return finding
    }
}

/// The limits of a search.
struct SearchLimits: Sendable {
    var depth = 10
    var states = 100_000
    /// The number of threads.
    var jobs = 1
    var seed: UInt64 = 0
    /// The number of repeated expansions of known states, per 1,000 steps that lead to a known
    /// state.
    var doublesPerMille: UInt64 = 10
    /// Whether fingerprints contain the values that scripts can reach; `false` in tests of finding
    /// X008.
    var includesScripts = true
    /// The maximum number of states that the user's steps add beyond the maximum depth.
    var extraStates = 20_000
    /// The maximum number of states beyond the maximum depth in which offered controls are tried.
    var extraControls = 300
    /// The maximum number of states in which steps of the host, the clock and the user are tried to
    /// end pending work.
    var extraOutside = 2_000
    /// Returns the reason to end the search now; `nil` to continue.
    var ending: @Sendable () -> ExplorationReport.Ending? = { nil }
    /// Called periodically with the progress of the search.
    var onProgress: @Sendable (SearchProgress) -> Void = { _ in }
}

/// The progress of a running search.
struct SearchProgress: Sendable {
    let states: Int
    /// The number of states that have not been expanded yet.
    let queue: Int
    let steps: Int
    /// The depth of the states that are being expanded.
    let depth: Int

    /// Returns a line that describes the progress, given the time since the search began.
    func line(after time: Duration) -> String {
        let seconds = time / .seconds(1)
        let rate = seconds > 0 ? Int(Double(steps) / seconds) : 0
        return "\(states.grouped) states, \(queue.grouped) queued, "
            + "\(rate.grouped) steps a second, depth \(depth)"
    }
}
