// SPDX-License-Identifier: MIT

import LuaRouteUIKit
import LuaRouting
import Testing
@_spi(Person) import UIKitStandin

/// A tab bar controller whose More list is selected.
private final class MoreTabs: UITabBarController {
    private let more = UIViewController()
    var showsMore = false

    override var selectedViewController: UIViewController? {
        get { showsMore ? more : super.selectedViewController }
        set {
            showsMore = false
            super.selectedViewController = newValue
        }
    }
}

/// A stack that asks the host for its screen while the stack is moved.
private final class AskingStack: UINavigationController {
    weak var host: UIKitHost?

    override func willMove(toParent parent: UIViewController?) { _ = host?.screen(of: self) }
}

extension HostTests {
    /// Tests of an app whose own code changes the view hierarchy.
    @MainActor
    struct AppBehaviourTests {
        private func rest(
            _ app: AppFixture,
            for seconds: Double = 2,
            at location: SourceLocation = #_sourceLocation
        ) {
            app.run(for: seconds)
            #expect(app.differences == [], sourceLocation: location)
            #expect(app.device.exceptions == [], sourceLocation: location)
        }

        @Test(
            "a view controller that the app presents stays on screen, even if unknown to the router"
        )
        func nested() throws {
            for isKnown in [true, false] {
                let app = try AppFixture().start()
                if !isKnown { app.host.describeForeign = { _ in nil } }
                let (share, mail) = (UIAlertController(), UIAlertController())
                app.nav?.present(share, animated: true) { share.present(mail, animated: true) }
                app.device.run(for: 3)
                #expect(mail.presentingViewController === share)
                let foreign = " ^ UIAlertController:foreign"
                #expect(app.tree == "nav[Page(id=0)]" + (isKnown ? foreign + foreign : ""))
                mail.tapButton()
                app.device.run(for: 1)
                share.tapButton()
                rest(app)
                #expect(app.tree == "nav[Page(id=0)]")
            }
        }

        @Test(
            "a navigation continues below an active search, and a modal is presented over the search"
        )
        func search() throws {
            let app = try AppFixture(
                AppFixture.script.replacing(", foreign = \"cover\"", with: "")
            ).start()
            let search = UISearchController()
            search.modalPresentationStyle = .overFullScreen
            app.nav?.present(search, animated: false)
            app.device.run(for: 1)
            let push = app.put("push", try app.page(1))
            app.device.run(for: 1)
            #expect(push.status.name == "done")
            let sheet = app.put("sheet", try app.page(2))
            app.device.run(for: 1)
            #expect(sheet.status.name == "done")
            #expect(app.tree == "nav[Page(id=0), Page(id=1)] ^ Page(id=2)")
            #expect(search.presentedViewController === app.controller(app.screen(2)))
            app.router.dismiss()
            app.device.run(for: 1)
            #expect(search.presentingViewController === app.nav)
            #expect(app.device.exceptions == [])
        }

        @Test("a window can be opened again under the name of a closed window")
        func sameName() throws {
            let app = try AppFixture().start()
            for number in 1...3 {
                let window = app.host.connect(
                    UIWindowScene(),
                    to: UISceneSession(),
                    options: .init(),
                    as: "second",
                    opening: try TreeNotation("nav[Page(id=\(number))]")
                )
                app.windows["second"] = window
                rest(app)
                #expect(app.router.tree.windows.map(\.name) == ["main", "second"])
                app.router.closeWindow("second")
                rest(app)
                #expect(window?.rootViewController == nil)
            }
        }

        @Test("a window that the user closes while a change is applied does not fail that change")
        func closedMeanwhile() throws {
            let app = try AppFixture().start()
            var asked: [String] = []
            app.host.openWindow = { asked.append($0) }
            _ = app.host.connect(
                UIWindowScene(),
                to: UISceneSession(),
                options: .init(),
                as: "second",
                opening: try TreeNotation("nav[Page(id=1)]")
            )
            app.device.run(for: 1)
            let push = app.put("push", try app.page(2), from: app.screen(0))
            app.device.run(for: 0.1)
            app.host.windowClosed("second")
            rest(app)
            #expect(push.status.name == "done")
            #expect(asked == [])
            #expect(app.router.tree.windows.map(\.name) == ["main"])
        }

        @Test(
            "the app is asked only once for a window, even if the host restores the tree in the meantime"
        )
        func askedOnce() throws {
            let app = try AppFixture().start()
            var asked: [String] = []
            app.host.openWindow = { asked.append($0) }
            let navigation = app.router.openWindow("second", try app.page(1))
            app.device.run(for: 1)
            app.device.perform { app.nav?.viewControllers = [] }
            app.device.run(for: 1)
            #expect(app.nav?.viewControllers.count == 1)
            #expect(asked == ["second"])
            let window = UIWindow()
            app.windows["second"] = window
            app.host.show("second", in: window)
            rest(app)
            #expect(navigation.status.name == "done")
        }

        @Test("a window that the app has discarded does not fail navigations in other windows")
        func missingWindow() throws {
            let app = try AppFixture().start()
            try app.router.setTree(TreeNotation("nav[Page(id=5)]"), window: "second")
            try app.show("nav[Page(id=6)]")
            #expect(app.nav != nil)
            let push = app.put("push", try app.page(7), from: app.screen(6))
            app.run(for: 5)
            #expect(push.status.name == "done")
            let window = UIWindow()
            app.windows["second"] = window
            app.host.show("second", in: window)
            rest(app)
            #expect(
                app.put("push", try app.page(8), from: app.screen(6), animated: false).status.name
                    == "done"
            )
            rest(app)
        }

        @Test("a failed adoption affects neither windows nor a change that is being applied")
        func failedAdoption() throws {
            let app = try AppFixture().start()
            let push = app.put("push", try app.page(1))
            app.device.run(for: 0.1)
            let (other, old) = (UIWindow(), UINavigationController())
            other.rootViewController = old
            #expect(throws: (any Error).self) {
                try app.host.adopt(other) { _ in ScreenDescription(class: "no name") }
            }
            rest(app)
            #expect(push.status.name == "done")
            #expect(other.rootViewController === old)
        }

        @Test("a collapsed split view and a stack inside a wrapper are adopted unchanged")
        func adoptedAgain() throws {
            let app = try AppFixture().start()
            let trees = [
                "split[nav[Page(id=1)], nav[Page(id=2)]]", "nav[Page(id=1), nav[Page(id=2)]]",
            ]
            for tree in trees {
                try app.show(tree)
                app.device.perform { app.split?.turn(collapsed: true) }
                try app.host.adopt(app.window) { controller in
                    (controller as? PageController).map {
                        ScreenDescription(class: "Page", fields: ["id": .init($0.number ?? -1)])
                    }
                }
                rest(app)
                #expect(app.tree == tree)
            }
        }

        @Test("if a tree window is shown in another UIKit window, its view controllers move there")
        func otherWindow() throws {
            let app = try AppFixture().start()
            app.put("sheet", try app.page(2))
            app.device.run(for: 1)
            let window = UIWindow()
            app.host.show("main", in: window)
            app.windows["main"] = window
            rest(app)
            #expect(app.window.rootViewController == nil)
        }

        @Test(
            "if a UIKit window is shown under a second name, the app must open a window for the first name"
        )
        func twoNames() throws {
            let app = try AppFixture().start()
            var asked: [String] = []
            app.host.openWindow = { asked.append($0) }
            app.router.openWindow("second", try app.page(1))
            app.host.show("second", in: app.window)
            app.device.run(for: 1)
            #expect(asked == ["second", "main"])
            app.windows = ["main": UIWindow(), "second": app.window]
            app.host.show("main", in: try #require(app.windows["main"]))
            rest(app)
            #expect(app.tree == "nav[Page(id=0)]")
        }

        @Test("a foreign screen that the app itself reports does not prevent showing other screens")
        func reportedByHand() throws {
            let app = try AppFixture().start()
            app.router.report(.presented(foreign: "Camera", over: try #require(app.screen(0))))
            app.device.run(for: 1)
            let push = app.put("push", try app.page(1))
            app.device.run(for: 1)
            #expect(push.status.name == "done")
            #expect(app.tree == "nav[Page(id=0), Page(id=1)] ^ Camera:foreign")
        }

        @Test(
            "a view controller with the name of a script class stays foreign if the scripts did not create it"
        )
        func declaredName() throws {
            let app = try AppFixture("router.class('UIAlertController', {})\n" + AppFixture.script)
                .start()
            let alert = UIAlertController()
            app.nav?.present(alert, animated: true)
            rest(app)
            #expect(app.tree == "nav[Page(id=0)] ^ foreign")
            let lines = app.lines.filter {
                $0.hasPrefix("the app shows 'UIAlertController' without the router")
            }
            #expect(lines.count == 1)
        }

        @Test("the list behind the More tab stays open when nothing changes")
        func more() throws {
            let app = try AppFixture()
            app.host.screens["tabs"] = { _ in MoreTabs() }
            app.router.start()
            try app.show("tabs[*nav[Page(id=1)], nav[Page(id=2)]]")
            let tabs = try #require(app.tabs as? MoreTabs)
            app.device.perform { tabs.showsMore = true }
            app.device.run(for: 2)
            #expect(tabs.showsMore)
            app.router.select(2)
            app.device.run(for: 2)
            #expect(app.differences == [])
        }

        @Test("a view controller can look up its screen while the host moves the view controller")
        func asks() throws {
            let app = try AppFixture()
            app.host.screens["nav"] = { [host = app.host] _ in
                let stack = AskingStack()
                stack.host = host
                return stack
            }
            app.router.start()
            for tree in ShowingTests.trees + ["nav[nav[Page(id=1)]]", "Page(id=2)"] {
                try app.show(tree)
                rest(app)
            }
        }

        @Test("a custom presentation style that the app sets is preserved")
        func customPresentation() throws {
            let app = try AppFixture().start()
            app.host.screens["Card"] = { _ in
                let card = UIViewController()
                card.modalPresentationStyle = .custom
                card.isModalInPresentation = true
                return card
            }
            let card = try app.router.screen("Card")
            app.put("present", card)
            app.run(for: 1)
            let controller = app.host.controller(of: card)
            #expect(controller?.modalPresentationStyle == .custom)
            #expect(controller?.isModalInPresentation == true)
        }

        @Test("a tree that cannot be shown is logged once")
        func loggedOnce() throws {
            let app = try AppFixture().start()
            try app.router.setTree(TreeNotation("nav[Page(id=1), Nowhere]"))
            app.run(for: 5)
            let message =
                "the host does not show the tree: 'screens' of the host has no view controller for 'Nowhere'"
            #expect(app.lines.filter { $0.hasPrefix(message) }.count == 1)
        }

        @Test("a router that is shut down is released together with its host")
        func shutDown() throws {
            weak var host: UIKitHost?
            weak var router: Router?
            do {
                let app = try AppFixture().start()
                app.host.follow(app.router)
                app.host.follow(app.router)
                // Closures that hold the host.
                app.host.screens["Own"] = { [host = app.host] in
                    try host.screens["Page"]?($0) ?? .init()
                }
                app.host.onTask = { [host = app.host] _ in host.screens = [:] }
                (host, router) = (app.host, app.router)
                app.router.shutDown()
                app.device.run(for: 1)
            }
            Device.restart()
            #expect(host == nil)
            #expect(router == nil)
        }
    }
}
