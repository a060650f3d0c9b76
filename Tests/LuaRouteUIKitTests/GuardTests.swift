// SPDX-License-Identifier: MIT

import LuaRouteUIKit
import LuaRouting
import Testing
@_spi(Person) import UIKitStandin

extension HostTests {
    /// Tests that guards apply to gestures of the user.
    @MainActor
    struct GuardTests {
        private static let script =
            AppFixture.script + """

                router.class("Page", {
                  dismissible = function() return router.state.word ~= "never" end,
                  guarded = function() return router.state.word == "asks" or router.state.word == "goes" end,
                  leaving = function(nav)
                    router.log.info("asked by a " .. nav.origin)
                    if router.state.word ~= "goes" then router.stop "unsaved" end
                  end,
                })
                """

        @Test(
            "an alert of the app asks before a draft is discarded, and is dismissed after a timeout"
        )
        func alert() throws {
            let app = try AppFixture(
                """
                router.expects { tasks = { "Alert/ask" } }
                router.start(function() return router.nav { router.screen "Page" } end)
                router.class("Draft", {
                  leaving = function()
                    local _, alert = router.doTask("Alert", "ask", { title = "Discard the draft?" })
                    local isAnswered, mayDiscard = alert:await()
                    if not (isAnswered and mayDiscard) then router.stop "the draft is kept" end
                  end,
                })
                router.register("Draft", "show", { build = router.screen "Draft", via = "push" })
                """
            )
            app.host.screens["Draft"] = { _ in PageController() }
            app.router.start()
            app.run(for: 1)
            DocumentationExamples.asking(app.host, over: try #require(app.nav))
            app.router.go(Target("Draft", "show"))
            app.run(for: 1)
            let draft = "nav[Page, Draft]"

            func code(_ navigation: Navigation) -> RouteError.Code? {
                guard case .failed(let error) = navigation.status else { return nil }
                return error.code
            }
            func ask() throws -> (Navigation, UIAlertController) {
                let back = app.router.back { _ in }
                app.run(for: 1)
                #expect(app.tree == draft + " ^ UIAlertController:foreign")
                return (back, try #require(app.nav?.presentedViewController as? UIAlertController))
            }
            let (late, timedOut) = try ask()
            #expect(timedOut.title == "Discard the draft?")
            app.run(for: 31)
            #expect(code(late) == .timeout)
            #expect(app.tree == draft)

            let (kept, first) = try ask()
            app.device.perform { first.tap("Keep") }
            app.run(for: 2)
            #expect(code(kept) == .stopped)
            #expect(app.tree == draft)

            let (discarded, second) = try ask()
            app.device.perform { second.tap("Discard") }
            app.run(for: 2)
            #expect(discarded.status.name == "done")
            #expect(app.tree == "nav[Page]")
            #expect(app.differences == [])
            #expect(app.device.exceptions == [])
        }

        /// An action of the user that would remove page 3.
        struct Act: CustomTestStringConvertible, Sendable {
            let testDescription: String
            let tree: String
            let after: String
            let act: @MainActor @Sendable (AppFixture) -> Void

            init(
                _ name: String,
                _ tree: String,
                _ after: String,
                _ act: @escaping @MainActor @Sendable (AppFixture) -> Void
            ) {
                (testDescription, self.tree, self.after, self.act) = (name, tree, after, act)
            }
        }

        nonisolated private static let stack = "nav[Page(id=1), Page(id=3)]"
        nonisolated private static let sheet = "nav[Page(id=1)] ^ nav[Page(id=3)]"

        nonisolated static let acts =
            [
                Act("swipe", stack, "nav[Page(id=1)]") { $0.nav?.swipeBack() },
                Act("swipe in the content", stack, "nav[Page(id=1)]") {
                    $0.nav?.swipeBack(inContent: true)
                },
                Act("back button", stack, "nav[Page(id=1)]") { $0.nav?.tapBack() },
                Act("box", "nav[Page(id=1), nav[Page(id=3)]]", "nav[Page(id=1)]") {
                    $0.nav?.tapBack()
                },
                Act("pull", sheet, "nav[Page(id=1)]") {
                    $0.nav?.presentedViewController?.pullDown()
                },
                Act(
                    "tab",
                    "tabs[*nav[Page(id=1), Page(id=3)], nav[]]",
                    "tabs[*nav[Page(id=1)], nav[]]"
                ) { $0.tabs?.tap(0) },
            ]
            + ["Page(id=3)", "nav[Page(id=3)]"].map { detail in
                Act(
                    "detail \(detail)",
                    "split[nav[Page(id=1)], \(detail)]",
                    "split[nav[Page(id=1)]]"
                ) {
                    app in
                    app.device.perform { app.split?.turn(collapsed: true) }
                    app.run(for: 1)
                    app.nav?.tapBack()
                }
            }

        private func app(_ tree: String, _ word: String) throws -> AppFixture {
            let app = try AppFixture(Self.script).start()
            let isSheet = tree == Self.sheet
            try app.show(isSheet ? "nav[Page(id=1)]" : tree)
            if isSheet { app.put("sheet", try app.router.nav([try app.page(3)])) }
            set(word, app)
            return app
        }

        private func set(_ word: String, _ app: AppFixture) {
            try? app.router.setState("word", to: Value(word))
            app.run(for: 1)
        }

        private func rest(
            _ app: AppFixture,
            _ tree: String,
            at location: SourceLocation = #_sourceLocation
        ) {
            app.run(for: 2)
            #expect(app.tree == tree, sourceLocation: location)
            #expect(app.differences == [], sourceLocation: location)
            #expect(app.device.exceptions == [], sourceLocation: location)
        }

        @Test(
            "a guarded screen stays on screen when the user goes back, and its 'leaving' is called",
            arguments: acts
        )
        func guarded(_ act: Act) throws {
            let app = try app(act.tree, "asks")
            // The gesture in the content does not begin at all.
            let asks = act.testDescription != "swipe in the content"
            for (word, after, count) in [
                ("asks", act.tree, 1), ("never", act.tree, 0), ("goes", act.after, 1),
            ] where asks || word != "goes" {
                set(word, app)
                let lines = app.lines.count
                app.device.perform { act.act(app) }
                rest(app, after)
                let expected = Array(repeating: "asked by a person", count: asks ? count : 0)
                #expect(Array(app.lines.dropFirst(lines)) == expected, "\(word)")
            }
        }

        @Test(
            "the back gesture removes a screen that is no longer guarded",
            arguments: acts
        )
        func free(_ act: Act) throws {
            let app = try app(act.tree, "asks")
            set("free", app)
            app.device.perform { act.act(app) }
            rest(app, act.after)
            #expect(app.lines == [])
        }
    }
}
