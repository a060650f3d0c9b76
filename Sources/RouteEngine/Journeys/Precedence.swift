// SPDX-License-Identifier: MIT

package import RouteCore

/// Who waits for whom: the decisions about navigations that are pending at the same time.
///
/// It is a value without scripts; the article on policies has its table.
package struct Precedence {
    /// The request of a navigation to a route; two equal ones are coalesced.
    package struct Request: Equatable {
        package let target: Target
        package let info: InfoTable
        package let from: ScreenID?
        package let window: String
        package let isForced: Bool
        /// The number of the generation whose scripts run.
        package let generation: Int

        package init(
            _ target: Target,
            _ info: InfoTable,
            from: ScreenID? = nil,
            window: String = RouterWindow.main,
            isForced: Bool = false,
            generation: Int = 1
        ) {
            (self.target, self.info, self.from) = (target, info, from)
            (self.window, self.isForced, self.generation) = (window, isForced, generation)
        }
    }

    /// A pending navigation.
    package struct Entry {
        package let id: Int
        /// The policy; nil for a leaving verb and the first tree, which wait for nobody.
        package let policy: Policy?
        /// The requests to which an equal one is coalesced with it; a newcomer's own comes first.
        package let requests: [Request]
        /// The pending navigations that started it, the nearest first.
        package let parents: [Int]
        /// The pending navigations whose end it waits for.
        package let awaits: [Int]
        /// The screens of its children at which it waits.
        package let waitsAt: [ScreenID]

        package init(
            _ id: Int,
            _ policy: Policy?,
            _ requests: [Request] = [],
            parents: [Int] = [],
            awaits: [Int] = [],
            waitsAt: [ScreenID] = []
        ) {
            (self.id, self.policy, self.requests) = (id, policy, requests)
            (self.parents, self.awaits, self.waitsAt) = (parents, awaits, waitsAt)
        }

        /// Whether it keeps others waiting, if its turn has come.
        ///
        /// While it waits at a screen of its child, that screen can be used.
        package var holdsQueue: Bool { policy != nil && waitsAt.isEmpty }
    }

    /// The effect of the pending navigations on one that begins, or its effect on them.
    package enum Answer: Equatable {
        case runs
        /// It waits for its turn, until these have ended.
        case waits(for: [Int])
        /// It is coalesced with an identical one.
        case joins(Int)
        /// These are cancelled.
        case supersedes([Int])
        /// It is rejected, because of one.
        case busy(with: Int)
    }

    /// The active navigations, in the order in which they began.
    private let active: [Entry]
    /// The navigations that wait for their turn, in order.
    private let queued: [Entry]
    /// The navigations that wait at closed gates, or for the stage on which they began.
    private let parked: [Entry]

    package init(active: [Entry], queued: [Entry] = [], parked: [Entry] = []) {
        (self.active, self.queued, self.parked) = (active, queued, parked)
    }

    /// Returns the answer for a navigation that begins.
    ///
    /// - Parameters:
    ///   - newcomer: The navigation, which is not among the others.
    ///   - mayJoin: Whether it may be coalesced with an identical one.
    /// - Returns: The answer, of which the article on policies has the table.
    /// - Complexity: O(*n*) for *n* pending navigations.
    package func answer(for newcomer: Entry, mayJoin: Bool = true) -> Answer {
        if mayJoin, let leader = leader(for: newcomer) { return .joins(leader.id) }
        guard newcomer.policy != nil, newcomer.parents.isEmpty else { return .runs }
        let holders = (active + queued).filter(\.holdsQueue)
        switch newcomer.policy {
        case .latest:
            let others = holders.filter(\.parents.isEmpty)
            if !others.isEmpty { return .supersedes(others.map(\.id)) }
        case .reject:
            if let first = holders.first { return .busy(with: first.id) }
        case .queue, .parallel, nil: break
        }
        return isTurn(of: newcomer) ? .runs : .waits(for: holders.map(\.id))
    }

    /// Whether it is the turn of a queued navigation.
    package func isTurn(of entry: Entry) -> Bool {
        guard let policy = entry.policy, policy != .parallel, entry.parents.isEmpty,
            !active.contains(where: { $0.id == entry.id })
        else { return true }
        return !active.contains(where: \.holdsQueue)
    }

    private func leader(for newcomer: Entry) -> Entry? {
        guard let request = newcomer.requests.first else { return nil }
        return (active + queued + parked).first { other in
            other.requests.contains(request) && !waits(other, forOneOf: newcomer.parents)
        }
    }

    /// Whether a navigation waits, directly or by others, for one that waits for its child.
    private func waits(_ other: Entry, forOneOf parents: [Int]) -> Bool {
        guard let parent = parents.first else { return false }
        // The parent is active, and holds the queue in which the other one waits.
        if !isTurn(of: other) { return true }
        let entries = active + queued + parked
        var seen: Set<Int> = []
        var open = [other.id]
        while let next = open.popLast() {
            if parents.contains(next) { return true }
            guard seen.insert(next).inserted else { continue }
            open += entries.first { $0.id == next }?.awaits ?? []
        }
        return false
    }
}
