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
        /// The requests with which an identical request is coalesced; the newcomer's own request is
        /// the first.
        package let requests: [Request]
        /// The pending navigations that started this one, the nearest first.
        package let parents: [Int]
        /// The pending navigations whose end this one waits for.
        package let awaits: [Int]
        /// The screens of child navigations at which this one waits.
        package let waitsAt: [ScreenID]
        /// The open question of the navigation; nil if it does not ask a screen whether it may be
        /// removed.
        package let question: Question?
        /// Whether the navigation waits for the question, or at the dialog, of another one.
        package let isHeldUp: Bool

        package init(
            _ id: Int,
            policy: Policy?,
            requests: [Request] = [],
            parents: [Int] = [],
            awaits: [Int] = [],
            waitsAt: [ScreenID] = [],
            question: Question? = nil,
            isHeldUp: Bool = false
        ) {
            (self.id, self.policy, self.requests) = (id, policy, requests)
            (self.parents, self.awaits, self.waitsAt) = (parents, awaits, waitsAt)
            (self.question, self.isHeldUp) = (question, isHeldUp)
        }

        /// Whether the navigation blocks others while it may run.
        ///
        /// While it waits at a screen of a child navigation, that screen can be used.
        package var holdsQueue: Bool { policy != nil && waitsAt.isEmpty && !isHeldUp }
    }

    /// The removal of screens by a navigation.
    package struct Removal {
        package let screens: Set<ScreenID>
        /// The screen that becomes visible by a verb that only removes screens; nil for other
        /// requests.
        package let reaches: ScreenID?
        /// The value with which the verb closes a screen.
        package let value: Value

        /// All screens of the removal.
        package var touched: Set<ScreenID> { screens.union(reaches.map { [$0] } ?? []) }

        package init(_ screens: Set<ScreenID>, reaches: ScreenID? = nil, value: Value = .nil) {
            (self.screens, self.reaches, self.value) = (screens, reaches, value)
        }
    }

    /// A `leaving` function that has not answered.
    package struct Question {
        /// The screen that may be removed or not.
        package let screen: ScreenID
        /// The removal that the question is about.
        package let removal: Removal
        /// The screens that were shown for the question, and the screens that were put on them.
        package let shows: Set<ScreenID>

        package init(_ screen: ScreenID, _ removal: Removal, shows: Set<ScreenID> = []) {
            (self.screen, self.removal, self.shows) = (screen, removal, shows)
        }

        /// Whether another navigation would remove the same screens.
        fileprivate func isAbout(_ other: Removal) -> Bool {
            other.screens.subtracting(shows) == removal.screens
        }

        /// Whether a verb ends like the verb that asked, because both remove the same screens.
        fileprivate func isJoined(by other: Removal) -> Bool {
            guard isAbout(other), let reached = other.reaches else { return false }
            return (reached == removal.reaches || shows.contains(reached))
                && removal.reaches != nil && (other.value.isNil || other.value == removal.value)
        }
    }

    /// The effect of the pending navigations on one that begins, or its effect on them.
    package enum Answer: Equatable {
        case runs
        /// The navigation waits until the navigations with these numbers have ended.
        case waits(for: [Int])
        /// It is coalesced with an identical one.
        case joins(Int)
        /// These are cancelled.
        case supersedes([Int])
        /// It is rejected, because of one.
        case busy(with: Int)
        /// It waits for the question of another one; a verb that would remove the same screens ends as
        /// that does if the answer is to stay.
        case waitsForQuestion(of: Int, sharesStay: Bool)
        /// It waits for the dialogs of these.
        case waitsForDialog(of: [Int])
        /// It removes the dialogs of these, which are cancelled.
        case leavesDialog(of: [Int])
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
    /// - Returns: The answer, see the table in the article on policies.
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

    /// Whether it is a queued navigation's turn.
    package func isTurn(of entry: Entry) -> Bool {
        guard let policy = entry.policy, policy != .parallel, entry.parents.isEmpty,
            !active.contains(where: { $0.id == entry.id })
        else { return true }
        return !active.contains(where: \.holdsQueue)
    }

    /// Returns the answer for a navigation that is about to ask screens whether they may be removed.
    ///
    /// - Parameters:
    ///   - entry: The navigation.
    ///   - screens: The screens that it has not asked.
    ///   - removal: The screens that it would remove.
    /// - Returns: The answer: it asks, waits for the question of another one, or joins that one.
    package func answer(
        for entry: Entry,
        asking screens: [ScreenID],
        removing removal: Removal
    ) -> Answer {
        for other in active where other.id != entry.id && !entry.parents.contains(other.id) {
            guard let question = other.question, screens.contains(question.screen) else { continue }
            if question.isJoined(by: removal) { return .joins(other.id) }
            let sharesStay = entry.policy == nil && question.isAbout(removal)
            return .waitsForQuestion(of: other.id, sharesStay: sharesStay)
        }
        return .runs
    }

    /// The screens of dialogs: screens at which navigations wait, other than the given navigation
    /// and its parents.
    package func dialogs(beside entry: Entry) -> [ScreenID] {
        others(beside: entry).flatMap(\.waitsAt)
    }

    private func others(beside entry: Entry) -> [Entry] {
        active.filter { $0.id != entry.id && !entry.parents.contains($0.id) }
    }

    /// Returns the answer for a link whose change puts a screen on dialogs, or removes them.
    ///
    /// - Parameters:
    ///   - entry: The link.
    ///   - screens: The screens of dialogs that the link would remove, or on which it would put
    ///     others.
    ///   - roots: The screens among them that cannot be left, because they replaced a root.
    ///   - policy: The policy of the link.
    /// - Returns: The answer: the link runs, waits for the dialogs, or leaves them.
    package func answer(
        for entry: Entry,
        using screens: Set<ScreenID>,
        roots: Set<ScreenID>,
        _ policy: DialogPolicy
    ) -> Answer {
        let others = others(beside: entry).filter { !screens.isDisjoint(with: $0.waitsAt) }
        if policy == .join || others.isEmpty { return .runs }
        let mustWait = others.contains { !roots.isDisjoint(with: $0.waitsAt) }
        return policy == .wait || mustWait
            ? .waitsForDialog(of: others.map(\.id)) : .leavesDialog(of: others.map(\.id))
    }

    private func leader(for newcomer: Entry) -> Entry? {
        guard let request = newcomer.requests.first else { return nil }
        return (active + queued + parked).first { other in
            other.requests.contains(request) && !waits(other, forOneOf: newcomer.parents)
        }
    }

    /// Whether a navigation waits, directly or through others, for one of the given parents.
    private func waits(_ other: Entry, forOneOf parents: [Int]) -> Bool {
        if parents.isEmpty { return false }
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
