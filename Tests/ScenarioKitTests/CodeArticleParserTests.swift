// SPDX-License-Identifier: MIT

import Testing

@testable import ScenarioKit

/// Tests of the parser for the Markdown of code articles.
struct CodeArticleParserTests {
    @Test("an article has a title, paragraphs, an example and a remedy")
    func whole() throws {
        let article = try CodeArticle(
            markdown: """
                # L0999: a `title`: with a colon

                The first paragraph
                has `code`.

                The second.

                ## Found in

                ```lua
                local a = 1

                  local b = 2
                ```
                ```contract
                luaroute.contract/1
                ```

                ## Fixed

                ```scenario
                start
                ```

                """
        )
        #expect(article.code == "L0999")
        #expect(article.explanation == "The first paragraph has 'code'.\n\nThe second.")
        #expect(
            article.example == [
                .lua: "local a = 1\n\n  local b = 2", .contract: "luaroute.contract/1",
            ]
        )
        #expect(article.remedy == [.scenario: "start"])
        #expect(
            article.text == """
                L0999: a 'title': with a colon

                The first paragraph has 'code'.

                The second.

                Found in

                    local a = 1

                      local b = 2

                with the app

                    luaroute.contract/1

                Fixed

                    start

                """
        )
    }

    @Test("the examples are optional, and lines may end with CRLF")
    func short() throws {
        let article = try CodeArticle(markdown: "# busy: one\r\n\r\nText.\r\n")
        #expect(article.title == "one")
        #expect(article.explanation == "Text.")
        #expect(article.example == nil)
        #expect(article.remedy == nil)
    }

    static let malformed = [
        ("", "1: '# CODE: title' expected, got ''"),
        ("\n# a: b", "1: '# CODE: title' expected, got ''"),
        ("# a b\n\nText.", "1: '# CODE: title' expected, got '# a b'"),
        ("# a: \n\nText.", "1: '# CODE: title' expected, got '# a: '"),
        ("## a: b\n\nText.", "1: '# CODE: title' expected, got '## a: b'"),
        ("# : b\n\nText.", "1: '# CODE: title' expected, got '# : b'"),
        ("# a: b", "2: a paragraph expected, got the end of the file"),
        ("# a: b\n\n## Fixed", "3: a paragraph expected, got '## Fixed'"),
        ("# a: b\n\nText.\n\n# c: d", "5: a section expected, got '# c: d'"),
        ("# a: b\n\nText.\n```lua\n```", "4: a section expected, got '```lua'"),
        ("# a: b\n\nText.\n\n## Cause\n\nText.", "5: a section expected, got '## Cause'"),
        ("# a: b\n\nText.\n\n## Fixed\n```lua\n```", "5: a section expected, got '## Fixed'"),
        ("# a: b\n\nText.\n\n## Found in\n", "7: a block expected, got the end of the file"),
        ("# a: b\n\nText.\n\n## Found in\n## Fixed", "6: a block expected, got '## Fixed'"),
        ("# a: b\n\nText.\n\n## Found in\n\nText.", "7: a block expected, got 'Text.'"),
        ("# a: b\n\nText.\n\n## Found in\n```", "6: a block expected, got '```'"),
        ("# a: b\n\nText.\n\n## Found in\n```swift\n```", "6: a block expected, got '```swift'"),
        (
            "# a: b\n\nText.\n\n## Found in\n```lua\n```\n```lua\n```",
            "8: one block of 'lua' expected, got '```lua'"
        ),
        (
            "# a: b\n\nText.\n\n## Found in\n```lua\na = 1",
            "6: a closed block expected, got '```lua'"
        ),
        (
            "# a: b\n\nText.\n\n## Found in\n```lua\n```\n## Found in\n```lua\n```",
            "8: a section expected, got '## Found in'"
        ),
    ]

    @Test(
        "the error for a malformed article has the line, the expected text and the actual text",
        arguments: malformed
    )
    func reports(_ markdown: String, _ message: String) throws {
        let error = try #require(throws: CodeArticle.Malformed.self) {
            try CodeArticle(markdown: markdown)
        }
        // The sections and the kinds of blocks follow in parentheses.
        #expect(error.description.replacing(#/ \(.*\)/#, with: "") == message)
    }
}
