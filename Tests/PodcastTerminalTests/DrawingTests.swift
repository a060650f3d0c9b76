// SPDX-License-Identifier: MIT

import LuaRouting
import ScenarioKit
import Testing

@testable import PodcastTerminal

/// Tests of drawing trees as lines.
@MainActor
struct DrawingTests {
    private static let script = #"""
        router.class("box", { kind = "container", shows = "all", fields = { "title" } })
        router.export("nothing", function() end)
        """#

    private func drawing(_ notation: String, focus: Bool = true) throws -> Drawing {
        let scripts = ScriptBundle(files: ["main.lua": Self.script])
        let router = try Router(scripts: scripts, host: HeadlessHost())
        try router.setTree(TreeNotation(notation))
        var drawing = Drawing(router.tree) { screen in
            Page(
                title: screen.fields["title"].text ?? screen.class,
                items: [("One", .call("one")), ("Two", .call("two")), ("Three", .call("three"))]
            )
        }
        if focus { drawing.focus = router.tree.visibleLeaf(of: router.tree.windows[0]) }
        drawing.help = "help"
        return drawing
    }

    /// Returns the lines without the spaces at their ends.
    private func text(of lines: [String]) -> String {
        lines.map { line in
            String(line.reversed().drop { $0 == " " }.reversed())
        }
        .joined(separator: "\n")
    }

    @Test("a stack, tabs and a split are drawn with their bars")
    func containers() throws {
        let lines = try drawing("split[nav[A, B], tabs[*C, nav[D]]]").lines(width: 36, height: 12)
        #expect(
            text(of: lines) == """
                ┌─ main ───────────────────────────┐
                │‹ A │ B      │C                   │
                │─────────────│                    │
                │             │▸ One               │
                │  One        │  Two               │
                │  Two        │  Three             │
                │  Three      │                    │
                │             │                    │
                │             │────────────────────│
                │             │[1 C]  2 D          │
                └──────────────────────────────────┘
                help
                """
        )
    }

    @Test("a modal covers its whole level, and a contextual modal covers only its presenter")
    func modals() throws {
        let tree = "split[A, tabs[*C ^ B, D]] ^ nav[E]"
        let lines = try drawing(tree).lines(width: 40, height: 11)
        #expect(
            text(of: lines) == """
                ┌─ main ───────────────────────────────┐
                │A              │C ┌────────────────┐  │
                │  ┌────────────────────────────────┐  │
                │  │E                               │  │
                │  │────────────────────────────────│  │
                │  │▸ One                           │  │
                │  │  Two                           │  │
                │  └────────────────────────────────┘──│
                │               │[1 C]  2 D            │
                └──────────────────────────────────────┘
                help
                """
        )
    }

    @Test("a container defined by the scripts shows its title and all its children")
    func container() throws {
        let tree = "box(title=\"Box\")[A ^ F, C]"
        let lines = try drawing(tree).lines(width: 24, height: 15)
        #expect(
            text(of: lines) == """
                ┌─ main ───────────────┐
                │〔 Box 〕             │
                │A ┌────────────────┐  │
                │  │F               │  │
                │  │  One           │  │
                │  │  Two           │  │
                │  └────────────────┘  │
                │C                     │
                │                      │
                │▸ One                 │
                │  Two                 │
                │  Three               │
                │                      │
                └──────────────────────┘
                help
                """
        )
    }

    @Test("the selected item stays visible if the area is too small for all items")
    func scrolling() throws {
        var drawing = try drawing("A")
        drawing.choices[try #require(drawing.focus)] = 2
        let lines = drawing.lines(width: 20, height: 6)
        #expect(
            lines[1...3] == [
                "│A                 │", "│  Two             │", "│▸ Three           │",
            ]
        )
    }

    @Test(
        "the lines fit the terminal, whatever its size and the texts",
        arguments: [
            "nav[A, B]", "tabs[A, *nav[B, C]] ^ split[D, E] ^ F", "split[A ^ B ^ C, D]",
            "box(title=\"夜の電車\")[A(title=\"夜夜夜夜夜\"), B]",
            #"A(title="\27[2J\r\n\tx\194\155\226\128\174y") ^ B"#,
            #"A(title="e\204\129\204\129 \240\159\145\169\226\128\141\240\159\145\169\239\184\143\255")"#,
        ]
    )
    func sizes(_ notation: String) throws {
        let drawing = try drawing(notation)
        for width in 0...30 {
            for height in 0...12 {
                let lines = drawing.lines(width: width, height: height)
                #expect(lines.count == height)
                for line in lines {
                    #expect(DisplayWidth.of(line.unicodeScalars) == width, "\(line)")
                    #expect(!line.unicodeScalars.contains { Self.steers($0) }, "\(line)")
                }
            }
        }
    }

    private static func steers(_ scalar: Unicode.Scalar) -> Bool {
        [.control, .format].contains(scalar.properties.generalCategory)
    }

    @Test("terminal control characters are escaped")
    func escapes() throws {
        let drawing = try drawing(#"A(title="a\27[31mb")"#)
        #expect(drawing.lines(width: 30, height: 5)[1].hasPrefix(#"│a\u{1B}[31mb"#))
    }
}
