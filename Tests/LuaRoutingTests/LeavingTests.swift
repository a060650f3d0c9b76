// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// A leaving verb, with the trees before and after it.
struct Leaving: Sendable, CustomTestStringConvertible {
    let verb: String
    let before: String
    let after: String
    let operations: [String]
    var status = "done"

    init(
        _ verb: String,
        _ before: String,
        _ after: String,
        _ operations: [String],
        _ status: String = "done"
    ) {
        self.verb = verb
        self.before = before
        self.after = after
        self.operations = operations
        self.status = status
    }

    var testDescription: String { "\(verb) in \(before)" }

    static let all: [Leaving] = [
        Leaving("back()", "nav[A, B]", "nav[A]", ["pop"]),
        Leaving("back(2)", "nav[A, B] ^ nav[C]", "nav[A]", ["dismiss", "pop"]),
        Leaving("back()", "tabs[nav[A], *nav[B]]", "tabs[nav[A], *nav[B]]", [], "stayed"),
        Leaving("back()", "nav[A, tabs[*nav[B]]]", "nav[A]", ["pop"]),
        Leaving("popToRoot()", "nav[A, B, C]", "nav[A]", ["pop"]),
        Leaving("popToRoot()", "nav[A]", "nav[A]", [], "stayed"),
        Leaving("dismiss()", "nav[A] ^ B ^ C", "nav[A] ^ B", ["dismiss"]),
        Leaving("dismissAll()", "nav[A] ^ B ^ C", "nav[A]", ["dismiss"]),
        Leaving("dismissAll()", "nav[A]", "nav[A]", [], "stayed"),
        Leaving("popTo 'A'", "nav[A, B, A, C]", "nav[A, B, A]", ["pop"]),
        Leaving(
            "popTo 'A'",
            "tabs[*nav[A, B], nav[C]] ^ nav[D]",
            "tabs[*nav[A], nav[C]]",
            ["dismiss", "pop"]
        ),
        Leaving(
            "popTo 'C'",
            "tabs[*nav[A, B], nav[C, D]]",
            "tabs[nav[A, B], *nav[C]]",
            ["select", "pop"]
        ),
        Leaving(
            "popTo(function(s) return s.class == 'B' end)",
            "nav[A, B, C]",
            "nav[A, B]",
            ["pop"]
        ),
        Leaving("close(router.find 'B')", "nav[A, B, C]", "nav[A]", ["pop"]),
        Leaving("close(router.find 'B')", "nav[A] ^ nav[B]", "nav[A]", ["dismiss"]),
        Leaving("close(router.find 'B')", "nav[A] ^ B", "nav[A]", ["dismiss"]),
        Leaving("close(router.find 'B')", "tabs[A, *B, C]", "tabs[A, *C]", ["children"]),
        Leaving("close(router.find 'B')", "tabs[A, *nav[B], C]", "tabs[A, *C]", ["children"]),
        Leaving("close(router.find 'B')", "split[A, B]", "split[A]", ["children"]),
        Leaving("close(router.find 'A')", "nav[A, B]", "nav[A, B]", [], "failed"),
        Leaving(
            "select(router.find 'B')",
            "tabs[*A, B] ^ C",
            "tabs[A, *B]",
            ["dismiss", "select"]
        ),
        Leaving("select(router.find 'A')", "tabs[*A, B]", "tabs[*A, B]", []),
        Leaving("select(2)", "tabs[*A, B] ^ C", "tabs[A, *B]", ["dismiss", "select"]),
        Leaving("select(2.0)", "tabs[*A, B]", "tabs[A, *B]", ["select"]),
        Leaving(
            "select(2)",
            "tabs[*nav[A, tabs[*B, C]], D]",
            "tabs[*nav[A, tabs[B, *C]], D]",
            ["select"]
        ),
        Leaving("select(2)", "tabs[*A, B] ^ tabs[*C, D]", "tabs[*A, B] ^ tabs[C, *D]", ["select"]),
        Leaving("select(3)", "tabs[*A, B]", "tabs[*A, B]", [], "failed"),
        Leaving("select(0)", "tabs[*A, B]", "tabs[*A, B]", [], "failed"),
        Leaving("select(1)", "nav[A]", "nav[A]", [], "failed"),
        Leaving("back { window = 'main' }", "nav[A, B]", "nav[A]", ["pop"]),
        Leaving("back(2, { animated = false })", "nav[A, B, C]", "nav[A]", ["pop"]),
    ]
}

@Suite(.failureReports)
struct LeavingTests {
    @Test("each leaving verb changes the tree as documented", arguments: Leaving.all)
    func leaves(_ leaving: Leaving) throws {
        let fixture = try RouterFixture(
            """
            router.registerTask("Test", "leave", function()
              return router.\(leaving.verb).status
            end)
            """,
            starts: false
        )
        try fixture.router.setTree(TreeNotation(leaving.before))
        #expect(fixture.doTask("Test", "leave").value == .string(ByteString(leaving.status)))
        #expect(fixture.tree == leaving.after)
        #expect(fixture.operations == leaving.operations)
        #expect(fixture.router.tree.windows.count == 1)
    }

    @Test("a missing tab and contradictory options are errors")
    func noTab() throws {
        let fixture = try RouterFixture("router.start(function() end)", starts: false)
        try fixture.router.setTree(TreeNotation("nav[A]"))
        let none = fixture.router.select(1)
        #expect(none.error?.code == .typeMismatch)
        #expect(none.error?.message == "there are no tabs around the visible screen")
        try fixture.router.setTree(TreeNotation("tabs[A, B]"))
        let few = fixture.router.select(3)
        #expect(few.error?.code == .composition)
        #expect(few.error?.message == "there is no tab 3 to select (the number of tabs is 2)")
        let twice = try RouterFixture(
            "router.export('back', function() router.back({}, {}) end)",
            starts: false
        )
        let error = #expect(throws: RouteError.self) { try twice.call("back") }
        #expect(error?.message == "bad argument #1 to 'back' (integer expected, got table)")
    }

    @Test("the route that opened a screen receives the result when the screen is closed")
    func value() throws {
        let fixture = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Main" } end)
            router.register("Picker", "show", {
              build = router.screen "Picker",
              closed = function(screen, value) print(screen.class, value and value.size) end,
            })
            router.registerTask("Picker", "pick", function(info)
              return router.close(router.find "Picker", info.size and { size = info.size }).status
            end)
            """
        )
        fixture.navigate("Picker", "show")
        fixture.doTask("Picker", "pick", ["size": 7])
        fixture.navigate("Picker", "show")
        fixture.router.back()
        #expect(fixture.log == ["info Picker\t7", "info Picker\tnil"])
    }

    @Test("going back to a screen that does not exist is an error")
    func noScreen() throws {
        let fixture = try RouterFixture(
            "router.registerTask('A', 'b', function() return router.popTo('X').status end)",
            starts: false
        )
        try fixture.router.setTree(TreeNotation("nav[A]"))
        #expect(fixture.doTask("A", "b").value == "failed")
        let failed = fixture.events.last { $0.kind == .failed }
        #expect(failed?["code"] == "notFound")
        #expect(failed?["message"] == "there is no screen 'X' to go back to")
    }

    @Test("closing a screen notifies the route that built it, even if another route reused it")
    func foundByAnother() throws {
        let fixture = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Main" } end)
            router.register("Picker", "show", {
              build = router.screen "Picker",
              closed = function(screen) print("closed", screen.class) end,
            })
            router.register("Find", "picker", { find = "Picker", from = "current" })
            """
        )
        fixture.navigate("Picker", "show")
        #expect(fixture.navigate("Find", "picker").status.name == "done")
        fixture.router.back()
        #expect(fixture.log == ["info closed\tPicker"])
    }
}
