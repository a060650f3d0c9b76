// SPDX-License-Identifier: MIT

import RouteCore
import RouteURLs
import Testing

struct URLTableTests {
    private static func table(_ patterns: [String], _ origins: [String] = []) throws -> URLTable {
        try URLTable(
            patterns.map { URLTable.Route(try URLPattern($0, kinds: ["even"]), at: "") },
            origins: origins.map { try URLOrigin($0) }
        )
    }

    private static func all(_ patterns: [String], _ url: String) throws -> [String] {
        URLComparisonTests.all(try table(patterns), url).map { patterns[$0.route] }
    }

    private static func parameters(_ pattern: String, _ url: String) throws -> InfoTable? {
        URLComparisonTests.all(try table([pattern]), url).first?.parameters
    }

    private static func problem(_ url: String, _ origins: [String] = []) throws -> URLProblem? {
        let table = try table(["/*all?"], origins)
        if case .none(let problem) = table.match(ByteString(url)) { return problem }
        return nil
    }

    // MARK: Segments

    @Test(
        "a parameter matches one whole segment of its kind, and its value is converted",
        arguments: [
            ("/:a", "/x", ["a": "x"]), ("/:a", "/", nil), ("/:a", "/x/y", nil),
            ("/:a", "/x/", ["a": "x"]),
            ("/:a", "//x", ["a": "x"]), ("/:a", "x", ["a": "x"]), ("/:a", "/%2F", ["a": "/"]),
            ("/:a", "/%2525", ["a": "%25"]), ("/:a", "/a+b", ["a": "a+b"]),
            ("/:a", "/...", ["a": "..."]), ("/:a", "/%00", nil),
            ("/:a(bool)", "/true", ["a": true]), ("/:a(bool)", "/0", ["a": false]),
            ("/:a(bool)", "/True", nil), ("/:a(bool)", "/2", nil),
            ("/:a(bool)", "/%31", ["a": true]),
            ("/:a(int)", "/7", ["a": 7]), ("/:a(int)", "/-0", ["a": 0]), ("/:a(int)", "/+7", nil),
            ("/:a(int)", "/%37", ["a": 7]), ("/:a(int)", "/7.0", nil), ("/:a(int)", "/-", nil),
            ("/:a(int)", "/9223372036854775807", ["a": 9_223_372_036_854_775_807]),
            ("/:a(int)", "/-9223372036854775808", ["a": -9_223_372_036_854_775_808]),
            ("/:a(int)", "/9223372036854775808", nil), ("/:a(int)", "/7a", nil),
            ("/:a(int)", "/٧", nil),
            ("/:a(uint)", "/007", ["a": 7]), ("/:a(uint)", "/-7", nil), ("/:a(uint)", "/-0", nil),
            ("/:a(number)", "/7", ["a": 7.0]), ("/:a(number)", "/-7.5e-2", ["a": -0.075]),
            ("/:a(number)", "/1e400", nil), ("/:a(number)", "/.5", nil),
            ("/:a(number)", "/5.", nil),
            ("/:a(number)", "/nan", nil), ("/:a(number)", "/0x10", nil),
            ("/:a(number)", "/1e", nil),
            ("/:a(slug)", "/a-1-b", ["a": "a-1-b"]), ("/:a(slug)", "/a--b", nil),
            ("/:a(slug)", "/-a", nil), ("/:a(slug)", "/a-", nil), ("/:a(slug)", "/A", nil),
            ("/:a(date)", "/2024-02-29", ["a": "2024-02-29"]), ("/:a(date)", "/2023-02-29", nil),
            ("/:a(date)", "/1900-02-29", nil), ("/:a(date)", "/2000-02-29", ["a": "2000-02-29"]),
            ("/:a(date)", "/2024-04-31", nil), ("/:a(date)", "/2024-13-01", nil),
            ("/:a(date)", "/2024-00-01", nil), ("/:a(date)", "/2024-1-1", nil),
            (
                "/:a(uuid)", "/123e4567-e89b-12d3-A456-426614174000",
                ["a": "123e4567-e89b-12d3-A456-426614174000"]
            ),
            ("/:a(uuid)", "/123e4567e89b12d3a456426614174000", nil),
            ("/:a(uuid)", "/123e4567-e89b-12d3-a456-42661417400g", nil),
            ("/:a(x|y)", "/y", ["a": "y"]), ("/:a(x|y)", "/Y", nil), ("/:a(x|y)", "/x%79", nil),
            ("/:a(even)", "/ab", ["a": 2]), ("/:a(even)", "/abc", nil),
        ] as [(String, String, InfoTable?)]
    )
    func segments(_ pattern: String, _ url: String, _ expected: InfoTable?) throws {
        #expect(try Self.parameters(pattern, url) == expected)
    }

    @Test(
        "a parameter may have literal text around it in its segment",
        arguments: [
            ("/@:a", "/@x", ["a": "x"]), ("/@:a", "/%40x", ["a": "x"]), ("/@:a", "/@", nil),
            ("/@:a", "/x", nil), ("/:a.html", "/x.html", ["a": "x"]), ("/:a.html", "/.html", nil),
            ("/:a.html", "/x.htm", nil), ("/:a.html", "/x.html.html", ["a": "x.html"]),
            ("/v:a(int)", "/v7", ["a": 7]), ("/v:a(int)", "/vx", nil), ("/v:a(int)", "/V7", nil),
            ("/a:a.a", "/a.a", nil), ("/a:a.a", "/aa.a", ["a": "a"]), ("/a:a.a", "/ab", nil),
            ("/x-:a(even)", "/x-ab", ["a": 2]), ("/x-:a(even)", "/x-a", nil),
            ("/x-:a(a|b)/y", "/x-b/y", ["a": "b"]), ("pod://v:a", "pod://V7", ["a": "7"]),
            ("/V:a", "pod://v7", ["a": "7"]),
        ] as [(String, String, InfoTable?)]
    )
    func affixes(_ pattern: String, _ url: String, _ expected: InfoTable?) throws {
        #expect(try Self.parameters(pattern, url) == expected)
    }

    @Test("literal texts around parameters rank by total length, then by the length of the prefix")
    func affixRank() throws {
        let order = [
            "/abc", "/a:p.c", "/:p.bc", "/ab:p", "/:p.c", "/a:p(slug)", "/a:p", "/:p(slug)", "/:p",
            "/*p",
        ]
        #expect(
            try Self.all(order.reversed(), "/abc") == [
                "/abc", "/ab:p", "/a:p(slug)", "/a:p", "/:p(slug)", "/:p", "/*p",
            ]
        )
        #expect(
            try Self.all(order.reversed(), "/abx.c") == [
                "/a:p.c", "/ab:p", "/:p.c", "/a:p", "/:p", "/*p",
            ]
        )
        #expect(try Self.table(order.reversed()).entries.map(\.description) == order)
    }

    @Test(
        "many texts of different lengths around parameters are distinguished",
        arguments: [1, 40]
    )
    func manyAffixes(_ count: Int) throws {
        let patterns = (1...count).map { number in
            (0..<10).map { "/\(String(repeating: "p", count: number + $0)):a\($0)" }.joined()
        }
        for (index, pattern) in patterns.enumerated() {
            let url = pattern.replacing(":a", with: "-")
            let routes = URLComparisonTests.all(try Self.table(patterns), url).map(\.route)
            #expect(routes.first == index)
        }
    }

    @Test("the nearest pattern to a URL is never a pattern that was rejected")
    func notAdded() throws {
        var table = try Self.table(["/a/b", "/a"])
        let added = try ["/other/y/:z", "/a"].map { try URLPattern($0) }
        let isAdded = table.append(contentsOf: added)
        #expect(!isAdded && table.count == 2)
        #expect(table.nearest(to: "/other/y/z", .noPattern) == nil)
        #expect(table.nearest(to: "/a/c", .noPattern)?.pattern == (try URLPattern("/a/b")))
    }

    @Test("matching texts around a parameter costs one step for each pair of lengths")
    func affixSteps() throws {
        func steps(_ patterns: [String]) throws -> Int { try Self.table(patterns).steps("/x1/y") }
        let plain = try steps(["/x1/y", "/:a/y"])
        #expect(try steps(["/x1/y", "/:a/y"] + (0..<500).map { "/lit\($0)/y" }) == plain)
        let one = try steps(["/x1/y", "/:a/y", "/@:a/y"])
        #expect(try steps(["/x1/y", "/:a/y"] + "@abcdefgh".map { "/\($0):a/y" }) == one)
    }

    @Test(
        "an ambiguous URL matches nothing, and the reason has the position of the problem",
        arguments: [
            ("/a\\b", .ambiguous(.backslash, 2..<3)), ("\\a", .ambiguous(.backslash, 0..<1)),
            ("https://h\\@e/", .ambiguous(.backslash, 9..<10)),
            ("pod:\\\\e/a", .ambiguous(.backslash, 4..<5)),
            ("/a\tb", .ambiguous(.controlCharacter, 2..<3)),
            ("/a\u{7F}", .ambiguous(.controlCharacter, 2..<3)),
            ("/a\0", .ambiguous(.controlCharacter, 2..<3)),
            ("https://h\n/", .ambiguous(.controlCharacter, 9..<10)),
            ("pod://h\r/a-segment-of-more-than-16-bytes", .ambiguous(.controlCharacter, 7..<8)),
            (" /a", .ambiguous(.leadingSpace, 0..<1)), ("\n/a", .ambiguous(.leadingSpace, 0..<1)),
            ("\u{A0}/a", .ambiguous(.leadingSpace, 0..<1)),
            ("\u{3000}https://h/", .ambiguous(.leadingSpace, 0..<1)),
            ("/..", .ambiguous(.dotSegment, 1..<3)), ("/a/./b", .ambiguous(.dotSegment, 3..<4)),
            ("/%2e%2E/b", .ambiguous(.dotSegment, 1..<7)), (".", .ambiguous(.dotSegment, 0..<1)),
            ("/a/.%2e?q", .ambiguous(.dotSegment, 3..<7)),
            ("/..#f", .ambiguous(.dotSegment, 1..<3)),
            ("pod://../a", .ambiguous(.dotSegment, 6..<8)),
            ("pod://%2e/a", .ambiguous(.dotSegment, 6..<9)),
            ("https://h/..", .ambiguous(.dotSegment, 10..<12)),
            ("https://me@h/a", .userInformation(8..<12)), ("pod://@h/a", .userInformation(6..<8)),
            ("https://hé/", .badHost(9..<10)), ("https://%68/", .badHost(8..<9)),
            ("https://h:99999/", .badPort(10..<15)), ("https://h:0/", .badPort(10..<11)),
            ("https://h:a/", .badHost(9..<10)), ("https:///a", .noHost), ("https:/a", .noHost),
            ("HTTP:a", .noHost), ("https://:80/", .noHost),
            ("/a?\\ /../", nil), ("/a#\\/..", nil), ("/a b", nil), ("/...", nil),
            ("/a..b/.c", nil), ("pod:a@b", nil), ("https://h_1-a.b./", nil),
            ("https://[::1]:8/", nil),
            ("//h/a", nil),
        ] as [(String, URLProblem?)]
    )
    func ambiguous(_ url: String, _ expected: URLProblem?) throws {
        #expect(try Self.problem(url) == expected)
    }

    @Test("a path that begins with two slashes matches nothing if origins are declared")
    func doubledSlash() throws {
        #expect(try Self.problem("//h/a", ["pod"]) == .ambiguous(.doubledSlash, 0..<2))
        #expect(try Self.problem("/a//b", ["pod"]) == nil)
        #expect(try Self.problem("pod:////a", ["pod"]) == .ambiguous(.doubledSlash, 6..<8))
        #expect(try Self.problem("pod://a//b", ["pod"]) == nil)
        let web = ["https://h.example"]
        #expect(
            try Self.problem("https://h.example//a", web) == .ambiguous(.doubledSlash, 17..<19)
        )
        #expect(
            try Self.problem("https://h.example:443//a", web) == .ambiguous(.doubledSlash, 21..<23)
        )
    }

    @Test(
        "optional parts and tails match whether or not they are present",
        arguments: [
            ("/a/:b?", "/a", [:]), ("/a/:b?", "/a/x", ["b": "x"]), ("/a/:b?", "/a/x/y", nil),
            ("/:a?/:b(int)?", "/x/7", ["a": "x", "b": 7]), ("/:a?/:b(int)?", "/x/y", nil),
            ("/*r", "/", nil), ("/*r", "/a%2Fb/c/", ["r": "a/b/c"]), ("/*r?", "/", [:]),
            ("/a/*r", "/a", nil), ("/a/*r?", "/a", [:]), ("/a/*r?", "/b", nil),
            ("/:a(int)?/*r?", "/7/x/y", ["a": 7, "r": "x/y"]), ("/:a(int)?/*r?", "/x", nil),
        ] as [(String, String, InfoTable?)]
    )
    func optionals(_ pattern: String, _ url: String, _ expected: InfoTable?) throws {
        #expect(try Self.parameters(pattern, url) == expected)
    }

    @Test(
        "literals are compared after decoding once, and are case-sensitive",
        arguments: [
            ("/caf%C3%A9", "/café", true), ("/café", "/caf%c3%a9", true), ("/a", "/A", false),
            ("/a%2Fb", "/a/b", false), ("/a%2Fb", "/a%2fb", true), ("/%2525", "/%2525", true),
            ("/%25", "/%2525", false), ("/abcdefgh", "/abcdefgh", true),
            ("/abcdefgh", "/abcdefghi", false),
            ("/abcdefghi", "/abcdefghj", false), ("/abcdefghi", "/abcdefghi", true),
            ("/a", "/a%00", false), ("/abcdefghijklmnopq", "/abcdefghijklmnopq", true),
            ("/", "", true), ("/", "pod:", true), ("/", "?k=1", true), ("/a", "", false),
            ("/a", "pod://A", true), ("/a/b", "pod://a/B", false), ("/%2Aa", "/*a", true),
            ("/abcdefghijklmnopq", "/abcdefghxjklmnopq", false), ("/e%CC%81", "/%C3%A9", false),
        ]
    )
    func literals(_ pattern: String, _ url: String, _ isMatch: Bool) throws {
        #expect(try Self.all([pattern], url).isEmpty == !isMatch)
    }

    // MARK: Rank

    @Test("in each segment, a literal wins over a parameter with a kind, a parameter and a tail")
    func rank() throws {
        let patterns = ["/*t", "/:p/7", "/:p(slug)/:q", "/a/*t", "/a/:q", "/a/:q(int)", "/a/7"]
        let order = ["/a/7", "/a/:q(int)", "/a/:q", "/a/*t", "/:p(slug)/:q", "/:p/7", "/*t"]
        #expect(try Self.all(patterns, "/a/7") == order)
        #expect(try Self.all(patterns.reversed(), "/a/7") == order)
    }

    @Test("the kind that accepts fewer texts wins, and a declared kind ranks last")
    func kinds() throws {
        let order = [
            "/:a(7|8)", "/:a(7|8|9)", "/:a(uint)", "/:a(int)", "/:a(number)", "/:a(slug)", "/:a",
        ]
        #expect(try Self.all(order.reversed(), "/7") == order)
        let others = ["/:a(date)", "/:a(slug)", "/:a(even)", "/:a"]
        #expect(try Self.all(others.reversed(), "/2024-02-29") == others)
    }

    @Test("for equal paths, more required query keys win, then a scheme, then the keys by bytes")
    func queryRank() throws {
        let patterns = [
            "pod://a?k=:k&l=:l", "/a?k=:k&l=:l", "pod://a?k=:k", "/a?k=:k", "/a?l=:l", "pod://a",
            "/a",
        ]
        #expect(try Self.all(patterns.reversed(), "pod://a?k=1&l=2") == patterns)
        #expect(try Self.all(patterns, "/a?l=2") == ["/a?l=:l", "/a"])
        #expect(try Self.all(["/a?k=:k", "/a?k=:k(int)"], "/a?k=7").first == "/a?k=:k(int)")
        #expect(try Self.all(["/a?k=:k", "/a?k=:k(int)"], "/a?k=x") == ["/a?k=:k"])
    }

    @Test(
        "two patterns with the same shape are an error that names both locations",
        arguments: [
            ("/a", "/a", "url '/a' is given twice (f:1 and g:2)"),
            ("/:x", "/:y", "url '/:y' (g:2) matches the same URLs as '/:x' (f:1)"),
            (
                "/:x(a|b)", "/:y(b|a)",
                "url '/:y(b|a)' (g:2) matches the same URLs as '/:x(a|b)' (f:1)"
            ),
            (
                "/a/:x?", "/a",
                "url '/a' (g:2) matches the same URLs as '/a/:x?' (f:1) if optional parts are absent"
            ),
            (
                "/a", "/a/*r?",
                "url '/a/*r?' (g:2) matches the same URLs as '/a' (f:1) if optional parts are absent"
            ),
            (
                "/?k=:x", "/?k=:y&l=:l?",
                "url '/?k=:y&l=:l?' (g:2) matches the same URLs as '/?k=:x' (f:1)"
            ),
            ("pod://A", "POD:///a", "url 'pod://a' is given twice (f:1 and g:2)"),
        ]
    )
    func conflicts(_ first: String, _ second: String, _ message: String) throws {
        let routes = [
            URLTable.Route(try URLPattern(first), at: "f:1"),
            URLTable.Route(try URLPattern(second), at: "g:2"),
        ]
        let error = try #require(throws: URLConflict.self) { try URLTable(routes) }
        #expect(error.message == message)
        #expect((error.first, error.second) == (0, 1))
    }

    @Test(
        "patterns with different ranks do not conflict",
        arguments: [
            ["/:x(int)", "/:x", "/*x", "/a"],
            ["/a", "pod://a", "https://h.example/a", "http://h.example/a"],
            ["/a?k=:k", "/a?l=:l", "/a", "/a?k=:k(int)"],
            ["/Player/:id", "/player/:id", "/PLAYER/:id"],
        ]
    )
    func noConflict(_ patterns: [String]) throws {
        #expect(try Self.table(patterns).count == patterns.count)
    }

    @Test("backtracking is complete, and a failed branch leaves no parameters behind")
    func backtracking() throws {
        let patterns = ["/x/:a/y/:b/z", "/x/:a/:c/w/q", "/x/1/y/w/no", "/x/*rest"]
        let matches = URLComparisonTests.all(try Self.table(patterns), "/x/1/y/w/q")
        #expect(matches.map(\.route) == [1, 3])
        #expect(matches.first?.parameters == ["a": "1", "c": "y"])
    }

    @Test(
        "a declared kind is called last, once for each text, and may end the search with an error"
    )
    func declaredKinds() throws {
        struct Failure: Error {}
        let table = try Self.table(["/:a(even)/x", "/:a(even)/:b(even)", "/:a(even)/*r", "/:a/:b"])
        var asked: [String] = []
        let answer = table.match("/abc/xy") { kind, text in
            asked.append("\(kind) \(text.displayText)")
            return nil
        }
        guard case .match(let match) = answer else {
            Issue.record("no match")
            return
        }
        #expect(match.route == 3 && asked == ["even abc"])
        asked = []
        _ = table.match("/abc/xy/z/%7A?q") { _, text in
            asked.append(text.displayText)
            return .nil
        }
        #expect(asked == ["abc"])
        _ = table.match("/none") { _, _ in
            Issue.record("a path of one segment fits nothing")
            return nil
        }
        #expect(throws: Failure.self) {
            _ = try table.match("/abc/x") { _, _ throws(Failure) in throw Failure() }
        }
    }

    // MARK: Origins

    @Test(
        "the host of a custom scheme is the first segment, and is case-insensitive",
        arguments: [
            ("podcast://Player/7", ["podcast://player/:id", "/Player/:id", "/player/:id"]),
            ("PODCAST://player/7", ["podcast://player/:id", "/player/:id", "/Player/:id"]),
            // A custom scheme has no default port.
            ("podcast://player:80/7", ["/player/:id", "/Player/:id"]),
            ("podcast:///player/7", ["podcast://player/:id", "/player/:id", "/Player/:id"]),
            ("podcast:player/7", ["podcast://player/:id", "/player/:id", "/Player/:id"]),
            ("other://player/7", ["/player/:id", "/Player/:id"]), ("/player/7", ["/player/:id"]),
            ("player/7", ["/player/:id"]), ("/Player/7", ["/Player/:id"]), ("/PLAYER/7", []),
            ("https://any.example/player/7", ["/player/:id"]), ("https://player/7", []),
            ("https://any.example/PLAYER/7", []),
        ]
    )
    func customSchemes(_ url: String, _ expected: [String]) throws {
        let patterns = ["podcast://Player/:id", "/Player/:id", "/player/:id"]
        let found = Set(
            try Self.all(patterns, url).map { $0 == patterns[0] ? "podcast://player/:id" : $0 }
        )
        #expect(found == Set(expected))
        #expect(
            try Self.all(patterns, url).first == patterns[0]
                || !expected.contains("podcast://player/:id")
        )
    }

    @Test("a parameter in the host keeps its spelling")
    func hostParameter() throws {
        #expect(try Self.parameters("/:a", "pod://MiXed") == ["a": "MiXed"])
        #expect(try Self.parameters("/:a(slug)", "pod://Mixed") == nil)
        #expect(
            try Self.parameters("pod://:a/*r", "pod://X%20Y/Z") == ["a": "X Y", "r": "Z"]
        )
    }

    @Test(
        "an https pattern matches its host with the default port, case-insensitively",
        arguments: [
            ("https://h.example/a", true), ("HTTPS://H.EXAMPLE:443/a#x", true),
            ("https://h.example:/a", true), ("https://h.example:0443/a", true),
            ("https://h.example:8443/a", false), ("https://h.example:80/a", false),
            ("https://h.example./a", false), ("https://x.h.example/a", false),
            ("http://h.example/a", false), ("https://i.example/a", false), ("/a", false),
            ("https:/a", false), ("https:///a", false), ("h.example/a", false),
            ("pod://h.example/a", false),
        ]
    )
    func webOrigins(_ url: String, _ isMatch: Bool) throws {
        #expect(try Self.all(["https://h.example/a"], url).isEmpty == !isMatch)
    }

    @Test(
        "a table accepts URLs of the declared origins, with any path",
        arguments: [
            ("podcast://a", nil), ("PODCAST:a", nil), ("other://a", .foreignOrigin),
            ("https://podcasts.example/a", nil), ("https://else.example/a", .foreignOrigin),
            ("http://podcasts.example/a", .foreignOrigin), ("/a", nil), ("a", nil),
            ("https://podcasts.example:443/a", nil), ("podcast://a:80", .foreignOrigin),
            ("https://podcasts.example:8443/a", .foreignOrigin),
            ("https://podcasts.example./a", .foreignOrigin),
            ("https://dev.example:8443/a", nil), ("https://dev.example/a", .foreignOrigin),
            ("https://acme.shop.example/a", nil), ("https://a.b.shop.example/a", .foreignOrigin),
            ("https://shop.example/a", .foreignOrigin), ("https://.shop.example/a", .foreignOrigin),
        ] as [(String, URLProblem?)]
    )
    func declaredOrigins(_ url: String, _ expected: URLProblem?) throws {
        let origins = [
            "podcast", "https://podcasts.example", "https://dev.example:8443",
            "https://*.shop.example",
        ]
        #expect(try Self.problem(url, origins) == expected)
        #expect(try Self.problem(url) == nil)
    }

    @Test("a host label declared as a parameter is part of each match")
    func declaredTenant() throws {
        let table = try Self.table(
            ["/a/:id", "https://:own.shop.example/b", "/c/:tenant"],
            ["https://:tenant.shop.example", "https://www.shop.example", "pod"]
        )
        func parameters(_ url: String) -> InfoTable? {
            URLComparisonTests.all(table, url).first?.parameters
        }
        #expect(parameters("https://ACME.shop.example/a/7") == ["id": "7", "tenant": "acme"])
        #expect(parameters("https://www.shop.example/a/7") == ["id": "7"])
        #expect(parameters("pod://a/7") == ["id": "7"])
        #expect(parameters("https://acme.shop.example/b") == ["own": "acme", "tenant": "acme"])
        #expect(parameters("https://acme.shop.example/c/x") == ["tenant": "x"])
    }

    @Test("a host wins over a wildcard host")
    func hostRank() throws {
        let order = ["https://a.h.example/x", "https://:t.h.example/x", "/x"]
        #expect(try Self.all(order.reversed(), "https://a.h.example/x") == order)
        #expect(try Self.all(order.reversed(), "https://b.h.example/x") == Array(order[1...]))
        #expect(throws: URLConflict.self) {
            try Self.table(["https://:t.h.example/x", "https://*.h.example/x"])
        }
    }

    @Test(
        "literals are case-insensitive if the table ignores case, and values keep their case",
        arguments: [
            ("/Shows/:id", "/sHOWS/AbC", ["id": "AbC"]), ("/café", "/CAF%C3%89", [:]),
            ("/V:a", "/v7", ["a": "7"]), ("/:a.HTML", "/X.html", ["a": "X"]),
            ("/:a(x|y)", "/X", nil), ("/a?Q=:q", "/A?q=1", nil), ("/a?Q=:q", "/A?Q=X", ["q": "X"]),
            ("pod://Shows/X", "POD://SHOWS/x", [:]), ("/k", "/\u{212A}", nil), ("/ß", "/SS", nil),
        ] as [(String, String, InfoTable?)]
    )
    func ignoredCase(_ pattern: String, _ url: String, _ expected: InfoTable?) throws {
        let routes = [URLTable.Route(try URLPattern(pattern), at: "")]
        let table = try URLTable(routes, ignoresCase: true)
        #expect(URLComparisonTests.all(table, url).first?.parameters == expected)
    }

    @Test("patterns that differ only by case share a shape if the table ignores case")
    func ignoredCaseConflict() throws {
        let routes = try ["/A/v:x", "/a/V:y"].map { URLTable.Route(try URLPattern($0), at: $0) }
        #expect(URLTable.conflicts(among: routes).isEmpty)
        #expect(URLTable.conflicts(among: routes, ignoresCase: true).count == 1)
    }

    // MARK: The text

    @Test(
        "a malformed or overlong URL matches nothing, and the reason is given",
        arguments: [
            ("/a%", .malformed(2..<3)), ("/a%2", .malformed(2..<4)), ("/%zz/b", .malformed(1..<4)),
            ("/b/%ff", .malformed(3..<6)), ("/%C3/%A9", .malformed(1..<4)),
            ("/%ED%A0%80", .malformed(1..<4)), ("/%C0%AF", .malformed(1..<4)),
            ("/%F4%90%80%80", .malformed(1..<4)), ("/a?k=%", nil), ("/a?%=k", nil),
            ("/a?%C3&%A9", nil), ("pod://%x/a", .malformed(6..<8)), ("/a#%", nil), ("/a!'", nil),
            ("pod://a/100%", .malformed(11..<12)), ("/a/xx%ZZ", .malformed(5..<8)),
            ("/%41%C3%A9%C3x", .malformed(10..<13)), ("/%41é%9", .malformed(6..<8)),
            ("/é%FF%zz", .malformed(3..<6)), ("/%00%zz", .malformed(1..<4)),
            ("/a%%41", .malformed(2..<5)), ("pod://x%ff/a", .malformed(7..<10)),
        ] as [(String, URLProblem?)]
    )
    func malformed(_ url: String, _ expected: URLProblem?) throws {
        #expect(try Self.problem(url) == expected)
    }

    @Test("bytes that are not UTF-8 match nothing")
    func bytes() throws {
        let table = try Self.table(["/*all?"])
        guard case .none(let problem) = table.match(ByteString(bytes: [0x2F, 0xC3])) else {
            Issue.record("a match")
            return
        }
        #expect(problem == .malformed(1..<2))
    }

    @Test("a URL has a maximum length and number of segments")
    func limits() throws {
        let deep = String(repeating: "/a", count: 64)
        #expect(try Self.problem(deep) == nil)
        #expect(try Self.problem(deep + "//?q#f/a") == nil)
        #expect(try Self.problem(deep + "/a") == .tooManySegments)
        #expect(try Self.problem(deep + "/%61") == .tooManySegments)
        #expect(try Self.problem("pod://h" + deep) == .tooManySegments)
        let long = "/" + String(repeating: "a", count: 8191)
        #expect(try Self.problem(long) == nil)
        #expect(try Self.problem(long + "a") == .tooLong(8193))
        #expect(
            try Self.parameters("/:a", "/" + String(repeating: "%61", count: 2000))?["a"].text?
                .count == 2000
        )
    }

    // MARK: The query

    @Test(
        "the query is split into decoded pairs in order, and the last value of a key wins",
        arguments: [
            ("?a", ["a="]), ("?a=", ["a="]), ("?a&b", ["a=", "b="]), ("?", []), ("?&&", []),
            ("?a=1&b=2&a=3", ["a=1", "b=2", "a=3"]), ("?=x", ["=x"]), ("?a=b=c", ["a=b=c"]),
            ("?%61=%20+", ["a= +"]), ("?a=1?b/c:@", ["a=1?b/c:@"]), ("?a=1#?b=2", ["a=1"]),
            ("#?a=1", []), ("?a=%26%3D", ["a=&="]),
        ]
    )
    func queries(_ text: String, _ expected: [String]) throws {
        guard case .match(let match) = try Self.table(["/*all?"]).match(ByteString("/p" + text))
        else {
            Issue.record("no match")
            return
        }
        #expect(match.query.map { "\($0.key.displayText)=\($0.value.displayText)" } == expected)
        for item in match.query {
            let last = match.query.last { $0.key == item.key }
            #expect(match.query.table[.string(item.key)] == last.map { .string($0.value) })
        }
    }

    @Test(
        "declared query parameters must have their kind, and are required unless marked optional",
        arguments: [
            ("/?q=:q&p=:p(int)?", "?q=x", ["q": "x"]), ("/?q=:q&p=:p(int)?", "?q", ["q": ""]),
            ("/?q=:q&p=:p(int)?", "?p=1", nil),
            ("/?q=:q&p=:p(int)?", "?q=x&p=2", ["q": "x", "p": 2]),
            ("/?q=:q&p=:p(int)?", "?q=x&p=y", nil),
            ("/?q=:q&p=:p(int)?", "?q=x&p=y&p=3", ["q": "x", "p": 3]),
            ("/?%71=:q", "?%71=%2B+", ["q": "++"]), ("/?q=:q(even)", "?q=ab", ["q": 2]),
            ("/?q=:q(even)", "?q=a", nil), ("/:p?q=:q", "x?q=y", ["p": "x", "q": "y"]),
        ] as [(String, String, InfoTable?)]
    )
    func declaredQuery(_ pattern: String, _ url: String, _ expected: InfoTable?) throws {
        #expect(try Self.parameters(pattern, url) == expected)
    }

    @Test("a malformed value prevents a match if its key is declared, and is ignored otherwise")
    func malformedQuery() throws {
        let table = try Self.table(["/a?q=:q", "/b?q=:q?", "/b/c"])
        func problem(_ url: String) -> URLProblem? {
            if case .none(let problem) = table.match(ByteString(url)) { problem } else { nil }
        }
        #expect(problem("/a?q=%zz") == .malformed(5..<8))
        #expect(problem("/a?q=x&q=%") == .malformed(9..<10))
        #expect(problem("/a?q=%C3&q=x") == .malformed(5..<8))
        #expect(problem("/b?q=%") == .malformed(5..<6))
        #expect(problem("/a?q=xx%20%zz%") == .malformed(10..<13))
        #expect(problem("/a?q=x\0%") == .malformed(6..<7))
        #expect(problem("/a?%zz=x") == .noPattern)
        #expect(problem("/b?%71=%") == .malformed(7..<8))
        guard case .match(let match) = table.match("/a?u=%zz&q=x&%=1&v=%41") else {
            Issue.record("no match")
            return
        }
        #expect(match.query.map(\.key.displayText) == ["q", "v"])
        #expect(match.parameters == ["q": "x"])
    }

    @Test("backtracking through every segment stays within the step limit")
    func choices() throws {
        // Each segment has three alternatives, and only the last combination matches.
        var patterns: [String] = []
        let segments = (0..<63).map { ["v:p\($0)(date)", "v:p\($0)", ":p\($0)"] }
        for index in segments.indices {
            let head = segments[..<index].map { $0[0].replacing("(date)", with: "(slug)") }
            patterns += segments[index].dropFirst().map {
                (head + [$0, "no"]).map { "/" + $0 }.joined()
            }
        }
        patterns.append("/*rest")
        let url = String(repeating: "/vx", count: 64)
        let table = try Self.table(patterns)
        #expect(URLComparisonTests.all(table, url).map(\.route) == [patterns.count - 1])
        #expect(table.steps(ByteString(url)) < 2_000)
    }

    @Test("the fragment does not affect matching, and is reported")
    func fragment() throws {
        let table = try Self.table(["/a"])
        for (url, expected) in [
            ("/a#b%20c", "b c"), ("/a#", ""), ("/a#%", "%"), ("/a?x#b#c", "b#c"),
        ] {
            guard case .match(let match) = table.match(ByteString(url)) else {
                Issue.record("no match of \(url)")
                continue
            }
            #expect(match.fragment?.text == expected)
        }
    }

    // MARK: Spans, entries, explanations

    @Test("a match contains the ranges of its parameters in the encoded URL")
    func visit() throws {
        let table = try Self.table(["/a/:b/*r?", "/:x/:y?"])
        func ranges(_ url: String) -> [[Range<Int>?]] {
            var found: [[Range<Int>?]] = []
            Array(url.utf8).withUnsafeBytes { bytes in
                _ = table.visit(bytes) { candidate in
                    found.append((0..<candidate.parameterCount).map { candidate.range(of: $0) })
                    return true
                }
            }
            return found
        }
        #expect(ranges("/a/x") == [[3..<4, nil], [1..<2, 3..<4]])
        #expect(ranges("a//%61/y//z/?q") == [[3..<6, 7..<11]])
        #expect(ranges("/b") == [[1..<2, nil]])
        #expect(ranges("") == [])
        let affixed = try Self.table(["/@:user.x"])
        var range: Range<Int>?
        Array("/%40a%62.%78".utf8).withUnsafeBytes { bytes in
            _ = affixed.visit(bytes) { candidate in
                range = candidate.range(of: 0)
                return true
            }
        }
        #expect(range == 4..<8)
    }

    @Test("entries are listed in the order in which they are matched")
    func entries() throws {
        let patterns = ["/*t", "/:p/:q?", "/a/:q(int)", "pod://a", "/a?k=:k", "/a", "/b/c"]
        let entries = try Self.table(patterns).entries.map(\.description)
        #expect(
            entries == [
                "/a?k=:k", "pod://a", "/a", "/a/:q(int)", "/b/c", "/:p", "/:p/:q", "/*t",
            ]
        )
    }

    @Test("an explanation lists matches, near misses with reasons, and ignored parts")
    func explanation() throws {
        let table = try Self.table([
            "/shows/:id(int)", "/shows/:id/reviews", "/shows?q=:q", "pod://shows/x", "/shows",
            "/:any",
            "/shows/:id(date)?n=:n(int)",
        ])
        let explanation = table.explain("https://h:80/shows/2024-01-01?n=x&utm=1#top")
        #expect(explanation.problem == .noPattern)
        #expect(
            explanation.dropped == [
                "key 'n'", "key 'utm'", "fragment 'top'",
            ]
        )
        #expect(
            explanation.misses.map { "\($0.pattern): \($0.reason)" } == [
                "/shows/:id(date)?n=:n(int): the value 'x' of key 'n' is not a valid int",
                "/shows/:id/reviews: segment 3 ('reviews') is missing",
                "/:any: segment 2 ('2024-01-01') is unexpected",
                "/shows: segment 2 ('2024-01-01') is unexpected",
                "/shows/:id(int): segment 2 ('2024-01-01') is not a valid int",
            ]
        )
        #expect(
            table.explain("/shows?a%20=%zz&%=1").dropped == [
                "key 'a ', malformed", "key '%', malformed",
            ]
        )
        let match = table.explain("/shows/7")
        #expect(match.matches.map(\.pattern.description) == ["/shows/:id(int)"])
        #expect(match.matches.first?.parameters == ["id": 7])
        #expect(table.explain("/%").problem == .malformed(1..<2))
        let scheme = table.explain("/shows/x").misses.first { $0.pattern.origin != nil }
        #expect(scheme?.reason == "the pattern is for the scheme 'pod', but the URL has no scheme")
        let other = try #require(table.explain("/other/a", limit: 9).misses.first { $0.route == 4 })
        #expect(other.reason == "segment 1 is 'other', not 'shows'" && other.segment == 1)
    }

    @Test("for any URL, the number of matching steps has a bound that depends on the table")
    func steps() throws {
        // Every segment is a literal, a parameter with a kind and one without, to the sixth depth.
        var patterns = [""]
        for _ in 0..<6 {
            patterns = patterns.flatMap { ["\($0)/a", "\($0)/:p(slug)", "\($0)/:p"] }
        }
        let named = patterns.map { pattern in
            pattern.split(separator: "/").enumerated().map { index, part in
                part.hasPrefix(":p") ? ":p\(index)" + part.dropFirst(2) : String(part)
            }.joined(separator: "/") + "/end"
        }
        let table = try Self.table(named)
        let nodes = (0...7).reduce(0) { sum, depth in sum + (0..<depth).reduce(1) { n, _ in n * 3 }
        }
        let hostile = [
            "/a/a/a/a/a/a/x", "/a/a/a/a/a/a/end", String(repeating: "/a", count: 64),
            String(repeating: "/", count: 8192), String(repeating: "%", count: 8192),
            String(repeating: ":", count: 8192), String(repeating: "a:", count: 4096),
            String(repeating: "%2F", count: 2730), "/?" + String(repeating: "&a=", count: 2730),
            "a://" + String(repeating: "@", count: 8188), String(repeating: "?", count: 8192),
            "a://" + String(repeating: "%41", count: 2729),
        ]
        for url in hostile {
            let steps = table.steps(ByteString(url))
            // A node, its edges, its ending, and backtracking to it.
            #expect(steps <= nodes * 6, "\(url.prefix(20))")
        }
        #expect(table.steps("/a/a/a/a/a/a/end") > 729)
    }
}
