// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting
import RandomNumbers
import TestSupport
import Testing

/// Tests of the content of snapshots, as data and as text.
@Suite(.failureReports)
struct SnapshotTests {
    private static let script = """
        router.class("Page", { fields = { "id", "title" } })
        router.class("Boxes", { kind = "container", shows = "selected" })
        router.start(function() return router.nav { router.screen "Home" } end)
        router.routing("/later/:id(int)")
        router.register("Sheet", "show", {
          build = function() return router.screen "Sheet" end,
          via = router.present{
            style = "sheet", transition = "fade", size = { width = 3, height = 4.5 }, modal = true,
            options = { detents = { "medium", 7 } },
          },
        })
        router.export("snapshot", function() return router.snapshot() end)
        router.export("restore", function(data) return router.restore(data).status end)
        router.export("inBuild", function()
          local n = router.navigate("Build", "show")
          return n.status
        end)
        router.register("Build", "show", function()
          router.snapshot()
          return router.screen "Page"
        end)
        """

    private func fixture(_ tree: String? = nil) throws -> RouterFixture {
        let fixture = try RouterFixture(Self.script)
        if let tree { try fixture.router.setTree(TreeNotation(tree)) }
        return fixture
    }

    private func read(_ json: String) throws(RouteError) -> Snapshot { try Snapshot(json: json) }

    // MARK: The content

    @Test("a snapshot contains windows, screens, state, gates and deep links as plain data")
    func table() throws {
        let fixture = try fixture("tabs[nav[Home], *Page(id=1)] ^ Login(user={\"ann\"})")
        try fixture.router.setTree(TreeNotation("Tool"), window: "second")
        try fixture.router.setState("user", to: "ann")
        try fixture.router.ready("session")
        fixture.router.dispatch(
            "/later/7?a=b",
            options: DispatchOptions(timeout: 10, key: "one", persist: true)
        )
        fixture.router.dispatch("/later/8")
        fixture.router.advance(to: fixture.router.now + 4)
        let json = """
            {"gates":["session"],"links":[{"key":"one","left":6.0,"origin":"url","url":"/later/7?a=b"}],\
            "screens":[{"class":"tabs","kind":"tabs","selected":2,"window":"main"},\
            {"class":"nav","kind":"nav","parent":1},{"class":"Home","kind":"leaf","parent":2},\
            {"class":"Page","fields":{"id":1},"kind":"leaf","parent":1},\
            {"class":"Login","fields":{"user":["ann"]},"kind":"leaf","presenter":1},\
            {"class":"Tool","kind":"leaf","window":"second"}],\
            "state":{"user":"ann"},"version":"luaroute.snapshot/1"}
            """
        let snapshot = fixture.router.snapshot()
        #expect(snapshot.json == json)
        #expect(snapshot.windows == ["main", "second"])
        #expect(snapshot.screenCount == 6)
        #expect(try fixture.call("snapshot") == .table(snapshot.table))
    }

    @Test("a snapshot contains the presentation options of modals")
    func presentation() throws {
        let fixture = try fixture()
        fixture.navigate("Sheet", "show")
        let modal = try #require(
            fixture.router.tree.windows.first.flatMap { window in
                fixture.router.tree.screen(window.root)?.modal
            }
        )
        let before = fixture.router.tree.screen(modal)?.presentation
        let snapshot = try Snapshot(json: fixture.router.snapshot().json)
        #expect(fixture.router.restore(snapshot).navigation.status.name == "done")
        let after = fixture.router.tree.windows.first.flatMap { window in
            fixture.router.tree.screen(window.root)?.modal
        }
        #expect(after != modal)
        #expect(after.flatMap { fixture.router.tree.screen($0) }?.presentation == before)
        #expect(before?.style == "sheet")
    }

    @Test("a snapshot does not contain uncommitted changes")
    func staged() throws {
        let fixture = try fixture()
        #expect(try fixture.call("inBuild") == "failed")
        #expect(fixture.events.last { $0.kind == .failed }?["code"] == "script")
    }

    // MARK: There and back

    @Test(
        "a snapshot can be restored from data, from text and from any kind of document",
        arguments: 0..<60
    )
    func random(_ seed: UInt64) throws {
        var shapes = Shapes(seed: seed)
        let fixture = try fixture(shapes.tree())
        if seed % 3 == 0 { try fixture.router.setTree(TreeNotation(shapes.tree()), window: "b") }
        try fixture.router.setState("x", to: shapes.value(3))
        let snapshot = fixture.router.snapshot()
        #expect(fixture.router.snapshot().json == snapshot.json)
        #expect(try Snapshot(snapshot.table) == snapshot)
        #expect(try Snapshot(json: snapshot.json) == snapshot)
        let data = try JSONEncoder().encode(["kept": snapshot])
        #expect(try JSONDecoder().decode([String: Snapshot].self, from: data)["kept"] == snapshot)

        let other = try RouterFixture(Self.script, starts: seed % 2 == 0)
        let restoration = other.router.restore(snapshot)
        #expect(restoration.navigation.status.name == "done")
        #expect(restoration.losses == [])
        for window in ["main", "b"] {
            #expect(
                other.router.treeNotation(window: window)
                    == fixture.router.treeNotation(window: window)
            )
        }
        #expect(other.router.state == fixture.router.state)
        #expect(other.router.snapshot() == snapshot)
        #expect(other.brokenRules == [])
        #expect(try other.call("restore", snapshot.table) == "done")
        #expect(other.router.snapshot().json == snapshot.json)
        #expect(other.brokenRules == [])
    }

    @Test(
        "values that JSON cannot represent are restored",
        arguments: [
            .number(.infinity), .number(-.infinity), .number(.nan), .number(-0.0), .number(1),
            .number(1e300), .integer(.min), .string(ByteString(bytes: [0xFF, 0, 0x41])),
            "\u{0}\"\\",
            ["$number": "x"], ["$": 1], [1, 2, ["a": [3]]], .table([:]),
            .table([5: "five", "a": 1, 1: true]), .table([-1: 2]), [["$bytes": "ff"]],
        ] as [Value]
    )
    func odd(_ value: Value) throws {
        let fixture = try fixture()
        try fixture.router.setState("x", to: value)
        let snapshot = fixture.router.snapshot()
        #expect(try Snapshot(json: snapshot.json) == snapshot)
    }

    @Test("a value nested to the maximum depth is restored from text")
    func deep() throws {
        let fixture = try fixture()
        var value = Value.integer(1)
        for _ in 1...32 { value = .table([7: value]) }
        try fixture.router.setState("x", to: value)
        let snapshot = fixture.router.snapshot()
        #expect(try Snapshot(json: snapshot.json) == snapshot)
    }

    @Test("a tree nested to the maximum depth is restored")
    func deepTree() throws {
        let tree = String(repeating: "nav[", count: 98) + "Page" + String(repeating: "]", count: 98)
        let fixture = try fixture(tree)
        let table = fixture.router.snapshot().table
        #expect(try fixture.call("restore", table) == "done")
        #expect(fixture.tree == tree)
    }

    // MARK: Invalid snapshots

    struct Bad: Sendable, CustomTestStringConvertible {
        let json: String
        let message: String
        var testDescription: String { String(message.prefix(60)) }

        init(_ json: String, _ message: String) {
            self.json = json
            self.message = message
        }

        static func of(_ screens: String, _ message: String, more: String = "") -> Bad {
            Bad(
                #"{"version":"luaroute.snapshot/1","screens":[\#(screens)]\#(more)}"#,
                "bad snapshot: \(message)"
            )
        }
    }

    private static let root = #"{"class":"nav","kind":"nav","window":"main"}"#

    @Test(
        "an invalid snapshot is rejected with the position of the error, and nothing changes",
        arguments: [
            Bad("", "a JSON object expected, got the end of the text at byte 1"),
            Bad("[]", "a JSON object expected, got '[' at byte 1"),
            Bad(
                "{}",
                "bad snapshot: bad field 'version' ('luaroute.snapshot/1' expected, got nil)"
            ),
            Bad(
                #"{"version":"luaroute.snapshot/2","screens":[]}"#,
                "bad snapshot: bad field 'version' ('luaroute.snapshot/1' expected, got 'luaroute.snapshot/2')"
            ),
            Bad(
                #"{"version":"luaroute.snapshot/1"}"#,
                "bad snapshot: bad field 'screens' (list expected, got nil)"
            ),
            .of("", "unknown field 'gate', did you mean 'gates'?", more: #","gate":[]"#),
            .of("7", "bad field 'screens[1]' (table expected, got integer)"),
            .of(
                #"{"class":"A","kind":"leaf"}"#,
                "bad field 'screens[1]' (exactly one of 'window', 'parent' and 'presenter' expected, got none)"
            ),
            .of(
                #"{"class":"A","kind":"leaf","window":"main","parent":1}"#,
                "bad field 'screens[1]' (exactly one of 'window', 'parent' and 'presenter' expected, got 'window' and 'parent')"
            ),
            .of(
                #"{"class":"A","kind":"leaf","window":"main","clas":1}"#,
                "unknown field 'screens[1].clas', did you mean 'class'?"
            ),
            .of(
                #"{"class":"A b","kind":"leaf","window":"main"}"#,
                "bad field 'screens[1].class' (a name expected, got 'A b')"
            ),
            .of(
                #"{"class":"A","kind":"loaf","window":"main"}"#,
                "bad field 'screens[1].kind' (a kind of screen expected, got 'loaf')"
            ),
            .of(
                #"{"class":"A","kind":"leaf","parent":1}"#,
                "bad field 'screens[1].parent' (the number of an earlier screen expected, got 1)"
            ),
            .of(
                root + #",{"class":"A","kind":"leaf","parent":2}"#,
                "bad field 'screens[2].parent' (number from 1 to 1 expected, got 2)"
            ),
            .of(
                root + #",{"class":"A","kind":"leaf","parent":-1}"#,
                "bad field 'screens[2].parent' (number from 1 to 1 expected, got -1)"
            ),
            .of(
                root + #",{"class":"A","kind":"leaf","parent":9223372036854775807}"#,
                "bad field 'screens[2].parent' (number from 1 to 1 expected, got 9223372036854775807)"
            ),
            .of(
                root
                    + #",{"class":"A","kind":"leaf","parent":1},{"class":"A","kind":"leaf","parent":2}"#,
                "bad field 'screens[3].parent' (a container expected, got 2)"
            ),
            .of(
                root
                    + #",{"class":"A","kind":"leaf","presenter":1},{"class":"A","kind":"leaf","presenter":1}"#,
                "bad field 'screens[3].presenter' (a screen that presents no other screen expected, got 1)"
            ),
            .of(
                root + "," + root,
                "bad field 'screens[2].window' (a window that has no root yet expected, got 'main')"
            ),
            .of(
                #"{"class":"tabs","kind":"tabs","window":"main","selected":3}"#,
                "bad field 'screens[1].selected' (number up to 0 expected, got 3)"
            ),
            .of(
                #"{"class":"nav","kind":"nav","window":"main","selected":1}"#,
                "bad field 'screens[1].selected' (no selection for a nav expected, got 1)"
            ),
            .of(
                #"{"class":"A","kind":"leaf","window":"main","route":7}"#,
                "bad field 'screens[1].route' (string expected, got 7)"
            ),
            .of(
                #"{"class":"A","kind":"leaf","window":"main","style":"sheet"}"#,
                "unknown field 'screens[1].style'"
            ),
            .of(
                root + #",{"class":"A","kind":"leaf","presenter":1,"size":{"width":1}}"#,
                "bad field 'screens[2].size.height' (number expected, got nil)"
            ),
            .of(
                #"{"class":"A","kind":"leaf","window":"main","fields":{"class":1}}"#,
                "bad field 'screens[1].fields.class' (the name of a field expected, got another key)"
            ),
            .of(
                #"{"class":"A","kind":"leaf","window":"main","fields":[1]}"#,
                "bad field 'screens[1].fields' (named fields expected, got a list)"
            ),
            .of(
                root,
                "bad field 'state' (named fields expected, got table)",
                more: #","state":[1]"#
            ),
            .of(
                root,
                "bad field 'gates[1]' (the name of a gate expected, got string)",
                more: #","gates":["started"]"#
            ),
            .of(
                root,
                "bad field 'links[1].left' (a positive number of seconds expected, got -1)",
                more: #","links":[{"url":"/a","origin":"url","left":-1}]"#
            ),
            .of(
                root,
                "bad field '$number' (an encoded value expected, got string)",
                more: #","state":{"x":{"$number":"x"}}"#
            ),
        ]
    )
    func bad(_ bad: Bad) throws {
        let fixture = try fixture("nav[Page(id=1)]")
        let before = fixture.router.snapshot()
        let error = #expect(throws: RouteError.self) { try Snapshot(json: bad.json) }
        #expect(error?.message == bad.message)
        #expect(fixture.router.snapshot() == before)
    }

    @Test("restoring an invalid snapshot in a script raises an error, and nothing changes")
    func badCall() throws {
        let fixture = try fixture("nav[Page(id=1)]")
        let error = #expect(throws: RouteError.self) {
            try fixture.call("restore", ["version": "x"])
        }
        #expect(error?.message.contains("bad snapshot: bad field 'version'") == true)
        #expect(fixture.tree == "nav[Page(id=1)]")
        #expect(fixture.operations == [])
    }

    @Test("a snapshot with too many or too deeply nested screens is rejected")
    func large() throws {
        func json(_ screens: [String]) -> String {
            #"{"version":"luaroute.snapshot/1","screens":["#
                + screens.joined(separator: ",") + "]}"
        }
        let leaf: Value = ["class": "A", "kind": "leaf", "parent": 1]
        let many = InfoTable(list: Array(repeating: leaf, count: 1_000_000))
        var error = #expect(throws: RouteError.self) {
            try Snapshot(["version": "luaroute.snapshot/1", "screens": .table(many)])
        }
        #expect(error?.code == .budget)
        let deep = [Self.root] + (1...100).map { #"{"class":"nav","kind":"nav","parent":\#($0)}"# }
        error = #expect(throws: RouteError.self) { try Snapshot(json: json(deep)) }
        #expect(error?.message.contains("'screens[101]' is nested too deeply") == true)
    }

    @Test("a mutated snapshot is either rejected or restored to a valid tree")
    func mutated() throws {
        var shapes = Shapes(seed: 7)
        let json = Array(
            try fixture("tabs[*nav[Home ^ Page(id=1)], Page] ^ nav[Page]").router.snapshot().json
                .utf8
        )
        let fixture = try fixture()
        var read = 0
        for _ in 1...400 {
            var bytes = json
            for _ in 0...shapes.below(3) {
                let place = shapes.below(bytes.count)
                switch shapes.below(3) {
                case 0: bytes.remove(at: place)
                case 1: bytes[place] = json[shapes.below(json.count)]
                default: bytes.insert(json[shapes.below(json.count)], at: place)
                }
            }
            guard let snapshot = try? Snapshot(json: String(decoding: bytes, as: UTF8.self)) else {
                continue
            }
            read += 1
            fixture.router.restore(snapshot)
            #expect(fixture.brokenRules == [])
        }
        #expect(read > 10)
    }
}

/// Random trees and values.
private struct Shapes {
    private var numbers: RandomNumbers

    init(seed: UInt64) { numbers = RandomNumbers(seed: seed) }

    mutating func below(_ count: Int) -> Int { numbers.below(count) }

    mutating func tree() -> String {
        var tree = screen(4)
        for _ in 0..<below(3) { tree += " ^ \(screen(3))" }
        return tree
    }

    private mutating func screen(_ depth: Int) -> String {
        switch depth == 0 ? 0 : below(7) {
        case 1, 2: return "nav[\(children(below(4), depth))]"
        case 3: return "tabs[\(children(below(4), depth, selects: true))]"
        case 4: return "split[\(children(below(3), depth))]"
        case 5: return "Boxes[\(children(below(4), depth, selects: true))]"
        case 6: return "side:nav(x=\(value(1)))[\(children(below(3), depth))]"
        default: return "Page(id=\(below(9)), title=\(value(2)))"
        }
    }

    private mutating func children(_ count: Int, _ depth: Int, selects: Bool = false) -> String {
        let selected = selects && count > 0 ? below(count) : -1
        return (0..<count).map { index in
            let modal = below(4) == 0 ? " ^ \(screen(depth - 1))" : ""
            return (index == selected ? "*" : "") + screen(depth - 1) + modal
        }.joined(separator: ", ")
    }

    mutating func value(_ depth: Int) -> Value {
        switch depth == 0 ? below(4) : below(6) {
        case 0: return .integer(Int64(below(1_000_000)) - 500_000)
        case 1: return .number(Double(below(1_000_000)) / 7)
        case 2: return .string(ByteString(bytes: (0..<below(6)).map { _ in UInt8(below(256)) }))
        case 3: return .boolean(below(2) == 0)
        case 4: return .table(InfoTable(list: (0..<below(4)).map { _ in value(depth - 1) }))
        default:
            var table = InfoTable()
            for index in 0..<below(4) {
                let key: InfoTable.Key =
                    below(3) == 0
                    ? .integer(Int64(below(20)) - 5) : .string(ByteString("k$\(index)"))
                table[key] = value(depth - 1)
            }
            return .table(table)
        }
    }
}
