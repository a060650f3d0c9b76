// SPDX-License-Identifier: MIT

import RouteCore
import Testing

struct ScreenLookupTests {
    @Test(
        "a screen is visible if all its containers show the screen and nothing covers it",
        arguments: [
            ("nav[A, B]", "nav B"), ("tabs[A, *nav[B, C], D]", "tabs nav C"),
            ("split[A, nav[B, C]]", "split A nav C"), ("nav[A] ^ nav[L, M]", "nav M"),
            ("nav[A ^ C]", "nav C"), ("nav[A ^ C ^ D]", "nav D"),
            ("nav[A ^ C ^ D] ^ M", "M"), ("tabs[*A, B ^ C ^ D]", "tabs A"),
            ("split[A ^ C, B]", "split C B"), ("tabs[*nav[A] ^ nav[C, D], B]", "tabs nav D"),
            ("Last[A, B]", "Last B"), ("All[A, nav[B, C], D]", "All A nav C D"),
            ("Selected[A, *Last[B, C], D]", "Selected Last C"), ("All[A ^ C, B]", "All C B"),
        ]
    )
    func visibility(_ text: String, _ expected: String) throws {
        let fixture = try TreeFixture(text)
        let window = try #require(fixture.tree.window("main"))
        var visible: [String] = []
        fixture.tree.visit(window.root) { screen in
            if fixture.tree.isVisible(screen.id) { visible.append(screen.class) }
        }
        #expect(visible.joined(separator: " ") == expected)
    }

    @Test("a detached screen and its children are not visible")
    func visibilityOfDetached() throws {
        var fixture = try TreeFixture("nav[A]")
        let nav = try fixture.make("nav[B]")
        for screen in [nav] + fixture.tree[nav].children {
            #expect(!fixture.tree.isVisible(screen))
        }
    }

    @Test("a screen's class and children can be read by identifier, and are nil after its release")
    func parts() throws {
        var fixture = try TreeFixture("tabs[*nav[A, B], C]")
        let tree = fixture.tree
        for name in ["tabs", "nav", "A", "B", "C"] {
            let id = try fixture.find(name)
            #expect(tree.class(of: id) == name)
            #expect(tree.children(of: id) == tree.screen(id)?.children)
        }
        let released = try fixture.make("D")
        fixture.tree.release(released) { _ in false }
        #expect(fixture.tree.class(of: released) == nil)
        #expect(fixture.tree.children(of: released) == nil)
    }

    @Test(
        "the visible leaf is found through visible children and contextual modals",
        arguments: [
            ("nav[A, B]", "B"), ("nav", "nav"), ("tabs[A, *nav[B, C]]", "C"), ("split[A]", "A"),
            ("split[A, nav[B]]", "B"), ("nav[A] ^ nav[L] ^ M", "M"), ("nav[A ^ C ^ nav[D]]", "D"),
            ("tabs[*A, B ^ C]", "A"), ("tabs[*nav[A] ^ C]", "C"), ("split[A ^ C, B]", "B"),
            ("Last[A, B]", "B"), ("All[A, B, C]", "C"), ("Selected[*A, B]", "A"), ("All", "All"),
        ]
    )
    func visibleLeaf(_ text: String, _ expected: String) throws {
        let fixture = try TreeFixture(text)
        let leaf = fixture.tree.visibleLeaf(of: try #require(fixture.tree.window("main")))
        #expect(fixture.tree.screen(leaf)?.class == expected)
    }

    @Test(
        "a screen is covered by the nearest modal that the screen or an ancestor presents",
        arguments: [
            ("nav[A]", "A", nil), ("nav[A] ^ M", "A", "M"), ("nav[A] ^ M", "nav", "M"),
            ("nav[A] ^ M", "M", nil), ("nav[A ^ C]", "A", "C"), ("nav[A ^ C] ^ M", "A", "C"),
            ("nav[A ^ C] ^ M", "C", "M"), ("nav[A ^ C ^ D] ^ M", "D", "M"),
            ("nav[A ^ C ^ D]", "D", nil), ("tabs[*nav[A] ^ C]", "A", "C"),
        ] as [(String, String, String?)]
    )
    func covering(_ text: String, _ name: String, _ modal: String?) throws {
        let fixture = try TreeFixture(text)
        let covering = fixture.tree.coveringModal(of: try fixture.find(name))
        #expect(covering.flatMap { fixture.tree.screen($0) }?.class == modal)
    }

    @Test("the root and each modal that is not contextual form a level")
    func levels() throws {
        let fixture = try TreeFixture(("main", "nav[A ^ C] ^ tabs[*D ^ E] ^ M"), ("second", "B"))
        let tree = fixture.tree
        let window = try #require(tree.window("main"))
        #expect(tree.levels(of: window).map { tree.screen($0)?.class } == ["nav", "tabs", "M"])
        #expect(tree.topmost(of: window) == (try fixture.find("M")))
        #expect(tree.levelRoot(of: try fixture.find("E")) == (try fixture.find("tabs")))
        #expect(tree.levelRoot(of: try fixture.find("M")) == (try fixture.find("M")))
        #expect(tree.window(of: try fixture.find("E"))?.name == "main")
        #expect(tree.window(of: try fixture.find("B"))?.name == "second")
    }

    @Test("the search for the nearest screen of a kind does not leave the level")
    func nearest() throws {
        let fixture = try TreeFixture("tabs[*nav[A ^ C]] ^ x:nav[M, split[S]] ^ L")
        let tree = fixture.tree
        #expect(tree.nearest(.nav, from: try fixture.find("C")) == (try fixture.find("nav")))
        #expect(tree.nearest(.tabs, from: try fixture.find("C")) == (try fixture.find("tabs")))
        #expect(tree.nearest(.nav, from: try fixture.find("S")) == (try fixture.find("x")))
        #expect(tree.nearest(.nav, from: try fixture.find("x")) == (try fixture.find("x")))
        #expect(tree.nearest(.tabs, from: try fixture.find("S")) == nil)
        #expect(tree.nearest(.nav, from: try fixture.find("L")) == nil)
        #expect(
            tree.nearest(from: try fixture.find("S")) { $0.class == "x" } == (try fixture.find("x"))
        )
        #expect(tree.nearest(from: try fixture.find("A")) { $0.class == "x" } == nil)
    }

    @Test(
        "the container for a screen is its own container or, if there is none, the innermost visible container",
        arguments: [
            ("nav[A, nav2:nav[B]]", "B", "nav2"), ("nav[A, nav2:nav[B]]", "nav", "nav"),
            ("tabs[*nav[A], nav2:nav[B]]", "tabs", "nav"),
            ("tabs[nav[A], *nav2:nav[B, x:nav[C]]]", "tabs", "x"),
            ("split[nav[A], B]", "split", nil), ("split[nav[A]]", "split", "nav"),
            ("split[nav[A], nav2:nav[B]]", "split", "nav2"), ("tabs[*A, nav[B]]", "tabs", nil),
            ("tabs[*A, nav[B]]", "A", nil), ("tabs[*A ^ nav[B]]", "tabs", "nav"),
            ("tabs[*nav[A ^ C]]", "C", "nav"), ("tabs[A] ^ nav[B]", "tabs", nil),
            ("Last[A, nav[B]]", "Last", "nav"), ("nav[A] ^ M", "M", nil),
        ] as [(String, String, String?)]
    )
    func container(_ text: String, _ place: String, _ expected: String?) throws {
        let fixture = try TreeFixture(text)
        let container = fixture.tree.container(at: try fixture.find(place)) { $0.kind == .nav }
        #expect(container.flatMap { fixture.tree.screen($0) }?.class == expected)
    }

    @Test("a released screen has no container")
    func releasedPlace() throws {
        var fixture = try TreeFixture("nav[A]")
        let screen = try fixture.make("B")
        fixture.tree.release(screen) { _ in false }
        #expect(fixture.tree.nearest(from: screen) { _ in true } == nil)
        #expect(fixture.tree.container(at: screen) { _ in true } == nil)
    }
}
