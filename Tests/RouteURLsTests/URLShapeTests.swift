// SPDX-License-Identifier: MIT

import RandomNumbers
import RouteURLs
import Testing

/// Tests of the shapes of patterns.
///
/// Conflicting patterns have equal shapes.
struct URLShapeTests {
    private static let pieces = [
        "a", "A", ":p", ":p(int)", ":p(a|b)", ":p(b|a)", ":p(sku)", "b", "v:p", "V:p", "v:p(int)",
        ":p.x", "v:p.x",
    ]
    private static let endings = ["", ":o?", ":o(int)?", ":o?/:u(int)?", "*r", "*r?"]
    private static let queries = ["", "?q=:q", "?q=:q?", "?q=:q(int)", "?q=:q&r=:r", "?r=:s&q=:t"]
    private static let origins = [
        "/", "/", "/", "podcast://", "https://a.example/", "https://*.example/",
        "https://:h.example/",
    ]

    @Test("two patterns share a shape if and only if a table rejects the pair", arguments: 1...4)
    func conflicts(_ seed: UInt64) throws {
        var numbers = RandomNumbers(seed: seed)
        func pattern() throws -> URLPattern? {
            var parts: [String] = []
            for number in 0..<numbers.below(3) {
                let piece = Self.pieces[numbers.below(Self.pieces.count)]
                parts.append(piece.replacing(":p", with: ":p\(number)"))
            }
            let ending = Self.endings[numbers.below(Self.endings.count)]
            if !ending.isEmpty { parts.append(ending) }
            let text =
                Self.origins[numbers.below(Self.origins.count)] + parts.joined(separator: "/")
                + Self.queries[numbers.below(Self.queries.count)]
            return try? URLPattern(text, kinds: ["sku"])
        }
        var shared = 0
        for _ in 0..<6_000 {
            guard let left = try pattern(), let right = try pattern() else { continue }
            let routes = [URLTable.Route(left, at: "1"), URLTable.Route(right, at: "2")]
            let ignoresCase = numbers.isTrue(oneIn: 3)
            let isConflict = !URLTable.conflicts(among: routes, ignoresCase: ignoresCase).isEmpty
            let shapes = [left, right].map { $0.shapes(ignoringCase: ignoresCase) }
            #expect(
                Set(shapes[0]).isDisjoint(with: shapes[1]) != isConflict,
                "\(left) \(right)"
            )
            shared += isConflict ? 1 : 0
        }
        #expect(shared > 20)
    }
}
