// SPDX-License-Identifier: MIT

import RouteCore
import RouteURLs
import Testing

/// Tests of exclusive groups: a URL whose origin has a group matches only the patterns of the
/// group.
struct URLGroupTests {
    /// Returns a table with a group for admins, a group nested in it, a group for all tenants, and
    /// patterns with their groups.
    private static func table(declared: [String] = []) throws -> URLTable {
        let list = try [
            ("https://admin.example", nil), ("pod://", 0), ("https://*.tenant.example", nil),
        ].map { (text, outer: Int?) in
            URLGroups.Group(try URLOrigin(text), at: "main.lua:1", in: outer)
        }
        let patterns: [(text: String, group: Int?)] = [
            ("https://admin.example/users", 0), ("/both", 0), ("pod://both/Pod", 1),
            ("/Both/:x", 1), ("https://:t.tenant.example/home", 2),
            ("https://a.tenant.example/own", 2),
            ("/home", nil), ("/:page", nil), ("https://admin.example/late", nil),
            ("https://www.tenant.example/home", nil), ("https://other.example/users", 0),
        ]
        var members: [Int: Int] = [:]
        for (index, pattern) in patterns.enumerated() { members[index] = pattern.group }
        return try URLTable(
            patterns.map { URLTable.Route(try URLPattern($0.text), at: "") },
            origins: declared.map { try URLOrigin($0) },
            ignoresCase: false,
            groups: URLGroups(list, members: members)
        )
    }

    @Test(
        "a URL of an exclusive origin matches only patterns of its group",
        arguments: [
            ("https://admin.example/users", ["https://admin.example/users"]),
            ("https://admin.example/both", ["/both"]), ("https://admin.example/home", []),
            ("https://admin.example/late", []), ("HTTPS://ADMIN.example:443/both", ["/both"]),
            // A group in a group: its patterns are in both.
            ("https://admin.example/Both/7", ["/Both/:x"]), ("pod://Both/7", ["/Both/:x"]),
            ("pod://both/Pod", ["pod://both/Pod", "/Both/:x"]), ("pod://both", []),
            ("pod://users", []),
            // All hosts of a wildcard, unless one has a group of its own.
            ("https://a.tenant.example/home", ["https://:t.tenant.example/home"]),
            ("https://a.tenant.example/own", ["https://a.tenant.example/own"]),
            ("https://b.tenant.example/own", []), ("https://b.tenant.example/both", []),
            ("https://www.tenant.example/home", ["https://:t.tenant.example/home"]),
            // Other URLs match all.
            ("/home", ["/home", "/:page"]), ("/both", ["/both", "/:page"]), ("/users", ["/:page"]),
            ("https://other.example/users", ["/:page", "https://other.example/users"].sorted()),
            ("https://admin.example:8443/home", ["/home", "/:page"]),
        ]
    )
    func matching(_ url: String, _ expected: [String]) throws {
        let table = try Self.table()
        var found = URLComparisonTests.all(table, url).map { table.pattern($0.route).description }
        if url.hasPrefix("https://other") { found.sort() }
        #expect(found == expected)
    }

    @Test("a declared host is not part of the exclusive group of its wildcard")
    func declared() throws {
        let table = try Self.table(declared: [
            "https://*.tenant.example", "https://www.tenant.example",
        ])
        func found(_ url: String) -> [String] {
            URLComparisonTests.all(table, url).map { table.pattern($0.route).description }
        }
        #expect(
            found("https://www.tenant.example/home")
                == [
                    "https://www.tenant.example/home", "https://:t.tenant.example/home", "/home",
                    "/:page",
                ]
        )
        #expect(found("https://b.tenant.example/home") == ["https://:t.tenant.example/home"])
    }

    @Test("an explanation names the group that prevents a pattern from matching")
    func explaining() throws {
        let table = try Self.table()
        let reason =
            "only the group at main.lua:1 matches URLs of 'https://admin.example'"
        let misses = table.explain("https://admin.example/home").misses
        #expect(misses.first?.pattern.description == "/:page")
        #expect(misses.filter { $0.reason == reason }.map(\.route) == [7, 6])
        #expect(table.nearest(to: "https://admin.example/home", .noPattern)?.reason == reason)
    }

    @Test("a pattern that a group excludes is not shadowed, and shadows only outside of the group")
    func shadows() throws {
        let group = URLGroups.Group(try URLOrigin("pod"), at: "main.lua:1", in: nil)
        func shadowed(_ patterns: [String], members: [Int: Int]) throws -> [String] {
            try URLTable(
                patterns.map { URLTable.Route(try URLPattern($0), at: "") },
                origins: [],
                ignoresCase: false,
                groups: URLGroups([group], members: members)
            ).shadows.map(\.entry.description)
        }
        let patterns = ["/:x(a|b)", "/a", "/b"]
        #expect(try shadowed(patterns, members: [:]) == ["/:x(a|b)"])
        #expect(try shadowed(patterns, members: [1: 0, 2: 0]) == ["/:x(a|b)"])
        #expect(try shadowed(patterns, members: [0: 0]) == [])
        #expect(try shadowed(patterns, members: [0: 0, 1: 0, 2: 0]) == ["/:x(a|b)"])
        let excluded = ["pod://:x(a|b)", "/a", "/b"]
        #expect(try shadowed(excluded, members: [:]) == [])
        #expect(try shadowed(excluded, members: [0: 0]) == [])
        #expect(try shadowed(excluded, members: [0: 0, 1: 0, 2: 0]) == ["pod://:x(a|b)"])
        // At another origin, the group does not matter.
        let other = ["app://:x(a|b)", "/a", "/b"]
        #expect(try shadowed(other, members: [0: 0]) == ["app://:x(a|b)"])
    }
}
