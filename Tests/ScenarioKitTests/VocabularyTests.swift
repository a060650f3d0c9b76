// SPDX-License-Identifier: MIT

import ScenarioKit
import Testing

struct VocabularyTests {
    @Test("each word occurs once, and has at most 16 bytes")
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

    @Test("each help text begins with a lower-case letter and has no full stop")
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
