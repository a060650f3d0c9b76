// SPDX-License-Identifier: MIT

import LuaRouteUIKit
import LuaRouting
import Testing
import UIKitStandin

extension HostTests {
    /// An app that has a hierarchy already moves to routes.
    @MainActor
    struct AdoptionTests {
        private final class OldController: UIViewController {}

        private func describe(_ controller: UIViewController) -> ScreenDescription? {
            (controller as? PageController).map { page in
                ScreenDescription(class: "Page", fields: ["id": .init(page.number ?? -1)])
            }
        }

        @Test("a hierarchy becomes the tree, and keeps its view controllers")
        func adopted() throws {
            let app = try AppFixture()
            let (page, old) = (PageController(), OldController())
            let nav = UINavigationController(rootViewController: page)
            nav.viewControllers.append(old)
            let tabs = UITabBarController()
            tabs.viewControllers = [UINavigationController(), nav]
            tabs.selectedViewController = nav
            app.window.rootViewController = tabs
            let modal = PageController()
            tabs.present(modal, animated: false)
            try app.host.adopt(app.window, describe)
            #expect(
                app.tree
                    == "tabs[nav[], *nav[Page(id=-1), OldController:foreign]] ^ Page(id=-1)"
            )
            #expect(app.differences == [])
            #expect(app.controller(app.screens("OldController").first) === old)

            // The router takes the old screen away, and builds beside it.
            app.router.dismiss()
            app.device.run(for: 1)
            app.put("push", try app.page(7))
            app.device.run(for: 1)
            #expect(nav.viewControllers.count == 3)
            app.router.back(2)
            app.device.run(for: 1)
            #expect(nav.viewControllers == [page])
            #expect(app.tree == "tabs[nav[], *nav[Page(id=-1)]]")
            #expect(app.differences == [])
            #expect(app.device.exceptions == [])
            #expect(app.lines == [])
        }

        @Test("a split view with a contextual modal is adopted, and a sheet over it")
        func split() throws {
            let app = try AppFixture()
            let split = UISplitViewController(style: .doubleColumn)
            let detail = PageController()
            split.setViewController(
                UINavigationController(rootViewController: PageController()),
                for: .primary
            )
            split.setViewController(
                UINavigationController(rootViewController: detail),
                for: .secondary
            )
            app.window.rootViewController = split
            detail.definesPresentationContext = true
            let cover = OldController()
            cover.modalPresentationStyle = .overCurrentContext
            detail.present(cover, animated: false)
            try app.host.adopt(app.window, describe)
            #expect(
                app.tree
                    == "split[nav[Page(id=-1)], nav[Page(id=-1) ^ OldController:foreign]]"
            )
            #expect(app.differences == [])
            app.put("pushToDetails", try app.page(3))
            app.device.run(for: 2)
            #expect(app.tree == "split[nav[Page(id=-1)], Page(id=3)]")
            #expect(app.differences == [])
            #expect(app.device.exceptions == [])
        }

        @Test("what cannot be adopted is an error, and nothing changes")
        func refused() throws {
            let app = try AppFixture().start()
            let other = UIWindow()
            #expect(throws: (any Error).self) { try app.host.adopt(other, as: "second", describe) }
            let nav = UINavigationController(rootViewController: PageController())
            other.rootViewController = nav
            var description = "nothing"
            do {
                try app.host.adopt(other, as: "second") { _ in ScreenDescription(class: "no name") }
            } catch {
                description = "\(error)"
            }
            #expect(description.hasPrefix("the window shows what no tree can have: "))
            #expect(app.tree == "nav[Page(id=0)]")
            #expect(app.differences == [])
        }

        @Test("a transition is waited for by the app")
        func transition() throws {
            let app = try AppFixture()
            let nav = UINavigationController(rootViewController: PageController())
            app.window.rootViewController = nav
            nav.pushViewController(PageController(), animated: true)
            #expect(throws: (any Error).self) { try app.host.adopt(app.window, describe) }
            app.device.run(for: 1)
            try app.host.adopt(app.window, describe)
            #expect(app.differences == [])
        }
    }
}
