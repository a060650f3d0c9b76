// SPDX-License-Identifier: MIT

import RouteCore
import RouteURLs
import Testing

/// Tests of explanations of patterns that do not match.
struct URLExplainerTests {
    private func explain(
        _ url: ByteString,
        _ patterns: [String],
        limit: Int = 5
    ) throws -> URLExplanation {
        let routes = try patterns.map { text in
            URLTable.Route(try URLPattern(text, kinds: ["sku", "zip"]), at: "test")
        }
        let explainer = URLExplainer(try URLTable(routes))
        return explainer.explain(url, limit: limit) { kind, _ in kind == "zip" ? "" : nil }
    }

    @Test("if nothing matches, patterns with misspelled literals are listed first")
    func misspelled() throws {
        let patterns = ["/a", "/b/:id", "/shows/:id", "/z/:id"]
        let explanation = try explain("/shwos/7", patterns)
        #expect(
            explanation.misses.map(\.pattern.description) == [
                "/shows/:id", "/a", "/b/:id", "/z/:id",
            ]
        )
        #expect(explanation.misses.allSatisfy { $0.segment == 1 })
        // With a limit of one it is the only one reported.
        let one = try explain("/shwos/7", patterns, limit: 1)
        #expect(one.misses.map(\.pattern.description) == ["/shows/:id"])
    }

    @Test("among equally good candidates, a pattern with a misspelled segment is listed first")
    func misspelledBehind() throws {
        let explanation = try explain("/shows/reviws", ["/shows/about", "/shows/reviews", "/a"])
        #expect(explanation.misses.map(\.route) == [1, 0, 2])
    }

    @Test(
        "a pattern that differs only in the kind of one segment is nearer than one with another number of segments",
        arguments: [
            (["/events", "/events/:id(int)"], "/events/seven", "/events/:id(int)"),
            (["/events", "/events/n:id(int)"], "/events/nine", "/events/n:id(int)"),
            (["/a", "/a/:b(int)/c", "/a/:b(int)/d"], "/a/x/d", "/a/:b(int)/d"),
            // The literal of the same length is more likely to be misspelled.
            (["/events/first", "/events/:id(int)"], "/events/fist", "/events/first"),
        ]
    )
    func kindAlone(_ patterns: [String], _ url: String, _ expected: String) throws {
        let explanation = try explain(ByteString(url), patterns)
        #expect(explanation.misses.first?.pattern.description == expected)
        let table = try URLTable(patterns.map { URLTable.Route(try URLPattern($0), at: "test") })
        #expect(table.nearest(to: ByteString(url), .noPattern) == explanation.misses.first)
    }

    @Test(
        "for a misspelled segment, the similar literal is suggested; a different pattern is not a near miss"
    )
    func suggests() throws {
        let misses = try explain("/shwos/7", ["/shows/:id", "/about", "/"]).misses
        #expect(misses.map(\.suggestion) == ["shows", nil, nil])
        #expect(misses.map(\.isNear) == [true, false, false])
        #expect(misses.first?.reason == "segment 1 is 'shwos', not 'shows'")
        #expect(misses.first?.advice == "segment 1 is 'shwos', did you mean 'shows'?")
        let behind = try explain("/shows/reviws", ["/shows/reviews", "/shows/about"]).misses
        #expect(behind.map(\.suggestion) == ["reviews", nil])
        #expect(behind.allSatisfy { $0.isNear })
        let host = try explain("podcast://Shwos/7", ["podcast://shows/:id"]).misses
        #expect(host.map(\.suggestion) == ["shows"])
        let query = try explain("/a", ["/a?q=:q"]).misses
        #expect(query.allSatisfy { $0.isNear && $0.segment == nil && $0.suggestion == nil })
    }

    @Test(
        "a near miss gives the reason: the segment, the host or the port",
        arguments: [
            ("/@:user", "/bob", "segment 1 ('bob') does not match '@:user'"),
            ("/v:major(int)", "/vx", "segment 1 ('vx') does not match 'v:major(int)'"),
            ("/v:major(int)", "/x7", "segment 1 ('x7') does not match 'v:major(int)'"),
            (
                "https://h.example/a", "https://h.example:8443/a",
                "the pattern is for the default port, not port 8443"
            ),
            (
                "https://h.example:8443/a", "https://h.example/a",
                "the pattern is for port 8443, but the URL has no port"
            ),
            (
                "https://:t.h.example/a", "https://h.example/a",
                "the pattern is for the host '*.h.example', not 'h.example'"
            ),
            ("/a?q=:q(bool)", "/a?q=2", "the value '2' of key 'q' is not a valid bool"),
        ]
    )
    func reasons(_ pattern: String, _ url: String, _ reason: String) throws {
        let miss = try #require(try explain(ByteString(url), [pattern]).misses.first)
        #expect(miss.reason == reason)
    }

    @Test("a declared kind that is the only mismatch is reported with the segment or key")
    func refusals() throws {
        let segment = try explain("/a/xy", ["/a/:id(sku)"]).misses.first
        #expect(segment?.segment == 2)
        #expect(segment?.reason == "segment 2 ('xy') is not a valid sku")
        let key = try explain("/a?id=xy", ["/a?id=:id(sku)"]).misses.first
        #expect(key?.segment == nil)
        #expect(key?.reason == "the value 'xy' of key 'id' is not a valid sku")
        let several = try explain("/a/xy/z", ["/a/:id(sku)/:zip(zip)"]).misses.first
        #expect(several?.segment == nil)
        #expect(several?.reason == "a kind that the script declares rejects the URL")
        // A parameter that the URL omits is not rejected.
        let optional = try explain("/a/xy", ["/a/:id(sku)/:zip(zip)?"]).misses.first
        #expect(optional?.reason == "segment 2 ('xy') is not a valid sku")
    }

    @Test("only partial matches are included in the number of omitted near misses")
    func leftOut() throws {
        let patterns = ["/a/p1", "/a/p2", "/a/p3", "/b/p1", "/c", "/:any(int)"]
        #expect(try explain("/a/q", patterns, limit: 2).leftOut == 1)
        #expect(try explain("/a/q", patterns, limit: 3).leftOut == 0)
        #expect(try explain("/a/p1", patterns, limit: 0).leftOut == 2)
        #expect(try explain("/x", patterns, limit: 1).leftOut == 0)
    }

    @Test("the explainer agrees with its table for each URL")
    func same() throws {
        let routes = try ["/a/:id(int)", "/a/*rest", "s://a/:id", "/a?q=:q", "/"].map {
            URLTable.Route(try URLPattern($0), at: "test")
        }
        let table = try URLTable(routes)
        let explainer = URLExplainer(table)
        for url: ByteString in ["/a/7", "/a/x#top", "s://A/7", "/a?q=1&r=2", "/", "/%", "//b"] {
            let explanation = explainer.explain(url) { _, text in .string(text) }
            #expect(explanation == table.explain(url))
        }
    }
}
