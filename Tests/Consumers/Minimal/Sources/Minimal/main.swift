// SPDX-License-Identifier: MIT

import LuaRouting

/// The host of an app in one file: it prints the visible screen.
final class ConsoleHost: RouterHost {
    func show(
        _ tree: ScreenTree,
        _ change: Change,
        done: @escaping (Result<Void, any Error>) -> Void
    ) {
        for window in tree.windows {
            print(window.name, tree[tree.visibleLeaf(of: window)].class)
        }
        done(.success(()))
    }
}

let scripts = ScriptBundle(files: [
    "main.lua": """
    router.start(function() return router.nav { router.screen "Home" } end)
    router.register("Product", "show", {
      url = "/products/:id(int)",
      find = { class = "Product", by = "id" },
      build = router.screen "Product",
    })
    """
])
do throws(RouteError) {
    let router = try Router(scripts: scripts, host: ConsoleHost())
    router.start()
    router.open("/products/7")
    router.back()
    router.shutDown()
} catch {
    print(error)
}
