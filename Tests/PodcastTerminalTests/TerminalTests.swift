// SPDX-License-Identifier: MIT

import Foundation
import ScenarioKit
import TestSupport
import Testing

/// Tests of the app as a program, in a terminal and without one.
@Suite(.enabled(if: TerminalSession.isPossible, "tmux is missing: no terminal to run the app in"))
struct TerminalTests {
    @Test("keys navigate from the list to a show, to the player and back")
    func keys() throws {
        let session = try TerminalSession()
        try session.wait(for: "▸ Morning Trains")
        try session.press("Down")
        try session.wait(for: "▸ The Long Cable")
        try session.press("Enter")
        try session.wait(for: "‹ Podcasts │ The Long Cable")
        try session.press("Enter")
        try session.wait(for: "▶ Episode 1 of The Long Cable")
        try session.press("h")
        try session.wait(for: "▸ Episode 1", without: "▶")
        try session.press("Escape")
        try session.wait(for: "▸ The Long Cable")
        try session.type(":podcast://player/31")
        try session.wait(for: "Link: podcast://player/31█")
        try session.press("Enter")
        try session.wait(for: "▶ Episode 1 of 夜の電車")
        try session.press("q")
        try session.wait(for: "ended 0", without: "Podcasts")
    }

    @Test("a navigation waits for the login, and continues after the login")
    func login() throws {
        let session = try TerminalSession("shapes")
        try session.wait(for: "▸ Back/show")
        try session.press("Down", "Down", "Down", "Down", "Enter")
        try session.wait(for: "▸ Log in")
        try session.press("Escape")
        try session.wait(for: "nobody is logged in")
        try session.press("Enter")
        try session.wait(for: "▸ Log in")
        try session.press("Enter")
        try session.wait(for: "Name: █")
        try session.type("ann")
        try session.press("Enter")
        try session.wait(for: "│CityDetail")
    }

    @Test("two windows and their tabs adapt when the terminal is resized")
    func windows() throws {
        let session = try TerminalSession("shapes")
        try session.wait(for: "▸ Back/show")
        try session.press("Down", "Down", "Enter")
        try session.wait(for: "[1 Circle]  2 Square")
        try session.press("2")
        try session.wait(for: " 1 Circle  [2 Square]")
        try session.press("n")
        try session.wait(for: "▶ window2")
        try session.resize(width: 40, height: 10)
        try session.wait(for: "▶ window2", without: "2 Square")
        try session.resize(width: 1, height: 1)
        try session.resize(width: 120, height: 9)
        try session.wait(for: "[2 Square]")
        try session.press("w", "x")
        try session.wait(for: "window2", without: "▶")
        try session.press("C-c")
        try session.wait(for: "ended 0")
    }

    @Test("scripts are edited while the app runs, and the session becomes a scenario that passes")
    func reload() throws {
        let session = try TerminalSession("podcast", "--record session.scenario")
        try session.wait(for: "▸ Morning Trains")
        let main = try session.folder.read("scripts/main.lua")
        try session.folder.write(
            "scripts/main.lua",
            "router.register('News', 'show', { url = '/news', build = router.screen 'News' })\n"
                + main
        )
        try session.wait(for: "✔ accepted generation 2: added News/show")
        try session.wait(for: "  News/show")
        try session.folder.write("scripts/shows.lua", "if")
        try session.wait(for: "✘ rejected: shows.lua:1: ")
        try session.type(":/news")
        try session.press("Enter")
        try session.wait(for: "‹ Podcasts │ News")
        let shows = packageFolder.appending(path: "scripts/podcast/shows.lua")
        try session.folder.write("scripts/shows.lua", String(contentsOf: shows, encoding: .utf8))
        try session.wait(for: "News", without: "✘")
        try session.press("h")
        try session.wait(for: "▸ Morning Trains")
        try session.press("n")
        try session.wait(for: "▶ window2")
        try session.press("Enter")
        try session.wait(for: "▸ Episode 1")
        try session.press("x")
        try session.wait(for: "▸ Morning Trains", without: "window2")
        try session.press("q")
        try session.wait(for: "luaroute run session.scenario passes")
        try session.wait(for: "ended 0")
        let path = "\(session.folder.path)/session.scenario"
        var output = ""
        let report = RunCommand(paths: [path]).run(
            Console { output += $0 }
        )
        #expect(report.exitCode == .success, "\(output)")
        let scenario = try session.folder.read("session.scenario")
        #expect(scenario.contains("  open \"/news\" origin external\n"))
        #expect(scenario.contains("  navigate ShowPage/open(showId=1) with (window=\"window2\")\n"))
    }
}

/// Tests of the program without a terminal.
struct LaunchTests {
    @Test(
        "a missing requirement ends the program with a message before the screen is drawn",
        arguments: [
            ("scripts/podcast", 64, "error: the standard input and output must be a terminal"),
            ("scripts/podcast --record scripts", 74, "'scripts' cannot be written: Is a directory"),
            ("scripts/podcast --record no/x", 74, "'no/x' cannot be written: No such file"),
            ("scripts/podcats", 66, "scripts/podcats"),
            ("README.md", 3, "error: README.md:1: "),
            ("--no", 64, "unknown option '--no'"),
            ("--help", 0, "usage: scripts/terminal"),
        ]
    )
    func ends(_ arguments: String, _ code: Int, _ message: String) throws {
        let app = builtProduct("PodcastTerminal").path()
        let line = "cd '\(packageFolder.path())'; '\(app)' \(arguments) 2>&1; echo code $?"
        let output = try TerminalSession.run(["sh", "-c", line])
        #expect(output.contains(message))
        #expect(output.hasSuffix("code \(code)\n"), "\(output)")
        #expect(!output.contains("\u{1B}"))
    }
}
