// SPDX-License-Identifier: MIT

package import RouteCore

/// The rules that decide which of several pending navigations waits for another one.
///
/// This type is a plain value, and calls no scripts. The article on policies contains a table of
/// the rules.
package struct Precedence {
    /// The request of a navigation to a route.
    ///
    /// Navigations with equal requests are coalesced.
    package struct Request: Equatable {
        package let target: Target
        package let info: InfoTable
        package let from: ScreenID?
        package let window: String
        package let isForced: Bool
        /// The number of the generation whose scripts the navigation runs.
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
        /// The policy; nil for leaving verbs and the first tree, which do not wait for other
        /// navigations.
        package let policy: Policy?
        /// The current request of this navigation, followed by the original request if the
        /// navigation was redirected.
        ///
        /// A new navigation with one of these requests is coalesced with this navigation.
        package let requests: [Request]
        /// The numbers of the pending navigations that led to this navigation, beginning with the
        /// navigation that started it.
        package let parents: [Int]
        /// The numbers of the pending navigations whose end this navigation awaits.
        package let awaits: [Int]
        /// The screens of child navigations at which this navigation waits.
        package let waitsAt: [ScreenID]
        /// The `leaving` function that the navigation has called and that has not answered, if any.
        package let question: Question?
        /// Whether the navigation waits for the question or the dialog of another navigation.
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

        /// Whether the navigation blocks the queue while it is active.
        ///
        /// A navigation that waits at a screen of a child navigation does not block the queue, so
        /// that the user can use that screen.
        package var holdsQueue: Bool { policy != nil && waitsAt.isEmpty && !isHeldUp }
    }

    /// A removal of screens by a navigation.
    package struct Removal {
        package let screens: Set<ScreenID>
        /// The screen that becomes visible, if the request can only remove screens; otherwise nil.
        package let reaches: ScreenID?
        /// The value with which the request closes a screen.
        package let value: Value

        /// All screens that the removal concerns.
        package var touched: Set<ScreenID> { screens.union(reaches.map { [$0] } ?? []) }

        package init(_ screens: Set<ScreenID>, reaches: ScreenID? = nil, value: Value = .nil) {
            (self.screens, self.reaches, self.value) = (screens, reaches, value)
        }
    }

    /// A call to `leaving` that has not been answered.
    package struct Question {
        /// The screen whose `leaving` was called.
        package let screen: ScreenID
        /// The removal that requires the answer.
        package let removal: Removal
        /// The screens that were shown in order to answer, and the screens above them.
        package let shows: Set<ScreenID>

        package init(_ screen: ScreenID, _ removal: Removal, shows: Set<ScreenID> = []) {
            (self.screen, self.removal, self.shows) = (screen, removal, shows)
        }

        /// Whether another removal would remove the same screens.
        fileprivate func isAbout(_ other: Removal) -> Bool {
            other.screens.subtracting(shows) == removal.screens
        }

        /// Whether another removal can share the answer and the end of this removal, because both
        /// remove the same screens and lead to the same visible screen.
        fileprivate func isJoined(by other: Removal) -> Bool {
            guard isAbout(other), let reached = other.reaches else { return false }
            return (reached == removal.reaches || shows.contains(reached))
                && removal.reaches != nil && (other.value.isNil || other.value == removal.value)
        }
    }

    /// The effect of the pending navigations on a navigation, or the effect of that navigation on
    /// the pending navigations.
    package enum Answer: Equatable {
        case runs
        /// The navigation waits until the navigations with these numbers have ended.
        case waits(for: [Int])
        /// The navigation is coalesced with the identical navigation with this number.
        case joins(Int)
        /// The navigations with these numbers are cancelled.
        case supersedes([Int])
        /// The navigation is rejected because of the navigation with this number.
        case busy(with: Int)
        /// The navigation waits for the answer from a `leaving` function that was called for the
        /// navigation with this number. If `sharesStay` is true and the answer is to stay, the
        /// waiting navigation also ends without a change.
        case waitsForQuestion(of: Int, sharesStay: Bool)
        /// The navigation waits for the dialogs of the navigations with these numbers.
        case waitsForDialog(of: [Int])
        /// The navigation removes the dialogs of the navigations with these numbers, which are
        /// cancelled.
        case leavesDialog(of: [Int])
    }

    /// The active navigations, in the order in which they began.
    private let active: [Entry]
    /// The navigations that wait for their turn, in order.
    private let queued: [Entry]
    /// The navigations that wait at a closed gate, or for the end of the stage during which they
    /// began.
    private let parked: [Entry]

    package init(active: [Entry], queued: [Entry] = [], parked: [Entry] = []) {
        (self.active, self.queued, self.parked) = (active, queued, parked)
    }

    /// Returns the answer for a navigation that begins.
    ///
    /// - Parameters:
    ///   - newcomer: The navigation, which is not in the lists of pending navigations.
    ///   - mayJoin: Whether the navigation may be coalesced with an identical navigation.
    /// - Returns: The answer; see the table in the article on policies.
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

    /// Whether a queued navigation may begin now.
    package func isTurn(of entry: Entry) -> Bool {
        guard let policy = entry.policy, policy != .parallel, entry.parents.isEmpty,
            !active.contains(where: { $0.id == entry.id })
        else { return true }
        return !active.contains(where: \.holdsQueue)
    }

    /// Returns the answer for a navigation that is about to call `leaving` of screens.
    ///
    /// - Parameters:
    ///   - entry: The navigation.
    ///   - screens: The screens whose `leaving` the navigation has not called yet.
    ///   - removal: The screens that the navigation would remove.
    /// - Returns: The answer: the navigation runs, waits for the answer to another navigation, or
    ///   is coalesced with that navigation.
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

    /// Returns the screens of all dialogs, except the dialogs of the given navigation and of its
    /// parents.
    package func dialogs(beside entry: Entry) -> [ScreenID] {
        others(beside: entry).flatMap(\.waitsAt)
    }

    private func others(beside entry: Entry) -> [Entry] {
        active.filter { $0.id != entry.id && !entry.parents.contains($0.id) }
    }

    /// Returns the answer for a link whose change would put a screen on a dialog, or remove a
    /// dialog.
    ///
    /// - Parameters:
    ///   - entry: The link.
    ///   - screens: The screens of dialogs that the link would remove, or on which it would put a
    ///     screen.
    ///   - roots: The screens of dialogs that cannot be removed, because they replaced the root of
    ///     a window.
    ///   - policy: The dialog policy of the link.
    /// - Returns: The answer: the link runs, waits for the dialogs, or removes them.
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

    /// Whether a navigation waits for one of the given parents, directly or through other
    /// navigations.
    private func waits(_ other: Entry, forOneOf parents: [Int]) -> Bool {
        if parents.isEmpty { return false }
        // The parent is active, and blocks the queue in which the navigation waits.
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
