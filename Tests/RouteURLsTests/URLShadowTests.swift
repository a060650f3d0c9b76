// SPDX-License-Identifier: MIT

import RandomNumbers
import RouteCore
import RouteURLs
import Testing

/// Tests of patterns that no URL reaches.
struct URLShadowTests {
    private static func table(
        _ patterns: [String],
        kinds: [String] = ["isbn"]
    ) throws -> URLTable {
        try URLTable(patterns.map { URLTable.Route(try URLPattern($0, kinds: kinds), at: "?") })
    }

    static let cases: [(patterns: [String], shadowed: [String])] = [
        (["/a", "/:x", "/*r"], []),
        (["/:x(about|news)", "/about", "/news"], ["/:x(about|news) by /about /news"]),
        (["/:x(about|news)", "/about"], []),
        (["/:x(a|b|c)", "/:x(a|b)", "/c"], ["/:x(a|b|c) by /c /:x(a|b)"]),
        (["/:page/*rest?", "/*path"], ["/*path by /:page/*rest?"]),
        (["/:page", "/*path"], []),
        (["/:a", "/:a/:b/*c?", "/*path"], ["/*path by /:a /:a/:b/*c?"]),
        (
            ["/shows/:id(int)/:tab(new|old)?", "/shows/:i(int)/new", "/shows/:i(int)/old"],
            ["/shows/:id(int)/:tab(new|old) by /shows/:i(int)/new /shows/:i(int)/old"]
        ),
        (["/:id(int)", "/:id(uint)", "/:id(number)", "/:id(slug)", "/:id(date)", "/:id"], []),
        (["/:n(1|2)", "/:id(int)"], []),
        (
            ["/a?q=:q(x|y|z)", "/a?q=:q(x|y)", "/a?q=:q(y|z)"],
            ["/a?q=:q(x|y|z) by /a?q=:q(x|y) /a?q=:q(y|z)"]
        ),
        (["/:x(a|b)?q=:q", "/a?p=:p", "/b"], []),
        (["/:x(a|b)?q=:q", "/a?q=:p(int)?", "/b"], []),
        (["/:x(a|b)?q=:q", "/a?p=:p?", "/b"], ["/:x(a|b)?q=:q by /a?p=:p? /b"]),
        (["/:x(a|b)", "podcast://a", "/b"], []),
        (["podcast://:x(a|b)", "/a", "/b"], ["podcast://:x(a|b) by /a /b"]),
        (["/:x(a|b)", "/:y(isbn)", "/:z"], []),
        (
            ["/:y(isbn)/:x(a|b)", "/:z(isbn)/a", "/:y(isbn)/b"],
            ["/:y(isbn)/:x(a|b) by /:z(isbn)/a /:y(isbn)/b"]
        ),
        (["/:y(isbn)/:x(a|b)", "/:z(isbn)/a", "/:y/b"], []),
        (["/@:a", "/:name.html", "/@:a(int)", "/:x", "/@:x.html"], []),
        (["/v:x(1|2)", "/v1", "/v2"], ["/v:x(1|2) by /v1 /v2"]),
        (["/v:x(1|2)", "/v1"], []),
        (["/:x(v1|w2)", "/v:n(int)", "/w:n"], ["/:x(v1|w2) by /v:n(int) /w:n"]),
        (["/:p(a|b)/vx:n", "/a/v:n", "/b/:n"], ["/:p(a|b)/vx:n by /a/v:n /b/:n"]),
        (["/:p(a|b)/vx:n", "/a/v:n(int)", "/b/:n"], []),
        (["/:x(true|false|0|1)", "/:y(bool)"], ["/:y(bool) by /:x(true|false|0|1)"]),
        (["/:b(bool)", "/true", "/false", "/0", "/1"], ["/:b(bool) by /0 /1 /false /true"]),
        (
            ["https://a.h/:x(a|b)", "https://:t.h/a", "https://*.h/b"],
            ["https://a.h/:x(a|b) by https://:t.h/a https://*.h/b"]
        ),
        (["https://:t.h/:x(a|b)", "https://a.h/a", "https://*.h/b"], []),
    ]

    @Test(
        "a form of a pattern is reported if other patterns always match before this form",
        arguments: cases
    )
    func shadows(_ patterns: [String], _ shadowed: [String]) throws {
        let table = try Self.table(patterns)
        let found = table.shadows.map { shadow in
            let winners = shadow.winners.map { table.pattern($0).description }
            return "\(shadow.entry.description) by \(winners.joined(separator: " "))"
        }
        #expect(found == shadowed)
    }

    // MARK: Large tables

    /// Large sets of patterns that differ only at the end.
    static let crowds: [(name: String, pattern: @Sendable (Int) -> String)] = [
        ("one beginning", { "/api/x\($0)/:id" }),
        ("lists that share an alternative", { "/:x(b|a\($0))/x\($0)/*rest" }),
        ("keys of the query", { "/x?q\($0)=:id" }),
        ("origins", { "s\($0)://x/:id" }),
        ("kinds of a script", { "/:x(k\($0))/:id" }),
    ]

    @Test(
        "finding shadows takes time proportional to the number of patterns",
        arguments: crowds.indices
    )
    func work(_ crowd: Int) throws {
        let count = 2_000
        let pattern = Self.crowds[crowd].pattern
        let kinds = (0..<count).map { "k\($0)" }
        let table = try Self.table((0..<count).map(pattern), kinds: kinds)
        let search = table.shadowSearch()
        #expect(search.shadows.isEmpty)
        #expect(search.steps <= 10_000 + 101 * table.entries.count, "\(Self.crowds[crowd].name)")
    }

    @Test("shadows are found among many patterns")
    func crowd() throws {
        let patterns =
            (0..<2_000).map { "/api/x\($0)/:id" } + ["/api/:x(x7|x1999)/:id", "/api/:x(x7|y)/:id"]
        let shadows = try Self.table(patterns).shadows
        #expect(shadows.map(\.entry.description) == ["/api/:x(x7|x1999)/:id"])
        #expect(shadows.first?.winners.sorted() == [7, 1999])
    }

    // MARK: Comparison with all URLs

    /// Segments of patterns, and for each kind of segment a text that only this kind matches.
    struct Alphabet: Sendable {
        let segments: [String]
        /// All paths of up to four segments.
        let urls: [String]

        init(_ segments: [String], _ texts: [String]) {
            self.segments = segments
            var paths = [""]
            var all = ["/"]
            for _ in 1...4 {
                paths = paths.flatMap { path in texts.map { "\(path)/\($0)" } }
                all += paths
            }
            urls = all
        }
    }

    private static let literals = ["a", "b", "1"]
    private static let kinds = Alphabet(
        literals + [
            ":p", ":p(a|b)", ":p(a|1)", ":p(a|b|1)", ":p(int)", ":p(uint)", ":p(number)",
            ":p(slug)",
        ],
        literals + ["-7", "77", "2.5", "zz", "~"]
    )
    private static let affixes = Alphabet(
        ["a", "~a", ":p", ":p(a|~a)", "~:p", ":p~", "~:p~", "~:p(a|1)", "~~:p"],
        ["a", "~a", "~1", "~z", "a~", "~a~", "~~z", "zz"]
    )

    @Test("exactly the patterns that no URL reaches are reported as shadowed", arguments: 1...60)
    func bruteForce(_ seed: UInt64) throws {
        let alphabet = seed > 40 ? Self.affixes : Self.kinds
        var numbers = RandomNumbers(seed: seed)
        var patterns: [String] = []
        for _ in 0..<(4 + numbers.below(8)) {
            var text = ""
            for number in 0..<(1 + numbers.below(2)) {
                let segment = alphabet.segments[numbers.below(alphabet.segments.count)]
                text += "/" + segment.replacing(":p", with: ":p\(number)")
            }
            text += ["", "", "", "/*r", "/*r?"][numbers.below(5)]
            // Leave out a pattern that conflicts.
            if (try? Self.table(patterns + [text])) != nil { patterns.append(text) }
        }
        let table = try Self.table(patterns)
        var reached: Set<String> = []
        for url in alphabet.urls {
            guard case .match(let match) = table.match(ByteString(url)) else { continue }
            // The number of segments determines the form that a URL matches.
            let pattern = table.pattern(match.route)
            let count = min(url.split(separator: "/").count, pattern.segments.count)
            reached.insert("\(match.route) \(count)")
        }
        let shadowed = Set(table.shadows.map { "\($0.entry.route) \($0.entry.segmentCount)" })
        for entry in table.entries {
            let form = "\(entry.route) \(entry.segmentCount)"
            #expect(
                shadowed.contains(form) != reached.contains(form),
                "\(entry.description) among \(patterns)"
            )
        }
    }
}
