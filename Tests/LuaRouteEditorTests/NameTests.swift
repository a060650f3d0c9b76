// SPDX-License-Identifier: MIT

import LuaRouteEditor
import LuaRouting
import RouteCore
import TestSupport
import Testing

/// Tests of completion, hover, definitions, references and renaming.
struct NameTests {
    private let client: EditorClient

    init() throws {
        client = try EditorClient(Shop.files)
        for name in Shop.files.keys.sorted() { try client.open(name) }
        _ = client.findings()
    }

    @Test(
        "names and words are completed wherever they are allowed",
        arguments: [
            ("shop.scenario", "navigate Pro|duct/show(id=0)", "Product/show"),
            ("shop.scenario", "navigate Product/show(i|d=0)", "id"),
            ("shop.scenario", "top Pro|duct(id=7)", "Product"),
            ("shop.scenario", "top Product(i|d=7)", "id"),
            ("shop.scenario", "do vi|sit 7", "visit"),
            ("shop.scenario", "use m|ain.lua", "main.lua"),
            ("shop.scenario", "expect sec|ond", "second"),
            ("shop.scenario", "expect t|op", "top"),
            ("shop.scenario", "  nav|igate Product/show(id=0)", "navigate"),
            ("shop.scenario", "scen|ario \"A", "scenario"),
            ("main.lua", "intercept = \"lo|gin\"", "login"),
            ("main.lua", "from = { \"Ho|me\"", "Home"),
            ("main.lua", "from = { \"Home\", \"sh|ow\"", "show"),
            ("main.lua", "find = \"Ho|me\"", "Home"),
            ("main.lua", "  inter|cept = ", "intercept"),
            ("main.lua", "router.reg|ister(\"Home\"", "register"),
            ("login.lua", "navigate(\"Ho|me\"", "Home"),
            ("login.lua", "navigate(\"Home\", \"sh|ow\"", "show"),
        ] as [(String, String, String)]
    )
    func completion(file: String, marked: String, expected: String) throws {
        let items = client.request("textDocument/completion", file, at: marked)["result"].list ?? []
        #expect(
            items.contains { $0["label"].text == expected },
            "\(items.compactMap { $0["label"].text })"
        )
    }

    private static let types = ValueType.words.map(\.key)

    @Test(
        "completions of a partly typed line are exactly the words that may follow",
        arguments: [
            ("shop.scenario", "  open |", ["/products/:id(int)"]),
            ("shop.scenario", "scenario \"B\" @slow\n  back\n\nscenario \"C\" @|", ["@slow"]),
            ("shop.scenario", "  navigate Product/show(|", ["id"]),
            ("shop.scenario", "  navigate Product/show(id=|", ["7"]),
            ("shop.scenario", "  expect top Product(id=|", []),
            ("main.lua", "router.navigate(\"Product\", \"show\", { |", ["id"]),
            ("main.lua", "router.screen(\"Product\", { |", ["id"]),
            ("main.lua", "router.register(\"A\", \"b\", { find = { by = \"|", ["id", "title"]),
            ("main.lua", "router.register(\"A\", \"b\", { info = { id = \"|", Self.types),
            ("main.lua", "router.register(\"A\", \"b\", { result = \"|", Self.types),
            ("main.lua", "router.class(\"A\", { fields = { id = \"|", Self.types),
            ("main.lua", "router.register(\"A\", \"b\", { info = { id = { \"|", []),
            ("main.lua", "router.navigate(\"A\", \"b\", { id = \"|", []),
            ("main.lua", "local start = rou|", ["router"]),
            ("main.lua", "router.register(\"A\", \"b\", { build = rou|", ["router"]),
            ("main.lua", "router.screen(\"Product\", { id = |", []),
            ("main.lua", "-- rou|", []),
            ("main.lua", "router.state.|", ["visits"]),
            (
                "shop.scenario", "  user |",
                ["back", "dismisses", "selects", "makes", "opens", "closes"]
            ),
            ("shop.scenario", "  maybe host |", ["holds", "applies", "refuses"]),
            (
                "shop.scenario", "  navigate Product/show(id=1) with (|",
                ["window", "animated", "timeout", "policy", "again", "force"]
            ),
            ("shop.scenario", "  back with (force=|", []),
            ("shop.scenario", "  set state.|", ["visits"]),
            (
                "shop.scenario", "  set state.user.name = 1\n  expect state.|",
                ["user.name", "visits"]
            ),
            (
                "shop.scenario", "set |",
                ["seed", "start", "strict", "timeout", "windows", "profile"]
            ),
        ] as [(String, String, [String])]
    )
    func following(file: String, typed: String, expected: [String]) throws {
        let example = "examples = { { id = 7 } }, url = \"/products"
        client.change("login.lua", Shop.login + "router.state.visits = 0\n")
        client.change(
            "main.lua",
            Shop.main.replacingOccurrences(of: "url = \"/products", with: example)
        )
        _ = client.findings()
        let text = try #require(client.server.text(of: client.uri(file)))
        client.change(file, text + typed.filter { $0 != "|" })
        let items = client.request("textDocument/completion", file, at: typed)["result"].list ?? []
        #expect(items.compactMap { $0["label"].text } == expected)
    }

    @Test("a name that occurs only where it is being typed is not proposed")
    func typedName() throws {
        for (file, old, new, marked) in [
            ("main.lua", "\"login\",", "\"lgoin\",", "intercept = \"lg|oin"),
            ("shop.scenario", "top Product", "top Prodct", "top Pro|dct"),
        ] {
            let text = try client.folder.read(file).replacingOccurrences(of: old, with: new)
            client.change(file, text)
            let items = client.request("textDocument/completion", file, at: marked)["result"].list
            let labels = (items ?? []).compactMap { $0["label"].text }
            #expect(labels.contains(file == "main.lua" ? "login" : "Product"))
            #expect(!labels.contains { $0 == "lgoin" || $0 == "Prodct" })
        }
    }

    @Test(
        "the members of an object are proposed directly after the dot or colon, with documentation",
        arguments: [
            ("router.", "register"), ("router.", "state"), ("router.\nrouter.start()", "navigate"),
            ("router.nav", "navigate"),
            ("local g = router.group{}\ngroup:", "register"),
        ]
    )
    func members(text: String, expected: String) throws {
        client.change("main.lua", text)
        let mark = text.prefix { $0 != "\n" || text.contains("group") } + "|"
        let items = client.request("textDocument/completion", "main.lua", at: String(mark))
        let item = items["result"].list?.first { $0["label"].text == expected }
        #expect(item?["detail"].text?.contains(expected) == true, "\(items)")
        #expect(item?["documentation"]["value"].text?.isEmpty == false)
    }

    @Test("an incomplete text is completed even if the script does not parse")
    func typing() throws {
        client.change("main.lua", "router.register(\"Basket\", \"show\", {\n  intercept = \"lo")
        let items = client.request("textDocument/completion", "main.lua", at: "intercept = \"lo|")
        #expect(items["result"].list?.contains { $0["label"].text == "login" } == true)
    }

    @Test(
        "definitions are found across scripts and scenario files",
        arguments: [
            ("shop.scenario", "navigate Product/sh|ow(id=0)", ["main.lua:7:29"]),
            ("shop.scenario", "navigate Pro|duct/show(id=0)", ["main.lua:7:29"]),
            ("shop.scenario", "top Pro|duct(id=7)", ["main.lua:4:15"]),
            ("shop.scenario", "top Product(i|d=7)", ["main.lua:4:39"]),
            ("shop.scenario", "do vi|sit 7", ["shop.scenario:6:7"]),
            ("shop.scenario", "expect sec|ond", ["shop.scenario:12:34"]),
            ("shop.scenario", "use ma|in.lua", ["main.lua:1:1"]),
            ("main.lua", "intercept = \"lo|gin\"", ["login.lua:1:21"]),
            ("main.lua", "\"Home\", \"sh|ow\" }", ["main.lua:6:26"]),
            ("login.lua", "navigate(\"Home\", \"sh|ow\")", ["main.lua:6:26"]),
            ("login.lua", "ret|urn", []),
        ] as [(String, String, [String])]
    )
    func definition(file: String, marked: String, expected: [String]) {
        let found = client.request("textDocument/definition", file, at: marked)["result"]
        #expect(EditorClient.locations(found) == expected)
    }

    @Test(
        "hovering over a name, a word, a function or a finding shows a description",
        arguments: [
            ("shop.scenario", "navigate Product/sh|ow(id=0)", "`/products/:id(int)`"),
            ("shop.scenario", "expe|ct top", "Fails the scenario and skips its remaining steps"),
            ("shop.scenario", "second er|ror", "The request failed"),
            ("main.lua", "intercept = \"lo|gin\"", "router.interceptor(\"login\""),
            ("main.lua", "router.reg|ister(\"Home\"", "`router.register("),
            ("main.lua", "inter|cept = ", "**intercept**"),
        ] as [(String, String, String)]
    )
    func hover(file: String, marked: String, expected: String) {
        let text = client.request("textDocument/hover", file, at: marked)["result"]["contents"][
            "value"
        ].text
        #expect(text?.contains(expected) == true, "\(text ?? "nil")")
    }

    @Test("all uses of a name are found, in scripts and in scenario files")
    func references() {
        let found = client.request(
            "textDocument/references",
            "main.lua",
            at: "router.register(\"Product\", \"sh|ow\""
        )
        #expect(
            EditorClient.locations(found["result"]) == [
                "main.lua:7:29", "shop.scenario:12:20", "shop.scenario:7:20",
            ]
        )
        let here = client.request(
            "textDocument/documentHighlight",
            "main.lua",
            at: "\"Home\", \"sh|ow\" }"
        )
        #expect(here["result"].list?.count == 2)
    }

    @Test("renaming changes a name in scripts and scenario files together")
    func rename() {
        let changes = client.request(
            "textDocument/rename",
            "shop.scenario",
            at: "navigate Product/sh|ow(id=0)",
            ["newName": "open"]
        )["result"]["changes"]
        #expect(changes[client.uri("main.lua")].list?.count == 1)
        #expect(changes[client.uri("shop.scenario")].list?.count == 2)
        let login = client.request(
            "textDocument/rename",
            "login.lua",
            at: "interceptor(\"lo|gin\"",
            ["newName": "auth"]
        )
        #expect(login["result"]["changes"][client.uri("main.lua")].list?.count == 1)
    }

    @Test(
        "the targets of a redirect and of 'offers' are uses of a route, although they are plain strings"
    )
    func plainTexts() throws {
        client.change(
            "login.lua",
            Shop.login
                + "router.register(\"Old\", \"show\", { redirect = { \"Product\", \"show\" } })\n"
                + "router.class(\"Cart\", { offers = { \"Product/show\" } })\n"
        )
        let found = client.request(
            "textDocument/references",
            "main.lua",
            at: "router.register(\"Product\", \"sh|ow\""
        )
        #expect(EditorClient.locations(found["result"]).count == 5)
    }

    /// Returns the reason why the class `Product` cannot be renamed; `none` if it can.
    private func refusalToRename() -> String {
        let answer = client.request(
            "textDocument/rename",
            "main.lua",
            at: "router.class(\"Pro|duct\"",
            ["newName": "Article"]
        )
        return answer["error"]["message"].text ?? "none"
    }

    @Test(
        "a rename is rejected with a reason if some uses of the name cannot be found",
        arguments: [
            (
                "router.export(\"own\", function(s) return s.class == \"Product\" end)",
                "may use the name as text on line 6"
            ),
            (
                "router.export(\"own\", function(s) return \"Pro\" .. \"duct\" end)",
                "may build the name from strings"
            ),
        ] as [(String, String)]
    )
    func refusedRename(line: String, expected: String) {
        client.change("login.lua", Shop.login + line + "\n")
        let message = refusalToRename()
        #expect(message.contains(expected), "\(message)")
    }

    @Test(
        "a rename is rejected if a cell, a macro argument or a value contains the name",
        arguments: [
            "  open <url>\n  each\n    | url         |\n    | Product     |",
            "  do visit Product", "  set state.page = \"Product\"",
        ]
    )
    func refusedInScenarios(steps: String) {
        client.change("shop.scenario", Shop.scenario + "\nscenario \"Another\"\n\(steps)\n")
        let message = refusalToRename()
        #expect(message.contains("shop.scenario' may use the name as text on line 1"), "\(message)")
    }

    @Test("a dependency is not renamed, because functions use it as a member")
    func dependency() {
        client.change(
            "login.lua",
            Shop.login + "router.provide(\"session\", function() return {} end)\n"
        )
        let answer = client.request(
            "textDocument/rename",
            "login.lua",
            at: "provide(\"ses|sion\"",
            ["newName": "user"]
        )
        #expect(
            answer["error"]["message"].text?.hasPrefix("a dependency cannot be renamed") == true
        )
    }

    @Test(
        "a new name that is invalid, exists already or belongs to the router is rejected",
        arguments: ["not a name", "Home", "nav", ""]
    )
    func badNewName(name: String) {
        let answer = client.request(
            "textDocument/rename",
            "main.lua",
            at: "router.class(\"Pro|duct\"",
            ["newName": .string(name)]
        )
        #expect(answer["error"]["code"].int == -32602)
    }

    @Test("blocks and declarations are listed as symbols of a file and of the workspace")
    func symbols() {
        func names(_ file: String) -> [String] {
            let found = client.request(
                "textDocument/documentSymbol",
                ["textDocument": ["uri": .string(client.uri(file))]]
            )
            return (found["result"].list ?? []).compactMap { $0["name"].text }
        }
        #expect(names("shop.scenario") == ["background", "visit", "A product"])
        #expect(names("login.lua") == ["login", "Cart/add", "reset"])
        let all = client.request("workspace/symbol", ["query": "prod"])["result"].list ?? []
        #expect(
            Set(all.compactMap { $0["name"].text }) == ["A product", "Product", "Product/show"]
        )
    }

    @Test("formatting a file without errors has the same result as 'luaroute fmt'")
    func formatting() throws {
        let parameters: JSON = ["textDocument": ["uri": .string(client.uri("shop.scenario"))]]
        #expect(
            client.request("textDocument/formatting", parameters)["result"].list?.isEmpty == true
        )
        client.change(
            "shop.scenario",
            Shop.scenario.replacingOccurrences(of: "  do visit 7", with: "     do   visit 7")
        )
        let edits = client.request("textDocument/formatting", parameters)["result"].list ?? []
        #expect(edits.map { $0["newText"].text } == [Shop.scenario])
        client.change("shop.scenario", Shop.scenario + "  nonsense\n")
        #expect(
            client.request("textDocument/formatting", parameters)["result"].list?.isEmpty == true
        )
    }

    @Test(
        "the names in a script are found with their kinds, even after an unclosed string",
        arguments: [
            ("router.find { class = \"A\", by = \"id\" }", ["class A", "field id"]),
            ("router.start { \"A\", \"b\" }", ["service A", "task A/b"]),
            (
                "register(\"A\", \"b\", { ready = { \"g\", \"h\" } })",
                ["service A!", "task A/b!", "gate g", "gate h"]
            ),
            (
                "router.screen(\"A\", { id = f { id = 1 }, name = 2 })",
                ["class A", "field A/id", "field A/name"]
            ),
            ("local x = \"open\nrouter.ready \"g\"", ["gate g"]),
            (
                "router.register(\"A\", \"b\", { build = function() return { from = \"x\" } end })",
                ["service A!", "task A/b!"]
            ),
            ("s:find(\"x\")", []),
        ] as [(String, [String])]
    )
    func scriptNames(source: String, expected: [String]) {
        let names = ScriptNames(Array(source.utf8)).names.map { name in
            "\(name.subject.rawValue) \(name.owner.map { "\($0)/" } ?? "")\(name.text)\(name.isNew ? "!" : "")"
        }
        #expect(names == expected)
    }
}
