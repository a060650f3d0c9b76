// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting
import ScenarioKit
import TestSupport
import Testing

/// Tests of the index of all codes, which is composed from their articles.
struct ErrorReferenceTests {
    private static let file = referenceFolder.appending(path: "Errors.md")

    /// The families of diagnostics, by the prefixes of their codes.
    private static let families = [
        (["S01"], "The text of a scenario file"),
        (["S02"], "The files that a scenario needs"),
        (["S03"], "The results of a run"),
        (["L01"], "Warnings about scripts"),
        (["L020", "L021"], "Mistakes that keep scripts from loading"),
        (["L023"], "Scripts that do not fit the host or the app"),
        (["L03"], "Errors while scripts load"),
        (["L04"], "Limits while scripts load"),
        (["C01"], "The command line"),
        (["X"], "The findings of a search"),
        (["B01"], "Bundles"),
    ]

    private static func table(
        _ rows: [(code: String, article: CodeArticle)],
        headings: String = "| code | meaning |\n| --- | --- |\n"
    ) -> String {
        headings
            + rows.map { "| \($0.code) | \($0.article.title) |" }.joined(separator: "\n")
    }

    @Test("the index of errors has every code")
    func article() throws {
        let errors = try RouteError.Code.numbers.map { code, number in
            let article = try #require(CodeArticle.named(code.rawValue))
            return (code: "``RouteError/Code/\(code.rawValue)`` | \(number)", article: article)
        }
        let families = Self.families.map { prefixes, title in
            let rows = CodeArticle.all.filter { prefixes.contains(where: $0.code.hasPrefix) }
                .map { (code: "`\($0.code)`", article: $0) }
            return (title: title, rows: rows)
        }
        let count = families.map(\.rows.count).reduce(errors.count, +)
        #expect(count == CodeArticle.all.count, "a code belongs to no family")
        let text = """
            # Errors

            The codes of errors and diagnostics.

            ## Overview

            A code never changes its meaning. `luaroute explain-error CODE` prints the article of a code: its
            usual cause, an example and the fix. Tests run these examples.

            ## Errors of navigations and tasks

            A ``RouteError`` has one of these codes. Scripts and scenarios use the same words:
            `expect error notFound`. The number is the `errorCode` of an `NSError`, by which crash reports group errors; it never changes.

            \(Self.table(errors, headings: "| code | number | meaning |\n| --- | --- | --- |\n"))

            ## Diagnostics

            `luaroute run` and `luaroute check` print these codes, and so does ``Finding``.

            \(families.map { "### \($0.title)\n\n\(Self.table($0.rows))" }.joined(separator: "\n\n"))

            """
        try expectGolden(text, Self.file)
    }
}
