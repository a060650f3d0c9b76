// SPDX-License-Identifier: MIT

import Foundation
import LuaRouteUIKit
import LuaRouting
import Testing
@_spi(Person) import UIKitStandin

extension HostTests {
    /// Tests of the functions for scenes, deep links and restoration.
    @MainActor
    struct SceneTests {
        private static let script = """
            router.class("Page", { fields = { "id" } })
            router.start(function() return router.nav { router.screen("Page", { id = 0 }) } end)
            router.register("Page", "show", {
              url = { "/pages/:id(int)", "https://example.com/pages/:id(int)" },
              info = { id = "integer" },
              find = { class = "Page", by = "id" }, build = router.screen "Page", via = "push",
            })
            """

        private func app() throws -> AppFixture { try AppFixture(Self.script) }

        private func connect(
            _ app: AppFixture,
            _ options: UIScene.ConnectionOptions = .init(),
            restoring activity: UIKitStandin.NSUserActivity? = nil
        ) throws {
            let session = UISceneSession()
            session.stateRestorationActivity = activity
            let window = try #require(
                app.host.connect(UIWindowScene(), to: session, options: options)
            )
            app.windows["main"] = window
            app.device.run(for: 2)
            #expect(app.differences == [])
            #expect(app.device.exceptions == [])
        }

        @Test("the first scene starts the router, and opens the link that launched the app")
        func start() throws {
            let app = try app()
            let url = try #require(URL(string: "https://example.com/pages/7"))
            try connect(app, .init(urlContexts: [UIOpenURLContext(url: url)]))
            #expect(app.tree == "nav[Page(id=0), Page(id=7)]")
        }

        @Test(
            "a failed start is reported with its window, and later scripts can start the router again"
        )
        func failedStart() throws {
            let app = try AppFixture("router.start(function() error 'no tabs' end)")
            let sorry = LegacyController()
            var reasons: [String?] = []
            app.windows["main"] = app.host.connect(
                UIWindowScene(),
                to: UISceneSession(),
                options: .init()
            ) { window, error in
                reasons.append(error?.message)
                window.rootViewController = sorry
            }
            app.run(for: 10)
            #expect(reasons == ["no tabs"])
            #expect(app.windows["main"]?.rootViewController === sorry)
            #expect(app.lines == [])

            app.router.reload(ScriptBundle(files: ["main.lua": Self.script]))
            app.run(for: 1)
            #expect(app.tree == "nav[Page(id=0)]")
            #expect(app.differences == [])
            #expect(app.device.exceptions == [])
            #expect(reasons.count == 1)
        }

        @Test("a failed start is logged if the app has not set a closure for errors")
        func unheardStart() throws {
            let app = try AppFixture("router.start(function() error 'no tabs' end)")
            _ = app.host.connect(UIWindowScene(), to: UISceneSession(), options: .init())
            app.run(for: 10)
            #expect(app.lines == ["'start' failed (script): no tabs"])
        }

        @Test("the first scene is reported as restored or started, but further scenes are not")
        func started() throws {
            let app = try app()
            var ends: [String] = []
            for name in ["main", "second"] {
                app.windows[name] = app.host.connect(
                    UIWindowScene(),
                    to: UISceneSession(),
                    options: .init(),
                    as: name,
                    opening: try TreeNotation("nav[Page(id=1)]")
                ) { ends.append($1?.message ?? "done") }
                app.device.run(for: 2)
            }
            #expect(ends == ["done"])
            let next = try self.app()
            let session = UISceneSession()
            session.stateRestorationActivity = app.host.restorationActivity()
            _ = next.host.connect(UIWindowScene(), to: session, options: .init()) {
                ends.append("restored \($1?.message ?? "")")
            }
            next.device.run(for: 2)
            #expect(ends == ["done", "restored "])
        }

        @Test("if the app never starts the router, the log names the calls that start it")
        func unstarted() throws {
            let app = try app()
            app.run(for: 2.5)
            #expect(app.lines == [])
            app.run(for: 10)
            #expect(
                app.lines == [
                    "nothing is on screen: the host has not started the router (call 'connect' or 'adopt' of the host, or 'start' of the router)"
                ]
            )
        }

        @Test("connecting a scene to a host without a router stops the program with a message")
        func unfollowed() async {
            let result = await #expect(
                processExitsWith: .failure,
                observing: [\.standardErrorContent]
            ) { @MainActor in
                _ = UIKitHost().connect(UIWindowScene(), to: UISceneSession(), options: .init())
            }
            let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(text.contains("call 'follow' with the router before 'connect'"))
        }

        @Test("a universal link is opened, and any other user activity is not")
        func universalLink() throws {
            let app = try app()
            try connect(app)
            let activity = UIKitStandin.NSUserActivity(activityType: NSUserActivityTypeBrowsingWeb)
            activity.webpageURL = URL(string: "https://example.com/pages/8")
            #expect(app.host.continue(activity))
            #expect(!app.host.continue(.init(activityType: "other")))
            let old = try #require(URL(string: "https://example.com/old"))
            let page = try #require(URL(string: "/pages/8"))
            #expect(!app.host.open([UIOpenURLContext(url: old)]))
            #expect(!app.host.open(UIScene.ConnectionOptions()))
            #expect(!app.host.open(.init(urlContexts: [UIOpenURLContext(url: old)])))
            #expect(
                app.host.open(.init(urlContexts: [.init(url: old), .init(url: page)]))
            )
            #expect(
                !app.host.open(UNNotificationResponse(userInfo: ["url": "https://example.com/old"]))
            )
            #expect(!app.host.open(UNNotificationResponse(userInfo: [:])))
            #expect(app.lines.last?.hasPrefix("the notification has no link (add 'url'") == true)
            app.device.run(for: 1)
            #expect(app.tree == "nav[Page(id=0), Page(id=8)]")
            #expect(app.differences == [])
        }

        @Test("the scene opens the link of a tapped notification or of a shortcut item")
        func notification() throws {
            let link: [String: Any] = ["url": "/pages/7"]
            let tapped = UNNotificationResponse(userInfo: link)
            let first = try app()
            try connect(first, .init(notificationResponse: tapped))
            #expect(first.tree == "nav[Page(id=0), Page(id=7)]")
            let second = try app()
            let item = UIApplicationShortcutItem(type: "page", userInfo: link)
            try connect(second, .init(shortcutItem: item))
            #expect(second.tree == "nav[Page(id=0), Page(id=7)]")
            #expect(!second.host.open(UIApplicationShortcutItem(type: "other")))
            // An action of the notification is the app's.
            #expect(
                !second.host.open(UNNotificationResponse(userInfo: link, actionIdentifier: "later"))
            )
            second.host.notificationLink = { $0.actionIdentifier == "later" ? "/pages/8" : nil }
            #expect(
                second.host.open(UNNotificationResponse(userInfo: [:], actionIdentifier: "later"))
            )
            second.device.run(for: 1)
            #expect(second.tree == "nav[Page(id=0), Page(id=7), Page(id=8)]")
        }

        @Test(
            "the screens of a session are restored; without saved screens, the router starts normally"
        )
        func restoration() throws {
            let first = try app()
            #expect(first.host.restorationActivity() == nil)
            try connect(first)
            first.router.open("/pages/9")
            first.device.run(for: 1)
            let activity = try #require(first.host.restorationActivity())

            let second = try app()
            try connect(second, restoring: activity)
            #expect(second.tree == "nav[Page(id=0), Page(id=9)]")

            activity.userInfo = ["snapshot": "{}"]
            let third = try app()
            try connect(third, restoring: activity)
            #expect(third.tree == "nav[Page(id=0)]")
            let message =
                "the screens of the session cannot be restored, so the router starts without them: "
            #expect(third.lines.map { $0.hasPrefix(message) } == [true])
        }

        @Test("a window that the system opens and a window that the user closes are reported")
        func windows() throws {
            let app = try app()
            try connect(app)
            let window = try #require(
                app.host.connect(
                    UIWindowScene(),
                    to: UISceneSession(),
                    options: .init(),
                    as: "second",
                    opening: TreeNotation("nav[Page(id=1)]")
                )
            )
            app.windows["second"] = window
            app.device.run(for: 1)
            #expect(app.router.tree.windows.map(\.name) == ["main", "second"])
            #expect(app.differences == [])
            app.host.windowClosed("second")
            app.windows["second"] = nil
            app.device.run(for: 1)
            #expect(app.router.tree.windows.map(\.name) == ["main"])
            #expect(app.differences == [])
        }

        @Test("a link that opens an additional scene navigates in the window of that scene")
        func linkInWindow() throws {
            let app = try app()
            try connect(app)
            let url = try #require(URL(string: "https://example.com/pages/7"))
            app.windows["second"] = app.host.connect(
                UIWindowScene(),
                to: UISceneSession(),
                options: .init(urlContexts: [UIOpenURLContext(url: url)]),
                as: "second",
                opening: try TreeNotation("nav[Page(id=1)]")
            )
            app.device.run(for: 1)
            #expect(app.tree == "nav[Page(id=0)]")
            #expect(app.router.treeNotation(window: "second") == "nav[Page(id=1), Page(id=7)]")
            #expect(app.differences == [])
        }

        @Test("an additional scene without a window in the tree is logged")
        func emptyWindow() throws {
            let app = try app()
            try connect(app)
            _ = app.host.connect(
                UIWindowScene(),
                to: UISceneSession(),
                options: .init(),
                as: "second"
            )
            #expect(
                app.lines.contains { $0.hasPrefix("the scene of the window 'second' is empty") }
            )
        }

        @Test(
            "after a start failed because there was no window, the router can start in a later window"
        )
        func lateWindow() throws {
            let app = try app()
            app.host.openWindow = nil
            app.host.windowClosed("main")
            app.router.start()
            app.device.run(for: 1)
            #expect(app.router.tree.windows.isEmpty)
            let window = UIWindow()
            app.host.show("main", in: window)
            app.device.run(for: 1)
            app.router.start()
            app.device.run(for: 1)
            app.windows["main"] = window
            #expect(app.tree == "nav[Page(id=0)]")
            #expect(app.differences == [])
        }

        @Test("two windows are restored if both scenes connect, or one if only one scene connects")
        func restoredWindows() throws {
            let first = try app()
            try connect(first)
            first.windows["second"] = first.host.connect(
                UIWindowScene(),
                to: UISceneSession(),
                options: .init(),
                as: "second",
                opening: try TreeNotation("nav[Page(id=1)]")
            )
            first.device.run(for: 1)
            first.router.open("/pages/7")
            first.device.run(for: 1)
            let activity = try #require(first.host.restorationActivity())
            let lost =
                "the window 'second' of the session is not restored, because no scene shows it"
            let asking = try app()
            asking.host.openWindow = { _ in }
            let saved = UISceneSession()
            saved.stateRestorationActivity = activity
            _ = asking.host.connect(UIWindowScene(), to: saved, options: .init())
            asking.run(for: 8)
            #expect(asking.tree == "nav[Page(id=0), Page(id=7)]", "\(asking.lines)")
            #expect(asking.lines == [lost])
            let second = try app()
            second.host.openWindow = nil
            try connect(second, restoring: activity)
            #expect(second.tree == "nav[Page(id=0), Page(id=7)]", "\(second.lines)")
            #expect(second.lines == [lost])
            second.windows["second"] = second.host.connect(
                UIWindowScene(),
                to: UISceneSession(),
                options: .init(),
                as: "second",
                opening: try TreeNotation("nav[Page(id=1)]")
            )
            second.device.run(for: 1)
            #expect(second.router.treeNotation(window: "second") == "nav[Page(id=1)]")
            #expect(second.differences == [])

            let other = try app()
            other.host.openWindow = nil
            other.host.windowClosed("main")
            let session = UISceneSession()
            session.stateRestorationActivity = activity
            other.windows["second"] = other.host.connect(
                UIWindowScene(),
                to: session,
                options: .init(),
                as: "second"
            )
            other.run(for: 5)
            #expect(other.router.tree.windows.map(\.name) == ["second"])
            #expect(other.router.treeNotation(window: "second") == "nav[Page(id=1)]")
        }

        @Test(
            "a root that the app sets directly is replaced by the host, which logs a warning once"
        )
        func replacedRoot() throws {
            let app = try app()
            try connect(app)
            app.windows["main"]?.rootViewController = LegacyController()
            app.device.run(for: 2)
            #expect(app.tree == "nav[Page(id=0)]")
            #expect(app.differences == [])
            let lines = app.lines.filter { $0.contains("as the root of the window 'main'") }
            #expect(lines.count == 1)
            #expect(lines.first?.hasPrefix("the app has set 'LegacyController'") == true)
        }
    }
}
