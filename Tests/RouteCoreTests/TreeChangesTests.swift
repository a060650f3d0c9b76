// SPDX-License-Identifier: MIT

import RandomNumbers
import Testing

@testable import RouteCore

/// Tests of the screens that differ between two trees, and of their texts.
struct TreeChangesTests {
    /// A tree, an edit, and the texts before and after the edit.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let tree: String
        let before: String
        let after: String
        let edit: @Sendable (inout TreeFixture) throws -> Void

        init(
            _ name: String,
            _ tree: String,
            _ before: String,
            _ after: String,
            edit: @escaping @Sendable (inout TreeFixture) throws -> Void
        ) {
            (testDescription, self.tree, self.before, self.after) = (name, tree, before, after)
            self.edit = edit
        }
    }

    private static func row(
        _ prefix: String,
        _ count: Int,
        _ separator: String = ", "
    ) -> String {
        (0..<count).map { "\(prefix)\($0)" }.joined(separator: separator)
    }

    static let cases = [
        Case("a small window as a whole", "nav[A, B]", "nav[A, B]", "nav[A, B, +C]") {
            try $0.push("C")
        },
        Case(
            "a push on a long stack",
            "nav[\(row("P", 40))]",
            "nav[..., P38, P39]",
            "nav[..., P38, P39, +N]"
        ) { try $0.push("N") },
        Case(
            "a pop of many screens",
            "nav[\(row("P", 40))]",
            "nav[..., P36, P37, -P38, -P39]",
            "nav[..., P36, P37]"
        ) { try $0.tree.pop(to: $0.find("P37")) },
        Case(
            "a field in the middle",
            "nav[\(row("P", 40))]",
            "nav[..., P19, P20, P21, ..., P39]",
            "nav[..., P19, ~P20(id=1), P21, ..., P39]"
        ) { try $0.tree.setField("id", to: 1, of: $0.find("P20")) },
        Case(
            "a modal over a long stack",
            "nav[\(row("P", 40))]",
            "nav[..., P38, P39]",
            "nav[..., P38, P39] ^ +M"
        ) { try $0.present("M", from: "P39") },
        Case(
            "a modal over many modals",
            "A ^ \(row("M", 40, " ^ "))",
            "... ^ M39",
            "... ^ M39 ^ +N"
        ) { try $0.present("N", from: "M39") },
        Case(
            "a push in a modal between others",
            "A ^ \(row("M", 20, " ^ ")) ^ nav[B] ^ \(row("T", 20, " ^ "))",
            "... ^ nav[B] ^ ... ^ T19",
            "... ^ nav[B, +C] ^ ... ^ T19"
        ) { try $0.push("C") },
        Case(
            "a field of a modal inside a container",
            "nav[A ^ \(row("M", 40, " ^ ")), B]",
            "nav[... ^ M20 ^ ... ^ M39, B]",
            "nav[... ^ ~M20(id=1) ^ ... ^ M39, B]"
        ) { try $0.tree.setField("id", to: 1, of: $0.find("M20")) },
        Case(
            "a push in the selected of many tabs",
            "tabs[x:nav[A], *y:nav[B, D], \(row("T", 40))]",
            "tabs[x:nav[...], *y:nav[B, D], T0, ..., T39]",
            "tabs[x:nav[...], *y:nav[B, D, +C], T0, ..., T39]"
        ) { try $0.push("C", onto: "y") },
    ]

    @Test(
        "printed changes show the differences, and omit distant parts of large windows",
        arguments: cases
    )
    func texts(_ given: Case) throws {
        var fixture = try TreeFixture(given.tree)
        let old = fixture.tree
        try given.edit(&fixture)
        let changes = TreeChanges(from: old, to: fixture.tree)
        let text = try #require(changes.texts(NotationPrinter()).first)
        #expect(text.before == given.before)
        #expect(text.after == given.after)
        #expect(TreeChanges(from: fixture.tree, to: fixture.tree).isEmpty)
    }

    @Test(
        "applying the changes to screens and children to the old tree gives the new tree",
        arguments: 1...8
    )
    func patches(_ seed: UInt64) throws {
        var random = RandomNumbers(seed: seed)
        for round in 0..<50 {
            var tree = try random.tree()
            let old = tree
            var detached: [ScreenID] = []
            for _ in 0..<random.below(8) { try? random.edit(&tree, detached: &detached) }
            let changes = TreeChanges(from: old, to: tree)
            var children: [ScreenID: [ScreenID]] = [:]
            for id in random.alive(in: old) { children[id] = old[id].children }
            for id in changes.screens {
                guard let (position, replaced, added) = changes.children(of: id) else { continue }
                children[id, default: []].replaceSubrange(
                    position..<position + replaced,
                    with: added
                )
            }
            let comment: Comment = "seed \(seed), round \(round)"
            let (before, after) = (Set(random.alive(in: old)), Set(random.alive(in: tree)))
            for id in after { try #require(children[id] ?? [] == tree[id].children, comment) }
            try #require(Set(changes.removed) == before.subtracting(after), comment)
            let marks = changes.marks
            for id in after {
                let isChanged = before.contains(id) && old[id].fields != tree[id].fields
                try #require(
                    marks[id] == (isChanged ? "~" : before.contains(id) ? nil : "+"),
                    comment
                )
            }
        }
    }
}
