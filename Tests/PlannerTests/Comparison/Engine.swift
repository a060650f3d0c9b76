// SPDX-License-Identifier: MIT

import LuaRouting
import RouteCore

/// The actual router with a script, which maps its screens to the serials of the naive planner.
final class Engine {
    /// The result of one call.
    struct Result {
        var end: String
        var message = ""
        var trace: [String]
    }

    let router: Router
    private let host = HeadlessHost()
    private var log: [String] = []
    private var ids: [Int: ScreenID] = [:]
    private var serials: [ScreenID: Int] = [:]

    init(script: String) throws {
        let budget = Budget(duration: .seconds(60))
        router = try Router(
            scripts: ScriptBundle(files: ["main.lua": script]),
            host: host,
            configuration: Router.Configuration(now: 0, budget: budget, loadBudget: budget)
        )
        router.onEvent = { [unowned self] event in
            if event.kind == .log { log.append(event["message"].text ?? "") }
        }
    }

    var text: String { router.treeNotation() }

    var brokenRules: [String] { router.tree.checkInvariants() }

    func give(_ tree: String) throws { try router.setTree(TreeNotation(tree)) }

    // MARK: Calling

    /// Performs a deed; returns nil if it needs an action that a caller cannot name.
    func perform(_ deed: Deed, on target: Int?) -> Result? {
        log = []
        host.forgetChanges()
        return begin(deed, on: target).map { result(of: $0) }
    }

    private func begin(_ deed: Deed, on serial: Int?) -> Navigation? {
        let screen = serial.flatMap { ids[$0] }
        switch (deed, screen) {
        case (.navigate(let navigating), _):
            var options = NavigationOptions(from: screen)
            if let via = navigating.via {
                guard let action = LuaRouting.Action(via) else { return nil }
                options.via = action
            }
            return router.navigate(
                Target(navigating.target.service, navigating.target.task),
                info: navigating.info.table,
                options: options
            )
        case (.back(let count), _): return router.back(count)
        case (.popTo, let screen?): return router.pop(to: screen)
        case (.popToRoot, _): return router.popToRoot()
        case (.dismiss, _): return router.dismiss()
        case (.dismissAll, _): return router.dismissAll()
        case (.close, let screen?): return router.close(screen)
        case (.select, let screen?): return router.select(screen)
        default: return nil
        }
    }

    private func result(of navigation: Navigation) -> Result {
        var result = Result(
            end: navigation.status.name,
            trace: log.filter { $0.contains(":") && !$0.contains(" ") }
        )
        if case .failed(let error) = navigation.status {
            result.end = error.code.rawValue
            result.message = error.description
        }
        return result
    }

    // MARK: Comparing

    /// Pairs the screens of two trees whose notations are equal.
    ///
    /// - Returns: The first difference, which is a screen that one side has built and the other
    ///   side has kept; nil if there is none.
    func pair(_ tree: NaiveScreen) -> String? {
        guard let window = router.tree.windows.first else { return "there is no window" }
        return pair(tree, window.root)
    }

    private func pair(_ naive: NaiveScreen, _ id: ScreenID) -> String? {
        guard let screen = router.tree.screen(id) else { return "a screen is not held" }
        let known = ids[naive.serial]
        if known == nil, serials[id] == nil {
            ids[naive.serial] = id
            serials[id] = naive.serial
        } else if known != id {
            return "\(naive.name) was kept on one side and built on the other"
        }
        guard screen.children.count == naive.children.count else { return "other children" }
        for (child, id) in zip(naive.children, screen.children) {
            if let wrong = pair(child, id) { return wrong }
        }
        for modal in naive.modals {
            guard let id = screen.modal else { return "no modal" }
            if let wrong = pair(modal, id) { return wrong }
        }
        return nil
    }

    /// The operations since the last call, with the serials of the naive planner.
    ///
    /// The serials of new screens are known only after the trees are paired.
    var operations: [NaiveOperation] {
        host.changes.flatMap(\.operations).map { operation in
            NaiveOperation(
                name: operation.name,
                screens: operation.screens.map { serials[$0] ?? -1 },
                holder: operation.holder.map { serials[$0] ?? -1 }
            )
        }
    }
}

extension LuaRouting.Action {
    /// Creates the action that a caller passes; nil if only a script can name it.
    fileprivate init?(_ action: Action) {
        switch action {
        case .present(.finder, _): return nil
        case .present(let start, let isContextual):
            var presentation = Screen.Presentation()
            presentation.isContextual = isContextual
            self = .present(
                presentation,
                start: start == .topmostParent ? .topmostParent : .current
            )
        case .addTab(let at?, let replacing): self = .addTab(at: at, replacing: replacing)
        default: self.init(word: action.word)
        }
    }
}

extension RouteCore.TreeOperation {
    /// The container or presenter.
    fileprivate var holder: ScreenID? {
        switch self {
        case .dismiss(_, let holder), .push(_, let holder), .pop(_, let holder),
            .children(_, let holder), .select(_, let holder), .present(_, let holder, _):
            holder
        case .root, .update, .openWindow, .closeWindow: nil
        }
    }
}
