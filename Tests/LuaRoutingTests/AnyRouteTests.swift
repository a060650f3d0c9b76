// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting
import TestSupport
import Testing

/// Tests of route strings as values of the host.
@Suite(.failureReports)
struct AnyRouteTests {
    @Test("a route string is split at its first bar")
    func split() throws {
        let route = try AnyRoute("profile|{\"id\": 7, \"note\": \"a|b\", \"none\": null}")
        #expect(route.identifier == "profile")
        #expect(route.info == ["id": 7, "note": "a|b"])
        #expect(try AnyRoute("|{}").identifier == "")
        #expect(try AnyRoute("|{}").info == [:])
        #expect(try AnyRoute("a b/c:d|{}").identifier == "a b/c:d")
    }

    private static let rejected = [
        "", "foo", "foo|", "|foo", "foo|\"param\": true", "|foo|{}", "foo|[]", "foo|1",
    ]

    @Test("a malformed route string is rejected", arguments: rejected)
    func rejects(_ text: String) {
        #expect { try AnyRoute(text) } throws: { ($0 as? RouteError)?.code == .parse }
    }

    @Test("the error for a payload with JSON null has the path of the null")
    func flaws() {
        #expect { try AnyRoute("foo|{\"a\":[null]}") } throws: { error in
            (error as? RouteError)?.code == .badInfo
                && (error as? RouteError)?.message
                    == "bad field 'a[1]' (a value expected, got null)"
        }
    }

    @Test("a route string of more than 64 KiB is rejected")
    func length() throws {
        let text = "a|{\"b\":\"" + String(repeating: "x", count: 64 * 1024 - 10) + "\"}"
        #expect(text.utf8.count == 64 * 1024)
        #expect(try AnyRoute(text).identifier == "a")
        #expect { try AnyRoute(text + " ") } throws: { error in
            (error as? RouteError)?.message
                == "bad route string (at most 65536 bytes expected, got 65537)"
        }
    }

    @Test("a payload with many keys in any order is parsed quickly")
    func manyKeys() throws {
        let keys = (0..<7_000).map { "\"\(9_999 - $0)\":1" }.joined(separator: ",")
        #expect(try AnyRoute("a|{\(keys)}").info.count == 7_000)
    }

    @Test("two route strings are equal if and only if they have the same bytes")
    func equality() throws {
        let route = try AnyRoute("a|{\"b\":1}")
        #expect(try route == AnyRoute("a|{\"b\":1}"))
        #expect(try route != AnyRoute("a|{\"b\": 1}"))
        #expect(try AnyRoute("\u{E9}|{}") != AnyRoute("e\u{301}|{}"))
        #expect(try Set([route, AnyRoute("a|{\"b\":1}")]).count == 1)
    }

    // MARK: Documents

    private struct Document: Codable, Equatable {
        struct Item: Codable, Equatable {
            var title: String
            var route: AnyRoute
        }

        var items: [Item]
        var first: AnyRoute?
        var byName: [String: AnyRoute] = [:]
    }

    @Test("a route string in a document is decoded without a router, and encoded as its text")
    func documents() throws {
        let json = #"""
            {"items": [{"title": "x", "route": "a|{\"id\":1}"}], "byName": {"n": "|{}"}}
            """#
        let document = try JSONDecoder().decode(Document.self, from: Data(json.utf8))
        #expect(document.items.first?.route.info == ["id": 1])
        #expect(document.byName["n"]?.identifier == "")
        #expect(document.first == nil)
        let again = try JSONDecoder().decode(
            Document.self,
            from: try JSONEncoder().encode(document)
        )
        #expect(again == document)
        let list = try PropertyListEncoder().encode(document)
        #expect(try PropertyListDecoder().decode(Document.self, from: list) == document)
    }

    @Test("a malformed route string makes decoding fail with the path of the string")
    func badDocuments() throws {
        let json = #"{"items": [{"title": "x", "route": "a|{\"id\":}"}], "byName": {}}"#
        #expect {
            try JSONDecoder().decode(Document.self, from: Data(json.utf8))
        } throws: { error in
            guard case DecodingError.dataCorrupted(let context) = error,
                let cause = context.underlyingError as? RouteError
            else { return false }
            return cause.code == .parse
                && context.codingPath.map(\.stringValue) == ["items", "Index 0", "route"]
        }
        let number = #"{"items": [{"title": "x", "route": 7}], "byName": {}}"#
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Document.self, from: Data(number.utf8))
        }
    }

    @Test("a payload may contain route strings at any depth")
    func nested() throws {
        struct Payload: Decodable {
            var next: AnyRoute
        }
        let third = "third|{\"id\":3}"
        let second = try "second|" + json(["next": third])
        let first = try AnyRoute("first|" + json(["next": second]))
        let next = try first.info.decode(Payload.self).next
        #expect(next.text == second)
        let last = try next.info.decode(Payload.self).next
        #expect(last.text == third)
        #expect(last.info == ["id": 3])
        #expect {
            try InfoTable(dictionaryLiteral: ("next", "no route")).decode(Payload.self)
        } throws: { error in
            (error as? RouteError)?.code == .badInfo
                && (error as? RouteError)?.message.contains("info.next") == true
        }
    }

    private func json(_ object: [String: String]) throws -> String {
        String(decoding: try JSONEncoder().encode(object), as: UTF8.self)
    }

    // MARK: Routers

    private func fixture() throws -> RouterFixture {
        try RouterFixture(
            """
            router.handle("page", { info = { id = "integer" } }, function(route)
              return "Page", "show", { id = route.info.id }
            end)
            router.handle("from", function(_, from)
              return "From", "show", { asker = from and from.class or "nobody" }
            end)
            router.class("Page", { fields = { "id" } })
            router.register("Page", "show", {
              info = { id = "integer" },
              build = function() return router.screen "Page" end,
            })
            router.handle("sheet", function() return "Sheet", "show" end)
            router.register("Sheet", "show", {
              via = router.present { style = "sheet", transition = "fade" },
              build = function() return router.screen "Sheet" end,
            })
            router.register("From", "show", function(info)
              return router.screen("From", info)
            end)
            router.start(function() return router.nav { router.screen "Main" } end)
            """,
            starts: false
        )
    }

    @Test("a route string can be checked without navigating to its route")
    func check() throws {
        let fixture = try fixture()
        fixture.router.start()
        try fixture.router.check(AnyRoute("page|{\"id\":1.0}"))
        #expect {
            try fixture.router.check(AnyRoute("pge|{}"))
        } throws: { error in
            (error as? RouteError)?.code == .notFound
                && (error as? RouteError)?.message.hasSuffix("did you mean 'page'?") == true
        }
        #expect {
            try fixture.router.check(AnyRoute("page|{\"id\":\"x\"}"))
        } throws: { ($0 as? RouteError)?.code == .badInfo }
        #expect(fixture.tree == "nav[Main]")
        #expect(fixture.router.pending.isEmpty)
    }

    @Test("opening an AnyRoute has the same effect as opening its text; the completion runs once")
    func open() throws {
        let fixture = try fixture()
        fixture.router.start()
        var ends: [String] = []
        let navigation = fixture.router.open(try AnyRoute("page|{\"id\":1}")) {
            ends.append($0.status.name)
        }
        #expect(navigation.routeString == "page|{\"id\":1}")
        #expect(navigation.url == nil)
        #expect(navigation.origin == .url)
        #expect(navigation.params == ["id": 1])
        #expect(fixture.tree == "nav[Main, Page(id=1)]")
        fixture.router.open("page|{\"id\":}") { ends.append($0.status.name) }
        fixture.router.open("") { ends.append($0.status.name) }
        #expect(ends == ["done", "failed", "failed"])
        let events = fixture.events.filter { $0.kind == .navigate && $0["verb"].isNil }
        #expect(events.map { $0["route"].text } == ["page|{\"id\":1}", "page|{\"id\":}", nil])
    }

    @Test("the presentation options of the caller reach the host, whatever the style")
    func animation() throws {
        let fixture = try fixture()
        fixture.router.start()
        for isAnimated in [true, false] {
            for route in ["page|{\"id\":1}", "sheet|{}"] {
                fixture.router.dismissAll()
                let options = NavigationOptions(isAnimated: isAnimated)
                fixture.router.open(try AnyRoute(route), options: options)
                #expect(fixture.host.changes.last?.isAnimated == isAnimated)
            }
        }
        #expect(
            fixture.operations == ["openWindow", "push", "present", "dismiss", "push", "present"]
        )
    }

    @Test("a handler of route strings receives the visible screen, or nil before the first tree")
    func from() throws {
        let fixture = try fixture()
        fixture.router.open("from|{}")
        fixture.router.start()
        #expect(fixture.tree == "nav[Main, From(asker=\"nobody\")]")
        fixture.router.open("from|{}")
        #expect(fixture.tree.hasSuffix("From(asker=\"From\")]"))
    }
}
