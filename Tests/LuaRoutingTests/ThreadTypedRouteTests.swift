// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// Tests of routes, tasks and screens with Swift types.
@Suite(.timeLimit(.minutes(10)), .failureReports)
@MainActor struct ThreadTypedRouteTests {
    private let fixture: RouterFixture
    private var router: Router { fixture.router }

    private enum Size: String, ValueEnumeration {
        case small = "S"
        case medium = "M"
    }

    private struct Page: TypedScreen, Equatable {
        static let className = "Page"
        var id: Int
        var tags: [String]?

        init(id: Int, tags: [String]? = nil) { (self.id, self.tags) = (id, tags) }

        init(routeValue value: Value) throws(ValueMismatch) {
            let table = try InfoTable(routeValue: value)
            id = try table.read("id")
            tags = try table.read("tags")
        }

        var routeValue: Value { .table(InfoTable(["id": id, "tags": tags])) }
    }

    private static let picker = TypedRoute<Size>("Picker", "show")

    init() throws {
        fixture = try RouterFixture(
            """
            router.class("Page", { fields = { id = "integer", tags = "[string]?" } })
            router.start(function() return router.nav { router.screen("Page", { id = 1 }) } end)
            router.register("Picker", "show", { build = router.screen "Picker", via = "present" })
            router.registerTask("Sum", "add", function(info)
              local sum = 0
              for _, n in ipairs(info.numbers) do sum = sum + n end
              return sum
            end, { info = { numbers = "[number]" }, result = "number" })
            router.registerTask("Half", "of", function(info, done)
              done(true, info.n % 2 == 0 and info.n // 2 or nil)
            end, { info = { n = "integer" }, result = "integer?" })
            """
        )
    }

    private var visible: ScreenID { router.tree.visibleLeaf(of: router.tree.windows[0]) }

    @Test("a typed route has a result of the declared type, or nil; any other value is 'badInfo'")
    func result() async throws {
        for (value, expected) in [("M", Size.medium), (nil, nil)] as [(Value, Size?)] {
            let result = Task { try await router.result(of: Self.picker) }
            await until { fixture.tree.hasSuffix("^ Picker") }
            try await router.close(visible, value: value)
            #expect(try await result.value == expected)
        }
        let result = Task { try await router.result(of: Self.picker) }
        await until { fixture.tree.hasSuffix("^ Picker") }
        try await router.close(visible, value: "XL")
        let error = await #expect(throws: RouteError.self) { try await result.value }
        #expect(error?.code == .badInfo)
        #expect(
            error?.message
                == #"bad value ("S" or "M" expected, got string) in the result of 'Picker/show'"#
        )
    }

    @Test("a typed task returns a value of its declared type")
    func task() async throws {
        let sum = TypedTask<Double>("Sum", "add", info: ["numbers": [1, 2.5]])
        #expect(try await router.doTask(sum) == 3.5)
        #expect(try await router.doTask(TypedTask<Int?>("Half", "of", info: ["n": 4])) == 2)
        #expect(try await router.doTask(TypedTask<Int?>("Half", "of", info: ["n": 3])) == nil)
    }

    @Test("the fields of a screen are read and written with their types")
    func screen() async throws {
        #expect(try Page(router.tree[visible]) == Page(id: 1))
        let other = try router.screen(Page(id: 2, tags: ["a", "b"]))
        #expect(router.notation(of: other) == #"Page(id=2, tags={"a", "b"})"#)
        let empty = try router.screen("Page")
        let error = #expect(throws: RouteError.self) { try Page(router.tree[empty]) }
        #expect(
            error?.message
                == "bad field 'id' (integer expected, got nil) in screen #\(empty.serial) of class 'Page'"
        )
        try await router.navigate(Self.picker)
        #expect(try Page(router.tree[visible]) == nil)
        #expect(throws: RouteError.self) { try router.screen("Page", ["id": "x"]) }
    }

    @Test(
        "reading a value as a different type is an error that names the mismatched part",
        arguments: [
            (["id": 1.0], nil), (["id": 1, "tags": [], "more": true], nil),
            ([:], "bad field 'id' (integer expected, got nil)"),
            (["id": 1.5], "bad field 'id' (integer expected, got number)"),
            (["id": 1, "tags": ["a", 2]], "bad field 'tags[2]' (string expected, got integer)"),
            (["id": 1, "tags": ["x": "a"]], "bad field 'tags' (list expected, got table)"),
            (7, "bad value (table expected, got integer)"),
        ] as [(Value, String?)]
    )
    func mismatch(_ value: Value, _ message: String?) {
        do throws(ValueMismatch) {
            _ = try Page(routeValue: value)
            #expect(message == nil)
        } catch {
            #expect(error.description == message)
        }
    }
}
