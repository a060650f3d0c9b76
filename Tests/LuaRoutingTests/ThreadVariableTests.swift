// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// Tests of Swift values as parameters, and of script values in Swift.
@Suite(.failureReports) @MainActor struct ThreadVariableTests {
    private enum Size: String, ValueConvertible { case small, large }

    @Test("a dictionary literal with variables of any plain type can be used as an info")
    func variables() async throws {
        let fixture = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Main" } end)
            router.register("Page", "open", { build = function(info, nav)
              router.state.info = nil
              local copy = {}
              for key, value in pairs(info) do copy[key] = value end
              return router.screen("Page", copy)
            end })
            router.registerTask("Work", "echo", function(info) return info.id end)
            router.export("echo", function(info) return info.id end)
            """
        )
        let router = fixture.router
        let (id, small, name, part) = (7, UInt8(8), "ann", "annika".prefix(3))
        let (flag, ratio, none): (Bool, Float, String?) = (true, 0.5, nil)
        let some: Int? = 3
        let size = Size.large
        try await router.navigate(
            Target("Page", "open"),
            info: [
                "id": id, "small": small, "name": name, "part": part, "flag": flag, "ratio": ratio,
                "none": none, "some": some, "tags": [name], "table": ["key": id], "size": size,
                "nested": InfoTable(["id": id]), "literal": 1,
            ]
        )
        let page = router.tree.visibleLeaf(of: router.tree.windows[0])
        #expect(
            try #require(router.tree.screen(page)).fields["size"] == "large"
        )
        #expect(
            router.notation(of: page)
                == """
                Page(flag=true, id=7, literal=1, name="ann", nested={id=7}, part="ann", ratio=0.5, \
                size="large", small=8, some=3, table={key=7}, tags={"ann"})
                """
        )
        #expect(try await router.doTask(Target("Work", "echo"), info: ["id": id]) == 7)
        #expect(try await router.call("echo", ["id": id]) == 7)
        // A literal of literals is a table, with the forms of a table.
        try await router.navigate(Target("Page", "open"), info: ["id": nil, "list": [1, "a"]])
    }

    @Test("each verb with parameters accepts a dictionary literal with variables")
    func verbs() async throws {
        let fixture = try RouterFixture(
            """
            router.start(function(info) return router.nav { router.screen("Main", { id = info.id }) } end)
            router.register("Page", "open", { build = function(info)
              return router.screen("Page", { id = info.id })
            end })
            router.registerTask("Work", "echo", function(info) return info.id end)
            router.export("echo", function(info) return info.id end)
            """,
            starts: false
        )
        let router = fixture.router
        let (id, none): (Int, String?) = (7, nil)
        let (page, echo) = (Target("Page", "open"), Target("Work", "echo"))
        var ends: [String] = []

        func starting() {
            router.start(["id": id, "none": none])
            #expect(fixture.tree == "nav[Main(id=7)]")
            router.start(["id": id, "none": none]) { ends.append($0.status.name) }
        }
        starting()
        try await router.start(["id": id, "none": none])
        #expect(fixture.tree == "nav[Main(id=7)]")

        func navigating() {
            router.navigate(page, info: ["id": id, "none": none]) { ends.append($0.status.name) }
            #expect(fixture.tree == "nav[Main(id=7), Page(id=7)]")
            router.go(page, info: ["id": id, "none": none])
        }
        navigating()
        try await router.navigate(page, info: ["id": id, "none": none])

        func working() throws {
            router.doTask(echo, info: ["id": id, "none": none]) { ends.append($0.status.name) }
            router.call("echo", ["id": id, "none": none]) { ends.append("\($0)") }
            #expect(try router.call("echo", ["id": id, "none": none]) == 7)
        }
        try working()
        #expect(try await router.doTask(echo, info: ["id": id, "none": none]) == 7)
        #expect(try await router.call("echo", ["id": id, "none": none]) == 7)
        #expect(ends == ["done", "done", "done", "success(7)"])
    }

    @Test("an integer of more than 64 bits becomes the nearest floating-point number")
    func large() {
        #expect(Value(Int64.max) == .integer(.max))
        #expect(Value(UInt64.max) == .number(18_446_744_073_709_551_616))
        #expect(Value(UInt64(Int64.max)) == .integer(.max))
    }

    @Test("a value of each kind can be read only as its Swift type")
    func reading() {
        let values: [Value] = [nil, true, 7, 7.5, "seven", [1, 2], ["a": 1]]
        #expect(values.map(\.boolean) == [nil, true, nil, nil, nil, nil, nil])
        #expect(values.map(\.int) == [nil, nil, 7, nil, nil, nil, nil])
        #expect(values.map(\.double) == [nil, nil, 7, 7.5, nil, nil, nil])
        #expect(values.map(\.text) == [nil, nil, nil, nil, "seven", nil, nil])
        #expect(values.map(\.list) == [nil, nil, nil, nil, nil, [1, 2], nil])
        #expect(values.map { $0.table?.count } == [nil, nil, nil, nil, nil, 2, 1])
        #expect(Value.number(3).int == 3)
        #expect(Value.number(0x1p63).int == nil)
        #expect(Value.number(.nan).int == nil && Value.number(-.infinity).int == nil)
        #expect(Value.number(-0x1p63).int == .min)
    }
}
