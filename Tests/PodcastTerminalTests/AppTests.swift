// SPDX-License-Identifier: MIT

import LuaRouting
import Testing

@testable import PodcastTerminal

/// Tests of the screens that keys lead to, without a terminal.
@MainActor
struct AppTests {
    /// Pressed keys, a text that is then on screen, and the tree of the window.
    struct Session: Sendable, CustomTestStringConvertible {
        let example: String
        let keys: String
        let text: String
        let tree: String

        init(_ keys: String, _ text: String, _ tree: String, of example: String = "podcast") {
            (self.example, self.keys, self.text, self.tree) = (example, keys, text, tree)
        }

        var testDescription: String { "\(example): \(keys)" }
    }

    @Test(
        "each key navigates to the screen shown for that key",
        arguments: [
            Session("", "▸ Morning Trains", "nav[MainPage]"),
            Session("↓↑↑↓⏎", "‹ Podcasts │ The Long Cable", "nav[MainPage, ShowPage(showId=2)]"),
            Session(
                "⏎↓⏎",
                "Episode 2 of",
                "nav[MainPage, ShowPage(showId=1), AudioPlayer(trackId=12)]"
            ),
            Session("⏎↓⏎⎋", "▸ Episode 2", "nav[MainPage, ShowPage(showId=1)]"),
            Session("⏎hh", "there is nothing to go back to", "nav[MainPage]"),
            Session("↓↓↓↓⏎", "│──┌─", "nav[MainPage] ^ nav[AudioPlayer(trackId=11)]"),
            Session("↓↓↓↓⏎h", "▸ Player", "nav[MainPage]"),
            Session(":/shows/3⏎", "│ 夜の電車", "nav[MainPage, ShowPage(showId=3)]"),
            Session(":/shows/3⎋", "▸ Morning", "nav[MainPage]"),
            Session(":", "Link: █", "nav[MainPage]"),
            Session("o/shoes/3⏎", "no route for URL '/shoes/3'", "nav[MainPage]"),
            Session("9", "(typeMismatch)", "nav[MainPage]"),
            Session("x", "(composition)", "nav[MainPage]"),
            Session("↓↓↓↓↓⏎", "cannot be built from this info", "nav[MainPage]"),
            Session("↓↓⏎", "[1 Circle]  2 Square", "tabs[*nav[Circle], Square]", of: "shapes"),
            Session("↓↓⏎2", " 1 Circle  [2 Square]", "tabs[nav[Circle], *Square]", of: "shapes"),
            Session("↓↓⏎21", "[1 Circle]", "tabs[*nav[Circle], Square]", of: "shapes"),
        ]
    )
    func keys(_ session: Session) throws {
        let fixture = try AppFixture(session.example)
        #expect(fixture.press(session.keys))
        #expect(fixture.shows(session.text), "\(fixture.text())")
        #expect(fixture.app.router.treeNotation() == session.tree)
    }

    @Test(
        "guarded pages ask before they close, and selecting the current tab again pops its stack",
        arguments: [
            ("1", "tabs[*nav[A], nav[A, Draft], nav[A, Locked]]", nil),
            ("11", "tabs[*nav[A], nav[A, Draft], nav[A, Locked]]", nil),
            ("2h", "tabs[nav[A, B], *nav[A, Draft], nav[A, Locked]]", "unsaved"),
            ("22", "tabs[nav[A, B], *nav[A, Draft], nav[A, Locked]]", "unsaved"),
            ("3h", "tabs[nav[A, B], nav[A, Draft], *nav[A, Locked]]", nil),
            ("33", "tabs[nav[A, B], nav[A, Draft], *nav[A, Locked]]", nil),
        ] as [(String, String, String?)]
    )
    func guards(keys: String, tree: String, text: String?) throws {
        let fixture = try AppFixture(
            script: """
                local nav, screen = router.nav, router.screen
                router.class("Draft", { leaving = function() router.stop "unsaved" end })
                router.class("Locked", { dismissible = false })
                router.start(function()
                  return router.tabs {
                    nav { screen "A", screen "B" }, nav { screen "A", screen "Draft" },
                    nav { screen "A", screen "Locked" },
                  }
                end)
                """
        )
        fixture.press(keys)
        #expect(fixture.app.router.treeNotation() == tree)
        if let text { #expect(fixture.shows(text), "\(fixture.text())") }
    }

    @Test(
        "an order waits until the user has logged in",
        arguments: [
            ("⏎ann⏎", "User: ann", "nav[MainPage, OrderPage(order=\"A7\", price=12.5)]"),
            ("↓⏎", "▸ Order A7", "nav[MainPage]"),
            ("h", "▸ Order A7", "nav[MainPage]"),
            ("⏎ann⎋", "▸ Log in", "nav[MainPage] ^ nav[LoginPage]"),
        ]
    )
    func login(_ keys: String, _ text: String, _ tree: String) throws {
        let fixture = try AppFixture("podcast")
        fixture.press("↓↓↓↓↓↓⏎")
        #expect(fixture.app.router.treeNotation() == "nav[MainPage] ^ nav[LoginPage]")
        fixture.press(keys)
        #expect(fixture.text().contains(text), "\(fixture.text())")
        #expect(fixture.app.router.treeNotation() == tree)
    }

    @Test(
        "a navigation whose interceptor shows a login continues after the login, and stops if the login is left",
        arguments: [
            ("⏎ann⏎", "│CityDetail", "split[nav[Cities], CityDetail]"),
            ("h", "nobody is logged in", "Prompt"),
        ]
    )
    func interceptor(_ keys: String, _ text: String, _ tree: String) throws {
        let fixture = try AppFixture("shapes")
        fixture.press("↓↓↓↓⏎")
        #expect(fixture.app.router.treeNotation() == "Prompt ^ nav[Login]")
        fixture.press(keys)
        #expect(fixture.text().contains(text), "\(fixture.text())")
        #expect(fixture.app.router.treeNotation() == tree)
    }

    @Test("the left and right arrows select the pane of a split that receives the keys")
    func focus() throws {
        let fixture = try AppFixture("shapes")
        fixture.press("↓↓↓↓⏎⏎ann⏎")
        #expect(fixture.text().contains("│▸ Back/show"))
        fixture.press("←↓")
        let line = try #require(fixture.text().split(separator: "\n").first { $0.contains("▸") })
        #expect(line.hasPrefix("│▸ Box/show"))
    }

    @Test(
        "two windows are shown side by side, or only the current window if the terminal is narrow"
    )
    func windows() throws {
        let fixture = try AppFixture("podcast")
        fixture.press("n⏎")
        #expect(fixture.app.router.treeNotation() == "nav[MainPage]")
        #expect(
            fixture.app.router.treeNotation(window: "window2")
                == "nav[MainPage, ShowPage(showId=1)]"
        )
        #expect(fixture.text().contains("─ main ─"))
        #expect(fixture.text().contains("─ ▶ window2 ─"))
        #expect(!fixture.text(width: 50).contains("─ main ─"))
        fixture.press("w")
        #expect(fixture.text(width: 50).contains("─ ▶ main ─"))
        fixture.press("wx")
        #expect(!fixture.text().contains("window2"))
        #expect(fixture.press("⏎h"))
        #expect(!fixture.press("q"))
    }

    @Test("a window in which a task shows a screen receives the keys")
    func otherWindow() throws {
        let fixture = try AppFixture("podcast")
        fixture.press("n↓↓↓↓↓↓⏎")
        #expect(fixture.text().contains("─ ▶ main ─"))
        fixture.press("⏎ann⏎")
        #expect(fixture.text().contains("User: ann"))
    }

    @Test("a reload is reported below the windows, with the reason if the reload is rejected")
    func reload() throws {
        let script = #"""
            local screen = router.screen
            router.start(function() return router.nav { screen "MainPage" } end)
            """#
        let fixture = try AppFixture(script: script)
        let news = #"router.register("News", "show", { build = screen "News" })"#
        fixture.app.router.reload(ScriptBundle(files: ["main.lua": script + "\n" + news]))
        #expect(fixture.text().contains("✔ accepted generation 2: added News/show"))
        #expect(fixture.text(height: 20).contains("  News/show"))
        fixture.app.router.reload(ScriptBundle(files: ["main.lua": "if"]))
        #expect(fixture.text().contains("✘ rejected: main.lua:1: "))
        #expect(fixture.shows("; generation 2 stays active"))
        // The typed text is visible in a small terminal too.
        fixture.press(":/x")
        #expect(fixture.text(width: 30, height: 4).contains("Link: /x█"))
        fixture.press("⎋")
        // The message remains while the app goes on.
        fixture.press("↓↓↓↓↓↓↓⏎")
        #expect(fixture.text().contains("✘ rejected"))
        #expect(fixture.app.router.treeNotation() == "nav[MainPage, News]")
    }

    @Test("scripts without a first screen can be replaced by a reload")
    func firstScreen() throws {
        let fixture = try AppFixture(script: "router.export('nothing', function() end)")
        #expect(fixture.text().contains("router.start"))
        fixture.press("⏎h1nx↓→w:/x⏎")
        let script = "router.start(function() return router.screen 'Home' end)"
        fixture.app.router.reload(ScriptBundle(files: ["main.lua": script]))
        fixture.press("r")
        #expect(fixture.text().contains("Home"), "\(fixture.text())")
    }
}
