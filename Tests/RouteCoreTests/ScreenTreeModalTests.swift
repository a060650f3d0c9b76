// SPDX-License-Identifier: MIT

import RouteCore
import Testing

struct ScreenTreeModalTests {
    @Test("a modal over a level's root makes a level, although it was asked to be contextual")
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

    @Test("a level that is put into a container keeps its modals as contextual ones")
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

    @Test("a child that becomes a level takes its contextual modals along as levels")
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
