// SPDX-License-Identifier: MIT

import LuaRouteUIKit
import LuaRouting
import Testing
@_spi(Person) import UIKitStandin

extension HostTests {
    /// Tests that changes by the user or the app are reported.
    @MainActor
    struct OutsideChangeTests {
        private func app(_ tree: String) throws -> AppFixture {
            let app = try AppFixture().start()
            try app.show(tree)
            #expect(app.differences == [])
            return app
        }

        private func settle(_ app: AppFixture, _ tree: String, _ location: SourceLocation) {
            app.device.run(for: 2)
            #expect(app.tree == tree, sourceLocation: location)
            #expect(app.differences == [], sourceLocation: location)
            #expect(app.device.exceptions == [], sourceLocation: location)
            #expect(app.lines == [], sourceLocation: location)
        }

        private func expect(
            _ before: String,
            _ gesture: String,
            _ after: String,
            _ act: (AppFixture) throws -> Void,
            at location: SourceLocation = #_sourceLocation
        ) throws {
            let app = try app(before)
            try act(app)
            settle(app, after, location)
        }

        @Test("a swipe back pops the screen, but a cancelled swipe does not")
        func swipe() throws {
            let before = "nav[Page(id=1), Page(id=2), Page(id=3)]"
            try expect(before, "swipe", "nav[Page(id=1), Page(id=2)]") { $0.nav?.swipeBack() }
            try expect(before, "cancelled", before) { $0.nav?.swipeBack(isCancelled: true) }
            try expect(before, "menu", "nav[Page(id=1)]") { $0.nav?.goBack(to: 0) }
        }

        @Test("a new root view controller that the app sets on a stack replaces all pages")
        func replacedStack() throws {
            for before in ["nav[Page(id=1)]", "nav[Page(id=1), Page(id=2)]"] {
                try expect(before, "set", "nav[LegacyController:foreign]") { app in
                    app.nav?.setViewControllers([LegacyController()], animated: false)
                }
            }
        }

        @Test("a nested stack that UIKit embeds in its container keeps its contents")
        func keptNestedStack() throws {
            let app = try app("nav[nav[Page(id=1)]]")
            let root = app.router.tree.windows[0].root
            app.device.happens = { $0 == .navigationDropped }
            let wrap = app.put("wrap", try app.router.nav([]), from: root)
            app.device.run(for: 20)
            guard case .failed = wrap.status else { Issue.record("\(wrap.status)"); return }
            app.device.happens = { _ in false }
            app.device.run(for: 2)
            #expect(app.tree == "nav[nav[Page(id=1)]]")
            #expect(app.differences == [])
        }

        @Test("pulling down a sheet dismisses the sheet and the modals above it")
        func pull() throws {
            let app = try AppFixture().start()
            app.put("sheet", try app.page(1))
            app.device.run(for: 1)
            let sheet: PageController = try #require(app.controller(app.screen(1)))
            sheet.pullDown(isCancelled: true)
            settle(app, "nav[Page(id=0)] ^ Page(id=1)", #_sourceLocation)
            sheet.pullDown()
            settle(app, "nav[Page(id=0)]", #_sourceLocation)
        }

        @Test("the view controller of a screen that the user removes is released")
        func released() throws {
            let app = try app("nav[Page(id=1), Page(id=2)]")
            weak let page: PageController? = app.controller(app.screen(2))
            #expect(page != nil)
            app.nav?.swipeBack()
            settle(app, "nav[Page(id=1)]", #_sourceLocation)
            #expect(page == nil)
            app.put("sheet", try app.page(3))
            app.device.run(for: 1)
            weak let sheet: PageController? = app.controller(app.screen(3))
            #expect(sheet?.pullDown() == true)
            settle(app, "nav[Page(id=1)]", #_sourceLocation)
            #expect(sheet == nil)
        }

        @Test(
            "tapping a tab selects the tab in the tree, and reordering tabs reorders them in the tree"
        )
        func tabs() throws {
            let before = "tabs[*nav[Page(id=1)], nav[Page(id=2)]]"
            try expect(before, "tap", "tabs[nav[Page(id=1)], *nav[Page(id=2)]]") { $0.tabs?.tap(1) }
            try expect(before, "edit", "tabs[nav[Page(id=2)], *nav[Page(id=1)]]") { app in
                app.tabs?.viewControllers = app.tabs?.viewControllers?.reversed()
            }
        }

        @Test(
            "going back in a collapsed split view removes the detail, which stays removed after expanding"
        )
        func split() throws {
            let app = try app("split[nav[Page(id=1)], nav[Page(id=2)]]")
            app.device.perform { app.split?.turn(collapsed: true) }
            settle(app, "split[nav[Page(id=1)], nav[Page(id=2)]]", #_sourceLocation)
            app.device.perform { app.split?.goBackToPrimary() }
            settle(app, "split[nav[Page(id=1)]]", #_sourceLocation)
            app.device.perform { app.split?.turn(collapsed: false) }
            settle(app, "split[nav[Page(id=1)]]", #_sourceLocation)
        }

        @Test("a swipe back in a collapsed split view removes the detail, with or without a stack")
        func swipeInSplit() throws {
            for (primary, detail) in [
                ("Page(id=1)", "Page(id=2)"), ("Page(id=1)", "nav[Page(id=2)]"),
                ("nav[Page(id=1)]", "Page(id=2)"), ("nav[Page(id=1)]", "pages[*Page(id=2)]"),
            ] {
                let before = "split[\(primary), \(detail)]"
                let app = try app(before)
                app.device.perform { app.split?.turn(collapsed: true) }
                settle(app, before, #_sourceLocation)
                let column = app.split?.viewController(for: .primary)
                let stack = column as? UINavigationController ?? column?.navigationController
                #expect(stack?.swipeBack(isCancelled: true) == true)
                settle(app, before, #_sourceLocation)
                #expect(stack?.swipeBack() == true)
                settle(app, "split[\(primary)]", #_sourceLocation)
            }
        }

        @Test(
            "a navigation in a collapsed split view keeps the detail on top of the primary stack"
        )
        func collapsed() throws {
            let app = try app("split[nav[Page(id=1)], nav[Page(id=2)]]")
            app.device.perform { app.split?.turn(collapsed: true) }
            app.put("push", try app.page(3), from: app.screen(1))
            settle(app, "split[nav[Page(id=1), Page(id=3)], nav[Page(id=2)]]", #_sourceLocation)
            app.put("pushToDetails", try app.page(4))
            settle(app, "split[nav[Page(id=1), Page(id=3)], Page(id=4)]", #_sourceLocation)
        }

        @Test(
            "a modal below the detail of a collapsed split view waits until its presenter is visible"
        )
        func modalUnderDetail() throws {
            for primary in ["nav[Page(id=1)]", "Page(id=1)"] {
                let app = try app("split[\(primary), nav[Page(id=2)]]")
                app.device.perform { app.split?.turn(collapsed: true) }
                let present = app.put("inPlace", try app.page(3), from: app.screen(1))
                app.run(for: 1)
                #expect(present.status.name == "done")
                let tree = app.tree
                #expect(tree.contains("Page(id=1) ^ Page(id=3)"))
                let modal: PageController = try #require(app.controller(app.screen(3)))
                #expect(modal.presentingViewController == nil)
                app.device.perform { app.split?.turn(collapsed: false) }
                settle(app, tree, #_sourceLocation)
                #expect(modal.presentingViewController != nil)
            }
        }

        @Test("an alert of the app is a foreign screen until its button is tapped")
        func alert() throws {
            let app = try app("nav[Page(id=1)]")
            let alert = UIAlertController(title: "Hello", message: nil, preferredStyle: .alert)
            app.nav?.present(alert, animated: true)
            settle(app, "nav[Page(id=1)] ^ UIAlertController:foreign", #_sourceLocation)
            app.put("push", try app.page(2))
            app.device.run(for: 1)
            #expect(app.tree == "nav[Page(id=1), Page(id=2)] ^ UIAlertController:foreign")
            alert.tapButton()
            settle(app, "nav[Page(id=1), Page(id=2)]", #_sourceLocation)
        }

        @Test("an alert over a modal inside a container is presented above the whole level")
        func alertInside() throws {
            let app = try app("nav[Page(id=1)]")
            app.put("inPlace", try app.page(2), from: app.screen(1))
            app.device.run(for: 1)
            let alert = UIAlertController(title: nil, message: nil, preferredStyle: .alert)
            let page: PageController = try #require(app.controller(app.screen(2)))
            page.present(alert, animated: true)
            let tree = "nav[Page(id=1) ^ Page(id=2)]"
            settle(app, tree + " ^ UIAlertController:foreign", #_sourceLocation)
            alert.tapButton()
            settle(app, tree, #_sourceLocation)
        }

        @Test(
            "a screen that the app pushes is foreign, and keeps its position when a route is shown above that screen"
        )
        func legacyPush() throws {
            for isReported in [true, false] {
                let app = try app("nav[Page(id=1)]")
                let old = LegacyController()
                app.nav?.pushViewController(old, animated: false)
                // The turn in which the app pushes it has not ended.
                if isReported {
                    settle(app, "nav[Page(id=1), LegacyController:foreign]", #_sourceLocation)
                }
                app.put("push", try app.page(2))
                settle(
                    app,
                    "nav[Page(id=1), LegacyController:foreign, Page(id=2)]",
                    #_sourceLocation
                )
                app.nav?.swipeBack()
                settle(app, "nav[Page(id=1), LegacyController:foreign]", #_sourceLocation)
                app.nav?.popViewController(animated: true)
                settle(app, "nav[Page(id=1)]", #_sourceLocation)
                // It comes again.
                app.nav?.pushViewController(old, animated: true)
                settle(app, "nav[Page(id=1), LegacyController:foreign]", #_sourceLocation)
                app.router.back()
                settle(app, "nav[Page(id=1)]", #_sourceLocation)
            }
        }

        @Test(
            "a view controller that the app does not describe keeps its position, but is not a screen"
        )
        func ignoredPush() throws {
            let app = try app("nav[Page(id=1)]")
            app.host.describeForeign = { _ in nil }
            let old = LegacyController()
            app.nav?.pushViewController(old, animated: false)
            app.put("push", try app.page(2))
            app.device.run(for: 1)
            #expect(app.tree == "nav[Page(id=1), Page(id=2)]")
            #expect(app.nav?.viewControllers.firstIndex(of: old) == 1)
            app.router.popToRoot()
            app.device.run(for: 1)
            #expect(app.nav?.viewControllers.count == 2)
            #expect(app.device.exceptions == [])
        }

        @Test(
            "a view controller that the app pushes onto a column without a stack is kept, and logged"
        )
        func columnPush() throws {
            let app = try app("split[nav[Page(id=1)], Page(id=2)]")
            let detail: PageController = try #require(app.controller(app.screen(2)))
            let legacy = LegacyController()
            (detail.parent as? UINavigationController)?.pushViewController(legacy, animated: false)
            app.run(for: 2)
            #expect(
                app.lines == [
                    "the app has pushed 'LegacyController' over 'Page', a column of a split view "
                        + "without a stack: the tree does not contain 'LegacyController', which is "
                        + "removed together with 'Page' (declare the column as 'router.nav { … }')"
                ]
            )
            app.put("push", try app.page(3), from: app.screen(1))
            app.run(for: 2)
            #expect(legacy.parent === detail.parent)
            #expect(app.tree == "split[nav[Page(id=1), Page(id=3)], Page(id=2)]")
        }

        @Test(
            "a modal in a column that is covered by the app's own push waits until the column is visible"
        )
        func coveredColumn() throws {
            let app = try app("split[nav[Page(id=1)], Page(id=2)]")
            let detail: PageController = try #require(app.controller(app.screen(2)))
            let stack = try #require(detail.parent as? UINavigationController)
            stack.pushViewController(LegacyController(), animated: false)
            app.run(for: 1)
            let present = app.put("inPlace", try app.page(3), from: app.screen(2))
            app.run(for: 1)
            #expect(present.status.name == "done")
            let modal: PageController = try #require(app.controller(app.screen(3)))
            #expect(modal.presentingViewController == nil)
            #expect(app.differences == [])
            stack.popViewController(animated: true)
            app.run(for: 1)
            #expect(modal.presentingViewController === detail)
            #expect(app.differences == [])
            #expect(app.lines.count == 1)
        }

        @Test("a tab that the app adds stays when a route adds another tab")
        func legacyTab() throws {
            let app = try app("tabs[*nav[Page(id=1)]]")
            let old = LegacyController()
            app.tabs?.viewControllers?.append(old)
            app.put("addTab", try app.page(2))
            app.device.run(for: 1)
            #expect(
                app.tree == "tabs[*nav[Page(id=1)], Page(id=2)]"
                    || app.tree == "tabs[nav[Page(id=1)], *Page(id=2)]"
            )
            #expect(app.tabs?.viewControllers?[1] === old)
            #expect(app.device.exceptions == [])
        }

        @Test(
            "a context menu is not a screen, and is closed before a screen is presented over the menu"
        )
        func contextMenu() throws {
            let app = try app("nav[Page(id=1)]")
            let menu = try #require(app.nav?.topViewController?.openContextMenu())
            settle(app, "nav[Page(id=1)]", #_sourceLocation)
            app.put("push", try app.page(2))
            settle(app, "nav[Page(id=1), Page(id=2)]", #_sourceLocation)
            #expect(menu.presentingViewController === app.nav)
            app.put("sheet", try app.page(3))
            settle(app, "nav[Page(id=1), Page(id=2)] ^ Page(id=3)", #_sourceLocation)
            #expect(menu.presentingViewController == nil)
        }

        @Test("a new detail of a split view replaces the old detail")
        func newDetail() throws {
            for (old, new) in [("Page(id=2)", "Page(id=3)"), ("nav[Page(id=2)]", "Page(id=3)")] {
                let app = try app("split[nav[Page(id=1)], \(old)]")
                app.put("pushToDetails", try app.page(3))
                settle(app, "split[nav[Page(id=1)], \(new)]", #_sourceLocation)
            }
        }

        @Test(
            "a gesture that ends while a change is applied takes effect, in addition to the change"
        )
        func gestureInTheMiddle() throws {
            let app = try app("nav[Page(id=1), Page(id=2)]")
            app.nav?.swipeBack()
            let navigation = app.put("push", try app.page(3))
            #expect(navigation.status.name == "pending")
            settle(app, "nav[Page(id=1), Page(id=3)]", #_sourceLocation)
            #expect(navigation.status.name == "done")
        }

        @Test("a presentation waits until an unknown view controller that blocks it is dismissed")
        func inTheWay() throws {
            let app = try app("nav[Page(id=1)]")
            let alert = UIAlertController(title: nil, message: nil, preferredStyle: .alert)
            // The turn in which the app presents it has not ended.
            app.nav?.present(alert, animated: false)
            let navigation = app.put("sheet", try app.page(2))
            app.device.run(for: 1)
            #expect(navigation.status.name == "pending")
            alert.tapButton()
            app.device.run(for: 2)
            #expect(navigation.status.name == "done")
            #expect(app.tree == "nav[Page(id=1)] ^ Page(id=2)")
            #expect(app.differences == [])
        }

        @Test(
            "an unknown view controller that blocks a presentation fails the navigation, and the error names its class"
        )
        func staysInTheWay() throws {
            let app = try app("nav[Page(id=1)]")
            let alert = UIAlertController(title: nil, message: nil, preferredStyle: .alert)
            app.nav?.present(alert, animated: false)
            let navigation = app.put("sheet", try app.page(2))
            app.run(for: 9)
            #expect(
                "\(navigation.status)".contains(
                    "the app presents 'UIAlertController', which the router does not know, where a "
                        + "screen must be presented"
                )
            )
            #expect(app.tree == "nav[Page(id=1)] ^ UIAlertController:foreign")
            #expect(app.differences == [])
        }
    }
}
