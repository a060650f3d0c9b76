// SPDX-License-Identifier: MIT

import RouteCore
import RouteURLs
import Testing

/// Parts of patterns beyond segments and single values: each row is a pattern, a URL, and the
/// parameters that it reads, or nil if it does not match.
struct URLPatternPartTests {
    private static func table(_ patterns: [String]) throws -> URLTable {
        try URLTable(
            patterns.map { URLTable.Route(try URLPattern($0, kinds: ["even"]), at: "f:1") }
        )
    }

    private static func all(_ patterns: [String], _ url: String) throws -> [String] {
        URLComparisonTests.all(try table(patterns), url).map { patterns[$0.route] }
    }

    private static func parameters(_ pattern: String, _ url: String) throws -> InfoTable? {
        URLComparisonTests.all(try table([pattern]), url).first?.parameters
    }

    private static func list(_ values: Value...) -> InfoTable {
        ["l": .table(InfoTable(list: values))]
    }

    // MARK: Lists

    @Test(
        "a list has the decoded segments of a tail, or all values of a key",
        arguments: [
            ("/f/*l(list)", "/f/a/b", list("a", "b")), ("/f/*l(list)", "/f/a%2Fb", list("a/b")),
            ("/f/*l(list)", "/f/a//b", list("a", "", "b")), ("/f/*l(list)", "/f", nil),
            ("/f/*l(list)", "/f/a/", list("a")), ("/f/*l(list)", "/f/a//", list("a", "")),
            ("/f/*l(list)", "/f//a", list("a")), ("/f/*l(list)", "//f///a?x", list("a")),
            ("/f/*l(list)", "/f/a//?x", list("a", "")), ("/f/*l(list)", "/f/a/#x", list("a")),
            ("/f/*l(list)", "/f/%61//%62#/c", list("a", "", "b")),
            ("/f/*l(list)?", "/f", [:]), ("/f/*l(list)?", "/f//", [:]),
            ("/*l(list)", "pod://a//b/", list("a", "", "b")),
            ("/*l(list)", "pod://A:80/b", list("A", "b")),
            ("/*l(list)", "pod:/a", list("a")),
            ("https://h/*l(list)", "https://h/a//", list("a", "")),
            ("/*l(int list)", "/1/-2", list(1, -2)), ("/*l(int list)", "/1/x", nil),
            ("/*l(int list)", "/1//2", nil), ("/*l(int list)?", "/", [:]),
            ("/*l(a|b list)", "/b/a", list("b", "a")), ("/*l(a|b list)", "/b/c", nil),
            ("/*l(even list)", "/ab/abcd", list(2, 4)), ("/*l(even list)", "/ab/abc", nil),
            ("/?t=:l(list)", "/?t=a&u=x&t=&t=b%26", list("a", "", "b&")),
            ("/?t=:l(list)", "/?u=a", nil), ("/?t=:l(list)?", "/?u=a", [:]),
            ("/?t=:l(list)", "/?t", list("")), ("/?t=:l(list)", "/?t=%", nil),
            ("/?t=:l(int list)", "/?t=1&t=2", list(1, 2)), ("/?t=:l(int list)", "/?t=1&t=x", nil),
            ("/?t=:l(int list)", "/?t=x&t=1", nil),
            ("/?t=:l(even list)", "/?t=a&t=ab", nil),
            ("/?t=:l(even list)", "/?t=ab&t=", list(2, 0)),
        ] as [(String, String, InfoTable?)]
    )
    func lists(_ pattern: String, _ url: String, _ expected: InfoTable?) throws {
        #expect(try Self.parameters(pattern, url) == expected)
    }

    @Test("a list of a kind ranks above one of text, and is no other shape without a kind")
    func listRank() throws {
        let order = ["/:p", "/*l(int list)", "/*l(list)"]
        #expect(try Self.all(order.reversed(), "/1") == order)
        #expect(try Self.all(order.reversed(), "/1/x") == ["/*l(list)"])
        #expect(try Self.table(order.reversed()).entries.map(\.description) == order)
        #expect(throws: URLConflict.self) { try Self.table(["/*l(list)", "/*rest"]) }
        #expect(throws: URLConflict.self) { try Self.table(["/?t=:l(list)", "/?t=:t"]) }
        #expect(try Self.table(["/*l(int list)", "/*l(list)"]).shadows.isEmpty)
        #expect(try Self.table(["/*l(uint list)", "/*l(int list)"]).shadows.isEmpty)
    }

    // MARK: Literal values of the query

    @Test(
        "a literal value of the query is required, and compared after decoding",
        arguments: [
            ("/o?start=true", "/o?start=true", [:]), ("/o?start=true", "/o?start=True", nil),
            ("/o?start=true", "/o", nil), ("/o?start=true", "/o?start=false", nil),
            ("/o?start=true", "/o?x&st%61rt=tru%65", [:]),
            ("/o?start=true", "/o?start=false&start=true", [:]),
            ("/o?start=true", "/o?start=true&start=false", nil),
            ("/o?k=", "/o?k", [:]), ("/o?k=", "/o", nil), ("/o?k=a%26b=c", "/o?k=a%26b=c", [:]),
            ("/o?k=1&l=:l(list)", "/o?l=2&k=1", ["l": ["2"]]), ("/o?k=%3Ax", "/o?k=:x", [:]),
        ] as [(String, String, InfoTable?)]
    )
    func literals(_ pattern: String, _ url: String, _ expected: InfoTable?) throws {
        #expect(try Self.parameters(pattern, url) == expected)
    }

    @Test("more required keys rank first, then more literal ones, then those of a kind")
    func literalRank() throws {
        let order = ["/?k=:k&l=:l", "/?k=1", "/?k=:k(1|2)", "/?k=:k(int)", "/?k=:k", "/"]
        #expect(try Self.all(order.reversed(), "/?k=1&l=2") == order)
        #expect(try Self.all(order.reversed(), "/?k=2") == Array(order.dropFirst(2)))
        #expect(try Self.table(order.reversed()).entries.map(\.description) == order)
        #expect(throws: URLConflict.self) { try Self.table(["/?k=1", "/?k=%31"]) }
        #expect(try Self.table(["/?k=1", "/?k=2"]).shadows.isEmpty)
        let explanation = try Self.table(["/o?start=true"]).explain("/o?start=no")
        #expect(explanation.misses.first?.reason == "key 'start' is 'no', not 'true'")
    }

    // MARK: Printing

    @Test(
        "what is printed is read back unchanged",
        arguments: [
            ("/f/*l(list)", list("a/b", "", "é"), "/f/a%2Fb//%C3%A9"),
            ("/f/*l(list)", list("a", "", ""), "/f/a///"), ("/f/*l(list)?", [:], "/f"),
            ("pod://*l(list)", list("a", "", ""), "pod://a///"),
            ("/*l(int list)", list(1, -2), "/1/-2"), ("/o?k=a%26&m=%3A", [:], "/o?k=a%26&m=:"),
            ("/?t=:l(list)", list("", "a&b"), "/?t=&t=a%26b"),
            ("/?t=:l(bool list)&u=:u", ["l": [true, false], "u": "x"], "/?t=true&t=false&u=x"),
        ] as [(String, InfoTable, String)]
    )
    func printing(_ pattern: String, _ parameters: InfoTable, _ url: String) throws {
        #expect(try URLPattern(pattern).url(parameters) == url)
        #expect(try Self.parameters(pattern, url) == parameters)
    }

    @Test(
        "a value that would be read back otherwise is refused",
        arguments: [
            ("/f/*l(list)", list("", "a"), "a first element that is not empty expected"),
            ("/f/*l(list)", [:], "missing parameter 'l'"),
            ("/f/*l(list)", ["l": "a"], "a list with one value or more expected, got 'a'"),
            ("/f/*l(list)", ["l": ["k": 1]], "a list with one value or more expected"),
            ("/f/*l(list)?", list(), "a list with one value or more expected"),
            ("/f/*l(list)", list("a", ".."), "no dot segment expected"),
            ("/f/*l(int list)", list("a"), "integer expected"),
            ("/?t=:l(list)?", list(), "a list with one value or more expected"),
            ("/:l", ["l": "a\0"], "no NUL character expected"),
        ] as [(String, InfoTable, String)]
    )
    func notPrinting(_ pattern: String, _ parameters: InfoTable, _ message: String) throws {
        let pattern = try URLPattern(pattern)
        let error = #expect(throws: RouteError.self) { try pattern.url(parameters) }
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    // MARK: Strictness

    @Test(
        "white space at the end, line breaks and NUL characters match nothing, with that reason",
        arguments: [
            ("/a ", .ambiguous(.trailingSpace, 2..<3)),
            ("/a?x ", .ambiguous(.trailingSpace, 4..<5)),
            ("/a#x\u{3000}", .ambiguous(.trailingSpace, 4..<7)),
            ("/a?x=\t", .ambiguous(.lineBreak, 5..<6)),
            ("/a?x\n&y", .ambiguous(.lineBreak, 4..<5)), ("/a#x\ry", .ambiguous(.lineBreak, 4..<5)),
            ("/a?x#\t", .ambiguous(.lineBreak, 5..<6)), ("/a%20", nil), ("/é", nil),
            ("/a%00b", .ambiguous(.nullCharacter, 1..<6)), ("/a?k=%00", .malformed(5..<8)),
            ("/a?k=\0", .malformed(5..<6)), ("/a?x=%00", nil), ("/a?x=a b", nil),
        ] as [(String, URLProblem?)]
    )
    func strict(_ url: String, _ expected: URLProblem?) throws {
        let answer = try Self.table(["/*all?k=:k?"]).match(ByteString(url))
        var problem: URLProblem?
        if case .none(let reason) = answer { problem = reason }
        #expect(problem == expected)
    }
}
