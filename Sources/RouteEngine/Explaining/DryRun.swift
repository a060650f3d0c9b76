// SPDX-License-Identifier: MIT

package import RouteCore

/// The dry run of a navigation: all phases up to the commit run on a copy of the world.
extension Stage {
    /// The tree of each window in tree notation.
    package var windowTrees: [Explanation.WindowTree] {
        tree.windows.map {
            let text = treeNotation(window: $0.name)
            return Explanation.WindowTree(name: $0.name, before: text, after: text)
        }
    }

    /// Runs all phases up to the commit, as if all interceptors and gates let the navigation
    /// proceed.
    ///
    /// - Returns: False if the plan turned out to be outdated, in which case the dry run must start
    ///   again.
    /// - Throws: The error with which the navigation would end.
    package mutating func explain(_ trace: Trace) throws(RouteError) -> Bool {
        guard !journey.waitsForTree || !tree.windows.isEmpty else {
            trace.notes(gates: [World.startGate], of: nil, in: world)
            trace.phase = .resolve
            try resolve()
            trace.notesResolution(in: self)
            trace.notes(interceptorsForAll(before: .search), .search, in: self)
            trace.notes(interceptorsForAll(before: .stage), .every, in: self)
            return true
        }
        while true {
            switch try advance() {
            case .next: continue
            case .plansAgain: return false
            case .asks(let interception): journey.passed.insert(interception)
            case .asksForNextMatch(let location): try followNextMatch(at: location)
            case .waits, .waitsFor, .stays: return true
            case .commits:
                trace.notesEnd(in: self)
                return true
            }
        }
    }
}
