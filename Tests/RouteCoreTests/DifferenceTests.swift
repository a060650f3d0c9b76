// SPDX-License-Identifier: MIT

import RandomNumbers
import RouteCore
import Testing

struct DifferenceTests {
    typealias Edit = @Sendable (inout TreeFixture) throws -> Void

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var before: String
        var operations: String
        var edit: Edit

        init(_ title: String, _ before: String, _ operations: String, edit: @escaping Edit) {
            (testDescription, self.before, self.operations) = (title, before, operations)
            self.edit = edit
        }
    }

    static let cases: [Case] = [
        Case("nothing", "nav[A]", "") { _ in },
        Case("nothing in the end", "nav[A(id=1)]", "") { fixture in
            let screen = try fixture.find("A")
            try fixture.tree.setField("id", to: 2, of: screen)
            try fixture.push("B")
            try fixture.tree.pop(to: screen)
            try fixture.tree.setField("id", to: 1, of: screen)
        },
        Case("push", "nav[A]", "push(B)") { try $0.push("B") },
        Case("a push includes the children of the screen", "nav[A]", "push(tabs)") {
            try $0.push("tabs[B, *nav[C, D]]")
        },
        Case(
            "modals above a new screen are presented",
            "nav[A]",
            "push(tabs) present(x) present(D) present(E)"
        ) { fixture in
            try fixture.present("x:nav[F]", from: "A")
            try fixture.push("tabs[B, *nav[C ^ D ^ E]]")
        },
        Case(
            "a modal that moves above a new screen is dismissed and presented",
            "nav[A ^ L ^ M, B]",
            "dismiss(L) push(C) present(L)"
        ) { fixture in
            let modal = try fixture.find("L")
            try fixture.dismiss("A")
            try fixture.push("C")
            try fixture.tree.present(modal, from: fixture.find("C"), .init(isContextual: true))
        },
        Case("a screen that moves keeps its modal", "Last[A ^ M, B]", "children(B A)") { fixture in
            try fixture.tree.setChildren(
                [fixture.find("B"), fixture.find("A")],
                of: fixture.find("Last")
            )
        },
        Case("two pushes", "nav[A]", "children(A B C)") { fixture in
            try fixture.push("B")
            try fixture.push("C")
        },
        Case("push on an empty stack", "nav", "push(A)") { try $0.push("A") },
        Case("pop", "nav[A, B]", "pop(A)") { try $0.tree.pop(to: $0.find("A")) },
        Case("pop of several", "nav[A, B, C]", "pop(A)") { try $0.tree.pop(to: $0.find("A")) },
        Case("pop of all", "nav[A, B]", "pop()") {
            try $0.tree.setChildren([], of: $0.find("nav"))
        },
        Case("another on top", "nav[A, B]", "children(A C)") { fixture in
            try fixture.tree.pop(to: fixture.find("A"))
            try fixture.push("C")
        },
        Case("one removed from the middle", "nav[A, B, C]", "children(A C)") { fixture in
            try fixture.tree.setChildren(
                [fixture.find("A"), fixture.find("C")],
                of: fixture.find("nav")
            )
        },
        Case("one added at the end of tabs", "tabs[*A]", "children(A B)") { fixture in
            let added = try fixture.make("B")
            try fixture.tree.setChildren([fixture.find("A"), added], of: fixture.find("tabs"))
        },
        Case("a detail", "split[A]", "children(A B)") { fixture in
            let detail = try fixture.make("B")
            try fixture.tree.setChildren([fixture.find("A"), detail], of: fixture.find("split"))
        },
        Case("select", "tabs[*A, B]", "select(B)") { try $0.tree.select($0.find("B")) },
        Case("a change that keeps the selected tab", "tabs[A, *B]", "children(B A)") { fixture in
            try fixture.tree.setChildren(
                [fixture.find("B"), fixture.find("A")],
                of: fixture.find("tabs")
            )
        },
        Case("a change that selects by the rule", "tabs[*A, B]", "children(B)") { fixture in
            try fixture.tree.setChildren([fixture.find("B")], of: fixture.find("tabs"))
        },
        Case("a change and another selection", "tabs[*A, B]", "children(A B C) select(C)") {
            fixture in
            let added = try fixture.make("C")
            try fixture.tree.setChildren(
                [fixture.find("A"), fixture.find("B"), added],
                of: fixture.find("tabs")
            )
            try fixture.tree.select(added)
        },
        Case("the last of empty tabs", "tabs", "children(A B) select(B)") { fixture in
            let children = [try fixture.make("A"), try fixture.make("B")]
            try fixture.tree.setChildren(children, of: fixture.find("tabs"))
            try fixture.tree.select(children[1])
        },
        Case("select in a declared container", "Selected[*A, B]", "select(B)") {
            try $0.tree.select($0.find("B"))
        },
        Case(
            "a declared container is neither pushed on nor popped",
            "All[Last[A], x:container[B, C]]",
            "children(A D) children(B)"
        ) { fixture in
            let added = try fixture.make("D")
            try fixture.tree.setChildren([fixture.find("A"), added], of: fixture.find("Last"))
            try fixture.tree.makeVisible(fixture.find("B"))
        },
        Case("present", "nav[A]", "present(nav)") { try $0.present("nav[L]", from: "A") },
        Case("present two", "nav[A]", "present(L) present(M)") { fixture in
            try fixture.present("L", from: "A")
            try fixture.present("M", from: "L")
        },
        Case("present on what stays", "nav[A] ^ L", "present(M)") {
            try $0.present("M", from: "L")
        },
        Case("dismiss", "nav[A] ^ L", "dismiss(L)") { try $0.dismiss("nav") },
        Case("dismiss removes the modals above", "nav[A] ^ L ^ M", "dismiss(L)") {
            try $0.dismiss("nav")
        },
        Case("another modal", "nav[A] ^ L", "dismiss(L) present(M)") { fixture in
            try fixture.dismiss("nav")
            try fixture.present("M", from: "nav")
        },
        Case("contextual modals", "nav[A ^ L, B]", "dismiss(L) present(M)") { fixture in
            try fixture.dismiss("A")
            try fixture.present("M", from: "B", isContextual: true)
        },
        Case("update", "nav[A(id=1)]", "update(A)") { fixture in
            try fixture.tree.setField("id", to: 2, of: fixture.find("A"))
        },
        Case("an integer for a float", "nav[A(id=1.0)]", "update(A)") { fixture in
            try fixture.tree.setField("id", to: 1, of: fixture.find("A"))
        },
        Case("a new screen is not updated", "nav[A]", "push(B)") { fixture in
            try fixture.push("B")
            try fixture.tree.setField("id", to: 2, of: fixture.find("B"))
        },
        Case("root", "nav[A] ^ L", "root(B)") { fixture in
            try fixture.set("main", "B")
        },
        Case("a root includes the screens in and above it", "A", "root(nav)") { fixture in
            try fixture.set("main", "nav[B ^ C] ^ M")
        },
        Case("a root is the only operation of its window", "nav[A]", "root(tabs)") { fixture in
            let inner = try fixture.find("A")
            try fixture.tree.setField("id", to: 1, of: inner)
            try fixture.tree.setChildren([], of: fixture.find("nav"))
            let tabs = try fixture.tree.makeScreen(ScreenClass("tabs"), children: [inner])
            try fixture.tree.setRoot(tabs, of: "main")
        },
        Case("a window is opened", "A", "openWindow(nav)") {
            try $0.set("second", "nav[B ^ C] ^ M")
        },
        Case(
            "dismiss, containers, present, update",
            "nav[tabs[*nav[A, B], C]] ^ L",
            "dismiss(L) push(P) pop(A) present(M) update(A)"
        ) { fixture in
            try fixture.tree.setField("id", to: 1, of: fixture.find("A"))
            try fixture.tree.pop(to: fixture.find("A"))
            try fixture.dismiss("nav")
            try fixture.present("M", from: "nav")
            try fixture.push("P")
        },
        Case(
            "outer containers before inner ones",
            "x:nav[y:nav[z:nav[A]]]",
            "push(X) push(Y) push(Z)"
        ) { fixture in
            try fixture.push("Z", onto: "z")
            try fixture.push("X", onto: "x")
            try fixture.push("Y", onto: "y")
        },
        Case(
            "the selection of a container comes with its children",
            "tabs[*nav[A], B]",
            "children(B nav) select(B) push(C)"
        ) { fixture in
            try fixture.push("C")
            try fixture.tree.setChildren(
                [fixture.find("B"), fixture.find("nav")],
                of: fixture.find("tabs")
            )
            try fixture.tree.select(fixture.find("B"))
        },
        Case(
            "the lowest first",
            "nav[A ^ L] ^ x:nav[B ^ M]",
            "dismiss(L) dismiss(M) present(P) present(Q) update(A) update(B)"
        ) { fixture in
            for (id, modal, new) in [("B", "M", "Q"), ("A", "L", "P")] {
                try fixture.tree.setField("id", to: 1, of: fixture.find(id))
                #expect(
                    fixture.tree.coveringModal(of: try fixture.find(id))
                        == (try fixture.find(modal))
                )
                try fixture.dismiss(id)
                try fixture.present(new, from: id, isContextual: true)
            }
        },
    ]

    @Test("operations depend only on the two trees", arguments: cases)
    func operations(_ given: Case) throws {
        var fixture = try TreeFixture(given.before)
        let old = fixture.tree
        fixture.tree.openNewDraft()
        try given.edit(&fixture)
        let difference = fixture.tree.draftDifference()
        #expect(fixture.describe(difference.operations) == given.operations)
        #expect(difference == Difference(from: old, to: fixture.tree))
    }

    @Test("closing windows precedes opening windows, which are opened in order")
    func windows() throws {
        var fixture = try TreeFixture(("main", "nav[A]"), ("second", "x:nav[B]"), ("third", "C"))
        fixture.tree.openNewDraft()
        try fixture.set("fourth", "D")
        try fixture.push("Y", onto: "x")
        try fixture.push("X", onto: "nav")
        try fixture.tree.closeWindow("third")
        #expect(
            fixture.describe(fixture.tree.draftDifference().operations)
                == "closeWindow() push(X) push(Y) openWindow(D)"
        )
    }

    @Test("created screens are listed parents first, and removed screens topmost first")
    func createdAndRemoved() throws {
        var fixture = try TreeFixture("nav[A, x:nav[B, C], D] ^ L ^ M")
        let old = fixture
        fixture.tree.openNewDraft()
        try fixture.tree.pop(to: fixture.find("A"))
        try fixture.dismiss("nav")
        try fixture.push("tabs[E, *F ^ G]")
        let difference = fixture.tree.draftDifference()
        func names(_ ids: [ScreenID], in fixture: TreeFixture) -> String {
            ids.map { fixture.tree.screen($0)?.class ?? "" }.joined(separator: " ")
        }
        #expect(names(difference.created, in: fixture) == "tabs E F G")
        #expect(names(difference.removed, in: old) == "M L D C B x")
    }

    @Test("applying the operations to the old tree gives the new tree", arguments: [UInt64](1...16))
    func replays(_ seed: UInt64) throws {
        var random = RandomNumbers(seed: seed)
        for round in 0..<50 {
            var tree = try random.tree()
            if random.isTrue(oneIn: 2) {
                try tree.setRoot(try random.screen(in: &tree), of: "second")
            }
            let old = tree
            tree.openNewDraft()
            var detached: [ScreenID] = []
            for _ in 0..<random.below(8) { try? random.edit(&tree, detached: &detached) }
            let difference = tree.draftDifference()
            let whole = Difference(from: old, to: tree)
            let comment: Comment = "seed \(seed), round \(round)"
            try #require(difference.operations == whole.operations, comment)
            try #require(difference.created == whole.created, comment)
            try #require(difference.removed == whole.removed, comment)

            var replay = Replay(old)
            for operation in difference.operations { try replay.apply(operation, new: tree) }
            let expected = Replay(tree)
            try #require(replay.windows == expected.windows, comment)
            try #require(replay.reachable.screens == expected.screens, comment)

            let before = Set(random.alive(in: old))
            let after = Set(random.alive(in: tree))
            try #require(Set(difference.created) == after.subtracting(before), comment)
            try #require(Set(difference.removed) == before.subtracting(after), comment)
            try #require(
                difference.created.count + difference.removed.count
                    == before.symmetricDifference(after).count,
                comment
            )
        }
    }
}

extension TreeFixture {
    mutating func push(_ text: String, onto nav: String = "nav") throws {
        let screen = try make(text)
        try tree.push(screen, onto: find(nav))
    }

    mutating func present(_ text: String, from place: String, isContextual: Bool = false) throws {
        let screen = try make(text)
        try tree.present(screen, from: find(place), .init(isContextual: isContextual))
    }

    mutating func dismiss(_ presenter: String) throws {
        tree.dismissModal(of: try find(presenter))
    }

    func describe(_ operations: [RouteCore.TreeOperation]) -> String {
        operations.map { operation in
            let screens = operation.screens.map { tree.screen($0)?.class ?? "" }
            return "\(operation.name)(\(screens.joined(separator: " ")))"
        }.joined(separator: " ")
    }
}
