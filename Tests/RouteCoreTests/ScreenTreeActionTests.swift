// SPDX-License-Identifier: MIT

import RouteCore
import Testing

struct ScreenTreeActionTests {
    typealias Edit = @Sendable (inout TreeFixture) throws -> Void

    /// An action, and the resulting tree or error.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var before: String
        var after: String
        var code: RouteError.Code?
        var edit: Edit

        init(_ title: String, _ before: String, _ after: String, edit: @escaping Edit) {
            (testDescription, self.before, self.after) = (title, before, after)
            self.edit = edit
        }

        init(
            _ title: String,
            _ before: String,
            _ code: RouteError.Code,
            _ message: String,
            edit: @escaping Edit
        ) {
            self.init(title, before, message, edit: edit)
            self.code = code
        }
    }

    static let stacks: [Case] = [
        Case("S-71: replacing the last of none", "nav", "nav[N]") {
            try $0.pushReplacingLast("N")
        },
        Case("S-71: replacing the only one", "nav[X]", "nav[N]") {
            try $0.pushReplacingLast("N")
        },
        Case("S-71: replacing the last", "nav[A, B]", "nav[A, N ^ M]") {
            try $0.pushReplacingLast("N ^ M")
        },
        Case("S-73: push as the root, then push", "nav[A, B]", "nav[C, D]") { fixture in
            try fixture.pushAsRoot("C")
            try fixture.push("D")
        },
        Case("push as the root of an empty stack", "nav", "nav[A]") { try $0.pushAsRoot("A") },
        Case(
            "push as the root what is in the stack",
            "nav[A, B]",
            .composition,
            "screen 'A' is already in the tree (a new or detached screen expected)"
        ) { fixture in
            try fixture.tree.pushAsRoot(fixture.find("A"), onto: fixture.find("nav"))
        },
        Case(
            "replacing the last by itself",
            "nav[A, B]",
            .composition,
            "screen 'B' is already in the tree (a new or detached screen expected)"
        ) { fixture in
            try fixture.tree.pushReplacingLast(fixture.find("B"), onto: fixture.find("nav"))
        },
        Case(
            "S-85: push as the root of what is no stack",
            "tabs[A]",
            .typeMismatch,
            "nav expected, got 'tabs' (tabs)"
        ) { try $0.pushAsRoot("B", onto: "tabs") },
        Case(
            "S-85: replacing the last of what is no stack",
            "Last[A]",
            .typeMismatch,
            "nav expected, got 'Last' (container)"
        ) { try $0.pushReplacingLast("B", onto: "Last") },
        Case("S-85: a stack of a declared class", "exnav:nav[A]", "exnav:nav[A, B]") {
            try $0.push("B", onto: "exnav")
        },
        Case("replacing the last of a container", "Last[A, B]", "Last[A, N]") {
            try $0.replaceLast("N", in: "Last")
        },
        Case("replacing the last of an empty container", "All", "All[N]") {
            try $0.replaceLast("N", in: "All")
        },
        Case("the one in the place of the selected is selected", "Selected[A, *B]", "") {
            fixture in
            try fixture.replaceLast("N", in: "Selected")
            #expect(fixture.print() == "Selected[A, *N]")
            try fixture.replaceLast("B", in: "Selected")
        },
        Case("replacing the last of a full container", "All[A, B, C]", "All[A, B, N]") {
            try $0.replaceLast("N", in: "All")
        },
        Case("the last of a container of any kind", "tabs[A, *B]", "tabs[A, *B, N]") {
            try $0.tree.append($0.make("N"), to: $0.find("tabs"))
        },
        Case(
            "the last of a full container",
            "All[A, B, C]",
            .composition,
            "'All' can have at most 3 children (got 4)"
        ) { try $0.tree.append($0.make("N"), to: $0.find("All")) },
        Case(
            "the last, twice",
            "nav[A, B]",
            .composition,
            "screen 'A' is inserted twice"
        ) { try $0.tree.append($0.find("A"), to: $0.find("nav")) },
        Case(
            "replacing the last of a stack as of a container",
            "nav[A]",
            .typeMismatch,
            "container expected, got 'nav' (nav)"
        ) { try $0.replaceLast("B", in: "nav") },
    ]

    static let tabs: [Case] = [
        Case("S-75: a tab", "tabs[*A]", "tabs[*A, N]") { try $0.addTab("N") },
        Case("S-75: the second of none", "tabs", "tabs[*N]") { try $0.addTab("N", at: 2) },
        Case("S-75: the first", "tabs[*A]", "tabs[N, *A]") { try $0.addTab("N", at: 1) },
        Case("S-75: in the place of the first", "tabs[*A]", "tabs[*N]") {
            try $0.addTab("N", at: 1, replacing: true)
        },
        Case("S-75: behind the last", "tabs[*A, B]", "tabs[*A, B, N]") {
            try $0.addTab("N", at: 10, replacing: true)
        },
        Case("at the last", "tabs[A, *B]", "tabs[A, N, *B]") { try $0.addTab("N", at: 2) },
        Case("one behind the last", "tabs[A, *B]", "tabs[A, *B, N]") { try $0.addTab("N", at: 3) },
        Case("at none", "tabs[*A]", "tabs[*A, N]") { try $0.addTab("N", at: 0) },
        Case("before all", "tabs[*A]", "tabs[*A, N]") { try $0.addTab("N", at: .min) },
        Case("far behind all", "tabs[*A]", "tabs[*A, N]") { try $0.addTab("N", at: .max) },
        Case("in the place of what is not said", "tabs[*A]", "tabs[*A, N]") {
            try $0.addTab("N", replacing: true)
        },
        Case("in the place of one that is not selected", "tabs[*A, B]", "tabs[*A, N]") {
            try $0.addTab("N", at: 2, replacing: true)
        },
        Case("S-77: in the place of the selected one, then made visible", "tabs[*A, B]", "") {
            fixture in
            fixture.tree.openNewDraft()
            try fixture.addTab("C", at: 1, replacing: true)
            try fixture.tree.makeVisible(fixture.find("C"))
            #expect(fixture.print() == "tabs[*C, B]")
            let operations = fixture.tree.draftDifference().operations
            #expect(fixture.describe(operations) == "children(C B)")
            fixture.tree.dropDraft()
        },
        Case("S-77: the first, then made visible", "tabs[*C, B]", "tabs[*D, C, B]") { fixture in
            try fixture.addTab("D", at: 1)
            #expect(fixture.print() == "tabs[D, *C, B]")
            try fixture.tree.makeVisible(fixture.find("D"))
        },
        Case("a tab of what has none", "nav[A]", .typeMismatch, "tabs expected, got 'nav' (nav)") {
            try $0.addTab("B", to: "nav")
        },
        Case(
            "a tab that is one",
            "tabs[*A, B]",
            .composition,
            "screen 'B' is already in the tree (a new or detached screen expected)"
        ) { fixture in
            try fixture.tree.addTab(fixture.find("B"), to: fixture.find("tabs"), at: 1)
        },
    ]

    static let splits: [Case] = [
        Case("the primary of none", "split", "split[N]") { try $0.setAsPrimary("N") },
        Case("another primary", "split[A]", "split[N]") { try $0.setAsPrimary("N") },
        Case("another primary beside a detail", "split[A, B]", "split[N, B]") {
            try $0.setAsPrimary("N")
        },
        Case("a detail", "split[A]", "split[A, N]") { try $0.pushToDetails("N") },
        Case("another detail", "split[A, nav[B]]", "split[A, N]") { try $0.pushToDetails("N") },
        Case(
            "a detail without a primary",
            "split",
            .composition,
            "split 'split' has no primary (a primary expected before a detail)"
        ) { try $0.pushToDetails("N") },
        Case(
            "S-79: on to the details of none",
            "split",
            .composition,
            "split 'split' has no primary (a primary expected before a detail)"
        ) { try $0.pushOnToDetails("nav") },
        Case(
            "S-79: on to the details, a plain screen as the first",
            "split[X]",
            .composition,
            "the detail of split 'split' must be a nav, got 'N' (leaf)"
        ) { try $0.pushOnToDetails("N") },
        Case("S-79: on to the details, a stack as the first", "split[X]", "split[X, nav[]]") {
            try $0.pushOnToDetails("nav")
        },
        Case(
            "S-79: on to the details, a stack onto a stack",
            "split[X, nav]",
            .composition,
            "nav 'exnav' cannot be pushed onto the detail of split 'split', which is a nav itself"
        ) { try $0.pushOnToDetails("exnav:nav") },
        Case("S-79: on to the details", "split[X, nav]", "split[X, nav[P]]") {
            try $0.pushOnToDetails("P")
        },
        Case("S-79: a stack as the primary is no detail", "split[nav]", "split[nav[], x:nav[]]") {
            try $0.pushOnToDetails("x:nav")
        },
        Case("on to the details what is there", "split[X, nav[A, B]]", "split[X, nav[A]]") {
            fixture in
            try fixture.tree.pushOnToDetails(fixture.find("A"), in: fixture.find("split"))
        },
        Case(
            "on to the details that are no stack",
            "split[X, Y]",
            .composition,
            "the detail of split 'split' must be a nav, got 'Y' (leaf)"
        ) { try $0.pushOnToDetails("P") },
        Case("the primary of a stack", "nav[A]", .typeMismatch, "split expected, got 'nav' (nav)") {
            try $0.setAsPrimary("N", in: "nav")
        },
        Case("the detail of tabs", "tabs", .typeMismatch, "split expected, got 'tabs' (tabs)") {
            try $0.pushToDetails("N", in: "tabs")
        },
        Case("on to the details of a leaf", "A", .typeMismatch, "split expected, got 'A' (leaf)") {
            try $0.pushOnToDetails("N", in: "A")
        },
    ]

    static let levels: [Case] = [
        Case("S-81: another root", "nav[A] ^ M", "B ^ L") {
            try $0.replaceRoot("nav", with: "B ^ L")
        },
        Case(
            "S-81: another root for what is none",
            "nav[A]",
            .composition,
            "screen 'A' is not the root of a window"
        ) { try $0.replaceRoot("A", with: "B") },
        Case(
            "S-81: another root for a level above",
            "nav[A] ^ M",
            .composition,
            "screen 'M' is not the root of a window"
        ) { try $0.replaceRoot("M", with: "B") },
        Case(
            "S-81: another root without a window",
            "A",
            .composition,
            "screen 'B' is not the root of a window"
        ) { fixture in
            let (place, root) = (try fixture.make("B"), try fixture.make("C"))
            try fixture.tree.replaceRoot(place, with: root)
        },
        Case(
            "S-83: present from what presents",
            "A ^ B",
            .composition,
            "screen 'A' is already presenting 'B'"
        ) { try $0.present("C", from: "A") },
        Case("S-83: present from the topmost", "A ^ B", "A ^ B ^ C") { fixture in
            let window = try #require(fixture.tree.window("main"))
            let modal = try fixture.make("C")
            try fixture.tree.present(modal, from: fixture.tree.topmost(of: window))
        },
        Case("S-83: present from the root that was uncovered", "A ^ B", "A ^ C") { fixture in
            fixture.tree.uncover(try fixture.find("A"))
            try fixture.present("C", from: "A")
        },
        Case(
            "S-87: pop to what the stack holds no more",
            "nav[A]",
            .composition,
            "screen 'B' is not in a stack"
        ) { fixture in
            let screen = try fixture.make("B")
            var copy = fixture.tree
            try copy.push(screen, onto: fixture.find("nav"))
            try copy.pop(to: fixture.find("A"))
            try copy.makeVisible(screen)
            #expect(!copy.isVisible(screen))
            try copy.pop(to: screen)
        },
        Case(
            "S-87: select what the tabs do not hold",
            "tabs[A]",
            .composition,
            "screen 'B' is not a tab"
        ) { fixture in
            let screen = try fixture.make("B")
            try fixture.tree.select(screen)
        },
    ]

    @Test(
        "an action either changes the tree or is an error",
        arguments: stacks + tabs + splits + levels
    )
    func acts(_ given: Case) throws {
        var fixture = try TreeFixture(given.before)
        let before = try fixture.dump()
        do {
            try given.edit(&fixture)
            #expect(given.code == nil)
            #expect(fixture.print() == (given.after.isEmpty ? given.before : given.after))
        } catch let error as RouteError {
            #expect(error.code == given.code)
            #expect(error.message == given.after)
            #expect(try fixture.dump() == before)
        }
        #expect(fixture.tree.checkInvariants() == [])
    }

    @Test("the same actions build a tree from detached screens")
    func detached() throws {
        var fixture = try TreeFixture("A")
        let (tabs, split, nav) = (
            try fixture.make("tabs"), try fixture.make("split"), try fixture.make("nav")
        )
        let box = try fixture.make("Last")
        let screens = try ["B", "C", "D", "E", "F"].map { try fixture.make($0) }
        try fixture.tree.addTab(split, to: tabs)
        try fixture.tree.setAsPrimary(box, in: split)
        try fixture.tree.replaceLast(screens[0], in: box)
        try fixture.tree.pushOnToDetails(nav, in: split)
        try fixture.tree.pushOnToDetails(screens[1], in: split)
        try fixture.tree.pushReplacingLast(screens[2], onto: nav)
        try fixture.tree.pushAsRoot(screens[3], onto: nav)
        try fixture.tree.addTab(screens[4], to: tabs, at: 1)
        #expect(!fixture.tree.isAlive(tabs))
        try fixture.tree.setRoot(tabs, of: "main")
        #expect(fixture.print() == "tabs[F, *split[Last[B], nav[E]]]")
        #expect(fixture.tree.checkInvariants() == [])
        for id in screens[1...2] { #expect(fixture.tree.screen(id)?.parent == nil) }
    }

    @Test("a screen cannot be put into itself or a removed screen, or nested too deeply")
    func rules() throws {
        typealias Action = (inout ScreenTree, ScreenID, ScreenID) throws -> Void
        let actions: [(kind: String, act: Action)] = [
            ("nav", { try $0.push($1, onto: $2) }), ("nav", { try $0.pushAsRoot($1, onto: $2) }),
            ("nav", { try $0.pushReplacingLast($1, onto: $2) }),
            ("Last", { try $0.replaceLast($1, in: $2) }), ("tabs", { try $0.addTab($1, to: $2) }),
            ("split", { try $0.setAsPrimary($1, in: $2) }),
            ("split", { try $0.pushToDetails($1, in: $2) }),
            ("split", { try $0.pushOnToDetails($1, in: $2) }),
        ]
        for (index, (kind, act)) in actions.enumerated() {
            let text = kind == "split" ? "split[P]" : kind
            var fixture = try TreeFixture("A")
            let inner = try fixture.make(text)
            let outer = try fixture.tree.makeScreen(ScreenClass("nav"), children: [inner])
            let deep = try fixture.make(
                String(repeating: "nav[", count: 99) + "B" + String(repeating: "]", count: 99)
            )
            let gone = try fixture.make("G")
            fixture.tree.release(gone) { _ in false }
            let bad = [
                (outer, inner, "screen 'nav' cannot be put inside itself"),
                (deep, inner, "screen 'nav' would be nested too deeply"),
                (gone, inner, "screen '#"),
                (try fixture.make("B"), gone, "screen '#"),
            ]
            for (screen, place, message) in bad {
                let error = #expect(throws: RouteError.self, "action \(index)") {
                    try act(&fixture.tree, screen, place)
                }
                #expect(error?.code == .composition, "action \(index)")
                #expect(error?.message.hasPrefix(message) == true, "action \(index)")
            }
            #expect(
                NotationPrinter(classes: TreeFixture.classes).screen(inner, in: fixture.tree)
                    == (kind == "split" ? text : "\(kind)[]")
            )
            #expect(fixture.tree.checkInvariants() == [])
        }
    }
}

extension TreeFixture {
    mutating func pushAsRoot(_ text: String, onto nav: String = "nav") throws {
        let screen = try make(text)
        try tree.pushAsRoot(screen, onto: find(nav))
    }

    mutating func pushReplacingLast(_ text: String, onto nav: String = "nav") throws {
        let screen = try make(text)
        try tree.pushReplacingLast(screen, onto: find(nav))
    }

    mutating func replaceLast(_ text: String, in container: String) throws {
        let screen = try make(text)
        try tree.replaceLast(screen, in: find(container))
    }

    mutating func addTab(
        _ text: String,
        to tabs: String = "tabs",
        at position: Int? = nil,
        replacing isReplacing: Bool = false
    ) throws {
        let screen = try make(text)
        try tree.addTab(screen, to: find(tabs), at: position, replacing: isReplacing)
    }

    mutating func setAsPrimary(_ text: String, in split: String = "split") throws {
        let screen = try make(text)
        try tree.setAsPrimary(screen, in: find(split))
    }

    mutating func pushToDetails(_ text: String, in split: String = "split") throws {
        let screen = try make(text)
        try tree.pushToDetails(screen, in: find(split))
    }

    mutating func pushOnToDetails(_ text: String, in split: String = "split") throws {
        let screen = try make(text)
        try tree.pushOnToDetails(screen, in: find(split))
    }

    mutating func replaceRoot(_ place: String, with text: String) throws {
        let screen = try make(text)
        try tree.replaceRoot(find(place), with: screen)
    }
}
