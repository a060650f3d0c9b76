// SPDX-License-Identifier: MIT

import LuaRouteUIKit
import LuaRouting
import TestSupport
import Testing
@_spi(Person) import UIKitStandin

extension HostTests {
    /// Tests that the host shows the trees of the router.
    @MainActor
    struct ShowingTests {
        @Test("the root of the first tree is the root view controller of the window")
        func start() throws {
            let app = try AppFixture().start()
            #expect(app.tree == "nav[Page(id=0)]")
            #expect(app.differences == [])
            #expect(app.nav?.viewControllers.count == 1)
            #expect(app.device.exceptions == [])
        }

        @Test("a navigation ends when its transition is complete")
        func transition() throws {
            let app = try AppFixture().start()
            let navigation = app.put("push", try app.page(1))
            #expect(navigation.status.name == "pending")
            #expect(app.nav?.viewControllers.count == 2)
            app.device.run(for: 1)
            #expect(navigation.status.name == "done")
            #expect(app.differences == [])
        }

        @Test("a navigation without animation ends immediately")
        func unanimated() throws {
            let app = try AppFixture().start()
            let navigation = app.put("push", try app.page(1), animated: false)
            #expect(navigation.status.name == "done")
        }

        nonisolated static let trees = [
            "Page(id=1)",
            "nav[Page(id=1), Page(id=2), Page(id=3)]",
            "tabs[nav[Page(id=1)], *nav[Page(id=2), Page(id=3)]]",
            "split[nav[Page(id=1)], nav[Page(id=2)]]",
            "split[Page(id=1), Page(id=2)]",
            "nav[nav[Page(id=1)], split[Page(id=2)]]",
            "tabs[*nav[Page(id=1)]] ^ nav[Page(id=2)] ^ Page(id=3)",
            "nav[Page(id=1) ^ Page(id=2)]",
            "pages:container[Page(id=1), *nav[Page(id=2)]]",
            "nav[Page(id=1), tabs[*split[Page(id=2), nav[Page(id=3)]]]] ^ pages:container[Page(id=4)]",
            "nav[]", "tabs[]", "split[]",
        ]

        @Test(
            "each tree that the app sets is shown in the next turn of the run loop",
            arguments: trees
        )
        func trees(_ tree: String) throws {
            let app = try AppFixture().start()
            try app.show(tree)
            #expect(app.differences == [])
            try app.show("nav[Page(id=9)]")
            #expect(app.differences == [])
            #expect(app.device.exceptions == [])
            #expect(app.lines == [])
        }

        @Test(
            "every tree can replace every other tree, and remaining screens keep their view controllers"
        )
        func restored() throws {
            for tree in Self.trees.prefix(10) {
                let app = try AppFixture().start()
                try app.show(tree)
                let snapshot = app.router.snapshot()
                for other in Self.trees.prefix(10) {
                    try app.show(other)
                    app.router.restore(snapshot)
                    app.device.run(for: 3)
                    #expect(app.differences == [], "\(tree) after \(other)")
                }
                #expect(app.device.exceptions == [])
            }
        }

        @Test("a moved screen keeps its view controller")
        func moved() throws {
            let app = try AppFixture().start()
            let page: PageController? = app.controller(app.screen(0))
            let old = try #require(app.screens("nav").first)
            app.put(
                "replaceRoot",
                try app.router.tabs([try app.router.nav([try app.page(1)])]),
                from: old
            )
            app.device.run(for: 1)
            #expect(app.tree == "tabs[*nav[Page(id=1)]]")
            #expect(app.differences == [])
            #expect(page?.parent == nil || page?.parent is UINavigationController)
            #expect(app.device.exceptions == [])
        }

        @Test("tabs get their title and icon from their own fields, or from their first screen")
        func tabItems() throws {
            let app = try AppFixture().start()
            try app.show(
                "tabs[*nav[Page(id=1, title=\"One\", icon=\"house\")], Page(id=2, icon=\"basket\"), nav[Page(id=3)]]"
            )
            var items: [UITabBarItem?] {
                app.tabs?.viewControllers?.map { $0.tabBarItem } ?? []
            }
            #expect(items.map { $0?.title } == ["One", nil, nil])
            #expect(items.map { $0?.image?.name } == ["symbol house", "image basket", nil])
            // Another page on the stack leaves the item alone, and a field of its first one changes it.
            let item = items.first ?? nil
            app.put("push", try app.page(4), from: app.screen(1))
            app.device.run(for: 1)
            #expect(items.first ?? nil === item)
            try app.router.call("set", ["id": 1, "title": "Uno"])
            app.device.run(for: 1)
            #expect(items.first??.title == "Uno")
            app.host.tabItem = { _ in UITabBarItem(title: "Mine", image: nil, tag: 0) }
            try app.router.call("set", ["id": 2, "title": "Zwei"])
            app.device.run(for: 1)
            #expect(items.map { $0?.title } == ["Uno", "Mine", nil])
        }

        @Test(
            "tabs are shown as UITab objects with title, image and view controller, if the app opts in"
        )
        func uiTabs() throws {
            let app = try AppFixture()
            app.host.usesTabs = true
            app.router.start()
            try app.show(
                "tabs[*nav[Page(id=1, title=\"One\", icon=\"house\"), Page(id=4)], Page(id=2)]"
            )
            let tabs = try #require(app.tabs)
            #expect(tabs.viewControllers == nil)
            #expect(tabs.tabs.map(\.title) == ["One", ""])
            #expect(tabs.tabs.map { $0.image?.name } == ["symbol house", nil])
            #expect(app.differences == [])
            let first = tabs.tabs[0]
            try app.router.call("set", ["id": 1, "title": "Uno"])
            app.put("addTab", try app.page(3))
            app.device.run(for: 1)
            #expect(tabs.tabs.map(\.title) == ["Uno", "", ""])
            #expect(tabs.tabs.first === first)
            // A person taps a tab, then the selected one.
            app.device.perform { tabs.tap(0) }
            app.device.run(for: 1)
            #expect(
                app.tree
                    == "tabs[*nav[Page(icon=\"house\", id=1, title=\"Uno\"), Page(id=4)], Page(id=2), Page(id=3)]"
            )
            app.device.perform { tabs.tap(0) }
            app.device.run(for: 1)
            #expect(app.screen(4) == nil)
            app.router.select(try #require(app.screen(2)))
            app.device.run(for: 1)
            #expect(tabs.selectedTab?.viewController === app.controller(app.screen(2)))
            #expect(app.differences == [])
            #expect(app.device.exceptions == [])
        }

        @Test("of two nested navigation controllers, only one shows its bar")
        func oneBar() throws {
            let app = try AppFixture().start()
            try app.show("nav[Page(id=1), nav[Page(id=2, title=\"Two\")]]")
            let outer = try #require(app.nav)
            let inner: UINavigationController = try #require(
                app.controller(app.screens("nav").last)
            )
            func bars() -> [Bool] { [outer, inner].map { !$0.isNavigationBarHidden } }
            #expect(bars() == [true, false])
            inner.viewControllers[0].navigationItem.title = "Two"
            app.device.perform {}
            #expect(outer.topViewController?.navigationItem.title == "Two")
            app.put("push", try app.page(3), from: app.screen(2))
            app.device.run(for: 1)
            #expect(app.tree.hasSuffix("Page(id=3)]]"))
            #expect(bars() == [false, true])
            // The gesture of the outer stack would remove both pages.
            #expect(!outer.swipeBack())
            #expect(inner.swipeBack())
            app.device.run(for: 1)
            #expect(bars() == [true, false])
            #expect(outer.tapBack())
            app.device.run(for: 1)
            #expect(app.tree == "nav[Page(id=1)]")
            #expect(!outer.isNavigationBarHidden)
            #expect(app.device.exceptions == [])
        }

        @Test(
            "a bar that the app has hidden stays hidden, and never hides the bar of another controller"
        )
        func hiddenBar() throws {
            let app = try AppFixture().start()
            app.nav?.setNavigationBarHidden(true, animated: false)
            app.put("push", try app.router.nav([try app.page(1)]))
            app.device.run(for: 1)
            let inner: UINavigationController = try #require(
                app.controller(app.screens("nav").last)
            )
            #expect(app.nav?.isNavigationBarHidden == true)
            #expect(!inner.isNavigationBarHidden)
        }

        @Test("the fields of a screen are updated once per change")
        func update() throws {
            let app = try AppFixture().start()
            let page: PageController = try #require(app.controller(app.screen(0)))
            #expect(page.updates == 1)
            app.put("push", try app.page(1))
            app.device.run(for: 1)
            #expect(page.updates == 1)
        }

        @Test("a class without a view controller fails the navigation before anything changes")
        func unknownClass() throws {
            let app = try AppFixture().start()
            let navigation = app.put("push", try app.router.screen("Pag"))
            #expect(
                "\(navigation.status)".contains(
                    "'screens' of the host has no view controller for 'Pag', did you mean 'Page'?"
                )
            )
            #expect(app.tree == "nav[Page(id=0)]")
            #expect(app.differences == [])
        }

        @Test("an unknown style fails the navigation, and the error lists the existing styles")
        func unknownStyle() throws {
            let app = try AppFixture().start()
            let navigation = app.put("unknownStyle", try app.page(1))
            #expect(
                "\(navigation.status)".contains(
                    "there is no style 'sheeet' (supported: 'currentContext', "
                )
            )
            #expect(app.differences == [])
        }

        @Test("an expected screen for which the host has no view controller is logged immediately")
        func expectedScreens() throws {
            let script = """
                router.class("Pages", { kind = "nav" })
                router.start(function() return router.screen "Page" end)
                router.expects { screens = { "Page", "Pge", "Pages" } }
                """
            #expect(
                try AppFixture(script).lines == [
                    "the scripts expect the screen 'Pge', which the host cannot make, did you mean 'Page'? (set 'screens' of the host before 'follow')"
                ]
            )
        }

        @Test("an expected task is logged if the host has no 'onTask', and again at each call")
        func expectedTasks() throws {
            let script = """
                router.start(function() return router.screen "Page" end)
                router.expects { tasks = { "Wallet/pay", "Own/work" } }
                router.registerTask("Own", "work", function() end)
                """
            let app = try AppFixture(script)
            let followed =
                "the scripts expect the task 'Wallet/pay', which the host does not perform (set 'onTask' of the host before 'follow')"
            #expect(app.lines == [followed])
            let task = app.router.doTask(Target("Wallet", "pay"))
            #expect("\(task.status)".contains("the host does not perform tasks"))
            #expect(
                app.lines == [
                    followed,
                    "the host does not perform the task 'Wallet/pay' (set 'onTask' of the host before 'follow')",
                ]
            )
        }

        @Test("a host that has not been connected to its router with 'follow' logs a warning")
        func unfollowed() throws {
            let app = try AppFixture(isFollowed: false)
            let start = app.router.start()
            #expect("\(start.status)".contains("call 'follow' with the router before it starts"))
        }

        @Test(
            "a popover is anchored to the app's view, and a popover without an anchor is an error"
        )
        func popover() throws {
            let app = try AppFixture().start()
            app.host.popoverSource = nil
            let failed = app.put("popover", try app.page(1))
            app.device.run(for: 1)
            #expect("\(failed.status)".contains("return a view from 'popoverSource' of the host"))
            #expect(app.tree == "nav[Page(id=0)]")
            let (button, item) = (UIView(), UIBarButtonItem())
            app.host.popoverSource = { _, _ in button }
            app.put("popover", try app.page(2))
            app.device.run(for: 1)
            let page: PageController = try #require(app.controller(app.screen(2)))
            #expect(page.popoverPresentationController?.sourceView === button)
            app.router.dismiss()
            app.device.run(for: 1)
            app.host.popoverSource = nil
            app.host.screens["Page"] = { _ in
                let page = PageController()
                page.modalPresentationStyle = .popover
                page.popoverPresentationController?.barButtonItem = item
                return page
            }
            #expect(app.put("popover", try app.page(3), animated: false).status.name == "done")
            #expect(app.differences == [])
            #expect(app.device.exceptions == [])
        }

        @Test("properties that a definition does not mention keep the values set by the app")
        func ownPresentation() throws {
            let app = try AppFixture().start()
            app.host.screens["Page"] = { _ in
                let page = PageController()
                page.modalPresentationStyle = .pageSheet
                page.modalTransitionStyle = .crossDissolve
                page.sheetPresentationController?.prefersGrabberVisible = true
                return page
            }
            app.put("sheet", try app.page(1))
            app.device.run(for: 1)
            let page: PageController = try #require(app.controller(app.screen(1)))
            #expect(page.sheetPresentationController?.prefersGrabberVisible == true)
            #expect(page.modalTransitionStyle == .crossDissolve)
        }

        @Test(
            "a step that UIKit refuses is retried until the transition timeout, and then fails the navigation"
        )
        func refused() throws {
            for seconds in [2.5, 4.0] {
                let app = try AppFixture().start()
                let end = app.device.time + seconds
                app.device.happens = { [device = app.device] in
                    $0 == .presentRefused && device.time < end
                }
                let sheet = app.put("sheet", try app.page(1))
                app.run(for: 5)
                #expect(sheet.status.name == (seconds < 3 ? "done" : "failed"))
                #expect(app.differences == [])
            }
        }

        /// A stack that counts how often its view controllers are read.
        private final class CountingStack: UINavigationController {
            private(set) var looks = 0
            override var viewControllers: [UIViewController] {
                get {
                    looks += 1
                    return super.viewControllers
                }
                set { super.viewControllers = newValue }
            }
        }

        @Test(
            "each change checks only the visible tab, and all tabs are checked at regular intervals"
        )
        func hiddenTabs() throws {
            let app = try AppFixture().start()
            app.host.screens["nav"] = { _ in CountingStack() }
            try app.show("tabs[*nav[Page(id=1)], nav[Page(id=2)]]")
            app.run(for: 0.3)
            let hidden: CountingStack = try #require(app.controller(app.screens("nav").last))
            let looks = hidden.looks
            for number in 3...5 {
                app.device.perform {}
                let push = app.put("push", try app.page(number), animated: false)
                #expect(push.status.name == "done")
                app.device.perform {}
            }
            #expect(hidden.looks == looks)
            hidden.pushViewController(LegacyController(), animated: false)
            app.device.perform {}
            #expect(!app.tree.contains("Legacy"))
            app.run(for: 0.3)
            #expect(app.tree.contains("nav[Page(id=2), LegacyController:foreign]"))
            #expect(app.differences == [])
        }

        @Test(
            "a window that the router opens is requested from the app, and filled once the window is shown"
        )
        func openWindow() throws {
            let app = try AppFixture().start()
            var asked: [String] = []
            app.host.openWindow = { asked.append($0) }
            let navigation = app.router.openWindow("second", try app.page(1))
            app.device.run(for: 1)
            #expect(asked == ["second"])
            #expect(navigation.status.name == "pending")
            let window = UIWindow()
            app.windows["second"] = window
            app.host.show("second", in: window)
            #expect(navigation.status.name == "done")
            #expect(app.differences == [])
            var closed: [String] = []
            app.host.closeWindow = { name, _ in closed.append(name) }
            app.router.closeWindow("second")
            #expect(closed == ["second"])
            #expect(window.rootViewController == nil)
            #expect(app.differences == [])
        }

        @Test("a window that the app cannot open fails the navigation")
        func noWindow() throws {
            let app = try AppFixture().start()
            let navigation = app.router.openWindow("second", try app.page(1))
            let status = "\(navigation.status)"
            #expect(status.contains("the host has no window 'second': set 'openWindow'"))
            #expect(app.router.tree.windows.map(\.name) == ["main"])
            #expect(app.differences == [])
        }

        @Test("a router that starts before its host has a window names the missing call")
        func noMainWindow() throws {
            _ = Device.restart()
            let host = UIKitHost()
            let router = try Router(
                scripts: ScriptBundle(files: ["main.lua": AppFixture.script]),
                host: host
            )
            host.screens["Page"] = { _ in PageController() }
            host.follow(router, movesClock: false)
            #expect(
                "\(router.start().status)".contains(
                    "the host has no window 'main': call 'connect', or 'show(\"main\", in: window)', before 'start' of the router"
                )
            )
            router.shutDown()
        }

        @Test("view controllers of removed screens are released")
        func released() throws {
            let app = try AppFixture().start()
            app.put("push", try app.page(1))
            app.device.run(for: 1)
            weak let page: PageController? = app.controller(app.screen(1))
            #expect(page != nil)
            app.router.back()
            app.device.run(for: 1)
            #expect(page == nil)
        }
    }
}
