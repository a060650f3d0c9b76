// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The host under test, with closures that inspect the host and simulate the user.
@MainActor
struct ConformanceSubject {
    let host: any RouterHost
    let shown: () -> [ShownWindow]
    let viewCount: (() -> Int)?
    let person: ((Report) -> Void)?
}

/// A run of changes with a new host.
@MainActor
final class ConformanceRun {
    /// A weak reference to the view of a screen, with the text of the screen.
    private struct KeptView {
        weak var object: AnyObject?
        let text: String
    }

    let router: Router
    let relay: ConformanceRelay
    let subject: ConformanceSubject
    private let kinds: [HostConformance.Kind]
    let pages: [String]
    private let limit: Duration
    private var views: [ScreenID: KeptView] = [:]
    /// The views of removed screens, all of which the host must release.
    private var goneViews: [KeptView] = []
    /// The report that the host must make about the user action in this change.
    var report: Report?
    /// The user action that must not change anything, and the guard of the screens.
    var guarded: (report: Report, guard: Guard)?
    /// The number of requests with the origin `person` during this change.
    private var askedCount = 0
    /// The number of `reselected` events during this change.
    private var tapCount = 0
    /// Whether the user taps the selected tab.
    var isTapped = false
    /// The stack on which the app's own code pushes a view, with the previous children of the
    /// stack.
    var pushed: (stack: ScreenID, children: [ScreenID])?
    var lastPage = 0
    var snapshot: Snapshot?

    init(
        kinds: [HostConformance.Kind],
        pages: [String],
        limit: Duration,
        subject: (Router) -> ConformanceSubject
    ) throws {
        let relay = ConformanceRelay()
        let files = ["main.lua": ConformanceScript.text(pages: pages)]
        router = try Router(
            scripts: ScriptBundle(files: files),
            host: relay,
            configuration: Router.Configuration(now: 0)
        )
        (self.relay, self.kinds, self.pages, self.limit) = (relay, kinds, pages, limit)
        relay.router = router
        self.subject = subject(router)
        relay.host = self.subject.host
        router.onEvent = { [unowned self] event in
            switch event.kind {
            case .host where event["act"] == "report":
                if let guarded {
                    relay.note(.removedGuarded(guarded.report.text))
                } else if report == nil {
                    relay.noteReport()
                }
            case .navigate where event["origin"] == "person": askedCount += 1
            case .reselected: tapCount += 1
            default: break
            }
        }
    }

    func isIncluded(_ kind: HostConformance.Kind) -> Bool { kinds.contains(kind) }

    func end() {
        router.onEvent = nil
        router.shutDown()
        relay.host = nil
    }

    /// Makes the given changes, and checks the host after each part of each change.
    ///
    /// - Returns: The first failure; nil if there is none.
    func failure(of changes: [ConformanceChange]) async -> ConformanceFailure? {
        if let failure = await failure(0, { router.start() }) { return failure }
        for (index, change) in changes.enumerated() {
            for part in parts(of: change) {
                if let failure = await failure(index + 1, part) { return failure }
            }
        }
        for _ in 0..<20 { await Task.yield() }
        return relay.problem.map { failure(changes.count, $0, before: text, shown: text) }
    }

    /// The router's tree as text.
    private var text: String { [ShownWindow](router.tree, comparedWith: []).text }

    private func failure(_ count: Int, _ change: () -> Void) async -> ConformanceFailure? {
        let before = text
        change()
        var problem = await rest()
        // The host may call `done` a second time one turn later.
        await Task.yield()
        let shown = subject.shown()
        let expected = [ShownWindow](router.tree, comparedWith: shown)
        if problem == nil, let report, text == before { problem = .notReported(report.text) }
        report = nil
        problem = problem ?? relay.problem ?? checkPerson(changed: text != before)
        (guarded, isTapped, askedCount, tapCount, pushed) = (nil, false, 0, 0, nil)
        if problem == nil, expected.text != shown.text { problem = .notEqual }
        if problem == nil { problem = check(views: shown, expected) }
        if problem == nil { problem = await checkReleased() }
        let operations = relay.takeOperations()
        guard let problem = problem ?? relay.problem else { return nil }
        return ConformanceFailure(
            problem: problem,
            count: count,
            before: before,
            operations: operations,
            expected: expected.text,
            shown: shown.text
        )
    }

    /// Checks how the host handled an attempt to remove guarded screens, a tap on the selected tab,
    /// or a push by the app's own code.
    private func checkPerson(changed isChanged: Bool) -> ConformanceFailure.Problem? {
        if isTapped, tapCount != 1 { return .notReselected(tapCount) }
        if let pushed {
            let children = router.tree.screen(pushed.stack)?.children ?? []
            let added = children.filter {
                !pushed.children.contains($0) && router.tree[$0].kind == .foreign
            }
            if added.count != 1 || children != pushed.children + added {
                return .notPushed(added.count)
            }
        }
        guard let guarded else { return nil }
        if isChanged { return .removedGuarded(guarded.report.text) }
        let expected = guarded.guard == .asks ? 1 : 0
        return askedCount == expected
            ? nil : .wrongRequests(guarded.report.text, askedCount, expected)
    }

    private func failure(
        _ count: Int,
        _ problem: ConformanceFailure.Problem,
        before: String,
        shown: String
    ) -> ConformanceFailure {
        ConformanceFailure(
            problem: problem,
            count: count,
            before: before,
            operations: [],
            expected: shown,
            shown: shown
        )
    }

    /// Waits until the host has finished the change, and the router has nothing to do.
    private func rest() async -> ConformanceFailure.Problem? {
        let isAtRest = await wait {
            if relay.isAnswerLost {
                relay.isAnswerLost = false
                router.advance(to: router.now + 60)
            }
            return relay.awaited == nil && !router.isApplying && router.pending.isEmpty
        }
        relay.disturbance = nil
        if let problem = relay.problem { return problem }
        guard !isAtRest else { return nil }
        let change = relay.awaited?.text(in: router.tree) ?? "no change"
        return .notAnswered(change, limit)
    }

    /// Waits until a condition is true.
    ///
    /// On a loaded machine the time limit may pass before the host has run on the main actor, so
    /// the host gets a minimum number of turns.
    private func wait(until isTrue: () -> Bool) async -> Bool {
        let end = ContinuousClock.now + limit
        for count in 0... {
            if isTrue() { return true }
            if count > 100, ContinuousClock.now > end { break }
            // First let other work of the main actor run, then timers and animations.
            if count < 20 {
                await Task.yield()
            } else {
                try? await Task.sleep(for: .milliseconds(1))
            }
        }
        return false
    }

    // MARK: Views

    /// Checks that each screen keeps its view, and that no two screens have the same view.
    private func check(
        views shown: [ShownWindow],
        _ expected: [ShownWindow]
    ) -> ConformanceFailure.Problem? {
        let screens = expected.flatMap(\.root.all)
        let accounts = expected.flatMap { window in
            shown.first { $0.name == window.name }?.root.all ?? []
        }
        // If a failed change has removed a screen, the screen may have lost its view in the
        // meantime.
        let trees = relay.takeTrees()
        let old = views.filter { id, _ in trees.allSatisfy { $0.isAlive(id) } }
        var owners: [ObjectIdentifier: ScreenID] = [:]
        for (id, kept) in views {
            if let object = kept.object { owners[ObjectIdentifier(object)] = id }
        }
        let kept = views
        views = [:]
        for (screen, account) in zip(screens, accounts) {
            guard let view = account.view, let id = screen.id else { continue }
            if let before = old[id]?.object, before !== view { return .newView(screen.text) }
            if old[id] != nil, old[id]?.object == nil { return .newView(screen.text) }
            let owner = owners[ObjectIdentifier(view)]
            if let owner, owner != id { return .sharedView(screen.text) }
            owners[ObjectIdentifier(view)] = id
            views[id] = KeptView(object: view, text: screen.text)
        }
        goneViews += kept.filter { views[$0.key] == nil }.map(\.value)
        return nil
    }

    private func checkReleased() async -> ConformanceFailure.Problem? {
        let isReleased = await wait {
            goneViews.removeAll { $0.object == nil }
            return goneViews.isEmpty
        }
        if !isReleased { return .keptView(goneViews[0].text) }
        guard let viewCount = subject.viewCount else { return nil }
        let expected = router.tree.windows.map { router.tree.screens(under: $0.root).count }
            .reduce(0, +)
        let count = viewCount()
        return count == expected ? nil : .wrongCount(shown: count, expected: expected)
    }
}
