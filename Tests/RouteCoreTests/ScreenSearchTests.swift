// SPDX-License-Identifier: MIT

import RandomNumbers
import RouteCore
import Testing

struct ScreenSearchTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var scope: SearchScope
        /// The expected visits of a search from each of `f`, `nav3`, `tabs` and `b`.
        var visits: [String]

        init(_ title: String, _ scope: SearchScope, _ visits: String...) {
            (testDescription, self.scope, self.visits) = (title, scope, visits)
        }
    }

    // Screens that RC-28 repeats are visited once.
    static let rows: [Row] = [
        Row("current", .current, "f", "nav3", "tabs", "b"),
        Row("visible", .visible, "", "e", "nav1 b", ""),
        Row("contained", .contained, "", "e d", "nav1 b a nav2 c", ""),
        Row("presented", .presented, "", "", "", ""),
        Row("presenting", .presenting, "", "", "", ""),
        Row("parent", .parent, "", "", "", "nav1 tabs"),
        Row("currentAllStack", .currentAllStack, "f", "nav3 e d", "tabs nav1 b a nav2 c", "b"),
        Row("currentVisibleOnly", .currentVisibleOnly, "f", "nav3 e", "tabs nav1 b", "b"),
        Row(
            "allVisible",
            .allVisible,
            "f nav3 e tabs nav1 b",
            "nav3 e f tabs nav1 b",
            "tabs nav1 b nav3 e f",
            "b nav3 e f"
        ),
        Row(
            "fullStack",
            .fullStack,
            "f nav3 e d tabs nav1 b a nav2 c",
            "nav3 e f d tabs nav1 b a nav2 c",
            "tabs nav1 b nav3 e f d a nav2 c",
            "b nav3 e f d"
        ),
        Row(
            "currentAndUp",
            .currentAndUp,
            "f",
            "nav3 e f d",
            "tabs nav1 b nav3 e f d a nav2 c",
            "b nav3 e f d"
        ),
        Row(
            "currentAndDown",
            .currentAndDown,
            "f nav3 e d tabs nav1 b a nav2 c",
            "nav3 e d tabs nav1 b a nav2 c",
            "tabs nav1 b a nav2 c",
            "b"
        ),
        Row("current and parent", [.current, .parent], "f", "nav3", "tabs", "b nav1 tabs"),
        Row(
            "current, visible and contained",
            [.current, .visible, .contained],
            "f",
            "nav3 e d",
            "tabs nav1 b nav2 c",
            "b"
        ),
    ]

    @Test(
        "a search visits screens in the documented order of its scope",
        arguments: rows
    )
    func order(_ row: Row) throws {
        let fixture = try TreeFixture(
            "tabs[*nav1:nav[a, b], nav2:nav[c]] ^ nav3:nav[d, e] ^ f"
        )
        for (start, expected) in zip(["f", "nav3", "tabs", "b"], row.visits) {
            let visited = fixture.tree.search(from: try fixture.find(start), row.scope)
                .map { fixture.tree.screen($0)?.class ?? "" }
            #expect(visited.joined(separator: " ") == expected, "from \(start)")
        }
    }

    @Test("visible children are visited in order, and hidden children from the top down")
    func topDown() throws {
        let fixture = try TreeFixture("All[nav[a, b, c], Selected[d, *e, f], g]")
        func visits(topDown: Bool) throws -> String {
            let root = try fixture.find("All")
            return fixture.tree.search(from: root, topDown: topDown)
                .map { fixture.tree.screen($0)?.class ?? "" }.joined(separator: " ")
        }
        #expect(try visits(topDown: false) == "All nav c a b Selected e d f g")
        #expect(try visits(topDown: true) == "All nav c b a Selected e f d g")
    }

    @Test(
        "a search stops at the first match, and tests each screen once",
        arguments: [UInt64](1...4)
    )
    func stops(_ seed: UInt64) throws {
        var random = RandomNumbers(seed: seed)
        for _ in 0..<20 {
            let tree = try random.tree()
            let start = random.element(of: random.alive(in: tree))
            let scope = SearchScope(rawValue: UInt8(random.below(64)))
            let all = tree.search(from: start, scope)
            guard !all.isEmpty else { continue }
            let target = random.element(of: all)
            var tested: [ScreenID] = []
            let found = tree.first(from: start, scope) { id in
                tested.append(id)
                return id == target
            }
            try #require(found == target)
            try #require(tested == Array(all.prefix { $0 != target }) + [target])
        }
    }

    @Test("an error in the predicate ends a search")
    func throwing() throws {
        struct Stop: Error, Equatable { var count: Int }
        let fixture = try TreeFixture("nav[A, B, C]")
        let start = try fixture.find("nav")
        var count = 0
        #expect(throws: Stop(count: 2)) {
            try fixture.tree.first(from: start) { _ throws(Stop) in
                count += 1
                if count == 2 { throw Stop(count: count) }
                return false
            }
        }
        #expect(fixture.tree.first(from: start) { _ in false } == nil)
    }

    @Test(
        "a search visits the same screens as the reference search, from any start and in any scope"
    )
    func rules() throws {
        var random = RandomNumbers(seed: 7)
        for round in 0..<40 {
            let tree = try random.tree()
            for start in random.alive(in: tree) {
                for bits in UInt8(0)..<64 {
                    let isTopDown = random.isTrue(oneIn: 2)
                    var plain = PlainSearch(tree: tree, isTopDown: isTopDown)
                    plain.visit(start, SearchScope(rawValue: bits))
                    let scope = SearchScope(rawValue: bits)
                    let found = tree.search(from: start, scope, topDown: isTopDown)
                    try #require(found == plain.found, "round \(round), scope \(bits)")
                }
            }
        }
    }

    @Test("a search that starts at a released screen finds nothing")
    func released() throws {
        var fixture = try TreeFixture("nav[A]")
        let screen = try fixture.make("B")
        fixture.tree.release(screen) { _ in false }
        #expect(fixture.tree.search(from: screen) == [])
    }

    @Test("every search scope has a keyword")
    func words() {
        let scopes: [SearchScope] = [
            .current, .visible, .contained, .presented, .presenting, .parent, .currentAllStack,
            .currentVisibleOnly, .allVisible, .fullStack, .currentAndUp, .currentAndDown,
        ]
        #expect(
            SearchScope.words == [
                "current", "visible", "contained", "presented", "presenting", "parent",
                "currentAllStack", "currentVisibleOnly", "allVisible", "fullStack", "currentAndUp",
                "currentAndDown",
            ]
        )
        #expect(SearchScope.words.map { SearchScope(word: $0) } == scopes)
        #expect(SearchScope(word: "all") == nil)
    }
}

/// The search of RC-26, word by word, with sets of visited screens.
private struct PlainSearch {
    let tree: ScreenTree
    let isTopDown: Bool
    var found: [ScreenID] = []
    var visited: Set<[Int]> = []

    init(tree: ScreenTree, isTopDown: Bool) {
        (self.tree, self.isTopDown) = (tree, isTopDown)
    }

    mutating func visit(_ id: ScreenID, _ scope: SearchScope) {
        guard visited.insert([Int(id.serial), Int(scope.rawValue)]).inserted,
            let screen = tree.screen(id)
        else { return }
        if scope.contains(.current), !found.contains(id) { found.append(id) }
        if scope.contains(.parent), let parent = screen.parent {
            visit(parent, [.current, .parent])
        }
        if scope.contains(.visible) || scope.contains(.contained) {
            var inner: SearchScope = scope.contains(.visible) ? [.visible] : [.contained]
            inner.formUnion([.current])
            inner.formUnion(scope.intersection(.presented))
            var children = Array(screen.visibleChildren)
            if scope.contains(.contained) {
                let rest = screen.children.filter { !children.contains($0) }
                children += isTopDown ? rest.reversed() : rest
            }
            for child in children { visit(child, inner) }
        }
        if scope.contains(.presented), let modal = tree.coveringModal(of: id) {
            visit(modal, scope.subtracting(.presenting))
        }
        var root = id
        while let parent = tree.screen(root)?.parent { root = parent }
        if scope.contains(.presenting), let presenter = tree.screen(root)?.presenter {
            visit(presenter, scope.subtracting(.presented))
        }
    }
}
