// SPDX-License-Identifier: MIT

import LuaRouting

/// Benchmarks of the table of URLs, which show the cost of a lookup and its growth.
extension Benchmark {
    static func urls() throws -> [Benchmark] {
        let set = try URLSet(URLSet.patterns)
        let dictionary = Dictionary(
            uniqueKeysWithValues: set.paths.enumerated().map { ($0.element, $0.offset) }
        )
        return [
            Benchmark(
                name: "U1",
                text: "a URL, bytes to route and spans",
                baselineText: "Dictionary<String, Int> of the same paths",
                bounds: [],
                ours: set.side(),
                baseline: Side(
                    operations: set.paths.count,
                    expected: { Int64($0 * (0..<set.paths.count).reduce(0, +)) }
                ) { count in
                    var sum = 0
                    for _ in 0..<count {
                        for path in set.paths { sum &+= dictionary[path] ?? -1 }
                    }
                    return Int64(sum)
                }
            )
        ]
    }

    static var urlGrowths: [Growth] {
        [
            Growth(
                name: "U3",
                text: "a URL is looked up",
                unit: "routes",
                points: [1_000, 10_000, 100_000].map { size in
                    Growth.Point(size: size) {
                        try URLSet(patterns(size), paths: 20_000).side()
                    }
                }
            ),
            Growth(
                name: "U4",
                text: "a table of URLs is made, a pattern",
                unit: "routes",
                points: [10_000, 100_000].map { size in
                    Growth.Point(size: size) {
                        let routes = try patterns(size).map {
                            URLTable.Route(try URLPattern($0), at: "")
                        }
                        return Side(operations: size, expected: { Int64($0) }) { count in
                            for _ in 0..<count { _ = try URLTable(routes) }
                            return Int64(count)
                        }
                    }
                }
            ),
        ]
    }

    /// Returns patterns of four segments, grouped in a hundred areas of a hundred resources each.
    private static func patterns(_ count: Int) -> [String] {
        (0..<count).map { "/area\($0 % 100)/res\($0 / 100 % 100)/:id/op\($0)" }
    }
}

/// Patterns with their table, and a path for each pattern.
private final class URLSet {
    let paths: [String]
    private let table: URLTable
    /// The bytes of all paths, one after the other.
    private let bytes: UnsafeMutableRawBufferPointer
    private let ranges: [Range<Int>]
    private let expected: Int

    /// Typical patterns of an app: 144 patterns of up to five segments.
    static let patterns: [String] = [
        "authorizations", "applications", "events", "repositories", "networks", "organisations",
        "users", "feeds", "notifications", "gists", "issues", "labels", "milestones", "teams",
        "search", "emojis", "templates", "markdown", "shows", "episodes", "playlists", "stations",
        "downloads", "settings",
    ].flatMap { name in
        [
            "/\(name)", "/\(name)/:id", "/\(name)/:id/comments", "/\(name)/:id/comments/:number",
            "/\(name)/:owner/:part/subscribers", "/\(name)/:owner/:part/contents/:path",
        ]
    }

    init(_ patterns: [String], paths count: Int? = nil) throws {
        table = try URLTable(patterns.map { URLTable.Route(try URLPattern($0), at: "") })
        var numbers = RandomOrder()
        let picked = count.map { count in
            (0..<count).map { _ in numbers.below(patterns.count) }
        }
        let routes = picked ?? Array(patterns.indices)
        paths = routes.map { route in
            patterns[route].split(separator: "/").map {
                $0.hasPrefix(":") ? "julien\($0.dropFirst())" : String($0)
            }.reduce("") { "\($0)/\($1)" }
        }
        var ranges: [Range<Int>] = []
        for path in paths {
            let start = ranges.last?.upperBound ?? 0
            ranges.append(start..<(start + path.utf8.count))
        }
        self.ranges = ranges
        bytes = .allocate(byteCount: ranges.last?.upperBound ?? 0, alignment: 8)
        bytes.copyBytes(from: paths.flatMap(\.utf8))
        // The sum of the routes and of the lengths of their parameters.
        expected = routes.reduce(0) { sum, route in
            let parameters = patterns[route].split(separator: "/").filter { $0.hasPrefix(":") }
            return parameters.reduce(sum + route) { $0 + "julien".utf8.count + $1.utf8.count - 1 }
        }
    }

    deinit { bytes.deallocate() }

    func side() -> Side {
        Side(operations: paths.count, expected: { Int64($0 * self.expected) }) { [self] count in
            var sum = 0
            let bytes = UnsafeRawBufferPointer(bytes)
            for _ in 0..<count {
                for range in ranges {
                    table.visit(UnsafeRawBufferPointer(rebasing: bytes[range])) { match in
                        sum &+= match.route
                        for parameter in 0..<match.parameterCount {
                            sum &+= match.range(of: parameter)?.count ?? 0
                        }
                        return false
                    }
                }
            }
            return Int64(sum)
        }
    }
}

/// A generator of an order that is the same in every run.
private struct RandomOrder {
    private var state: UInt64 = 1

    mutating func below(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % bound
    }
}
