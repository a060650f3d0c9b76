// SPDX-License-Identifier: MIT

import LuaRouting

/// A host that prints the class of the visible screen.
///
/// An app makes its views equal to the tree.
@MainActor
final class KitchenHost {
    private(set) var visible = ""
}

// The router lives on the main actor, as the views of an app do.
extension KitchenHost: @MainActor RouterHost {
    func show(
        _ tree: ScreenTree,
        _ change: Change,
        done: @escaping (Result<Void, any Error>) -> Void
    ) {
        visible = tree[tree.visibleLeaf(of: tree.windows[0])].class
        print("shows", visible)
        done(.success(()))
    }
}

@MainActor
final class Kitchen {
    let host = KitchenHost()
    let router: Router
    /// Moves the router's clock, so that timeouts end.
    private let driver: RouterDriver

    init(scripts path: String) throws {
        router = try Router(scripts: ScriptBundle(path: path), host: host)
        driver = RouterDriver(router)
        router.start()
    }

    /// Opens a deep link that the system received.
    func open(_ url: String) -> Navigation {
        router.open(url, origin: .external)
    }

    /// Ends the login screen: its button calls this.
    func logIn(_ user: String) {
        let login = router.tree.visibleLeaf(of: router.tree.windows[0])
        router.close(login, value: Value(user))
    }
}
