// SPDX-License-Identifier: MIT

import RandomNumbers
import RouteCore
import Testing

struct ScreenTreeDraftTests {
    @Test("a draft that is rolled back leaves the tree unchanged", arguments: [UInt64](1...8))
    func drop(_ seed: UInt64) throws {
        var random = RandomNumbers(seed: seed)
        for _ in 0..<20 {
            var fixture = try TreeFixture()
            fixture.tree = try random.tree()
            let windows = fixture.tree.windows
            let before = try fixture.dump()
            let held = fixture.tree.heldCount
            fixture.tree.openNewDraft()
            var detached: [ScreenID] = []
            for _ in 0..<10 { try? random.edit(&fixture.tree, detached: &detached) }
            let made = fixture.tree.dropDraft()
            try #require(fixture.tree.checkInvariants() == [], "seed \(seed)")
            try #require(fixture.tree.windows == windows, "seed \(seed)")
            try #require(try fixture.dump() == before, "seed \(seed)")
            for id in made { fixture.tree.release(id) { _ in false } }
            try #require(fixture.tree.heldCount == held, "seed \(seed)")
            try #require(fixture.tree.checkInvariants() == [], "seed \(seed)")
        }
    }

    @Test(
        "a rejected edit changes nothing, and an accepted edit keeps the rules of the tree",
        arguments: [UInt64](
            1...8
        )
    )
    func refused(_ seed: UInt64) throws {
        var random = RandomNumbers(seed: seed)
        for _ in 0..<10 {
            var fixture = try TreeFixture()
            fixture.tree = try random.tree()
            var detached: [ScreenID] = []
            for _ in 0..<20 {
                let before = fixture
                do {
                    try random.edit(&fixture.tree, detached: &detached)
                } catch is RouteError {
                    try #require(try fixture.dump() == before.dump(), "seed \(seed)")
                }
                try #require(fixture.tree.checkInvariants() == [], "seed \(seed)")
            }
        }
    }

    @Test("closing a draft invalidates only the screens that the draft removed")
    func close() throws {
        var fixture = try TreeFixture("nav[A, B, C]")
        let (first, second, third) = (
            try fixture.find("A"), try fixture.find("B"), try fixture.find("C")
        )
        fixture.tree.openNewDraft()
        try fixture.tree.pop(to: first)
        try fixture.tree.push(third, onto: try fixture.find("nav"))
        #expect(!fixture.tree.isGone(second))
        let difference = fixture.tree.draftDifference()
        fixture.tree.closeDraft(difference)
        #expect(difference.removed == [second])
        #expect(fixture.tree.isGone(second) && !fixture.tree.isGone(third))
        #expect(!fixture.tree.hasDraft)
        #expect(fixture.tree.draftDifference().isEmpty)
        #expect(fixture.print() == "nav[A, C]")
    }

    @Test(
        "a rollback removes the screens that the draft created, and restores the positions of moved screens"
    )
    func madeByDroppedDraft() throws {
        var tree = ScreenTree()
        let old = try tree.makeScreen(ScreenClass("Old"))
        tree.openNewDraft()
        let made = try tree.makeScreen(ScreenClass("nav"), children: [old])
        try tree.setRoot(made, of: "main")
        tree.dropDraft()
        #expect(tree.isGone(made))
        #expect(!tree.isGone(old))
        #expect(tree.screen(old)?.parent == nil)
        #expect(tree.windows.isEmpty)
        #expect(tree.checkInvariants() == [])
        #expect(throws: RouteError.self) { try tree.setRoot(made, of: "main") }
        try tree.setRoot(old, of: "main")
    }

    @Test("a rollback keeps screens and changes made after the draft was sealed")
    func sealed() throws {
        var tree = ScreenTree()
        let main = try tree.makeScreen(ScreenClass("nav"))
        try tree.setRoot(main, of: "main")
        tree.openNewDraft()
        let pushed = try tree.makeScreen(ScreenClass("Page"))
        try tree.push(pushed, onto: main)
        tree.sealDraft(tree.draftDifference())
        let later = try tree.makeScreen(ScreenClass("Later"))
        try tree.setField("x", to: 1, of: later)
        tree.dropDraft()
        #expect(tree.isGone(pushed))
        #expect(!tree.isGone(later))
        #expect(tree.screen(later)?.fields["x"] == 1)
        #expect(tree.screen(main)?.children == [])
    }

    @Test("a copy of the tree is an independent snapshot")
    func snapshot() throws {
        var fixture = try TreeFixture("nav[A(id=1)]")
        let copy = fixture
        try fixture.tree.setField("id", to: 2, of: fixture.find("A"))
        let screen = try fixture.make("B")
        try fixture.tree.push(screen, onto: fixture.find("nav"))
        #expect(copy.print() == "nav[A(id=1)]")
        #expect(fixture.print() == "nav[A(id=2), B]")
        #expect(copy.tree.screen(screen) == nil)
    }

    @Test("screens that are linked together are released when none of them is referenced")
    func release() throws {
        var fixture = try TreeFixture("nav[A]")
        let outer = try fixture.make("x:nav[B ^ C]")
        let inner = try #require(fixture.tree.screen(outer)).children[0]
        let held = fixture.tree.heldCount
        fixture.tree.release(outer) { $0 == inner }
        #expect(fixture.tree.heldCount == held)
        fixture.tree.release(inner) { _ in false }
        #expect(fixture.tree.heldCount == held - 3)
        #expect(fixture.tree.screen(inner) == nil && fixture.tree.isGone(inner))
        fixture.tree.release(try fixture.find("A")) { _ in false }
        #expect(fixture.print() == "nav[A]")
        let next = try fixture.make("D")
        #expect(next.serial > outer.serial)
        #expect(fixture.tree.screen(inner) == nil)
        #expect(fixture.tree.checkInvariants() == [])
    }
}
