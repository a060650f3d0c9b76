// SPDX-License-Identifier: MIT

import RouteCore
import RouteEngine
import Testing

struct LeavingVerbTests {
    /// A request that names screens by their classes instead of their identities.
    enum Verb {
        case back(Int), popToRoot, dismiss, dismissAll, pop(String), select(String), tab(Int)
        case close(String), vanish(String), replace(String, String)

        func request(in engine: inout Engine) throws -> Act<ScreenID> {
            switch self {
            case .back(let count): .back(count)
            case .popToRoot: .popToRoot
            case .dismiss: .dismiss
            case .dismissAll: .dismissAll
            case .pop(let name): .pop(to: Finder(Value(name)))
            case .select(let name): .select(try engine.find(name))
            case .tab(let number): .selectTab(number)
            case .close(let name): .close(try engine.find(name), value: .nil)
            case .vanish(let name): .vanish(try engine.find(name))
            case .replace(let name, let other):
                .replace(try engine.find(name), with: try engine.make(other), value: .nil)
            }
        }
    }

    @Test(
        "each leaving verb has the documented effect, outcome or error",
        arguments: [
            (Verb.back(1), "nav[A, B, C]", "nav[A, B]"), (.back(2), "nav[A, B, C]", "nav[A]"),
            (.back(9), "nav[A, B, C]", "nav[A]"), (.back(1), "nav[A]", "stayed"),
            (.back(0), "nav[A, B]", "script"), (.back(1), "nav[A] ^ nav[B]", "nav[A]"),
            (.back(1), "nav[A] ^ nav[B, C]", "nav[A] ^ nav[B]"),
            (.back(3), "nav[A, D] ^ nav[B, C]", "nav[A]"),
            (.back(1), "nav[A, tabs[*nav[B], nav[C]]]", "nav[A]"),
            (.back(1), "tabs[*A ^ B, C]", "tabs[*A, C]"),
            (.popToRoot, "nav[A, B, C]", "nav[A]"), (.popToRoot, "nav[A]", "stayed"),
            (.dismiss, "nav[A] ^ B ^ C", "nav[A] ^ B"), (.dismiss, "nav[A]", "stayed"),
            (.dismissAll, "nav[A] ^ B ^ C", "nav[A]"), (.dismissAll, "nav[A]", "stayed"),
            (.pop("A"), "nav[A, B, C]", "nav[A]"), (.pop("Z"), "nav[A]", "notFound"),
            (.pop("A"), "nav[A] ^ nav[B]", "nav[A]"),
            (.pop("A"), "tabs[nav[A, B], *nav[C]]", "tabs[*nav[A], nav[C]]"),
            (.select("A"), "tabs[nav[A], *nav[C]] ^ B", "tabs[*nav[A], nav[C]]"),
            (.tab(1), "tabs[nav[A], *nav[C]]", "tabs[*nav[A], nav[C]]"),
            (.tab(1), "tabs[nav[A], *nav[C]] ^ B", "tabs[*nav[A], nav[C]]"),
            (.tab(3), "tabs[nav[A], *nav[C]]", "composition"), (.tab(1), "nav[A]", "typeMismatch"),
            (.close("B"), "nav[A, B, C]", "nav[A]"), (.close("A"), "nav[A]", "composition"),
            (.close("B"), "nav[A] ^ nav[B, C]", "nav[A]"), (.close("C"), "nav[A] ^ C", "nav[A]"),
            (.close("A"), "tabs[*A, B]", "tabs[*B]"), (.close("B"), "split[A, B]", "split[A]"),
            (.close("A"), "nav[C, split[A, B]]", "nav[C]"),
            (.close("A"), "tabs[*nav[A, B], C]", "tabs[*C]"),
            (.vanish("B"), "nav[A, B, C]", "nav[A, C]"),
            (.vanish("B"), "nav[A, B ^ C]", "stayed"), (.vanish("B"), "nav[A] ^ nav[B]", "nav[A]"),
            (.replace("B", "X"), "nav[A, B, C]", "nav[A, X, C]"),
            (.replace("B", "X"), "nav[A] ^ B ^ C", "nav[A] ^ X"),
            (.replace("nav", "X"), "nav[A] ^ B", "X"),
        ] as [(Verb, String, String)]
    )
    func verbs(verb: Verb, tree: String, result: String) throws {
        var engine = try Engine(tree)
        let before = engine.tree()
        let request = try verb.request(in: &engine)
        let explained = engine.explain(request)
        let run = engine.run(request)
        switch run.end {
        case .failed(let error): #expect(error.code.rawValue == result)
        case .stayed: #expect(result == "stayed")
        case .waitsFor(let number): Issue.record("it waits for #\(number)")
        case .done, .waits: #expect(engine.tree() == result)
        }
        #expect(run.isDone || engine.tree() == before)
        #expect(explained.operations == run.operations)
        #expect(explained.failure?.error.code == run.error?.code)
    }

    @Test("naming a screen that is not in the tree is an error")
    func detached() throws {
        var engine = try Engine("nav[A]")
        let (detached, other) = (try engine.make("B"), try engine.make("C"))
        let requests: [Act<ScreenID>] = [
            .select(detached), .close(detached, value: .nil), .vanish(detached),
            .replace(detached, with: other, value: .nil),
            .replace(try engine.find("A"), with: try engine.find("nav"), value: .nil),
            .pop(to: Finder(.screen(detached))),
        ]
        for request in requests { #expect(engine.run(request).outcome == "composition") }
    }

    @Test(
        "a new window opens behind the other windows, and any window except the last can be closed"
    )
    func windows() throws {
        var engine = try Engine()
        let root = try engine.make("nav[A]")
        #expect(engine.run(.openWindow("side", root)).outcome == "composition")
        #expect(engine.run(.openWindow("main", root)).outcome == "done")
        let side = try engine.make("nav[B]")
        #expect(engine.run(.openWindow("not a name", side)).outcome == "badInfo")
        #expect(engine.run(.openWindow("side", side)).operations == ["openWindow(nav)"])
        #expect(engine.run(.openWindow("side", try engine.make("C"))).outcome == "composition")
        #expect(engine.world.tree.windows.map(\.name) == ["main", "side"])
        #expect(engine.run(.closeWindow("other")).error != nil)
        #expect(engine.run(.closeWindow("main")).operations == ["closeWindow"])
        #expect(engine.run(.closeWindow("side")).outcome == "composition")
        #expect(engine.tree("side") == "nav[B]")
    }

    @Test("a verb acts in the window that its options name")
    func otherWindow() throws {
        var engine = try Engine(("main", "nav[A, B]"), ("side", "nav[C, D]"))
        try engine.route("X/show", ["build": .building("X")])
        #expect(engine.run(.back(1), .init(window: "side")).outcome == "done")
        #expect(engine.navigate("X/show", [:], .init(window: "side")).outcome == "done")
        #expect(engine.tree() == "nav[A, B]")
        #expect(engine.tree("side") == "nav[C, X]")
        #expect(engine.run(.back(1), .init(window: "none")).outcome == "composition")
    }
}
