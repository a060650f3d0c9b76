// SPDX-License-Identifier: MIT

import Foundation
import ScenarioKit
import TestSupport
import Testing

/// The article about the words of scenario files, which is generated from the parser's table.
struct VocabularyArticleTests {
    private static let file =
        packageFolder
        .appending(path: "Sources/ScenarioKit/Documentation.docc/Vocabulary.md")

    private func table<Made>(_ title: String, _ forms: [Vocabulary.Form<Made>]) -> String {
        let rows = forms.map {
            "| `\($0.signature.replacing("|", with: "\\|"))` | \($0.help) |"
        }
        return
            "## \(title)\n\n| form | meaning |\n| --- | --- |\n\(rows.joined(separator: "\n"))\n"
    }

    @Test("the article contains every word of scenario files")
    func article() throws {
        let text = """
            # The words of scenario files

            Every block, step and expectation of a `*.scenario` file.

            \(table("Blocks", Vocabulary.blocks))
            \(table("Steps", Vocabulary.steps))
            \(table("Expectations", Vocabulary.conditions))
            """
        try expectGolden(text, Self.file)
    }
}
