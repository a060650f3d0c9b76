// SPDX-License-Identifier: MIT

import RouteCore
import Testing

struct NotationBuildingTests {
    static let classes: ScreenClasses = {
        var classes = TreeFixture.classes
        classes.declare(ScreenClass("Home", kind: .tabs))
        classes.declare(ScreenClass("Page", fields: ["id"]))
        return classes
    }()

    @Test(
        "a tree is built from its notation",
        arguments: [
            ("nav", "nav[]"),
            ("A ( ) ", "A"),
            ("A[]", "A"),
            ("nav[Main, Show(showId=1), Player(trackId=7)]", ""),
            ("tabs[nav[A], B]", "tabs[*nav[A], B]"),
            ("tabs[A, *nav[B]] ^ nav[Login] ^ Alert", ""),
            ("Home[A, * B]", "Home[A, *B]"),
            ("split[A, B ^ C ^ D]", ""),
            ("exnav:nav[foreign]", ""),
            ("Page(id=nil, a=1)", "Page(a=1)"),
            ("nav:nav[A:leaf, Home:tabs[]]", "nav[A, Home[]]"),
            ("tabs[A, *B ^ nav[C ^ D]] ^ tabs[*E]", ""),
            ("Last[A, B]", ""), ("All:container[A, B, C]", "All[A, B, C]"),
            ("Selected[A, B]", "Selected[*A, B]"), ("nav[Selected[A, *Last[B ^ C]]]", ""),
            ("box:container", "box:container[]"), ("box:container[A, B]", ""),
            ("nav[container]", ""), ("container:container[A]", ""),
        ]
    )
    func builds(_ text: String, _ canonical: String) throws {
        var tree = ScreenTree()
        let root = try TreeNotation(text).build(into: &tree, classes: Self.classes)
        try tree.setRoot(root, of: "main")
        let printed = NotationPrinter(classes: Self.classes).tree(tree, window: "main")
        #expect(printed == (canonical.isEmpty ? text : canonical))
    }

    struct Bad: Sendable, CustomTestStringConvertible {
        var text: String
        var error: NotationError
        var testDescription: String { text }
        init(_ text: String, _ range: Range<Int>, _ message: String, help: String? = nil) {
            self.text = text
            error = NotationError(message, at: range, help: help)
        }
    }

    static let bad: [Bad] = [
        Bad(
            "nav[exnav[A]]",
            9..<12,
            "'exnav' is a leaf, which cannot have children",
            help: "if 'exnav' is a container, write 'exnav:nav[…]' or another kind"
        ),
        Bad("A ^ foreign[A]", 11..<14, "'foreign' is a foreign, which cannot have children"),
        Bad("Page:nav[A]", 5..<8, "'Page' has the kind leaf, not nav"),
        Bad("nav:tabs[A]", 4..<8, "'nav' has the kind nav, not tabs"),
        Bad(
            "nav[split[A, B, C]]",
            9..<18,
            "split 'split' can have only a primary and one detail (got 3 children)"
        ),
        Bad("All[A, B, C, D]", 3..<15, "'All' can have at most 3 children (got 4)"),
        Bad("All:split[A]", 4..<9, "'All' has the kind container, not split"),
        Bad(
            "nav[All[*A]]",
            8..<9,
            "'*' marks the selected child, but 'All' shows all children",
            help: "declare 'All' as a container that shows the selected child"
        ),
        Bad(
            "box:container[A, *B]",
            17..<18,
            "'*' marks the selected child, but 'box' shows the last child",
            help: "declare 'box' as a container that shows the selected child"
        ),
        Bad(
            "container[A]",
            9..<12,
            "'container' is a leaf, which cannot have children",
            help: "if 'container' is a container, write 'container:nav[…]' or another kind"
        ),
        Bad("nav[A, *B]", 7..<8, "'*' marks the selected tab, but 'nav' is a nav"),
        Bad("tabs[A, B ^ nav[*C]]", 16..<17, "'*' marks the selected tab, but 'nav' is a nav"),
    ]

    @Test(
        "notation for a tree that breaks a rule is an error with a location, and nothing is built",
        arguments: bad
    )
    func refuses(_ bad: Bad) throws {
        var tree = ScreenTree()
        let notation = try TreeNotation(bad.text)
        #expect(throws: bad.error) { try notation.build(into: &tree, classes: Self.classes) }
        #expect(tree.heldCount == 0)
    }

    @Test(
        "a tree cannot be built from an expectation",
        arguments: [("nav[A, _]", 7..<8, "_"), ("nav[A, ...]", 7..<10, "...")]
    )
    func refusesExpectations(_ text: String, _ range: Range<Int>, _ symbol: String) throws {
        var tree = ScreenTree()
        let notation = try TreeNotation(text, .pattern)
        let error = #expect(throws: NotationError.self) {
            try notation.build(into: &tree, classes: Self.classes)
        }
        #expect(error?.range == range)
        #expect(error?.message == "'\(symbol)' is allowed only in expectations")
        #expect(tree.heldCount == 0)
    }

    @Test("a notation error is a route error with the code 'parse'")
    func routeError() {
        let error = RouteError(NotationError("unknown kind 'x'", at: 1..<2, help: "name one"))
        #expect(error.code == .parse)
        #expect(error.message == "unknown kind 'x' (name one)")
    }
}
