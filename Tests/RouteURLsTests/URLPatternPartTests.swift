// SPDX-License-Identifier: MIT

import RouteCore
import RouteURLs
import Testing

/// Tests of parts of patterns other than segments and single values.
///
/// Each row is a pattern, a URL, and the parameters that are read from the URL; nil if the URL does
/// not match.
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
        "a list contains the decoded segments of a tail, or all values of a key",
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

    @Test("a list with a kind ranks above a list of text, which conflicts with a plain tail")
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
        "a literal value in the query is required, and compared after decoding",
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

    @Test("patterns rank by required keys, then by literal keys, then by keys with a kind")
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

    // MARK: Optional segments

    @Test(
        "a segment may be optional anywhere in the path",
        arguments: [
            ("/:l(de|en)?/shows/:id", "/de/shows/7", ["l": "de", "id": "7"]),
            ("/:l(de|en)?/shows/:id", "/shows/7", ["id": "7"]),
            ("/:l(de|en)?/shows/:id", "/fr/shows/7", nil),
            ("/a/:b?/c/:d?", "/a/c", [:]), ("/a/:b?/c/:d?", "/a/x/c", ["b": "x"]),
            ("/a/:b?/c/:d?", "/a/c/y", ["d": "y"]), ("/a/:b?/c/:d?", "/a/c/c", ["d": "c"]),
            ("/a/:b?/c/:d?", "/a/x/c/y", ["b": "x", "d": "y"]), ("/a/:b?/c/:d?", "/a/x/y", nil),
            ("/:a(int)?/:b?/x/*r", "/7/x/y/z", ["a": 7, "r": "y/z"]),
            ("/:a(int)?/:b?/x/*r", "/y/x/z", ["b": "y", "r": "z"]),
            ("pod://:h?/a", "pod://a", [:]), ("pod://:h?/a", "pod://x/a", ["h": "x"]),
            ("pod://:h?/A", "pod://a", [:]), ("pod://:h?/A", "pod://x/a", nil),
        ] as [(String, String, InfoTable?)]
    )
    func optionals(_ pattern: String, _ url: String, _ expected: InfoTable?) throws {
        #expect(try Self.parameters(pattern, url) == expected)
    }

    @Test("a pattern with optional segments has the conflicts and ranks of each of its forms")
    func optionalForms() throws {
        for other in ["/a", "/:m/a"] {
            #expect(throws: URLConflict.self) { try Self.table(["/:l?/a", other]) }
            var table = try Self.table([other])
            let isAdded = table.append(contentsOf: [try URLPattern("/:l?/a")])
            #expect(!isAdded && table.count == 1)
        }
        let table = try Self.table(["/:l?/a", "/x/:b", "/:c/b"])
        #expect(table.entries.map(\.description) == ["/a", "/x/:b", "/:l/a", "/:c/b"])
        #expect(table.pattern(0).description == "/:l?/a" && table.count == 3)
        let all = URLComparisonTests.all(table, "/x/a")
        #expect(all.map(\.route) == [1, 0])
        let nearest = table.nearest(to: "/y/aa", .noPattern)
        #expect(nearest?.pattern.description == "/:l?/a")
        #expect(table.explain("/y/aa").misses.map(\.route) == [0, 2, 1])
    }

    // MARK: Two parameters in a segment

    @Test(
        "two parameters can share a segment; the first takes the shortest text for which both kinds match",
        arguments: [
            ("/:from-:to", "/oslo-rome", ["from": "oslo", "to": "rome"]),
            ("/:from-:to", "/a-b-c", ["from": "a", "to": "b-c"]), ("/:from-:to", "/oslo", nil),
            ("/:from-:to", "/-a-b", ["from": "-a", "to": "b"]), ("/:from-:to", "/-b", nil),
            ("/:from-:to", "/a-", nil), ("/:from-:to", "/a%2D%2Fb", ["from": "a", "to": "/b"]),
            ("/:n-:id(int)", "/red-shoe-42", ["n": "red-shoe", "id": 42]),
            ("/:n-:id(int)", "/red-shoe", nil), ("/:n-:id(int)", "/a--42", ["n": "a", "id": -42]),
            ("/v:a(int).:b(int)x", "/v1.2x", ["a": 1, "b": 2]),
            ("/v:a(int).:b(int)x", "/V1.2x", nil),
            ("/:a(x|y)-:b/c", "/y-z/c", ["a": "y", "b": "z"]), ("/:a(x|y)-:b/c", "/z-z/c", nil),
            ("/:a(even)-:b", "/ab-c", ["a": 2, "b": "c"]), ("/:a(even)-:b", "/a-b", nil),
            ("/:a(even)-:b", "/a-b-c", nil), ("/:a(even)-:b", "/a-bc-d", ["a": 4, "b": "d"]),
            ("/:a-:b(even)", "/x-y-zz", ["a": "x", "b": 4]),
            ("/:a-:b(even)", "/x-yy-zz", ["a": "x-yy", "b": 2]),
            ("/:a-:b(even)", "/x-y-zzz-w", nil),
            ("pod://A:x.B:y", "pod://aX.bY", ["x": "X", "y": "Y"]),
            ("/A:x.B:y", "pod://aX.bY", ["x": "X", "y": "Y"]), ("/A:x.B:y", "/AX.bY", nil),
            ("/A:x.B:y", "/AX.BY", ["x": "X", "y": "Y"]),
            ("/a#/:x.:y/b", "/a#/1.2/b", ["x": "1", "y": "2"]), ("/a#/:x.:y", "/a#/1.2/b", nil),
            ("/a#/:x.:y", "/a#/12", nil), ("/:a-b", "/x", ["a-b": "x"]),
            ("/:a-", "/x-", ["a": "x"]), ("/:_-:id", "/x-7", ["id": "7"]),
        ] as [(String, String, InfoTable?)]
    )
    func pairs(_ pattern: String, _ url: String, _ expected: InfoTable?) throws {
        #expect(try Self.parameters(pattern, url) == expected)
    }

    @Test("the literal text between two parameters counts toward the rank")
    func pairRank() throws {
        let order = [
            "/a-b-7", "/a-:x-:y", "/:x(a|b)-b-:y", "/a-:x", "/a:x-:y", "/:x-:y(int)", "/:x-:y",
            "/:x",
        ]
        #expect(try Self.all(order.reversed(), "/a-b-7") == order)
        #expect(try Self.table(order.reversed()).entries.map(\.description) == order)
        #expect(throws: URLConflict.self) { try Self.table(["/:x-:y", "/:a-:b"]) }
        var table = try Self.table(["/:x-:y(int)"])
        let isAdded = table.append(contentsOf: [try URLPattern("/:a-:b(int)")])
        #expect(!isAdded)
        let reason = try Self.table(["/a/:x-:y(int)"]).explain("/a/b-c").misses.first?.reason
        #expect(reason == "segment 2 ('b-c') does not match ':x-:y(int)'")
    }

    @Test("the time to match a long segment does not grow with the square of its length")
    func longPair() throws {
        let table = try Self.table(["/:a.:b(int)", "/*r"])
        let url = "/" + String(repeating: "1.", count: 4_000) + "x"
        #expect(URLComparisonTests.all(table, url).map(\.route) == [1])
    }

    // MARK: Fragments

    @Test(
        "a fragment can be a path with its own query",
        arguments: [
            ("/a#/room/:id(int)?mode=:m", "/a#/room/7?mode=x%26", ["id": 7, "m": "x&"]),
            ("/a#/room/:id(int)", "/a#room//7/", ["id": 7]), ("/a#/room/:id", "/a", nil),
            ("/a#/room/:id(int)", "/a#/room/x", nil), ("/a#/room/:id", "/a#/room", nil),
            ("/a#/room/:id", "/a#/room/7/8", nil), ("/a#/room/:id", "/a?x#/room/7", ["id": "7"]),
            ("/a#?t=:t?", "/a#", [:]), ("/a#?t=:t?", "/a", nil),
            ("/a#?t=:t", "/a#/?t=1", ["t": "1"]),
            ("/a#?t=:t", "/a#?t=%", nil), ("/a#/b?k=v", "/a#b?k=v", [:]),
            ("/a#/b?k=v", "/a#b?k=w", nil), ("/a#/", "/a#", [:]), ("/a#/", "/a#x", nil),
            ("/a?x=:x#?y=:y", "/a?x=1#?y=2", ["x": "1", "y": "2"]),
            ("/a#/f/*l(list)", "/a#/f/a%2Fb//c", list("a/b", "", "c")),
            ("/a#*l(int list)", "/a#1/x", nil), ("/a#*r", "/a#b/c", ["r": "b/c"]),
            ("/a#/v:n(int).x", "/a#v7.x", ["n": 7]), ("/a#/v:n(int).x", "/a#v7.y", nil),
            ("/a#/:p?/b/:q?", "/a#b", [:]), ("/a#/:p?/b/:q?", "/a#x/b", ["p": "x"]),
            ("/a#/:p?/b/:q?", "/a#b/y", ["q": "y"]), ("/a#:s(even)", "/a#ab", ["s": 2]),
            ("/a#:s(even)", "/a#abc", nil), ("/a#:s", "/a#http://b", nil),
            ("/a#/%41", "/a#A", [:]), ("/a#/A", "/a#a", nil), ("/a#:s", "/a#..", nil),
            ("/:p/a#:s", "https://h/x/a#y:z", ["p": "x", "s": "y:z"]),
        ] as [(String, String, InfoTable?)]
    )
    func fragments(_ pattern: String, _ url: String, _ expected: InfoTable?) throws {
        #expect(try Self.parameters(pattern, url) == expected)
    }

    @Test("of patterns with equal path and query, one with a fragment ranks above one without")
    func fragmentRank() throws {
        let order = [
            "/a?k=:k", "/a#/x?k=1", "/a#/x", "/a#/:p(int)", "/a#/:p", "/a#/*r", "/a", "/:a#/x",
        ]
        #expect(
            try Self.all(order.reversed(), "/a?k#/x?k=1") == order.filter { $0 != "/a#/:p(int)" }
        )
        #expect(
            try Self.all(order.reversed(), "/a#/7") == ["/a#/:p(int)", "/a#/:p", "/a#/*r", "/a"]
        )
        #expect(try Self.table(order.reversed()).entries.map(\.description) == order)
        #expect(try Self.table(order).shadows.isEmpty)
        #expect(throws: URLConflict.self) { try Self.table(["/a#/:p", "/a#:q"]) }
        #expect(throws: URLConflict.self) { try Self.table(["/a#/x/:p?", "/a#/x"]) }
    }

    @Test("an explanation lists the parts of the fragment that nothing reads")
    func fragmentExplanation() throws {
        let table = try Self.table(["/a#/room/:id(int)", "/b"])
        #expect(table.explain("/a#/room/7?z=1").dropped == ["key 'z' of the fragment"])
        #expect(table.explain("/b#/room").dropped == ["fragment '/room'"])
        #expect(table.explain("/a").misses.first?.reason == "the fragment is missing")
        #expect(
            table.explain("/a#/room/x").misses.first?.reason
                == "the fragment '/room/x' does not match '/room/:id(int)'"
        )
    }

    // MARK: Printing

    @Test(
        "printed values are read back unchanged",
        arguments: [
            ("/f/*l(list)", list("a/b", "", "é"), "/f/a%2Fb//%C3%A9"),
            ("/f/*l(list)", list("a", "", ""), "/f/a///"), ("/f/*l(list)?", [:], "/f"),
            ("pod://*l(list)", list("a", "", ""), "pod://a///"),
            ("/:a-:b", ["a": "x", "b": "y-z/"], "/x-y-z%2F"),
            ("/a:x.:y.b", ["x": "1", "y": "."], "/a1...b"),
            ("/:n-:id(int)", ["n": "a-b", "id": -7], "/a-b--7"),
            ("/a/:b?/c/:d?", ["d": "c"], "/a/c/c"), ("/a/:b?/c/:d?", ["b": "x"], "/a/x/c"),
            ("/:a(int)?/:b?/x", ["b": "y"], "/y/x"), ("/a#/:p?/b", [:], "/a#/b"),
            ("/a#/r/:id(int)?m=:m?", ["id": 7], "/a#/r/7"), ("/a#?t=:t?", [:], "/a#"),
            ("/a#:s", ["s": "a/b?#%"], "/a#a%2Fb%3F%23%25"), ("/a#/", [:], "/a#/"),
            ("pod://a#/b?k=v", [:], "pod://a#/b?k=v"),
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
        "printing a value that would be read back differently is an error",
        arguments: [
            ("/f/*l(list)", list("", "a"), "a non-empty first element expected"),
            ("/f/*l(list)", [:], "missing parameter 'l'"),
            ("/f/*l(list)", ["l": "a"], "a list with at least one value expected, got 'a'"),
            ("/f/*l(list)", ["l": ["k": 1]], "a list with at least one value expected"),
            ("/f/*l(list)?", list(), "a list with at least one value expected"),
            ("/f/*l(list)", list("a", ".."), "text without dot segments expected"),
            ("/f/*l(int list)", list("a"), "integer expected"),
            ("/?t=:l(list)?", list(), "a list with at least one value expected"),
            ("/:l", ["l": "a\0"], "text without NUL characters expected"),
            (
                "/:a-:b", ["a": "x-y", "b": "z"],
                "a value that can be read back from 'x-y-z' expected, got 'x-y'"
            ),
            ("/:a-:b", ["a": "x"], "missing parameter 'b'"),
            ("/:a-:b", ["a": "", "b": "x"], "non-empty text"),
            (
                "/a/:b?/c/:d?", ["b": "c"],
                "a value that can be read back from '/a/c/c' expected, got 'c'"
            ),
            (
                "/:a(int)?/:b?/x", ["b": "7"],
                "a value that can be read back from '/7/x' expected, got '7'"
            ),
            ("/:a?/b/:c?/:d?", ["d": "x"], "missing parameter 'c' (expected before 'd'"),
            ("/a#/:b/c", [:], "missing parameter 'b'"),
        ] as [(String, InfoTable, String)]
    )
    func notPrinting(_ pattern: String, _ parameters: InfoTable, _ message: String) throws {
        let pattern = try URLPattern(pattern)
        let error = #expect(throws: RouteError.self) { try pattern.url(parameters) }
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    // MARK: Strictness

    @Test(
        "a URL with trailing white space, a line break or NUL matches nothing, with a reason",
        arguments: [
            ("/a ", .ambiguous(.trailingSpace, 2..<3)),
            ("/a?x ", .ambiguous(.trailingSpace, 4..<5)),
            ("/a#x\u{3000}", .ambiguous(.trailingSpace, 4..<7)),
            ("/a?x=\t", .ambiguous(.lineBreak, 5..<6)),
            ("/a?x\n&y", .ambiguous(.lineBreak, 4..<5)), ("/a#x\ry", .ambiguous(.lineBreak, 4..<5)),
            ("/a?x#\t", .ambiguous(.lineBreak, 5..<6)), ("/a%20", nil), ("/é", nil),
            ("/a%00b", .ambiguous(.nullCharacter, 2..<5)), ("/a?k=%00", .malformed(5..<8)),
            ("/a?k=\0", .malformed(5..<6)), ("/%41%C3%A9%00", .ambiguous(.nullCharacter, 10..<13)),
            ("/a?x=%00", nil), ("/a?x=a b", nil),
        ] as [(String, URLProblem?)]
    )
    func strict(_ url: String, _ expected: URLProblem?) throws {
        let answer = try Self.table(["/*all?k=:k?"]).match(ByteString(url))
        var problem: URLProblem?
        if case .none(let reason) = answer { problem = reason }
        #expect(problem == expected)
    }
}
