// SPDX-License-Identifier: MIT

import RouteCore
import Testing

struct ScreenTreeModalTests {
    @Test("a contextual modal over the root of a level forms a new level")
    func contextualOverRoot() throws {
        for text in ["nav[A]", "A", "nav[B] ^ nav[A]"] {
            var fixture = try TreeFixture(text)
            let window = try #require(fixture.tree.window("main"))
            let top = fixture.tree.topmost(of: window)
            let modal = try fixture.make("M")
            try fixture.tree.present(modal, from: top, .init(isContextual: true))
            #expect(fixture.print() == "\(text) ^ M")
            #expect(fixture.tree.checkInvariants() == [])
        }
    }

    @Test("if a level moves into a container, its modals become contextual")
    func levelIntoContainer() throws {
        var fixture = try TreeFixture("nav[A]")
        let levels = try fixture.make("nav[B] ^ C ^ D")
        try fixture.tree.push(levels, onto: try fixture.find("nav"))
        #expect(fixture.print() == "nav[A, nav[B] ^ C ^ D]")
        let tabs = try fixture.tree.makeScreen(
            ScreenClass("tabs"),
            children: [try fixture.make("E ^ F")]
        )
        try fixture.tree.present(tabs, from: try fixture.find("A"))
        #expect(fixture.print() == "nav[A, nav[B] ^ C ^ D] ^ tabs[*E ^ F]")
        try fixture.tree.setChildren([try fixture.make("G ^ H")], of: try fixture.find("tabs"))
        #expect(fixture.print() == "nav[A, nav[B] ^ C ^ D] ^ tabs[*G ^ H]")
        #expect(fixture.tree.checkInvariants() == [])
    }

    @Test("a modal keeps its presentation options when it moves")
    func presentation() throws {
        var fixture = try TreeFixture("nav[A]")
        let (modal, level) = (try fixture.make("M"), try fixture.make("L"))
        var presentation = Screen.Presentation(
            isContextual: false,
            style: "sheet",
            transition: "crossDissolve",
            size: .init(width: 320, height: 200.5),
            isModal: true,
            options: ["detents": ["medium"]]
        )
        try fixture.tree.present(modal, from: level, presentation)
        #expect(fixture.tree.screen(modal)?.presentation == presentation)
        fixture.tree.openNewDraft()
        try fixture.tree.push(level, onto: fixture.find("nav"))
        presentation.isContextual = true
        #expect(fixture.tree.screen(modal)?.presentation == presentation)
        let operation = fixture.tree.draftDifference().operations.last
        #expect(operation == .present(screen: modal, presenter: level, presentation))
    }

    @Test("the presentation does not depend on the order in which its options are set")
    func presentationValues() {
        let usual = Screen.Presentation()
        #expect(usual.style == "fullScreen" && usual.transition == "coverVertical")
        #expect(usual.size == nil && !usual.isModal && usual.options == InfoTable())
        #expect(!usual.isContextual && usual == .init(style: "fullScreen"))
        let changes: [(inout Screen.Presentation) -> Void] = [
            { $0.style = "sheet" }, { $0.transition = "none" }, { $0.isModal = true },
            { $0.size = .init(width: 1, height: 2) }, { $0.options["x"] = 1 },
            { $0.isContextual = true },
        ]
        for change in changes {
            var presentation = usual
            change(&presentation)
            #expect(presentation != usual)
            var again = presentation
            change(&again)
            #expect(again == presentation)
        }
        var (one, other) = (usual, usual)
        for change in changes { change(&one) }
        for change in changes.reversed() { change(&other) }
        #expect(one == other)
        #expect(one.style == "sheet" && one.transition == "none" && one.isModal)
        #expect(one.size == .init(width: 1, height: 2) && one.options["x"] == 1)
        one = .init(isContextual: one.isContextual)
        #expect(one != other)
        one.style = "sheet"
        one.style = "fullScreen"
        #expect(one == .init(isContextual: true))
    }

    @Test("if a child becomes a level, its contextual modals become levels")
    func childIntoLevel() throws {
        var fixture = try TreeFixture("nav[A, B ^ C ^ D]")
        let child = try fixture.find("B")
        try fixture.tree.pop(to: try fixture.find("A"))
        try fixture.tree.present(child, from: try fixture.find("A"))
        #expect(fixture.print() == "nav[A] ^ B ^ C ^ D")
        fixture.tree.dismissModal(of: try fixture.find("nav"))
        try fixture.tree.setRoot(child, of: "main")
        #expect(fixture.print() == "B ^ C ^ D")
        #expect(fixture.tree.checkInvariants() == [])
    }
}
