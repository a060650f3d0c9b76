// SPDX-License-Identifier: MIT

import RouteCore
import Testing

struct NotationMismatchTests {
    /// An expectation about a tree, with the range and the reason of the mismatch; nil if the tree
    /// matches.
    struct Case: Sendable, CustomTestStringConvertible {
        var pattern: String
        var tree: String
        var marked: String
        var reason: String
        var testDescription: String { "\(pattern) of \(tree)" }

        init(_ pattern: String, of tree: String) {
            (self.pattern, self.tree, marked, reason) = (pattern, tree, "", "")
        }

        init(_ pattern: String, of tree: String, _ marked: String, _ reason: String) {
            (self.pattern, self.tree, self.marked, self.reason) = (pattern, tree, marked, reason)
        }
    }

    static let holding: [Case] = [
        Case("nav[A]", of: "nav[A]"), Case("nav", of: "nav[A, B]"), Case("_", of: "nav[A]"),
        Case("_[_]", of: "nav[A(id=1)]"), Case("nav[]", of: "nav"), Case("nav()", of: "nav[A]"),
        Case("A", of: "A(id=1)"), Case("A(id=1)", of: "A(id=1, x=2)"),
        Case("A(x=2, id=1)", of: "A(id=1, x=2)"), Case("A(id=1)", of: "A(id=1.0)"),
        Case("A(id=1.0)", of: "A(id=1)"), Case("A(x=nil)", of: "A(id=1)"), Case("A()", of: "A"),
        Case("A(t={1, a={2.0}})", of: "A(t={1.0, a={2}})"), Case("A(s=x)", of: "A(s='x')"),
        Case("nav[...]", of: "nav[]"), Case("nav[...]", of: "nav[A, B]"),
        Case("nav[A, ...]", of: "nav[A]"), Case("nav[A, ...]", of: "nav[A, B, C]"),
        Case("nav[..., C]", of: "nav[A, B, C]"), Case("nav[A, ..., C]", of: "nav[A, C]"),
        Case("nav[A, ..., C]", of: "nav[A, B, B, C]"), Case("nav[..., _]", of: "nav[A]"),
        Case("tabs[A, B]", of: "tabs[A, *B]"), Case("tabs[A, *B]", of: "tabs[A, *B]"),
        Case("tabs[..., *_]", of: "tabs[A, B, *C]"), Case("exnav", of: "exnav:nav[A]"),
        Case("exnav:nav[A]", of: "exnav:nav[A]"), Case("nav[A] ^ L", of: "nav[A] ^ L"),
        Case("Selected[A, *B]", of: "Selected[A, *B]"), Case("All[A, ...]", of: "All[A, B]"),
        Case("_:container[_]", of: "Last[A]"),
        Case("nav[A ^ M ^ N]", of: "nav[A ^ M ^ N]"), Case("nav[A] ^ _ ^ _", of: "nav[A] ^ L ^ M"),
    ]

    static let failing: [Case] = [
        Case(
            "nav[MainPage, ShowPage(showId=1), ShowPage(showId=3)]",
            of: "nav[MainPage, ShowPage(showId=1)]",
            "ShowPage(showId=3)",
            "not in the tree"
        ),
        Case("nav[A]", of: "tabs[A]", "nav", "the tree has tabs here"),
        Case("nav[A, B]", of: "nav[A, C(id=1)]", "B", "the tree has C(id=1) here"),
        Case("nav[A, nav[B]]", of: "nav[A, C]", "nav", "the tree has C here"),
        Case("x:nav", of: "x:tabs[A]", "nav", "the kind is tabs"),
        Case("A(id=2, x=1)", of: "A(id=1, x=1)", "id=2", "id is 1"),
        Case("A(id='1')", of: "A(id=1)", "id='1'", "id is 1"),
        Case("A(id=one)", of: "A(id=two)", "id=one", #"id is "two""#),
        Case("A(id=1)", of: "A", "id=1", "id is not set"),
        Case("A(id=nil)", of: "A(id=false)", "id=nil", "id is false"),
        Case("A( )", of: "A(id=1)", "( )", "the tree has A(id=1)"),
        Case("nav[]", of: "nav[A, B(id=1)]", "[]", "the tree has 2 more screens: A, B(id=1)"),
        Case("nav[A]", of: "nav[A, B, C, D, E]", "[A]", "the tree has 4 more screens: B, C, D, …"),
        Case("nav[A, B, ...]", of: "nav[A]", "B", "not in the tree"),
        Case("nav[..., B]", of: "nav[]", "B", "not in the tree"),
        Case("nav[A, ..., A(id=1)]", of: "nav[A]", "A(id=1)", "not in the tree"),
        Case("nav[..., A, B]", of: "nav[B]", "A", "not in the tree"),
        Case("nav[..., B, C]", of: "nav[A, B, D]", "C", "the tree has D here"),
        Case("nav[B, ...]", of: "nav[A, B]", "B", "the tree has A here"),
        Case("tabs[*A, B]", of: "tabs[A, *B(id=1)]", "*", "B(id=1) is selected"),
        Case("nav[*A]", of: "nav[A]", "*", "a nav has no selection"),
        Case("Selected[*A, B]", of: "Selected[A, *B]", "*", "B is selected"),
        Case(
            "All[*A]",
            of: "All[A]",
            "*",
            "a container that shows all children has no selection"
        ),
        Case(
            "Last[*A]",
            of: "Last[A]",
            "*",
            "a container that shows the last child has no selection"
        ),
        Case("nav[A] ^ L", of: "nav[A]", "L", "no modal is presented here"),
        Case("nav[A]", of: "nav[A] ^ nav[L] ^ M", "nav[A]", "modal nav[L] is presented"),
        Case("nav[A] ^ nav[L]", of: "nav[A] ^ nav[L] ^ M", "nav[L]", "modal M is presented"),
        Case("nav[A]", of: "nav[A ^ M]", "A", "modal M is presented"),
        Case("nav[A ^ M]", of: "nav[A] ^ M", "M", "no modal is presented here"),
        Case("nav[A ^ M]", of: "nav[A ^ N]", "M", "the tree has N here"),
    ]

    @Test(
        "an expectation either matches or reports the smallest part that does not match",
        arguments: holding + failing
    )
    func matches(_ given: Case) throws {
        var tree = ScreenTree()
        let root = try TreeNotation(given.tree).build(into: &tree, classes: TreeFixture.classes)
        try tree.setRoot(root, of: "main")
        let mismatch = try TreeNotation(given.pattern, .pattern).mismatch(in: tree, window: "main")
        #expect((mismatch?.reason ?? "") == given.reason)
        let bytes = Array(given.pattern.utf8)
        let marked = mismatch.map { String(decoding: bytes[$0.range], as: UTF8.self) } ?? ""
        #expect(marked == given.marked)
    }

    @Test("no expectation matches a window that is not open")
    func noWindow() throws {
        let mismatch = try TreeNotation("_", .pattern).mismatch(in: ScreenTree(), window: "second")
        #expect(mismatch == NotationMismatch(range: 0..<1, reason: "there is no window 'second'"))
    }

    @Test("comparing one screen ignores its modal")
    func screenAlone() throws {
        var tree = ScreenTree()
        let root = try TreeNotation("nav[A(id=1) ^ M]").build(into: &tree, classes: ScreenClasses())
        let page = try #require(tree.screen(root)).children[0]
        #expect(try TreeNotation("A(id=1)", .pattern).levels[0].mismatch(page, in: tree) == nil)
        let mismatch = try TreeNotation("A(id=2)", .pattern).levels[0].mismatch(page, in: tree)
        #expect(mismatch == NotationMismatch(range: 2..<6, reason: "id is 1"))
    }
}
