// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting

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

// Views live on the main actor, and so does the router: the conformance is isolated to it.
extension ShopHost: @MainActor RouterHost {
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

@MainActor
final class Shop {
    let host = ShopHost()
    let router: Router
    /// Moves the router's clock: timeouts and timers.
    private let driver: RouterDriver

    init(scripts folder: URL) throws {
        let scripts = try ScriptBundle(path: folder.path(percentEncoded: false))
        router = try Router(scripts: scripts, host: host)
        driver = RouterDriver(router)
        router.start()
    }

    /// For a button: nothing to await, and a failure is logged.
    func productTapped(_ id: Int) {
        router.go(Target("Product", "show"), info: ["id": id])
    }

    func showBasket() async {
        do {
            let arrival = try await router.navigate(Target("Basket", "show"))
            print(arrival.class ?? "")
        } catch {
            print(error.message)
        }
    }
}
