// SPDX-License-Identifier: MIT

internal import RouteEngine

/// The check for unbounded growth: a cycle of steps that makes a stack longer each time.
extension StateSearch {
    /// The number of additional rounds of a cycle that confirm growth.
    static var confirmingRounds: Int { 16 }

    /// The last element of an entry of ``knownGrowth`` for growth that was not confirmed.
    static var unconfirmed: String { unconfirmedGrowth }

    /// Checks whether a new state repeats and extends the stack of an ancestor, and adds a finding
    /// if further rounds confirm this growth.
    mutating func checkGrowth(_ index: Int, _ app: App) throws(LoadedScripts.Failure) {
        let state = graph[index]
        var cycle: [ExploredStep] = []
        var current = state
        while let (parent, step) = current.parent {
            cycle.insert(step, at: 0)
            let ancestor = graph[parent]
            current = ancestor
            guard let growth = Growth(from: ancestor.view, to: state.view),
                !knownGrowth.contains(where: { growth.contains($0) })
            else { continue }
            guard try isConfirmed(growth, cycle: cycle, at: index, in: app) else {
                knownGrowth.insert(growth.classes + [Self.unconfirmed])
                continue
            }
            knownGrowth.insert(growth.classes)
            let words = cycle.map(\.shortText).joined(separator: " → ")
            let screens = growth.count == 1 ? "1 screen" : "\(growth.count) screens"
            let path = graph.path(to: index)
            add(
                ExplorationFinding(
                    .endlessGrowth,
                    "\(words) adds \(screens) a turn, \(Self.confirmingRounds) turns seen",
                    key: growth.classes.joined(separator: " "),
                    path: path,
                    shownBy: growth.isOfLevels
                        ? .condition("tree \(ancestor.view.tree)")
                        : .condition("depth \(ancestor.view.stack.count)")
                )
            )
        }
    }

    /// Returns whether each additional round of a cycle makes the stack longer by the same number
    /// of screens.
    private func isConfirmed(
        _ growth: Growth,
        cycle: [ExploredStep],
        at index: Int,
        in app: App
    ) throws(LoadedScripts.Failure) -> Bool {
        try app.go(to: graph[index].mark)
        var last = graph[index].view
        for _ in 0..<Self.confirmingRounds {
            for step in cycle where app.take(step) == nil { return false }
            let view = StateView(app.session, [])
            guard let round = Growth(from: last, to: view), round.count == growth.count,
                round.isOfLevels == growth.isOfLevels
            else { return false }
            last = view
        }
        return true
    }
}

/// The mark of growth that was not confirmed.
///
/// No class can have this name.
private let unconfirmedGrowth = "?"

/// The growth of a stack, or of the levels of a window.
///
/// The new stack begins with all screens of the old stack, is longer, and ends with the same screen
/// as the old stack.
private struct Growth {
    let count: Int
    let isOfLevels: Bool
    /// The word `stack` or `levels`, followed by the sorted classes of the added screens.
    let classes: [String]

    init?(from old: StateView, to new: StateView) {
        let added: ArraySlice<String>
        if old.rest == new.rest, let screens = Self.added(old.stack, new.stack) {
            (added, isOfLevels) = (screens, false)
        } else if let screens = Self.added(old.levels, new.levels) {
            (added, isOfLevels) = (screens, true)
        } else {
            return nil
        }
        count = added.count
        let names = added.map { screen in String(screen.prefix { $0 != "(" && $0 != "[" }) }
        classes = [isOfLevels ? "levels" : "stack"] + Set(names).sorted()
    }

    /// Returns whether a known growth makes it unnecessary to examine this growth.
    ///
    /// If the known growth was confirmed, a subset of the classes of this growth is sufficient;
    /// otherwise the classes must be equal.
    func contains(_ known: [String]) -> Bool {
        known.last == unconfirmedGrowth
            ? known.dropLast() == classes[...] : known.allSatisfy(classes.contains)
    }

    private static func added(_ old: [String], _ new: [String]) -> ArraySlice<String>? {
        guard !old.isEmpty, new.count > old.count, new.starts(with: old), new.last == old.last
        else { return nil }
        return new[old.count...]
    }
}

extension ExploredStep {
    /// The target of a navigation; for any other step, its text.
    var shortText: String {
        if case .act(.route(let target, _), _) = step.action { return target.description }
        return text
    }
}
