// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting
import TestSupport

@testable import PodcastTerminal

/// The app without a terminal.
@MainActor
struct AppFixture {
    let app: PodcastApp

    /// Starts the app with an example.
    init(_ example: String) throws {
        let path = packageFolder.appending(path: "scripts/\(example)").path()
        app = try PodcastApp(scripts: ScriptBundle(path: path), isRecorded: true)
    }

    /// Starts the app with a script.
    init(script: String) throws {
        app = try PodcastApp(scripts: ScriptBundle(files: ["main.lua": script]))
    }

    /// Presses keys, which are given as characters and as `⏎ ⎋ ↑ ↓ ← →`.
    @discardableResult
    func press(_ keys: String) -> Bool {
        let named: [Unicode.Scalar: Key] = [
            "⏎": .enter, "⎋": .escape, "↑": .up, "↓": .down, "←": .left, "→": .right,
        ]
        return keys.unicodeScalars.allSatisfy { app.press(named[$0] ?? .text($0)) }
    }

    /// Returns the text on screen.
    func text(width: Int = 72, height: Int = 16) -> String {
        app.lines(width: width, height: height).joined(separator: "\n")
    }

    /// Returns whether the screen contains a text, which may be wrapped.
    func shows(_ text: String) -> Bool {
        let words = self.text().split { $0 == " " || $0 == "\n" }.joined(separator: " ")
        return self.text().contains(text) || words.contains(text)
    }
}
