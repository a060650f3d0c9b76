// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting
import ScenarioKit
import TestSupport
import Testing

@testable import PodcastTerminal

/// Tests of writing sessions as scenarios.
@MainActor
struct RecordingTests {
    /// A generator of random numbers that are the same in each run.
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }

    private static let keys = [
        "⏎", "⏎", "⏎", "↑", "↓", "↓", "←", "→", "h", "h", "1", "2", "n", "w", "x", "r", "⏎ann⏎",
        ":/shows/2⏎", ":podcast://player/21⏎", ":/nothing⏎",
    ]

    @Test("a session of random keys can be saved as a scenario that passes", arguments: 1...20)
    func sessions(_ seed: UInt64) throws {
        let example = seed.isMultiple(of: 2) ? "podcast" : "shapes"
        let fixture = try AppFixture(example)
        var numbers = Numbers(state: seed)
        var keys = ""
        for _ in 0..<60 {
            let key = Self.keys.randomElement(using: &numbers) ?? ""
            keys += key
            fixture.press(key)
            _ = fixture.text(width: 70, height: 12)
        }
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/session.scenario"
        let end = try #require(fixture.app.recording).save(to: path, fixture.app.router.bundle)
        let text = try folder.read("session.scenario")
        #expect(end.code == .success, "\(keys)\n\(end.message)\(text)")
    }
}
