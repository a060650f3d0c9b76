// SPDX-License-Identifier: MIT

import Testing

/// Tests of the naive planner with tables of the contract and its sources, without the engine.
struct ExampleTests {
    /// `tabs[*nav1[a, b], nav2[c]] ^ nav3[d, e] ^ f`, with serials from 1 in this order.
    static let tree: NaiveScreen = {
        func leaf(_ name: String) -> Template { Template(name: name) }
        var tabs = Template(
            name: "tabs",
            children: [
                Template(name: "nav", children: [leaf("a"), leaf("b")]),
                Template(name: "nav", children: [leaf("c")]),
            ]
        )
        var sheet = Template(name: "nav", children: [leaf("d"), leaf("e")])
        sheet.modals = [leaf("f")]
        tabs.modals = [sheet]
        var planner = NaivePlanner(world: World())
        return planner.make(tabs)
    }()

    static let names = [
        "tabs", "nav1", "a", "b", "nav2", "c", "nav3", "d", "e", "f",
    ]

    /// The visiting orders that RC-28 lists, for the starts f, nav3, tabs and b.
    static let visits: [(String, Set<SearchOption>, [String])] = [
        ("current", [.current], ["f", "nav3", "tabs", "b"]),
        ("visible", [.visible], ["", "e", "nav1 b", ""]),
        ("contained", [.contained], ["", "e d", "nav1 b a nav2 c", ""]),
        ("presented", [.presented], ["", "", "", ""]),
        ("presenting", [.presenting], ["", "", "", ""]),
        ("parent", [.parent], ["", "", "", "nav1 tabs"]),
        (
            "currentAllStack", [.current, .contained],
            ["f", "nav3 e d", "tabs nav1 b a nav2 c", "b"]
        ),
        ("currentVisibleOnly", [.current, .visible], ["f", "nav3 e", "tabs nav1 b", "b"]),
        (
            "currentAndUp", [.current, .contained, .presented],
            ["f", "nav3 e f d f f", "tabs nav1 b nav3 e f d f f", "b nav3 e f d f f"]
        ),
        (
            "currentAndDown", [.current, .contained, .presenting],
            [
                "f nav3 e d tabs nav1 b a nav2 c", "nav3 e d tabs nav1 b a nav2 c",
                "tabs nav1 b a nav2 c", "b",
            ]
        ),
        (
            "allVisible", [.current, .visible, .presented, .presenting],
            [
                "f nav3 e tabs nav1 b", "nav3 e f f tabs nav1 b", "tabs nav1 b nav3 e f f",
                "b nav3 e f f",
            ]
        ),
        (
            "fullStack", [.current, .contained, .presented, .presenting],
            [
                "f nav3 e d tabs nav1 b a nav2 c", "nav3 e f d f f tabs nav1 b a nav2 c",
                "tabs nav1 b nav3 e f d f f", "b nav3 e f d f f",
            ]
        ),
        ("current and parent", [.current, .parent], ["f", "nav3", "tabs", "b nav1 tabs"]),
        (
            "current, visible, contained", [.current, .visible, .contained],
            ["f", "nav3 e d", "tabs nav1 b nav2 c", "b"]
        ),
    ]

    @Test("a search visits screens in the order of the documented table", arguments: visits.indices)
    func visitOrder(_ row: Int) {
        let (title, options, expected) = Self.visits[row]
        for (start, order) in zip(["f", "nav3", "tabs", "b"], expected) {
            let serial = (Self.names.firstIndex(of: start) ?? 0) + 1
            let visited = Self.tree.visitedAgainAndAgain(serial, options, false)
            let text = visited.map { Self.names[$0.serial - 1] }.joined(separator: " ")
            // The table omits the end of the longest rows.
            #expect(text.hasPrefix(order) && (order != "" || text == ""), "\(title) from \(start)")
        }
    }

    /// The results of actions in the scenarios of the sources: S-71 to S-83, S-103.
    static let actions: [(String, Action, Template, String)] = [
        ("nav[a, b]", .pushReplacingLast, Template(name: "n"), "nav[a, n]"),
        ("nav[]", .pushReplacingLast, Template(name: "n"), "nav[n]"),
        ("nav[a, b]", .pushAsRoot, Template(name: "n"), "nav[n]"),
        ("tabs[]", .addTab(at: 1, replacing: false), Template(name: "n"), "tabs[*n]"),
        ("tabs[*a, b]", .addTab(at: nil, replacing: false), Template(name: "n"), "tabs[a, b, *n]"),
        ("tabs[*a, b]", .addTab(at: 1, replacing: false), Template(name: "n"), "tabs[*n, a, b]"),
        ("tabs[*a, b]", .addTab(at: 1, replacing: true), Template(name: "n"), "tabs[*n, b]"),
        ("tabs[*a, b]", .addTab(at: 9, replacing: true), Template(name: "n"), "tabs[a, b, *n]"),
        ("split[]", .setAsPrimary, Template(name: "n"), "split[n]"),
        ("split[a, b]", .setAsPrimary, Template(name: "n"), "split[n, b]"),
        ("split[]", .pushToDetails, Template(name: "n"), "composition"),
        ("split[a]", .pushToDetails, Template(name: "n"), "split[a, n]"),
        ("split[a, b]", .pushToDetails, Template(name: "n"), "split[a, n]"),
        ("split[]", .pushOnToDetails, Template(name: "n"), "composition"),
        ("split[a]", .pushOnToDetails, Template(name: "n"), "composition"),
        ("split[a]", .pushOnToDetails, Template(name: "nav"), "split[a, nav[]]"),
        ("split[a, nav[]]", .pushOnToDetails, Template(name: "nav"), "composition"),
        ("split[a, nav[]]", .pushOnToDetails, Template(name: "n"), "split[a, nav[n]]"),
        ("a", .replaceRoot, Template(name: "n"), "n"),
        ("a", .push, Template(name: "n"), "typeMismatch"),
        ("a", .plainPresent, Template(name: "n"), "a ^ n"),
        ("a", .presentWithNav, Template(name: "n"), "a ^ nav[n]"),
    ]

    @Test(
        "an action changes the tree as in the scenarios of the original app",
        arguments: actions.indices
    )
    func action(_ row: Int) throws {
        let (before, action, new, expected) = Self.actions[row]
        var step = Step(label: "x/y")
        step.build = .template(new)
        step.via = action
        var world = World()
        world.routes = [Route(name: RouteName(service: "x", task: "y"), step: step)]
        var planner = NaivePlanner(world: world)
        let tree = planner.make(try #require(Self.trees[before]))
        #expect(tree.notation(world) == before)
        let request = NaiveRequest(target: RouteName(service: "x", task: "y"))
        let outcome = planner.navigate(request, in: tree)
        #expect((outcome.end == "done" ? outcome.tree.notation(world) : outcome.end) == expected)
    }

    static let trees: [String: Template] = {
        let (a, b, nav) = (Template(name: "a"), Template(name: "b"), Template(name: "nav"))
        return [
            "a": a,
            "nav[]": nav,
            "nav[a, b]": Template(name: "nav", children: [a, b]),
            "tabs[]": Template(name: "tabs"),
            "tabs[*a, b]": Template(name: "tabs", children: [a, b]),
            "split[]": Template(name: "split"),
            "split[a]": Template(name: "split", children: [a]),
            "split[a, b]": Template(name: "split", children: [a, b]),
            "split[a, nav[]]": Template(name: "split", children: [a, nav]),
        ]
    }()
}
