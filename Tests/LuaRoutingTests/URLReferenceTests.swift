// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting
import TestSupport
import Testing

/// Tests of the reference of URL patterns, which is composed from the tables of their parts and
/// kinds.
struct URLReferenceTests {
    private static let file = referenceFolder.appending(path: "URLPatterns.md")

    /// Returns the parameters that a pattern reads from a URL, in tree notation.
    private func parameters(_ pattern: String, _ url: String) throws -> String {
        let table = try URLTable([URLTable.Route(try URLPattern(pattern), at: "")])
        guard case .match(let match) = table.match(ByteString(url)) else {
            Issue.record("\(url) does not match \(pattern)")
            return ""
        }
        return NotationPrinter().value(.table(match.parameters))
    }

    /// The patterns in the article's table of other routers, each with a URL and the parameters
    /// that are read from the URL.
    private static let translated: [String: (url: String, parameters: String)] = [
        "/users/:id": ("/users/7", "{id=\"7\"}"),
        "/:id(int)": ("/-7", "{id=-7}"), "/:id(uint)": ("/7", "{id=7}"),
        "/:lang(en|de)?/about": ("/de/about", "{lang=\"de\"}"),
        "/*path?": ("/a/b", "{path=\"a/b\"}"),
        "/*path(list)?": ("/a/b", "{path={\"a\", \"b\"}}"),
        "/*chapters(list)": ("/a/b", "{chapters={\"a\", \"b\"}}"),
        "?sort=:sort?": ("/?sort=up", "{sort=\"up\"}"),
        "/:from-:to": ("/LAX-SFO", "{from=\"LAX\", to=\"SFO\"}"),
        "/users/:id?/delete": ("/users/7/delete", "{id=\"7\"}"),
        "/files/*path(list)": ("/files/a/b", "{path={\"a\", \"b\"}}"),
        "/:list/new": ("/todo/new", "{list=\"todo\"}"),
        "/buy/*rest?": ("/buy/a/b", "{rest=\"a/b\"}"),
        "/find?id=:id": ("/find?id=7", "{id=\"7\"}"),
        "/help#top": ("/help#top", "{}"),
    ]

    @Test("the patterns that a migration article gives for other routers match")
    func otherRouters() throws {
        let article = Self.file.deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "URLs.md")
        let text = try String(contentsOf: article, encoding: .utf8)
        let rows = try #require(text.components(separatedBy: "## In your router").last)
            .components(separatedBy: "\n").filter { $0.hasPrefix("|") }.dropFirst(2)
        var patterns: Set<String> = []
        for row in rows {
            let cells = row.replacing("\\|", with: "\u{1}").components(separatedBy: " | ")
            let here = cells.last == "the same |" ? cells[cells.count - 2] : cells[cells.count - 1]
            // The texts between two backticks.
            for (index, text) in here.components(separatedBy: "`").enumerated()
            where index % 2 == 1 && (text.hasPrefix("/") || text.hasPrefix("?")) {
                patterns.insert(text.replacing("\u{1}", with: "|"))
            }
        }
        #expect(patterns == Set(Self.translated.keys))
        for (pattern, expected) in Self.translated {
            let whole = pattern.hasPrefix("?") ? "/" + pattern : pattern
            #expect(try parameters(whole, expected.url) == expected.parameters, "\(pattern)")
        }
    }

    @Test("the reference of URL patterns documents every part and every kind")
    func article() throws {
        func cell(_ text: String) -> String { "`\(text.replacing("|", with: "\\|"))`" }
        let forms = try URLPattern.forms.map { form in
            let parameters = try parameters(form.pattern, form.url)
            let cells = [form.pattern, form.url, parameters].map(cell)
            return "| \(cell(form.form)) | \(form.help) | \(cells.joined(separator: " | ")) |"
        }
        let kinds = try URLPattern.Kind.forms.map { form in
            let parameters = try parameters("/:value(\(form.name))", "/\(form.text)")
            return
                "| \(cell(form.name)) | \(form.help) | \(cell(form.text)) | \(cell(parameters)) |"
        }
        let text = """
            # URL patterns

            The parts of patterns and the kinds of parameters.

            ## Overview

            A route declares its patterns in `url`, and `router.routing` declares one. <doc:URLs> explains
            which pattern wins and what never matches.

            ## Parts

            A test matches each URL against its pattern and writes the parameters.

            | part | matches | pattern | URL | parameters |
            | --- | --- | --- | --- | --- |
            \(forms.joined(separator: "\n"))

            - A segment has at most two parameters, with literal text between them, and optionally before and after them.
            - Only a whole segment can be optional, and at most three optional segments can be followed by required segments. A tail, `*name`, is
              the last segment.
            - A `?` marks an optional part if `/`, `?`, `&`, `#` or the end follows. Any other `?` begins the
              query: `/shows/:id??ref=:from` has an optional segment and a required key.
            - `list` cannot be the name of a kind. A list of an enumeration is written `(a|b list)`.
            - `*` instead of `:name` in a host matches one first label, which is not a parameter.

            ## Kinds

            A parameter without a kind is a string. `router.kind` declares a kind.

            | kind | accepts | text | parameters of `/:value(kind)` |
            | --- | --- | --- | --- |
            \(kinds.joined(separator: "\n"))

            ## Limits

            A URL has at most \(URLPattern.maximumLength) bytes and \(URLPattern.maximumSegments) segments.

            """
        try expectGolden(text, Self.file)
    }
}
