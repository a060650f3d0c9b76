// SPDX-License-Identifier: MIT

import RouteCore
import Testing

struct ScreenTreeEditingTests {
    typealias Edit = @Sendable (inout TreeFixture) throws -> Void

    struct Good: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var before: String
        var after: String
        var edit: Edit

        init(_ title: String, _ before: String, _ after: String, edit: @escaping Edit) {
            (testDescription, self.before, self.after) = (title, before, after)
            self.edit = edit
        }
    }

    static let good: [Good] = [
        Good("push", "nav[A]", "nav[A, B]") { fixture in
            let screen = try fixture.make("B")
            try fixture.tree.push(screen, onto: fixture.find("nav"))
        },
        Good("push of a screen of the stack pops to it", "nav[A, B, C]", "nav[A]") { fixture in
            try fixture.tree.push(fixture.find("A"), onto: fixture.find("nav"))
        },
        Good("push of the last screen", "nav[A, B]", "nav[A, B]") { fixture in
            try fixture.tree.push(fixture.find("B"), onto: fixture.find("nav"))
        },
        Good("pop", "nav[A, B, C]", "nav[A, B]") { fixture in
            try fixture.tree.pop(to: fixture.find("B"))
        },
        Good("select", "tabs[*A, B]", "tabs[A, *B]") { fixture in
            try fixture.tree.select(fixture.find("B"))
        },
        Good("the selected tab stays selected", "tabs[A, *B]", "tabs[*B, A, C]") { fixture in
            let added = try fixture.make("C")
            try fixture.tree.setChildren(
                [fixture.find("B"), fixture.find("A"), added],
                of: fixture.find("tabs")
            )
        },
        Good("the tab at the index of the removed one", "tabs[A, *B, C]", "tabs[A, *C]") {
            fixture in
            try fixture.tree.setChildren(
                [fixture.find("A"), fixture.find("C")],
                of: fixture.find("tabs")
            )
        },
        Good("the last tab, if there is none at the index", "tabs[A, B, *C]", "tabs[A, *B]") {
            fixture in
            try fixture.tree.setChildren(
                [fixture.find("A"), fixture.find("B")],
                of: fixture.find("tabs")
            )
        },
        Good("the first of empty tabs", "tabs", "tabs[*A, B]") { fixture in
            let children = [try fixture.make("A"), try fixture.make("B")]
            try fixture.tree.setChildren(children, of: fixture.find("tabs"))
        },
        Good("tabs are emptied", "tabs[A, *B]", "tabs[]") { fixture in
            try fixture.tree.setChildren([], of: fixture.find("tabs"))
        },
        Good("a detail is added", "split[A]", "split[A, B]") { fixture in
            let detail = try fixture.make("B")
            try fixture.tree.setChildren(
                [fixture.find("A"), detail],
                of: fixture.find("split")
            )
        },
        Good("present over the level", "nav[A]", "nav[A] ^ M") { fixture in
            let modal = try fixture.make("M")
            try fixture.tree.present(modal, from: fixture.find("A"))
        },
        Good(
            "present over the level, from a contextual modal",
            "tabs[*nav[A ^ C]]",
            "tabs[*nav[A ^ C]] ^ M"
        ) { fixture in
            let modal = try fixture.make("M")
            try fixture.tree.present(modal, from: fixture.find("C"))
        },
        Good("present in the place", "nav[A, B]", "nav[A, B ^ M]") { fixture in
            let modal = try fixture.make("M")
            try fixture.tree.present(modal, from: fixture.find("B"), .init(isContextual: true))
        },
        Good("dismiss removes the modals above", "nav[A] ^ L ^ M", "nav[A]") { fixture in
            fixture.tree.dismissModal(of: try fixture.find("nav"))
        },
        Good("dismiss without a modal", "nav[A]", "nav[A]") { fixture in
            fixture.tree.dismissModal(of: try fixture.find("nav"))
        },
        Good(
            "uncover dismisses all covering modals",
            "tabs[*nav[A ^ C], B] ^ L ^ M",
            "tabs[*nav[A], B]"
        ) { fixture in
            fixture.tree.uncover(try fixture.find("A"))
        },
        Good("uncover keeps the levels below", "nav[A] ^ nav[L] ^ M", "nav[A] ^ nav[L]") {
            fixture in
            fixture.tree.uncover(try fixture.find("L"))
        },
        Good(
            "uncover of a contextual modal over another one",
            "nav[A ^ C ^ D] ^ M",
            "nav[A ^ C ^ D]"
        ) { fixture in
            fixture.tree.uncover(try fixture.find("D"))
        },
        Good("make visible, inside out", "nav[tabs[*A, nav[B, C]], D]", "nav[tabs[A, *nav[B]]]") {
            fixture in
            try fixture.tree.makeVisible(fixture.find("B"))
        },
        Good(
            "make a contextual modal visible",
            "tabs[*A, nav[B, C ^ M, D]]",
            "tabs[A, *nav[B, C ^ M]]"
        ) { fixture in
            try fixture.tree.makeVisible(fixture.find("M"))
        },
        Good(
            "make visible in declared containers",
            "Last[Selected[*A, All[B, nav[C, D]]], E]",
            "Last[Selected[A, *All[B, nav[C]]]]"
        ) { fixture in
            try fixture.tree.makeVisible(fixture.find("C"))
        },
        Good("make visible in what shows all", "All[A, B, C]", "All[A, B, C]") { fixture in
            try fixture.tree.makeVisible(fixture.find("A"))
        },
        Good("select in a declared container", "Selected[*A, B]", "Selected[A, *B]") { fixture in
            try fixture.tree.select(fixture.find("B"))
        },
        Good(
            "the selected child of a declared container stays selected",
            "Selected[A, *B]",
            "Selected[C, *B]"
        ) { fixture in
            let added = try fixture.make("C")
            try fixture.tree.setChildren(
                [added, fixture.find("B")],
                of: fixture.find("Selected")
            )
        },
        Good("set a field, remove a field", "A(id=1, x=2)", "A(id=3)") { fixture in
            let screen = try fixture.find("A")
            try fixture.tree.setField("id", to: 3, of: screen)
            try fixture.tree.setField("x", to: nil, of: screen)
        },
        Good("another root", "nav[A] ^ M", "nav[B]") { fixture in
            try fixture.set("main", "nav[B]")
        },
    ]

    @Test("an edit keeps the rules of the tree", arguments: good)
    func edits(_ good: Good) throws {
        var fixture = try TreeFixture(good.before)
        try good.edit(&fixture)
        #expect(fixture.print() == good.after)
        #expect(fixture.tree.checkInvariants() == [])
    }

    struct Bad: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var tree: String
        var code: RouteError.Code
        var message: String
        var edit: Edit

        init(
            _ title: String,
            _ tree: String,
            _ code: RouteError.Code,
            _ message: String,
            edit: @escaping Edit
        ) {
            (testDescription, self.tree, self.code, self.message) = (title, tree, code, message)
            self.edit = edit
        }
    }

    static let bad: [Bad] = [
        Bad(
            "push what is in the tree",
            "tabs[*nav[A], B]",
            .composition,
            "screen 'B' is already in the tree (a new or detached screen expected)"
        ) { fixture in
            try fixture.tree.push(fixture.find("B"), onto: fixture.find("nav"))
        },
        Bad(
            "push what a modal is",
            "nav[A] ^ M",
            .composition,
            "screen 'M' is already in the tree (a new or detached screen expected)"
        ) { fixture in
            try fixture.tree.push(fixture.find("M"), onto: fixture.find("nav"))
        },
        Bad(
            "push a root",
            "nav[A]",
            .composition,
            "screen 'nav' is already in the tree (a new or detached screen expected)"
        ) { fixture in
            try fixture.tree.push(fixture.find("nav"), onto: fixture.find("nav"))
        },
        Bad("push on what is no stack", "tabs[A]", .typeMismatch, "nav expected, got 'tabs' (tabs)")
        { fixture in
            let screen = try fixture.make("B")
            try fixture.tree.push(screen, onto: fixture.find("tabs"))
        },
        Bad("push into itself", "nav[A]", .composition, "screen 'x' cannot be put inside itself") {
            fixture in
            let outer = try fixture.make("x:nav[nav]")
            let inner = try #require(fixture.tree.screen(outer)).children[0]
            try fixture.tree.push(outer, onto: inner)
        },
        Bad("pop to what is in no stack", "tabs[A]", .composition, "screen 'A' is not in a stack") {
            fixture in
            try fixture.tree.pop(to: fixture.find("A"))
        },
        Bad("select what is no tab", "nav[A]", .composition, "screen 'A' is not a tab") { fixture in
            try fixture.tree.select(fixture.find("A"))
        },
        Bad(
            "children of a leaf",
            "nav[A]",
            .composition,
            "'A' is a leaf, which cannot have children"
        ) { fixture in
            let screen = try fixture.make("B")
            try fixture.tree.setChildren([screen], of: fixture.find("A"))
        },
        Bad(
            "a third in a split",
            "split[A, B]",
            .composition,
            "split 'split' can have only a primary and one detail (got 3 children)"
        ) { fixture in
            let screen = try fixture.make("C")
            try fixture.tree.setChildren(
                [fixture.find("A"), fixture.find("B"), screen],
                of: fixture.find("split")
            )
        },
        Bad(
            "a fourth where three may be",
            "All[A, B, C]",
            .composition,
            "'All' can have at most 3 children (got 4)"
        ) { fixture in
            let all = try fixture.find("All")
            let screen = try fixture.make("D")
            let children = try #require(fixture.tree.screen(all)).children
            try fixture.tree.setChildren(children + [screen], of: all)
        },
        Bad(
            "make a container with two where one may be",
            "A",
            .composition,
            "'Slot' can have at most 1 child (got 2)"
        ) { fixture in
            let children = [try fixture.make("B"), try fixture.make("C")]
            let slot = ScreenClass("Slot", kind: .container, max: 1)
            _ = try fixture.tree.makeScreen(slot, children: children)
        },
        Bad("select in what shows all", "All[A]", .composition, "screen 'A' is not a tab") {
            fixture in
            try fixture.tree.select(fixture.find("A"))
        },
        Bad(
            "pop a declared container",
            "Last[A, B]",
            .composition,
            "screen 'A' is not in a stack"
        ) { fixture in
            try fixture.tree.pop(to: fixture.find("A"))
        },
        Bad("one child twice", "tabs[A, B]", .composition, "screen 'A' is inserted twice") {
            fixture in
            let screen = try fixture.find("A")
            try fixture.tree.setChildren([screen, screen], of: fixture.find("tabs"))
        },
        Bad(
            "a child of another container",
            "tabs[*nav[A], B]",
            .composition,
            "screen 'A' is already in the tree (a new or detached screen expected)"
        ) { fixture in
            let screen = try fixture.make("C")
            try fixture.tree.setChildren([screen, fixture.find("A")], of: fixture.find("tabs"))
        },
        Bad("make a screen with one child twice", "A", .composition, "screen 'B' is inserted twice")
        { fixture in
            let screen = try fixture.make("B")
            _ = try fixture.tree.makeScreen(ScreenClass("nav"), children: [screen, screen])
        },
        Bad(
            "make a leaf with a child",
            "A",
            .composition,
            "'C' is a leaf, which cannot have children"
        ) { fixture in
            let screen = try fixture.make("B")
            _ = try fixture.tree.makeScreen(ScreenClass("C"), children: [screen])
        },
        Bad(
            "make a container around what is in the tree",
            "nav[A]",
            .composition,
            "screen 'A' is already in the tree (a new or detached screen expected)"
        ) { fixture in
            _ = try fixture.tree.makeScreen(ScreenClass("nav"), children: [fixture.find("A")])
        },
        Bad("present twice", "nav[A] ^ M", .composition, "screen 'nav' is already presenting 'M'") {
            fixture in
            let modal = try fixture.make("N")
            try fixture.tree.present(modal, from: fixture.find("A"))
        },
        Bad(
            "present with an option that holds a reference",
            "A",
            .badInfo,
            "bad field 'options.x[1]' (plain data expected, got a function, screen or host object)"
        ) { fixture in
            let modal = try fixture.make("M")
            let options: InfoTable = ["x": [.screen(modal)]]
            try fixture.tree.present(modal, from: fixture.find("A"), .init(options: options))
        },
        Bad(
            "present what is in the tree",
            "nav[A]",
            .composition,
            "screen 'A' is already in the tree (a new or detached screen expected)"
        ) { fixture in
            try fixture.tree.present(fixture.find("A"), from: fixture.find("nav"))
        },
        Bad(
            "a root that is in the tree",
            "nav[A]",
            .composition,
            "screen 'A' is already in the tree (a new or detached screen expected)"
        ) { fixture in
            try fixture.tree.setRoot(fixture.find("A"), of: "main")
        },
        Bad(
            "close what is not open",
            "nav[A]",
            .composition,
            "there is no window 'mian', did you mean 'main'?"
        ) { fixture in
            try fixture.tree.closeWindow("mian")
        },
        Bad(
            "a field that holds a reference",
            "A",
            .badInfo,
            "bad field 'x[1]' (plain data expected, got a function, screen or host object)"
        ) { fixture in
            let screen = try fixture.find("A")
            try fixture.tree.setField("x", to: [.screen(screen)], of: screen)
        },
        Bad(
            "make a screen with a reference",
            "A",
            .badInfo,
            "bad field 'x.y' (plain data expected, got a function, screen or host object)"
        ) { fixture in
            let fields: Fields = ["id": 1, "x": ["y": .screen(try fixture.find("A"))]]
            _ = try fixture.tree.makeScreen(ScreenClass("B"), fields: fields)
        },
        Bad(
            "a field that has no name",
            "A",
            .badInfo,
            "bad field name '1st' (must begin with an ASCII letter, followed by ASCII letters, digits, '_', '-', or '.' before a letter)"
        ) { fixture in
            try fixture.tree.setField("1st", to: 1, of: fixture.find("A"))
        },
        Bad(
            "make a screen with a field that has no name",
            "A",
            .badInfo,
            "bad field name 'a b' (must begin with an ASCII letter, followed by ASCII letters, digits, '_', '-', or '.' before a letter)"
        ) { fixture in
            _ = try fixture.tree.makeScreen(ScreenClass("B"), fields: ["a b": 1])
        },
    ]

    @Test("an edit that breaks a rule is an error, and changes nothing", arguments: bad)
    func refuses(_ bad: Bad) throws {
        var fixture = try TreeFixture(bad.tree)
        let before = try fixture.dump()
        let error = #expect(throws: RouteError.self) { try bad.edit(&fixture) }
        #expect(error?.code == bad.code)
        #expect(error?.message == bad.message)
        #expect(try fixture.dump() == before)
        #expect(fixture.tree.checkInvariants() == [])
    }

    @Test("a removed screen cannot be changed, and cannot receive screens")
    func gone() throws {
        var fixture = try TreeFixture("tabs[*nav[A, B], C]")
        let (nav, second) = (try fixture.find("nav"), try fixture.find("B"))
        let (tabs, third) = (try fixture.find("tabs"), try fixture.find("C"))
        fixture.tree.openNewDraft()
        try fixture.set("main", "D")
        fixture.tree.closeDraft(fixture.tree.draftDifference())
        let new = try fixture.make("N")
        let edits: [(name: String, edit: (inout ScreenTree) throws -> Void)] = [
            ("nav", { try $0.push(new, onto: nav) }),
            ("nav", { try $0.push(second, onto: nav) }),
            ("B", { try $0.pop(to: second) }),
            ("nav", { try $0.setChildren([new], of: nav) }),
            ("C", { try $0.select(third) }),
            ("C", { try $0.makeVisible(third) }),
            ("B", { try $0.present(new, from: second) }),
            ("B", { try $0.present(new, from: second, .init(isContextual: true)) }),
            ("B", { try $0.setField("id", to: 1, of: second) }),
            ("tabs", { try $0.setRoot(tabs, of: "main") }),
        ]
        for (index, (name, edit)) in edits.enumerated() {
            let error = #expect(throws: RouteError.self, "edit \(index)") {
                try edit(&fixture.tree)
            }
            #expect(error?.code == .composition, "edit \(index)")
            #expect(error?.message == "screen '\(name)' is gone", "edit \(index)")
        }
        #expect(fixture.tree.screen(nav)?.children.count == 2)
    }

    @Test("every edit rejects a screen of another router")
    func another() throws {
        var fixture = try TreeFixture("nav[A ^ M, split[B], tabs[C]]")
        // The other tree has screens with the same serials, in the same slots.
        let foreign = try TreeFixture("nav[A ^ M, split[B], tabs[C]]").find("A")
        let before = try fixture.dump()
        let (nav, split, tabs) = (
            try fixture.find("nav"), try fixture.find("split"), try fixture.find("tabs")
        )
        #expect(foreign.serial == (try fixture.find("A")).serial)
        #expect(foreign.slot == (try fixture.find("A")).slot)
        #expect(foreign != (try fixture.find("A")))
        #expect(fixture.tree.screen(foreign) == nil && fixture.tree.isGone(foreign))
        #expect(!fixture.tree.isAlive(foreign) && !fixture.tree.isVisible(foreign))
        #expect(fixture.tree.window(of: foreign) == nil)
        #expect(fixture.tree.search(from: foreign) == [])
        #expect(fixture.tree.coveringModal(of: foreign) == nil)
        let new = try fixture.make("N")
        let edits: [(inout ScreenTree) throws -> Void] = [
            { try $0.push(foreign, onto: nav) }, { try $0.push(new, onto: foreign) },
            { try $0.pushAsRoot(foreign, onto: nav) }, { try $0.pushAsRoot(new, onto: foreign) },
            { try $0.pushReplacingLast(foreign, onto: nav) },
            { try $0.pushReplacingLast(new, onto: foreign) },
            { try $0.replaceLast(new, in: foreign) }, { try $0.addTab(foreign, to: tabs) },
            { try $0.addTab(new, to: foreign) }, { try $0.setAsPrimary(foreign, in: split) },
            { try $0.setAsPrimary(new, in: foreign) }, { try $0.pushToDetails(foreign, in: split) },
            { try $0.pushToDetails(new, in: foreign) },
            { try $0.pushOnToDetails(foreign, in: split) },
            { try $0.pushOnToDetails(new, in: foreign) },
            { try $0.pop(to: foreign) }, { try $0.select(foreign) },
            { try $0.makeVisible(foreign) },
            { try $0.setChildren([foreign], of: nav) }, { try $0.setChildren([], of: foreign) },
            { try $0.present(foreign, from: nav) }, { try $0.present(new, from: foreign) },
            { try $0.present(new, from: foreign, .init(isContextual: true)) },
            { try $0.setRoot(foreign, of: "main") }, { try $0.setRoot(foreign, of: "second") },
            { try $0.replaceRoot(nav, with: foreign) }, { try $0.replaceRoot(foreign, with: new) },
            { try $0.setField("a", to: 1, of: foreign) }, { try $0.checkInsertable(foreign) },
            { _ = try $0.makeScreen(ScreenClass("nav"), children: [foreign]) },
        ]
        for (index, edit) in edits.enumerated() {
            let error = #expect(throws: RouteError.self, "edit \(index)") {
                try edit(&fixture.tree)
            }
            #expect(error?.code == .composition, "edit \(index)")
            #expect(
                error?.message
                    == "screen '#\(foreign.serial)' belongs to another router (a screen of this router expected)",
                "edit \(index)"
            )
        }
        fixture.tree.uncover(foreign)
        fixture.tree.dismissModal(of: foreign)
        fixture.tree.release(foreign) { _ in false }
        #expect(try fixture.dump() == before)
        #expect(fixture.tree.checkInvariants() == [])
    }

    @Test("the screens of a tree can be found in a copy of the tree, including by identifier")
    func copies() throws {
        let fixture = try TreeFixture("nav[A]")
        let screen = try fixture.find("A")
        let copy = fixture.tree
        #expect(copy.screen(screen)?.class == "A")
        #expect(copy.id(screen.identifier) == screen)
        #expect(copy.id(screen.identifier).hashValue == screen.hashValue)
        #expect(ScreenTree().id(screen.identifier) != screen)
        #expect(Set([screen, copy.id(screen.identifier)]).count == 1)
    }

    @Test("every edit rejects a released screen")
    func released() throws {
        var fixture = try TreeFixture("nav[A]")
        let screen = try fixture.make("B")
        fixture.tree.release(screen) { _ in false }
        let nav = try fixture.find("nav")
        let edits: [(inout ScreenTree) throws -> Void] = [
            { try $0.push(screen, onto: nav) }, { try $0.push(nav, onto: screen) },
            { try $0.pop(to: screen) }, { try $0.select(screen) },
            { try $0.makeVisible(screen) },
            { try $0.setChildren([screen], of: nav) }, { try $0.setChildren([], of: screen) },
            { try $0.present(screen, from: nav) }, { try $0.present(nav, from: screen) },
            { try $0.setRoot(screen, of: "main") }, { try $0.setField("a", to: 1, of: screen) },
            { _ = try $0.makeScreen(ScreenClass("nav"), children: [screen]) },
        ]
        for (index, edit) in edits.enumerated() {
            let error = #expect(throws: RouteError.self, "edit \(index)") {
                try edit(&fixture.tree)
            }
            #expect(error?.message == "screen '#\(screen.serial)' is gone", "edit \(index)")
        }
        #expect(fixture.print() == "nav[A]")
    }
}
