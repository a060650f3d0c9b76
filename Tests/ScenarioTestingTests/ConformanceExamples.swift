// SPDX-License-Identifier: MIT

import LuaRouting
import ScenarioTesting
import Testing

/// The host of the article `FirstHost` and its test, word for word as the documentation has them.
@MainActor
struct ConformanceExamples {
    /// A view of the app, such as a `UIViewController`.
    @MainActor
    final class View {
        let name: String
        var children: [View] = []
        var modal: View?

        init(_ name: String) { self.name = name }
    }

    /// Makes the view hierarchy equal to the tree.
    @MainActor
    final class ShopHost {
        private(set) var root: View?
        private var views: [ScreenID: View] = [:]

        /// Makes a view equal to its screen; a screen that was shown before keeps its view.
        private func view(of id: ScreenID, in tree: ScreenTree) -> View {
            let screen = tree[id]
            let view = views[id] ?? View(screen.class)
            views[id] = view
            view.children = screen.children.map { self.view(of: $0, in: tree) }
            view.modal = screen.modal.map { self.view(of: $0, in: tree) }
            return view
        }

        /// Removes a screen because a person asks for it, as by a back button: a guarded one is asked first.
        func leave(_ id: ScreenID, in router: Router) {
            guard router.guard(of: [id]) != .never else { return }
            router.close(id, options: NavigationOptions(origin: .person))
        }
    }

    @Test @MainActor
    func conformance() async {
        await HostConformance.run(without: [.windows]) { _ in
            ShopHost()
        } shown: { host in
            host.root.map { [ShownWindow(root: account(of: $0))] } ?? []
        }
    }

    @MainActor
    func account(of view: View) -> ShownScreen {
        ShownScreen(
            view.name,
            view: view,
            children: view.children.map(account),
            modal: view.modal.map(account)
        )
    }

    @Test("the host of the article calls 'leaving' before the user removes guarded screens")
    func guards() async {
        var router: Router?
        await HostConformance.run(without: [.windows]) { made in
            router = made
            return ShopHost()
        } person: { host, report in
            guard let router else { return }
            switch report {
            case .dismissed(let presenter):
                if let modal = router.tree[presenter].modal { host.leave(modal, in: router) }
            case .children(let rest, let container):
                host.leave(router.tree[container].children[rest.count], in: router)
            default:
                router.report(report)
                host.show(router.tree, Change(operations: [], revision: 0)) { _ in }
            }
        } shown: { host in
            host.root.map { [ShownWindow(root: account(of: $0))] } ?? []
        }
    }
}

// Views live on the main actor, and so does the router: the conformance is isolated to it.
extension ConformanceExamples.ShopHost: @MainActor RouterHost {
    func show(
        _ tree: ScreenTree,
        _ change: Change,
        done: @escaping (Result<Void, any Error>) -> Void
    ) {
        root = tree.windows.first.map { view(of: $0.root, in: tree) }
        views = views.filter { tree.isAlive($0.key) }
        done(.success(()))
    }
}
