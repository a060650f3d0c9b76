// SPDX-License-Identifier: MIT

import ScenarioKit
import Testing

struct VocabularyTests {
    @Test("each word exists once, and is short enough for its table")
    func words() {
        for words in [
            Vocabulary.steps.map(\.word) + Vocabulary.structure.map(\.word)
                + Vocabulary.exploring.map(\.word),
            Vocabulary.conditions.map(\.word),
            Vocabulary.blocks.map(\.word),
        ] {
            #expect(Set(words).count == words.count)
            #expect(words.allSatisfy { (1...16).contains($0.utf8.count) })
        }
    }

    @Test("each entry has a help text in the same style")
    func help() {
        let texts =
            Vocabulary.steps.map(\.help) + Vocabulary.conditions.map(\.help)
            + Vocabulary.structure.map(\.help) + Vocabulary.blocks.map(\.help)
            + Vocabulary.exploring.map(\.help)
        for text in texts {
            #expect(!text.isEmpty && !text.hasSuffix("."))
            #expect(text.first?.isLowercase == true)
        }
    }
}
