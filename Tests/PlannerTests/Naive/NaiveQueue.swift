// SPDX-License-Identifier: MIT

/// A model of several navigations at the same time, written from the article on policies: deep
/// links, dialogs and questions.
///
/// The model is small, so that only the rules matter: a stack of pages with sheets over it. A page
/// may need a login, which is a sheet with a stack. A page may also ask before it is removed, in a
/// sheet without a stack. A step runs until it waits. The actions that it causes run afterwards, in
/// order.
final class NaiveQueue {
    /// A page that a navigation shows.
    struct Page: Sendable {
        enum AtDialog: String, Sendable, CaseIterable { case leave, wait, join }

        var needsLogin = false
        var asks = false
        /// Whether the page is put on the first page, instead of on the current stack.
        var isFromHome = false
        var atDialog = AtDialog.leave
    }

    enum Act: Sendable, Equatable {
        case page(Int)
        case login, ask
        case back, dismiss, popToRoot, popHome
        /// Closes a dialog with `true`, or without a value.
        case close(Int, yes: Bool)
        /// Removes the screen of a question for which nobody waits.
        case vanish(Int)

        var isRoute: Bool {
            switch self {
            case .page, .login, .ask: true
            default: false
            }
        }
    }

    struct Screen: Equatable {
        let serial: Int
        let act: Act
    }

    /// A stack, or a sheet without a stack.
    struct Level: Equatable {
        let isStack: Bool
        var screens: [Screen]
    }

    /// The change that a journey makes.
    private struct Change {
        var levels: [Level]
        var removed: [Screen]
        /// The reached screen, and whether it is new.
        var reached: Screen
        var isNew: Bool
    }

    final class Journey {
        enum Purpose { case login, question(Screen) }

        enum Wait {
            case turn
            case child(Journey, Purpose)
            case screen(Int, Purpose)
            case question(of: Journey, sharesStay: Bool)
            case dialog(of: Journey)
            case leader(Journey)
        }

        let act: Act
        let isLink: Bool
        let isForced: Bool
        let parent: Journey?
        fileprivate(set) var end: String?
        fileprivate(set) var wait: Wait?
        /// The position of this journey among the journeys that wait for another navigation.
        fileprivate var turn = 0
        fileprivate var hasPassedLogin = false
        fileprivate var passed: Set<Int> = []
        fileprivate var dialogs: [Int] = []
        fileprivate var arrivals: [Int] = []
        fileprivate var shown: [Int] = []
        fileprivate var reached: Int?
        fileprivate var removal: [Screen] = []
        fileprivate var reaches: Int?
        fileprivate var isAbandoned = false

        fileprivate init(_ act: Act, isLink: Bool, isForced: Bool, parent: Journey?) {
            (self.act, self.isLink, self.isForced) = (act, isLink, isForced)
            self.parent = parent
        }

        fileprivate var ancestors: [Journey] {
            parent.map { $0.end == nil ? [$0] + $0.ancestors : [] } ?? []
        }

        /// The screen whose question has no answer.
        fileprivate var question: Screen? {
            switch wait {
            case .child(_, .question(let screen)), .screen(_, .question(let screen)): screen
            default: nil
            }
        }

        fileprivate var isHeldUp: Bool {
            switch wait {
            case .question, .dialog: true
            default: false
            }
        }
    }

    private let pages: [Page]
    private(set) var levels = [
        Level(isStack: true, screens: [Screen(serial: 0, act: .page(-1))])
    ]
    private var lastSerial = 0
    private(set) var isLoggedIn = false
    /// The journeys that have not ended, in the order in which they began.
    private var pending: [Journey] = []
    private var todo: [() -> Void] = []
    private var turns = 0
    /// The names of the rules that have applied.
    private(set) var met: Set<String> = []

    init(pages: [Page]) { self.pages = pages }

    // MARK: From outside

    func perform(_ act: Act, isLink: Bool = false, isForced: Bool = false) -> Journey {
        let journey = begin(act, isLink: isLink, isForced: isForced)
        settle()
        return journey
    }

    func cancel(_ journey: Journey) {
        end(journey, "cancelled")
        settle()
    }

    func logOut() { isLoggedIn = false }

    /// The topmost sheet that is a dialog, which is a login or a question.
    var dialog: Screen? {
        levels.reversed().lazy.flatMap { $0.screens.reversed() }
            .first { $0.act == .login || $0.act == .ask }
    }

    var text: String {
        levels.map { level in
            let screens = level.screens.map { screen in
                switch screen.act {
                case .page(-1): "Home"
                case .page(let number): "P\(number)"
                case .login: "Login"
                default: "Ask"
                }
            }
            return level.isStack ? "nav[\(screens.joined(separator: ", "))]" : screens[0]
        }.joined(separator: " ^ ")
    }

    private func settle() {
        while true {
            if !todo.isEmpty {
                todo.removeFirst()()
            } else if let next = pending.first(where: { isQueued($0) && !mustWait($0) }) {
                next.wait = nil
                run(next)
            } else {
                return
            }
        }
    }

    private func isQueued(_ journey: Journey) -> Bool {
        if case .turn = journey.wait { true } else { false }
    }

    // MARK: The turn

    private func begin(
        _ act: Act,
        isLink: Bool = false,
        isForced: Bool = false,
        in parent: Journey? = nil
    ) -> Journey {
        let journey = Journey(act, isLink: isLink, isForced: isForced, parent: parent)
        // An identical navigation is coalesced with the pending one.
        let leader = pending.first { other in
            if case .leader = other.wait { return false }
            return act.isRoute && other.act == act && other.isForced == isForced
                && !waits(other, for: journey.ancestors)
        }
        pending.append(journey)
        journey.wait = leader.map { .leader($0) } ?? .turn
        if leader != nil {
            met.insert("joined")
        } else if mustWait(journey) {
            met.insert("turn")
        }
        return journey
    }

    /// Returns whether a navigation to a page must wait for the navigations that are being carried
    /// out.
    ///
    /// It does not wait for navigations that wait for the user.
    private func mustWait(_ journey: Journey) -> Bool {
        guard journey.act.isRoute, journey.ancestors.isEmpty else { return false }
        return pending.contains { other in
            if other === journey || !other.act.isRoute || isQueued(other) { return false }
            if case .leader = other.wait { return false }
            return !other.isHeldUp && awaited(by: other).isEmpty
        }
    }

    private func waits(_ other: Journey, for ancestors: [Journey]) -> Bool {
        if ancestors.isEmpty { return false }
        if isQueued(other), mustWait(other) { return true }
        var (open, seen): ([Journey], [Journey]) = ([other], [])
        while let next = open.popLast() {
            if ancestors.contains(where: { $0 === next }) { return true }
            if seen.contains(where: { $0 === next }) { continue }
            seen.append(next)
            switch next.wait {
            case .child(let child, _): open.append(child)
            case .question(let held, _), .dialog(let held), .leader(let held): open.append(held)
            default: break
            }
        }
        return false
    }

    /// Returns the screens at which a journey waits, which its child journeys have shown.
    private func awaited(by journey: Journey) -> [Int] {
        switch journey.wait {
        case .screen(let screen, _): isAlive(screen) ? [screen] : []
        case .child(let child, _):
            // The screen of a child's question is one of its parents too.
            awaited(by: child).filter(journey.arrivals.contains)
        default: []
        }
    }

    // MARK: Running

    private func run(_ journey: Journey) {
        while journey.end == nil {
            let change: Change
            do throws(Failure) {
                change = try self.change(of: journey, in: left(by: journey))
            } catch {
                let leaf = levels[levels.count - 1].screens.last?.serial ?? 0
                guard error.code == "typeMismatch",
                    let waits = meetDialogs(journey, where: { isOn(leaf, $0) })
                else { return end(journey, error.code) }
                met.insert("has no place on dialog")
                if waits { return }
                continue
            }
            if case .page(let number) = journey.act, pages[number].needsLogin,
                !journey.hasPassedLogin
            {
                if !isLoggedIn { return ask(journey, .login, .login) }
                journey.hasPassedLogin = true
            }
            journey.removal = change.removed
            journey.reaches = journey.act.isRoute ? nil : change.reached.serial
            if asksBefore(journey, change) { return }
            let meets = { (dialog: Int) in
                change.removed.contains { $0.serial == dialog } || self.isOn(dialog, in: change)
            }
            if let waits = meetDialogs(journey, where: meets) {
                if waits { return }
                continue
            }
            return commit(journey, change)
        }
    }

    /// Begins a child journey whose screen provides the answer.
    private func ask(_ journey: Journey, _ act: Act, _ purpose: Journey.Purpose) {
        if case .question = purpose { met.insert("question") } else { met.insert("login") }
        journey.wait = .child(begin(act, in: journey), purpose)
    }

    private func childEnded(_ child: Journey, _ journey: Journey) {
        guard case .child(let awaited, let purpose)? = journey.wait, awaited === child else {
            return
        }
        guard child.end == "done", let screen = child.reached, isAlive(screen) else {
            return answer(journey, purpose, isYes: false)
        }
        journey.wait = .screen(screen, purpose)
    }

    private func answer(_ journey: Journey, _ purpose: Journey.Purpose, isYes: Bool) {
        todo.append { [self] in
            guard journey.end == nil else { return }
            guard isYes else { return end(journey, "stopped") }
            journey.wait = nil
            switch purpose {
            case .login: (isLoggedIn, journey.hasPassedLogin) = (true, true)
            case .question(let screen): journey.passed.insert(screen.serial)
            }
            run(journey)
        }
    }

    // MARK: Questions

    /// Asks the first page that has not been asked yet, and returns whether the journey waits for
    /// the answer.
    private func asksBefore(_ journey: Journey, _ change: Change) -> Bool {
        if journey.isForced { return false }
        let open = change.removed.filter { screen in
            guard case .page(let number) = screen.act, number >= 0, pages[number].asks else {
                return false
            }
            return !journey.passed.contains(screen.serial)
                && !journey.ancestors.contains { $0.question == screen }
        }
        guard let first = open.first else { return false }
        let others = pending.filter { other in
            other !== journey && !journey.ancestors.contains { $0 === other }
        }
        for other in others {
            guard let asked = other.question, open.contains(asked) else { continue }
            let shown = change.removed.filter { isOnDialog($0.serial, of: other) }
            let own = change.removed.filter { !shown.contains($0) }
            let isSame = Set(own.map(\.serial)) == Set(other.removal.map(\.serial))
            let reachesSame =
                other.reaches != nil && journey.reaches != nil
                && (journey.reaches == other.reaches
                    || isOnDialog(journey.reaches ?? -1, of: other))
            if isSame, reachesSame, closesLike(journey, other) {
                met.insert("joined question")
                journey.wait = .leader(other)
            } else {
                met.insert("waits for question")
                hold(journey, .question(of: other, sharesStay: isSame && !journey.act.isRoute))
            }
            return true
        }
        ask(journey, .ask, .question(first))
        return true
    }

    private func closesLike(_ journey: Journey, _ other: Journey) -> Bool {
        guard case .close(_, yes: true) = journey.act else { return true }
        return journey.act == other.act
    }

    /// Returns whether a screen was shown for the question of a journey, or was put on such a
    /// screen.
    private func isOnDialog(_ serial: Int, of journey: Journey) -> Bool {
        journey.arrivals.contains { isOn(serial, $0) }
    }

    /// Returns whether a screen is equal to another one, or was put on the other one.
    private func isOn(_ serial: Int, _ other: Int) -> Bool {
        guard let base = place(other), let place = place(serial) else { return false }
        return place.level > base.level || place.level == base.level && place.index >= base.index
    }

    // MARK: Dialogs

    /// Returns the tree without the dialogs that a deep link leaves.
    private func left(by journey: Journey) -> [Level] {
        var rest = levels
        for dialog in journey.dialogs {
            if let next = Self.closing(dialog, in: rest) { rest = next }
        }
        return rest
    }

    /// Returns whether a deep link waits for a dialog (true) or makes a new plan without the dialog
    /// (false); nil if the deep link affects no dialog, or joins it.
    private func meetDialogs(_ journey: Journey, where isMet: (Int) -> Bool) -> Bool? {
        guard journey.isLink, case .page(let number) = journey.act else { return nil }
        let others = pending.filter { other in
            other !== journey && !journey.ancestors.contains { $0 === other }
        }
        let used = others.filter { other in
            awaited(by: other).contains { !journey.dialogs.contains($0) && isMet($0) }
        }
        guard let first = used.first else { return nil }
        switch pages[number].atDialog {
        case .join:
            met.insert("joins dialog")
            return nil
        case .wait:
            met.insert("waits for dialog")
            hold(journey, .dialog(of: first))
            return true
        case .leave:
            met.insert("leaves dialog")
            journey.dialogs += used.flatMap { awaited(by: $0) }
            return false
        }
    }

    /// Returns whether the new page of a change was put on a screen.
    private func isOn(_ dialog: Int, in change: Change) -> Bool {
        guard change.isNew, let base = place(dialog, in: change.levels),
            let place = place(change.reached.serial, in: change.levels)
        else { return false }
        return place.level > base.level || place.level == base.level && place.index >= base.index
    }

    // MARK: Changes

    private func change(of journey: Journey, in start: [Level]) throws(Failure) -> Change {
        var next = start
        var reached: Screen?
        var isNew = false
        func push(_ act: Act, _ isStack: Bool? = nil) {
            let screen = Screen(serial: lastSerial + 1, act: act)
            if let isStack {
                next.append(Level(isStack: isStack, screens: [screen]))
            } else {
                next[next.count - 1].screens.append(screen)
            }
            (reached, isNew) = (screen, true)
        }
        let top = next.count - 1
        switch journey.act {
        case .page(let number):
            if pages[number].isFromHome {
                next = [Level(isStack: true, screens: [next[0].screens[0]])]
            } else if !next[top].isStack {
                throw Failure("typeMismatch")
            }
            push(journey.act)
        case .login:
            if let place = place(of: .login, in: next) {
                next = Array(next[...place.level])
                next[place.level].screens = Array(next[place.level].screens[...place.index])
                reached = next[place.level].screens[place.index]
            } else {
                push(.login, true)
            }
        case .ask: push(.ask, false)
        case .back:
            if next[top].screens.count > 1 {
                next[top].screens.removeLast()
            } else if top > 0 {
                next.removeLast()
            } else {
                throw Failure("stayed")
            }
        case .dismiss:
            if top == 0 { throw Failure("stayed") }
            next.removeLast()
        case .popToRoot:
            if next[top].screens.count == 1 { throw Failure("stayed") }
            next[top].screens = [next[top].screens[0]]
        case .popHome: next = [Level(isStack: true, screens: [next[0].screens[0]])]
        case .close(let serial, _), .vanish(let serial):
            guard let rest = Self.closing(serial, in: next) else { throw Failure("composition") }
            if case .vanish = journey.act, place(serial, in: next)?.level != top {
                throw Failure("stayed")
            }
            next = rest
        }
        let kept = Set(next.flatMap { $0.screens.map(\.serial) })
        return Change(
            levels: next,
            removed: levels.reversed().flatMap { $0.screens.reversed() }
                .filter { !kept.contains($0.serial) },
            reached: reached ?? next[next.count - 1].screens.last ?? levels[0].screens[0],
            isNew: isNew
        )
    }

    /// Returns the tree without a sheet and everything above it; nil if the tree has no such sheet.
    private static func closing(_ serial: Int, in levels: [Level]) -> [Level]? {
        levels.firstIndex { $0.screens.first?.serial == serial }
            .flatMap { $0 == 0 ? nil : Array(levels[..<$0]) }
    }

    private func commit(_ journey: Journey, _ change: Change) {
        let superseded = pending.filter { other in
            other !== journey && awaited(by: other).contains(where: journey.dialogs.contains)
        }
        levels = change.levels
        if change.isNew { lastSerial += 1 }
        journey.reached = change.reached.serial
        if journey.isAbandoned, change.isNew { removeLater(change.reached.serial) }
        for ancestor in journey.ancestors {
            ancestor.arrivals.append(change.reached.serial)
            if change.isNew { ancestor.shown.append(change.reached.serial) }
        }
        for other in superseded { end(other, "cancelled") }
        end(journey, "done")
        for screen in change.removed {
            for other in pending {
                guard case .screen(screen.serial, let purpose)? = other.wait else { continue }
                answer(other, purpose, isYes: journey.act == .close(screen.serial, yes: true))
            }
        }
    }

    // MARK: The end

    private func end(_ journey: Journey, _ end: String) {
        guard journey.end == nil else { return }
        let question = journey.question
        journey.end = end
        pending.removeAll { $0 === journey }
        if let parent = journey.parent, parent.end == nil { childEnded(journey, parent) }
        for follower in pending {
            guard case .leader(let leader)? = follower.wait, leader === journey else { continue }
            follower.reached = journey.reached
            self.end(follower, end)
        }
        release(from: journey, question)
        if end == "done" { return }
        for child in pending where child.parent === journey { self.end(child, "cancelled") }
    }

    private func hold(_ journey: Journey, _ wait: Journey.Wait) {
        turns += 1
        (journey.wait, journey.turn) = (wait, turns)
    }

    /// Continues the navigations that wait for a journey, in the order in which they began to wait.
    private func release(from journey: Journey, _ question: Screen?) {
        if question != nil, journey.end != "stopped", journey.end != "done" {
            for child in pending where child.parent === journey { child.isAbandoned = true }
            let others = pending.flatMap(\.arrivals)
            for screen in journey.shown where !others.contains(screen) { removeLater(screen) }
        }
        let held = pending.filter { other in
            switch other.wait {
            case .question(let asker, _), .dialog(let asker): asker === journey
            default: false
            }
        }.sorted { $0.turn < $1.turn }
        if held.isEmpty { return }
        todo.append { [self] in
            for other in held where other.end == nil {
                if case .question(_, true)? = other.wait, journey.end == "stopped" {
                    end(other, "stopped")
                } else {
                    other.wait = nil
                    run(other)
                }
            }
        }
    }

    private func removeLater(_ serial: Int) {
        todo.append { [self] in
            if isAlive(serial) { _ = begin(.vanish(serial), isForced: true) }
        }
    }

    // MARK: Places

    private func place(_ serial: Int, in levels: [Level]? = nil) -> (level: Int, index: Int)? {
        for (number, level) in (levels ?? self.levels).enumerated() {
            if let index = level.screens.firstIndex(where: { $0.serial == serial }) {
                return (number, index)
            }
        }
        return nil
    }

    private func place(of act: Act, in levels: [Level]) -> (level: Int, index: Int)? {
        for (number, level) in levels.enumerated().reversed() {
            if let index = level.screens.lastIndex(where: { $0.act == act }) {
                return (number, index)
            }
        }
        return nil
    }

    private func isAlive(_ serial: Int) -> Bool { place(serial) != nil }
}
