// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting

/// Makes the view hierarchy equal to the tree.
final class ShopHost {
    private(set) var windows: [String: Window] = [:]
    private(set) var seen: [Int] = []
    private var views: [ScreenID: View] = [:]

    /// Returns the screen of a view, for reports.
    func screen(_ view: View) -> ScreenID? { views.first { $0.value === view }?.key }

    /// Makes a view equal to its screen; a screen that was shown before keeps its view.
    private func view(of id: ScreenID, in tree: ScreenTree) -> View {
        let screen = tree[id]
        let view = views[id] ?? (screen.kind == .nav ? Stack() : Page(screen.class))
        views[id] = view
        switch view {
        case let stack as Stack: stack.pages = screen.children.map { self.view(of: $0, in: tree) }
        case let page as Page: page.number = screen.fields["id"].int
        default: break
        }
        view.modal = screen.modal.map { self.view(of: $0, in: tree) }
        return view
    }
}

// The views are isolated to the main actor, and so is the router: the conformance may be, too.
extension ShopHost: @MainActor RouterHost {
    func show(
        _ tree: ScreenTree,
        _ change: Change,
        done: @escaping (Result<Void, any Error>) -> Void
    ) {
        windows = windows.filter { tree.window($0.key) != nil }
        for shown in tree.windows {
            let window = windows[shown.name] ?? Window()
            windows[shown.name] = window
            window.root = view(of: shown.root, in: tree)
        }
        views = views.filter { tree.isAlive($0.key) }
        guard change.isAnimated else { return done(.success(())) }
        // An animation ends later.
        Task { done(.success(())) }
    }

    func doTask(_ task: HostTask) {
        if let id = task.info["id"].int { seen.append(id) }
        task.end(true, .nil)
    }
}
