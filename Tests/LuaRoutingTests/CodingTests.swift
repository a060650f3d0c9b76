// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// Tests of values, info and fields that are encoded and decoded as structures of the host.
@Suite(.failureReports)
struct CodingTests {
    private struct Show: Codable, Equatable {
        struct Item: Codable, Equatable {
            var id: Int
            var price: Double?
        }

        var title: String
        var items: [Item]
        var tags: [String: Bool] = [:]
        var subtitle: String?
    }

    private static let show = Show(
        title: "Ä",
        items: [Show.Item(id: 1), Show.Item(id: 2, price: 2)],
        tags: ["7": true]
    )

    @Test("a structure is encoded as a table, and decoded to an equal structure")
    func roundTrip() throws {
        let table = try InfoTable(encoding: Self.show)
        #expect(
            table == [
                "title": "Ä", "items": [["id": 1], ["id": 2, "price": 2.0]], "tags": ["7": true],
            ]
        )
        #expect(try table.decode(Show.self) == Self.show)
        #expect(try Value(encoding: [1, nil, 3]) == .table([1: 1, 3: 3]))
        #expect(try Value(encoding: String?.none) == .nil)
        #expect(try (["a", "b"] as Value).decode([String].self) == ["a", "b"])
    }

    @Test(
        "a type that is not encoded as a table, and an unsupported value, are errors"
    )
    func encoding() {
        func error(_ body: () throws(RouteError) -> Void) -> RouteError? {
            do {
                try body()
                return nil
            } catch {
                return error
            }
        }
        let noTable = error { () throws(RouteError) in _ = try InfoTable(encoding: "text") }
        #expect(noTable?.code == .badInfo)
        #expect(noTable?.message == "bad value (table expected, got string)")
        let tooLarge = error { () throws(RouteError) in
            _ = try InfoTable(encoding: ["a": [UInt64.max]])
        }
        #expect(tooLarge?.code == .badInfo)
        #expect(
            tooLarge?.message
                == "bad field 'a[1]' (64-bit integer expected, got 18446744073709551615)"
        )
        #expect(tooLarge?.cause is EncodingError)
    }

    @Test(
        "decoding a value of another type is an error with its path",
        arguments: [
            (
                ["title": "t", "items": [["id": 1], ["id": 2, "price": "3"]], "tags": [:]],
                "bad field 'info.items[2].price' (number expected, got string)"
            ),
            (
                [
                    "title": "t", "items": [["id": 1, "price": .object(HostObject(1))]],
                    "tags": [:],
                ],
                "bad field 'info.items[1].price' (number expected, got host object)"
            ),
            (["items": [], "tags": [:]], "bad field 'info.title' (string expected, got nil)"),
            (
                ["title": .string(ByteString(bytes: [0xff])), "items": [], "tags": [:]],
                "bad field 'info.title' (UTF-8 text expected, got a string that is not UTF-8)"
            ),
        ] as [(InfoTable, String)]
    )
    func mismatches(_ table: InfoTable, _ message: String) {
        let error = #expect(throws: RouteError.self) { try table.decode(Show.self) }
        #expect(error?.code == .badInfo)
        #expect(error?.message == message)
        #expect(error?.cause is DecodingError)
    }

    @Test("an encoded info reaches the script; fields and task values are decoded")
    func throughScripts() throws {
        let fixture = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Main" } end)
            router.register("Show", "open", function(info)
              local page = router.screen "Show"
              page.title, page.items, page.tags = info.title, info.items, info.tags
              return page
            end)
            router.registerTask("Show", "load", function(info)
              return { title = info.title, items = { { id = info.items[2].id } }, tags = {}, f = type }
            end)
            """
        )
        let info = try InfoTable(encoding: Self.show)
        let navigation = fixture.router.navigate(Target("Show", "open"), info: info)
        let screen = try #require(navigation.screen.flatMap { fixture.router.tree.screen($0) })
        #expect(try screen.fields.decode(Show.self) == Self.show)
        #expect(
            #expect(throws: RouteError.self) { try screen.fields.decode([String: Int].self) }?
                .message == "bad field 'items' (integer expected, got table)"
        )
        let task = fixture.router.doTask(Target("Show", "load"), info: info)
        #expect(try task.value.decode(Show.self) == Show(title: "Ä", items: [Show.Item(id: 2)]))
    }
}
