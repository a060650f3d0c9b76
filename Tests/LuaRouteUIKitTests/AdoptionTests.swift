// SPDX-License-Identifier: MIT

import LuaRouteUIKit
import LuaRouting
import Testing
@_spi(Person) import UIKitStandin

extension HostTests {
    /// Tests of moving an app with an existing view hierarchy to routes.
    @MainActor
    struct AdoptionTests {
        private final class OldController: UIViewController {}

        private func describe(_ controller: UIViewController) -> ScreenDescription? {
            (controller as? PageController).map { page in
                ScreenDescription(class: "Page", fields: ["id": .init(page.number ?? -1)])
            }
        }

        @Test("an existing hierarchy becomes the tree, and keeps its view controllers")
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

        @Test(
            "classes unknown to the scripts, and undeclared fields, are logged once",
            arguments: [#"router.expects { screens = { "Product" } }"#, ""]
        )
        func undeclared(expects: String) throws {
            let app = try AppFixture(
                """
                \(expects)
                router.class("Product", { fields = { id = "integer", "title" } })
                router.register("Product", "show", { build = router.screen "Product", via = "push" })
                """
            )
            let nav = UINavigationController(rootViewController: OldController())
            nav.viewControllers += (1...3).map { _ in PageController() }
            app.window.rootViewController = nav
            func adopt(_ descriptions: [ScreenDescription]) throws {
                try app.host.adopt(app.window) { controller in
                    nav.viewControllers.dropFirst().firstIndex(of: controller)
                        .map { descriptions[$0 - 1] }
                }
            }
            let wrong = [
                ScreenDescription(class: "Prodct"), ScreenDescription(class: "Prodct"),
                ScreenDescription(class: "Product", fields: ["titel": "x", "id": 7]),
            ]
            let right = ScreenDescription(class: "Product", fields: ["title": "x", "id": 7])
            try adopt(wrong)
            var lines: [String] { app.lines.filter { $0.hasPrefix("'adopt'") } }
            #expect(
                lines == [
                    "'adopt': the scripts do not mention the class 'Prodct', so no route finds its screens, did you mean 'Product'?",
                    "'adopt': class 'Product' has no field 'titel', did you mean 'title'?",
                ]
            )
            // Those that are kept were reported.
            try adopt(wrong)
            try adopt([right, right, right])
            #expect(lines.count == 2)
            #expect(app.tree.contains("title=\"x\""))
        }

        @Test(
            "a split view with a contextual modal is adopted, and so is a sheet over the split view"
        )
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

        @Test(
            "adopting a window again keeps existing screens and pending navigations"
        )
        func again() throws {
            let script =
                AppFixture.script + """

                    router.register("Later", "show", {
                      ready = "session", build = router.screen("Page", { id = 9 }), via = "push",
                    })
                    """
            let app = try AppFixture(script).start()
            let page = app.put("push", try app.page(1))
            app.device.run(for: 1)
            app.put("form", try app.router.nav([try app.page(2)]))
            app.device.run(for: 1)
            var results = 0
            app.router.result(of: page) { _ in results += 1 }
            let later = app.router.navigate(Target("Later", "show"))
            let (root, form) = (app.screens("nav").first, app.screens("nav").last)
            let ids = [root, app.screen(0), app.screen(1), form, app.screen(2)]

            // The app changes the stacks while the host cannot look.
            let old = OldController()
            app.nav?.pushViewController(old, animated: false)
            try app.host.adopt(app.window, describe)
            #expect(
                app.tree
                    == "nav[Page(id=0), Page(id=1), OldController:foreign] ^ nav[Page(id=2)]"
            )
            #expect(
                [
                    app.screens("nav").first, app.screen(0), app.screen(1), app.screens("nav").last,
                    app.screen(2),
                ]
                    == ids
            )
            #expect(form.map { app.router.tree[$0].presentation.style } == "formSheet")
            #expect(results == 0)
            #expect(later.isPending)
            #expect(app.differences == [])

            // It describes a class that it did not know before.
            try app.host.adopt(app.window) { controller in
                controller === old ? ScreenDescription(class: "Old") : describe(controller)
            }
            #expect(app.tree == "nav[Page(id=0), Page(id=1), Old] ^ nav[Page(id=2)]")
            #expect(app.screen(1) == ids[2])
            app.router.dismiss()
            app.device.run(for: 1)
            app.router.back(2)
            app.device.run(for: 1)
            #expect(app.tree == "nav[Page(id=0)]")
            #expect(results == 1)
            try app.router.ready("session")
            app.device.run(for: 1)
            #expect(app.tree == "nav[Page(id=0), Page(id=9)]")
            #expect(later.status.name == "done")
            #expect(app.differences == [])
            #expect(app.device.exceptions == [])
            #expect(app.lines == [])
        }

        private final class FormController: UIViewController {}

        /// An app whose script asks before a `Form` is removed, with an adopted stack.
        private func adoptedApp() throws -> AppFixture {
            let app = try AppFixture(
                """
                router.class("Page", { fields = { id = "integer" } })
                router.class("Form", { leaving = function() router.stop "kept" end })
                router.register("Root", "show", { find = { class = "Page", match = function(page) return page.id == -1 end } })
                router.register("Page", "show", { build = router.screen("Page", { id = 7 }), from = { "Root", "show" }, via = "push" })
                """
            )
            app.window.rootViewController = UINavigationController(
                rootViewController: PageController()
            )
            try app.host.adopt(app.window) { controller in
                controller is FormController
                    ? ScreenDescription(class: "Form") : self.describe(controller)
            }
            app.device.run(for: 1)
            return app
        }

        private func expect(
            _ tree: String,
            _ app: AppFixture,
            at location: SourceLocation = #_sourceLocation
        ) {
            app.device.run(for: 1)
            #expect(app.tree == tree, sourceLocation: location)
            // The fixture knows no view controller of a `Form`.
            let differences = app.differences.filter { !$0.hasPrefix("Form#") }
            #expect(differences == [], sourceLocation: location)
            #expect(app.device.exceptions == [], sourceLocation: location)
            #expect(app.lines == [], sourceLocation: location)
        }

        @Test("the closure describes view controllers that the app pushes later")
        func pushedLater() throws {
            let app = try adoptedApp()
            let page = app.screen(-1)
            app.nav?.pushViewController(FormController(), animated: true)
            expect("nav[Page(id=-1), Form]", app)
            #expect(app.screen(-1) == page)
            app.nav?.swipeBack()
            expect("nav[Page(id=-1), Form]", app)
            app.nav?.pushViewController(OldController(), animated: true)
            expect("nav[Page(id=-1), Form, OldController:foreign]", app)
            app.nav?.pushViewController(PageController(), animated: true)
            expect("nav[Page(id=-1), Form, OldController:foreign, Page(id=-1)]", app)
        }

        @Test("a new root that the app sets on an adopted stack is found by routes")
        func newRoot() throws {
            let app = try adoptedApp()
            app.nav?.setViewControllers([PageController()], animated: false)
            expect("nav[Page(id=-1)]", app)
            app.router.go(Target("Page", "show"))
            expect("nav[Page(id=-1), Page(id=7)]", app)
        }

        @Test("the closure describes a view controller in a stack that the app presents")
        func presentedLater() throws {
            let app = try adoptedApp()
            let stack = UINavigationController(rootViewController: FormController())
            app.nav?.present(stack, animated: true)
            expect("nav[Page(id=-1)] ^ nav[Form]", app)
            app.router.dismiss { _ in }
            expect("nav[Page(id=-1)] ^ nav[Form]", app)
            app.nav?.dismiss(animated: true)
            app.device.run(for: 1)
            #expect(app.tree == "nav[Page(id=-1)]")
        }

        @Test("'describeForeign' has precedence over the closure of 'adopt'")
        func precedence() throws {
            let app = try adoptedApp()
            app.host.describeForeign = { controller in
                controller is FormController ? ScreenDescription(class: "Other") : nil
            }
            app.nav?.pushViewController(FormController(), animated: false)
            app.nav?.pushViewController(OldController(), animated: false)
            app.nav?.pushViewController(PageController(), animated: false)
            app.device.run(for: 1)
            #expect(app.tree == "nav[Page(id=-1), Other:foreign, Page(id=-1)]")
        }

        @Test("another window does not use the closure, and its view controllers are foreign")
        func replacedWindow() throws {
            let app = try adoptedApp()
            app.host.show("main", in: UIWindow())
            app.device.run(for: 1)
            app.nav?.pushViewController(FormController(), animated: true)
            app.device.run(for: 1)
            #expect(app.tree.hasSuffix("foreign]"))
        }

        @Test("a wait for a result ends if the screen is gone when its window is adopted again")
        func goneMeanwhile() throws {
            let app = try AppFixture().start()
            let page = app.put("push", try app.page(1))
            app.device.run(for: 1)
            var results = 0
            app.router.result(of: page) { _ in results += 1 }
            app.nav?.viewControllers.removeLast()
            let kept = app.screen(0)
            try app.host.adopt(app.window, describe)
            #expect(app.tree == "nav[Page(id=0)]")
            #expect(app.screen(0) == kept)
            #expect(results == 1)
            #expect(app.differences == [])
        }

        @Test("adopting an unsupported hierarchy is an error, and nothing changes")
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
            #expect(description.hasPrefix("the screens of the window do not form a valid tree: "))
            #expect(app.tree == "nav[Page(id=0)]")
            #expect(app.differences == [])
        }

        @Test("adopting a window during a transition is an error")
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
