// SPDX-License-Identifier: MIT

import LuaRouteUIKit
import LuaRouting
import Testing
@_spi(Person) import UIKitStandin

extension HostTests {
    /// The article "Move an app, route by route".
    @MainActor
    struct MovingAnAppTests {
        private final class OldHome: UIViewController {}
        private final class OldReviews: UIViewController {}
        private final class OldLogin: UIViewController {}

        /// The scripts of the article.
        private static let script = """
            router.options { foreign = "cover" }
            router.class("Drawer", { kind = "container", shows = "selected" })
            router.start(function() return router.screen "Drawer" end)
            router.register("Product", "show", {
              url = "/products/:id(int)", build = router.screen "Product", via = "push",
            })
            """

        @Test(
            "an app can be migrated route by route, and keeps its own pushes, modals and containers"
        )
        func walk() throws {
            let app = try AppFixture(Self.script)
            app.host.screens["Product"] = { _ in PageController() }
            let (drawer, login) = (DrawerController(), OldLogin())
            let nav = UINavigationController(rootViewController: OldHome())
            drawer.setContents([nav, UINavigationController()], animated: false)
            drawer.selectedContent = nav
            app.window.rootViewController = drawer
            try MovingAnApp.adopt(app.window, app.host)
            #expect(app.tree == "Drawer[*nav[OldHome:foreign], nav[]]")
            // One route above the old screens, and old screens above the route.
            #expect(MovingAnApp.isRoute("/products/7", app.router))
            #expect(!MovingAnApp.isRoute("/reviews/7", app.router))
            app.router.open("/products/7")
            app.run(for: 1)
            nav.pushViewController(OldReviews(), animated: false)
            app.run(for: 1)
            app.router.open("/products/8")
            app.run(for: 1)
            #expect(
                app.tree
                    == "Drawer[*nav[OldHome:foreign, Product(id=7), OldReviews:foreign, Product(id=8)], nav[]]"
            )
            // A person goes back to it, and the app shows its login.
            app.device.perform { nav.swipeBack() }
            app.run(for: 1)
            nav.present(login, animated: false)
            app.run(for: 1)
            #expect(
                app.tree
                    == "Drawer[*nav[OldHome:foreign, Product(id=7), OldReviews:foreign], nav[]] ^ OldLogin:foreign"
            )
            login.presentingViewController?.dismiss(animated: false)
            drawer.selectedContent = drawer.contents.last
            app.run(for: 1)
            #expect(
                app.tree
                    == "Drawer[nav[OldHome:foreign, Product(id=7), OldReviews:foreign], *nav[]]"
            )
            #expect(app.device.exceptions == [])
            #expect(app.lines == [])

            // After a restart the routes are restored, and not what only the app can make.
            let json = app.router.snapshot().json
            let next = try AppFixture(Self.script)
            next.host.screens["Product"] = { _ in PageController() }
            next.host.screens["Drawer"] = { _ in DrawerController() }
            let restoration = next.router.restore(try Snapshot(json: json))
            next.run(for: 1)
            #expect(restoration.navigation.status.name == "done")
            #expect(next.tree == "Drawer[nav[Product(id=7)], *nav[]]")
            #expect(restoration.losses.count == 2)
        }
    }
}
