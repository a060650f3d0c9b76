// SPDX-License-Identifier: MIT

import LuaRouting
import ScenarioTesting

/// A view in memory.
@MainActor
final class CheckedView {
    let name: String
    let isTabs: Bool
    var children: [CheckedView] = []
    var selection = 0
    var fields: [String: Value] = [:]
    var modal: CheckedView?

    init(_ screen: Screen) {
        name = screen.class
        isTabs = screen.kind == .tabs
        update(screen)
        selection = screen.selection
    }

    func update(_ screen: Screen) {
        for name in screen.fields.names { fields[name] = screen.fields[name] }
    }

    var account: ShownScreen {
        ShownScreen(
            name,
            view: self,
            fields: fields,
            children: children.map(\.account),
            selection: isTabs ? selection : nil,
            modal: modal?.account
        )
    }
}

/// A bug that is planted in a host.
enum PlantedBug: String, CaseIterable, Sendable {
    case ignoresDismiss, popsOnlyOne, neverAnswersPop, answersTwice, answersTwiceLater,
        refusesUpdate
    case forgetsSelection, ignoresUpdate, dropsModalsOfNewRoot, reusesViews, makesNewViews
    case ignoresResynchronization, ignoresCloseWindow, presentsContextualOnLevel, keepsGoneViews
    case keepsDiscardedViews, appendsNewChildren, callsRouter, reportsWhatIsShown
    case removesAsking, ignoresAsking, asksTwice, asksAndRemoves, removesNever, asksNever
    case asksAsHost, hidesGuarded, ignoresTap, tapsTwice, popsAtTap
    case ignoresForeign, reportsForeignTwice, presentsForeign, dropsForeign, raisesForeign

    /// Whether the bug affects only actions of the user.
    var isOfPerson: Bool {
        switch self {
        case .removesAsking, .ignoresAsking, .asksTwice, .asksAndRemoves, .removesNever, .asksNever,
            .asksAsHost, .hidesGuarded, .ignoresTap, .tapsTwice, .popsAtTap, .ignoresForeign,
            .reportsForeignTwice, .presentsForeign, .dropsForeign, .raisesForeign:
            true
        default: false
        }
    }
}

/// A host that makes its views equal to the tree, except for a planted bug.
@MainActor
final class PlantedBugHost {
    private let bug: PlantedBug?
    private unowned let router: Router
    private(set) var windows: [String: CheckedView] = [:]
    private var views: [ScreenID: CheckedView] = [:]
    private var gone: [CheckedView] = []
    private var kept: Set<ScreenID> = []

    private let onChange: (Change) -> Void

    init(_ bug: PlantedBug?, _ router: Router, onChange: @escaping (Change) -> Void = { _ in }) {
        (self.bug, self.router, self.onChange) = (bug, router, onChange)
    }

    var viewCount: Int { views.count }

    var account: [ShownWindow] {
        windows.map { ShownWindow($0.key, root: $0.value.account) }
    }

    private func view(of id: ScreenID, in tree: ScreenTree, _ change: Change) -> CheckedView {
        let screen = tree[id]
        let known = bug == .makesNewViews && screen.kind == .nav ? nil : views[id]
        let view = known ?? makeView(screen)
        views[id] = view
        let old = view.children
        view.children = screen.children.map { self.view(of: $0, in: tree, change) }
        let added = view.children.filter { child in !old.contains { $0 === child } }
        if bug == .popsOnlyOne, added.isEmpty, view.children.count + 1 < old.count {
            view.children = Array(old.dropLast())
        }
        if bug == .appendsNewChildren, !old.isEmpty {
            view.children = old.filter { child in view.children.contains { $0 === child } } + added
        }
        let foreign = screen.children.filter { tree[$0].kind == .foreign }.compactMap { views[$0] }
        if bug == .dropsForeign || bug == .raisesForeign, view.children.last !== foreign.last {
            view.children.removeAll { child in foreign.contains { $0 === child } }
            if bug == .raisesForeign { view.children += foreign }
        }
        if bug != .forgetsSelection { view.selection = screen.selection }
        if bug != .ignoresUpdate { view.update(screen) }
        show(screen.modal, over: view, in: tree, change)
        return view
    }

    private func makeView(_ screen: Screen) -> CheckedView {
        let reused = gone.firstIndex { $0.name == screen.class }
        if bug == .reusesViews, let reused { return gone.remove(at: reused) }
        return CheckedView(screen)
    }

    private func show(
        _ modal: ScreenID?,
        over view: CheckedView,
        in tree: ScreenTree,
        _ change: Change
    ) {
        guard let modal else {
            if bug != .ignoresDismiss { view.modal = nil }
            return
        }
        let isRoot = change.operations.contains { operation in
            if case .root = operation { true } else { false }
        }
        if bug == .dropsModalsOfNewRoot, isRoot { return view.modal = nil }
        view.modal = self.view(of: modal, in: tree, change)
    }

    /// Moves contextual modals to the level that contains their presenter.
    private func raiseModals(of root: CheckedView) {
        for child in root.children {
            raiseModals(of: child)
            if let modal = child.modal { (root.modal, child.modal) = (modal, nil) }
        }
    }
}

extension PlantedBugHost {
    /// Changes the views as an action of the user does.
    func act(_ report: Report) {
        let removed: [ScreenID]
        switch report {
        case .children(let rest, let container):
            removed = router.tree[container].children.filter { !rest.contains($0) }
        case .dismissed(let presenter): removed = router.tree[presenter].modal.map { [$0] } ?? []
        case .reselected(let tabs): return tap(tabs)
        case .pushed(let name, _, let stack):
            if bug == .ignoresForeign { return }
            if bug == .reportsForeignTwice { router.report(report) }
            if bug == .presentsForeign { return obey(.presented(foreign: name, over: stack)) }
            removed = []
        default: removed = []
        }
        let options = NavigationOptions(origin: bug == .asksAsHost ? .host : .person)
        switch router.guard(of: removed) {
        case .free: obey(report)
        case .asks:
            if bug != .removesAsking, bug != .ignoresAsking {
                router.close(removed[0], options: options)
            }
            if bug == .asksTwice { router.close(removed[0], options: options) }
            if bug == .removesAsking || bug == .asksAndRemoves { obey(report) }
        case .never:
            if bug == .removesNever { obey(report) }
            if bug == .asksNever { router.close(removed[0], options: options) }
        }
        if bug == .hidesGuarded { for id in removed { views[id]?.fields["id"] = Value(-1) } }
    }

    private func tap(_ tabs: ScreenID) {
        if bug == .popsAtTap {
            for nav in router.tree[tabs].children where router.tree[nav].kind == .nav {
                obey(.children(Array(router.tree[nav].children.prefix(1)), of: nav))
            }
        } else if bug != .ignoresTap {
            router.report(.reselected(tabs))
        }
        if bug == .tapsTwice { router.report(.reselected(tabs)) }
    }

    private func obey(_ report: Report) {
        router.report(report)
        show(router.tree, Change(operations: [], revision: 0)) { _ in }
    }
}

extension PlantedBugHost: @MainActor RouterHost {
    func show(
        _ tree: ScreenTree,
        _ change: Change,
        done: @escaping (Result<Void, any Error>) -> Void
    ) {
        onChange(change)
        if bug == .reusesViews { gone = views.filter { !tree.isAlive($0.key) }.map(\.value) }
        let names = Set(change.operations.map(\.name))
        if bug == .ignoresResynchronization, change.isResynchronization {
            return done(.success(()))
        }
        if bug != .ignoresCloseWindow { windows = windows.filter { tree.window($0.key) != nil } }
        for window in tree.windows {
            let root = view(of: window.root, in: tree, change)
            windows[window.name] = root
            if bug == .presentsContextualOnLevel { raiseModals(of: root) }
        }
        gone = []
        if bug != .keepsGoneViews {
            views = views.filter { tree.isAlive($0.key) || kept.contains($0.key) }
        }
        switch bug {
        case .neverAnswersPop where names.contains("pop"): return
        case .refusesUpdate where names.contains("update"):
            struct NoUpdates: Error {}
            return done(.failure(NoUpdates()))
        case .callsRouter where names.contains("push"): router.back()
        case .reportsWhatIsShown:
            for case .select(_, let tabs) in change.operations {
                router.report(.selected(tree[tabs].children[0]))
            }
        default: break
        }
        done(.success(()))
        if bug == .answersTwice { done(.success(())) }
        if bug == .answersTwiceLater { Task { done(.success(())) } }
    }

    func prepare(_ screens: [ScreenID], in tree: ScreenTree) throws {
        guard bug != .reusesViews else { return }
        for id in screens where views[id] == nil { views[id] = makeView(tree[id]) }
    }

    func discard(_ screens: [ScreenID]) {
        if bug == .keepsDiscardedViews { return kept.formUnion(screens) }
        for id in screens { views[id] = nil }
    }
}
