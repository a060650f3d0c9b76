// SPDX-License-Identifier: MIT

import LuaRouteEditor
import RouteCore
import Testing

/// Tests of the edits that the server proposes, and of semantic tokens.
struct ActionTests {
    private static let bare = """
        local screen = router.screen
        router.start(function() return router.nav { screen "Home" } end)
        router.register("Cart", "show", {
          info = { id = "integer", note = "string?", mode = { "new", "old" } },
          build = function(info)
            return screen("Cart", { id = info.id })
          end,
        })
        router.register("Home", "show", { build = screen "Home" })

        """

    private static let scenario = """
        use bare.lua

        background
          start

        scenario "A cart"
          navigate Cart/show(id=1, mode="new")
          expect first done
          expect top ?

        scenario "A tree"
          navigate Cart/show(id=1, mode="new")
          expect top Cart(id=2)
          expect depth ?

        """

    private func client(_ scenario: String = Self.scenario) throws -> EditorClient {
        let files = ["bare.lua": Self.bare, "bare.scenario": scenario]
        let client = try EditorClient(files)
        for name in files.keys.sorted() { try client.open(name) }
        _ = client.findings()
        return client
    }

    @Test(
        "a code action adds what a script or a scenario lacks",
        arguments: [
            (
                "bare.scenario", "expect fir|st", "Name the preceding request 'first'",
                "mode=\"new\")\n  expect first", "mode=\"new\") as first\n  expect first"
            ),
            (
                "bare.lua", "screen(\"Ca|rt\"", "Declare the class 'Cart'",
                "router.register(\"Cart\"",
                "router.class(\"Cart\", { fields = { \"id\" } })\nrouter.register(\"Cart\""
            ),
            (
                "bare.lua", "register(\"Cart\", \"sh|ow\"", "Add 'examples'",
                "\"show\", {\n  info",
                "\"show\", { examples = { { id = 1, mode = \"new\" } },\n  info"
            ),
            (
                "bare.lua", "register(\"Ca|rt\", \"show\"", "Add 'examples'",
                "\"show\", {\n  info",
                "\"show\", { examples = { { id = 1, mode = \"new\" } },\n  info"
            ),
            (
                "bare.lua", "lo|cal screen", "Add 'router.api(1)'", "local screen",
                "router.api(1)\nlocal screen"
            ),
        ] as [(String, String, String, String, String)]
    )
    func actions(file: String, marked: String, title: String, old: String, new: String) throws {
        let client = try client()
        let text = try #require(client.server.text(of: client.uri(file)))
        let actions = client.actions(file, at: marked)
        let action = try #require(actions.first { $0["title"].text == title }, "\(actions)")
        let first = try #require(text.firstRange(of: old))
        #expect(
            try client.apply(action["edit"]) == [
                file: text.replacingCharacters(in: first, with: new)
            ]
        )
    }

    @Test("an action writes the actual value for '?' or for a failed expectation")
    func trueValues() throws {
        let client = try client(
            Self.scenario.replacingOccurrences(of: "  expect first done\n", with: "")
        )
        func titles(_ marked: String) -> [String] {
            client.actions("bare.scenario", at: marked).compactMap { $0["title"].text }
        }
        #expect(titles("expect top |Cart(id=2)") == ["Write the actual state: top Cart(id=1)"])
        #expect(titles("expect top |?") == ["Write the actual state: top Cart(id=1)"])
        #expect(titles("expect depth |?") == ["Write the actual state: depth 2"])
        #expect(titles("  st|art") == [])
        let action = client.actions("bare.scenario", at: "expect depth |?")[0]
        let texts = try client.apply(action["edit"])
        client.change("bare.scenario", try #require(texts["bare.scenario"]))
        _ = client.findings()
        #expect(client.actions("bare.scenario", at: "expect depth |2").isEmpty)
    }

    @Test("only the kinds of actions that the client asks for are proposed")
    func kinds() throws {
        let client = try client()
        func kinds(_ only: JSON) -> [String] {
            client.actions("bare.lua", at: "screen(\"Ca|rt\"", only: only)
                .compactMap { $0["kind"].text }
        }
        #expect(kinds(["source.fixAll"]) == ["source.fixAll.luaroute"])
        #expect(kinds(["source"]) == ["source.fixAll.luaroute"])
        #expect(kinds(["quickfix"]) == ["quickfix"])
        #expect(kinds(["refactor"]) == [])
    }

    @Test(
        "a script with an API level, a declared class and a route with examples has no actions"
    )
    func nothing() throws {
        let client = try client()
        client.change(
            "bare.lua",
            "router.api(1)\nrouter.class(\"Cart\", { fields = { \"id\" } })\n"
                + Self.bare.replacingOccurrences(
                    of: "info = {",
                    with: "examples = { { id = 1, mode = \"old\" } },\n  info = {"
                )
        )
        _ = client.findings()
        for marked in ["rou|ter.api", "screen(\"Ca|rt\"", "register(\"Cart\", \"sh|ow\""] {
            #expect(client.actions("bare.lua", at: marked).isEmpty, "\(marked)")
        }
    }

    @Test("words, targets, classes, kinds, fields, values and names have semantic tokens")
    func tokens() throws {
        let text = """
            scenario "A"
              given nav[Home, Cart(id=1)]
              navigate Cart/show(id=2, mode="é") as first
              expect first done
              do visit

            """
        let client = try client(text)
        let capabilities = try EditorClient(new: [:]).request("initialize", [:])["result"]
        let legend = capabilities["capabilities"]["semanticTokensProvider"]["legend"]["tokenTypes"]
        let types = (legend.list ?? []).compactMap(\.text)
        let parameters: JSON = ["textDocument": ["uri": .string(client.uri("bare.scenario"))]]
        let data = client.request("textDocument/semanticTokens/full", parameters)["result"]["data"]
        let numbers = (data.list ?? []).compactMap(\.int)
        var (line, character) = (0, 0)
        var found: [String] = []
        let lines = text.split(separator: "\n").map { Array($0.utf16) }
        for start in stride(from: 0, to: numbers.count, by: 5) {
            character = numbers[start] == 0 ? character + numbers[start + 1] : numbers[start + 1]
            line += numbers[start]
            let word = lines[line].dropFirst(character).prefix(numbers[start + 2])
            let type = types.dropFirst(numbers[start + 3]).first ?? "none"
            found.append("\(type) \(String(decoding: word, as: UTF16.self))")
        }
        #expect(
            found == [
                "keyword scenario", "string \"A\"", "keyword given", "type nav", "class Home",
                "class Cart", "property id", "number 1", "keyword navigate", "function Cart",
                "function show", "number 2", "string \"é\"", "variable first", "keyword expect",
                "variable first", "keyword do", "macro visit",
            ]
        )
    }
}

extension String {
    /// Returns the first range of the given text.
    fileprivate func firstRange(of part: String) -> Range<Index>? {
        indices.first { self[$0...].hasPrefix(part) }
            .map { $0..<index($0, offsetBy: part.count) }
    }

    fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
        String(self[..<range.lowerBound]) + text + String(self[range.upperBound...])
    }
}
