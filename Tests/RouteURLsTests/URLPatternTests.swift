// SPDX-License-Identifier: MIT

import RouteCore
import RouteURLs
import Testing

struct URLPatternTests {
    /// A malformed pattern, with the part that the error marks, the message and the help.
    struct Failure: Sendable, CustomTestStringConvertible {
        var pattern: String
        var marked: String
        var message: String
        var help: String?
        var testDescription: String { pattern }

        init(_ pattern: String, _ marked: String, _ message: String, _ help: String? = nil) {
            (self.pattern, self.marked, self.message, self.help) = (pattern, marked, message, help)
        }
    }

    @Test(
        "a pattern whose canonical spelling is too long is rejected",
        arguments: ["/%", "/a?%=:x", "/:a%", "x://%/b"]
    )
    func longSpelling(_ form: String) throws {
        for character in ["[", "é", "\u{1}"] {
            let width = character.utf8.count * 3
            let base = form.utf8.count - 1
            func text(_ count: Int) -> String {
                form.replacing("%", with: String(repeating: character, count: count))
            }
            let longest = try #require(
                (0...4_096).last { count in
                    (try? URLPattern(text(count))) != nil
                }
            )
            #expect((8_180 - base...8_192).contains(longest * width + base), "\(longest)")
            let pattern = try URLPattern(text(longest))
            #expect(try URLPattern(pattern.description) == pattern)
            let error = #expect(throws: NotationError.self) { try URLPattern(text(longest + 1)) }
            #expect(error?.message.hasSuffix("bytes after escaping") == true)
        }
    }

    @Test(
        "a pattern equals its canonical spelling",
        arguments: [
            ("/", "/"), ("///", "/"), ("shows", "/shows"), ("/shows/", "/shows"),
            ("//shows//:id/", "/shows/:id"), ("/shows/:showId(int)", "/shows/:showId(int)"),
            ("/:a(int)?/:b?/*c?", "/:a(int)?/:b?/*c?"), ("/*rest", "/*rest"),
            ("/:_/:_(int)/:_?", "/:_/:_(int)/:_?"), ("/?a=:_&b=:_?", "/?a=:_&b=:_?"),
            ("Podcast://Shows/:Id", "podcast://shows/:Id"), ("podcast:///Shows", "podcast://shows"),
            ("podcast://", "podcast://"), ("HTTPS://H.Example/A", "https://h.example/A"),
            ("https://h.example", "https://h.example/"), ("/%41%2F%3a", "/A%2F%3A"),
            ("/caf%C3%A9", "/caf%C3%A9"), ("/café", "/caf%C3%A9"), ("/sd(here", "/sd(here"),
            ("/:id?", "/:id?"), ("/:id??ref=:r", "/:id??ref=:r"), ("/:id?ref=:r", "/:id?ref=:r"),
            ("/:id?/?ref=:r", "/:id??ref=:r"),
            ("/s?q=:query&page=:page(int)?", "/s?q=:query&page=:page(int)?"),
            ("/?q=:q?", "/?q=:q?"), ("/:t(about|re%7Cviews)", "/:t(about|re%7Cviews)"),
            ("/:i(isbn)", "/:i(isbn)"), ("/@:user", "/@:user"), ("pod:///@:user", "pod://%40:user"),
            ("/:name.html", "/:name.html"),
            ("/v:major(int)", "/v:major(int)"), ("/post-:id(int)(x)", "/post-:id(int)(x)"),
            ("/:a%78y", "/:a%78y"), ("/:a%28x", "/:a%28x"), ("/%2E:a%2e", "/.:a."),
            ("podcast://V:Major", "podcast://v:Major"), ("/:a(bool)", "/:a(bool)"),
            ("https://:Tenant.Example.com/A", "https://:Tenant.example.com/A"),
            ("https://*.example.com", "https://*.example.com/"),
            ("https://h:443/a", "https://h/a"), ("https://h:8443/a", "https://h:8443/a"),
            ("http://[::1]:8080/a", "http://[::1]:8080/a"), ("/v:a?q=:q", "/v:a?q=:q"),
            ("/:a-:b", "/:a-:b"), ("/:a-", "/:a-"), ("/v:a(int)x:b--c/d", "/v:a(int)x:b--c/d"),
            ("/:a%2Db:c", "/:a%2Db:c"), ("/:a---:b(int)(x)", "/:a---:b(int)(x)"),
            ("/:a%28x:b", "/:a%28x:b"), ("pod://A:x.B:y", "pod://a:x.b:y"),
            ("/:a?/b/:c?", "/:a?/b/:c?"), ("/a#b/:c(int)?x=:d?", "/a#b/:c(int)?x=:d?"),
            ("/a#//b/", "/a#/b"), ("/a#?x=:x", "/a#?x=:x"), ("/:a?#/:b?", "/:a?#/:b?"),
            ("/a?x=:y?#/z?k=%23", "/a?x=:y?#/z?k=%23"), ("pod://A#/B", "pod://a#/B"),
            ("/?k=a:b/c%3F&l=%3Ax&m=", "/?k=a%3Ab%2Fc%3F&l=%3Ax&m="), ("/?a%3Fb=:a", "/?a%3Fb=:a"),
            ("/*l(list)?", "/*l(list)?"), ("/*l(a|b%20list list)", "/*l(a|b%20list list)"),
            ("/*l(isbn list)", "/*l(isbn list)"), ("/?t=:l(int list)?", "/?t=:l(int list)?"),
            ("/?%61%3D=:a", "/?a%3D=:a"), ("/*r??q=:q", "/*r??q=:q"),
        ]
    )
    func canonical(_ text: String, _ expected: String) throws {
        let pattern = try URLPattern(text, kinds: ["isbn"])
        #expect(pattern.description == expected)
        #expect(try URLPattern(expected, kinds: ["isbn"]) == pattern)
    }

    @Test("a segment without a parameter name matches, and its value is discarded")
    func unnamed() throws {
        let pattern = try URLPattern("/a/:_/:_(int)/:id(int)?x=:_?")
        #expect(pattern.parameters.map(\.name) == ["id"])
        let table = try URLTable([URLTable.Route(pattern, at: "main.lua:1")])
        guard case .match(let match) = table.match("/a/b/1/7?x=2") else {
            Issue.record("no match")
            return
        }
        #expect(match.parameters == ["id": 7])
        if case .match = table.match("/a/b/c/7") { Issue.record("'c' is no integer") }
        let error = #expect(throws: RouteError.self) { try pattern.url(["id": 7, "_": 1]) }
        #expect(
            error?.message.hasPrefix("the URL cannot be built because ':_' has no value") == true
        )
    }

    private static let kinds =
        "the kinds are bool, date, int, number, slug, uint, uuid, isbn and alternatives such as 'a|b|c'"

    private static let pairs =
        "a segment has more than two parameters, or no text between two parameters"

    static let malformed: [Failure] = [
        Failure("", "", "a pattern expected, got an empty text"),
        Failure("/:id(itn)", "itn", "unknown kind 'itn'", "did you mean 'int'? \(kinds)"),
        Failure(
            "/:id(integer)",
            "integer",
            "unknown kind 'integer'",
            "did you mean 'int'? \(kinds)"
        ),
        Failure(
            "/:id(Boolean)",
            "Boolean",
            "unknown kind 'Boolean'",
            "did you mean 'bool'? \(kinds)"
        ),
        Failure("/:id(isbm)", "isbm", "unknown kind 'isbm'", "did you mean 'isbn'? \(kinds)"),
        Failure(
            "/:id(something)",
            "something",
            "unknown kind 'something'",
            kinds
        ),
        Failure("/a?q=:q?b=:c", "?", "the query contains a second '?'"),
        Failure("/a?q?=:q", "?", "the query contains a second '?'"),
        Failure(
            "/*rest/a",
            "a",
            "a segment follows the tail '*rest'",
            "a tail must be the last segment"
        ),
        Failure("/*rest?/:a?", ":a?", "a segment follows the tail '*rest'"),
        Failure(
            "/:a?/b/:c?/d/:e?/f/:g?/h",
            "/:a?/b/:c?/d/:e?/f/:g?/h",
            "the pattern has 4 optional segments before required segments"
        ),
        Failure("/:a?/:b?/c", "/:a?/:b?/c", "the pattern matches some URLs in two ways"),
        Failure("/:a?/:b/:c?", "/:a?/:b/:c?", "the pattern matches some URLs in two ways"),
        Failure("/:a/:b/:a", ":a", "parameter 'a' is named twice"),
        Failure("/:a/*a", "*a", "parameter 'a' is named twice"),
        Failure("/?x=:a&y=:a", "y=:a", "parameter 'a' is named twice"),
        Failure("/?x=:a&x=:b", "x=:b", "key 'x' is given twice"),
        Failure("/:", ":", "a name expected after ':', got the end"),
        Failure("/*", "*", "a name expected after '*', got the end"),
        Failure("/:_a", ":", "a name expected after ':', got '_'"),
        Failure("/:1", ":", "a name expected after ':', got '1'"),
        Failure("/:a()", "()", "a kind expected between '(' and ')'"),
        Failure("/:a(int", "(int", "')' expected, got the end"),
        Failure("/:a(x|)", "x|", "the parameter has an empty alternative"),
        Failure("/:a(x|y|x)", "x", "alternative 'x' is given twice"),
        Failure(
            "/{id}",
            "{",
            "unexpected '{'",
            "write a parameter as ':id', and a literal '{' as '%7B'"
        ),
        Failure("/<id>", "<", "unexpected '<'"),
        Failure(
            "/<int:id>",
            "<",
            "unexpected '<'",
            "write a parameter as ':id(int)', and a literal '<' as '%3C'"
        ),
        Failure(
            "/{id:[0-9]+}",
            "{",
            "unexpected '{'",
            "write a parameter as ':id(int)', and a literal '{' as '%7B'"
        ),
        Failure(
            "/u{/:id}",
            "{",
            "unexpected '{'",
            "write a parameter as '/:id?', and a literal '{' as '%7B'"
        ),
        Failure(#"/:id(\d+)"#, #"\d+"#, #"unknown kind '\d+'"#, "write ':id(int)'"),
        Failure(
            #"/:id(\d+|new)"#,
            #"\d+"#,
            #"the alternatives of ':id' contain the regular expression '\d+'"#,
            "'|' separates literal texts: write one pattern with ':id(int)' and one for each text"
        ),
        Failure(
            "/:id(new|^[A-Z]{2}$)",
            "^[A-Z]{2}$",
            "the alternatives of ':id' contain the regular expression '^[A-Z]{2}$'",
            "'|' separates literal texts: write one pattern with ':id' and one for each text"
        ),
        Failure(
            "/:id(a.*|b)",
            "a.*",
            "the alternatives of ':id' contain the regular expression 'a.*'"
        ),
        Failure("/:path(.*)*", ".*", "unknown kind '.*'", "write '*path'"),
        Failure(
            "/:path*",
            "*",
            "unexpected '*' after ':path'",
            "write '*path?', or '*path(list)' for a list of segments; a literal '*' is written '%2A'"
        ),
        Failure(
            "/:id(int)+?x=:x",
            "+",
            "unexpected '+' after ':id'",
            "write '*id', or '*id(list)' for a list of segments; a literal '+' is written '%2B'"
        ),
        Failure("/x/:a:b", ":a:b", Self.pairs),
        Failure("/:a.x:b.y:c/d", ":a.x:b.y:c", Self.pairs),
        Failure("/:a-:a", ":a-:a", "parameter 'a' is named twice"),
        Failure("/:a-:b?", ":a-:b?", "the optional parameter ':b' is only a part of a segment"),
        Failure("/v:a?", "v:a?", "the optional parameter ':a' is only a part of a segment"),
        Failure("/v:a??x=:x", "v:a?", "the optional parameter ':a' is only a part of a segment"),
        Failure(
            "/:a.html?/b",
            ":a.html?",
            "the optional parameter ':a' is only a part of a segment"
        ),
        Failure("/:a(int)?&b", "&b", "'/' or the end of the pattern expected after ':a', got '&'"),
        Failure(
            "/a:",
            ":",
            "a name expected after ':', got the end",
            "a literal ':' is written '%3A'"
        ),
        Failure(
            "/12:30",
            ":",
            "a name expected after ':', got '3'",
            "a literal ':' is written '%3A'"
        ),
        Failure("/a*", "*", "unexpected '*' in the middle of a segment"),
        Failure("/v:a*", "*", "unexpected '*' in the middle of a segment"),
        Failure("podcast:a", ":", "unexpected ':' in the first word of the pattern"),
        Failure("v:major", ":", "unexpected ':' in the first word of the pattern"),
        Failure("/a/../b", "..", "the pattern contains a dot segment, so no URL can match"),
        Failure("/%2e", "%2e", "the pattern contains a dot segment, so no URL can match"),
        Failure(
            "/*a(int)",
            "*a(int)",
            "a tail can have a kind only if it is a list",
            "'*a(int list)' matches a list of values of this kind"
        ),
        Failure("/:a(list)", "(list)", "':a' is a list, but a segment has only one value"),
        Failure(
            "/v:a(int list)/b",
            "(int list)",
            "':a' is a list, but a segment has only one value"
        ),
        Failure("/*a(itn list)", "itn", "unknown kind 'itn'"),
        Failure("/a%00", "a%00", "the pattern contains a NUL character, so no URL can match"),
        Failure("/x/:id?id=:id", "id=:id", "parameter 'id' is named twice"),
        Failure("/*id?id=:id", "id=:id", "parameter 'id' is named twice"),
        Failure("/a%2", "a%2", "malformed escape in 'a%2'"),
        Failure("/%ff", "%ff", "malformed escape in '%ff'"),
        Failure("/a?", "?", "a parameter expected before '?'"),
        Failure("/?", "?", "a parameter expected before '?'"),
        Failure("/a?x", "x", "'=:name' expected after 'x', got the end"),
        Failure("/a?x=7?b=:c", "?", "the query contains a second '?'"),
        Failure("/a?x={id}", "{", "unexpected '{'"),
        Failure("/a?x=7&x=:b", "x=:b", "key 'x' is given twice"),
        Failure("/a?=:a", "=", "a query key expected, got '='"),
        Failure("/a?x=:a/b", "/", "'&' or the end of the pattern expected after ':a', got '/'"),
        Failure("/a#", "#", "one '#' expected, followed by a path or a query"),
        Failure("/a#b#c", "#c", "one '#' expected, followed by a path or a query"),
        Failure("/:a#/:a", ":a", "parameter 'a' is named twice"),
        Failure("/a?x=:a#?y=:a", "y=:a", "parameter 'a' is named twice"),
        Failure("https:///a", "", "a host expected after 'https://'"),
        Failure("https://h:0/a", ":0", "a port from 1 to 65535 expected"),
        Failure("https://h:x/a", ":x", "a port from 1 to 65535 expected"),
        Failure("https://h:/a", ":", "a port from 1 to 65535 expected"),
        Failure(
            "https://:h/a",
            ":h",
            "'*' and ':name' can only replace the whole first label of a host"
        ),
        Failure(
            "https://a.*.b/a",
            "*",
            "'*' and ':name' can only replace the whole first label of a host"
        ),
        Failure(
            "https://x:t.b/a",
            ":",
            "a host cannot contain ':' at this position"
        ),
        Failure("https://a..b/a", "", "the host has an empty label"),
        Failure(
            "https://hé.example/a",
            "\u{C3}",
            "a host in ASCII expected",
            "write other letters as 'xn--…'"
        ),
        Failure("https://:t.h/:t", ":t", "parameter 't' is named twice"),
        Failure("https://:t.h/?t=:t", "t=:t", "parameter 't' is named twice"),
        Failure("https://me@h/a", "@", "a host cannot contain a user"),
        Failure("pod://me@h/a", "@", "a host cannot contain a user"),
    ]

    @Test("an error in a pattern has its location", arguments: malformed)
    func failures(_ failure: Failure) throws {
        let error = try #require(throws: NotationError.self) {
            try URLPattern(failure.pattern, kinds: ["isbn"])
        }
        #expect(error.message == failure.message)
        if let help = failure.help { #expect(error.help == help) }
        let bytes = Array(failure.pattern.utf8)
        let isASCII = bytes[error.range].allSatisfy { $0 < 0x80 }
        #expect(!isASCII || String(decoding: bytes[error.range], as: UTF8.self) == failure.marked)
    }

    @Test("a pattern has a maximum length and number of segments")
    func limits() throws {
        let most = String(repeating: "/a", count: 64)
        #expect(try URLPattern(most).segments.count == 64)
        #expect(throws: NotationError.self) { try URLPattern(most + "/a") }
        #expect(try URLPattern("/" + String(repeating: "a", count: 8191)).segments.count == 1)
        #expect(throws: NotationError.self) {
            try URLPattern("/" + String(repeating: "a", count: 8192))
        }
    }

    @Test(
        "an origin is either a scheme, or http with a host",
        arguments: [
            ("podcast", "podcast"), ("Podcast://", "podcast"), ("podcast:", "podcast"),
            ("https://H.Example/", "https://h.example"), ("http://h", "http://h"), ("https", nil),
            ("https://", nil), ("https://h/a", nil), ("https://h:1", "https://h:1"),
            ("https://h:443/", "https://h"), ("https://h:65536", nil), ("podcast://h", nil),
            ("", nil), ("1a", nil), ("h.example/a", nil), ("https://*.h", "https://*.h"),
            ("https://:T.H", "https://:T.h"), ("https://h.", nil), ("https:h", nil),
            ("com.example.app:", "com.example.app"), ("good.com", nil), ("https://hé", nil),
            ("https://h%2e", nil), ("https://me@h", nil), ("https://[::1]", "https://[::1]"),
        ] as [(String, String?)]
    )
    func origins(_ text: String, _ expected: String?) {
        #expect((try? URLOrigin(text))?.description == expected)
    }

    @Test(
        "the error for an origin without a scheme suggests a scheme",
        arguments: [
            ("good.com", "did you mean 'https://good.com'?"),
            ("good.com/a", "did you mean 'https://good.com'?"),
            ("good.com:8443", "did you mean 'https://good.com:8443'?"),
            ("//good.com", "did you mean 'https://good.com'?"),
            ("https:good.com", "did you mean 'https://good.com'?"),
            ("https:/good.com", "did you mean 'https://good.com'?"),
            ("*.good.com", "did you mean 'https://*.good.com'?"),
            (
                "1a",
                "write a scheme, as in 'podcast', or a web origin, as in 'https://podcasts.example'"
            ),
            (
                "https:good com",
                "write a scheme, as in 'podcast', or a web origin, as in 'https://podcasts.example'"
            ),
        ]
    )
    func meantOrigins(_ text: String, _ help: String) throws {
        let error = try #require(throws: NotationError.self) { try URLOrigin(text) }
        #expect(error.help == help)
    }

    @Test(
        "a pattern prints a URL from its parameters",
        arguments: [
            ("/shows/:id(int)", ["id": 7], "/shows/7"), ("/:a", ["a": "a/b?#%"], "/a%2Fb%3F%23%25"),
            ("/:a", ["a": 7], "/7"), ("/:a", ["a": 7.5], "/7.5"), ("/:a", ["a": true], "/true"),
            ("/:a?/:b?", [:], "/"), ("/:a?/:b?", ["a": "x"], "/x"),
            ("/*r", ["r": "a b/c"], "/a%20b/c"), ("/*r?", [:], "/"),
            ("pod://:a/:b", ["a": "X:1@", "b": "x:1@"], "pod://X%3A1%40/x:1@"),
            ("pod://", [:], "pod://"), ("https://h.example/:a", ["a": "x"], "https://h.example/x"),
            ("https://h.example", [:], "https://h.example"),
            ("/s?q=:q&p=:p(int)?", ["q": "a&b=c+d", "p": 2], "/s?q=a%26b%3Dc%2Bd&p=2"),
            ("/s?q=:q&p=:p(int)?", ["q": "", "x": 1], "/s?q="),
            ("/:n(number)", ["n": 1e30], "/1e+30"),
            ("/@:a", ["a": "x/y"], "/@x%2Fy"), ("/:a.html", ["a": "."], "/..html"),
            ("/v:a(int)", ["a": 7], "/v7"), ("/:a(bool)", ["a": false], "/false"),
            ("https://:t.h:8443/:a", ["t": "acme", "a": "x"], "https://acme.h:8443/x"),
            ("/:a(x|y)", ["a": "y"], "/y"), ("/:n(number)", ["n": 7], "/7"),
        ] as [(String, InfoTable, String)]
    )
    func printing(_ pattern: String, _ parameters: InfoTable, _ expected: String) throws {
        #expect(try URLPattern(pattern).url(parameters) == expected)
    }

    @Test(
        "the error for a missing or unsuitable parameter names the parameter",
        arguments: [
            ("/:id(int)", [:], "missing parameter 'id' (url '/:id(int)')"),
            ("/:a?/:b?", ["b": "x"], "missing parameter 'a' (expected before 'b', url '/:a?/:b?')"),
            ("/?q=:q", [:], "missing parameter 'q' (url '/?q=:q')"),
            (
                "/:id(int)", ["id": "7"],
                "bad parameter 'id' (integer expected, got '7', url '/:id(int)')"
            ),
            (
                "/:id(uint)", ["id": -7],
                "bad parameter 'id' (integer of 0 or more expected, got -7, url '/:id(uint)')"
            ),
            ("/:a", ["a": ""], "bad parameter 'a' (non-empty text expected, got '', url '/:a')"),
            ("/:a", ["a": [1]], "bad parameter 'a' (string expected, got a table, url '/:a')"),
            ("/:a(x|y)", ["a": "z"], "bad parameter 'a' (x|y expected, got 'z', url '/:a(x|y)')"),
            (
                "/:a", ["a": ".."],
                "bad parameter 'a' (text without dot segments expected, got '..', url '/:a')"
            ),
            (
                "/*a", ["a": "x/./y"],
                "bad parameter 'a' (text without dot segments expected, got 'x/./y', url '/*a')"
            ),
            (
                "/.:a", ["a": "."],
                "bad parameter 'a' (text without dot segments expected, got '.', url '/.:a')"
            ),
            (
                "pod://:a", ["a": "."],
                "bad parameter 'a' (text without dot segments expected, got '.', url 'pod://:a')"
            ),
            (
                "/v:a", ["a": ""], "bad parameter 'a' (non-empty text expected, got '', url '/v:a')"
            ),
            ("/:a(bool)", ["a": 1], "bad parameter 'a' (boolean expected, got 1, url '/:a(bool)')"),
            ("https://:t.h/", [:], "missing parameter 't' (url 'https://:t.h/')"),
            (
                "https://:t.h/", ["t": "Acme"],
                "bad parameter 't' (a lower-case host label expected, got 'Acme', url 'https://:t.h/')"
            ),
            (
                "https://:t.h/", ["t": "a.b"],
                "bad parameter 't' (a lower-case host label expected, got 'a.b', url 'https://:t.h/')"
            ),
            (
                "https://*.h/", [:],
                "the URL cannot be built because its host contains '*' (write ':name' instead, url 'https://*.h/')"
            ),
            (
                "/:a(date)", ["a": "2023-02-29"],
                "bad parameter 'a' (date expected, got '2023-02-29', url '/:a(date)')"
            ),
            (
                "/*r", ["r": "a//b"],
                "bad parameter 'r' (text without empty segments expected, got 'a//b', url '/*r')"
            ),
        ] as [(String, InfoTable, String)]
    )
    func notPrinting(_ pattern: String, _ parameters: InfoTable, _ message: String) throws {
        let pattern = try URLPattern(pattern)
        let error = try #require(throws: RouteError.self) { try pattern.url(parameters) }
        #expect(error.code == .badInfo)
        #expect(error.message == message)
    }

    @Test("printing a URL that exceeds the limits is an error")
    func printedLimits() throws {
        let long = Value.string(ByteString(String(repeating: "a", count: 8192)))
        #expect(throws: RouteError.self) { try URLPattern("/:a").url(["a": long]) }
        let deep = Value.string(ByteString(Array(repeating: "a", count: 65).joined(separator: "/")))
        #expect(throws: RouteError.self) { try URLPattern("/*a").url(["a": deep]) }
    }
}
